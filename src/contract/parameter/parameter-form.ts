import type { HeaderList } from '../../http/message.ts';
import { decodePercent, decodeQueryPercent } from '../../http/target.ts';
import type { JsonValue } from '../../json/value.ts';
import type { HeaderSpec, Parameter, ParameterPlace, Schema } from '../model.ts';

/**
 * The facts needed to read or write a parameter's value; a response header has `in: 'header'` and
 * `style: 'simple'`.
 */
export type ParameterForm = Pick<
  Parameter,
  | 'name'
  | 'in'
  | 'style'
  | 'explode'
  | 'allowReserved'
  | 'allowEmptyValue'
  | 'schema'
  | 'mediaType'
  | 'wholeQuery'
>;

/** The parameters of a request in their encoded form: path values and query are percent-encoded. */
export interface WireParameters {
  readonly path: ReadonlyMap<string, string>;
  readonly rawQuery: string;
  readonly headers: HeaderList;
}

/**
 * A decoded parameter. `message` is a clause without a subject: `must be an integer, but is
 * \`1e2\``.
 */
export type ParameterReading =
  | { readonly kind: 'absent' }
  | { readonly kind: 'value'; readonly value: JsonValue }
  | { readonly kind: 'unreadable'; readonly message: string };

/**
 * An encoded parameter. `text` fills its place in the path; `pairs` is a part of a query, to be
 * joined with `&`, and empty for an empty list; `pair` is a part of a `Cookie` header, to be joined
 * with `; `.
 */
export type EncodedParameter =
  | { readonly in: 'path'; readonly text: string }
  | { readonly in: 'query'; readonly pairs: string }
  | { readonly in: 'header'; readonly name: string; readonly value: string }
  | { readonly in: 'cookie'; readonly pair: string };

/**
 * The facts needed to read or write a response header, which is written like a header parameter
 * (OpenAPI 3.1, section 4.8.21).
 */
export function headerForm({ name, style, explode, schema, mediaType }: HeaderSpec): ParameterForm {
  return { ...plainForm(name, 'header', schema), style, explode, mediaType };
}

/** The serialisation that OpenAPI gives to a parameter that says nothing of it. */
export function plainForm(name: string, location: ParameterPlace, schema: Schema): ParameterForm {
  const isForm = location === 'query' || location === 'cookie';
  return {
    name,
    in: location,
    style: isForm ? 'form' : 'simple',
    explode: isForm,
    allowReserved: false,
    allowEmptyValue: false,
    schema,
  };
}

/**
 * The delimiter between the items of a list when reading: a space, a tab and a pipe must be
 * percent-encoded in a URL, and often are not. The styles of OpenAPI 3 have delimiters other than a
 * comma only in a query; Swagger 2.0 has them in paths and headers too.
 */
export function readDelimiter({ style, in: location }: ParameterForm): string | RegExp {
  if (style === 'spaceDelimited')
    return location === 'query' ? /%20|\+/ : location === 'header' ? / +/ : '%20';
  if (style === 'tabDelimited') return location === 'header' ? '\t' : /%09/;
  if (style === 'pipeDelimited') return location === 'header' ? '|' : /\||%7c/i;
  return ',';
}

/** The delimiter when writing. RFC 3986 allows neither a space nor a pipe in a URL. */
export function writtenDelimiter({ style, in: location }: ParameterForm): string {
  const isHeader = location === 'header';
  if (style === 'spaceDelimited') return isHeader ? ' ' : '%20';
  if (style === 'tabDelimited') return isHeader ? '\t' : '%09';
  if (style === 'pipeDelimited') return isHeader ? '|' : '%7C';
  return ',';
}

/** A name and a value in encoded form. */
export type Entry = readonly [name: string, text: string];

/**
 * A parameter's text split at the delimiters of its style, pieces still encoded. In `members`, a
 * name may occur more than once.
 */
export type Split =
  | { readonly kind: 'absent' }
  | { readonly kind: 'unreadable'; readonly message: string }
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'list'; readonly texts: readonly string[] }
  | { readonly kind: 'members'; readonly entries: readonly Entry[] };

/** The form that a parameter is split into. */
export type SplitInto = 'text' | 'list' | 'members';

/**
 * The decoded text of a piece; undefined if its percent-escapes are invalid. In a query `+` is a
 * space; headers are never percent-encoded (OpenAPI 3.1.2, section 4.8.12.2.2).
 */
export function decodePiece(form: ParameterForm, text: string): string | undefined {
  if (form.in === 'header') return text;
  return form.in === 'query' ? decodeQueryPercent(text) : decodePercent(text);
}
