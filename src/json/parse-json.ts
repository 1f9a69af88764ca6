import { findJsonFault } from './find-json-fault.ts';
import { type JsonFault, type JsonLimits, type JsonProblem, locateFault } from './json-problem.ts';
import { isJsonObject, type JsonObject, type JsonValue } from './value.ts';

/** The parsed value, or the first problem in the text. */
type JsonReading =
  | { readonly ok: true; readonly value: JsonValue }
  | { readonly ok: false; readonly problem: JsonProblem };

/**
 * Parses a JSON text (RFC 8259) strictly: UTF-8 without a byte order mark, unique names, bounded
 * nesting, no lone surrogates, no number beyond a double. An integer outside ±(2^53 - 1) without
 * fraction and exponent becomes a `bigint`. Never throws; linear in the input.
 */
export function parseJson(input: Uint8Array | string, options?: JsonLimits): JsonReading {
  if (typeof input === 'string') return parseText(input, completeLimits(options));
  const decoded = decodeUtf8(input);
  if (decoded.ok) return parseText(decoded.text, completeLimits(options));
  return refuse(
    {
      code: 'encoding',
      reason: 'expected UTF-8, found an invalid byte',
      offset: decoded.offset,
    },
    decoded.before,
  );
}

const defaults: Required<JsonLimits> = {
  maxDepth: 64,
  duplicateKeys: 'refuse',
  forbiddenKeys: ['__proto__'],
  loneSurrogates: 'refuse',
};

/** Reads what a program of its own wrote, or what is only shown: nothing in it is refused. */
export const lenientLimits: JsonLimits = {
  maxDepth: 1000,
  duplicateKeys: 'allow',
  forbiddenKeys: [],
  loneSurrogates: 'allow',
};

/** Deeper values would overflow the stack of recursive functions. */
const maxAllowedDepth = 1000;

/** Fills in the defaults, and limits the depth to 1,000. */
export function completeLimits(limits: JsonLimits | undefined): Required<JsonLimits> {
  if (limits === undefined) return defaults;
  const {
    maxDepth = defaults.maxDepth,
    duplicateKeys = defaults.duplicateKeys,
    forbiddenKeys = defaults.forbiddenKeys,
    loneSurrogates = defaults.loneSurrogates,
  } = limits;
  return {
    maxDepth: Math.min(maxDepth, maxAllowedDepth),
    duplicateKeys,
    forbiddenKeys,
    loneSurrogates,
  };
}

function parseText(text: string, limits: Required<JsonLimits>): JsonReading {
  if (text.startsWith('\uFEFF')) {
    return refuse(
      {
        code: 'byte-order-mark',
        reason: 'expected a JSON value, found a byte order mark (U+FEFF)',
        offset: 0,
      },
      text,
    );
  }
  const sound = parseIfSound(text, limits);
  if (sound !== undefined) return { ok: true, value: sound };
  const fault = findJsonFault(text, limits);
  return fault === undefined ? { ok: true, value: parseExactly(text) } : refuse(fault, text);
}

const escapedSurrogate = /\\u[dD][89a-fA-F]/;

/** Parses the text if cheap checks prove it valid; undefined if the complete scan is needed. */
function parseIfSound(text: string, limits: Required<JsonLimits>): JsonValue | undefined {
  if (!text.isWellFormed() || (text.includes('\\') && escapedSurrogate.test(text)))
    return undefined;
  const written = surveyText(text);
  if (written.depth > limits.maxDepth) return undefined;
  const value = parseNatively(text);
  if (value === undefined) return undefined;
  const read = surveyValue(value, limits.forbiddenKeys);
  // The last of two equal names wins, so duplicates reduce the number of members.
  if (read.infinite || read.forbidden || read.members !== written.members) return undefined;
  return read.rounded ? parseExactly(text) : value;
}

/** The value of a text without a check of its own; undefined if it is not JSON. */
export function parseNatively(text: string): JsonValue | undefined {
  try {
    // JSON.parse returns only JSON values.
    return JSON.parse(text) as JsonValue;
  } catch {
    return undefined;
  }
}

const integer = /^-?[0-9]+$/;

/**
 * `JSON.parse` with source text access (ECMAScript 2026), which TypeScript does not declare yet:
 * `source` is the text of a number, string or literal.
 */
interface JsonWithSource {
  parse(
    text: string,
    reviver: (key: string, value: unknown, context: { readonly source?: string }) => unknown,
  ): unknown;
}

