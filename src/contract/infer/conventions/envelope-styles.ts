import { contentForm, isJsonMediaType, matchesMediaRange } from '../../../http/media-type.ts';
import { joinPointer, type Pointer } from '../../../json/pointer.ts';
import type { Operation } from '../../model/operation.ts';
import type { FlatSchema, LocatedNode, Schema } from '../../model/schema.ts';
import { objectMembers } from '../../schema/object-members.ts';
import { successResponses } from '../../select-response.ts';
import { plainName, singularOf } from '../infer-names.ts';
import { lastWord, type Convention } from './path-styles.ts';
import { describesSame, isSameSchema } from '../record-fields.ts';
import { looksLike } from '../../../words-in.ts';

/** A member of a response body, as far as it shows an envelope. */
interface Member {
  readonly name: string;
  readonly schema: Schema;
  /** Whether the contract declares its members; an untyped one may hold any object. */
  readonly isTyped: boolean;
}

/** The context in which a response body is examined. */
interface Answer {
  /** The last word of the path, in the singular: `thing`. */
  readonly noun: string;
  /** All members of the object, objects or not. */
  readonly names: readonly string[];
  /** The record as other operations show it; undefined if unknown. */
  readonly known: Schema | undefined;
}

/** A way of wrapping one record in a response or a request. */
export interface EnvelopeStyle extends Convention {
  /** Whether a member holds the record. */
  holds(member: Member, answer: Answer): boolean;
}

/** The wrappers of one record, the most certain first. */
export const envelopeStyles: readonly EnvelopeStyle[] = [
  {
    id: 'envelope.same-schema',
    reason: 'A member has the schema, or the members, of the records that the list shows.',
    examples: ['{ "server_knowledge": 5, "transaction": { … } }'],
    holds: ({ schema }, { known }) => known !== undefined && describesSame(schema, known),
  },
  {
    id: 'envelope.by-noun',
    reason: 'A member is called like the records of the path, in the singular.',
    examples: ['/things → { "thing": { … } }', '/customer_categories → { "category": { … } }'],
    holds({ name, isTyped }, { noun }) {
      const own = singularOf(name);
      return isTyped && own.length > 1 && (noun === own || (own.length > 2 && noun.endsWith(own)));
    },
  },
  {
    id: 'envelope.by-name',
    reason: 'A member has a generic name for the content of a response.',
    examples: ['{ "data": { … } }', '{ "code": 0, "message": "ok", "result": { … } }'],
    holds: ({ name, isTyped }) => isTyped && wrapping.test(name),
  },
  {
    id: 'envelope.only-member',
    reason: 'The answer has one member, and that is an object with an identifier.',
    examples: ['/animals → { "creature": { "id": 5, … } }'],
    holds: ({ schema, isTyped }, { names }) =>
      isTyped && names.length === 1 && [...objectMembers(schema).properties.keys()].some(isStrong),
  },
  {
    id: 'envelope.untyped',
    reason: 'The member with the content may be any object: the record has no schema.',
    examples: ['{ "data": {}, "permissions": { … } }'],
    holds: ({ name, isTyped }, { noun }) =>
      !isTyped && (wrapping.test(name) || singularOf(name) === noun),
  },
];

/**
 * How records are placed in lists, and in response bodies that are not an envelope of one record.
 */
export const listStyles: readonly Convention[] = [
  {
    id: 'list.map',
    reason: 'A list is an object whose members are the records, by their identifiers.',
    examples: ['{ "a1": { … }, "b2": { … } }', '{ "things": { "a1": { … } } }'],
  },
  {
    id: 'envelope.item',
    reason: 'Each item of a list wraps its record, and says nothing else of it.',
    examples: ['[{ "hook": { "id": 5, … } }]'],
  },
  {
    id: 'envelope.list-of-one',
    reason: 'A create or a change returns a list with one record.',
    examples: ['POST /things → [{ "id": 5, … }]', 'POST /things → { "things": [{ … }] }'],
  },
  {
    id: 'list.beside-links',
    reason: 'Of two lists, the one whose items have an address and its relation is no records.',
    examples: ['{ "features": [{ … }], "links": [{ "rel": "next", "href": "…" }] }'],
  },
  {
    id: 'record.untyped',
    reason: 'The items of a list may be any object: what is posted is what is shown.',
    examples: ['{ "data": { "type": "array", "items": { "type": "object" } } }'],
  },
];

const wrapping =
  /^(data|result|results|item|record|response|payload|resource|object|entity|body|content|value|d)$/i;

/** Whether a member of an answer has a generic name for what is answered: `data`, `result`. */
export const isContentName = looksLike(wrapping);

/** Members that surround a wrapped record, and that no record itself has. */
const surrounding =
  /^(code|status|statuscode|message|messages|msg|success|ok|error|errors|errno|meta|metadata|links|included|timestamp|requestid|request|took|version|jsonapi|warnings|permissions|details|info)$/;

