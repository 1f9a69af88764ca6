import type { Operation } from '../../contract/model.ts';
import { isSuccess } from '../../http/message.ts';
import type { RelationRule, Intent } from '../model/case.ts';
import type { CheckInput, Violation } from '../model/knowledge.ts';
import { hasSuccess, requestPhrase, roleOf, type Step } from '../model/step.ts';
import { identifierOf } from './created-record.ts';
import type { JsonValue } from '../../json/value.ts';
import type { Resource } from '../../contract/model/resource.ts';

export type RelationIntent = Extract<Intent, { readonly kind: 'relation' }>;

/** A step that is compared with earlier ones, all of which succeeded. */
export interface Related {
  readonly subject: CheckInput;
  /** The resource of its operation, if it has one. */
  readonly resource: Resource | undefined;
  readonly intent: RelationIntent;
  /** The steps that the intent names, in its order. */
  readonly of: readonly Step[];
  readonly status: number;
}

/** What is wrong with a step, without what every violation of a relation has. */
export type RelationFault = Pick<Violation, 'message' | 'expected' | 'actual'> &
  Partial<Omit<Violation, 'message' | 'expected' | 'actual'>>;

/** What is wrong with a step: one thing or several; undefined where nothing can be said. */
export type RelationFaults = RelationFault | readonly RelationFault[] | undefined;

/** Judges a step by one rule. */
export type RelationJudge = (related: Related) => RelationFaults;

/** Judges a step by the rule of its intent, where the steps before it succeeded. */
export function judgeRelation(
  subject: CheckInput,
  judges: Partial<Readonly<Record<RelationRule, RelationJudge>>>,
): readonly Violation[] | undefined {
  const { intent } = subject.case;
  const status = subject.exchange.response?.status;
  if (intent.kind !== 'relation' || status === undefined || status >= 500 || status === 429)
    return undefined;
  const of = intent.of.map((title) => subject.earlier.find((step) => step.case.title === title));
  const isKnown = (step: Step | undefined): step is Step => step !== undefined && hasSuccess(step);
  if (!of.every(isKnown)) return undefined;
  const resource = roleOf(subject.contract, subject.operation)?.resource;
  const faults = judges[intent.rule]?.({ subject, resource, intent, of, status });
  return faults === undefined
    ? undefined
    : [faults].flat().map((fault) => ({
        at: intent.at,
        cause: `${intent.rule} ${intent.field ?? ''}`.trimEnd(),
        ...fault,
        ...(intent.doubtful === true
          ? { severity: 'warning' as const, basis: 'inferred' as const }
          : {}),
      }));
}

/** The identifier of the record that a step made; undefined if it made none. */
export function madeIdentifier({ contract }: CheckInput, step: Step): JsonValue | undefined {
  const placement = contract.inference.placementOf(step.case.operation);
  if (placement?.kind !== 'resource' && placement?.kind !== 'named-create') return undefined;
  return identifierOf(placement.resource, step);
}

/** Another status than the expected one; `why` ends the sentence. */
export function otherStatus(
  { subject, status }: Pick<Related, 'subject' | 'status'>,
  expected: string,
  why = '',
): RelationFault {
  const actual = String(status);
  const message = `The server answered ${actual} to ${requestPhrase(subject.case)}${why}.`;
  return { message, expected, actual };
}

/** A success where a refusal is documented. */
export function notRefused({ subject, status }: Related): readonly RelationFault[] {
  if (!isSuccess(status)) return [];
  const { operation, case: testCase } = subject;
  return [
    {
      message: `The server accepted (${String(status)}) ${requestPhrase(testCase)}.`,
      expected: refusalsOf(operation),
      actual: String(status),
      momentary: true,
    },
  ];
}

function refusalsOf({ responses }: Operation): string {
  const refusals = responses
    .map(({ status }) => status)
    .filter((status) => /^4(00|04|09|1\d|22|XX)$/.test(status));
  return refusals.length === 0 ? 'a refusal' : `a refusal: ${refusals.join(', ')}`;
}
