import type { Contract } from '../contract/model.ts';
import type { HttpRequest, HttpResponse, HeaderList } from '../http/message.ts';
import type { Fixtures, MaybePromise, Store } from '../store/store.ts';
import type { Clock } from './control/clock.ts';
import type { NearMiss, PastRequest } from './control/near-miss.ts';
import type { Records } from './control/record-browser.ts';
import type { Snapshot } from './control/snapshot.ts';
import type { Handlers } from './handlers/handler.ts';
import type { Assumption, AuthenticationMode, Refusal, ValidationMode } from './model/reply.ts';
import type { PathView } from './route/find-operation.ts';
import type { Mounting } from './route/mounted-paths.ts';
import type { ScenarioFault } from './scenarios/scenario-fault.ts';
import type { NetworkFault, Scenario } from './scenarios/scenario.ts';
import type { MockKey } from './security/credentials.ts';
import type { TokenOptions } from './tokens/token-options.ts';
import type { TokenService } from './tokens/token-service.ts';

/** The options of a mock. */
export interface MockOptions {
  readonly contract: Contract;
  readonly store: Store;
  readonly fixtures: Fixtures;
  /**
   * The number of generated records of a collection without fixtures and examples. Default 0: it
   * starts empty.
   */
  readonly seedRecords?: number | undefined;
  /** The location of the operations, if it differs from the contract's servers. */
  readonly mounting?: Mounting;
  readonly scenarios: readonly Scenario[];
  /** Functions that answer operations instead of the mock. */
  readonly handlers?: Handlers | undefined;
  readonly assumptions: readonly Assumption[];
  readonly keys: readonly MockKey[];
  /** The settings of tokens; undefined disables them. */
  readonly tokens?: TokenOptions | undefined;
  readonly authentication: AuthenticationMode;
  /** The current time, which all timestamps and date rules use. */
  readonly clock: () => Date;
  /** The same request and seed get the same generated response. */
  readonly seed: string;
  /**
   * Answers every request with values that are generated for it alone: no example, no record, and
   * no record changes. Each response differs, unless `repeats` is set: then equal requests get
   * equal responses. A client overrides it with `Prefer: dynamic=false`.
   */
  readonly dynamic?: { readonly repeats: boolean } | undefined;
  /** What happens to requests that violate the contract. Default `on`: they are refused. */
  readonly validate?: ValidationMode | undefined;
  /** The names of initially active scenarios, in order of precedence. */
  readonly scenario?: string | readonly string[];
  /** Generates a text identifier for a new record; default: a UUID. */
  readonly makeId: () => string;
}

/** The response of the mock, and its delay. */
export interface Answer extends HttpResponse {
  readonly delayMs: number;
  /** The id of the operation that answered, if one did. */
  readonly operation?: string | undefined;
  /** The network fault that a scenario applies to the response. */
  readonly fault?: NetworkFault;
  /** The name of the scenario that affected the response. */
  readonly scenario?: string;
  /** Why the request was refused by the contract or the records, if it was. */
  readonly refusal?: Refusal;
  /** How the request violates the contract, if it was answered nevertheless. */
  readonly violation?: string;
  /** Why the answer is not the usual one, if the client chose so on the start page: a sentence. */
  readonly forced?: string;
  /** The internal error of a failed request; the client gets no details. */
  readonly failure?: unknown;
  /** The callbacks to send after the response. */
  readonly callbacks?: readonly CallbackRequest[];
}

/** An error that somebody chose, as opposed to one of the request. */
export interface ChosenError {
  readonly status: number;
  readonly message: string;
}

/** Activates and deactivates scenarios at run time: for one session, or for all. */
export interface ScenarioSwitch {
  readonly names: readonly string[];
  /** The sessions whose scenarios differ from those of all. */
  readonly sessions: readonly string[];
  /** The active scenarios of a session, or of all sessions. */
  active(session?: string): readonly string[];
  activate(name: string, session?: string): void;
  deactivate(name: string, session?: string): void;
}

/** The mock of a contract, from requests to responses. */
export interface Mock {
  /** The options of the mock; their clock can be changed. */
  readonly options: MockOptions;
  readonly clock: Clock;
  /** The token endpoints; undefined if the mock issues no tokens. */
  readonly tokens?: TokenService | undefined;
  readonly scenarios: ScenarioSwitch;
  /**
   * Adds a scenario, which is not active. Throws `scenario-invalid` if it contradicts the contract,
   * or if its name is taken.
   */
  addScenario(scenario: Scenario): void;
  /**
   * Adds a scenario, or replaces the one of that name, which stays active where it is. Throws
   * `scenario-invalid` if it contradicts the contract.
   */
  putScenario(scenario: Scenario): void;
  removeScenario(name: string): void;
  /** Every contradiction between a scenario and the contract. */
  faultsOf(scenario: Scenario): readonly ScenarioFault[];
  readonly records: Records;
  /** Handles a request. Never throws. */
  answer(request: HttpRequest): MaybePromise<Answer>;
  /**
   * The refusal of a request that breaks the contract, without any effect; undefined if it
   * conforms. Absent if several contracts share one mock.
   */
  inspect?(request: HttpRequest): MaybePromise<Answer | undefined>;
  /**
   * An error in the contract's error schema in place of the answer to a request, whose message is a
   * sentence that says why.
   */
  writeError(request: HttpRequest, error: ChosenError): HttpResponse;
  /** The operations at a request target; undefined for an unknown path. */
  view(target: string): PathView | undefined;
  /**
   * What a recorded request nearly matched in the current contract and scenarios; undefined if
   * nothing is near, or if it matched.
   */
  nearMiss(past: PastRequest): NearMiss | undefined;
  /** Restores the fixtures and restarts every scenario, in one session or in all. */
  reset(session?: string): Promise<void>;
  /** The sessions with changed records. */
  sessions(): Promise<readonly string[]>;
  /** The records of one session, or of all with changes. */
  snapshot(session?: string): Promise<Snapshot>;
  /** Restores the records of a snapshot in one session or in all, and restarts their scenarios. */
  restore(snapshot: Snapshot, session?: string): Promise<void>;
}

/** A request that the service sends. */
export interface OutgoingRequest {
  readonly kind: 'sendable';
  /** The name of the callback or webhook in the contract. */
  readonly name: string;
  /** The id of the operation that triggers it; undefined for a webhook. */
  readonly operation?: string;
  readonly method: string;
  /** Absolute, `http` or `https`. */
  readonly url: string;
  readonly headers: HeaderList;
  readonly body: Uint8Array;
}

/** A callback that cannot be made, and why: a clause without a subject. */
export interface UnsendableCallback {
  readonly kind: 'unsendable';
  readonly name: string;
  readonly operation?: string;
  readonly reason: string;
}

/** The result for one callback of a successful operation. */
export type CallbackRequest = OutgoingRequest | UnsendableCallback;
