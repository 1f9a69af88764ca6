import { joinPointer } from '../../json/pointer.ts';
import { isJsonObject, memberOf } from '../../json/value.ts';
import { descriptionOf } from '../words/facts.ts';
import type { FlatSchema, LocatedNode, Parameter } from '../model.ts';

/**
 * The members of an object that a query holds in the style `form`, exploded, as parameters of their
 * own: `?page=0&size=20` for `pageable`, whose name is never sent (OpenAPI 3.1, section 4.8.12.3).
 * An object without members cannot be told from none (RFC 6570, section 3.2.1), so none of them is
 * required unless the schema says so. An object with rules about the whole stays one parameter.
 */
export function spreadObject(parameter: Parameter): Parameter[] {
  const { in: location, style, explode, wholeQuery, mediaType, schema } = parameter;
  const isPairs = location === 'query' && style === 'form' && explode;
  if (!isPairs || wholeQuery === true || mediaType !== undefined) return [parameter];
  const flat = schema.flatten();
  if (!isPlainObject(flat) || (!parameter.required && flat.required.size > 0)) return [parameter];
  const places = [...flat.properties];
  if (places.some(([, place]) => holdsObjects(parameter, place))) return [parameter];
  return places.map(([name, place]) => {
    const own = schema.part(place);
    return {
      ...parameter,
      name,
      required: flat.required.has(name),
      schema: own,
      examples: parameter.examples.flatMap((example) => {
        const value = memberOf(example.value, name);
        const pointer = joinPointer(example.pointer, name);
        return value === undefined ? [] : [{ ...example, value, pointer }];
      }),
      description: descriptionOf(own.flatten()),
      pointer: place.pointer,
    };
  });
}

/** Keywords of an object that say nothing about how its members depend on each other. */
const plainKeywords: ReadonlySet<string> = new Set(
  (
    'type properties required title description default example examples nullable ' +
    'deprecated externalDocs'
  ).split(' '),
);

function isPlainObject({ node, types, properties }: FlatSchema): boolean {
  return (
    properties.size > 0 &&
    types.every((type) => type === 'object' || type === 'null') &&
    Object.entries(node).every(
      ([keyword, value]) =>
        plainKeywords.has(keyword) ||
        keyword.startsWith('x-') ||
        (keyword === 'additionalProperties' && typeof value === 'boolean'),
    )
  );
}

/** Whether a member is an object, or a list of them: the style has no form for these. */
function holdsObjects({ schema }: Parameter, place: LocatedNode): boolean {
  const { types, items } = schema.flatten(place);
  if (types.length <= 2 && types.includes('object')) return true;
  if (!isJsonObject(items?.node)) return false;
  const { types: inside } = schema.flatten(items);
  return inside.length <= 2 && inside.includes('object');
}
