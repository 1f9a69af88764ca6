import type { Change } from './overlay.ts';
import type { Shelf } from './store.ts';

/**
 * What a session changed in one collection, and the greatest integer that it held or gave there.
 */
export interface ShelfChanges {
  readonly changes: readonly Change[];
  readonly greatest: bigint;
}

/** What a session changed, by collection. */
export type SessionChanges = ReadonlyMap<string, ShelfChanges>;

/** What goes with a change. */
export interface ChangeFacts {
  /** Whether a fixture has this identifier. */
  readonly isFixture: boolean;
  /**
   * The greatest integer that the shelf held or gave, where it is not written yet; never undefined
   * for its first change.
   */
  readonly greatest: bigint | undefined;
}

/**
 * Where a store of this process writes down what sessions change, before it takes effect. Every
 * method takes effect in one step, or throws a VouchError ('store-unavailable') and has none.
 */
export interface ChangeLog {
  /** What was written of a session; undefined where nothing was. */
  read(session: string): SessionChanges | undefined;
  /**
   * Writes one change. A record that is gone and that no fixture stands behind need not be
   * remembered.
   */
  write(shelf: Shelf, change: Change, facts: ChangeFacts): void;
  /** Writes the greatest integer that a shelf held or gave. */
  count(shelf: Shelf, greatest: bigint): void;
  /** Writes a session anew. */
  rewrite(session: string, changes: SessionChanges): void;
  /** Forgets one session, or all. */
  forget(session?: string): void;
  /** How many records were added, in all sessions. */
  added(): number;
  sessions(): readonly string[];
  close(): void;
}
