import type { Operation, Parameter } from '../../../contract/model.ts';
import { encodeParameter } from '../../../contract/parameter/encode-parameter.ts';
import { expectedValue } from '../../../contract/parameter/expected-value.ts';
import type { HeaderList } from '../../../http/message.ts';
import { parseJson } from '../../../json/parse-json.ts';
import type { JsonValue } from '../../../json/value.ts';

/** A request as a person fills it in: parameters as texts, by place and name. */
export interface FilledRequest {
  readonly operation: Operation;
  readonly parameters: readonly FilledParameter[];
  readonly headers: HeaderList;
  /** Undefined for none. */
  readonly body: string | undefined;
  readonly mediaType: string | undefined;
}

/** The text that a person wrote for a parameter. */
export interface FilledParameter {
  readonly in: string;
  readonly name: string;
  readonly value: string;
}

/** A request without the service that it goes to. */
export interface ComposedRequest {
  /** Below the base path, percent-encoded. */
  readonly path: string;
  /** Pieces of the query, each encoded. */
  readonly query: readonly string[];
  readonly headers: HeaderList;
  readonly cookies: readonly string[];
  readonly body: Uint8Array;
}

/**
 * Writes what a person filled in as the contract's styles have it. Values are sent as they are,
 * wrong ones too; empty ones are left out.
 */
export function composeRequest({
  operation,
  parameters,
  headers,
  body,
  mediaType,
}: FilledRequest): ComposedRequest {
  const encoded = parameters.flatMap((filled) => {
    const parameter = operation.parameters.find(
      (each) => each.in === filled.in && each.name === filled.name,
    );
    return parameter === undefined || (filled.value === '' && parameter.in !== 'path')
      ? []
      : [
          {
            name: filled.name,
            piece: encodeParameter(parameter, valueOf(parameter, filled.value)),
          },
        ];
  });
  const path = encoded.reduce(
    (text, { name, piece }) =>
      piece.in === 'path' ? text.replace(`{${name}}`, () => piece.text) : text,
    operation.path,
  );
  return {
    path,
    query: encoded.flatMap(({ piece }) =>
      piece.in === 'query' && piece.pairs !== '' ? [piece.pairs] : [],
    ),
    headers: [
      ...(body === undefined || mediaType === undefined
        ? []
        : [['Content-Type', mediaType] as const]),
      ...encoded.flatMap(({ piece }) =>
        piece.in === 'header' ? [[piece.name, piece.value] as const] : [],
      ),
      ...headers,
    ],
    cookies: encoded.flatMap(({ piece }) => (piece.in === 'cookie' ? [piece.pair] : [])),
    body: new TextEncoder().encode(body ?? ''),
  };
}

/**
 * A list is written with commas or as JSON, an object as JSON; anything else is the text itself.
 */
function valueOf({ schema }: Parameter, text: string): JsonValue {
  const { layout } = expectedValue(schema);
  if (layout === 'text' || layout === 'open') return text;
  const reading = /^\s*[[{]/.test(text) ? parseJson(new TextEncoder().encode(text)) : undefined;
  if (reading?.ok === true) return reading.value;
  return layout === 'list' || text.includes(',') ? text.split(',') : text;
}
