import type { ParameterPlace } from '../../contract/model.ts';
import type { HeaderList } from '../../http/message.ts';

/**
 * What can be wrong, apart from the words for it; which status it gets is `chooseStatus`'s to say.
 */
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
  | 'precondition'
  | 'impossible'
  | 'internal';

/** One rule that one part of a request breaks. */
export interface FaultIssue {
  readonly place: ParameterPlace | 'body';
  /**
   * The parameter's name, or the path into the body: `items[0].name`, and `''` for the whole of it.
   */
  readonly name: string;
  /** The keyword of the rule: `required`, `enum`, … */
  readonly rule: string;
  /** A whole sentence that names the field and the rule. */
  readonly message: string;
}

/** Why a request is refused. */
export interface Fault {
  readonly kind: 'fault';
  readonly cause: FaultCause;
  /** A word for machines: `missing_field`. */
  readonly code: string;
  /** What is wrong and what would be right, in a sentence or a few. */
  readonly message: string;
  readonly issues: readonly FaultIssue[];
  readonly headers: HeaderList;
  /** The path that was probably meant, where the request's leads nowhere. */
  readonly meant?: string;
}

/** A fault with nothing in it but its words. */
export function makeFault(
  cause: FaultCause,
  code: string,
  message: string,
  more: Partial<Pick<Fault, 'issues' | 'headers' | 'meant'>> = {},
): Fault {
  return {
    kind: 'fault',
    cause,
    code,
    message,
    issues: more.issues ?? [],
    headers: more.headers ?? [],
    ...(more.meant === undefined ? {} : { meant: more.meant }),
  };
}

/** Why a request was refused: the cause, and in words. */
export interface Refusal {
  readonly cause: FaultCause;
  readonly message: string;
  /** The path that was probably meant, where that of the request leads nowhere. */
  readonly meant?: string;
}