/** Names that only an identified record has. */
const isStrong = looksLike(/^(_?id|uuid|guid|gid|sid)$/i);

/** Names that records and some envelopes have. */
const isWeak = looksLike(/^(slug|key|name|code)$/i);

/** The place of the record in a body. */
export interface RecordPlace {
  /** `''` for the body itself, `/data` in an envelope, `/0` for a list of one. */
  readonly at: Pointer;
  readonly schema: Schema;
  readonly conventions: readonly string[];
}

const deepest = 3;

/**
 * The schema of an operation's first documented success in JSON, otherwise in XML; undefined if
 * there is none. With the fields of each record at its top.
 */
export function successSchema(operation: Pick<Operation, 'responses'>): Schema | undefined {
  const entries = successResponses(operation).flatMap((response) => response.content);
  const entry =
    entries.find(({ mediaType }) => isJsonMediaType(mediaType)) ??
    entries.find(({ mediaType }) => contentForm(mediaType) === 'xml');
  return entry?.records ?? entry?.schema;
}

/** Whether the successes of an operation are XML, and never JSON. */
export function speaksXml(operation: Operation): boolean {
  const types = successResponses(operation)
    .flatMap(({ content }) => content)
    .map(({ mediaType }) => contentForm(mediaType));
  return types.includes('xml') && !types.includes('json');
}

/** Whether an operation answers with documents of JSON:API, by their media type. */
export function speaksJsonApi(operation: Pick<Operation, 'responses'>): boolean {
  return speaks(operation, 'application/vnd.api+json');
}

/** Whether an operation answers with documents of a media type. */
export function speaks({ responses }: Pick<Operation, 'responses'>, media: string): boolean {
  return responses.some(({ content }) =>
    content.some(({ mediaType }) => matchesMediaRange(mediaType, media)),
  );
}

/**
 * The place of the record in an operation's success; `known` is the record as other operations show
 * it. Undefined if the body is not an object, or has no schema.
 */
export function recordPlace(operation: Operation, known?: Schema): RecordPlace | undefined {
  const schema = successSchema(operation);
  return schema && findRecord(schema, { word: lastWord(operation.path), known });
}

/** The place of one record in a body. */
export function findRecord(
  schema: Schema,
  { word, known }: { readonly word: string; readonly known?: Schema | undefined },
): RecordPlace | undefined {
  const sought = { noun: singularOf(word), known };
  if (!isObject(schema)) return findInList(schema, '', sought);
  const found = findInside({ at: '', schema, conventions: [] }, sought);
  if (known === undefined || isSameSchema(found.schema, known)) return found;
  // `{ "things": [{ … }] }`: a list of other things is no answer to a create of one.
  const { properties } = schema.flatten();
  const isOnly = properties.size === 1;
  const [name, place] =
    [...properties].find(([each]) => isOnly || plainName(each) === plainName(word)) ?? [];
  const list = place && schema.part(schema.follow(place));
  return (list && findInList(list, joinPointer('', name ?? ''), sought)) ?? found;
}

/** A create may respond with a list of one record, which other operations show. */
function findInList(schema: Schema, at: Pointer, sought: Sought): RecordPlace | undefined {
  const item = itemOf(schema);
  const { known } = sought;
  if (item === undefined || known === undefined || !isObject(item)) return undefined;
  const place = {
    at: joinPointer(at, '0'),
    schema: item,
    conventions: ['envelope.list-of-one'],
  };
  const found = findInside(place, sought);
  return isSameSchema(found.schema, known) ? found : undefined;
}

interface Sought {
  readonly noun: string;
  readonly known: Schema | undefined;
}

function findInside(place: RecordPlace, sought: Sought): RecordPlace {
  const { at, schema, conventions } = place;
  const depth = at.split('/').length - 1;
  const { known } = sought;
  if (depth >= deepest || (known !== undefined && isSameSchema(schema, known))) return place;
  const { properties } = schema.flatten();
  const names = [...properties.keys()];
  if (names.some(isStrong)) return place;
  const members = [...properties].flatMap(([name, property]) => readMember(schema, name, property));
  for (const style of envelopeStyles) {
    const [member, ...others] = members.filter((each) => style.holds(each, { ...sought, names }));
    if (member === undefined || others.length > 0) continue;
    const isKnown = known !== undefined && isSameSchema(member.schema, known);
    if (!isKnown && names.some(isWeak) && !isEnvelope(names, member)) return place;
    const inner: RecordPlace = {
      at: joinPointer(at, member.name),
      schema: member.schema,
      conventions: [...conventions, style.id],
    };
    return member.isTyped ? findInside(inner, sought) : inner;
  }
  return place;
}