/** Parses a valid JSON text with exact integers. Six to eight times slower than `JSON.parse`. */
function parseExactly(text: string): JsonValue {
  // Every supported Node version passes the source text. The reviver returns only JSON values.
  return (JSON as JsonWithSource).parse(text, (_key, value, { source }) => {
    if (
      typeof value !== 'number' ||
      Number.isSafeInteger(value) ||
      source === undefined ||
      !integer.test(source)
    )
      return value;
    return BigInt(source);
  }) as JsonValue;
}

function refuse(fault: JsonFault, text: string): JsonReading {
  return { ok: false, problem: locateFault(fault, text) };
}

/** Counts brackets and colons outside strings in one pass. */
function surveyText(text: string): { readonly depth: number; readonly members: number } {
  let depth = 0;
  let deepest = 0;
  let members = 0;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === 0x22) at = closingQuote(text, at + 1);
    else if (code === 0x3a) members += 1;
    else if (code === 0x7b || code === 0x5b) deepest = Math.max(deepest, (depth += 1));
    else if (code === 0x7d || code === 0x5d) depth -= 1;
  }
  return { depth: deepest, members };
}

function closingQuote(text: string, start: number): number {
  let at = start;
  for (; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === 0x22) return at;
    if (code === 0x5c) at += 1;
  }
  return at;
}

/**
 * The number of members of a parsed value, and whether a number or name requires the complete scan.
 */
interface ValueSurvey {
  members: number;
  /** Whether a number may have been rounded: beyond ±(2^53 - 1). */
  rounded: boolean;
  /** Whether a number is beyond the range of a double. */
  infinite: boolean;
  forbidden: boolean;
}

/** Walks a value from `JSON.parse`; its depth must be bounded. */
export function surveyValue(value: unknown, forbiddenKeys: readonly string[]): ValueSurvey {
  const survey = { members: 0, rounded: false, infinite: false, forbidden: false };
  visit(value, forbiddenKeys, survey);
  return survey;
}

function visit(value: unknown, forbiddenKeys: readonly string[], survey: ValueSurvey): void {
  if (typeof value === 'number') {
    if (value > Number.MAX_SAFE_INTEGER || value < Number.MIN_SAFE_INTEGER) survey.rounded = true;
    if (value === Infinity || value === -Infinity) survey.infinite = true;
  } else if (Array.isArray(value)) {
    for (const item of value) visit(item, forbiddenKeys, survey);
  } else if (isJsonObject(value)) {
    visitMembers(value, forbiddenKeys, survey);
  }
}

function visitMembers(
  value: JsonObject,
  forbiddenKeys: readonly string[],
  survey: ValueSurvey,
): void {
  // Twice as fast as Object.keys, which allocates an array per object.
  for (const key in value) {
    if (!Object.hasOwn(value, key)) continue;
    survey.members += 1;
    if (forbiddenKeys.length > 0 && forbiddenKeys.includes(key)) survey.forbidden = true;
    visit(value[key], forbiddenKeys, survey);
  }
}

/**
 * The decoded text, or the offset of the first invalid byte, in characters of the text before it.
 */
type Utf8Reading =
  | { readonly ok: true; readonly text: string }
  | { readonly ok: false; readonly before: string; readonly offset: number };

const strict = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

const lenient = new TextDecoder('utf-8', { ignoreBOM: true });

const encoder = new TextEncoder();

const replacement = '\uFFFD';

/**
 * Decodes UTF-8 strictly: refuses overlong forms, surrogates and incomplete sequences (RFC 3629).
 * Keeps a byte order mark.
 */
export function decodeUtf8(bytes: Uint8Array): Utf8Reading {
  const guess = asBuffer(bytes).toString();
  if (!guess.includes(replacement)) return { ok: true, text: guess };
  try {
    return { ok: true, text: strict.decode(bytes) };
  } catch {
    const text = lenient.decode(bytes);
    const offset = firstReplacement(text, bytes);
    return { ok: false, before: text.slice(0, offset), offset };
  }
}

/**
 * Buffer decodes twice as fast but replaces invalid bytes by U+FFFD: a result without that
 * character is valid.
 */
function asBuffer(bytes: Uint8Array): Buffer {
  return Buffer.isBuffer(bytes) ? bytes : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
}

/**
 * The first U+FFFD that replaces invalid bytes; the input can also contain that character itself.
 */
function firstReplacement(text: string, bytes: Uint8Array): number {
  let byte = 0;
  let from = 0;
  for (let at = text.indexOf(replacement); at !== -1; at = text.indexOf(replacement, from)) {
    byte += encoder.encode(text.slice(from, at)).length;
    const sentAsSuch = bytes[byte] === 0xef && bytes[byte + 1] === 0xbf && bytes[byte + 2] === 0xbd;
    if (!sentAsSuch) return at;
    byte += 3;
    from = at + 1;
  }
  return text.length;
}
