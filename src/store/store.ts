import type { JsonObject } from '../json/value.ts';

/** A record as it is kept: `id` is the text of its identifier, by which it is found. */
export interface StoredRecord {
  readonly id: string;
  readonly record: JsonObject;
}

/** Where records are kept: one collection, as one session sees it. */
export interface Shelf {
  readonly session: string;
  readonly collection: string;
}

/** The records that every session starts with, by collection. */
export type Fixtures = ReadonlyMap<string, readonly StoredRecord[]>;

/**
 * Keeps the mock's records. Each session sees the fixtures and its own changes, and nothing of other sessions. Records come
 * back in the order in which they were added, fixtures first. A driver has no optional methods; one shared suite is its
 * specification.
 */
export interface Store {
  /** The driver's name: `memory`. */
  readonly kind: string;
  /** Replaces the fixtures and forgets every session. */
  seed(fixtures: Fixtures): Promise<void>;
  list(shelf: Shelf): Promise<readonly StoredRecord[]>;
  get(shelf: Shelf, id: string): Promise<JsonObject | undefined>;
  /** Adds a record; false, and nothing changed, where the identifier is taken. */
  insert(shelf: Shelf, stored: StoredRecord): Promise<boolean>;
  /** Replaces a record in its place; false where there is none. */
  replace(shelf: Shelf, stored: StoredRecord): Promise<boolean>;
  /** Removes a record; false where there is none. */
  delete(shelf: Shelf, id: string): Promise<boolean>;
  /** An integer greater than every integer identifier that the shelf has ever held, and never given twice. */
  nextInteger(shelf: Shelf): Promise<bigint>;
  /** Back to the fixtures: one session, or all. */
  reset(session?: string): Promise<void>;
  close(): Promise<void>;
}
