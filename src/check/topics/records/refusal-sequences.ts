import { type Pointer } from '../../../json/pointer.ts';
import { isJsonObject, type JsonObject } from '../../../json/value.ts';
import { judgedValues } from '../../../values/candidate-value.ts';
import { invalidCandidates } from '../../../values/invalid-values.ts';
import type { LabelledValue } from '../../../values/labelled-value.ts';
import { documentsTotal } from '../../reading/list-total.ts';
import { isMarked } from '../../reading/without-others.ts';
import { type Case, makeCase, makeSequence, type Sequence } from '../../model/case.ts';
import { bodyOf, type DraftBody, requestOf } from '../../plan/draft.ts';
import { overlayOnExample } from '../../plan/body-values.ts';
import { creationOf, createStep, type DraftWithBody } from '../../plan/make-create.ts';
import { markedValue } from '../../plan/mark-body.ts';
import type { PlanContext } from '../../plan/plan-context.ts';
import { askList, listingsOf, narrowing, newestFirst, widestPage } from '../../plan/listing.ts';
import { bodyRule, invalidBodyIntent } from '../../plan/refused-change.ts';

/**
 * Tests whether a refused create leaves a record: the list twice, to see whether it is stable, then
 * two creates without a required field or with a wrong one, with the list after each, and the list
 * once more to see whether it is stable again. Before that, a create where no mark of the run can
 * show what one made: with the list before and after it.
 */
export function planRefusals(context: PlanContext): Sequence[] {
  return listingsOf(context).flatMap((listing) => {
    const create = creationOf(context, listing.resource);
    // A total shows records on other pages too. A record may have none of the values sent.
    const isCounted = documentsTotal(listing.resource);
    const [first, second = first] =
      create === undefined ? [] : brokenCreates(create.body, isCounted);
    if (create === undefined || first === undefined || second === undefined) return [];
    const narrow = isCounted ? [] : narrowing(listing, [first.value, second.value]);
    const query = [...widestPage(listing), ...newestFirst(listing), ...narrow];
    const look = (title: string): Case => askList(listing, { title, query });
    const counted = bearsMark(context, create)
      ? []
      : [
          look('the list is asked for before a create'),
          createStep(context, create, 'a record is created to be counted'),
        ];
    return [
      makeSequence(
        ...counted,
        look('the list is asked for'),
        look('the list is asked for again'),
        refusedCreate(create, first),
        look('the list is asked for after a refused create'),
        refusedCreate(create, second),
        look('the list is asked for after another refused create'),
        look('the list is asked for once more'),
      ),
    ];
  });
}

/** Whether the records that a create makes have a text with the mark of the run. */
function bearsMark({ runId }: PlanContext, { body }: DraftWithBody): boolean {
  const marked = markedValue(body, body.value, { runId, label: 'marked' });
  return isJsonObject(marked) && Object.values(marked).some(isMarked);
}

function refusedCreate(draft: DraftWithBody, { value, label, pointer }: LabelledValue): Case {
  const rule = bodyRule(label);
  return makeCase({
    title: rule,
    phase: 'sequence',
    operation: draft.operation,
    request: requestOf(draft, 'own', { body: bodyOf(draft.body, value) }),
    intent: invalidBodyIntent(rule, pointer),
    control: requestOf(draft, 'own'),
  });
}

/**
 * Two bodies that are wrong in different fields and keep the others, by which their records can be
 * recognised. Records that are counted need not be.
 */
function brokenCreates(body: DraftBody, isCounted: boolean): LabelledValue[] {
  if (body.schema === undefined) return [];
  const wrong = judgedValues(
    invalidCandidates(body.schema, 'request'),
    ({ valueClass }) =>
      valueClass === 'missing-required' ||
      valueClass === 'not-in-enum' ||
      valueClass === 'wrong-type',
  );
  const byPlace = new Map<Pointer, LabelledValue>();
  for (const candidate of wrong) {
    if (byPlace.has(candidate.at)) continue;
    const moved = overlayOnExample(candidate, body);
    if (isJsonObject(moved.value) && (isCounted || sharesMember(moved.value, body.value)))
      byPlace.set(moved.at, moved);
    if (byPlace.size === 2) break;
  }
  return [...byPlace.values()];
}

/** Whether a body still has a member of the plain one. */
function sharesMember(value: JsonObject, plain: unknown): boolean {
  return (
    typeof plain === 'object' &&
    plain !== null &&
    Object.entries(value).some(
      ([name, member]) => member === (plain as Record<string, unknown>)[name],
    )
  );
}
