import { plainName } from '../../contract/infer/infer-names.ts';
import { isDigits } from '../../contract/infer/record-fields.ts';
import type { LocatedNode, Schema } from '../../contract/model.ts';
import { fieldSays } from '../../contract/words/facts.ts';
import { leavesOutEmpty } from '../../contract/protocols/unspecified.ts';
import { equalJson } from '../../json/equal-json.ts';
import type { Pointer } from '../../json/pointer.ts';
import type { JsonObject, JsonValue } from '../../json/value.ts';
import { isJsonArray, isJsonObject, stringifyJson, isNumeric } from '../../json/value.ts';
import { formOfValue, formsOf } from '../../values/forms.ts';

/** A field whose value differs from the expected one. */
export interface Difference {
  readonly field: string;
  /** The place in the contract that declares the field. */
  readonly pointer: Pointer;
  readonly expected: JsonValue;
  readonly got: JsonValue | undefined;
  /**
   * The value is written differently, as by servers that normalise texts: another case, fewer
   * blanks, fewer decimals.
   */
  readonly rewritten?: true;
  /** Only blanks at the ends of a text are missing. */
  readonly trimmed?: true;
}

/**
 * How strict a comparison is: whether an expected field may be absent, and which fields are
 * ignored.
 */
export interface Comparison {
  /** The schema that declares the fields, one after the other. */
  readonly schema: Schema;
  readonly absent: 'fine' | 'different';
  /** In any spelling: a path may have `testId` for the field `test_id`. */
  readonly except: readonly string[];
  /**
   * The schemas in which responses show a record: a value that one of them rejects need not be
   * returned as sent.
   */
  readonly shown?: readonly Schema[];
  /** Whether surrounding blanks count. Default: no. */
  readonly blanks?: 'compared';
}

/**
 * Every field of a record whose value differs in another record. Integers are compared digit for
 * digit, dates as moments, texts without surrounding blanks and by Unicode normal form; nested
 * members that only one side has are ignored.
 */
export function compareRecords(
  expected: JsonObject,
  got: JsonObject,
  given: Comparison,
): Difference[] {
  const form = formsOf(given.schema).length > 0 ? formOfValue(given.schema, expected) : undefined;
  // A value that another schema allows violates none.
  if (
    form !== undefined &&
    directions.every((direction) => given.schema.validate(got, direction).length > 0)
  )
    return [];
  const comparison = { ...given, schema: form ?? given.schema, oneForm: form === undefined };
  const { properties } = comparison.schema.flatten();
  const except = new Set(given.except.map(plainName));
  const differences: Difference[] = [];
  for (const field in expected) {
    const value = expected[field] ?? null;
    const name = Object.hasOwn(got, field) ? field : ofForm(field);
    const other = Object.hasOwn(got, name) ? got[name] : undefined;
    if (other === undefined && isNothing(value) && leavesOutEmpty(given.schema)) continue;
    // Fast path: almost every field is returned as sent.
    const declared =
      value === other || except.has(plainName(field)) ? undefined : properties.get(field);
    const difference =
      declared &&
      differenceIn(
        { field: name, pointer: declared.pointer, expected: value, got: other },
        declared,
        comparison,
      );
    if (difference !== undefined) differences.push(difference);
  }
  return differences;
}

/** The field that a form fills by `tags[]`, which stands there once for each value: `tags`. */
export const ofForm = (name: string): string => name.replace(/\[\]$/, '');

/** Whether a value is what a Protocol Buffer has where nothing was set. */
function isNothing(value: JsonValue): boolean {
  return (
    value === 0 || value === false || value === '' || value === null || equalJson(value, emptyList)
  );
}

const emptyList: JsonValue = [];

