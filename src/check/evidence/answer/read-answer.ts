import { isJsonMediaType, parseMediaType } from '../../../http/media-type.ts';
import { headerValue, type HttpResponse } from '../../../http/message.ts';
import { parseJson } from '../../../json/parse-json.ts';
import type { JsonValue } from '../../../json/value.ts';
import { decodeContent, type ContentFault } from './decode-content.ts';

/** The body of an answer as its header says that it is to be read. `mediaType` is missing where the header names none. */
export type Answer =
  | { readonly kind: 'empty'; readonly mediaType?: string }
  /** `repeats`: a name that is given twice in one object, and where; the last value counts, as with most clients. */
  | { readonly kind: 'json'; readonly mediaType: string; readonly value: JsonValue; readonly repeats?: string }
  | { readonly kind: 'bytes'; readonly mediaType?: string; readonly bytes: Uint8Array }
  /** `content`: its content coding is at fault, and nobody knows what the body would be. */
  | { readonly kind: 'unreadable'; readonly mediaType?: string; readonly reason: string; readonly content?: ContentFault };

/** Reads a body: content codings undone, JSON parsed exactly. Never throws. */
export function readAnswer(response: HttpResponse): Answer {
  const mediaType = headerValue(response.headers, 'content-type');
  const decoded = response.body.length === 0 ? undefined : decodeContent(response);
  if (mediaType !== undefined && decoded?.ok === true && isJsonMediaType(mediaType)) return readJson(decoded.bytes, mediaType);
  const named = mediaType === undefined ? {} : { mediaType };
  if (decoded === undefined) return { kind: 'empty', ...named };
  return decoded.ok ? { kind: 'bytes', ...named, bytes: decoded.bytes } : { kind: 'unreadable', ...named, reason: decoded.reason, content: decoded.kind };
}

/** A deployment may nest and name as it likes; only what is no JSON is a fault of its own. */
const lenient = { maxDepth: 1000, duplicateKeys: 'refuse', forbiddenKeys: [], loneSurrogates: 'allow' } as const;

function readJson(bytes: Uint8Array, mediaType: string): Answer {
  const reading = parseJson(bytes, lenient);
  if (reading.ok) return { kind: 'json', mediaType, value: reading.value };
  const again = reading.problem.code === 'duplicate-key' ? parseJson(bytes, { ...lenient, duplicateKeys: 'allow' }) : reading;
  if (again.ok) return { kind: 'json', mediaType, value: again.value, repeats: reading.problem.message };
  return { kind: 'unreadable', mediaType, reason: `the body says that it is ${parseMediaType(mediaType)?.essence ?? mediaType}, but is not: ${again.problem.message}` };
}

/** The JSON value of an answer, or undefined where it is none. */
export function jsonOf(answer: Answer): JsonValue | undefined {
  return answer.kind === 'json' ? answer.value : undefined;
}
