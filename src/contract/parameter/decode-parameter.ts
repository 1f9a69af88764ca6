import { isJsonMediaType } from '../../http/media-type.ts';
import { headerValues, inPairs } from '../../http/message.ts';
import { decodePercent, describeBrokenPercent, splitQuery } from '../../http/target.ts';
import { quoteExcerpt } from '../../json/json-problem.ts';
import { parseJson } from '../../json/parse-json.ts';
import type { JsonValue } from '../../json/value.ts';
import { expectedValue, type ExpectedValue, readScalar } from './expected-value.ts';
import {
  decodePiece,
  type Entry,
  type ParameterForm,
  type ParameterReading,
  readDelimiter,
  type Split,
  type SplitInto,
  type WireParameters,
} from './parameter-form.ts';

type PieceReading = Exclude<ParameterReading, { readonly kind: 'absent' }>;

/**
 * Decodes a parameter by its style and the types of its schema (OpenAPI 3.1, section 4.8.12),
 * strictly. Does not check whether it is required or conforms to the schema. Never throws.
 */
export function decodeParameter(form: ParameterForm, wire: WireParameters): ParameterReading {
  const expected = expectedValue(form.schema);
  if (form.mediaType !== undefined)
    return readContent(form, form.mediaType, splitParameter(form, wire, 'text', expected));
  const split = splitAsExpected(form, wire, expected);
  switch (split.kind) {
    case 'absent':
    case 'unreadable':
      return split;
    case 'text':
      return readWhole(form, split.text, expected);
    case 'list':
      return readItems(form, split.texts, expected);
    case 'members':
      return readMembers(form, split.entries, expected);
  }
}

function splitAsExpected(
  form: ParameterForm,
  wire: WireParameters,
  expected: ExpectedValue,
): Split {
  const { layout } = expected;
  const deep =
    form.style === 'deepObject' && expected.types.has('object')
      ? splitParameter(form, wire, 'members', expected)
      : undefined;
  if (deep?.kind === 'members') return deep;
  if (layout === 'text' || layout === 'list' || layout === 'members')
    return splitParameter(form, wire, layout, expected);
  // If the contract leaves the type open, only a repeated name shows a list: a comma may be part of
  // any text.
  const mayBeList =
    layout === 'either' || (form.explode && (form.in === 'query' || form.in === 'cookie'));
  const list = mayBeList ? splitParameter(form, wire, 'list', expected) : undefined;
  return list?.kind === 'list' && list.texts.length > 1
    ? list
    : splitParameter(form, wire, 'text', expected);
}

/** The value of a `content` parameter: JSON if its media type says so, otherwise text. */
function readContent(form: ParameterForm, mediaType: string, split: Split): ParameterReading {
  if (split.kind === 'absent' || split.kind === 'unreadable') return split;
  const raw = split.kind === 'text' ? split.text : '';
  const text = decodePiece(form, raw);
  if (text === undefined) return unreadable(describeBrokenPercent(raw));
  if (!isJsonMediaType(mediaType)) return { kind: 'value', value: text };
  const reading = parseJson(text);
  if (reading.ok) return { kind: 'value', value: reading.value };
  return unreadable(
    `must be JSON, but at character ${reading.problem.offset + 1}: ${reading.problem.reason}`,
  );
}

/** A single value. If its text fits several types, the schema selects the first that it accepts. */
function readWhole(form: ParameterForm, raw: string, expected: ExpectedValue): ParameterReading {
  const text = decodePiece(form, raw);
  if (text === undefined) return unreadable(describeBrokenPercent(raw));
  const reading = readScalar(text, expected.types);
  if (!reading.ok) return unreadable(reading.message);
  const [first, ...others] = reading.values;
  if (others.length === 0) return { kind: 'value', value: first };
  const taken = reading.values.find(
    (candidate) => form.schema.validate(candidate, 'request').length === 0,
  );
  return { kind: 'value', value: taken ?? first };
}

function readItems(
  form: ParameterForm,
  texts: readonly string[],
  expected: ExpectedValue,
): PieceReading {
  const items: JsonValue[] = [];
  for (const [index, raw] of texts.entries()) {
    const item = readPiece(form, raw, expected.item(index));
    if (item.kind !== 'value') return unreadable(`holds item ${index + 1}, which ${item.message}`);
    items.push(item.value);
  }
  return { kind: 'value', value: items };
}

