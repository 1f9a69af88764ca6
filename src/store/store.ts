import { VouchError } from '../errors.ts';
import { jsonBytes, jsonLength, type JsonObject, type JsonValue } from '../json/value.ts';

/** A record as it is kept: `id` is the text of its identifier, by which it is found. */
export type StoredRecord = { readonly id: string; readonly record: JsonObject };

/** One collection of records in one session. */
export interface Collection {
  readonly session: string;
  readonly name: string;
}

/** The records that every session starts with, by collection. */
export type Fixtures = ReadonlyMap<string, readonly StoredRecord[]>;

/**
 * What a field must hold. A dotted name goes into objects (`owner.name`), unless a record has a
 * field of that very name; of a list, one item is enough. `in`: the field equals one of the values,
 * numbers by their exact value. `null`: the field has no value. `contains`, `starts`, `ends`: a
 * text has the value at that place, in the same case. The others compare a number with a number and
 * a text with a text; two dates (RFC 3339) are compared as moments; anything else does not match.
 */
export type FieldCondition = ComparedField &
  (
    | { readonly op: 'in'; readonly values: readonly JsonValue[] }
    /** The field has none of these values; a record without the field matches. */
    | { readonly op: 'not in'; readonly values: readonly JsonValue[] }
    | { readonly op: 'gte' | 'gt' | 'lte' | 'lt'; readonly value: JsonValue }
    | { readonly op: 'null' }
    | { readonly op: 'contains' | 'starts' | 'ends'; readonly value: JsonValue }
  );

type ComparedField = {
  readonly field: string;
  /**
   * What is compared of texts, and of nothing else: them in one case, or their lengths; undefined
   * for the values themselves.
   */
  readonly by?: 'lower' | 'upper' | 'length';
};

/** What a record must hold: of a field, or all, any or none of some conditions. */
export type Condition =
  FieldCondition | { readonly op: 'all' | 'any' | 'none'; readonly of: readonly Condition[] };

/**
 * A text that a record must hold, without regard to case: in one of these fields, or where none is
 * named in any, at any depth.
 */
export interface Search {
  readonly text: string;
  readonly fields?: readonly string[];
}

/**
 * One field to sort by. Records without it, or with null, come last either way, or are lower than
 * all others; equal ones stay in the order of their adding.
 */
export interface SortKey {
  readonly field: string;
  readonly descending: boolean;
  readonly isNullLowest?: boolean;
  /** Whether texts with decimals are compared by their size. */
  readonly isAmount?: boolean;
}

/** The records, order and part of a collection to read. */
export interface Query {
  /** All of them must hold. */
  readonly where: readonly Condition[];
  readonly search?: Search;
  /** The first key decides, then the second; with none, the order in which records were added. */
  readonly order: readonly SortKey[];
  /** Begin behind the record with this identifier; `offset` counts from there. */
  readonly after?: string;
  readonly offset: number;
  /** The most records to answer; without it, all. */
  readonly limit?: number;
}

/** A part of the records that match. */
export interface QueryResult {
  readonly records: readonly StoredRecord[];
  /** How many match in all. */
  readonly total: number;
  /** Where this part begins among them, counted from 0. */
  readonly offset: number;
}

/**
 * `taken`: there is a record with this identifier. `full`: the store holds as many added records as
 * it may.
 */
export type Insertion = 'inserted' | 'taken' | 'full';

/** All that a session sees, as plain JSON. */
export type SessionDump = {
  readonly collections: { readonly [collection: string]: CollectionDump };
};

/**
 * The records of one collection in their order, and the greatest integer that it has ever held or
 * given, in decimal.
 */
export type CollectionDump = {
  readonly records: readonly StoredRecord[];
  readonly greatest: string;
};

/**
 * Keeps the mock's records. Each session sees the fixtures and its own changes, and nothing of
 * other sessions. Records are returned in the order of insertion, fixtures first. A driver has no
 * optional methods; one shared suite is its specification. If the storage is unreachable or fails,
 * methods throw a VouchError ('store-unavailable'); as far as the driver can know, nothing has then
 * changed. Drivers without I/O return synchronously.
 */
