import { equalJson } from '../../../json/equal-json.ts';
import { type Pointer, splitPointer } from '../../../json/pointer.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../../../json/value.ts';
import { judgedValues } from '../../../values/candidate-value.ts';
import { invalidCandidates } from '../../../values/invalid-values.ts';
import type { LabelledValue } from '../../../values/labelled-value.ts';
import { documentsTotal } from '../../reading/list-total.ts';
import { type Case, type Intent, makeCase, makeSequence, type Sequence } from '../../model/case.ts';
import { bodyOf, type Draft, type DraftBody, requestOf } from '../../plan/draft.ts';
import { edgeBodies, overlayOnExample } from '../../plan/body-values.ts';
import { creationOf, type DraftWithBody } from '../../plan/make-create.ts';
import type { PlanContext } from '../../plan/plan-context.ts';
import { askList, listingsOf, narrowing, newestFirst, widestPage } from '../../plan/listing.ts';

/**
 * Tests whether a refused create leaves a record: the list twice, to see whether it is stable, then
 * two creates without a required field or with a wrong one, with the list after each, and the list
 * once more to see whether it is stable again.
 */
export function planRefusals(context: PlanContext): Sequence[] {
  return listingsOf(context).flatMap((listing) => {
    const create = creationOf(context, listing.resource);
    const [first, second = first] = create === undefined ? [] : brokenCreates(create.body);
    if (create === undefined || first === undefined || second === undefined) return [];
    // A total shows records on other pages too. A record may have none of the values sent.
    const narrow = documentsTotal(listing.resource)
      ? []
      : narrowing(listing, [first.value, second.value]);
    const query = [...widestPage(listing), ...newestFirst(listing), ...narrow];
    const look = (title: string): Case => askList(listing, { title, query });
    return [
      makeSequence(
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

function bodyRule(label: string): string {
  return label.replace(/^the value /, 'the body ');
}

function invalidBodyIntent(rule: string, at: Pointer): Intent {
  return { kind: 'invalid', at, rule, part: 'body', subject: 'the body', accepted: 'error' };
}

/**
 * Two bodies that are wrong in different fields and keep the others, by which their records can be
 * recognised.
 */
function brokenCreates(body: DraftBody): LabelledValue[] {
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
    if (isJsonObject(moved.value) && sharesMember(moved.value, body.value))
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

/** As many edges as one operation can get: they are searched, not sent. */
const manyEdges = 60;

/**
 * A change of the record that the sequence created, with a new valid value in one field, and a
 * wrong one in the last field: a server that stores field by field, and then refuses, has changed
 * the record. Undefined if the body has no two such fields.
 */
export function refusedChange(
  { cache }: PlanContext,
  draft: Draft,
  sentBefore: readonly JsonValue[],
): Case | undefined {
  const { body, operation } = draft;
  const change = body && breakChange(body, edgeBodies(body, manyEdges, cache), sentBefore);
  if (body === undefined || change === undefined) return undefined;
  return makeCase({
    title: change.rule,
    phase: 'sequence',
    operation,
    request: requestOf(draft, 'created', { body: bodyOf(body, change.broken) }),
    intent: invalidBodyIntent(change.rule, change.at),
    control: requestOf(draft, 'created', { body: bodyOf(body, change.valid) }),
  });
}

interface BrokenChange {
  readonly valid: JsonObject;
  readonly broken: JsonObject;
  readonly at: Pointer;
  readonly rule: string;
}

function breakChange(
  body: DraftBody,
  edges: readonly LabelledValue[],
  sentBefore: readonly JsonValue[],
): BrokenChange | undefined {
  const { schema } = body;
  if (schema === undefined) return undefined;
  const faults = invalidCandidates(schema, 'request').filter(
    ({ valueClass, at }) =>
      (valueClass === 'wrong-type' || valueClass === 'not-in-enum') &&
      splitPointer(at).length === 1,
  );
  for (const { value: valid } of edges) {
    if (!isJsonObject(valid)) continue;
    const changed = Object.keys(valid).filter((name) =>
      isNew(name, valid[name] ?? null, sentBefore),
    );
    for (const candidate of faults) {
      const [field = ''] = splitPointer(candidate.at);
      if (changed.every((name) => name === field)) continue;
      const fault = candidate.judge();
      if (fault === undefined) continue;
      const broken = withFault(valid, fault, body);
      // A fault in one field may hide another; then the case would violate another rule than its
      // title says.
      const isOnlyFault =
        broken !== undefined &&
        schema.validate(broken, 'request').every(({ at }) => splitPointer(at)[0] === field);
      if (isOnlyFault) return { valid, broken, at: fault.pointer, rule: bodyRule(fault.label) };
    }
  }
  return undefined;
}

/** A body with the fault of another in one field, which comes last; undefined if it has none. */
function withFault(
  valid: JsonObject,
  fault: LabelledValue,
  body: DraftBody,
): JsonObject | undefined {
  const [field = ''] = splitPointer(fault.at);
  const { value } = overlayOnExample(fault, body);
  if (!isJsonObject(value) || !Object.hasOwn(value, field)) return undefined;
  const { [field]: _right, ...others } = valid;
  return { ...others, [field]: value[field] ?? null };
}

/** Whether a field has a value that it has in none of some bodies. */
function isNew(name: string, value: JsonValue, bodies: readonly JsonValue[]): boolean {
  return bodies.every((body) => !isJsonObject(body) || !equalJson(body[name] ?? null, value));
}
