import { type ListPage, pageOf } from '../../reading/list-page.ts';
import { showValue, type Step } from '../../model/step.ts';
import type { RefusedChange } from './refused-growth.ts';
import { changesAfterRefusal, countedGrowth, growthAfterRefusals } from './refused-growth.ts';
import type { CheckInput, RefusedTexts, Violation } from '../../model/knowledge.ts';
import { check } from '../check.ts';
import type { Pointer } from '../../../json/pointer.ts';
import { isJsonObject, type JsonObject } from '../../../json/value.ts';
import { judgedValues } from '../../../values/candidate-value.ts';
import { invalidCandidates } from '../../../values/invalid-values.ts';
import type { LabelledValue } from '../../../values/labelled-value.ts';
import { documentsTotal } from '../../reading/list-total.ts';
import { isMarked } from '../../reading/without-others.ts';
import { type Case, invalidBodyIntent, makeSequence, type Sequence } from '../../model/case.ts';
import { bodyOf, type DraftBody, requestOf } from '../../plan/draft.ts';
import { overlayOnExample } from '../../plan/body-values.ts';
import { creationOf, createStep, type DraftWithBody } from '../../plan/make-create.ts';
import { markedValue } from '../../plan/mark-body.ts';
import { draftCase, type PlanContext } from '../../plan/plan-context.ts';
import { askList, type Listing, narrowing, newestFirst, widestPage } from '../../plan/listing.ts';
import { bodyRule } from '../../plan/refused-change.ts';

/**
 * A refused create leaves no record: no list shows its values or grows. A refused change leaves the
 * record unchanged.
 */
export const refusalIsHarmless = check({
  id: 'refusal-is-harmless',
  basis: 'inferred',
  harm: 'data',
  rule:
    'A refused create leaves no record behind, and a refused change leaves the record ' +
    'unchanged.',
  reason:
    'A client that is refused assumes that nothing happened: it corrects its request and ' +
    'creates a second record, or shows outdated values.',
  example: [
    '> POST /items',
    '> {"name": "run-1", "count": -1}',
    '< 400 Bad Request',
    '> GET /items',
    '< [{"id": 8, "name": "run-1"}]',
  ],
  plan: [{ at: 'counted', listing: planRefusals }],
  needs: ['refusedTexts', 'largestPages'],
  intents: ['valid'],
  actions: ['read', 'list'],
  mutants: [async () => (await import('./harm-mutants.ts')).refusalMutants],
  inspect(subject) {
    const changed = changesAfterRefusal(subject);
    if (changed !== undefined) return changed.differences.length === 0 ? [] : stored(changed);
    const page = pageOf(subject, subject);
    if (page === undefined) return undefined;
    const counted = countedGrowth(subject);
    if (counted !== undefined && counted.length > 0)
      return {
        ...left(
          subject,
          page,
          counted[0],
          `the list counts one record more after each of ${String(counted.length)} such creates`,
        ),
        momentary: true,
        cause: 'counted',
        impliedBy: '',
      };
    const growth = growthAfterRefusals(subject);
    if (growth !== undefined && growth.length >= 2)
      return {
        ...left(
          subject,
          page,
          growth[0]?.refused,
          'the list has grown by a record with what was sent, after each of ' +
            `${String(growth.length)} such creates`,
        ),
        momentary: true,
        cause: 'grown',
        impliedBy: ['', 'counted'],
      };
    const { refusedTexts } = subject.knowledge;
    const found = refusedText(page, refusedTexts);
    if (found === undefined)
      return refusedTexts.size === 0 && growth === undefined ? undefined : [];
    return left(
      subject,
      page,
      found.refused,
      `the record is in the list (${found.field} is ${showValue(found.text)})`,
    );
  },
});

/** The first text of a page that a refused create sent in the same field, with that create. */
function refusedText(
  { resource, records }: ListPage,
  refusedTexts: RefusedTexts,
): { readonly field: string; readonly text: string; readonly refused: Step } | undefined {
  for (const record of records) {
    for (const field in record) {
      const text = record[field];
      const refused =
        typeof text === 'string' ? refusedTexts.find(resource.name, field, text) : undefined;
      if (typeof text === 'string' && refused !== undefined) return { field, text, refused };
    }
  }
  return undefined;
}

function stored({ refused, differences }: RefusedChange): Violation {
  const { operation, title } = refused.case;
  const status = String(refused.exchange.response?.status ?? 'an error');
  const show = (end: 'expected' | 'got'): string =>
    differences
      .map((difference) => `${difference.field} is ${showValue(difference[end])}`)
      .join(', ');
  const changes = differences.map(
    ({ field, expected, got }) => `${field} was ${showValue(expected)} and is ${showValue(got)}`,
  );
  return {
    at: operation.pointer,
    message:
      `The server answered ${status} to ${operation.id}, in which ${title}, ` +
      `and yet the record has changed: ${changes.join(', ')}.`,
    expected: show('expected'),
    actual: show('got'),
    cause: 'changed',
  };
}

function left(
  subject: CheckInput,
  { resource }: ListPage,
  refused: Step | undefined,
  how: string,
): Violation {
  const status = String(refused?.exchange.response?.status ?? 'an error');
  return {
    at: resource.operations.create?.pointer ?? subject.operation.pointer,
    message:
      `The server answered ${status} to a create in which ` +
      `${refused?.case.title ?? 'something was wrong'}, and yet ${how}.`,
    expected: 'no such record',
    actual: how,
  };
}

/**
 * Tests whether a refused create leaves a record: the list twice, to see whether it is stable, then
 * two creates without a required field or with a wrong one, with the list after each, and the list
 * once more to see whether it is stable again. Before that, a create where no mark of the run can
 * show what one made: with the list before and after it.
 */
function planRefusals(listing: Listing, context: PlanContext): Sequence[] {
  const create = creationOf(context, listing.resource);
  // A total shows records on other pages too. A record may have none of the values sent.
  const isCounted = documentsTotal(listing.resource);
  const [first, second = first] = create === undefined ? [] : brokenCreates(create.body, isCounted);
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
}

/** Whether the records that a create makes have a text with the mark of the run. */
function bearsMark({ runId }: PlanContext, { body }: DraftWithBody): boolean {
  const marked = markedValue(body, body.value, { runId, label: 'marked' });
  return isJsonObject(marked) && Object.values(marked).some(isMarked);
}

function refusedCreate(draft: DraftWithBody, { value, label, pointer }: LabelledValue): Case {
  const rule = bodyRule(label);
  return draftCase(draft, {
    title: rule,
    record: 'own',
    body: bodyOf(draft.body, value),
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
