import type { HeaderList } from '../../http/message.ts';
import type { JsonValue } from '../../json/value.ts';
import type { Parameter } from '../model.ts';

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
