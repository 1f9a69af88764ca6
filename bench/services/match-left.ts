import type { CensusRecord, Kind } from './service.ts';

/** One entry of `left` in the JSON report of a run. */
export interface LeftEntry {
  /** The id of an operation. */
  readonly operation: string;
  readonly record: string;
  readonly reason: string;
  readonly code?: string;
  readonly count?: number;
}

/** An operation as the report names it. */
export interface ReportOperation {
  readonly id: string;
  readonly method: string;
  readonly path: string;
}

/** Which of the records that a run left its report names. */
export interface NamedRecords {
  readonly named: readonly CensusRecord[];
  readonly unnamed: readonly CensusRecord[];
}

/**
 * Finds each record in the entries of a report: by an identifier in an entry for an operation that
 * creates its kind, or as one of so many records of such an operation whose identifiers are not
 * known. Each of those counts once.
 */
export function matchLeft(
  left: readonly CensusRecord[],
  entries: readonly LeftEntry[],
  {
    kinds,
    operations,
  }: { readonly kinds: readonly Kind[]; readonly operations: readonly ReportOperation[] },
): NamedRecords {
  const kindsOf = kindsByOperation(kinds, operations);
  const read = entries.map((entry) => ({
    entry,
    kinds: kindsOf(entry.operation),
    room: countOf(entry),
  }));
  const named: CensusRecord[] = [];
  const unnamed: CensusRecord[] = [];
  const byCount: CensusRecord[] = [];
  for (const record of left) {
    const isNamed = read.some(({ entry, kinds: made }) =>
      nameIn(record, entry.record, made.has(record.kind)),
    );
    (isNamed ? named : byCount).push(record);
  }
  for (const record of byCount) {
    const counted = read.find((entry) => entry.room > 0 && entry.kinds.has(record.kind));
    if (counted !== undefined) counted.room -= 1;
    (counted === undefined ? unnamed : named).push(record);
  }
  return { named, unnamed };
}

/** The kinds that an operation creates, by its id or by `POST /path`. */
function kindsByOperation(
  kinds: readonly Kind[],
  operations: readonly ReportOperation[],
): (operation: string) => ReadonlySet<string> {
  const written = new Map(
    operations.map(({ id, method, path }) => [id, `${method.toUpperCase()} ${path}`]),
  );
  return (operation) => {
    const name = written.get(operation) ?? operation;
    return new Set(
      kinds.filter(({ createdBy }) => createdBy.includes(name)).map((kind) => kind.name),
    );
  };
}

/** An identifier this long does not occur in a text by accident. */
const tellingLength = 12;

function nameIn({ names }: CensusRecord, text: string, isOfKind: boolean): boolean {
  // A report writes texts as JSON: `"bell\u0007"`.
  const written = (name: string): string => JSON.stringify(name).slice(1, -1);
  return names.some(
    (name) =>
      name !== '' &&
      (isOfKind || name.length >= tellingLength) &&
      (hasToken(text, name) || hasToken(text, written(name))),
  );
}

/** Whether the text holds the name as a whole: not as a part of a longer word or number. */
function hasToken(text: string, name: string): boolean {
  const inWord = /[\p{L}\p{N}_]/u;
  for (let at = text.indexOf(name); at !== -1; at = text.indexOf(name, at + 1)) {
    const [before, after] = [text[at - 1] ?? ' ', text[at + name.length] ?? ' '];
    const begins = !inWord.test(before) || !inWord.test(name[0] ?? ' ');
    const ends = !inWord.test(after) || !inWord.test(name.at(-1) ?? ' ');
    if (begins && ends) return true;
  }
  return false;
}

/** Codes of entries that count records, and do not know their identifiers. */
const countingCodes = ['identifier-unknown', 'unanswered'];

/**
 * Such an entry in words, where a report has no codes: `12 records of POST /a, identifiers
 * unknown`.
 */
const countingWords =
  /^(?:up to |what )?(\d+) (?:records? of .*identifiers? unknown|requests? to .* did)$/;

/** How many records an entry counts without their identifiers. */
function countOf({ record, code, count }: LeftEntry): number {
  if (code !== undefined) return countingCodes.includes(code) ? (count ?? 0) : 0;
  return Number(countingWords.exec(record)?.[1] ?? 0);
}
