import type { Exchange } from '../model/exchange.ts';
import type { Contract, Operation } from '../../contract/model.ts';
import type { HttpRequest, HttpResponse } from '../../http/message.ts';

/** The reply to a request: a response, or the fault that prevented a complete one. */
export interface ServiceReply {
  readonly response?: HttpResponse;
  readonly fault?: Exchange['fault'];
  /** The simulated delay in milliseconds, in addition to the real duration. */
  readonly delayMs?: number;
}

/** Sends a request to a service and returns its reply. */
export type Respond = (request: HttpRequest) => Promise<ServiceReply>;

/** A conforming service, and the tools to change its behaviour. */
export interface Service {
  readonly contract: Contract;
  readonly respond: Respond;
  /** A number from 0 up to 1, with the same sequence in every run. */
  readonly chance: () => number;
  /** Remembers the records; the returned function brings them back. */
  remember(): Promise<() => Promise<void>>;
  /** The operation of a request; undefined if the contract has none. */
  operationOf(request: HttpRequest): Operation | undefined;
}

/** Plants a change into a service. `fired` is called whenever it changes a response. */
export type Plant = (service: Service, fired: () => void) => Respond;

/** One violation of the contract by a service. */
export interface Mutation {
  /** The mutator that made it: `drops-required-field`. */
  readonly mutator: string;
  /** The behaviour of the service: `getPet answers 200 without the required name`. */
  readonly title: string;
  /** The operation that shows it; undefined if several may. */
  readonly operation?: string;
  /** The changed contract that the service follows. */
  readonly contract?: Contract;
  /** Which credentials the service knows: its own, any, or none at all. */
  readonly authentication?: 'known' | 'any' | 'off';
  /** The severity that a check must report, if it differs from the mutator's. */
  readonly killedBy?: 'error' | 'warning' | 'note' | undefined;
  /**
   * A clause that says why a run may be unable to show it: if it is not killed, it is equivalent
   * because of the contract, and not counted.
   */
  readonly hidden?: string;
  /**
   * The number of records at the start, instead of the service's own: small if only an empty list
   * shows the mutation.
   */
  readonly seedRecords?: number;
  /** Whether a second identity takes part in the run, which has records apart from the run's. */
  readonly second?: true;
  readonly plant?: Plant;
}

/** The subject of a mutation. */
export type Family =
  | 'body'
  | 'status'
  | 'header'
  | 'validation'
  | 'refusal'
  | 'authentication'
  | 'state'
  | 'list'
  | 'transport'
  | 'time';

/** A kind of mutation. Finds the places where a contract allows it. */
export interface Mutator {
  readonly id: string;
  readonly family: Family;
  /** The behaviour of the mutated service, in one sentence. */
  readonly rule: string;
  /** The severity that a check must report: a mutation of a convention is not an error. */
  readonly killedBy?: 'error' | 'warning' | 'note' | undefined;
  /** One mutation per operation or place, the clearest first. */
  find(contract: Contract): readonly Mutation[] | Promise<readonly Mutation[]>;
}
