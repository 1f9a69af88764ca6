import { once } from '../contract/lazy.ts';
import type { Direction, Schema } from '../contract/model.ts';
import type { JsonObject, JsonValue } from '../json/value.ts';
import { isJsonArray, isJsonObject, objectOf } from '../json/value.ts';
import type { Pin } from './build-orders.ts';
import { type Facet, type View, viewOf } from './view.ts';
import { looksLike } from '../words-in.ts';

/**
 * The forms of a schema that consists only of `oneOf` or `anyOf`, without those that a value
 * matches.
 */
export function otherForms(schema: Schema, value: JsonValue, direction: Direction): Schema[] {
  return formsOf(schema).filter((form) => !form.accepts(value, direction));
}

/** The forms of a schema with `oneOf` or `anyOf`; empty if it also declares members. */
export function formsOf(schema: Schema): Schema[] {
  return schema.flatten().properties.size > 0 ? [] : branchesOf(schema).map(({ branch }) => branch);
}

function branchesOf(schema: Schema): { readonly branch: Schema; readonly reference: string }[] {
  return schema.flatten().branches.map((place) => ({
    branch: schema.part(schema.follow(place)),
    reference: (typeof place.node === 'object' ? place.node.$ref : undefined) ?? '',
  }));
}

/**
 * The branch of a schema that describes a value: the one that its discriminator names (OpenAPI 3.1,
 * section 4.8.25), else the first that accepts it. Undefined if none does, or there are none.
 */
export function formOfValue(schema: Schema, value: JsonValue): Schema | undefined {
  const branches = branchesOf(schema);
  const { discriminator } = schema.flatten().node;
  const { propertyName, mapping } = objectOf(discriminator);
  const word =
    typeof propertyName === 'string' && isJsonObject(value) ? value[propertyName] : undefined;
  const mapped = isJsonObject(mapping) && typeof word === 'string' ? mapping[word] : undefined;
  const named = branches.find(
    ({ reference }) =>
      reference !== '' &&
      (mapped === undefined
        ? lastToken(reference) === word
        : mapped === reference || mapped === lastToken(reference)),
  );
  const accepting = named ?? branches.find(({ branch }) => accepts(branch, value));
  return accepting?.branch;
}

function accepts(schema: Schema, value: JsonValue): boolean {
  return schema.accepts(value, 'request') || schema.accepts(value, 'response');
}

/**
 * The members of an object that only another form of its schema declares: valid, as nothing
 * excludes them, but nobody's data.
 */
export function alienMembers(schema: Schema, value: JsonObject): string[] {
  const form = formOfValue(schema, value);
  if (form === undefined) return [];
  const own = [schema, form].map((one) => one.flatten().properties);
  const others = branchesOf(schema).map(({ branch }) => branch.flatten().properties);
  return Object.keys(value).filter(
    (name) =>
      !own.some((members) => members.has(name)) && others.some((members) => members.has(name)),
  );
}

/** Whether a value, or a part of it, has members of another form than its own. */
export function mixesForms(schema: Schema, value: JsonValue): boolean {
  const { properties, items } = schema.flatten();
  if (isJsonArray(value)) {
    if (items === undefined) return false;
    const item = schema.part(schema.follow(items));
    return value.some((one) => mixesForms(item, one));
  }
  if (!isJsonObject(value)) return false;
  const members = new Map([
    ...properties,
    ...(formOfValue(schema, value)?.flatten().properties ?? []),
  ]);
  return (
    alienMembers(schema, value).length > 0 ||
    Object.entries(value).some(([name, held]) => {
      const place = members.get(name);
      return place !== undefined && mixesForms(schema.part(place), held);
    })
  );
}

/**
 * Pins that restrict a value to each form of a schema in turn, including the forms of a
 * discriminator. Empty without forms.
 */
export function formPins(schema: Schema): Pin[] {
  const isBare = schema.flatten().properties.size === 0;
  const group = viewOf(schema, [schema]).groups.find(
    ({ keyword }) => keyword === 'discriminator' || (keyword !== 'if' && isBare),
  );
  return (group?.branches ?? []).flatMap((rules, branch) =>
    group === undefined || rules.length === 0 ? [] : [{ group: group.pointer, branch }],
  );
}

/**
 * The discriminator values of a view (OpenAPI 3.1, section 4.8.25), by property name: the mapping
 * key of the chosen schema, or the name of that schema.
 */
export const discriminatorOf = once((view: View): ReadonlyMap<string, string> | undefined => {
  const found = view.facets.flatMap((facet) => entryOf(view, facet));
  return found.length === 0 ? undefined : new Map(found);
});

function entryOf(view: View, facet: Facet): [string, string][] {
  const discriminator = facet.node['discriminator'];
  if (!isJsonObject(discriminator) || typeof discriminator['propertyName'] !== 'string') return [];
  const mapping = Object.entries(
    isJsonObject(discriminator['mapping']) ? discriminator['mapping'] : {},
  );
  const taken = takenReference(view, facet);
  // Of a form and its parent schema, the form is named.
  const named = view.facets
    .map(({ pointer }) => pointer)
    .sort((left, right) => Number(left === facet.pointer) - Number(right === facet.pointer));
  const references =
    taken === undefined ? named.map((pointer) => `#${pointer}`).filter(isNamed) : [taken];
  const mapped = references.flatMap((reference) =>
    mapping.filter(([, target]) => target === reference || target === lastToken(reference)),
  )[0];
  const value =
    mapped?.[0] ??
    (taken === undefined ? mapping[0]?.[0] : undefined) ??
    lastToken(references[0] ?? '');
  return value === '' ? [] : [[discriminator['propertyName'], value]];
}

/** The `$ref` of the chosen branch, if the discriminator is beside the branches. */
function takenReference(view: View, facet: Facet): string | undefined {
  const group = view.groups.find(
    ({ keyword, pointer }) =>
      (keyword === 'oneOf' || keyword === 'anyOf') && pointer === `${facet.pointer}/${keyword}`,
  );
  const branch = group?.branches[view.taken.get(group.pointer) ?? -1]?.[0]?.node;
  return typeof branch === 'object' ? branch.$ref : undefined;
}

const isNamed = looksLike(/^#\/(components\/schemas|\$defs)\/[^/]+$/);

function lastToken(reference: string): string {
  return reference.slice(reference.lastIndexOf('/') + 1);
}
