import { escapeCharacter } from '../../json/json-problem.ts';
import { isJsonMediaType } from '../../http/media-type.ts';
import { encodePercent } from '../../http/target.ts';
import type { JsonArray, JsonValue } from '../../json/value.ts';
import { isJsonArray, isJsonObject, stringifyJson } from '../../json/value.ts';
import type { EncodedParameter, Entry, ParameterForm } from './parameter-form.ts';
import { writtenDelimiter } from './parameter-form.ts';

/**
 * Writes a value as a parameter by its style and the value's own shape (OpenAPI 3.1, section
 * 4.8.12), so that invalid values can be sent too. Percent-encodes all but unreserved characters; a
 * header stays unchanged except for characters that no header can hold. A space in a
 * `spaceDelimited` item, or a pipe in a `pipeDelimited` one, is ambiguous. Never throws.
 */
export function encodeParameter(form: ParameterForm, value: JsonValue): EncodedParameter {
  switch (form.in) {
    case 'path':
      return { in: 'path', text: escapeDots(writePath(form, value)) };
    case 'header':
      return {
        in: 'header',
        name: form.name,
        value: writeDelimited(form, value, writtenDelimiter(form), form.explode),
      };
    case 'query':
      return {
        in: 'query',
        pairs:
          form.wholeQuery === true && form.mediaType !== undefined
            ? writeDelimited(form, value, ',', false)
            : writePairs(form, value).join('&'),
      };
    case 'cookie':
      return { in: 'cookie', pair: writePairs(form, value).join('; ') };
  }
}

/** Clients remove a segment `.` or `..`; a server decodes the escaped form to the value. */
function escapeDots(segment: string): string {
  return segment === '.' || segment === '..' ? segment.replaceAll('.', '%2E') : segment;
}

function writePath(form: ParameterForm, value: JsonValue): string {
  if (form.mediaType !== undefined || (form.style !== 'label' && form.style !== 'matrix'))
    return writeDelimited(form, value, writtenDelimiter(form), form.explode);
  if (form.style === 'label')
    return `.${writeDelimited(form, value, form.explode ? '.' : ',', form.explode)}`;
  return pairsOf(form, value)
    .map(([name, text]) => (text === '' ? `;${name}` : `;${name}=${text}`))
    .join('');
}

function writePairs(form: ParameterForm, value: JsonValue): string[] {
  return pairsOf(form, value).map(([name, text]) => `${name}=${text}`);
}

/** The encoded pairs of a value: one per item or member if it is exploded, otherwise one pair. */
function pairsOf(form: ParameterForm, value: JsonValue): Entry[] {
  const name = encodeName(form);
  const isSpread =
    form.mediaType === undefined &&
    (form.explode || (form.style === 'deepObject' && isJsonObject(value)));
  if (isSpread && isJsonArray(value)) return itemPairs(form, name, value);
  if (!isSpread || !isJsonObject(value))
    return [[name, writeDelimited(form, value, writtenDelimiter(form), false)]];
  return Object.entries(value).flatMap(([member, held]: [string, JsonValue]): Entry[] => {
    const memberName =
      form.style === 'deepObject' ? `${name}%5B${encodePercent(member)}%5D` : encodePercent(member);
    return isJsonArray(held) && form.in !== 'path'
      ? itemPairs(form, memberName, held)
      : itemPairs(form, memberName, [held]);
  });
}

function itemPairs(form: ParameterForm, name: string, items: JsonArray): Entry[] {
  const encode = pieceEncoder(form);
  return items.map((item) => [name, encode(writeScalar(item))]);
}

/** The name of a cookie is written unchanged if it is a token (RFC 6265, section 4.1.1). */
function encodeName(form: ParameterForm): string {
  return form.in === 'cookie' && /^[!#$&'*+.^_`|~\w-]+$/.test(form.name)
    ? form.name
    : encodePercent(form.name);
}

/**
 * A value as one text: items between delimiters; members as `name=value` if exploded, otherwise
 * names and values in alternation.
 */
function writeDelimited(
  form: ParameterForm,
  value: JsonValue,
  delimiter: string,
  explode: boolean,
): string {
  if (form.mediaType !== undefined)
    return wholeEncoder(form)(writeContent(form, form.mediaType, value));
  const encode = pieceEncoder(form);
  if (isJsonArray(value)) return value.map((item) => encode(writeScalar(item))).join(delimiter);
  if (!isJsonObject(value)) return wholeEncoder(form)(writeScalar(value));
  const between = explode ? '=' : delimiter;
  const members = Object.entries(value).map(
    ([name, member]: [string, JsonValue]) => encode(name) + between + encode(writeScalar(member)),
  );
  return members.join(delimiter);
}

function writeContent(form: ParameterForm, mediaType: string, value: JsonValue): string {
  if (!isJsonMediaType(mediaType)) return writeScalar(value);
  const text = stringifyJson(value);
  // A header cannot hold other characters.
  return form.in === 'header' ? text.replaceAll(/[^\x20-\x7e]/g, escapeCharacter) : text;
}

/** Encodes a text for its place in the request. */
type EncodePiece = (text: string) => string;

/**
 * A value as plain text: integers without exponent, null as the empty text, nested values as JSON.
 */
export function writeScalar(value: JsonValue): string {
  if (typeof value === 'string') return value;
  if (value === null) return '';
  return typeof value === 'number' && Number.isInteger(value)
    ? BigInt(value).toString()
    : stringifyJson(value);
}

/** The encoding of a parameter's text for which the style has no delimiter. */
function wholeEncoder(form: ParameterForm): EncodePiece {
  if (form.in === 'header') return encodeHeaderText;
  return form.in === 'query' && form.allowReserved
    ? (text) => keepReserved(text, reservedInQuery)
    : encodePercent;
}

/**
 * The encoding of an item, a name or a member's value: a delimiter of the style inside it is
 * escaped.
 */
function pieceEncoder(form: ParameterForm): EncodePiece {
  if (form.in === 'header')
    return (text) => encodeHeaderText(text).replaceAll(/[,=]/g, encodePercent);
  if (form.style === 'label' && form.explode)
    return (text) => encodePercent(text).replaceAll('.', '%2E');
  return form.in === 'query' && form.allowReserved
    ? (text) => keepReserved(text, reservedInPiece)
    : encodePercent;
}

/**
 * Reserved characters (RFC 3986, section 2.2) that have no special meaning in a query of names and
 * values.
 */
const reservedInQuery = /%(?:21|24|27|28|29|2A|2C|2F|3A|3B|3F|40)/g;
const reservedInPiece = /%(?:21|24|27|28|29|2A|2F|3A|3B|3F|40)/g;

function keepReserved(text: string, reserved: RegExp): string {
  return encodePercent(text).replaceAll(reserved, decodeURIComponent);
}

/**
 * What no header field can hold (RFC 9110, section 5.5): anything but visible ASCII and inner
 * spaces.
 */
const notInHeader = /[^\x20-\x7e]+|^ +| +$/g;

function encodeHeaderText(text: string): string {
  return text.replaceAll(notInHeader, encodePercent);
}
