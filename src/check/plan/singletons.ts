import type {
  Contract,
  LocatedNode,
  MediaTypeSpec,
  Operation,
  Resource,
  Schema,
} from '../../contract/model.ts';
import { objectMembers } from '../../contract/schema/object-members.ts';
import { isJsonMediaType } from '../../http/media-type.ts';
import { type JsonObject } from '../../json/value.ts';
import { plainValue } from '../../values/plain-value.ts';
import { type Case, makeSequence, type Sequence } from '../model/case.ts';
import { roleOf } from '../model/step.ts';
import type { Draft } from './draft.ts';
import { changedValue } from './change-step.ts';
import { draftCase, draftOf, type PlanContext } from './plan-context.ts';
import { isMakeable, Story } from './story.ts';

/**
 * Singletons. One that the run does not own is read, changed in one harmless field, read, restored
 * and read; if the run ends in between, cleanup restores it. One that belongs to a record which the
 * run makes, such as a relationship of it, is changed as a whole.
 */
export function planSingletons(context: PlanContext): Sequence[] {
  return context.contract.resources
    .filter(({ kind }) => kind === 'singleton')
    .flatMap((resource) => [
      ...(singletonSequence(context, resource) ?? []),
      ...ownSingleton(context, resource),
    ]);
}

/** A new record, and each change of its part between two reads of that. */
function ownSingleton(context: PlanContext, { name, operations }: Resource): Sequence[] {
  const read = draftOf(context, operations.read);
  const owner = read?.names.find(({ parent }) => parent === undefined)?.resource;
  if (owner === undefined || !isMakeable(context, owner)) return [];
  return [operations.replace, operations.update].flatMap((operation) => {
    const change = draftOf(context, operation);
    if (change?.body === undefined || operation === undefined) return [];
    const story = new Story(context, `${operation.id} of ${name}`);
    const of = [story.make(owner)];
    story.step(read, { title: `${name} of the new record is read`, of });
    story.step(change, {
      title: `${name} of the new record is changed`,
      of,
      value: changedValue(context, change.body),
    });
    story.step(read, { title: `the changed ${name} is read`, of });
    return story.sequences();
  });
}

function singletonSequence(context: PlanContext, { operations }: Resource): Sequence[] | undefined {
  const read = draftOf(context, operations.read);
  const changes = [operations.replace, operations.update].flatMap(
    (operation) => context.restorable.find((draft) => draft.operation === operation) ?? [],
  );
  if (read === undefined || changes.length === 0) return undefined;
  return [
    makeSequence(
      draftCase(read, { title: 'the record is read before it is changed', record: 'known' }),
      ...changes.flatMap((draft) => changeAndRestore(read, draft)),
    ),
  ];
}

function changeAndRestore(read: Draft, draft: Draft): Case[] {
  const media = jsonMedia(draft.operation);
  const change = media && harmlessChange(media);
  if (media === undefined || change === undefined) return [];
  const write = (title: string, value: JsonObject): Case =>
    draftCase(draft, {
      title,
      record: 'known',
      body: { kind: 'json', mediaType: media.mediaType, value, onto: read.operation.id },
    });
  const [field = ''] = Object.keys(change);
  return [
    write(`${field} of the record is changed`, change),
    draftCase(read, { title: 'the changed record is read', record: 'known' }),
    write('what was there before is put back', {}),
    draftCase(read, { title: 'the record is read once more', record: 'known' }),
  ];
}

/** Whether an operation changes a singleton, and what a read shows before can be written back. */
export function isRestorable(contract: Contract, operation: Operation): boolean {
  const role = roleOf(contract, operation);
  const isChange = role?.action === 'replace' || role?.action === 'update';
  if (role?.resource.kind !== 'singleton' || !isChange) return false;
  const isRead = role.resource.operations.read?.responses.some(
    ({ status, content }) =>
      status.startsWith('2') && content.some(({ mediaType }) => isJsonMediaType(mediaType)),
  );
  const media = jsonMedia(operation);
  return isRead === true && media !== undefined && harmlessChange(media) !== undefined;
}

/** The JSON body of an operation. */
function jsonMedia({ requestBody }: Operation): MediaTypeSpec | undefined {
  return requestBody?.content.find(
    ({ mediaType }) => isJsonMediaType(mediaType) && !mediaType.includes('*'),
  );
}

/** Fields whose change, even for a moment, can lock out a user, send a message or cost money. */
const delicateFields = new RegExp(
  'pass|secret|token|key|mail|phone|role|admin|permission|scope|owner|login|user_?name|active|' +
    'enabled|locked|status|state|plan|price|billing|currency|address|url|host|version|etag|' +
    '(^|_)id$|Id$',
  'i',
);

/** Another value for one field of the record: a listed one, a boolean, or a free text. */
function harmlessChange({ schema }: MediaTypeSpec): JsonObject | undefined {
  if (schema === undefined) return undefined;
  // Listed values are preferred to free texts.
  const listedFirst = [...objectMembers(schema).properties].toSorted(
    ([, left], [, right]) => Number(isText(schema, left)) - Number(isText(schema, right)),
  );
  for (const [name, place] of listedFirst) {
    if (delicateFields.test(name) || !isPlainField(schema, place)) continue;
    const { node } = schema.flatten(place);
    const made = plainValue(schema.part(place), { seed: 'another', direction: 'request', name });
    const value = node.enum?.at(-1) ?? (made.ok ? made.value : undefined);
    if (value !== undefined && value !== null) return { [name]: value };
  }
  return undefined;
}

/** Whether a client may set it to a listed value, a boolean or a free text. */
function isPlainField(schema: Schema, place: LocatedNode): boolean {
  const { node, types } = schema.flatten(place);
  if (node.readOnly === true || node.const !== undefined) return false;
  return (
    node.enum !== undefined ||
    types.includes('boolean') ||
    (types.includes('string') && node.format === undefined && node.pattern === undefined)
  );
}

function isText(schema: Schema, place: LocatedNode): boolean {
  const { node, types } = schema.flatten(place);
  return node.enum === undefined && !types.includes('boolean');
}
