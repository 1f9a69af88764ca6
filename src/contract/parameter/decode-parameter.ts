import { isJsonMediaType } from '../../http/media-type.ts';
import { describeBrokenPercent } from '../../http/target.ts';
import { quoteExcerpt } from '../../json/json-problem.ts';
import { parseJson } from '../../json/parse-json.ts';
import type { JsonValue } from '../../json/value.ts';
import { expectedValue, type ExpectedValue, readScalar } from './expected-value.ts';
import {
  decodePiece,
  type Entry,
  type ParameterForm,
  type ParameterReading,
  type Split,
  type WireParameters,
} from './parameter-form.ts';
import { splitParameter } from './split-parameter.ts';

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
