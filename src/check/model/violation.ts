import type { Operation } from '../../contract/model.ts';
import type { Place } from '../../errors.ts';
import type { Pointer } from '../../json/pointer.ts';
import type { JsonObject } from '../../json/value.ts';
import type { Basis, Blame, Severity } from './finding.ts';

/**
 * One violation of a rule. Omitted members have the values of the check; omitted blame is the
 * server's.
 */
export interface Violation {
  /** The place in the contract that is violated. */
  readonly at: Pointer;
  /** One sentence: what the server did. */
  readonly message: string;
  readonly expected: string;
  readonly actual: string;
  readonly severity?: Severity;
  /** The operation to blame, if it is that of an earlier step. */
  readonly operation?: Operation;
  readonly basis?: Basis;
  readonly blame?: Blame;
  /** Where it is in the value of the response's body: every place, if they are known. */
  readonly places?: readonly Pointer[];
  /** Distinguishes causes that share a place in the contract. */
  readonly cause?: string;
  /** A single occurrence that is not reproduced is dropped. */
  readonly fleeting?: boolean;
  /**
   * Nothing else explains the responses: it is reported even if it is not reproduced, as for a
   * check that is confirmed `once`.
   */
  readonly conclusive?: true;
  /**
   * How it was confirmed already, as the sentence continues after `Seen once`; only if nothing can
   * be repeated later.
   */
  readonly evidence?: string;
  /** Responses in direct succession show it: a later read of the same record proves nothing. */
  readonly momentary?: true;
  /**
   * A replica that lags behind could show it too, and a newer record may end it: it is repeated
   * alone, and what is read after a write is read again some seconds later.
   */
  readonly mayLag?: true;
  /** It is about a walk that ended too early: a repetition has all pages that were planned. */
  readonly isShort?: true;
  /**
   * Load may be the cause: it is repeated alone, after everything else, and reported only if it is
   * reproduced, even as a note; `or milder`: otherwise it is a warning that says so.
   */
  readonly alone?: true | 'or milder';
  /**
   * Other causes of the same check that include this one if they were found for the same operation.
   */
  readonly impliedBy?: string | readonly string[];
  /**
   * What the contract could have at `at` so that the server conforms: merged like an OpenAPI
   * Overlay.
   */
  readonly proposal?: Proposal;
  /** The place that says so, if it is not in the contract, and the lines around it. */
  readonly stated?: { readonly place: Place; readonly frame: string };
}

/** A change of the contract that would resolve a finding. */
export interface Proposal {
  readonly at: Pointer;
  readonly update: JsonObject;
}
/** It is unknown whether such a body conforms to its schema. */
export const unjudgedCause = 'unjudged';
