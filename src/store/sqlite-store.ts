import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { stringifyJson } from '../json/value.ts';
import { freezeRecord, parseStored } from './field-values.ts';
import { LocalStore } from './local-store.ts';
import { describeInterruption, openDatabase } from './open-database.ts';
import type {
  Change,
  ChangeFacts,
  ChangeLog,
  SessionChanges,
  CollectionChanges,
} from './overlay.ts';
import type { Collection, Store, StoreLimits } from './store.ts';

/**
 * A store that keeps the changes of sessions in a file: acknowledged changes survive the sudden end
 * of the process. Reads are as fast as in memory. The file does not contain fixtures: those of the
 * last `seed` apply below the changes. Throws a VouchError ('store-unusable') if the file cannot be
 * used.
 */
export function openSqliteStore(file: string, limits: StoreLimits = {}): Store {
  return new LocalStore('sqlite', limits, new SqliteChangeLog(file));
}

/** Writes what sessions change to a file. Opening throws a VouchError ('store-unusable'). */
class SqliteChangeLog implements ChangeLog {
  readonly #file: string;
  readonly #database: DatabaseSync;
  readonly #statements: Statements;
  /** The sessions in the file, so that others are not searched. */
  readonly #sessions: Set<string>;

  constructor(file: string) {
    this.#file = file;
    this.#database = openDatabase(file);
    this.#statements = prepareStatements(this.#database);
    this.#sessions = new Set(
      this.#attempt(() => this.#statements.sessions.all().map(({ session }) => String(session))),
    );
  }

  read(session: string): SessionChanges | undefined {
    if (!this.#sessions.has(session)) return undefined;
    return this.#attempt(() => {
      const changes = new Map<string, CollectionChanges & { readonly changes: Change[] }>();
      for (const { collection, greatest } of this.#statements.collections.all(session))
        changes.set(String(collection), { changes: [], greatest: BigInt(String(greatest)) });
      for (const { collection, id, turn, record } of this.#statements.records.iterate(session))
        changes.get(String(collection))?.changes.push(readChange(id, turn, record));
      return changes;
    });
  }

  write(collection: Collection, change: Change, { isFixture, greatest }: ChangeFacts): void {
    const { session, name } = collection;
    const put = (): void => {
      if (change.record === undefined && !isFixture)
        this.#statements.remove.run(session, name, change.id);
      else this.#put(collection, change);
    };
    // One statement is a transaction by itself, and a cheaper one.
    if (greatest === undefined) this.#attempt(put);
    else
      this.#transact(() => {
        this.#statements.count.run(session, name, String(greatest));
        put();
      });
    this.#sessions.add(session);
  }

  count({ session, name }: Collection, greatest: bigint): void {
    this.#attempt(() => this.#statements.count.run(session, name, String(greatest)));
    this.#sessions.add(session);
  }

  rewrite(session: string, changes: SessionChanges): void {
    this.#transact(() => {
      this.#forget(session);
      for (const [name, { changes: own, greatest }] of changes) {
        this.#statements.count.run(session, name, String(greatest));
        for (const change of own) this.#put({ session, name }, change);
      }
    });
    this.#sessions.delete(session);
    if (changes.size > 0) this.#sessions.add(session);
  }

  forget(session?: string): void {
    this.#transact(() =>
      session === undefined
        ? this.#database.exec('DELETE FROM records; DELETE FROM shelves')
        : this.#forget(session),
    );
    if (session === undefined) this.#sessions.clear();
    else this.#sessions.delete(session);
  }

  added(): number {
    return this.#attempt(() => Number(this.#statements.added.get()?.['number']));
  }

  sessions(): readonly string[] {
    return [...this.#sessions];
  }

  close(): void {
    if (this.#database.isOpen) this.#database.close();
  }

  #put({ session, name }: Collection, { id, turn, record }: Change): void {
    this.#statements.put.run(
      session,
      name,
      id,
      turn ?? null,
      record === undefined ? null : stringifyJson(record),
    );
  }

  #forget(session: string): void {
    this.#statements.forgetRecords.run(session);
    this.#statements.forgetCollections.run(session);
  }

  #transact(work: () => void): void {
    this.#attempt(() => {
      this.#database.exec('BEGIN');
      try {
        work();
        this.#database.exec('COMMIT');
      } catch (error) {
        if (this.#database.isTransaction) this.#database.exec('ROLLBACK');
        throw error;
      }
    });
  }

  #attempt<Result>(work: () => Result): Result {
    try {
      return work();
    } catch (error) {
      throw describeInterruption(error, this.#file);
    }
  }
}

type Statements = Readonly<
  Record<
    | 'sessions'
    | 'collections'
    | 'records'
    | 'count'
    | 'put'
    | 'remove'
    | 'forgetRecords'
    | 'forgetCollections'
    | 'added',
    StatementSync
  >
>;

function prepareStatements(database: DatabaseSync): Statements {
  return {
    sessions: database.prepare('SELECT DISTINCT session FROM shelves'),
    collections: database.prepare('SELECT collection, greatest FROM shelves WHERE session = ?'),
    records: database.prepare(
      'SELECT collection, id, turn, record FROM records WHERE session = ? ORDER BY turn',
    ),
    count: database.prepare(
      'INSERT OR REPLACE INTO shelves (session, collection, greatest) VALUES (?, ?, ?)',
    ),
    put: database.prepare(
      'INSERT OR REPLACE INTO records (session, collection, id, turn, record) ' +
        'VALUES (?, ?, ?, ?, ?)',
    ),
    remove: database.prepare('DELETE FROM records WHERE session = ? AND collection = ? AND id = ?'),
    forgetRecords: database.prepare('DELETE FROM records WHERE session = ?'),
    forgetCollections: database.prepare('DELETE FROM shelves WHERE session = ?'),
    added: database.prepare('SELECT count(*) AS number FROM records WHERE turn IS NOT NULL'),
  };
}

function readChange(id: unknown, turn: unknown, record: unknown): Change {
  return {
    id: String(id),
    turn: turn === null ? undefined : Number(turn),
    record: record === null ? undefined : freezeRecord(parseStored(String(record))),
  };
}
