import type { Exchange } from '../check/model/exchange.ts';
import type { Contract, Operation } from '../contract/model.ts';
import type { HttpRequest, HttpResponse } from '../http/message.ts';
import type { Mock } from '../mock/mock.ts';
import type { AuthenticationMode } from '../mock/model/reply.ts';

/** The reply to a request: a response, or the fault that prevented a complete one. */
export interface Reply {
  readonly response?: HttpResponse;
  readonly fault?: Exchange['fault'];
  /** What a client would have waited, in milliseconds, besides what it really took. */
  readonly delayMs?: number;
}

/** Answers requests, as a deployment does. */
export type Respond = (request: HttpRequest) => Promise<Reply>;

/** A conforming service, and what is needed to change its behaviour. */
export interface Service {
  readonly contract: Contract;
  readonly mock: Mock;
  readonly respond: Respond;
  /** A number from 0 up to 1, the same ones in every run. */
  readonly chance: () => number;
  /** The operation that a request is for; undefined where the contract has none for it. */
  operationOf(request: HttpRequest): Operation | undefined;
}

/** One way in which a service departs from its contract. */
export interface Mutation {
  /** The mutator that made it: `drops-required-field`. */
  readonly mutator: string;
  /** What the service does: `getPet answers 200 without the required name`. */
  readonly title: string;
  /** The operation that shows it; undefined where several may. */
  readonly operation?: string;
  /** The contract that the service follows instead of its own. */
  readonly contract?: Contract;
  readonly authentication?: AuthenticationMode;
  /** How bad a check has to find it, where that is not as for its mutator. */
  readonly caughtBy?: 'error' | 'warning' | 'note';
  /**
   * Why a run may be unable to show it, as a clause: if it is not caught, the contract is the
   * reason, and it is not counted.
   */
  readonly hidden?: string;
  /**
   * How many records the service starts with, instead of its own: few, where only an empty list
   * shows the mutation.
   */
  readonly seedRecords?: number;
  /** Plants the mutation. `fired` is called whenever it changes a response. */
  readonly plant?: (service: Service, fired: () => void) => Respond;
}

/** What a mutation is about. */
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

/** A kind of mutation. It says where a contract leaves room for it. */
export interface Mutator {
  readonly id: string;
  readonly family: Family;
  /** The behaviour of the mutated service, in one sentence. */
  readonly rule: string;
  /** How bad a check has to find it: a mutation from a habit is no error. */
  readonly caughtBy?: 'error' | 'warning' | 'note';
  /** One for each operation or place where it can be planted, the most telling first. */
  find(contract: Contract): readonly Mutation[] | Promise<readonly Mutation[]>;
}

/** Another behaviour that conforms to the contract: a finding under it is a false positive. */
export interface Variant {
  readonly id: string;
  readonly rule: string;
  /** How many records it starts with, instead of the usual number. */
  readonly seedRecords?: number;
  readonly plant: (service: Service) => Respond;
}

/** A mutation of one operation: `act` is called only for that operation. */
export function forOperation(
  mutator: string,
  { operation }: { readonly operation: Operation },
  words: string,
  act: (service: Service, fired: () => void) => Respond,
): Mutation {
  return {
    mutator,
    title: `${operation.id} ${words}`,
    operation: operation.id,
    plant: (service, fired) => {
      const mutated = act(service, fired);
      return (request) =>
        service.operationOf(request) === operation ? mutated(request) : service.respond(request);
    },
  };
}
