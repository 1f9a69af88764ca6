import type { Resource } from '../../../contract/model.ts';
import { isJsonPatch } from '../../../contract/words/read-patch.ts';
import { equalJson } from '../../../json/equal-json.ts';
import { joinPointer } from '../../../json/pointer.ts';
import { isJsonArray, objectOf, type JsonObject, type JsonValue } from '../../../json/value.ts';
import { plainValue } from '../../../values/plain-value.ts';
import { type Case, hash, type Intent, makeSequence, type Sequence } from '../../model/case.ts';
import { changedMembers } from '../../plan/change-step.ts';
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
  /** What it is created from, with every field. */
  readonly full: JsonObject;
}

/** The operations of a patch, what they are about, and the record for it: else a plain one. */
interface Patch {
  readonly steps: readonly JsonObject[];
  readonly about: string;
  readonly value?: JsonValue;
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
    const full = fullBody(create.body);
    const patched: Patched = { context, resource, create, update, body, read, full };
    const { operation } = update;
    const condition = { kind: 'condition', wanted: 'patch-refused' } as const;
    const failing = { ...condition, at: joinPointer(operation.pointer, 'responses') };
    const rule = { kind: 'relation', rule: 'patched', of: [before, applied] } as const;
    // A service may refuse to remove what it always shows.
    const open = exoticAt(operation.pointer);
    const shown: Intent = { ...rule, at: operation.pointer };
    const lasting = read === undefined ? [] : [changing, insertion, ofServer];
    return [
      ...failingPatches(patched).flatMap((patch) => patchStory(patched, patch, [failing])),
      ...lasting.flatMap((patch) => patchStory(patched, patch(patched), [open, shown])),
    ];
  });
}

const before = 'the record is read before a patch';
const applied = 'the body is a JSON Patch';

function patchStory(
  { context, create, update, body, read }: Patched,
  { steps, about, value = create.body.value }: Patch,
  [intent, shown]: readonly [Intent, Intent?],
): Sequence[] {
  const isTaken = body.schema === undefined || body.schema.accepts([...steps], 'request');
  if (steps.length === 0 || !isTaken) return [];
  const look = (title: string): Case[] =>
    read === undefined
      ? []
      : [draftCase(read, { title, ...(shown && title !== before ? { intent: shown } : {}) })];
  const title = shown === undefined ? `${applied} ${about}` : applied;
  return [
    makeSequence(
      createWith(context, create, { title: `a record is created for a patch ${about}`, value }),
      ...look(before),
      draftCase(update, { title, body: bodyOf(body, [...steps]), intent }),
      ...look('the record is read after a patch'),
    ),
  ];
}

/** The replacement of one member, and the removal of another. */
function changing(patched: Patched): Patch {
  const { full } = patched;
  const [other, found] = [otherMember(patched), removableMember(patched)];
  const removed = found === other?.[0] ? undefined : found;
  const steps = [
    ...(other === undefined ? [] : [replaceStep(...other)]),
    ...(removed === undefined ? [] : [{ op: 'remove', path: joinPointer('', removed) }]),
  ];
  return { steps, about: 'of its members', ...(removed === undefined ? {} : { value: full }) };
}

/** A text more at the beginning of a list: the entry that was there moves up (section 4.1). */
function insertion({ context, resource: { record }, create, full }: Patched): Patch {
  const lists = Object.entries(full).flatMap(([name, list]) => {
    const place = record.flatten().properties.get(name);
    const items = place && record.flatten(place).items;
    const value = `${context.runId}-${hash(name).slice(0, 6)}`;
    const isOpen = isJsonArray(list) && list.length > 0 && !isReference(name);
    const isText = items !== undefined && record.part(items).accepts(value, 'request');
    return isOpen && isText ? [{ name, list, value }] : [];
  });
  const [first] = lists;
  const about = `of its ${first?.name ?? 'lists'}`;
  if (first === undefined) return { steps: [], about };
  const { name, list, value } = first;
  const step = { op: 'add', path: joinPointer('', name, '0'), value };
  return { steps: [step], about, value: { ...objectOf(create.body.value), [name]: list } };
}

/** Another number or moment in a member that no create sets: it is refused, or applied. */
function ofServer({ context, resource: { record, identifier }, create }: Patched): Patch {
  const own = create.body.schema?.flatten().properties;
  const steps = [...record.flatten().properties].flatMap(([name, place]) => {
    const { node, types } = record.flatten(place);
    const isOpen = own?.has(name) === false && node.readOnly !== true && node.format !== undefined;
    if (!isOpen || types.length > 1 || name === identifier.field || isReference(name)) return [];
    const made = plainValue(record.part(place), { seed: context.runId, direction: 'response' });
    return made.ok ? [replaceStep(name, made.value)] : [];
  });
  return { steps: steps.slice(0, 1), about: 'of what no create sets' };
}

function replaceStep(name: string, value: JsonValue): JsonObject {
  return { op: 'replace', path: joinPointer('', name), value };
}

/** A member that each record shows, with another plain value than that of a new record. */
function otherMember({
  context,
  resource,
  create: { body },
}: Patched): [string, JsonValue] | undefined {
  const plain = objectOf(body.value);
  const { required } = resource.record.flatten();
  return [...changedMembers(context, resource, { body, before: plain })].find(
    ([name, value]) =>
      (Object.hasOwn(plain, name) || required.has(name)) && !equalJson(value, plain[name] ?? null),
  );
}

/** A member that a record need not have, and that this one has. */
function removableMember({ resource, create, full }: Patched): string | undefined {
  const { schema } = create.body;
  const { properties, required } = schema?.flatten() ?? {};
  const shown = resource.record.flatten();
  return Object.keys(full).find((name) => {
    const place = properties?.get(name);
    const assumed = place && schema?.flatten(place).node.default;
    const isOptional = required?.has(name) === false && !shown.required.has(name);
    const isSet = full[name] !== null && !equalJson(assumed ?? null, full[name] ?? null);
    return place !== undefined && shown.properties.has(name) && isOptional && isSet;
  });
}

/** A text that no record has. */
const unusedText = 'a value that the record does not have';

/**
 * A test of a text of the record that fails, and the replacement of another member, or of that
 * text: in either order; and the removal of what no record has (section 4.2).
 */
function failingPatches(patched: Patched): Patch[] {
  const { resource, create, body } = patched;
  const shown = resource.record.flatten().properties;
  const other = otherMember(patched);
  const pair = Object.entries(objectOf(create.body.value))
    .filter(
      ([name, member]) =>
        typeof member === 'string' && shown.has(name) && name !== resource.identifier.field,
    )
    .map(([name, member]) => [
      { op: 'test', path: joinPointer('', name), value: unusedText },
      other === undefined || other[0] === name
        ? replaceStep(name, `${String(member)} b`)
        : replaceStep(...other),
    ])
    .find((steps) => body.schema?.accepts(steps, 'request') !== false);
  const unknown = { op: 'remove', path: '/vouch-unknown-member/0' };
  return [
    { steps: pair ?? [], about: 'whose test fails' },
    { steps: pair?.toReversed() ?? [], about: 'whose last test fails' },
    { steps: [unknown], about: 'of a member that no record has' },
  ];
}
