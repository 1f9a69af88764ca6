import { isJsonMediaType, parseMediaType } from '../../http/media-type.ts';
import { decodeUtf8 } from '../../json/decode-utf8.ts';
import { parseJson } from '../../json/parse-json.ts';
import { stringifyJson } from '../../json/stringify-json.ts';
import type { JsonArray, JsonValue } from '../../json/value.ts';
import { binaryText, type WrittenContent } from './content-form.ts';
import { type BodyPart, onlyHeader, splitMultipart } from './read-multipart.ts';

/**
 * Whether bodies of a media type are parts one after the other, of which no name tells what they
 * are: `multipart/mixed` and its like.
 */
export function isMultipartItems(mediaType: string): boolean {
  const essence = parseMediaType(mediaType)?.essence ?? '';
  return essence.startsWith('multipart/') && essence !== 'multipart/form-data';
}

/**
 * Writes each item as a part of its own (RFC 2046, section 5.1): a text as it stands, anything else
 * as JSON.
 */
export function writeMultipartItems(items: JsonArray, mediaType: string): WrittenContent {
  const parts = items.map((item) => {
    const isText = typeof item === 'string';
    const type = isText ? 'text/plain; charset=utf-8' : 'application/json';
    return `Content-Type: ${type}\r\n\r\n${isText ? item : stringifyJson(item)}\r\n`;
  });
  let boundary = 'vouch-boundary';
  for (let count = 1; parts.some((part) => part.includes(boundary)); count += 1)
    boundary = `vouch-boundary-${String(count)}`;
  const text = `${parts.map((part) => `--${boundary}\r\n${part}`).join('')}--${boundary}--\r\n`;
  return {
    mediaType: `${parseMediaType(mediaType)?.essence ?? mediaType}; boundary=${boundary}`,
    bytes: new TextEncoder().encode(text),
  };
}

/** The items of a body, or a sentence that says why it cannot be read. */
export type ItemsReading =
  | { readonly ok: true; readonly items: readonly JsonValue[] }
  | { readonly ok: false; readonly message: string };

/**
 * Reads each part as an item: JSON where it says that it is, else a text, or one character for each
 * of its bytes. Never throws.
 */
export function readMultipartItems(body: Uint8Array, contentType: string): ItemsReading {
  const split = splitMultipart(body, contentType);
  if (!split.ok) return split;
  const items: JsonValue[] = [];
  for (const [index, part] of split.parts.entries()) {
    const item = readItem(part);
    if (item === undefined)
      return {
        ok: false,
        message: `Part ${String(index + 1)} of the body is not valid JSON, as its Content-Type says.`,
      };
    items.push(item);
  }
  return { ok: true, items };
}

function readItem(part: BodyPart): JsonValue | undefined {
  if (isJsonMediaType(onlyHeader(part, 'content-type') ?? 'text/plain')) {
    const reading = parseJson(part.bytes);
    return reading.ok ? reading.value : undefined;
  }
  const text = decodeUtf8(part.bytes);
  return text.ok ? text.text : binaryText(part.bytes);
}
