import { isJsonMediaType, parseMediaType } from '../../http/media-type.ts';
import { headerValue, type HttpResponse } from '../../http/message.ts';
import { parseJson } from '../../json/parse-json.ts';
import type { JsonValue } from '../../json/value.ts';
import { decodeContent } from './decode-content.ts';

/** The body of an answer as its header says that it is to be read. `mediaType` is missing where the header names none. */
export type Answer =
  | { readonly kind: 'empty'; readonly mediaType?: string }
  | { readonly kind: 'json'; readonly mediaType: string; readonly value: JsonValue }
  | { readonly kind: 'bytes'; readonly mediaType?: string; readonly bytes: Uint8Array }
  | { readonly kind: 'unreadable'; readonly mediaType?: string; readonly reason: string };

/** Reads a body: content codings undone, JSON parsed exactly. Never throws. */
export function readAnswer(response: HttpResponse): Answer {
  const written = headerValue(response.headers, 'content-type');
  const named = written === undefined ? {} : { mediaType: written };
  if (response.body.length === 0) return { kind: 'empty', ...named };
  const decoded = decodeContent(response);
  if (!decoded.ok) return { kind: 'unreadable', ...named, reason: decoded.reason };
  if (written === undefined || !isJsonMediaType(written)) return { kind: 'bytes', ...named, bytes: decoded.bytes };
  // A deployment may nest and name as it likes; only what is no JSON is a fault of its own.
  const reading = parseJson(decoded.bytes, { maxDepth: 1000, duplicateKeys: 'allow', forbiddenKeys: [], loneSurrogates: 'allow' });
  if (reading.ok) return { kind: 'json', mediaType: written, value: reading.value };
  return { kind: 'unreadable', mediaType: written, reason: `the body says that it is ${parseMediaType(written)?.essence ?? written}, but is not: ${reading.problem.message}` };
}

/** The JSON value of an answer, or undefined where it is none. */
export function jsonOf(answer: Answer): JsonValue | undefined {
  return answer.kind === 'json' ? answer.value : undefined;
}
