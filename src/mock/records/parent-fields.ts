import type { Parent, Resource } from '../../contract/model.ts';
import { memberSchema } from '../../contract/schema/member-schema.ts';
import { fromInteger } from '../../json/decimal.ts';
import type { JsonObject, JsonValue } from '../../json/value.ts';
import { isJsonArray, memberOf, objectOf } from '../../json/value.ts';
import { fieldValue } from '../../store/field-values.ts';
import type { Condition } from '../../store/store.ts';
import type { ValidRequest } from '../model/request.ts';
import { keyOf, writeName } from './identifier/full-name.ts';
import { isView, otherSpellings, plainText } from './collection-name.ts';
import { looksLike } from '../../words-in.ts';

/** The conditions on the records of a view for the parents in the path. */
export function parentConditions(request: PathRequest, resource: Resource): Condition[] {
  return resource.parents.length === 0 || !isView(resource)
    ? []
    : conditionsBelow(parentTexts(request, resource), resource);
}

/**
 * The conditions on the records of a view for parents, outermost first; any parent matches if fewer
 * are given.
 */
export function conditionsBelow(texts: readonly string[], resource: Resource): Condition[] {
  if (!isView(resource)) return [];
  return resource.parents.flatMap((parent, index) => {
    const { field } = parent;
    const text = texts[index];
    return field === undefined || text === undefined
      ? []
      : [{ op: 'in' as const, field, values: formsOf(textOfParent(parent, texts, index)) }];
  });
}

export function isBelow(record: JsonObject, request: PathRequest, resource: Resource): boolean {
  return (
    resource.parents.length === 0 ||
    !isView(resource) ||
    holdsParents(record, resource, parentTexts(request, resource))
  );
}

/** Whether a record contains these parents in its fields. */
export function holdsParents(
  record: JsonObject,
  { parents }: Pick<Resource, 'parents'>,
  texts: readonly string[],
): boolean {
  return parents.every(({ field, resource }, index) => {
    if (field === undefined) return true;
    const held = String(fieldValue(record, field) ?? '');
    const own = resource === undefined ? held : keyOf(resource, held);
    return plainText(own) === plainText(texts[index] ?? '');
  });
}

/** A parent as fields of records hold it: a parent with a full name by that name. */
function textOfParent({ resource }: Parent, texts: readonly string[], index: number): string {
  const text = texts[index] ?? '';
  return resource === undefined ? text : String(writeName(resource, text, texts.slice(0, index)));
}

/**
 * Whether a record of a set that several parents show was created below those in the path;
 * undefined if it was not created below any.
 */
export function wasMadeBelow(
  record: JsonObject,
  request: PathRequest,
  resource: Resource,
): boolean | undefined {
  const hidden = record[''];
  if (hidden === undefined) return undefined;
  const below = memberOf(hidden, resource.name);
  const texts = parentTexts(request, resource).map(plainText);
  return (
    isJsonArray(below) && below.every((text, index) => plainText(String(text)) === texts[index])
  );
}

/** A path contains text; the record may contain a number. */
function formsOf(text: string): JsonValue[] {
  return isInteger(text) ? [text, fromInteger(BigInt(text))] : [text, ...otherSpellings(text)];
}

const isInteger = looksLike(/^-?(0|[1-9]\d{0,30})$/);

/** Sets the parents in the fields of a record. */
export function withParents(
  record: JsonObject,
  { parents, record: schema }: Pick<Resource, 'parents' | 'record'>,
  texts: readonly string[],
): JsonObject {
  return parents.reduce((held, parent, index) => {
    const { field } = parent;
    if (field === undefined || texts[index] === undefined) return held;
    const text = textOfParent(parent, texts, index);
    const place = memberSchema(schema, field.split('.'));
    const isNumber = place?.types.some((type) => type === 'integer' || type === 'number') === true;
    return withField(
      held,
      field.split('.'),
      isNumber && isInteger(text) ? fromInteger(BigInt(text)) : text,
    );
  }, record);
}

/** Sets one field of a record, which may be nested. */
export function withField(
  record: JsonObject,
  [name = '', ...rest]: readonly string[],
  value: JsonValue,
): JsonObject {
  const held = record[name];
  const inner = rest.length === 0 ? value : withField(objectOf(held), rest, value);
  return { ...record, [name]: inner };
}

/** The parts of a request that identify its parents. */
export type PathRequest = Pick<ValidRequest, 'plan' | 'path' | 'parameters'>;

/** The parents of a resource in a request's path as texts, outermost first. */
export function parentTexts(
  request: PathRequest,
  { parents }: Pick<Resource, 'parents'>,
): string[] {
  return parents.map((parent) => parentText(request, parent));
}

/** A request with these texts for the parents of a resource in its path. */
export function withParentTexts(
  request: ValidRequest,
  { parents }: Pick<Resource, 'parents'>,
  texts: readonly string[],
): ValidRequest {
  const changed = parents.flatMap((parent, index): [string, string][] => {
    const text = texts[index];
    return text === undefined || text === parentText(request, parent)
      ? []
      : [[nameInPath(request, parent), text]];
  });
  if (changed.length === 0) return request;
  return {
    ...request,
    path: new Map([...request.path, ...changed]),
    parameters: new Map([
      ...request.parameters,
      ...changed.map(([name, text]) => [`path ${name}`, text] as const),
    ]),
  };
}

function parentText(request: PathRequest, parent: Parent): string {
  const name = nameInPath(request, parent);
  const value = request.parameters.get(`path ${name}`) ?? request.path.get(name) ?? '';
  return typeof value === 'string' ? value : String(value);
}

/** Paths of one resource can name a parameter differently, so its position decides. */
function nameInPath({ plan }: Pick<PathRequest, 'plan'>, { parameter, segment }: Parent): string {
  return plan.parentSegments.find(([, index]) => index === segment)?.[0] ?? parameter;
}
