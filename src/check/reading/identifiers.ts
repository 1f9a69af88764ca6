import { repeatKeys } from '../../contract/words/read-repeats.ts';
import type { IdentifierPath } from '../model/request-template.ts';
import { createHash } from 'node:crypto';
import { plainName } from '../../contract/infer/infer-names.ts';
import type { ForeignKey, LocatedNode, Operation, Resource, Schema } from '../../contract/model.ts';
import { documents } from '../../contract/select-response.ts';
import { equalJson } from '../../json/equal-json.ts';
import {
  joinPointer,
  type Pointer,
  splitPointer,
  valueAt,
  withValueAt,
} from '../../json/pointer.ts';
import { isJsonArray, isJsonObject, type JsonObject, type JsonValue } from '../../json/value.ts';
import { periodOf } from '../../contract/words/periods.ts';
import { uniqueInChange } from '../../contract/words/read-unique.ts';
import { looksLike } from '../../words-in.ts';

/** Names of members for the identifier, if no resource says which it is. */
const identifierNames = ['id', '_id', 'uuid', 'guid'];

/**
 * Where a body contains the identifier of the record that it creates: the identifier of the
 * resource, otherwise a member with a usual name, at the top or in an envelope; undefined if there
 * is none.
 */
export function findIdentifier(
  body: JsonValue,
  field: string | undefined,
): IdentifierPath | undefined {
  if (!isJsonObject(body)) return undefined;
  const names = field === undefined ? identifierNames : [field];
  const own = names.find((name) => Object.hasOwn(body, name));
  if (own !== undefined) return [own];
  const [envelope, ...others] = Object.entries(body);
  if (envelope === undefined || others.length > 0 || !isJsonObject(envelope[1])) return undefined;
  const inner = names.find((name) => Object.hasOwn(envelope[1] as JsonObject, name));
  return inner === undefined ? undefined : [envelope[0], inner];
}

/** The identifier in a body; undefined if it is absent, null or not a scalar. */
export function identifierIn(body: JsonValue, path: IdentifierPath): JsonValue | undefined {
  const value = valueAt(body, joinPointer('', ...path));
  return typeof value === 'object' ? undefined : value;
}

export function placeIdentifier(
  body: JsonValue,
  path: IdentifierPath,
  value: JsonValue,
): JsonValue {
  return withValueAt(body, joinPointer('', ...path), value);
}

/** Integers that no counter reaches; a double holds them exactly. */
const wide = { from: 4_503_599_627_370_496, size: 4_000_000_000_000_000 };
/** The same for services with 32-bit integers. */
const narrow = { from: 1_200_000_000, size: 900_000_000 };

/** Whether a number is one of those that a run makes up, which no counter reaches. */
export function isOwnNumber(value: JsonValue): boolean {
  if (typeof value !== 'number' && typeof value !== 'bigint') return false;
  return [wide, narrow].some(({ from, size }) => value >= from && value < from + size);
}

/**
 * The body with an identifier made from `salt`; the same salt gives the same one. It has the type
 * of the one before and follows the schema; if none does, the body is returned unchanged. Without a
 * schema it has the form of the one before.
 */
export function withOwnIdentifier(
  body: JsonValue,
  {
    path,
    schema,
    salt,
  }: { readonly path: IdentifierPath; readonly schema: Schema | undefined; readonly salt: string },
): JsonValue {
  const before = identifierIn(body, path);
  // A text with the salt in it is unique already.
  if (before === undefined || String(before).includes(salt)) return body;
  const isValid = schema === undefined || schema.accepts(body, 'request');
  const all = candidates(before, salt, isInt64(schema, path));
  if (schema === undefined) {
    const alike = all.find((made) => isInFormOf(before, made)) ?? all[0];
    return alike === undefined ? body : placeIdentifier(body, path, alike);
  }
  for (const made of all) {
    const changed = placeIdentifier(body, path, made);
    if (!isValid || schema.accepts(changed, 'request')) return changed;
  }
  return body;
}

