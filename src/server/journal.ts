/** One exchange of the mock, as the journal keeps it. */
export interface ExchangeRecord {
  readonly method: string;
  /** Path and query as they were sent. */
  readonly target: string;
  readonly status: number;
  /** The id of the operation that answered, where one did. */
  readonly operation?: string;
  /** From the request's head to its answer, the scripted delay included. */
  readonly durationMs: number;
}

/** The last exchanges, oldest first; when it is full, the oldest is forgotten. */
export interface Journal {
  add(record: ExchangeRecord): void;
  /** Those of one operation, or all. */
  list(operation?: string): readonly ExchangeRecord[];
  /** How many were forgotten since the journal was last cleared. */
  forgotten(): number;
  clear(): void;
}

/** An empty journal that keeps at most `capacity` records. */
export function makeJournal(capacity: number): Journal {
  let ring: ExchangeRecord[] = [];
  let added = 0;
  return {
    add(record) {
      ring[added % capacity] = record;
      added += 1;
    },
    list(operation) {
      const start = added > capacity ? added % capacity : 0;
      const ordered = [...ring.slice(start), ...ring.slice(0, start)];
      return operation === undefined ? ordered : ordered.filter((record) => record.operation === operation);
    },
    forgotten: () => Math.max(0, added - capacity),
    clear() {
      ring = [];
      added = 0;
    },
  };
}
