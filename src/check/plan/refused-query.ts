import { ignoresUnknown } from '../../contract/words/read-list.ts';
import { type Case, makeSequence, type RelationRule, type Sequence } from '../model/case.ts';
import type { Argument } from '../model/request-template.ts';
import type { Draft, RecordKind } from './draft.ts';
import { draftCase, type PlanContext } from './plan-context.ts';

/** A query that a standard has refused. */
export interface RefusedQuery {
  readonly title: string;
  readonly rule: RelationRule;
  readonly argument: Argument;
  readonly record?: RecordKind;
}

/**
 * Requests that a service must refuse, behind the same request without them: `before`, the last of
 * which has that request. None of what the contract says is ignored.
 */
export function refusedQueries(
  { contract }: Pick<PlanContext, 'contract'>,
  draft: Draft,
  before: readonly Case[],
  refused: readonly RefusedQuery[],
): Sequence[] {
  const { operation } = draft;
  const whole = before.at(-1);
  const strict = refused.filter(
    ({ argument: { parameter } }) => !ignoresUnknown(contract, operation, parameter),
  );
  if (whole === undefined || strict.length === 0) return [];
  const cases = strict.map(({ title, rule, argument, record = 'known' }) =>
    draftCase(draft, {
      title,
      record,
      extra: [argument],
      relation: { rule, of: [whole.title], at: argument.parameter.pointer },
    }),
  );
  return [makeSequence(...before, ...cases)];
}