/** Whether two identifiers that runs made up are of one kind: a mark, hex digits, a UUID, a form. */
function isInFormOf(model: JsonValue, made: JsonValue): boolean {
  if (typeof model !== 'string' || typeof made !== 'string')
    return typeof model === typeof made && String(model).length === String(made).length;
  const kinds = [/^vouch-[\w-]+$/, /^(?:[0-9a-f]{16}|[0-9a-f]{24}|[0-9a-f]{32})$/, uuidForm];
  const kind = kinds.find((one) => one.test(model));
  if (kind !== undefined)
    return kind.test(made) && (model.length === made.length || kind === kinds[0]);
  return isSameForm(model, made);
}

/** Whether two texts have letters and digits in the same places: `AB-12` and `XY-07`. */
export function isSameForm(left: string, right: string): boolean {
  const [one, other] = [left, right].map((text) =>
    text.replaceAll(/\d/g, '0').replaceAll(/[a-z]/g, 'a').replaceAll(/[A-Z]/g, 'A'),
  );
  return one === other;
}

function candidates(before: JsonValue, salt: string, int64: boolean): JsonValue[] {
  const digest = createHash('sha256').update(salt).digest('hex');
  if (typeof before === 'number' || typeof before === 'bigint') {
    const part = Number.parseInt(digest.slice(0, 13), 16);
    const make = ({ from, size }: typeof wide): number => from + (part % size);
    // A service with bounds for its numbers takes those of as many digits.
    const near = [0, 1, 2, 3].map((at) => Number(inFormOf(String(before), digest.slice(at))));
    return [
      ...(int64 || isWide(before) ? [make(wide)] : []),
      make(narrow),
      ...(before >= 1_000 && !isWide(before) ? near : []),
    ];
  }
  if (typeof before !== 'string') return [];
  const uuid = [
    digest.slice(0, 8),
    digest.slice(8, 12),
    `4${digest.slice(13, 16)}`,
    `a${digest.slice(17, 20)}`,
    digest.slice(20, 32),
  ].join('-');
  // The mark of a run shows users the origin of the record.
  const text = /^vouch-[\w-]+$/.test(salt) ? salt : `vouch-${digest.slice(0, 16)}`;
  return uuidForm.test(before)
    ? [uuid, text, digest.slice(0, 32)]
    : [text, digest.slice(0, 16), digest.slice(0, 24), uuid, inFormOf(before, digest)];
}

/**
 * A text with other letters and digits in the same places, as a pattern may require: `AB-12`. A
 * number that begins it stays one.
 */
export function inFormOf(model: string, digest: string): string {
  let at = 0;
  const start = model.startsWith('-') ? 1 : 0;
  const next = (size: number): number =>
    Number.parseInt(digest.slice((at = (at + 2) % 60), at + 2), 16) % size;
  return model
    .replaceAll(/\d/g, (digit, place) =>
      String(place === start && digit !== '0' ? 1 + next(9) : next(10)),
    )
    .replaceAll(/[a-z]/g, () => String.fromCodePoint(97 + next(26)))
    .replaceAll(/[A-Z]/g, () => String.fromCodePoint(65 + next(26)));
}

const uuidForm = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

function isWide(value: number | bigint): boolean {
  return value >= wide.from && value < wide.from + wide.size;
}

function isInt64(schema: Schema | undefined, path: IdentifierPath): boolean {
  let at: LocatedNode | undefined = schema?.flatten();
  for (const name of path) {
    const place: LocatedNode | undefined = at && schema?.flatten(at).properties.get(name);
    at = place && schema?.flatten(place);
  }
  return typeof at?.node === 'object' && at.node.format === 'int64';
}

/** Names of members by which services look up a record, besides its identifier. */
const keyNames = new RegExp(
  '^(tag|key|slug|code|handle|login|user_?name|email|ref|reference|symbol|sku|isbn|domain|' +
    'host(name)?|path|zone)$',
  'i',
);

/** Whether a member may be a key: a create that repeats the key of a record may overwrite it. */
export const isKeyLike = looksLike(keyNames);

const criteriaNames = /^criteria$|matchers?$|selectors?$/i;

