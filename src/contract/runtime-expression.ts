import { encodePercent } from '../http/target.ts';
import { headerValue, type HeaderList } from '../http/message.ts';
import { valueAt, type Pointer } from '../json/pointer.ts';
import type { JsonValue } from '../json/value.ts';

/**
 * The request or the response of an exchange, as runtime expressions read it. The body is undefined
 * if it is missing or unreadable.
 */
export interface ExpressionMessage {
  readonly headers: HeaderList;
  readonly body: JsonValue | undefined;
}

/** The data for the evaluation of an expression: one exchange. */
export interface ExpressionFacts {
  /** The whole URL of the request. */
  readonly url: string;
  readonly method: string;
  readonly request: ExpressionMessage & {
    /** Names and values of the query, decoded. */
    readonly query: readonly (readonly [name: string, value: string])[];
    /** Values of the path parameters, decoded. */
    readonly path: ReadonlyMap<string, string>;
  };
  readonly response?: ExpressionMessage & { readonly status: number };
}

export type RuntimeExpression =
  | { readonly kind: 'url' | 'method' | 'status' }
  | {
      readonly kind: 'header' | 'query' | 'path';
      readonly of: 'request' | 'response';
      readonly name: string;
    }
  | { readonly kind: 'body'; readonly of: 'request' | 'response'; readonly pointer: Pointer };

const whole: ReadonlyMap<string, 'url' | 'method' | 'status'> = new Map([
  ['$url', 'url'],
  ['$method', 'method'],
  ['$statusCode', 'status'],
]);
const named = /^\$(request|response)\.(header|query|path)\.(.+)$/s;
const body = /^\$(request|response)\.body(?:#(.*))?$/s;

/** Reads a runtime expression (OpenAPI 3.1, section 4.8.20.4); undefined for any other text. */
export function parseExpression(text: string): RuntimeExpression | undefined {
  const alone = whole.get(text);
  if (alone !== undefined) return { kind: alone };
  const field = named.exec(text);
  // The pattern matches only these words, which the type of a match does not express.
  if (field !== null)
    return {
      kind: field[2] as 'header' | 'query' | 'path',
      of: field[1] as 'request' | 'response',
      name: field[3] ?? '',
    };
  const place = body.exec(text);
  if (place === null) return undefined;
  const pointer = place[2] ?? '';
  return pointer === '' || pointer.startsWith('/')
    ? { kind: 'body', of: place[1] as 'request' | 'response', pointer }
    : undefined;
}

/**
 * The value of an expression; undefined if the text is not an expression, or the exchange has no
 * value at that place.
 */
export function evaluateExpression(text: string, facts: ExpressionFacts): JsonValue | undefined {
  const expression = parseExpression(text);
  if (expression === undefined) return undefined;
  switch (expression.kind) {
    case 'url':
      return facts.url;
    case 'method':
      return facts.method;
    case 'status':
      return facts.response?.status;
    case 'body':
      return valueAt(facts[expression.of]?.body, expression.pointer);
    case 'header':
      return headerValue(facts[expression.of]?.headers ?? [], expression.name);
    default:
      // A response has neither a query nor a path.
      return expression.of === 'request'
        ? expression.kind === 'path'
          ? facts.request.path.get(expression.name)
          : facts.request.query.find(([key]) => key === expression.name)?.[1]
        : undefined;
  }
}

const embedded = /\{(\$[^{}]*)\}/g;

/**
 * A URL with its expressions filled in: one that is the whole text, or those in braces. Undefined
 * if the value of one of them is not a text, a number or a boolean. After the authority, values are
 * percent-encoded, so that each stays one value; before it they are unchanged, since they are the
 * URL, or its scheme and host.
 */
export function fillUrl(template: string, facts: ExpressionFacts): string | undefined {
  if (template.startsWith('$')) return scalarText(evaluateExpression(template, facts));
  let url = '';
  let end = 0;
  for (const match of template.matchAll(embedded)) {
    const text = scalarText(evaluateExpression(match[1] ?? '', facts));
    if (text === undefined) return undefined;
    url += template.slice(end, match.index);
    url += hasAuthority.test(url) ? encodeWithin(url, text) : text;
    end = match.index + match[0].length;
  }
  return url + template.slice(end);
}

const hasAuthority = /^[a-z][a-z0-9+.-]*:\/\/[^/?#]+[/?#]/i;

/** In a path a slash separates segments, so it is not encoded. */
function encodeWithin(before: string, text: string): string {
  return before.includes('?') ? encodePercent(text) : text.split('/').map(encodePercent).join('/');
}

function scalarText(value: JsonValue | undefined): string | undefined {
  if (typeof value === 'string') return value;
  return typeof value === 'number' || typeof value === 'bigint' || typeof value === 'boolean'
    ? String(value)
    : undefined;
}
