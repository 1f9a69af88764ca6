import type { Contract, Resource } from '../../contract/model.ts';
import { VouchError } from '../../errors.ts';
import { isJsonObject, type JsonValue } from '../../json/value.ts';
import { RecentMap } from '../../store/recent-map.ts';
import type { Collection, CollectionDump, Store, StoredRecord } from '../../store/store.ts';
import { findCollection } from '../records/collection-name.ts';
import type { Scenario } from './scenario.ts';

/** The maximum number of sessions with stored state; the least recently used one is reset. */
export const maxSessions = 10_000;

/** A record with its identifier as text; undefined if it has none. */
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

/** A character that names of client sessions cannot contain. */
const joint = '+';

/**
 * The initial records of scenarios. Requests under a scenario with records use a session beside
 * that of the client, so that nothing remains when the scenario is deactivated.
 */
export class ScenarioState {
  readonly #store: Store;
  readonly #contract: Pick<Contract, 'resources'>;
  readonly #prepared = new RecentMap<string, Promise<void>>(maxSessions);

  constructor(store: Store, contract: Pick<Contract, 'resources'>) {
    this.#store = store;
    this.#contract = contract;
  }

  /**
   * The store session of a client's request, prepared on first use: its own, or `NAME+SCENARIO`.
   */
  open(session: string, scenarios: readonly Scenario[]): string | Promise<string> {
    const stateful = scenarios.filter(({ state }) => state !== undefined);
    if (stateful.length === 0) return session;
    const name = [session, ...stateful.map((scenario) => scenario.name)].join(joint);
    return this.#prepareOnce(name, stateful).then(() => name);
  }

  /** Restores the initial records of scenarios, for one client session or for all. */
  async reset(session?: string): Promise<void> {
    await resetBeside(this.#store, session);
    this.forget();
  }

  /** The store was changed externally: prepared sessions must be looked up again. */
  forget(): void {
    this.#prepared.clear();
  }

  #prepareOnce(name: string, scenarios: readonly Scenario[]): Promise<void> {
    const known = this.#prepared.get(name);
    if (known !== undefined) return known;
    const preparing = this.#prepare(name, scenarios);
    void this.#prepared.set(name, preparing);
    // A store that is unavailable now may be available for the next request.
    preparing.catch(() => this.#prepared.delete(name));
    return preparing;
  }

  /** Another process with the same store, or an earlier one, may have prepared it already. */
  async #prepare(session: string, scenarios: readonly Scenario[]): Promise<void> {
    if ((await this.#store.sessions()).includes(session)) return;
    const [replaced, added] = [
      new Map<string, CollectionDump>(),
      new Map<string, readonly StoredRecord[]>(),
    ];
    // The first active scenario has precedence, as among rules.
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
      // A partly filled session would count as prepared.
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
          { hint: 'Reset the mock, or start it with a greater mock.maxRecords.' },
        );
    }
  }
}

/** Resets the records of scenarios beside one client session, or beside all. */
export async function resetBeside(store: Store, session?: string): Promise<void> {
  const all = await store.sessions();
  const concerned = all.filter((name) =>
    session === undefined ? name.includes(joint) : name.startsWith(session + joint),
  );
  for (const name of concerned) await store.reset(name);
}

/** The greatest integer among identifiers; new ones continue from it. */
function greatestOf(records: readonly StoredRecord[]): string {
  const integers = records.flatMap(({ id }) => (/^\d+$/.test(id) ? [BigInt(id)] : []));
  return String(
    integers.reduce((greatest, integer) => (integer > greatest ? integer : greatest), 0n),
  );
}
