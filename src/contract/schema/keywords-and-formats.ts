import type { Format, FuncKeywordDefinition } from 'ajv';
import { fullFormats } from 'ajv-formats/dist/formats.js';
import { _, type Code, type CodeKeywordDefinition, type KeywordCxt } from 'ajv/dist/2020.js';
import { toDecimal, unitsAt } from '../../json/decimal.ts';
import { canonicalJson, equalJson } from '../../json/equal-json.ts';
import { isNumeric, type JsonObject, type JsonValue, mapMembers } from '../../json/value.ts';
import type { WorkMeter } from './work-meter.ts';

/**
 * Ajv knows only doubles. For a value with a `bigint`, these keywords replace the standard ones of
 * the same name (JSON Schema Validation 2020-12, sections 6.1 and 6.2), and compare every digit.
 */
export const exactKeywords: Readonly<
  Record<string, (expected: never, value: JsonValue) => boolean>
> = {
  type: (expected: string | readonly string[], value) =>
    [expected].flat().some((type) => hasType(type, value)),
  enum: (expected: JsonValue[], value) =>
    Array.isArray(expected) && expected.some((item) => equalJson(item, value)),
  const: (expected: JsonValue, value) => equalJson(expected, value),
  minimum: (expected: number | bigint, value) => !isNumeric(value) || value >= expected,
  maximum: (expected: number | bigint, value) => !isNumeric(value) || value <= expected,
  exclusiveMinimum: (expected: number | bigint, value) => !isNumeric(value) || value > expected,
  exclusiveMaximum: (expected: number | bigint, value) => !isNumeric(value) || value < expected,
  multipleOf: (expected: number | bigint, value) =>
    !isNumeric(value) || isMultiple(value, expected),
};

/** The name under which the exact form of a standard keyword is compiled. */
export function exactName(keyword: string): string {
  return `exact${keyword[0]?.toUpperCase() ?? ''}${keyword.slice(1)}`;
}

/** The standard keyword of an exact one; any other name is returned unchanged. */
export function standardName(keyword: string): string {
  return standardNames.get(keyword) ?? keyword;
}

const standardNames: ReadonlyMap<string, string> = new Map(
  Object.keys(exactKeywords).map((name) => [exactName(name), name]),
);

/** Enumerations up to this size are compared one by one; larger ones use a lookup. */
const maxComparedValues = 16;

/** Whether a keyword needs its exact form for every value: Ajv divides doubles. */
export function needsExactForm(keyword: string, expected: JsonValue): boolean {
  if (!Object.hasOwn(exactKeywords, keyword)) return false;
  if (keyword === 'multipleOf') return true;
  const isLong =
    keyword === 'enum' && Array.isArray(expected) && expected.length > maxComparedValues;
  return isLong || holdsBigInt(expected);
}

/** The Ajv definitions of the exact keywords. */
export function exactDefinitions(meter: WorkMeter): FuncKeywordDefinition[] {
  const others = Object.entries(exactKeywords).filter(([keyword]) => keyword !== 'enum');
  return [exactEnum(meter), ...others.map(([keyword, holds]) => exactDefinition(keyword, holds))];
}

/** An enumeration of thousands of values uses a lookup by canonical text. */
function exactEnum(meter: WorkMeter): FuncKeywordDefinition {
  const compile = (expected: JsonValue): ((value: JsonValue) => boolean) => {
    if (!Array.isArray(expected)) return () => false;
    const known = new Set(expected.map((item: JsonValue) => canonicalJson(item)));
    const longest = Math.max(0, ...[...known].map((text) => text.length));
    return (value) => {
      const text = canonicalWithin(value, longest);
      meter.spend(4 + (text?.length ?? longest));
      return text !== undefined && known.has(text);
    };
  };
  return { keyword: exactName('enum'), errors: false, compile };
}

/** The canonical text of a value; undefined if a scalar is longer than any enumerated one. */
function canonicalWithin(value: JsonValue, longest: number): string | undefined {
  return typeof value === 'string' && value.length > longest ? undefined : canonicalJson(value);
}

type Holds = (typeof exactKeywords)[string];

function exactDefinition(keyword: string, holds: Holds): FuncKeywordDefinition {
  return {
    keyword: exactName(keyword),
    errors: false,
    // Each entry above declares the type of its own schema value; the table as a whole cannot.
    validate: (expected: unknown, value: JsonValue) => holds(expected as never, value),
  };
}

/**
 * Whether a number conforms to a numeric format: for `bigint`, which Ajv does not pass to formats.
 */
