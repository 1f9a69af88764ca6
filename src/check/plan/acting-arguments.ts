import { whyArgumentActs } from '../model/effect-rules.ts';
import type { Case, Sequence } from '../model/case.ts';
import { pathNames } from '../reading/path-names.ts';
import type { PlanContext } from './plan-context.ts';

/** What decides whether a request may do more than its operation. */
type Settings = Pick<PlanContext, 'contract' | 'rules' | 'mode'>;

/**
 * Sequences without the arguments by which an operation that reads does more: `?reset=true`. They
 * are sent in a read-write run only, and only for a record of the run. A sequence that tests such
 * an argument goes.
 */
export function withoutActing(sequences: readonly Sequence[], settings: Settings): Sequence[] {
  return sequences.flatMap((sequence): Sequence[] => {
    const cases = sequence.cases.map((one) => plainer(one, settings));
    if (cases.every((one, index) => one === sequence.cases[index])) return [sequence];
    const kept = cases.filter((one) => one !== undefined);
    return kept.length < cases.length ? [] : [{ ...sequence, cases: kept }];
  });
}

/** A case without such arguments; undefined if one of them is what it tests. */
function plainer(one: Case, { contract, rules, mode }: Settings): Case | undefined {
  if (whyArgumentActs(one, rules) === undefined) return one;
  const names = pathNames(contract, one.operation);
  if (mode !== 'read-only' && names.length > 0 && names.every(({ creatable }) => creatable))
    return one;
  const { operation, request, intent } = one;
  const acting = rules.effects.get(operation)?.acting;
  const at = 'at' in intent ? intent.at : '';
  const [left, kept] = [true, false].map((isLeft) =>
    request.arguments.filter(({ parameter }) => acting?.has(parameter.name) === isLeft),
  );
  return left?.some(({ parameter }) => at.startsWith(parameter.pointer)) === true
    ? undefined
    : { ...one, request: { ...request, arguments: kept ?? [] } };
}