function readMembers(
  form: ParameterForm,
  entries: readonly Entry[],
  expected: ExpectedValue,
): ParameterReading {
  const texts = new Map<string, string[]>();
  for (const [rawName, text] of entries) {
    const name = decodePiece(form, rawName);
    if (name === undefined) return unreadable(describeBrokenPercent(rawName));
    texts.set(name, [...(texts.get(name) ?? []), text]);
  }
  const members: [string, JsonValue][] = [];
  for (const [name, given] of texts) {
    const member = readMember(form, given, expected.member(name));
    if (member.kind !== 'value')
      return unreadable(`holds ${quoteExcerpt(name)}, which ${member.message}`);
    members.push([name, member.value]);
  }
  return { kind: 'value', value: Object.fromEntries(members) };
}

/** A member of an object. A list repeats its name, which is possible only with separate pairs. */
function readMember(
  form: ParameterForm,
  texts: readonly string[],
  expected: ExpectedValue,
): PieceReading {
  const [first] = texts;
  const canRepeat =
    (form.explode || form.style === 'deepObject') && (form.in === 'query' || form.in === 'cookie');
  if (first !== undefined && texts.length === 1 && !(canRepeat && expected.layout === 'list'))
    return readPiece(form, first, expected);
  const takesList = expected.types.has('array');
  return canRepeat && takesList
    ? readItems(form, texts, expected)
    : unreadable(`is given ${texts.length} times`);
}

/** A piece of a list or an object: the first reading that its types allow. */
function readPiece(form: ParameterForm, raw: string, expected: ExpectedValue): PieceReading {
  const text = decodePiece(form, raw);
  if (text === undefined) return unreadable(describeBrokenPercent(raw));
  const reading = readScalar(text, expected.types);
  return reading.ok ? { kind: 'value', value: reading.values[0] } : unreadable(reading.message);
}

function unreadable(message: string): { readonly kind: 'unreadable'; readonly message: string } {
  return { kind: 'unreadable', message };
}

/**
 * Finds a parameter in a request and splits it at the delimiters of its style (OpenAPI 3.1, section
 * 4.8.12).
 */
function splitParameter(
  form: ParameterForm,
  wire: WireParameters,
  into: SplitInto,
  expected: ExpectedValue,
): Split {
  switch (form.in) {
    case 'path': {
      const raw = wire.path.get(form.name);
      return raw === undefined ? { kind: 'absent' } : splitPath(form, raw, into);
    }
    case 'query':
      if (form.wholeQuery === true && into === 'text')
        return wire.rawQuery === '' ? { kind: 'absent' } : { kind: 'text', text: wire.rawQuery };
      return splitPairs(form, splitQuery(wire.rawQuery), into, expected);
    case 'cookie':
      return splitPairs(form, cookiePairs(wire), into, expected);
    case 'header':
      return splitHeader(form, headerValues(wire.headers, form.name), into);
  }
}

/** Cookies as RFC 6265, section 4.2.1 writes them: `a=1; b=2`. */
function cookiePairs(wire: WireParameters): Entry[] {
  const pieces = headerValues(wire.headers, 'Cookie')
    .flatMap((value) => value.split(';'))
    .map((piece) => piece.trim());
  return pieces.filter((piece) => piece !== '').map(splitEntry);
}

/**
 * Several fields with one name are one list (RFC 9110, section 5.3), and a fault if a single value
 * is expected.
 */
function splitHeader(form: ParameterForm, values: readonly string[], into: SplitInto): Split {
  const [first] = values;
  if (first === undefined) return { kind: 'absent' };
  if (into !== 'text')
    return gatherPieces(
      values
        .join(',')
        .split(readDelimiter(form))
        .map((piece) => piece.trim()),
      into,
      form.explode,
    );
  return values.length > 1 ? givenTimes(values.length) : { kind: 'text', text: first.trim() };
}

/**
 * Splits the text of a parameter in a query or a `Cookie` header, in `form`, a delimited style or
 * `deepObject`.
 */
function splitPairs(
  form: ParameterForm,
  pairs: readonly Entry[],
  into: SplitInto,
  expected: ExpectedValue,
): Split {
  if (into === 'members' && form.style === 'deepObject') return splitDeepObject(form, pairs);
  if (into === 'members' && form.explode) return splitOwnMembers(form, pairs, expected);
  const texts = pairs
    .filter(([name]) => decodePiece(form, name) === form.name)
    .map(([, text]) => text);
  const [first] = texts;
  if (first === undefined || (first === '' && texts.length === 1 && form.allowEmptyValue))
    return { kind: 'absent' };
  if (into === 'list' && form.explode) return { kind: 'list', texts };
  if (texts.length > 1) return givenTimes(texts.length);
  return into === 'text'
    ? { kind: 'text', text: first }
    : gatherPieces(first.split(readDelimiter(form)), into, false);
}

/**
 * `R=100&G=200`: the parameter's own name does not occur. An object without declared names takes
 * every pair, as does one that is the whole query.
 */
