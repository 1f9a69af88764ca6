import type { Operation, ResourceAction } from '../../contract/model.ts';
import type { Place } from '../../errors.ts';
import type { Pointer } from '../../json/pointer.ts';
import type { JsonObject } from '../../json/value.ts';
import type { Intent } from './case.ts';
import type { CheckInput, KnowledgeName } from './knowledge.ts';
import type { Basis, Blame, Severity } from './finding.ts';

/**
 * How a suspicion becomes a finding. `once`: one response proves it. `repeat`: it must be
 * reproduced, otherwise it is a warning. `control`: a control request must succeed, and it must be
 * reproduced. `again`: it must be reproduced, because other clients may have caused it.
 */
export type Proof = 'once' | 'repeat' | 'control' | 'again';

/** A rule about an exchange, or about a sequence of them. */
export interface Check {
  readonly id: string;
  readonly basis: Basis;
  readonly severity: Severity;
  /** The rule that is checked, in one sentence. */
  readonly rule: string;
  /** Why it matters to a client. */
  readonly reason: string;
  readonly proof: Proof;
  /** The intents of the requests that it inspects. Default: all. */
  readonly intents?: readonly Intent['kind'][];
  /**
   * The resource actions of the operations that it inspects. Default: all operations, also those
   * without an action.
   */
  readonly actions?: readonly ResourceAction[];
  /**
   * The knowledge of the run that it reads; it gets exactly that. The result of a check without
   * needs is final as soon as its step is known.
   */
  readonly needs?: readonly KnowledgeName[];
  /**
   * Whether one response decides, without any other exchange: such checks also judge a response
   * that is not part of a run.
   */
  readonly ofResponse?: true;
  /**
   * Checks that are less specific for the same exchange: their findings are dropped if this check
   * has one.
   */
  readonly covers?: readonly string[];
  /**
   * The violations, one for each cause; undefined if the check does not apply. Pure, and never
   * throws, for any response.
   */
  inspect(subject: CheckInput): readonly Violation[] | undefined;
}

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
  /** Distinguishes causes that share a place in the contract. */
  readonly cause?: string;
  /** A single occurrence that is not reproduced is dropped. */
  readonly fleeting?: boolean;
  /**
   * Nothing else explains the responses: it is reported even if it is not reproduced, as for a
   * check whose proof is `once`.
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