/** `{ "code": 0, "message": "ok", "data": { "id": 5 } }` is not a record with a code. */
function isEnvelope(names: readonly string[], { name: own, schema }: Member): boolean {
  return (
    [...objectMembers(schema).properties.keys()].some((name) => isStrong(name) || isWeak(name)) &&
    names.every((name) => name === own || surrounding.test(plainName(name)))
  );
}

/**
 * The place of the record in each item of a list: `/hook` if items are `{ "hook": { … } }`, and
 * `''` for nearly all lists. The members beside the record must not describe it.
 */
export function findInItem(item: Schema, word: string): RecordPlace {
  const bare: RecordPlace = { at: '', schema: item, conventions: [] };
  const found = isObject(item) ? findRecord(item, { word }) : undefined;
  if (found === undefined) return bare;
  if (found.at === '') return wrappedRecord(item, word) ?? bare;
  const names = [...item.flatten().properties.keys()];
  const own = found.at.split('/')[1];
  return names.every((name) => name === own || surrounding.test(plainName(name)))
    ? { ...found, conventions: ['envelope.item', ...found.conventions] }
    : (wrappedRecord(item, word) ?? bare);
}

/**
 * The record in an item that says how it was found, and has no name of its own: `{ "cursor",
 * "node": { "id" } }`, `{ "fullUrl", "resource": { "id" }, "search": { "mode" } }`. A number or a
 * flag beside it makes the item a record itself, such as a line with a quantity.
 */
function wrappedRecord(item: Schema, word: string): RecordPlace | undefined {
  const { properties } = item.flatten();
  if ([...properties.keys()].some(isStrong)) return undefined;
  const members = [...properties].map(([name, place]) => ({
    name,
    schema: branchNamed(item.part(item.follow(place)), singularOf(word)),
  }));
  const held = members.filter(({ name, schema }) => {
    const isContent = isContentName(name) || /^_?(?:node|source)$/i.test(name);
    return isContent && [...schema.flatten().properties.keys()].some(isStrong);
  });
  const [own] = held;
  const isPlain = members.every(
    ({ name, schema }) =>
      name === own?.name ||
      schema.flatten().types.every((type) => /^(?:string|object)$/.test(type)),
  );
  return own === undefined || held.length > 1 || !isPlain
    ? undefined
    : { at: joinPointer('', own.name), schema: own.schema, conventions: ['envelope.item'] };
}

/** Of the kinds that a place may hold, the one that the document calls by a noun. */
function branchNamed(schema: Schema, noun: string): Schema {
  const { node } = schema;
  if (typeof node !== 'object') return schema;
  const branches = (['oneOf', 'anyOf', 'allOf'] as const).flatMap((keyword) =>
    (node[keyword] ?? []).map((branch, index) =>
      schema.part(
        schema.follow({ node: branch, pointer: joinPointer(schema.pointer, keyword, index) }),
      ),
    ),
  );
  const isNamed = ({ pointer }: Schema): boolean =>
    plainName(pointer.split('/').at(-1) ?? '') === plainName(noun);
  const inner = branches.map((branch) => (isNamed(branch) ? branch : branchNamed(branch, noun)));
  return inner.find(isNamed) ?? schema;
}

/** Whether an object is a link: it has an address and its relation (RFC 8288). */
export function isLink(schema: Schema): boolean {
  const { properties } = schema.flatten();
  const hasOneOf = (...names: readonly string[]): boolean =>
    names.some((name) => properties.has(name));
  return hasOneOf('href', 'url', 'uri') && hasOneOf('rel', 'relation');
}

function readMember(schema: Schema, name: string, property: LocatedNode): Member[] {
  const part = schema.part(schema.follow(property));
  if (isObject(part)) return [{ name, schema: part, isTyped: true }];
  return isAnyObject(part) ? [{ name, schema: part, isTyped: false }] : [];
}

/** Whether a schema describes an object with named members. */
function isObject(schema: Schema): boolean {
  return schema.flatten().types.includes('object') && objectMembers(schema).properties.size > 0;
}

/** Whether a schema describes an object and none of its members. */
export function isAnyObject(schema: Schema): boolean {
  const { types, properties, node } = schema.flatten();
  const { additionalProperties: others } = node;
  return (
    types.length === 1 &&
    types[0] === 'object' &&
    properties.size === 0 &&
    node.oneOf === undefined &&
    node.anyOf === undefined &&
    (others === undefined || others === true || isEmptyNode(others))
  );
}

function isEmptyNode(node: FlatSchema['node'] | boolean): boolean {
  return typeof node === 'object' && Object.keys(node).length === 0;
}

function itemOf(schema: Schema): Schema | undefined {
  const { items, types } = schema.flatten();
  if (!types.includes('array') || types.length > 2 || items === undefined) return undefined;
  return schema.part(schema.follow(items));
}
