import type { ResourceAction } from '../../contract/model.ts';
import type { Intent, RelationRule, Sequence } from '../model/case.ts';
import type { Basis, Severity } from '../model/finding.ts';
import type { CheckInput, KnowledgeName } from '../model/knowledge.ts';
import type { Violation } from '../model/violation.ts';
import type { Draft } from '../plan/draft.ts';
import type { Listing } from '../plan/listing.ts';
import type { PlanContext } from '../plan/plan-context.ts';
import { judgeRelation, type RelationJudge } from '../reading/related.ts';

/**
 * How a suspicion becomes a finding. `once`: one response proves it. `repeat`: it must be
 * reproduced, otherwise it is a warning. `control`: a control request must succeed, and it must be
 * reproduced. `again`: it must be reproduced, because other clients may have caused it.
 */
export type Proof = 'once' | 'repeat' | 'control' | 'again';

/**
 * When in a run requests are sent. The moments follow each other in this order: what a later one
 * needs, such as records, or lists that do not change meanwhile, an earlier one has made.
 */
export type Moment =
  /** One request that shows whether the service responds. */
  | 'probe'
  /** Plain reads. */
  | 'reads'
  /** Lists as they are before the run creates anything. */
  | 'first lists'
  /** Each alone, because it counts records. */
  | 'counted'
  /** Creates, whose records later requests read and change. */
  | 'creates'
  /** Valid values at the edges, and other requests that change nothing. */
  | 'values'
  /** Requests that must be refused. */
  | 'refusals'
  | 'credentials'
  /** Sequences of requests about the run's own records. */
  | 'stories'
  /** The same, each alone: it changes what others read. */
  | 'stories alone'
  | 'jobs'
  /** Lists in many forms; nothing writes meanwhile. */
  | 'lists'
  /** Many requests at once. */
  | 'at once'
  /** Operations that the user allows. */
  | 'allowed'
  | 'random'
  /** Requests that were sent before, again. */
  | 'repeats'
  /** Other identities: a service without access control would let them change records. */
  | 'identities';

/**
 * Requests that a check needs: for the contract as a whole, for each operation with a draft, or for
 * each list. The same context gives the same requests.
 */
export type Planner = { readonly at: Moment } & (
  | {
      /** `others`: all sequences of the moments before. */
      readonly all: (context: PlanContext, others: readonly Sequence[]) => Sequence[];
    }
  | { readonly each: (context: PlanContext, drafts: readonly Draft[]) => Sequence[] }
  | { readonly list: (listing: Listing, context: PlanContext) => Sequence[] }
);

/** A rule about an exchange, or about a sequence of them. */
export interface CheckParts {
  readonly id: string;
  readonly basis: Basis;
  readonly severity: Severity;
  /** The rule that is checked, in one sentence. */
  readonly rule: string;
  /** Why it matters to a client. */
  readonly reason: string;
  /** An exchange that violates it: requests after `>`, responses after `<`. */
  readonly example: readonly string[];
  readonly proof: Proof;
  /** The requests that it needs, besides those of other checks. */
  readonly plan?: readonly Planner[];
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
  /** Judges a step in comparison with earlier ones of its sequence, by the rule that links them. */
  readonly relations?: Partial<Readonly<Record<RelationRule, RelationJudge>>>;
  /**
   * The violations, one for each cause; undefined if the check does not apply. Pure, and never
   * throws, for any response. A step with a relation is judged by `relations` alone, if there are
   * any.
   */
  inspect?(subject: CheckInput): readonly Violation[] | undefined;
}

/** A check as a run uses it. */
export interface Check extends CheckParts {
  inspect(subject: CheckInput): readonly Violation[] | undefined;
}

/** Completes a check. */
export function check<const Parts extends CheckParts>(
  parts: Parts,
): Parts & Pick<Check, 'inspect'> {
  const { relations } = parts;
  return {
    ...parts,
    inspect(subject) {
      return relations !== undefined && subject.case.intent.kind === 'relation'
        ? judgeRelation(subject, relations)
        : parts.inspect?.(subject);
    },
  };
}
