import { joinPointer, splitPointer, type Pointer } from '../../json/pointer.ts';
import { explainParameters } from './explain-parameters.ts';
import { inferListParameters } from './infer-list-parameters.ts';
import { plainName, singularOf } from './infer-names.ts';
import type { FlatSchema, ListShape, LocatedNode, Operation, Schema, Resource } from '../model.ts';
import { objectMembers } from '../schema/object-members.ts';
import { lastWord } from './conventions/path-styles.ts';
import { successResponses } from '../select-response.ts';
import { findInItem, isAnyObject, isLink, successSchema } from './conventions/envelope-styles.ts';

/** A GET that returns records, and in which form. */
export interface ListReading extends Pick<Resource, 'record' | 'conventions' | 'why'> {
  readonly operation: Operation;
  readonly shape: ListShape;
}

/**
 * Interprets an operation as a list: a bare array of objects, an envelope around one, or a map of
 * records; `at` is the place that the configuration names.
 */
export function inferList(operation: Operation, at?: Pointer): ListReading | undefined {
  const body = successSchema(operation);
  if (body === undefined) return undefined;
  const found =
    at === undefined ? findRecords(body, lastWord(operation.path)) : recordsAt(body, at);
  if (found === undefined) return undefined;
  const parameters = inferListParameters(operation, found.schema);
  return {
    operation,
    record: found.schema,
    shape: {
      records: found.at,
      ...(found.wrapped === undefined ? {} : { wrapped: found.wrapped }),
      item: found.item,
      form: found.form,
      ...parameters,
      links: documentsLinks(operation),
    },
    conventions: found.conventions,
    why: [
      whereTheySit(found),
      ...explainParameters(parameters),
      ...(documentsLinks(operation)
        ? ['The header Link points to the other pages (RFC 8288).']
        : []),
    ],
  };
}

interface FoundRecords extends ListedRecord {
  readonly at: Pointer;
  readonly wrapped?: Pointer;
  readonly form: ListShape['form'];
}

/** The schema of the records in a list, and their place in each item. */
interface ListedRecord {
  readonly schema: Schema;
  readonly item: Pointer | undefined;
  readonly conventions: readonly string[];
}

/** Names under which an envelope holds its records. */
const listNames = new RegExp(
  '^(data|items|results?|records|entries|values|content|rows|elements|list|hits|objects|' +
    'resources|collection)$',
);
/** Names of members that wrap the content of an envelope one level deeper. */
const wrapperNames =
  /^(data|results?|response|payload|body|embedded|page|content|hits|collection|value)$/;

const maxDepth = 3;

function findRecords(body: Schema, word: string): FoundRecords | undefined {
  const place = { node: body.node, pointer: body.pointer };
  const among = findAmong(body, word);
  if (among !== undefined) return among;
  const bare = recordsOf(body, { place, word });
  if (bare !== undefined) return { ...bare, at: '', form: 'array' };
  return findInside({ body, word }, '', place, 1) ?? findMap(body, word);
}

/** A bare array or an envelope around it: `[…]`, and `{ "items": […], "page": 1 }` for a page. */
function findAmong(body: Schema, word: string): FoundRecords | undefined {
  const forms = alternativesOf(body).flatMap((form) => findRecords(form, word) ?? []);
  const bare = forms.find(({ at, form }) => at === '' && form === 'array');
  const wrapped = forms.find(({ at }) => at !== '')?.at;
  return bare === undefined || wrapped === undefined ? undefined : { ...bare, wrapped };
}

/** The schemas that a body has one or more of, and no more than that. */
function alternativesOf(body: Schema): Schema[] {
  const { node, pointer } = body.follow(body);
  if (typeof node !== 'object') return [];
  const keyword = node.oneOf === undefined ? 'anyOf' : 'oneOf';
  return (node[keyword] ?? []).map((branch, index) =>
    body.part(body.follow({ node: branch, pointer: joinPointer(pointer, keyword, index) })),
  );
}

/**
 * The only array of objects on a level, or the one with a typical name; otherwise those one level
 * deeper.
 */
function findInside(
  within: { readonly body: Schema; readonly word: string },
  at: Pointer,
  place: LocatedNode,
  depth: number,
): FoundRecords | undefined {
  const { body, word } = within;
  const flat = body.flatten(place);
  const lists = partsOf(body, place).flatMap((part) =>
    [...part.properties].flatMap(([name, property]) => {
      const listed = recordsOf(body, { place: property, word });
      return listed === undefined ? [] : [[name, listed] as const];
    }),
  );
  // A branch that describes the records is better evidence than one that only declares the array.
  const isTyped = ([, { schema }]: (typeof lists)[number]): boolean => !isAnyObject(schema);
  const byName = new Map([...lists.filter((one) => !isTyped(one)), ...lists.filter(isTyped)]);
  const all = [...byName].map(([name, listed]) => ({
    ...listed,
    at: joinPointer(at, name),
    form: 'array' as const,
  }));
  const rest = all.filter(({ schema }) => !isLink(schema));
  const arrays =
    rest.length === 0 || rest.length === all.length
      ? all
      : rest.map((one) => ({ ...one, conventions: [...one.conventions, 'list.beside-links'] }));
  const named = arrays.filter((found) => isListName(found.at, word));
  if (named.length === 1) return named[0];
  if (arrays.length === 1)
    return showsIdentity(flat) || isShownBy(body, place, arrays) ? undefined : arrays[0];
  if (depth === maxDepth) return undefined;
  const below = [...flat.properties].filter(
    ([name]) => wrapperNames.test(plainName(name)) && !showsIdentity(flat),
  );
  return below.flatMap(
    ([name, property]) => findInside(within, joinPointer(at, name), property, depth + 1) ?? [],
  )[0];
}

