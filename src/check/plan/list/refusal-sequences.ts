import type { Pointer } from '../../../json/pointer.ts';
import { isJsonObject, type JsonObject } from '../../../json/value.ts';
import { invalidValues } from '../../../values/invalid-values.ts';
import type { LabelledValue } from '../../../values/labelled-value.ts';
import { makeCase, makeSequence, type Case, type Sequence } from '../../model/case.ts';
import { documentsTotal } from '../../evidence/list/list-total.ts';
import { bodyOf, requestOf, type Draft, type DraftBody } from '../draft.ts';
import { draftOf, type PlanContext } from '../plan-context.ts';
import { rebase } from '../rebase.ts';
import { askList, listingsOf, widestPage } from './listing.ts';
import { narrowing, newestFirst } from './narrowing.ts';

/**
 * Whether a refused create leaves a record behind: the list twice, to see whether it is quiet, then
 * two creates that lack a required field or are wrong in one, with the list after each, and once
 * more to see whether it is quiet again.
 */
export function planRefusals(context: PlanContext): Sequence[] {
  return listingsOf(context).flatMap((listing) => {
    const create = draftOf(context, listing.resource.operations.create);
    const broken = create?.body === undefined ? [] : brokenBodies(create.body);
    if (create?.body === undefined || broken.length === 0) return [];
    const [first, second = first] = broken;
    if (first === undefined || second === undefined) return [];
    // A list that says how many there are in all shows a record that is on another page; it may
    // have none of the values that were sent.
    const narrow = documentsTotal(listing.resource)
      ? []
      : narrowing(listing, [first.value, second.value]);
    const look = (title: string): Case =>
      askList(listing, {
        title,
        query: [...widestPage(listing), ...newestFirst(listing), ...narrow],
      });
    return [
      makeSequence(
        look('the list is asked for'),
        look('the list is asked for again'),
        refused(create, create.body, first),
        look('the list is asked for after a refused create'),
        refused(create, create.body, second),
        look('the list is asked for after another refused create'),
        look('the list is asked for once more'),
      ),
    ];
  });
}

function refused(draft: Draft, body: DraftBody, { value, label, pointer }: LabelledValue): Case {
  const rule = label.replace(/^the value /, 'the body ');
  return makeCase({
    title: rule,
    phase: 'sequence',
    operation: draft.operation,
    request: requestOf(draft, 'own', { body: bodyOf(body, value) }),
    intent: {
      kind: 'invalid',
      at: pointer,
      rule,
      part: 'body',
      subject: 'the body',
      accepted: 'error',
    },
    control: requestOf(draft, 'own'),
  });
}

/**
 * Two bodies that are wrong in different fields and keep the rest, so that a record of theirs can
 * be told.
 */
function brokenBodies(body: DraftBody): LabelledValue[] {
  if (body.schema === undefined) return [];
  const wrong = invalidValues(body.schema, 'request').filter(
    ({ valueClass }) =>
      valueClass === 'missing-required' ||
      valueClass === 'not-in-enum' ||
      valueClass === 'wrong-type',
  );
  const byPlace = new Map<Pointer, LabelledValue>();
  for (const candidate of wrong) {
    if (byPlace.has(candidate.at)) continue;
    const moved = rebase(candidate, body);
    if (isJsonObject(moved.value) && telling(moved.value, body.value)) byPlace.set(moved.at, moved);
    if (byPlace.size === 2) break;
  }
  return [...byPlace.values()];
}

/** Whether a body still holds a field of the plain one. */
function telling(value: JsonObject, plain: unknown): boolean {
  return (
    typeof plain === 'object' &&
    plain !== null &&
    Object.entries(value).some(
      ([name, member]) => member === (plain as Record<string, unknown>)[name],
    )
  );
}