function differenceIn(
  found: Difference,
  declared: LocatedNode,
  { schema, absent, blanks, shown, oneForm }: Comparison & { readonly oneForm: boolean },
): Difference | undefined {
  const { field, expected, got } = found;
  if (shown !== undefined && (isSetByService(shown, field) || isGivenUp(shown, schema, field)))
    return undefined;
  if (isExpanded(expected, got) || fieldSays(schema.flatten(declared), 'may-differ'))
    return undefined;
  const digits = inDigits(found, shown);
  if (digits !== undefined) return digits === expected ? undefined : found;
  if (isHidden(schema, declared) || (got === undefined && (absent === 'fine' || expected === null)))
    return undefined;
  if (blanks === 'compared' && isTrimmed(expected, got)) return { ...found, trimmed: true };
  if (got !== undefined && isAccountedFor(schema, declared, { expected, got, oneForm, absent }))
    return undefined;
  if (shown !== undefined && cannotBeShown(shown, field, expected)) return undefined;
  return isRewritten(expected, got) ? { ...found, rewritten: true } : found;
}

/**
 * The number that a response shows in place of one that was sent, where a schema in which responses
 * show the record writes the field as a text of digits.
 */
function inDigits(
  { field, expected, got }: Difference,
  forms: readonly Schema[] = [],
): number | undefined {
  if (typeof expected !== 'number' || typeof got !== 'string') return undefined;
  const isWritten = forms.some((form) => {
    const place = form.flatten().properties.get(field);
    return place !== undefined && isDigits(form.flatten(place));
  });
  return isWritten ? Number(got) : undefined;
}

/** Whether one side names a record, or several, and the other shows it with that name. */
function isExpanded(expected: JsonValue, got: JsonValue | undefined): boolean {
  if (isJsonArray(expected) && isJsonArray(got))
    return (
      expected.length > 0 &&
      expected.length === got.length &&
      expected.every((one, at) => isExpanded(one, got[at]))
    );
  const [record, name] = isJsonObject(got) ? [got, expected] : [expected, got];
  const isName = typeof name === 'string' || typeof name === 'number' || typeof name === 'bigint';
  return isJsonObject(record) && isName && name !== '' && Object.values(record).includes(name);
}

/**
 * Whether a schema of a response says that the service sets a field. A schema in which every field
 * is read-only says no more than that it is one of a response.
 */
function isSetByService(forms: readonly Schema[], field: string): boolean {
  return forms.some((form) => {
    const { properties } = form.flatten();
    const isReadOnly = (place: LocatedNode): boolean => form.flatten(place).node.readOnly === true;
    const place = properties.get(field);
    return place !== undefined && isReadOnly(place) && !properties.values().every(isReadOnly);
  });
}

/**
 * Whether a schema of a response calls a field deprecated, and that of the request does not: it is
 * shown for the sake of old clients, whatever was sent.
 */
function isGivenUp(forms: readonly Schema[], sent: Schema, field: string): boolean {
  const isDeprecated = (form: Schema): boolean => {
    const place = form.flatten().properties.get(field);
    return place !== undefined && form.flatten(place).node.deprecated === true;
  };
  return forms.some(isDeprecated) && !isDeprecated(sent);
}

const directions = ['response', 'request'] as const;

/**
 * Whether a schema in which responses show the record rejects a value: a server may then store it
 * differently, or omit it.
 */
export function cannotBeShown(forms: readonly Schema[], field: string, value: JsonValue): boolean {
  return forms.some((form) => {
    const place = form.flatten().properties.get(field);
    if (place === undefined) return false;
    // What only the service sets is missing in what was sent.
    return form
      .part(place)
      .validate(value, 'response')
      .some(({ keyword }) => keyword !== 'required');
  });
}

function isTrimmed(expected: JsonValue, got: JsonValue | undefined): boolean {
  return (
    typeof expected === 'string' &&
    typeof got === 'string' &&
    expected !== got &&
    expected.trim() === got
  );
}

/** Whether a value is the same in another notation. Accents, letters and digits must be equal. */
function isRewritten(expected: JsonValue, got: JsonValue | undefined): boolean {
  if (typeof expected === 'number' && typeof got === 'number')
    return !Number.isInteger(expected) && Math.abs(expected - got) <= 0.005;
  if (typeof expected !== 'string' || typeof got !== 'string') return false;
  const tidy = (text: string): string =>
    text.normalize('NFKC').replaceAll(/\s+/g, ' ').trim().toLowerCase().replace(/\/$/, '');
  return tidy(expected) === tidy(got) || isSameDay(expected, got);
}

