import type { HeaderList } from '../../http/message.ts';
import { decodePercent, decodeQueryPercent } from '../../http/target.ts';
import { defined } from '../../json/defined.ts';
import type { JsonValue } from '../../json/value.ts';
import type { HeaderSpec, Parameter } from '../model.ts';

/**
 * What it takes to read or write a parameter's value; a response header has it too, with `in:
 * 'header'` and `style: 'simple'`.
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

/**
 * Where a request carries its parameters, all of it as it stands on the wire: path values and query
 * still percent-encoded.
 */
export interface WireParameters {
  readonly path: ReadonlyMap<string, string>;
  readonly rawQuery: string;
  readonly headers: HeaderList;
}

/**
 * A parameter as read. `message` is a clause without a subject: `must be an integer, but is
 * \`1e2\``.
 */
export type ParameterReading =
  | { readonly kind: 'absent' }
  | { readonly kind: 'value'; readonly value: JsonValue }
  | { readonly kind: 'unreadable'; readonly message: string };

/**
 * A parameter as written. `text` fills its place in the path; `pairs` is one piece of a query, to
 * be joined with `&`, and empty where an empty list leaves nothing to say; `pair` is one piece of a
 * `Cookie` header, to be joined with `; `.
 */
export type EncodedParameter =
  | { readonly in: 'path'; readonly text: string }
  | { readonly in: 'query'; readonly pairs: string }
  | { readonly in: 'header'; readonly name: string; readonly value: string }
  | { readonly in: 'cookie'; readonly pair: string };

/**
 * What it takes to read or write a header of a response: it is written as a parameter in a header
 * is (OpenAPI 3.1, section 4.8.21).
 */
export function headerForm({ name, style, explode, schema, mediaType }: HeaderSpec): ParameterForm {
  return {
    name,
    in: 'header',
    style,
    explode,
    allowReserved: false,
    allowEmptyValue: false,
    schema,
    ...defined({ mediaType }),
  };
}

/**
 * What stands between the items of a list, as it is read: a space, a tab and a pipe must be sent
 * percent-encoded in a URL, and often are not. Only in a query do OpenAPI 3's styles have other
 * delimiters than a comma; Swagger 2.0 has them in paths and headers too.
 */
export function readDelimiter({ style, in: place }: ParameterForm): string | RegExp {
  if (style === 'spaceDelimited')
    return place === 'query' ? /%20|\+/ : place === 'header' ? / +/ : '%20';
  if (style === 'tabDelimited') return place === 'header' ? '\t' : /%09/;
  if (style === 'pipeDelimited') return place === 'header' ? '|' : /\||%7c/i;
  return ',';
}

/** The same as it is written. RFC 3986 allows neither a space nor a pipe in a URL as it stands. */
export function writtenDelimiter({ style, in: place }: ParameterForm): string {
  const isHeader = place === 'header';
  if (style === 'spaceDelimited') return isHeader ? ' ' : '%20';
  if (style === 'tabDelimited') return isHeader ? '\t' : '%09';
  if (style === 'pipeDelimited') return isHeader ? '|' : '%7C';
  return ',';
}

/** A name and a value as they stand on the wire. */
export type Entry = readonly [name: string, text: string];

/**
 * A parameter's text cut at its style's delimiters, pieces still encoded. In `members`, one name
 * may come more than once.
 */
export type Split =
  | { readonly kind: 'absent' }
  | { readonly kind: 'unreadable'; readonly message: string }
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'list'; readonly texts: readonly string[] }
  | { readonly kind: 'members'; readonly entries: readonly Entry[] };

/** What a parameter is to be cut into. */
export type SplitInto = 'text' | 'list' | 'members';

/**
 * A piece of a parameter as it is meant; undefined where its percent-escapes are broken. In a query
 * `+` is a space; headers are never percent-encoded (OpenAPI 3.1.2, section 4.8.12.2.2).
 */
export function decodePiece(form: ParameterForm, text: string): string | undefined {
  if (form.in === 'header') return text;
  return form.in === 'query' ? decodeQueryPercent(text) : decodePercent(text);
}
