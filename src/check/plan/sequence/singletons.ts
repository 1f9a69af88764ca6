import type {
  Contract,
  LocatedNode,
  MediaTypeSpec,
  Operation,
  Resource,
  Schema,
} from '../../../contract/model.ts';
import { objectMembers } from '../../../contract/schema/object-members.ts';
import { isJsonMediaType } from '../../../http/media-type.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../../../json/value.ts';
import { plainValue } from '../../../values/plain-value.ts';
import { type Case, makeCase, makeSequence, mediaOf, type Sequence } from '../../case.ts';
import type { ChangedRecord } from '../../memory/record-changes.ts';
import { roleOf } from '../../subject.ts';
import { type Draft, requestOf } from '../draft.ts';
import { draftOf, plainIntent, type PlanContext } from '../plan-context.ts';

/**
 * The one record of a path: read, changed in one harmless field, read, put back, read. It is
 * nobody's own, so nothing else is sent to it; what a run that ends in the middle leaves changed is
 * put back by clean-up.
 */
export function planSingletons(context: PlanContext): Sequence[] {
  return context.contract.resources
    .filter(({ kind }) => kind === 'singleton')
    .flatMap((resource) => [...changes(context, resource)]);
}

function changes(context: PlanContext, { operations }: Resource): Sequence[] {
  const read = draftOf(context, operations.read);
  if (read === undefined) return [];
  const own = [operations.replace, operations.update].flatMap(
    (operation) => context.restorable.find((draft) => draft.operation === operation) ?? [],
  );
  return own.length === 0
    ? []
    : [
        makeSequence(
          reading(read, 'the record is read before it is changed'),
          ...own.flatMap((draft) => changeAndBack(read, draft)),
        ),
      ];
}

function changeAndBack(read: Draft, draft: Draft): Case[] {
  const media = jsonMedia(draft.operation);
  const change = media && harmlessChange(media);
  if (media === undefined || change === undefined) return [];
  const write = (title: string, value: JsonObject): Case =>
    makeCase({
      title,
      phase: 'sequence',
      operation: draft.operation,
      request: requestOf(draft, 'known', {
        body: { kind: 'json', mediaType: media.mediaType, value, onto: read.operation.id },
      }),
      intent: plainIntent(draft),
    });
  const [field = ''] = Object.keys(change);
  return [
    write(`${field} of the record is changed`, change),
    reading(read, 'the changed record is read'),
    write('what was there before is put back', {}),
    reading(read, 'the record is read once more'),
  ];
}

function reading(draft: Draft, title: string): Case {
  return makeCase({
    title,
    phase: 'sequence',
    operation: draft.operation,
    request: requestOf(draft, 'known'),
    intent: plainIntent(draft),
  });
}

/**
 * Whether an operation changes the one record of its path, and what a read shows beforehand can be
 * written back.
 */
export function isRestorable(contract: Contract, operation: Operation): boolean {
  const role = roleOf(contract, operation);
  if (
    role?.resource.kind !== 'singleton' ||
    (role.action !== 'replace' && role.action !== 'update')
  )
    return false;
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

/** Fields of which a change, however short, can lock somebody out, send a message or cost money. */
const delicate =
  /pass|secret|token|key|mail|phone|role|admin|permission|scope|owner|login|user_?name|active|enabled|locked|status|state|plan|price|billing|currency|address|url|host|version|etag|(^|_)id$|Id$/i;

/** A field of the record and another value of it: a word of a list, a switch, or a free text. */
function harmlessChange({ schema }: MediaTypeSpec): JsonObject | undefined {
  if (schema === undefined) return undefined;
  // What the contract lists is changed rather than what people wrote.
  const byKind = [...objectMembers(schema).properties].toSorted(
    ([, left], [, right]) => Number(isText(schema, left)) - Number(isText(schema, right)),
  );
  for (const [name, place] of byKind) {
    const { node, types } = schema.flatten(place.node, place.pointer);
    const isPlain =
      node.enum !== undefined ||
      types.includes('boolean') ||
      (types.includes('string') && node.format === undefined && node.pattern === undefined);
    if (delicate.test(name) || node.readOnly === true || !isPlain || node.const !== undefined)
      continue;
    const made = plainValue(schema.part(place), { seed: 'another', direction: 'request', name });
    const value = node.enum?.at(-1) ?? (made.ok ? made.value : undefined);
    if (value !== undefined && value !== null) return { [name]: value };
  }
  return undefined;
}

function isText(schema: Schema, place: LocatedNode): boolean {
  const { node, types } = schema.flatten(place.node, place.pointer);
  return node.enum === undefined && !types.includes('boolean');
}

/**
 * What was read, as far as the operation takes it, with the change; undefined where that is no
 * valid body.
 */
export function restoredValue(
  read: JsonValue | undefined,
  { schema }: MediaTypeSpec,
  changes: JsonObject = {},
): JsonObject | undefined {
  if (schema === undefined || !isJsonObject(read)) return undefined;
  const writable = [...objectMembers(schema).properties]
    .filter(([, place]) => schema.flatten(place.node, place.pointer).node.readOnly !== true)
    .map(([name]) => name);
  const kept = Object.fromEntries(
    writable.flatMap((name) =>
      Object.hasOwn(read, name) ? [[name, read[name] ?? null] as const] : [],
    ),
  );
  const value = { ...kept, ...changes };
  return schema.accepts(value, 'request') ? value : undefined;
}

/**
 * The case that puts a changed record back to what was read before; undefined where that can no
 * longer be written.
 */
export function putBack({ change, original }: ChangedRecord): Case | undefined {
  const { operation, request, intent } = change;
  const media = mediaOf(change);
  const value = media && restoredValue(original, media);
  if (media === undefined || value === undefined) return undefined;
  return makeCase({
    title: 'what was there before is put back',
    phase: 'cleanup',
    operation,
    request: { ...request, body: { kind: 'json', mediaType: media.mediaType, value } },
    intent,
  });
}
