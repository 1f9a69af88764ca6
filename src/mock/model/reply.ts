import type { HeaderList } from '../../http/message.ts';
import type { JsonValue } from '../../json/value.ts';
import type { ParameterPlace, Resource } from '../../contract/model.ts';
import type { Pointer } from '../../json/pointer.ts';

/** The result of a behaviour, before validation and serialization. */
export interface Reply {
  readonly kind: 'reply';
  readonly status: number;
  /** Undefined: no body. */
  readonly body: JsonValue | undefined;
  /** The body as JSON, if it is known; it is then known to be valid. */
  readonly bytes?: Uint8Array;
  /** The media type of a body that has its own, such as a file; default: the negotiated one. */
  readonly mediaType?: string;
  readonly headers: HeaderList;
  /** The total number of records, if the response is a part of them. */
  readonly total?: number | undefined;
  /** The state that the response represents, such as a record; default: the body. */
  readonly state?: JsonValue | undefined;
}

/** A reply with only a body. */
export function makeReply(
  status: number,
  body: JsonValue | undefined,
  more: Partial<Pick<Reply, 'headers' | 'total' | 'state'>> = {},
): Reply {
  return {
    kind: 'reply',
    status,
    body,
    headers: more.headers ?? [],
    total: more.total,
    state: more.state,
  };
}

/** An assumption for a gap of the contract, from the configuration, with its reason. */
export interface Assumption {
  /** An operation's id. */
  readonly operation: string;
  /** The status of a success, if the contract does not state it. */
  readonly status?: number;
  /** The body of a success, if the contract does not describe it. */
  readonly body?: JsonValue;
  /** Values of omitted request fields. */
  readonly default?: { readonly [field: string]: JsonValue };
  readonly because: string;
}

/** `known`: only the configured keys. `any`: every well-formed credential. `off`: none required. */
export type AuthenticationMode = 'known' | 'any' | 'off';

/**
 * What happens to requests that violate the contract. `on`: they are refused. `warn`: they are
 * answered, and a response header and the journal say what is wrong. `off`: they are answered.
 */
export const validationModes = ['on', 'warn', 'off'] as const;
export type ValidationMode = (typeof validationModes)[number];

/** The causes of refusals. `chooseStatus` chooses the status. */
export type FaultCause =
  | 'target'
  | 'session'
  | 'preference'
  | 'no-path'
  | 'wrong-method'
  | 'gone'
  | 'credential'
  | 'credential-malformed'
  | 'forbidden'
  | 'path-value'
  | 'parameter-value'
  | 'body-missing'
  | 'body-unreadable'
  | 'body-value'
  | 'reference'
  | 'media-type'
  | 'not-acceptable'
  | 'not-found'
  | 'conflict'
  | 'state'
  | 'precondition'
  | 'condition-missing'
  | 'key-reuse'
  | 'impossible'
  | 'internal';

/** One violated rule in one part of a request. */
export interface FaultIssue {
  readonly location: ParameterPlace | 'body';
  /**
   * The parameter's name, or the path in the body: `items[0].name`, and `''` for the whole body.
   */
  readonly name: string;
  /** The whole parameter, if the name is a place in its value. */
  readonly parameter?: string | undefined;
  /** The keyword of the rule: `required`, `enum`, … */
  readonly rule: string;
  /** A sentence with the field and the rule. */
  readonly message: string;
  /** What breaks the rule; the object around it, if it is missing. */
  readonly value?: JsonValue | undefined;
  /** Where the contract states the rule. */
  readonly stated?: Pointer | undefined;
}

/** Why a request is refused. */
export interface Fault {
  readonly kind: 'fault';
  readonly cause: FaultCause;
  /** A code for programs: `missing_field`. */
  readonly code: string;
  /** The problem and its solution, in one or more sentences. */
  readonly message: string;
  readonly issues: readonly FaultIssue[];
  readonly headers: HeaderList;
  /** The path that was probably meant, if the requested one is unknown. */
  readonly meant?: string | undefined;
  /** The resource that does not have the record which the request names. */
  readonly missing?: Resource | undefined;
  /** The rule of the contract that an answer of the mock would break, if that is why. */
  readonly broken?: Pointer | undefined;
}

/** A fault with only a message. */
export function makeFault(
  cause: FaultCause,
  code: string,
  message: string,
  more: Partial<Pick<Fault, 'issues' | 'headers' | 'meant' | 'missing'>> = {},
): Fault {
  return {
    kind: 'fault',
    cause,
    code,
    message,
    issues: more.issues ?? [],
    headers: more.headers ?? [],
    meant: more.meant,
    missing: more.missing,
  };
}

/** Why a request was refused: the cause and the message. */
export interface Refusal {
  readonly cause: FaultCause;
  readonly message: string;
  /** The path that was probably meant, if the requested one is unknown. */
  readonly meant?: string;
  /** The lines of the contract that an answer of the mock would break, if that is why. */
  readonly frame?: string;
}
