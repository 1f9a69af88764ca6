import type { Resource } from '../../../contract/model.ts';
import { isJsonPatch } from '../../../contract/words/read-patch.ts';
import { equalJson } from '../../../json/equal-json.ts';
import { joinPointer } from '../../../json/pointer.ts';
import { isJsonArray, isJsonObject, objectOf } from '../../../json/value.ts';
import type { JsonObject, JsonValue } from '../../../json/value.ts';
import { plainValue } from '../../../values/plain-value.ts';
import { type Case, hash, type Intent, makeSequence, type Sequence } from '../../model/case.ts';
import { changedValue } from '../../plan/change-step.ts';
import { bodyOf, type Draft, type DraftBody } from '../../plan/draft.ts';
import { fullBody } from '../../plan/full-body.ts';
import { createWith, creationOf, type DraftWithBody } from '../../plan/make-create.ts';
import { draftCase, draftFor, exoticAt, type PlanContext } from '../../plan/plan-context.ts';
import { isReference } from '../../reading/identifiers.ts';

/** How a record is created, patched and read. */
interface Patched {
  readonly context: PlanContext;
  readonly resource: Resource;
  readonly create: DraftWithBody;
  readonly update: Draft;
  readonly body: DraftBody;
  readonly read: Draft | undefined;
}

/**
 * JSON Patches of records that are created for them, each between two reads: some that must fail,
 * of which no step may be applied (RFC 6902, section 5), and some that are applied, if accepted.
 */
export function planPatches(context: PlanContext): Sequence[] {
  return context.contract.resources.flatMap((resource) => {
    const create = creationOf(context, resource);
    const update = draftFor(context, resource, 'update');
    const body = [update?.body, ...(update?.otherBodies ?? [])].find(
      (one) => one && isJsonPatch(one),
    );
    if (create === undefined || update === undefined || body === undefined) return [];
    const read = draftFor(context, resource, 'read');
    const patched: Patched = { context, resource, create, update, body, read };
    const full = fullBody(create.body);
    return [
      ...failingPatches(patched).flatMap((steps, index) =>
        failingPatch(patched, { steps, number: index + 1 }),
      ),
      ...appliedPatch(patched, changing(patched, full)),
      ...appliedPatch(patched, insertion(patched, full)),
      ...appliedPatch(patched, {
        steps: ofServer(patched),
        value: create.body.value,
        what: 'read',
      }),
    ];
  });
}

/** The operations of a patch, and a record with what they are about. */
interface Patch {
  readonly steps: readonly JsonObject[];
  /** What the record is created from. */
  readonly value: JsonValue;
  readonly what: string;
}

const isTaken = ({ body: { schema } }: Patched, steps: readonly JsonObject[]): boolean =>
  steps.length > 0 && (schema === undefined || schema.accepts([...steps], 'request'));

function failingPatch(
  { context, create, update, body, read }: Patched,
  { steps, number }: { readonly steps: JsonObject[]; readonly number: number },
): Sequence[] {
  const { operation } = update;
  const look = (title: string): Case[] => (read === undefined ? [] : [draftCase(read, { title })]);
  const at = joinPointer(operation.pointer, 'responses');
  const intent: Intent = { kind: 'condition', at, wanted: 'patch-refused' };
  const about = steps.some(({ op }) => op === 'test')
    ? 'whose test fails'
    : 'of a member that no record has';
  const title = `a record is created, for patch ${String(number)} that is to fail`;
  return [
    makeSequence(
      createWith(context, create, { title, value: create.body.value }),
      ...look('the created record is read'),
      draftCase(update, {
        title: `the body is a JSON Patch ${about}`,
        body: bodyOf(body, steps),
        intent,
      }),
      ...look('the record is read after a patch that was to fail'),
    ),
  ];
}

/** A patch that a service applies, if it accepts it, and a read that shows it. */
function appliedPatch(patched: Patched, { steps, value, what }: Patch): Sequence[] {
  const { context, create, update, body, read } = patched;
  if (read === undefined || !isTaken(patched, steps)) return [];
  const [before, patch] = ['the record is read before a patch', 'the body is a JSON Patch'];
  const at = update.operation.pointer;
  return [
    makeSequence(
      createWith(context, create, { title: `a record is created to be ${what}`, value }),
      draftCase(read, { title: before }),
      // A service may refuse to remove what it always shows.
      draftCase(update, { title: patch, body: bodyOf(body, [...steps]), intent: exoticAt(at) }),
      draftCase(read, {
        title: 'the record is read after a patch',
        intent: { kind: 'relation', rule: 'patched', of: [before, patch], at },
      }),
    ),
  ];
}

