import type { Contract, Resource } from '../contract/model.ts';
import type { MaybePromise, Collection, Store, StoredRecord } from '../store/store.ts';
import type { Mock } from './mock.ts';
import { isMark, collectionOwner, collectionParents } from './records/collection-name.ts';
import { familyOf, type RecordFamily, removeBelow } from './records/find-record.ts';

/**
 * A mock that can be replaced while it serves: requests in progress end on the old mock, and new
 * ones wait for the new mock.
 */
export interface ReplaceableMock extends Mock {
  /**
   * Replaces this mock by the one that `make` makes. If it throws, this mock continues, and the
   * error is rethrown.
   */
  replace(make: () => Promise<Mock>): Promise<void>;
}

type Method = (...given: readonly unknown[]) => MaybePromise<unknown>;

/** The methods that a replacement waits for, and that wait for a replacement. */
const served: ReadonlySet<string | symbol> = new Set(['answer', 'reset', 'snapshot', 'restore']);

/** A mock that has all members of the current one. */
export function makeReplaceable(first: Mock): ReplaceableMock {
  let current = first;
  let underWay = 0;
  /** Set during a replacement. */
  let replacing: Promise<void> | undefined;
  let becameIdle: (() => void) | undefined;
  const replace: ReplaceableMock['replace'] = async (make) => {
    while (replacing !== undefined) await replacing;
    const { promise, resolve } = Promise.withResolvers<void>();
    replacing = promise;
    try {
      if (underWay > 0) await new Promise<void>((idle) => (becameIdle = idle));
      current = await make();
    } finally {
      replacing = undefined;
      resolve();
    }
  };
  const memberOf = (name: string | symbol): unknown => {
    const member: unknown = Reflect.get(current, name);
    return typeof member === 'function' ? (member as Method).bind(current) : member;
  };
  const serve = async (name: string | symbol, given: readonly unknown[]): Promise<unknown> => {
    while (replacing !== undefined) await replacing;
    underWay += 1;
    try {
      return await (memberOf(name) as Method)(...given);
    } finally {
      underWay -= 1;
      if (underWay === 0) becameIdle?.();
    }
  };
  return new Proxy({ replace } as ReplaceableMock, {
    get: (own, name): unknown => {
      if (name === 'replace') return own.replace;
      return served.has(name) ? (...given: unknown[]) => serve(name, given) : memberOf(name);
    },
  });
}

/** The number of records in all sessions, and how many were removed. */
export interface Sweep {
  readonly kept: number;
  readonly dropped: number;
}

/**
 * After a change of the contract, removes every invalid record and everything below it from all
 * sessions with changes.
 */
export async function dropUnfit(
  store: Store,
  contract: Pick<Contract, 'resources' | 'operations' | 'inference'>,
): Promise<Sweep> {
  const known = new Map(contract.resources.map((resource) => [resource.name, resource]));
  let [kept, dropped] = [0, 0];
  for (const session of await store.sessions()) {
    const before = await collectionsOf(session, store);
    for (const [name, records] of before) {
      const resource = known.get(collectionOwner(name));
      const family = resource && familyOf(resource, contract);
      const unfit = records.filter((stored) => !isFit(stored, resource));
      await removeRecords(unfit, { session, name }, { family, store });
    }
    const left = count(await collectionsOf(session, store));
    kept += left;
    dropped += count(before) - left;
  }
  return { kept, dropped };
}

/** Removes records of one collection with everything below them. */
async function removeRecords(
  records: readonly StoredRecord[],
  { session, name }: Collection,
  { family, store }: { readonly family: RecordFamily | undefined; readonly store: Store },
): Promise<void> {
  for (const { id } of records) {
    await store.delete({ session, name }, id);
    if (family !== undefined)
      await removeBelow({ session, texts: [...collectionParents(name), id] }, family, store);
  }
}

type Collections = readonly (readonly [name: string, records: readonly StoredRecord[]])[];

async function collectionsOf(session: string, store: Store): Promise<Collections> {
  const { collections } = await store.dump(session);
  return Object.entries(collections)
    .filter(([name]) => !isMark(name))
    .map(([name, { records }]) => [name, records]);
}

function count(collections: Collections): number {
  return collections.reduce((sum, [, records]) => sum + records.length, 0);
}

function isFit({ id, record }: StoredRecord, resource: Resource | undefined): boolean {
  if (resource === undefined) return false;
  const isNamed = resource.kind === 'singleton' || String(record[resource.identifier.field]) === id;
  return isNamed && resource.record.validate(record, 'response').length === 0;
}

/**
 * Copies the state of the old mock to a new one: its clock, and the scenarios that were activated
 * and deactivated.
 */
export function carryOver(before: Mock, next: Mock): void {
  const { setting } = before.clock;
  if (setting.kind === 'fixed') next.clock.fix(setting.at);
  if (setting.kind === 'offset') next.clock.shift(setting.milliseconds);
  for (const session of [undefined, ...before.scenarios.sessions])
    carrySwitches(before, next, session);
}

function carrySwitches(before: Mock, next: Mock, session: string | undefined): void {
  const on = before.scenarios.active(session);
  const known = new Set(before.scenarios.names);
  for (const name of next.scenarios.active(session)) {
    if (known.has(name) && !on.includes(name)) next.scenarios.deactivate(name, session);
  }
  // In reverse, because the last activated scenario has precedence.
  for (const name of on.toReversed()) {
    if (next.scenarios.names.includes(name) && !next.scenarios.active(session).includes(name))
      next.scenarios.activate(name, session);
  }
}
