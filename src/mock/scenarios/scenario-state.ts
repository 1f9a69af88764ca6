import type { Contract, Resource } from '../../contract/model.ts';
import { VouchError } from '../../errors.ts';
import { isJsonObject, type JsonValue } from '../../json/value.ts';
import { RecentMap } from '../../store/recent-map.ts';
import type { Collection, CollectionDump, Store, StoredRecord } from '../../store/store.ts';
import { findCollection } from '../records/collection-name.ts';
import type { Scenario } from './scenario.ts';

/**
 * Sessions of which something is remembered. One more, and the one that was unused for the longest
 * begins anew.
 */
export const mostSessions = 10_000;

/** Where one session differs from all others. */
interface Own {
  readonly on: readonly Scenario[];
  readonly off: ReadonlySet<Scenario>;
}

/** Which scenarios are on: for all sessions, and for single ones. */
export class ScenarioSwitches {
  #common: readonly Scenario[];
  readonly #own = new RecentMap<string, Own>(mostSessions);

  constructor(common: readonly Scenario[]) {
    this.#common = [...new Set(common)];
  }

  /** Those that are on, a session's own first; without a session, those that are on for all. */
  on(session?: string): readonly Scenario[] {
    const own = session === undefined || this.#own.size === 0 ? undefined : this.#own.get(session);
    if (own === undefined) return this.#common;
    return [
      ...own.on,
      ...this.#common.filter((scenario) => !own.off.has(scenario) && !own.on.includes(scenario)),
    ];
  }

  /** For all sessions: each forgets that it had switched the scenario off. */
  activate(scenario: Scenario, session?: string): void {
    if (session !== undefined) return this.#change(session, { on: [scenario], off: [] }, scenario);
    if (!this.#common.includes(scenario)) this.#common = [...this.#common, scenario];
    for (const name of this.#own.keys()) this.#change(name, { on: [], off: [] }, scenario);
  }

  /** For all sessions: those that had it on for themselves lose it too. */
  deactivate(scenario: Scenario, session?: string): void {
    if (session !== undefined) return this.#change(session, { on: [], off: [scenario] }, scenario);
    this.#common = this.#common.filter((other) => other !== scenario);
    for (const name of this.#own.keys()) this.#change(name, { on: [], off: [] }, scenario);
  }

  #change(
    session: string,
    { on, off }: { readonly on: readonly Scenario[]; readonly off: readonly Scenario[] },
    scenario: Scenario,
  ): void {
    const own = this.#own.get(session) ?? { on: [], off: new Set<Scenario>() };
    const others = (given: Iterable<Scenario>): Scenario[] =>
      [...given].filter((other) => other !== scenario);
    this.#own.set(session, {
      on: [...others(own.on), ...on],
      off: new Set([...others(own.off), ...off]),
    });
  }
}

/** A record with the text of its identifier; undefined where it has none. */
export function storedRecord(
  record: JsonValue,
  { identifier }: Resource,
): StoredRecord | undefined {
  const id =
    isJsonObject(record) && Object.hasOwn(record, identifier.field)
      ? record[identifier.field]
      : undefined;
  if (!isJsonObject(record) || id === undefined || id === null || typeof id === 'object')
    return undefined;
  return { id: String(id), record };
}

/** No session of a client's can have this in its name. */
const joint = '+';

/**
 * The records that scenarios start from. Requests under a scenario with records of its own see a
 * session beside that of the client, so that nothing of the scenario is left behind when it is off
 * again.
 */
export class ScenarioState {
  readonly #store: Store;
  readonly #contract: Pick<Contract, 'resources'>;
  readonly #prepared = new RecentMap<string, Promise<void>>(mostSessions);

  constructor(store: Store, contract: Pick<Contract, 'resources'>) {
    this.#store = store;
    this.#contract = contract;
  }

  /**
   * The session of the store in which a client's request is served, prepared on first use: its own,
   * or `NAME+SCENARIO`.
   */
  open(session: string, scenarios: readonly Scenario[]): string | Promise<string> {
    const stateful = scenarios.filter(({ state }) => state !== undefined);
    if (stateful.length === 0) return session;
    const name = [session, ...stateful.map((scenario) => scenario.name)].join(joint);
    return this.#prepareOnce(name, stateful).then(() => name);
  }

  /** Back to what scenarios start from, for one session of a client's or for all. */
  async reset(session?: string): Promise<void> {
    await resetBeside(this.#store, session);
    this.forget();
  }

  /** The store was changed from outside: what is prepared has to be looked up anew. */
  forget(): void {
    this.#prepared.clear();
  }

  #prepareOnce(name: string, scenarios: readonly Scenario[]): Promise<void> {
    const known = this.#prepared.get(name);
    if (known !== undefined) return known;
    const preparing = this.#prepare(name, scenarios);
    void this.#prepared.set(name, preparing);
    // A store that is out of reach now may be there for the next request.
    preparing.catch(() => this.#prepared.delete(name));
    return preparing;
  }

  /** Another process on the same store, or an earlier one, may have begun already. */
  async #prepare(session: string, scenarios: readonly Scenario[]): Promise<void> {
    if ((await this.#store.sessions()).includes(session)) return;
    const [replaced, added] = [
      new Map<string, CollectionDump>(),
      new Map<string, readonly StoredRecord[]>(),
    ];
    // The first scenario that is on has the last word, as among rules.
    for (const [key, { kind, records }] of scenarios
      .toReversed()
      .flatMap(({ state }) => Object.entries(state ?? {}))) {
      const { resource, collection } = findCollection(key, this.#contract.resources) ?? {};
      if (resource === undefined || collection === undefined) continue;
      const stored = records.flatMap((record) => storedRecord(record, resource) ?? []);
      if (kind === 'add') added.set(collection, [...(added.get(collection) ?? []), ...stored]);
      else replaced.set(collection, { records: stored, greatest: greatestOf(stored) });
      if (kind === 'replace') added.delete(collection);
    }
    await this.#store.restore(session, { collections: Object.fromEntries(replaced) });
    try {
      for (const [collection, records] of added)
        await this.#add({ session, name: collection }, records);
    } catch (error) {
      // What is there by half would be taken for prepared.
      await this.#store.reset(session);
      throw error;
    }
  }

  async #add(collection: Collection, records: readonly StoredRecord[]): Promise<void> {
    for (const stored of records) {
      if (await this.#store.replace(collection, stored)) continue;
      if ((await this.#store.insert(collection, stored)) === 'full')
        throw new VouchError(
          'store-full',
          'The mock holds as many added records as it may, so those of a scenario ' +
            `could not be added to ${collection.name}.`,
          { hint: 'Reset the mock, or start it with a greater --max-records.' },
        );
    }
  }
}

/** Resets what scenarios keep beside one session of a client's, or beside all. */
export async function resetBeside(store: Store, session?: string): Promise<void> {
  const all = await store.sessions();
  const concerned = all.filter((name) =>
    session === undefined ? name.includes(joint) : name.startsWith(session + joint),
  );
  for (const name of concerned) await store.reset(name);
}

/** The greatest integer among identifiers, from which new ones go on. */
function greatestOf(records: readonly StoredRecord[]): string {
  const integers = records.flatMap(({ id }) => (/^\d+$/.test(id) ? [BigInt(id)] : []));
  return String(
    integers.reduce((greatest, integer) => (integer > greatest ? integer : greatest), 0n),
  );
}
