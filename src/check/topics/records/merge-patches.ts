import type { Resource, Schema } from '../../../contract/model.ts';
import { isStateName } from '../../../contract/words/names.ts';
import { isMergePatch, mergedIn } from '../../../contract/words/read-patch.ts';
import { isJsonObject, membersWhere, objectOf } from '../../../json/value.ts';
import type { JsonObject, JsonValue } from '../../../json/value.ts';
import { type Intent, mediaOf, type Sequence } from '../../model/case.ts';
import type { CheckInput, Violation } from '../../model/knowledge.ts';
import { type Step, roleOf } from '../../model/step.ts';
import { fullBody } from '../../plan/full-body.ts';
import { hasBody } from '../../plan/make-create.ts';
import type { PlanContext } from '../../plan/plan-context.ts';
import { creatorDraft, draftOn, readerOf, Story } from '../../plan/story.ts';
import { isReference } from '../../reading/identifiers.ts';
import { saysSomething } from '../../reading/shown-fields.ts';
import { plainName, singularOf } from '../../../contract/infer/infer-names.ts';
import { lastWord } from '../../../contract/infer/conventions/path-styles.ts';
import { argumentNamed } from '../../reading/find-request-fault.ts';
import { pageOf, sameIdentifier } from '../../reading/list-page.ts';
import { shownRecord } from '../../reading/shown-records.ts';

/**
 * Changes of a record with every optional field, each before a read: one of a single member of an
 * object in it, and one that removes a member (RFC 7396). The former also where words say it, the
 * latter where a schema takes null for what records show as null.
 */
export function planMergePatches(context: PlanContext, resource: Resource): Sequence[] {
  const create = creatorDraft(context, resource);
  const update = draftOn(context, resource, 'update') ?? draftOn(context, resource, 'replace');
  const read = readerOf(context, resource);
  if (create === undefined || read === undefined || update === undefined || !hasBody(update))
    return [];
  const { operation, body } = update;
  const full = fullBody(create.body);
  const flat = body.schema?.flatten();
  const required = membersWhere(full, (name) => flat?.required.has(name) === true);
  const own = Object.entries(full).filter(
    ([name]) => flat?.properties.has(name) === true && !isReference(name) && !isStateName(name),
  );
  const needed = create.body.schema?.flatten().required;
  const free = own.filter(([name]) => needed?.has(name) !== true);
  const { mediaType } = body;
  const { contract } = context;
  const merged = mergedIn(operation, mediaType, { contract, names: own.map(([name]) => name) });
  const isMerge = isMergePatch(operation, mediaType, contract);
  const nullable = free.filter(
    ([name]) =>
      flat?.required.has(name) === false &&
      (isMerge || body.schema?.accepts({ ...required, [name]: null }, 'request') === true),
  );
  const patches = [
    flat?.required.size === 0
      ? partOfObject(own.filter(([name]) => merged.includes(name)))
      : undefined,
    removal(resource, nullable),
  ].filter((one) => one !== undefined);
  return patches.flatMap((patch) => {
    const name = Object.keys(patch).join();
    const value = { ...required, ...patch };
    const story = new Story(context, `a merge patch of ${name} by ${operation.id}`);
    // What else a create could have may be refused, such as names of other records.
    const given = membersWhere(full, (one) => Object.hasOwn(patch, one));
    const made = story.make(resource, { value: given });
    story.read(made, 'a record with every field is read');
    // No schema says whether null is refused where a field may not be null.
    const intent: Intent = { kind: 'valid', rigour: 'invented', at: operation.pointer };
    story.step(update, { title: `a merge patch of ${name}`, of: [made], value, intent });
    story.read(made, `the record is read after a merge patch of ${name}`);
    return story.sequences();
  });
}

type Members = readonly (readonly [name: string, value: JsonValue])[];