/** The replacement of one member, and the removal of another. */
function changing(patched: Patched, full: JsonObject): Patch {
  const [other, found] = [otherMember(patched), removableMember(patched, full)];
  const removed = found === other?.[0] ? undefined : found;
  const steps = [
    ...(other === undefined ? [] : [replaceStep(other)]),
    ...(removed === undefined ? [] : [{ op: 'remove', path: joinPointer('', removed) }]),
  ];
  const value = removed === undefined ? patched.create.body.value : full;
  return { steps, value, what: 'patched' };
}

/** A text more at the beginning of a list: the entry that was there moves up (section 4.1). */
function insertion({ context, resource, create }: Patched, full: JsonObject): Patch {
  const shown = resource.record.flatten().properties;
  for (const [name, list] of Object.entries(full)) {
    const place = shown.get(name);
    const items = place && resource.record.flatten(place).items;
    const own = `${context.runId}-${hash(name).slice(0, 6)}`;
    const isOpen = items !== undefined && isJsonArray(list) && list.length > 0;
    if (!isOpen || isReference(name) || !resource.record.part(items).accepts(own, 'request'))
      continue;
    const path = joinPointer('', name, '0');
    const value = { ...objectOf(create.body.value), [name]: list };
    return { steps: [{ op: 'add', path, value: own }], value, what: `inserted into ${name}` };
  }
  return { steps: [], value: null, what: '' };
}

/** Another number or moment in a member that no create sets: it is refused, or applied. */
function ofServer({ context, resource, create }: Patched): JsonObject[] {
  const { record, identifier } = resource;
  const own = create.body.schema?.flatten().properties;
  for (const [name, place] of record.flatten().properties) {
    const { node, types } = record.flatten(place);
    const isOpen = own?.has(name) === false && node.readOnly !== true && node.format !== undefined;
    if (!isOpen || types.length > 1 || name === identifier.field || isReference(name)) continue;
    const made = plainValue(record.part(place), { seed: context.runId, direction: 'response' });
    if (made.ok) return [replaceStep([name, made.value])];
  }
  return [];
}

function replaceStep([name, value]: Member): JsonObject {
  return { op: 'replace', path: joinPointer('', name), value };
}

/** A member of a record, with its value. */
type Member = readonly [name: string, value: JsonValue];

/** A member that each record shows, with another plain value than that of a new record. */
function otherMember({ context, resource, create: { body } }: Patched): Member | undefined {
  const { value } = body;
  const changed = changedValue(context, body);
  if (!isJsonObject(value) || !isJsonObject(changed)) return undefined;
  const { properties: shown, required } = resource.record.flatten();
  return Object.entries(changed).find(
    ([name, member]) =>
      shown.has(name) &&
      (Object.hasOwn(value, name) || required.has(name)) &&
      !equalJson(member, value[name] ?? null),
  );
}

/** A member that a record need not have, and that this one has. */
function removableMember(
  { resource, create: { body } }: Patched,
  value: JsonObject,
): string | undefined {
  const { schema } = body;
  const { properties, required } = schema?.flatten() ?? {};
  const shown = resource.record.flatten();
  return Object.keys(value).find((name) => {
    const place = properties?.get(name);
    const assumed = place && schema?.flatten(place).node.default;
    return (
      place !== undefined &&
      shown.properties.has(name) &&
      !shown.required.has(name) &&
      required?.has(name) === false &&
      value[name] !== null &&
      !equalJson(assumed ?? null, value[name] ?? null)
    );
  });
}

/** A text that no record has. */
const unusedText = 'a value that the record does not have';

/**
 * A test of a text of the record that fails, and the replacement of another member, or of that
 * text: in either order; and the removal of what no record has (section 4.2).
 */
function failingPatches(patched: Patched): JsonObject[][] {
  const { resource, create } = patched;
  const shown = resource.record.flatten().properties;
  const other = otherMember(patched);
  const pair = Object.entries(objectOf(create.body.value))
    .filter(
      ([name, member]) =>
        typeof member === 'string' && shown.has(name) && name !== resource.identifier.field,
    )
    .map(([name, member]) => [
      { op: 'test', path: joinPointer('', name), value: unusedText },
      replaceStep(other === undefined || other[0] === name ? [name, `${String(member)} b`] : other),
    ])
    .find((steps) => isTaken(patched, steps));
  const unknown = { op: 'remove', path: '/vouch-unknown-member/0' };
  return [...(pair === undefined ? [] : [pair, pair.toReversed()]), [unknown]].filter((steps) =>
    isTaken(patched, steps),
  );
}
