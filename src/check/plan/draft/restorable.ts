import type {
  Contract,
  LocatedNode,
  MediaTypeSpec,
  Operation,
  Schema,
} from '../../../contract/model.ts';
import { objectMembers } from '../../../contract/schema/object-members.ts';
import { isJsonMediaType } from '../../../http/media-type.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../../../json/value.ts';
import { plainValue } from '../../../values/plain-value.ts';
import { roleOf } from '../../model/step.ts';

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
export function jsonMedia({ requestBody }: Operation): MediaTypeSpec | undefined {
  return requestBody?.content.find(
    ({ mediaType }) => isJsonMediaType(mediaType) && !mediaType.includes('*'),
  );
}

/** Fields of which a change, however short, can lock somebody out, send a message or cost money. */
const delicate =
  /pass|secret|token|key|mail|phone|role|admin|permission|scope|owner|login|user_?name|active|enabled|locked|status|state|plan|price|billing|currency|address|url|host|version|etag|(^|_)id$|Id$/i;

/** A field of the record and another value of it: a word of a list, a switch, or a free text. */
export function harmlessChange({ schema }: MediaTypeSpec): JsonObject | undefined {
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
