import type { JsonObject, JsonValue } from '../../json/value.ts';

/** A request as a handler gets it: valid, and decoded as the contract says. */
export interface HandledRequest {
  /** The id of the operation: `createPet`. */
  readonly operation: string;
  readonly method: string;
  /** Path and query as they were sent. */
  readonly target: string;
  /** The parameters that were sent, by name, with the types of the contract. */
  readonly path: Readonly<Record<string, JsonValue>>;
  readonly query: Readonly<Record<string, JsonValue>>;
  readonly cookies: Readonly<Record<string, JsonValue>>;
  /** Every header field, by its name in lower case; several of one name are joined by commas. */
  readonly headers: Readonly<Record<string, string>>;
  /** Undefined if there is none. Integers beyond ±2^53 are bigints. */
  readonly body: JsonValue | undefined;
}

/** An answer as the mock made it. */
export interface HandledAnswer {
  readonly status: number;
  /** Header fields, by their names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  /** JSON as its value, other content as text; undefined if there is none. */
  readonly body: JsonValue | undefined;
}

/**
 * What a handler answers. `status` is that of the operation's success, unless it says another.
 * Without `body`, the mock completes the answer from the contract.
 */
export interface HandlerAnswer {
  readonly status?: number | undefined;
  /** A list is several fields of one name. */
  readonly headers?: Readonly<Record<string, string | readonly string[]>> | undefined;
  readonly body?: unknown;
}

/** Where records are: below these parents, outermost first; default: at the top. */
export interface Below {
  readonly parents?: readonly string[];
}

/** The records of the session of a request. Resources have the names of `vouch mock --explain`. */
export interface SessionRecords {
  /** The records of a resource, oldest first; default: all. */
  list(resource: string, page?: Below & { offset?: number; limit?: number }): Promise<JsonObject[]>;
  /** Undefined if there is none. */
  get(resource: string, id: string | number, place?: Below): Promise<JsonObject | undefined>;
  /**
   * Adds a record, or replaces the one with that identifier, and returns it. Throws a VouchError
   * ('handler-failed') if the contract does not allow it, or if the store is full.
   */
  put(
    resource: string,
    id: string | number,
    record: Readonly<Record<string, unknown>>,
    place?: Below,
  ): Promise<JsonObject>;
  /** Deletes a record and what is below it; false if there is none. */
  remove(resource: string, id: string | number, place?: Below): Promise<boolean>;
}

/** What a handler is given. */
export interface HandlerCall {
  readonly request: HandledRequest;
  readonly records: SessionRecords;
  /** The session of the request: `default`, or the value of its header `Vouch-Session`. */
  readonly session: string;
  /** The time of the mock's clock. */
  readonly now: Date;
  /** A text that is the same for equal requests to a mock with the same seed. */
  readonly seed: string;
  /** The mock's own answer, with its effect on the records. Each call makes it anew. */
  next(): Promise<HandledAnswer>;
}

/** Answers an operation instead of the mock. Undefined: the mock's own answer. */
export type Handler = Answering['handle'];

/** A method, because what it is given may be typed by the contract, which is narrower. */
interface Answering {
  handle(
    call: HandlerCall,
  ): HandlerAnswer | undefined | void | Promise<HandlerAnswer | undefined | void>;
}

/** Handlers by the id of their operation (`createPet`), or by method and path (`POST /pets`). */
export type Handlers = Readonly<Record<string, Handler | undefined>>;
