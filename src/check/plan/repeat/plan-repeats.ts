import { stringifyJson } from '../../../json/stringify-json.ts';
import { type Case, makeCase, makeSequence, type Sequence } from '../../model/case.ts';
import type { RequestTemplate } from '../../model/request-template.ts';
import { requestOf } from '../draft.ts';
import { plainIntent, type PlanContext } from '../plan-context.ts';
import { probeDraft } from '../probe.ts';

/** A server that fails one time in so many is to be found. */
const wanted = 20;

/**
 * The probe's request as often as it takes to have been sent twenty times, one after the other: the
 * rest of the plan counts.
 */
export function planRepeats(context: PlanContext, others: readonly Sequence[]): Sequence[] {
  const draft = probeDraft(context);
  if (draft === undefined) return [];
  const { operation } = draft;
  const request = requestOf(draft, 'known');
  const make = (title: string): Case =>
    makeCase({ title, phase: 'sequence', operation, request, intent: plainIntent(draft) });
  const sent = others
    .flatMap(({ cases }) => cases)
    .filter(
      (tried) =>
        tried.operation === operation &&
        tried.intent.kind === 'valid' &&
        asksFor(tried.request) === asksFor(request),
    );
  const count = wanted - sent.length;
  return count < 2
    ? []
    : [
        makeSequence(
          ...Array.from({ length: count }, (_one, index) =>
            make(`the same request, ${String(sent.length + index + 1)} of ${String(wanted)}`),
          ),
        ),
      ];
}

function asksFor({ arguments: given }: RequestTemplate): string {
  return given
    .map(
      ({ parameter: { name }, source }) =>
        `${name} ${source.kind} ${source.kind === 'value' ? stringifyJson(source.value) : ''}`,
    )
    .join('\n');
}