export interface Store {
  /** The driver's name: `memory`, `sqlite` or `redis`. */
  readonly kind: string;
  /**
   * How long the JSON text of one record may be, roughly. To insert, replace or restore a longer
   * one throws a VouchError ('record-too-large'); then nothing has changed.
   */
  readonly recordLimit: number;
  /**
   * Replaces the fixtures. What sessions have changed stays, laid over the new ones: a record that
   * a session changed, added or deleted is still as that session left it. `reset` forgets sessions.
   */
  seed(fixtures: Fixtures): Promise<void>;
  list(collection: Collection): MaybePromise<readonly StoredRecord[]>;
  /**
   * A part of the records that match, and how many there are; undefined where `after` names no
   * record that matches.
   */
  query(collection: Collection, query: Query): MaybePromise<QueryResult | undefined>;
  get(collection: Collection, id: string): MaybePromise<JsonObject | undefined>;
  /**
   * Adds a record; nothing is changed where the answer is not `inserted`. A driver that keeps
   * records in the memory of this process throws a VouchError ('store-out-of-bytes') where they
   * would take more of it than they may; so does `replace`.
   */
  insert(collection: Collection, stored: StoredRecord): MaybePromise<Insertion>;
  /**
   * Replaces a record at its position; returns false if it does not exist. With `read`, the record
   * as it was read before, it throws `RecordChanged` where another one is there by now; then
   * nothing has changed. Comparing and replacing are one step, also for other processes.
   */
  replace(collection: Collection, stored: StoredRecord, read?: JsonObject): MaybePromise<boolean>;
  /** Removes a record; returns false if it does not exist. `read` is as that of `replace`. */
  delete(collection: Collection, id: string, read?: JsonObject): MaybePromise<boolean>;
  /**
   * An integer greater than every integer identifier of a fixture, and than any that the session
   * has ever held or been given here.
   */
  nextInteger(collection: Collection): MaybePromise<bigint>;
  /** Back to the fixtures: one session, or all. */
  reset(session?: string): Promise<void>;
  /** All that a session sees. */
  dump(session: string): Promise<SessionDump>;
  /**
   * Makes a session see what a dump holds; a collection that it does not name is as it starts.
   * Throws a VouchError ('store-full', 'store-out-of-bytes') where it is more than the store may
   * hold; then nothing has changed.
   */
  restore(session: string, dump: SessionDump): Promise<void>;
  /** The names of the sessions that have changed something. */
  sessions(): Promise<readonly string[]>;
  close(): Promise<void>;
}

/** A record is not the one that was read: another process has changed it in the meantime. */
export class RecordChanged extends Error {
  constructor({ name }: Collection, id: string) {
    super(`the record ${id} of ${name} has changed since it was read`);
  }
}

/** A value that is there already, or one that is still to come. */
export type MaybePromise<Value> = Value | Promise<Value>;

/**
 * Continues with a value: synchronously if it is available, otherwise when it resolves. Synchronous
 * work cannot be interrupted and needs no promises. Errors are thrown or rejected accordingly;
 * callers must handle both.
 */
export function whenReady<Given, Made>(
  given: MaybePromise<Given>,
  next: (value: Given) => MaybePromise<Made>,
): MaybePromise<Made> {
  return given instanceof Promise ? given.then(next) : next(given);
}

/** How much a store holds. */
export interface StoreLimits {
  /**
   * The maximum number of sessions with changes; the least recently used one is reset. Default
   * 10,000.
   */
  readonly sessions?: number;
  /** The maximum number of added records in all sessions, without fixtures. Default 1,000,000. */
  readonly records?: number;
  /**
   * The approximate maximum memory of added and changed records in all sessions of this process, in
   * bytes, without fixtures. Default 256 MiB.
   */
  readonly bytes?: number;
  /** The approximate maximum length of one record's JSON text. Default slightly more than 1 MiB. */
  readonly record?: number;
}

const mebibyte = 1024 * 1024;

/** What the service itself may add to a record that a client sent. */
const recordSlack = 64 * 1024;

/** The default limits. */
export const usualLimits: Required<StoreLimits> = {
  sessions: 10_000,
  records: 1_000_000,
  bytes: 256 * mebibyte,
  record: mebibyte + recordSlack,
};

/** The largest record where bodies are limited to so many bytes. */
export function recordLimitFor(bodyLimit: number): number {
  return bodyLimit + recordSlack;
}

/** Throws `record-too-large` if a record is longer than allowed. */
export function refuseLong({ id, record }: StoredRecord, max: number): void {
  if (jsonLength(record, max) <= max) return;
  throw new VouchError(
    'record-too-large',
    `The record ${id.slice(0, 60)} would be longer than ${String(max)} bytes, the most allowed.`,
    { hint: 'Send a smaller change, or start the mock with a greater body limit.' },
  );
}

/** The approximate memory of an entry without its record: its share of the indexes. */
const entryBytes = 200;

/** The approximate memory of a stored record, in bytes. */
export function bytesOf(record: JsonObject): number {
  return entryBytes + jsonBytes(record);
}

/** The error if records need more memory than allowed. */
export function outOfBytes(max: number): VouchError {
  return new VouchError(
    'store-out-of-bytes',
    `Added and changed records take all of the ${String(max)} bytes that they may take.`,
    { hint: 'Delete records, reset the mock, or start it with a greater mock.maxBytes.' },
  );
}