/** Whether a place in a body is, or is in, a member that selects other records. */
export function isCriterion(at: Pointer): boolean {
  return splitPointer(at).some((name) => criteriaNames.test(name));
}

/**
 * The members of a body that select other records, such as the `matchers` of a silence, at any
 * depth.
 */
export function criteriaIn(value: JsonValue): JsonValue[] {
  if (isJsonArray(value)) return value.flatMap(criteriaIn);
  if (!isJsonObject(value)) return [];
  return Object.entries(value).flatMap(([name, member]) =>
    criteriaNames.test(name) ? [member] : criteriaIn(member),
  );
}

/** Names of texts that users read, the most likely first. */
const readNames = [/name|title|label/i, /subject|description|message|comment|note|text/i];

/**
 * Lengths that fit a name, a blank and the mark of a run: the first fits all names, the second
 * most.
 */
const usefulLengths = [80, 40];

/** The texts of a body that a run can mark. Each list is computed on first use. */
export class BodyTexts {
  readonly #schema: Schema | undefined;
  readonly #operation: Operation;
  readonly #create: Operation | undefined;
  #free: readonly FreeText[] | undefined;
  #keys: readonly string[] | undefined;
  #freeText: { readonly name: string | undefined } | undefined;
  #unique: readonly string[] | undefined;
  #addresses: readonly string[] | undefined;
  #coded: readonly string[] | undefined;
  #repeats: readonly string[] | undefined;
  #period: { readonly names: readonly [string, string] | undefined } | undefined;

  /** `create` makes the records that the operation changes. */
  constructor(schema: Schema | undefined, operation: Operation, create?: Operation) {
    this.#schema = schema;
    this.#operation = operation;
    this.#create = create;
  }

  /** The field that accepts any text and is most likely to be shown to users. */
  get freeText(): string | undefined {
    return (this.#freeText ??= { name: maxRead(this.#freeTexts()) }).name;
  }

  /** The free texts that may be keys, by their names or by their descriptions. */
  get keys(): readonly string[] {
    return (this.#keys ??= this.#findKeys());
  }

  /** The texts of a form, such as `AB-12`: two records seldom have the same. */
  get coded(): readonly string[] {
    const schema = this.#schema;
    if (schema === undefined) return [];
    return (this.#coded ??= [...schema.flatten().properties].flatMap(([name, place]) => {
      const { node } = schema.flatten(place);
      const isForm = node.pattern !== undefined && node.enum === undefined;
      return isForm && node.readOnly !== true && !takesWords(schema, place) ? [name] : [];
    }));
  }

