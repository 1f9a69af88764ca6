import type { Resource, ResourceAction } from '../../contract/model.ts';
import type { Intent, RelationRule, Sequence } from '../model/case.ts';
import type { Basis, Harm, Severity } from '../model/finding.ts';
import type { FindingFacts, Explanation, Trait } from '../model/finding-facts.ts';
import type { CheckInput, KnowledgeName, Violation, Violations } from '../model/knowledge.ts';
import type { Mutator } from '../mutants/mutant.ts';
import type { Draft } from '../plan/draft.ts';
import type { Listing } from '../plan/listing.ts';
import type { PlanContext } from '../plan/plan-context.ts';
import { judgeRelation, type RelationJudge } from '../reading/related.ts';

/**
 * How a suspicion becomes a finding. `once`: one response proves it. `repeat`: it must be
 * reproduced, otherwise it is a warning. `control`: a control request must succeed, and it must be
 * reproduced. `again`: it must be reproduced, because other clients may have caused it.
 */
export type Confirm = 'once' | 'repeat' | 'control' | 'again';

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
  /** Requests that are sent at any other moment, again. */
  | 'repeats'
  /** Operations that the user allows. */
  | 'allowed'
  | 'random'
  /** Other identities: a service without access control would let them change records. */
  | 'identities';

/**
 * Requests that a check needs: for the contract as a whole, for each operation with a draft, for
 * each resource, each that the run can create, or each list; `list`: in turn with what other checks
 * need of it. The same context gives the same requests.
 */
export type Planner = { readonly at: Moment } & (
  | {
      /** `others`: all other sequences but those of identities; only at `repeats`. */
      readonly all: (context: PlanContext, others: readonly Sequence[]) => Sequence[];
    }
  | { readonly each: (context: PlanContext, draft: Draft) => Sequence[] }
  | { readonly resource: (context: PlanContext, resource: Resource) => Sequence[] }
  | { readonly made: (context: PlanContext, resource: Resource) => Sequence[] }
  | { readonly listing: (listing: Listing, context: PlanContext) => Sequence[] }
  | { readonly list: (listing: Listing, context: PlanContext) => Sequence[] }
);

/** A rule about an exchange, or about a sequence of them. */
export interface CheckParts {
  readonly id: string;
  readonly basis: Basis;
  /** The default is `error`. */
  readonly severity?: Severity;
  /** What a client suffers from it. */
  readonly harm: Harm;
  /** The rule that is checked, in one sentence. */
  readonly rule: string;
  /** Why it matters to a client. */
  readonly reason: string;
  /** An exchange that violates it: requests after `>`, responses after `<`. */
  readonly example: readonly string[];
  /** What confirms a suspicion. The default is `again`. */
  readonly confirm?: Confirm;
  /** Statuses of the control request that count as a success too. */
  readonly controlStatuses?: readonly number[];
  /** The requests that it needs, besides those of other checks. */
  readonly plan?: readonly Planner[];
  /** The intents of the requests that it inspects. Default: all; `relation` without `inspect`. */
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
  /** What else the engine has to know of it. */
  readonly traits?: readonly Trait[];
  /**
   * Checks that are less specific for the same exchange: their findings are dropped if this check
   * has one.
   */
  readonly covers?: readonly string[];
  /** Findings that have the cause of one of its own, the most certain first. */
  readonly explains?: readonly Explanation[];
  /**
   * What findings of the check share if one cause, such as a lenient parser or a rule about one
   * header, shows in many operations: the first stands for all. Undefined for a cause of its own.
   */
  readonly sharedCause?: (facts: FindingFacts) => string | undefined;
  /**
   * Whether the contract leaves open that a request which the check planned gets a refusal: then
   * one that is not documented is a gap in the contract, and no defect of the server.
   */
  leavesOpen?(subject: CheckInput, status: number): boolean;
  /** The same check with another limit of time than its own, in milliseconds. */
  within?(ms: number): Check;
  /**
   * Defects that a proof plants into a conforming service, to see whether the run notices them.
   * Many stand in files of their own, which are loaded only then.
   */
  readonly mutants?: readonly (() => readonly Mutator[] | Promise<readonly Mutator[]>)[];
  /** Judges a step in comparison with earlier ones of its sequence, by the rule that links them. */
  readonly relations?: Partial<Readonly<Record<RelationRule, RelationJudge>>>;
  /**
   * The violations, one for each cause; undefined if the check does not apply. Pure, and never
   * throws, for any response. A step with a relation is judged by `relations` alone, if there are
   * any.
   */
  inspect?(subject: CheckInput): Violations;
}

/** A check as a run uses it. */
export interface Check extends CheckParts {
  readonly severity: Severity;
  readonly confirm: Confirm;
  inspect(subject: CheckInput): readonly Violation[] | undefined;
}

/** Completes a check. */
export function check<const Parts extends CheckParts>(
  parts: Parts,
): Omit<Parts, 'inspect'> & Pick<Check, 'inspect' | 'severity' | 'confirm'> {
  const { relations } = parts;
  return {
    severity: 'error',
    confirm: 'again',
    ...(parts.inspect === undefined ? { intents: ['relation'] } : {}),
    ...parts,
    inspect(subject) {
      if (relations !== undefined && subject.case.intent.kind === 'relation')
        return judgeRelation(subject, relations);
      const found = parts.inspect?.(subject);
      return found && [found].flat();
    },
  };
}