/** One member of the first object that has several: the others stay. */
function partOfObject(own: Members): JsonObject | undefined {
  for (const [name, value] of own) {
    const [first, ...others] = Object.entries(objectOf(value));
    if (first !== undefined && others.length > 0) return { [name]: Object.fromEntries([first]) };
  }
  return undefined;
}

function removal({ record }: Resource, own: Members): JsonObject | undefined {
  const cleared = own
    .filter(([one, value]) => typeof value === 'string' && canBeCleared(record, one))
    .map(([one]) => [one, null] as const);
  return cleared.length === 0 ? undefined : Object.fromEntries(cleared);
}

/** A member of an object that a partial change did not name, and that is gone (RFC 7396). */
export function objectReplaced(
  { contract }: CheckInput,
  written: Step,
  { before = {}, record }: { readonly before: JsonObject | undefined; readonly record: JsonObject },
): Violation[] {
  const { operation } = written.case;
  const { body } = written.sent;
  if (!isJsonObject(body)) return [];
  const names = Object.keys(body).filter((name) => isJsonObject(body[name] ?? null));
  const media = mediaOf(written.case)?.mediaType ?? '';
  const gone = mergedIn(operation, media, { contract, names }).flatMap((name) => {
    const sent = body[name] ?? null;
    const [had, has] = [before[name] ?? null, record[name] ?? null];
    if (!isJsonObject(sent) || !isJsonObject(had) || !isJsonObject(has)) return [];
    return Object.keys(had)
      .filter((one) => saysSomething(had[one]) && !Object.hasOwn(sent, one))
      .filter((one) => !saysSomething(has[one]))
      .map((one) => `${name}.${one}`);
  });
  const isMerge = isMergePatch(operation, media, contract);
  return gone.slice(0, 1).map((first) => ({
    at: operation.pointer,
    message:
      `A ${isMerge ? 'merge patch' : 'change'} without ${first} removed it: ` +
      'it replaced the whole object.',
    expected: `${first} is as before${isMerge ? ' (RFC 7396)' : ', as its description says'}`,
    actual: `${first} is gone or empty`,
    cause: 'replaced object',
  }));
}

/** The changed record in the answer of a step: a read of it, or a list that has it. */
export function shownBy(subject: CheckInput, step: Step, written: Step): JsonObject | undefined {
  const resource = roleOf(subject.contract, subject.operation)?.resource;
  if (resource === undefined) return undefined;
  if (!isOfList(subject)) return shownRecord(resource, step.answer);
  const { field, parameter } = resource.identifier;
  const named = argumentNamed(written.sent, parameter);
  return pageOf(subject, step)?.records.find((one) => sameIdentifier(one[field], named));
}

/** Whether a list shows the record, which may have fewer fields there. */
export function isOfList({ contract, operation }: CheckInput): boolean {
  return roleOf(contract, operation)?.action === 'list';
}

/** Whether a number counts the changes of its record, as a version does. */
export function isOneMore(before: JsonValue | undefined, after: JsonValue | undefined): boolean {
  return typeof before === 'number' && after === before + 1;
}

/** Whether a list leaves a field out, which a record may show only where it is read. */
export function isHidden(subject: CheckInput, shown: JsonValue | undefined): boolean {
  return shown === undefined && isOfList(subject);
}

/**
 * Whether a field is that of a record which the change names: with another `customerId`, the
 * `customerName` is another too.
 */
export function follows({ foreignKeys }: Resource, sent: JsonObject, field: string): boolean {
  return foreignKeys.some(
    ({ field: key, resource }) =>
      Object.hasOwn(sent, key) &&
      plainName(field).startsWith(plainName(singularOf(lastWord(resource.collectionPath)))),
  );
}

/** Whether a record may be without the value of a field: it has null there, or nothing. */
export function canBeCleared(record: Schema, name: string): boolean {
  const { properties, required } = record.flatten();
  const place = properties.get(name);
  if (place === undefined) return true;
  const field = record.part(place);
  const isOptional = !required.has(name) && field.flatten().node.default === undefined;
  return isOptional || field.accepts(null, 'response');
}