export function keepsIntegerFormat(format: string, value: JsonValue): boolean {
  if (!isNumeric(value)) return true;
  if (format === 'int32') return isInt32(value);
  return format !== 'int64' || isInt64(value);
}

function hasType(type: string, value: JsonValue): boolean {
  if (type === 'integer') return typeof value === 'bigint' || Number.isInteger(value);
  if (type === 'number') return isNumeric(value);
  if (type === 'null') return value === null;
  if (type === 'array') return Array.isArray(value);
  if (type === 'object')
    return typeof value === 'object' && value !== null && !Array.isArray(value);
  return typeof value === type;
}

/**
 * Divides the decimals as they are written: 291215.84 is a multiple of 0.01. What a calculation in
 * doubles leaves after their fifteenth digit is ignored.
 */
function isMultiple(value: number | bigint, of: number | bigint): boolean {
  if (typeof value === 'number' && typeof of === 'number' && Number.isSafeInteger(of)) {
    // The remainder of two doubles is exact.
    if (value % of === 0) return true;
    if (Number.isSafeInteger(value)) return false;
  }
  if (divides(of, value)) return true;
  const held = typeof value === 'number' ? Number(value.toPrecision(15)) : value;
  return held !== value && divides(of, held);
}

function divides(of: number | bigint, value: number | bigint): boolean {
  const [dividend, divisor] = [toDecimal(value), toDecimal(of)];
  const digits = Math.max(dividend.digits, divisor.digits);
  return divisor.units !== 0n && unitsAt(dividend, digits) % unitsAt(divisor, digits) === 0n;
}

/** Whether a value holds a `bigint` anywhere. */
export function holdsBigInt(value: JsonValue): boolean {
  if (typeof value === 'bigint') return true;
  if (typeof value !== 'object' || value === null) return false;
  if (Array.isArray(value)) return value.some((item: JsonValue) => holdsBigInt(item));
  // `Array.isArray` does not narrow a readonly array. This runs for every validated value: `for…in`
  // allocates no list of the members.
  const members = value as JsonObject;
  for (const name in members) if (holdsBigInt(members[name] ?? null)) return true;
  return false;
}

/**
 * `minLength` and `maxLength` (JSON Schema Validation 2020-12, section 6.3). Both count characters,
 * as Ajv does in every text; this form counts only if the number of UTF-16 units (one or two per
 * character) does not decide.
 */
export const textLengths = (meter: WorkMeter): TextLength[] => [
  textLength(
    meter,
    'minLength',
    (units, characters, limit) =>
      _`${units} < ${limit} || ${units} < 2 * ${limit} && ${characters} < ${limit}`,
  ),
  textLength(
    meter,
    'maxLength',
    (units, characters, limit) =>
      _`${units} > 2 * ${limit} || ${units} > ${limit} && ${characters} > ${limit}`,
  ),
];

type TextLength = CodeKeywordDefinition & { readonly keyword: string };

type Breaks = (units: Code, characters: Code, limit: Code) => Code;

function textLength(meter: WorkMeter, keyword: string, breaks: Breaks): TextLength {
  const countIn = (text: string): number => countCharacters(text, meter);
  const code = (context: KeywordCxt): void => {
    const count = context.gen.scopeValue('func', { ref: countIn });
    context.fail(
      breaks(_`${context.data}.length`, _`${count}(${context.data})`, _`${context.schemaCode}`),
    );
  };
  return { keyword, type: 'string', schemaType: 'number', code };
}

function countCharacters(text: string, meter: WorkMeter): number {
  meter.spend(text.length);
  let count = 0;
  for (const _character of text) count += 1;
  return count;
}

/** The cost of one character of a canonical text. */
const canonicalCost = 4;

/**
 * `uniqueItems` (JSON Schema Validation 2020-12, section 6.4.3) by the canonical text of each item:
 * Ajv compares every pair of items.
 */
export function uniqueItems(meter: WorkMeter): FuncKeywordDefinition {
  const validate = (expected: boolean, items: readonly JsonValue[]): boolean => {
    if (!expected || items.length < 2) return true;
    const seen = new Set<JsonValue>();
    return items.every((item) => {
      const key = keyOf(item, meter);
      return seen.size !== seen.add(key).size;
    });
  };
  return { keyword: 'uniqueItems', type: 'array', schemaType: 'boolean', errors: false, validate };
}

/** A text keeps its own value behind a quote, because it may equal the key of another item. */
function keyOf(item: JsonValue, meter: WorkMeter): JsonValue {
  meter.spend(8);
  if (typeof item === 'string') return `"${item}`;
  const key = canonicalJson(item);
  meter.spend(key.length * canonicalCost);
  return key;
}