/**
 * Whether the records of a list show what holds the list: `Category` with the `Products` of which
 * each shows its `Category` is a record with a relation, and no envelope.
 */
function isShownBy(body: Schema, place: LocatedNode, lists: readonly ListedRecord[]): boolean {
  const { pointer } = body.follow(place);
  return lists.some(({ schema }) =>
    [...schema.flatten().properties.values()].some((member) => {
      const { oneOf, anyOf } = typeof member.node === 'object' ? member.node : {};
      const places = (oneOf ?? anyOf)?.map((node, index) => ({
        node,
        pointer: joinPointer(member.pointer, oneOf === undefined ? 'anyOf' : 'oneOf', index),
      }));
      return (places ?? [member]).some((one) => schema.follow(one).pointer === pointer);
    }),
  );
}

/**
 * A place as a whole, and each branch of its `allOf` separately: one may declare the list, and
 * another its items. Where it only names alternatives, the first of them that has a list: an
 * envelope with pages by number, or one with a cursor.
 */
function partsOf(body: Schema, place: LocatedNode): FlatSchema[] {
  const { node, pointer } = body.follow(place);
  const whole = body.flatten(place);
  if (typeof node !== 'object') return [whole];
  const branchesOf = (keyword: 'allOf' | 'anyOf' | 'oneOf'): FlatSchema[] =>
    (node[keyword] ?? []).map((branch, index) =>
      body.flatten({ node: branch, pointer: joinPointer(pointer, keyword, index) }),
    );
  const holdsList = ({ properties }: FlatSchema): boolean =>
    [...properties.values()].some((member) => body.flatten(member).types.includes('array'));
  const alternative =
    whole.properties.size > 0
      ? undefined
      : [...branchesOf('anyOf'), ...branchesOf('oneOf')].find(holdsList);
  return [...branchesOf('allOf'), ...(alternative === undefined ? [] : [alternative]), whole];
}

function isListName(at: Pointer, word: string): boolean {
  const name = splitPointer(at).at(-1) ?? '';
  return listNames.test(plainName(name)) || singularOf(name) === singularOf(word);
}

/** An object with an identifier is a record that contains a list, not an envelope. */
function showsIdentity({ properties }: FlatSchema): boolean {
  return [...properties.keys()].some((name) =>
    /^(id|uuid|guid|slug|username|email)$/.test(plainName(name)),
  );
}

/**
 * `{ "a1": { … }, "b2": { … } }`: an object without declared members, each of which is a record; or
 * such an object in an envelope.
 */
function findMap(body: Schema, word: string): FoundRecords | undefined {
  const own = mapAt(body, { at: '', place: { node: body.node, pointer: body.pointer }, word });
  if (own !== undefined) return own;
  const flat = body.flatten();
  if (showsIdentity(flat)) return undefined;
  const inside = [...flat.properties].flatMap(([name, place]) => {
    const at = joinPointer('', name);
    return isListName(at, word) ? (mapAt(body, { at, place, word }) ?? []) : [];
  });
  return inside.length === 1 ? inside[0] : undefined;
}

function mapAt(
  body: Schema,
  { at, place, word }: { readonly at: Pointer; readonly place: LocatedNode; readonly word: string },
): FoundRecords | undefined {
  const flat = body.flatten(place);
  const { others, properties, types } = flat;
  if (properties.size > 0 || typeof others?.node !== 'object' || !types.includes('object'))
    return undefined;
  const listed = listedRecord(body, { place: others, word });
  return listed === undefined || objectMembers(listed.schema).properties.size === 0
    ? undefined
    : { ...listed, at, form: 'map', conventions: ['list.map', ...listed.conventions] };
}

interface ListPlace {
  readonly place: LocatedNode;
  readonly word: string;
}

function recordsOf(body: Schema, { place, word }: ListPlace): ListedRecord | undefined {
  const array = body.flatten(place);
  if (!array.types.includes('array') || array.types.length > 2) return undefined;
  return array.items && listedRecord(body, { place: array.items, word });
}

function listedRecord(body: Schema, { place, word }: ListPlace): ListedRecord | undefined {
  const item = body.part(body.follow(place));
  if (isAnyObject(item)) return { schema: item, item: undefined, conventions: ['record.untyped'] };
  if (objectMembers(item).properties.size === 0) return undefined;
  const { at, schema, conventions } = findInItem(item, word);
  return { schema, item: at === '' ? undefined : at, conventions };
}

/** The records at the configured place: an array of objects with any name. */
function recordsAt(body: Schema, at: Pointer): FoundRecords | undefined {
  let place: LocatedNode = { node: body.node, pointer: body.pointer };
  for (const name of splitPointer(at)) {
    const next = body.flatten(place).properties.get(name);
    if (next === undefined) return undefined;
    place = next;
  }
  const listed = recordsOf(body, { place, word: splitPointer(at).at(-1) ?? '' });
  return listed && { ...listed, at, form: 'array' };
}

/** Whether the success of an operation has the header `Link` (RFC 8288). */
export function documentsLinks(operation: Operation): boolean {
  return successResponses(operation).some(({ headers }) =>
    headers.some(({ name }) => name.toLowerCase() === 'link'),
  );
}

function whereTheySit({ at, form }: FoundRecords): string {
  if (form === 'map') return 'The body of a list is a map from identifiers to records.';
  return at === ''
    ? 'The body of a list is the bare array of records.'
    : `The records of a list are at ${at} in its body.`;
}