/** A moment that was stored as its day, or the other way round. */
function isSameDay(expected: string, got: string): boolean {
  const [day, other] = [expected, got].map(
    (text) => /^(\d{4}-\d{2}-\d{2})(?:$|[Tt ]00:00)/.exec(text)?.[1],
  );
  return day !== undefined && day === other;
}

/** Whether a value is as expected, or a difference is reported by another check. */
function isAccountedFor(
  schema: Schema,
  declared: LocatedNode,
  {
    expected,
    got,
    oneForm,
    absent,
  }: Pick<Comparison, 'absent'> & {
    readonly expected: JsonValue;
    readonly got: JsonValue;
    readonly oneForm: boolean;
  },
): boolean {
  return (
    holds(expected, got, { schema, place: declared, absent, work: { left: maxCompared } }) ||
    isSameName(schema, declared, [expected, got]) ||
    (oneForm && breaksSchema(schema, declared, got))
  );
}

/** Names of hosts and mailboxes that servers store in one case. */
function isSameName(
  schema: Schema,
  place: LocatedNode,
  [expected, got]: readonly [JsonValue, JsonValue],
): boolean {
  const { format } = schema.flatten(place).node;
  return (
    ['email', 'idn-email', 'hostname', 'idn-hostname', 'uri', 'url'].includes(format ?? '') &&
    String(expected).toLowerCase() === String(got).toLowerCase()
  );
}

/** `body-matches-schema` reports a value that violates its schema. */
function breaksSchema(schema: Schema, declared: LocatedNode, value: JsonValue): boolean {
  return schema.part(declared).validate(value, 'response').length > 0;
}

/** Passwords and the like are never shown; values that the server sets are not compared. */
export function isHidden(schema: Schema, place: LocatedNode): boolean {
  const flat = schema.flatten(place).node;
  return flat.writeOnly === true || flat.readOnly === true || flat.format === 'password';
}

/** Where the contract declares a value, if it does. */
interface Declared {
  readonly schema: Schema;
  readonly place: LocatedNode | undefined;
  /** Whether a response may omit an empty member of a nested object. */
  readonly absent: Comparison['absent'];
  /** How many more values may be compared. */
  readonly work: { left: number };
}

/** Limits the comparison of nested lists; values beyond it count as equal. */
const maxCompared = 100_000;

function holds(expected: JsonValue, got: JsonValue, declared: Declared): boolean {
  if ((declared.work.left -= 1) < 0 || equalJson(expected, got)) return true;
  if (typeof expected === 'string' && typeof got === 'string') return isSameText(expected, got);
  if (isNumeric(expected) && isNumeric(got)) return sameNumber(expected, got, declared);
  if (isJsonArray(expected) && isJsonArray(got)) return sameList(expected, got, declared);
  if (!isJsonObject(expected) || !isJsonObject(got)) return false;
  const properties = declared.place && declared.schema.flatten(declared.place).properties;
  return Object.entries(expected).every(([key, value]) => {
    const member = { ...declared, place: properties?.get(key) };
    return (
      value === null ||
      (declared.absent === 'fine' && isEmpty(value) && !Object.hasOwn(got, key)) ||
      (member.place !== undefined && isHidden(member.schema, member.place)) ||
      holds(value, got[key] ?? null, member)
    );
  });
}

/** Whether a list or a text is empty: servers leave such members out. */
function isEmpty(value: JsonValue): boolean {
  return value === '' || (isJsonArray(value) && value.length === 0);
}

/**
 * A server may store a list as a set: in another order, and each item once. If the contract says
 * that the list keeps its order, it may not.
 */