  /** The texts that mark repetitions: a request with that of another one does nothing. */
  get repeats(): readonly string[] {
    const schema = this.#schema;
    return (this.#repeats ??=
      schema === undefined ? [] : repeatKeys(this.#operation, schema).map(({ name }) => name));
  }

  /** The fields that descriptions call unique. */
  get unique(): readonly string[] {
    const schema = this.#schema;
    return (this.#unique ??=
      schema === undefined
        ? []
        : uniqueInChange(this.#operation, schema, this.#create).map(({ name }) => name));
  }

  #findKeys(): string[] {
    const isKey = (name: string): boolean => isKeyLike(name) || this.unique.includes(name);
    return this.#freeTexts().flatMap(({ name }) => (isKey(name) ? [name] : []));
  }

  /**
   * The fields with the beginning and the end of a period, in which another record may prevent a
   * create: two bookings of one room.
   */
  get period(): readonly [begin: string, end: string] | undefined {
    const schema = this.#schema;
    if (schema === undefined || !documents(this.#operation, '409')) return undefined;
    return (this.#period ??= { names: periodOf(schema) }).names;
  }

  /** The e-mail addresses. */
  get addresses(): readonly string[] {
    const schema = this.#schema;
    if (schema === undefined) return [];
    return (this.#addresses ??= [...schema.flatten().properties].flatMap(([name, place]) =>
      schema.flatten(place).node.format === 'email' ? [name] : [],
    ));
  }

  #freeTexts(): readonly FreeText[] {
    return (this.#free ??= this.#schema === undefined ? [] : freeTexts(this.#schema));
  }
}

/** The length of the longest word that is taken for a key. */
const longestKey = 64;

/** Whether a value is one word, as a key is; a run marks other texts. */
export function isWord(value: JsonValue | undefined): value is string {
  return typeof value === 'string' && /^\S+$/.test(value) && value.length <= longestKey;
}

function maxRead(free: readonly FreeText[]): string | undefined {
  return usefulLengths.flatMap((least) =>
    readNames.flatMap((pattern) =>
      free.filter(({ name, length }) => length >= least && pattern.test(name)),
    ),
  )[0]?.name;
}

interface FreeText {
  readonly name: string;
  /** The longest text that it takes. */
  readonly length: number;
}

/** Words with the mark of a run. */
const someWords = 'Two words vouch-0123ab-45cdef';

/** Whether a field has no pattern, or one that only leaves out some characters. */
function takesWords(schema: Schema, place: LocatedNode): boolean {
  const { node } = schema.flatten(place);
  return node.pattern === undefined || schema.part(place).accepts(someWords, 'request');
}

/** The fields that take any text. */
function freeTexts(schema: Schema): FreeText[] {
  return [...schema.flatten().properties].flatMap(([name, place]) => {
    const { node, types } = schema.flatten(place);
    const isBound =
      node.enum !== undefined ||
      node.const !== undefined ||
      node.format !== undefined ||
      node.readOnly === true ||
      !types.includes('string') ||
      types.length > 2;
    return !isBound && takesWords(schema, place)
      ? [{ name, length: node.maxLength ?? Infinity }]
      : [];
  });
}

/** Whether a name is that of a reference to another record: `ownerId`, `category_id`. */
export const isReference = looksLike(
  /(^|[a-z0-9])(Id|ID|Ids|Uuid|Ref)$|[_-](id|ids|uuid|ref)$|^(id|uuid|ref)$/,
);

/** Whether a body refers to another record than the plain body, if any, does in the same place. */
export function refersAnew(value: JsonValue, plain?: JsonValue): boolean {
  if (isJsonArray(value))
    return value.some((item, index) =>
      refersAnew(item, isJsonArray(plain) ? plain[index] : undefined),
    );
  if (!isJsonObject(value)) return false;
  return Object.entries(value).some(([name, member]) => {
    const usual = isJsonObject(plain) && Object.hasOwn(plain, name) ? plain[name] : undefined;
    return (
      (isReference(name) && !(usual !== undefined && equalJson(member, usual))) ||
      refersAnew(member, usual)
    );
  });
}

/** Where a code stands in a body: a member by its name, or what a pointer leads to. */
export function placeOfCode(code: string): Pointer {
  return code.startsWith('/') ? code : joinPointer('', code);
}

/**
 * The keys of a record as a body writes them: `client_id` where the record shows `client: { id }`.
 */
export function keysIn(
  { foreignKeys }: Pick<Resource, 'foreignKeys'>,
  names: Iterable<string>,
): readonly ForeignKey[] {
  const sent = new Map([...names].map((name) => [plainName(name), name]));
  const keys = foreignKeys.map((key) => {
    const field = sent.get(plainName(key.field));
    return field === undefined ? key : { ...key, field };
  });
  // Records may show a key and the record beside it.
  return [...new Map(keys.map((key) => [key.field, key])).values()];
}

/** A record with such keys as a body writes them, besides the objects that show them. */
export function withKeysAsSent(
  resource: Pick<Resource, 'foreignKeys'>,
  body: JsonObject,
  record: JsonObject,
): JsonObject {
  const { foreignKeys } = resource;
  const keys = keysIn(resource, Object.keys(body)).flatMap(({ field }, at) => {
    const path = foreignKeys[at]?.field.split('.') ?? [];
    const shown = valueAt(record, joinPointer('', ...path));
    return shown === undefined || Object.hasOwn(record, field) ? [] : [[field, shown] as const];
  });
  return { ...record, ...Object.fromEntries(keys) };
}