const int32 = { minimum: -(2 ** 31), maximum: 2 ** 31 - 1 };

const int64 = { minimum: -(2n ** 63n), maximum: 2n ** 63n - 1n };

/** Whether a number is an integer that 32 bits hold (OpenAPI format registry, `int32`). */
function isInt32(value: number | bigint): boolean {
  return (
    typeof value === 'number' &&
    Number.isInteger(value) &&
    value >= int32.minimum &&
    value <= int32.maximum
  );
}

/**
 * Whether a number is an integer that 64 bits hold (OpenAPI format registry, `int64`). Exact for
 * `bigint`.
 */
function isInt64(value: number | bigint): boolean {
  // 64 bits hold every safe integer, which is nearly every validated number.
  if (Number.isSafeInteger(value)) return true;
  if (typeof value === 'number' && !Number.isInteger(value)) return false;
  const exact = BigInt(value);
  return exact >= int64.minimum && exact <= int64.maximum;
}

const always = { type: 'string', validate: () => true } as const;

/** Every format that vouch validates; the cost of validating a text is spent on a meter. */
export function meteredFormats(meter: WorkMeter): Record<string, Format> {
  return mapMembers(formats, (format) => metered(format, meter));
}

function metered(format: Format, meter: WorkMeter): Format {
  const judge = testOf(format);
  if (judge === undefined) return format;
  return (text: string) => {
    meter.spend(1 + text.length);
    return judge(text);
  };
}

/** The test of a format for texts; undefined if it has none. */
function testOf(format: Format): ((text: string) => boolean) | undefined {
  if (format instanceof RegExp) return (text) => format.test(text);
  if (typeof format === 'function') return format;
  if (typeof format !== 'object' || format.type === 'number' || format.async === true)
    return undefined;
  const { validate } = format;
  if (validate instanceof RegExp) return (text) => validate.test(text);
  // A format of texts: those of numbers are skipped above.
  return typeof validate === 'function' ? (validate as (text: string) => boolean) : undefined;
}

/** The formats of ajv-formats and of the OpenAPI format registry. */
const formats: Readonly<Record<string, Format>> = {
  ...fullFormats,
  'date-time': (text) => isDateTime(text),
  time: (text) => isTime(text),
  email: isEmail,
  'idn-email': isInternationalEmail,
  // No standard defines `url`; the one in ajv-formats refuses addresses of this machine or of a
  // private network.
  url: fullFormats.uri,
  int32: { type: 'number', validate: isInt32 },
  int64: { type: 'number', validate: isInt64 },
  float: { type: 'number', validate: () => true },
  double: { type: 'number', validate: () => true },
  password: always,
  binary: always,
};

const offset = /(?:Z|[+-]\d\d:\d\d)$/i;
const dateTimeFormat = testOf(fullFormats['date-time']);
const timeFormat = testOf(fullFormats.time);

/** A moment (RFC 3339, section 5.6). ajv-formats takes an offset without colon or minutes too. */
function isDateTime(text: string): boolean {
  return offset.test(text) && dateTimeFormat?.(text) === true;
}

/** A time of day with its offset (RFC 3339, section 5.6). */
function isTime(text: string): boolean {
  return offset.test(text) && timeFormat?.(text) === true;
}

// ajv-formats accepts common addresses; this accepts the rest of the grammar.
const plain = fullFormats.email as RegExp;

const ipv4 = fullFormats.ipv4 as RegExp;

const ipv6 = fullFormats.ipv6 as RegExp;

const quoted = /^"(?:[ !#-[\]-~]|\\[ -~])*"@/;

const literal = /@\[(?:IPv6:)?([\d.:a-f]+)\]$/i;

/**
 * Whether a text is a mailbox (RFC 5321, section 4.1.2): the local part may be quoted, the domain
 * may be an address in brackets.
 */
function isEmail(text: string): boolean {
  return plain.test(withPlainDomain(withPlainLocalPart(text)));
}

/**
 * Whether a text may be an internationalized mailbox (RFC 6531): something before an `@` and
 * something after it, no white space.
 */
function isInternationalEmail(text: string): boolean {
  return /^[^\s@]+@[^\s@]+$/u.test(withPlainLocalPart(text));
}

function withPlainLocalPart(text: string): string {
  return text.replace(quoted, 'quoted@');
}

function withPlainDomain(text: string): string {
  const address = literal.exec(text)?.[1];
  if (address === undefined) return text;
  const isAddress = /\[IPv6:/i.test(text) ? ipv6.test(address) : ipv4.test(address);
  return isAddress ? text.replace(literal, '@literal.example') : text;
}