function sameList(
  expected: readonly JsonValue[],
  got: readonly JsonValue[],
  declared: Declared,
): boolean {
  const { place, schema } = declared;
  const item = { ...declared, place: place && schema.flatten(place).items };
  const isAsLong =
    expected.length === got.length ||
    got.length === new Set(expected.map((one) => stringifyJson(one))).size;
  return isAsLong && expected.every((one) => got.some((other) => holds(one, other, item)));
}

/**
 * A fraction may be stored in 32 bits. Beyond 2^53 an integer must keep its digits only if the
 * contract promises 64 bits (RFC 8259, section 6).
 */
function sameNumber(
  expected: number | bigint,
  got: number | bigint,
  { schema, place }: Declared,
): boolean {
  if (typeof expected === 'number' && !Number.isInteger(expected))
    return Math.abs(expected - Number(got)) <= Math.abs(expected) * 1e-6;
  const format = place && schema.flatten(place).node.format;
  return format !== 'int64' && format !== 'uint64' && Number(expected) === Number(got);
}

const moment = /^\d{4}-\d{2}-\d{2}[Tt ]\d{2}:\d{2}:\d{2}(\.\d+)?([Zz]|[+-]\d{2}:\d{2})$/;
const uuid = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i;

/**
 * Whether two texts are the same value: blanks at the ends and Unicode forms do not count, nor the
 * case of a UUID (RFC 9562, section 4), of the scheme and host of a URL (RFC 3986, section 6.2.2.1)
 * and of the domain of a mailbox (RFC 5321, section 2.4); date-times are moments (RFC 3339).
 */
export function isSameText(expected: string, got: string): boolean {
  if (expected.normalize('NFC').trim() === got.normalize('NFC').trim()) return true;
  if (expected.length === got.length && caselessPart(expected) === caselessPart(got)) return true;
  if (!moment.test(expected) || !moment.test(got)) return false;
  return Math.abs(Date.parse(expected) - Date.parse(got)) < 1000;
}

/** A text whose parts without case are in lower case. */
function caselessPart(text: string): string {
  if (uuid.test(text)) return text.toLowerCase();
  const [, before = '', host, after = ''] =
    /^([a-z][\w+.-]*:\/\/)([^/?#@]*)([/?#].*)?$/i.exec(text) ??
    /^([^\s@]+@)([a-z\d-]+(?:\.[a-z\d-]+)+)$/i.exec(text) ??
    [];
  if (host === undefined) return text;
  const scheme = before.endsWith('@') ? before : before.toLowerCase();
  return `${scheme}${host.toLowerCase()}${after}`;
}

/**
 * The value of a field in a record; undefined if the record does not show it. A nested field has a
 * dotted name: `owner.name`.
 */
export function fieldOf(record: JsonObject, field: string): JsonValue | undefined {
  if (Object.hasOwn(record, field)) return record[field];
  let value: JsonValue | undefined = record;
  for (const name of field.split('.')) {
    const member = (one: JsonValue): JsonValue | undefined =>
      isJsonObject(one) && Object.hasOwn(one, name) ? one[name] : undefined;
    value = isJsonArray(value) ? value.flatMap((one) => member(one) ?? []) : member(value ?? null);
  }
  return value;
}

/**
 * The single values of a field: each item of a list, and none if the record has no value, or null.
 */
export function singleValues(record: JsonObject, field: string): JsonValue[] {
  const value = fieldOf(record, field);
  if (value === undefined || value === null) return [];
  // Array.isArray does not narrow a readonly array out of a union.
  return Array.isArray(value)
    ? (value as readonly JsonValue[]).filter((item) => item !== null)
    : [value];
}

/** Whether a list of objects has all that was sent, and others that the service added. */
export function isAddedTo({ expected, got = null }: Pick<Difference, 'expected' | 'got'>): boolean {
  if (!isJsonArray(expected) || !isJsonArray(got)) return false;
  const isSent = (one: JsonValue): boolean => expected.some((item) => equalJson(item, one));
  const others = got.filter((one) => !isSent(one));
  return got.length - others.length === expected.length && others.every(isJsonObject);
}
