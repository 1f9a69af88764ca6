import type { Contract, Resource } from '../contract/model.ts';
import type { HttpRequest, HttpResponse } from '../http/message.ts';
import type { MaybePromise, Collection, Store, StoredRecord } from '../store/store.ts';
import type { Clock } from './control/clock.ts';
import type { NearMiss, PastRequest } from './control/near-miss.ts';
import type { Records } from './control/record-browser.ts';
import type { Snapshot } from './control/snapshot.ts';
import type { Answer, ChosenError, Mock, MockOptions, ScenarioSwitch } from './mock.ts';
import { isMark, collectionOwner, collectionParents } from './records/collection-name.ts';
import { familyOf, type RecordFamily, removeBelow } from './records/find-record.ts';
import type { PathView } from './route/find-operation.ts';
import type { ScenarioFault } from './scenarios/scenario-fault.ts';
import type { Scenario } from './scenarios/scenario.ts';
import type { TokenService } from './tokens/token-service.ts';

/**
 * A mock that can be replaced while it serves: requests in progress end on the old mock, and new
 * ones wait for the new mock.
 */
export class ReplaceableMock implements Mock {
  #current: Mock;
  #underWay = 0;
  /** Set during a replacement. */
  #replacing: Promise<void> | undefined;
  #becameIdle: (() => void) | undefined;

  constructor(first: Mock) {
    this.#current = first;
  }

  /**
   * Replaces this mock by the one that `make` makes. If it throws, this mock continues, and the
   * error is rethrown.
   */
  async replace(make: () => Promise<Mock>): Promise<void> {
    while (this.#replacing !== undefined) await this.#replacing;
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#replacing = promise;
    try {
      if (this.#underWay > 0) await new Promise<void>((idle) => (this.#becameIdle = idle));
      this.#current = await make();
    } finally {
      this.#replacing = undefined;
      resolve();
    }
  }

  get options(): MockOptions {
    return this.#current.options;
  }

  get clock(): Clock {
    return this.#current.clock;
  }

  get tokens(): TokenService | undefined {
    return this.#current.tokens;
  }

  get scenarios(): ScenarioSwitch {
    return this.#current.scenarios;
  }

  get records(): Records {
    return this.#current.records;
  }

  addScenario(scenario: Scenario): void {
    this.#current.addScenario(scenario);
  }

  putScenario(scenario: Scenario): void {
    this.#current.putScenario(scenario);
  }

  removeScenario(name: string): void {
    this.#current.removeScenario(name);
  }

  faultsOf(scenario: Scenario): readonly ScenarioFault[] {
    return this.#current.faultsOf(scenario);
  }

  answer(request: HttpRequest): Promise<Answer> {
    return this.#serve((mock) => mock.answer(request));
  }

  writeError(request: HttpRequest, error: ChosenError): HttpResponse {
    return this.#current.writeError(request, error);
  }

  view(target: string): PathView | undefined {
    return this.#current.view(target);
  }

  nearMiss(past: PastRequest): NearMiss | undefined {
    return this.#current.nearMiss(past);
  }

  reset(session?: string): Promise<void> {
    return this.#serve((mock) => mock.reset(session));
  }

  sessions(): Promise<readonly string[]> {
    return this.#current.sessions();
  }

  snapshot(session?: string): Promise<Snapshot> {
    return this.#serve((mock) => mock.snapshot(session));
  }

  restore(snapshot: Snapshot, session?: string): Promise<void> {
    return this.#serve((mock) => mock.restore(snapshot, session));
  }

  async #serve<Result>(act: (mock: Mock) => MaybePromise<Result>): Promise<Result> {
    while (this.#replacing !== undefined) await this.#replacing;
    this.#underWay += 1;
    try {
      return await act(this.#current);
    } finally {
      this.#underWay -= 1;
      if (this.#underWay === 0) this.#becameIdle?.();
    }
  }
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
