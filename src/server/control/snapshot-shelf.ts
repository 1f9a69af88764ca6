import { VouchError } from '../../errors.ts';
import type { Snapshot } from '../../mock/control/snapshot.ts';

/** A snapshot under its name. */
export interface NamedSnapshot {
  readonly name: string;
  readonly takenAt: Date;
  readonly snapshot: Snapshot;
}

const mostSnapshots = 100;

/**
 * The snapshots that were taken by name, in the order of their taking. One taken again under the
 * same name replaces the first.
 */
export class SnapshotShelf {
  readonly #snapshots = new Map<string, NamedSnapshot>();

  /** Throws `usage` where there are a hundred already. */
  add(named: NamedSnapshot): void {
    if (this.#snapshots.size >= mostSnapshots && !this.#snapshots.has(named.name)) {
      throw new VouchError('usage', `There are ${String(mostSnapshots)} snapshots already.`, {
        hint: 'Delete one that is not needed any more.',
      });
    }
    this.#snapshots.delete(named.name);
    this.#snapshots.set(named.name, named);
  }

  find(name: string): NamedSnapshot | undefined {
    return this.#snapshots.get(name);
  }

  list(): readonly NamedSnapshot[] {
    return [...this.#snapshots.values()];
  }

  /** False where there is none of that name. */
  remove(name: string): boolean {
    return this.#snapshots.delete(name);
  }
}
