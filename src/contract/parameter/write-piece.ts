import { encodePercent } from '../../http/percent.ts';
import { stringifyJson } from '../../json/stringify-json.ts';
import type { JsonValue } from '../../json/value.ts';
import type { ParameterForm } from './parameter-form.ts';

/** Text made fit for its place on the wire. */
export type EncodePiece = (text: string) => string;

/**
 * A value as plain text: numbers without exponent where they are whole, null as nothing, anything
 * nested as JSON.
 */
export function writeScalar(value: JsonValue): string {
  if (typeof value === 'string') return value;
  if (value === null) return '';
  return typeof value === 'number' && Number.isInteger(value)
    ? BigInt(value).toString()
    : stringifyJson(value);
}

/**
 * How a parameter's text is encoded where it stands alone: no delimiter of the style is in the way.
 */
export function wholeEncoder(form: ParameterForm): EncodePiece {
  if (form.in === 'header') return encodeHeaderText;
  return form.in === 'query' && form.allowReserved
    ? (text) => keepReserved(text, reservedInQuery)
    : encodePercent;
}

/**
 * How an item, a name or a member's value is encoded, so that it cannot be taken for a delimiter of
 * the style.
 */
export function pieceEncoder(form: ParameterForm): EncodePiece {
  if (form.in === 'header')
    return (text) => encodeHeaderText(text).replaceAll(/[,=]/g, encodePercent);
  if (form.style === 'label' && form.explode)
    return (text) => encodePercent(text).replaceAll('.', '%2E');
  return form.in === 'query' && form.allowReserved
    ? (text) => keepReserved(text, reservedInPiece)
    : encodePercent;
}

/**
 * Reserved characters (RFC 3986, section 2.2) that mean nothing else in a query of names and
 * values.
 */
const reservedInQuery = /%(?:21|24|27|28|29|2A|2C|2F|3A|3B|3F|40)/g;
const reservedInPiece = /%(?:21|24|27|28|29|2A|2F|3A|3B|3F|40)/g;

function keepReserved(text: string, reserved: RegExp): string {
  return encodePercent(text).replaceAll(reserved, decodeURIComponent);
}

/**
 * What no header field can hold (RFC 9110, section 5.5): anything but visible ASCII and spaces
 * between.
 */
const notInHeader = /[^\x20-\x7e]+|^ +| +$/g;

function encodeHeaderText(text: string): string {
  return text.replaceAll(notInHeader, encodePercent);
}
