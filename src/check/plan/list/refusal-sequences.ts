import { equalJson } from '../../../json/equal-json.ts';
import { type Pointer, splitPointer } from '../../../json/pointer.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../../../json/value.ts';
import { invalidValues } from '../../../values/invalid-values.ts';
import type { LabelledValue } from '../../../values/labelled-value.ts';
import { type Case, makeCase, makeSequence, type Sequence } from '../../case.ts';
import { documentsTotal } from '../../evidence/list/list-total.ts';
import { bodyOf, type Draft, type DraftBody, requestOf } from '../draft.ts';
import { edgeBodies } from '../draft/body-values.ts';
import { draftOf, type PlanContext } from '../plan-context.ts';
import { rebase } from '../overlay-on-example.ts';
import { askList, listingsOf, narrowing, newestFirst, widestPage } from './listing.ts';

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

/** As many as any operation is sent: they are only looked through. */
const manyEdges = 60;

/**
 * A change of the record that the sequence created, valid in a field that no earlier step gave that
 * value, and wrong in the field that comes last: a server that stores one field after the other,
 * and then refuses, has changed the record. Undefined where the body has no two such fields.
 */
export function refusedChange(draft: Draft, sentBefore: readonly JsonValue[]): Case | undefined {
  const { body, operation } = draft;
  const made = body && breakChange(body, sentBefore);
  if (body === undefined || made === undefined) return undefined;
  return makeCase({
    title: made.rule,
    phase: 'sequence',
    operation,
    request: requestOf(draft, 'created', { body: bodyOf(body, made.broken) }),
    intent: {
      kind: 'invalid',
      at: made.at,
      rule: made.rule,
      part: 'body',
      subject: 'the body',
      accepted: 'error',
    },
    control: requestOf(draft, 'created', { body: bodyOf(body, made.sound) }),
  });
}

interface BrokenChange {
  readonly sound: JsonObject;
  readonly broken: JsonObject;
  readonly at: string;
  readonly rule: string;
}

function breakChange(body: DraftBody, sentBefore: readonly JsonValue[]): BrokenChange | undefined {
  const { schema } = body;
  if (schema === undefined) return undefined;
  const faults = invalidValues(schema, 'request').filter(
    ({ valueClass, at }) =>
      (valueClass === 'wrong-type' || valueClass === 'not-in-enum') &&
      splitPointer(at).length === 1,
  );
  for (const { value: sound } of edgeBodies(body, manyEdges)) {
    if (!isJsonObject(sound)) continue;
    const telling = Object.keys(sound).filter((name) =>
      isNew(name, sound[name] ?? null, sentBefore),
    );
    for (const fault of faults) {
      const [field = ''] = splitPointer(fault.at);
      if (telling.every((name) => name === field)) continue;
      const { value, label, pointer } = rebase(fault, body);
      if (!isJsonObject(value) || !Object.hasOwn(value, field)) continue;
      const { [field]: _right, ...others } = sound;
      const broken = { ...others, [field]: value[field] ?? null };
      // What is wrong with one field may hide another fault, and then another rule would be tried
      // than is told.
      if (
        schema
          .validate(broken, 'request')
          .every(({ at: where }) => splitPointer(where)[0] === field)
      )
        return { sound, broken, at: pointer, rule: label.replace(/^the value /, 'the body ') };
    }
  }
  return undefined;
}

/** Whether a field has a value that it had in none of some bodies. */
function isNew(name: string, value: JsonValue, bodies: readonly JsonValue[]): boolean {
  return bodies.every((body) => !isJsonObject(body) || !equalJson(body[name] ?? null, value));
}