function splitOwnMembers(
  form: ParameterForm,
  pairs: readonly Entry[],
  expected: ExpectedValue,
): Split {
  const takesAll = form.wholeQuery === true || (expected.names.size === 0 && !expected.isClosed);
  const entries = pairs.filter(
    ([name]) => takesAll || expected.names.has(decodePiece(form, name) ?? ''),
  );
  return entries.length === 0 ? { kind: 'absent' } : { kind: 'members', entries };
}

/** `color[R]=100&color[G]=200`, brackets plain or percent-encoded. */
function splitDeepObject(form: ParameterForm, pairs: readonly Entry[]): Split {
  const entries: Entry[] = [];
  for (const [rawName, text] of pairs) {
    const name = decodePiece(form, rawName) ?? '';
    if (name === form.name)
      return unreadable(`must name its members, as in \`${form.name}[name]=value\``);
    if (!name.startsWith(`${form.name}[`) || !name.endsWith(']')) continue;
    const member = name.slice(form.name.length + 1, -1);
    if (/[[\]]/.test(member))
      return unreadable(`must have one level of members, but has \`${name}\``);
    entries.push([encodeURIComponent(member), text]);
  }
  return entries.length === 0 ? { kind: 'absent' } : { kind: 'members', entries };
}

/**
 * Splits a path value in `simple`, `label` or `matrix` style (RFC 6570, sections 3.2.2, 3.2.5 and
 * 3.2.7); content has no style.
 */
function splitPath(form: ParameterForm, raw: string, into: SplitInto): Split {
  if (form.mediaType !== undefined) return { kind: 'text', text: raw };
  if (form.style === 'label') return splitLabel(form, unescapeDots(raw), into);
  if (form.style === 'matrix') return splitMatrix(form, raw, into);
  return into === 'text'
    ? { kind: 'text', text: raw }
    : gatherPieces(raw.split(readDelimiter(form)), into, form.explode);
}

/**
 * A segment of one or two dots is sent as `%2E` so that clients do not normalise it; in a label the
 * first dot is a delimiter.
 */
function unescapeDots(raw: string): string {
  return /^(?:%2e|\.){1,2}$/i.test(raw) ? raw.replaceAll(/%2e/gi, '.') : raw;
}

function splitLabel(form: ParameterForm, raw: string, into: SplitInto): Split {
  if (!raw.startsWith('.')) return unreadable(`must begin with \`.\`, but is ${quoteExcerpt(raw)}`);
  const text = raw.slice(1);
  if (into === 'text') return { kind: 'text', text };
  return gatherPieces(text.split(form.explode ? '.' : ','), into, form.explode);
}

function splitMatrix(form: ParameterForm, raw: string, into: SplitInto): Split {
  const [before, ...pieces] = raw.split(';');
  const entries = pieces.map(splitEntry);
  const ownNames = into === 'members' && form.explode;
  if (
    before !== '' ||
    entries.length === 0 ||
    !(ownNames || entries.every(([name]) => decodePercent(name) === form.name))
  ) {
    return unreadable(
      `must begin with ${quoteExcerpt(ownNames ? ';' : `;${form.name}`)}, ` +
        `but is ${quoteExcerpt(raw)}`,
    );
  }
  if (ownNames) return { kind: 'members', entries };
  const texts = entries.map(([, text]) => text);
  if (into === 'list' && form.explode) return { kind: 'list', texts };
  if (texts.length > 1) return givenTimes(texts.length);
  return into === 'text'
    ? { kind: 'text', text: texts[0] ?? '' }
    : gatherPieces((texts[0] ?? '').split(','), into, false);
}

/**
 * Converts pieces between delimiters to items, or to members: `name=value` (exploded), or name and
 * value in turn.
 */
function gatherPieces(pieces: readonly string[], into: SplitInto, explode: boolean): Split {
  const texts = pieces.length === 1 && pieces[0] === '' ? [] : pieces;
  if (into === 'list') return { kind: 'list', texts };
  if (explode) return { kind: 'members', entries: texts.map(splitEntry) };
  if (texts.length % 2 === 1)
    return unreadable('must alternate names and values, but the last name has no value');
  return { kind: 'members', entries: inPairs(texts) };
}

/** `name=value`, or a name without a value, which means the empty value. */
function splitEntry(piece: string): Entry {
  const equals = piece.indexOf('=');
  return equals === -1 ? [piece, ''] : [piece.slice(0, equals), piece.slice(equals + 1)];
}

/** The reading of a single value that occurs more than once. */
function givenTimes(count: number): Split {
  return unreadable(`is given ${count} times`);
}
