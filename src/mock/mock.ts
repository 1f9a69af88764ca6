import type { Contract, OutgoingOperation } from '../contract/model.ts';
import type { HttpRequest, HttpResponse } from '../http/message.ts';
import type { Fixtures, MaybePromise, Store } from '../store/store.ts';
import type { CallbackRequest } from './callbacks/callback-request.ts';
import type { Clock } from './control/clock.ts';
import type { NearMiss, PastRequest } from './control/near-miss.ts';
import type { Records } from './control/record-browser.ts';
import type { Snapshot } from './control/snapshot.ts';
import type { Assumption, AuthenticationMode } from './model/reply.ts';
import type { Refusal } from './model/fault.ts';
import type { PathView } from './route/find-operation.ts';
import type { Mounting } from './route/mounted-paths.ts';
import type { NetworkFault, Scenario } from './scenarios/scenario.ts';
import type { MockKey } from './security/credentials.ts';
import type { TokenOptions } from './tokens/token-options.ts';
import type { TokenService } from './tokens/token-service.ts';

/** What a mock is made from. */
export interface MockOptions {
  readonly contract: Contract;
  readonly store: Store;
  readonly fixtures: Fixtures;
  /**
   * How many records are made up for a collection that has neither fixtures nor examples in the
   * contract; 0 unless told: it starts empty.
   */
  readonly seedRecords?: number;
  /** Where the operations stand, where that is not where the contract's servers say. */
  readonly mounting?: Mounting;
  readonly scenarios: readonly Scenario[];
  readonly assumptions: readonly Assumption[];
  readonly keys: readonly MockKey[];
  /** How tokens are made; left out: the mock makes none. */
  readonly tokens?: TokenOptions;
  readonly authentication: AuthenticationMode;
  /** The present moment; every timestamp and date rule follows it. */
  readonly clock: () => Date;
  /** The same request and seed get the same generated answer. */
  readonly seed: string;
  /** Scenarios that are on from the start, by name, in the order in which they are asked. */
  readonly scenario?: string | readonly string[];
  /** Names a new record that is told apart by a text; a uuid unless told otherwise. */
  readonly makeId: () => string;
}

/** What the mock answers, and how long it is to wait first. */
export interface Answer extends HttpResponse {
  readonly delayMs: number;
  /** The id of the operation that answered, where one did. */
  readonly operation?: string;
  /** What happens to the answer on the wire, because a scenario has it so. */
  readonly fault?: NetworkFault;
  /** The scenario that had a say in it, by its name. */
  readonly scenario?: string;
  /** Why the request was refused by the contract or the records, where it was. */
  readonly refusal?: Refusal;
  /**
   * What went wrong, where the answer is a fault of vouch's own; the client learns nothing of it.
   */
  readonly failure?: unknown;
  /** What the service sends once the answer is out, because the contract declares callbacks. */
  readonly callbacks?: readonly CallbackRequest[];
}

/** Scenarios that are switched on and off while the mock runs: for one session, or for all. */
export interface ScenarioSwitch {
  readonly names: readonly string[];
  /** Those that are on for a session, or for all sessions. */
  active(session?: string): readonly string[];
  activate(name: string, session?: string): void;
  deactivate(name: string, session?: string): void;
}

/** A contract brought to life: a request in, an answer out. */
export interface Mock {
  /** What the mock was made from; the clock in it can be moved. */
  readonly options: MockOptions;
  readonly clock: Clock;
  /** Where clients log in; undefined where the mock makes no tokens. */
  readonly tokens?: TokenService | undefined;
  readonly scenarios: ScenarioSwitch;
  readonly records: Records;
  /** Requests that the service makes of its own accord. */
  readonly webhooks: readonly OutgoingOperation[];
  /** Never throws for a request, whatever it holds. */
  answer(request: HttpRequest): MaybePromise<Answer>;
  /** What the contract has at a request target; undefined where it has no path there. */
  view(target: string): PathView | undefined;
  /**
   * What a past request nearly was, by the contract and the scenarios as they are now; undefined
   * where it was near nothing, or fitted.
   */
  nearMiss(past: PastRequest): NearMiss | undefined;
  /** Back to the fixtures, and every scenario to its first step: one session, or all. */
  reset(session?: string): Promise<void>;
  /** The sessions that have records of their own. */
  sessions(): Promise<readonly string[]>;
  /** The records of one session, or of all that have records of their own. */
  snapshot(session?: string): Promise<Snapshot>;
  /**
   * Puts a snapshot's records back, for one session or for all, and every scenario there to its
   * first step.
   */
  restore(snapshot: Snapshot, session?: string): Promise<void>;
}
