import { decodeUtf8 } from '../../json/decode-utf8.ts';
import { isJsonObject, type JsonValue } from '../../json/value.ts';
import type { HttpResponse } from '../../http/message.ts';

/**
 * Where the reason stands in the errors of most contracts, the most telling member first (RFC 9457
 * has `detail` and `title`).
 */
const members = [
  'detail',
  'message',
  'error_description',
  'description',
  'reason',
  'title',
] as const;
/** An error that is longer is a page of something else. */
const longestBody = 16 * 1024;

/**
 * Why a request was refused, in the words of the answer's JSON; undefined where it says nothing, or
 * not in JSON.
 */
export function refusalReason({ body }: Pick<HttpResponse, 'body'>): string | undefined {
  if (body.length === 0 || body.length > longestBody) return undefined;
  const text = decodeUtf8(body);
  return text.ok ? reasonIn(readJson(text.text), 2) : undefined;
}

function readJson(text: string): JsonValue {
  try {
    // What the mock has written itself, and only texts of it are shown: exact numbers are not asked
    // for.
    return JSON.parse(text) as JsonValue;
  } catch {
    return null;
  }
}

/** Some contracts wrap the error: `{ "error": { "message": … } }`, or a list of them. */
function reasonIn(value: JsonValue | undefined, depth: number): string | undefined {
  if (Array.isArray(value)) return reasonIn(value[0], depth - 1);
  if (value === undefined || !isJsonObject(value) || depth < 0) return undefined;
  const told = members
    .map((name) => value[name])
    .find((text) => typeof text === 'string' && text !== '');
  if (typeof told === 'string') return told;
  return ['error', 'errors']
    .map((name) => wrapped(value[name], depth))
    .find((text) => text !== undefined);
}

function wrapped(value: JsonValue | undefined, depth: number): string | undefined {
  return typeof value === 'string' ? value : reasonIn(value, depth - 1);
}
