import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { existsSync, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { VouchError } from '../errors.ts';
import { stringifyJson } from '../json/value.ts';
import { freezeRecord, parseStored } from './field-values.ts';
import { LocalStore } from './local-store.ts';
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
        changes.get(String(collection))?.changes.push({
          id: String(id),
          turn: turn === null ? undefined : Number(turn),
          record: record === null ? undefined : freezeRecord(parseStored(String(record))),
        });
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

/** `vouc` in ASCII, which identifies files of vouch among other databases. */
const applicationId = 0x766f7563;
/** Raise it when the tables change, and teach `prepare` to bring older files up to date. */
const format = 1;

const tables = `
  CREATE TABLE shelves (
    session TEXT NOT NULL,
    collection TEXT NOT NULL,
    greatest TEXT NOT NULL,
    PRIMARY KEY (session, collection)
  ) WITHOUT ROWID;
  CREATE TABLE records (
    session TEXT NOT NULL,
    collection TEXT NOT NULL,
    id TEXT NOT NULL,
    turn INTEGER,
    record TEXT,
    PRIMARY KEY (session, collection, id)
  );
`;

/**
 * Opens a file exclusively, and creates it if it is missing. Throws a VouchError ('store-unusable')
 * for a file of another program or a newer format, one that another process uses, or an
 * inaccessible one.
 */
export function openDatabase(file: string): DatabaseSync {
  const folder = dirname(resolve(file));
  if (!existsSync(folder))
    throw new VouchError(
      'store-unusable',
      `Records cannot be kept in ${file}: there is no folder ${folder}.`,
      { hint: 'Make the folder, or name a file in one that is there.' },
    );
  if (existsSync(file) && statSync(file).isDirectory())
    throw new VouchError('store-unusable', `Records cannot be kept in ${file}: it is a folder.`, {
      hint: 'Name a file, such as records.db in it.',
    });
  const Database = loadSqlite();
  let database: DatabaseSync | undefined;
  try {
    database = new Database(file);
    prepare(database, file);
    return database;
  } catch (error) {
    database?.close();
    throw error instanceof VouchError ? error : describeFailure(error, file);
  }
}

function prepare(database: DatabaseSync, file: string): void {
  // Before the first access: the lock is then kept until the file is closed, and needs no shared
  // memory beside it.
  database.exec('PRAGMA locking_mode = EXCLUSIVE');
  const isNew = readNumber(database, 'SELECT count(*) AS number FROM sqlite_schema') === 0;
  if (!isNew) checkFormat(database, file);
  // A write-ahead log is handed to the operating system with every commit, so what was acknowledged
  // survives the end of this process, however sudden. NORMAL leaves out the wait for the disk: a
  // power failure may cost the last moments, never the file.
  database.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; BEGIN EXCLUSIVE');
  if (isNew)
    database.exec(
      `${tables} PRAGMA application_id = ${String(applicationId)}; PRAGMA ` +
        `user_version = ${String(format)}`,
    );
  database.exec('COMMIT');
}

function checkFormat(database: DatabaseSync, file: string): void {
  if (
    readNumber(database, 'SELECT application_id AS number FROM pragma_application_id') !==
    applicationId
  ) {
    throw new VouchError(
      'store-unusable',
      `${file} is a database, but not one that vouch made; it was left as it is.`,
      { hint: 'Name another file: --persist records.db' },
    );
  }
  const version = readNumber(database, 'SELECT user_version AS number FROM pragma_user_version');
  if (version <= format) return;
  throw new VouchError(
    'store-unusable',
    `${file} was written by a newer vouch (its format is ${String(version)}, ` +
      `and this vouch knows ${String(format)}); it was left as it is.`,
    { hint: 'Use that vouch, or name another file.' },
  );
}

function readNumber(database: DatabaseSync, query: string): number {
  return Number(database.prepare(query).get()?.['number']);
}

/** SQLite's primary result codes (sqlite.org/rescode.html). */
const advice: Readonly<Record<number, readonly [problem: string, hint: string]>> = {
  5: ['another process has it open', 'Stop the other vouch, or name another file.'],
  6: ['another process has it open', 'Stop the other vouch, or name another file.'],
  8: ['it may not be written', 'Give yourself the right to write to it, or name another file.'],
  11: ['it is damaged', 'Restore a copy, or delete it and start anew.'],
  13: ['the disk is full', 'Make room, or name a file on another disk.'],
  14: [
    'it cannot be opened',
    'Give yourself the right to read and write there, or name another file.',
  ],
  26: ['it is not a database', 'Name another file: --persist records.db'],
};

function describeFailure(error: unknown, file: string): VouchError {
  const [problem, hint] = advice[primaryCode(error)] ?? [
    error instanceof Error ? error.message : String(error),
    'Name another file, or leave --persist out.',
  ];
  return new VouchError('store-unusable', `Records cannot be kept in ${file}: ${problem}.`, {
    hint,
    cause: error,
  });
}

/** Describes why the file could not be read or written while the mock was running. */
export function describeInterruption(error: unknown, file: string): VouchError {
  const [problem] = advice[primaryCode(error)] ?? [
    error instanceof Error ? error.message : String(error),
  ];
  return new VouchError(
    'store-unavailable',
    `Records could not be kept in ${file}: ${problem}. Nothing was changed.`,
    { hint: 'Look after the file, and try again.', cause: error },
  );
}

function primaryCode(error: unknown): number {
  const code = error instanceof Error && 'errcode' in error ? Number(error.errcode) : NaN;
  return code & 0xff;
}

/**
 * Loads Node's SQLite without its warning that it is experimental. Throws a VouchError
 * ('store-unusable') if this Node does not include it.
 */
export function loadSqlite(): typeof DatabaseSync {
  const loaded = withoutWarning(() => process.getBuiltinModule('node:sqlite'));
  // Its type is always defined, but some builds of Node do not include it.
  const sqlite = loaded as typeof loaded | undefined;
  if (sqlite !== undefined) return sqlite.DatabaseSync;
  throw new VouchError(
    'store-unusable',
    `Records cannot be kept in a file: this Node (${process.version}) was built without SQLite.`,
    { hint: 'Use a Node from nodejs.org, or leave --persist out.' },
  );
}

/** Node warns once, while the module loads. Other warnings are printed. */
function withoutWarning<Result>(load: () => Result): Result {
  const { emitWarning } = process;
  const quiet = (...args: Parameters<typeof emitWarning>): void => {
    if (!String(args[0]).includes('SQLite is an experimental feature'))
      Reflect.apply(emitWarning, process, args);
  };
  // `emitWarning` has several forms, all of which are handed on as they come.
  process.emitWarning = quiet as typeof emitWarning;
  try {
    return load();
  } finally {
    process.emitWarning = emitWarning;
  }
}
