import type { Parent, Resource } from '../../contract/model.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../../json/value.ts';
import { fieldValue } from '../../store/field-values.ts';
import type { Condition } from '../../store/store.ts';
import type { ValidRequest } from '../model/behaviour.ts';
import { toInteger } from './record-fields.ts';
import { isView, otherSpellings, plainText } from './collection-name.ts';

/** What the records of a view must hold to be shown under the parents that the path names. */
export function parentConditions(request: PathRequest, resource: Resource): Condition[] {
  return resource.parents.length === 0 || !isView(resource)
    ? []
    : conditionsBelow(parentTexts(request, resource), resource);
}

/**
 * What the records of a view must hold to be shown under parents, outermost first; under any, where
 * fewer are named than there are.
 */
export function conditionsBelow(texts: readonly string[], resource: Resource): Condition[] {
  if (!isView(resource)) return [];
  return resource.parents.flatMap(({ field }, index) => {
    const text = texts[index];
    return field === undefined || text === undefined
      ? []
      : [{ op: 'in' as const, field, values: formsOf(text) }];
  });
}

/** Whether a record is one of those under the parents that the path names. */
export function isBelow(record: JsonObject, request: PathRequest, resource: Resource): boolean {
  return (
    resource.parents.length === 0 ||
    !isView(resource) ||
    holdsParents(record, resource, parentTexts(request, resource))
  );
}

/** Whether a record has these parents in the fields that hold them. */
export function holdsParents(
  record: JsonObject,
  { parents }: Pick<Resource, 'parents'>,
  texts: readonly string[],
): boolean {
  return parents.every(
    ({ field }, index) =>
      field === undefined ||
      plainText(String(fieldValue(record, field) ?? '')) === plainText(texts[index] ?? ''),
  );
}

/** A path carries text; the record may hold it as a number. */
function formsOf(text: string): JsonValue[] {
  return isInteger(text) ? [text, toInteger(BigInt(text))] : [text, ...otherSpellings(text)];
}

function isInteger(text: string): boolean {
  return /^-?(0|[1-9]\d{0,30})$/.test(text);
}

/** A record with its parents in the fields that hold them, whatever it said of them before. */
export function withParents(
  record: JsonObject,
  { parents, record: schema }: Pick<Resource, 'parents' | 'record'>,
  texts: readonly string[],
): JsonObject {
  return parents.reduce((held, { field }, index) => {
    const text = texts[index];
    if (field === undefined || text === undefined) return held;
    const place = placeOf(schema, field.split('.'));
    const isNumber = place?.types.some((type) => type === 'integer' || type === 'number') === true;
    return withField(
      held,
      field.split('.'),
      isNumber && isInteger(text) ? toInteger(BigInt(text)) : text,
    );
  }, record);
}

function placeOf(
  schema: Resource['record'],
  names: readonly string[],
): ReturnType<Resource['record']['flatten']> | undefined {
  let flat = schema.flatten();
  for (const name of names) {
    const property = flat.properties.get(name);
    if (property === undefined) return undefined;
    flat = schema.flatten(property.node, property.pointer);
  }
  return flat;
}

/** A record with one field set, however deep it lies. */
export function withField(
  record: JsonObject,
  [name = '', ...rest]: readonly string[],
  value: JsonValue,
): JsonObject {
  const held = record[name];
  const inner = rest.length === 0 ? value : withField(isJsonObject(held) ? held : {}, rest, value);
  return { ...record, [name]: inner };
}

/** What a request is read for where its path names parents. */
export type PathRequest = Pick<ValidRequest, 'plan' | 'path' | 'parameters'>;

/** The texts by which a request's path names the parents of a resource, outermost first. */
export function parentTexts(
  request: PathRequest,
  { parents }: Pick<Resource, 'parents'>,
): string[] {
  return parents.map((parent) => parentText(request, parent));
}

function parentText(
  { plan, path, parameters }: PathRequest,
  { parameter, segment }: Parent,
): string {
  // The paths of one resource may call a parameter by several names: what counts is where it
  // stands.
  const name = plan.wholeSegments.find(([, index]) => index === segment)?.[0] ?? parameter;
  const value = parameters.get(`path ${name}`) ?? path.get(name) ?? '';
  return typeof value === 'string' ? value : String(value);
}
