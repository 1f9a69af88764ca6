import { brotliCompressSync, deflateSync, gzipSync, zstdCompressSync } from 'node:zlib';
import { concreteType, contentForm, type WrittenContent } from '../../http/media-type.ts';
import { writeContent } from '../../contract/content/write-content.ts';
import { closeBody } from '../../contract/infer/open-envelopes.ts';
import type { MediaTypeSpec, Parameter } from '../../contract/model.ts';
import { emptyBody, type HeaderList, headerValue } from '../../http/message.ts';
import { equalJson } from '../../json/equal-json.ts';
import { joinPointer, splitPointer, valueAt } from '../../json/pointer.ts';
import type { JsonObject, JsonValue } from '../../json/value.ts';
import {
  isJsonArray,
  isJsonObject,
  membersWhere,
  scalarTexts,
  stringifyJson,
  withoutMembers,
  objectOf,
} from '../../json/value.ts';
import { placeValue } from '../../values/baseline.ts';
import { readOwnBody } from '../reading/read-body.ts';
import type { Alteration, BodyTemplate } from '../model/request-template.ts';
import { withoutFiles } from './with-files.ts';

/** A body as it is sent; without a media type it is sent without `Content-Type`. */
export interface WrittenBody {
  readonly mediaType?: string;
  readonly bytes: Uint8Array;
}

/** Writes a body as its media type requires. */
export function writeBody(body: BodyTemplate): WrittenBody {
  switch (body.kind) {
    case 'bytes':
      return body;
    case 'json':
      return { mediaType: body.mediaType, bytes: utf8.encode(stringifyJson(body.value)) };
    case 'content': {
      const { mediaType, bytes } = writeMedia(body.value, body.media, body.altered);
      return { mediaType: body.label ?? mediaType, bytes };
    }
  }
}

const utf8 = new TextEncoder();

/** No body, and no `Content-Type`. */
export const noBody: WrittenBody = { bytes: emptyBody };

/**
 * The value of a body that is compared with responses: JSON; a form that decodes to the same value,
 * without its files; and what XML says, which has no empty lists.
 */
export function comparableBody(body: BodyTemplate): JsonValue | undefined {
  if (body.kind === 'bytes') return undefined;
  if (body.kind === 'json') return body.value;
  const { value, media } = body;
  const form = contentForm(concreteType(media.mediaType, typeof value === 'string'));
  if (form === 'json') return value;
  if (!['form', 'multipart', 'xml'].includes(form) || !isJsonObject(value)) return undefined;
  const { bytes, mediaType } = writeMedia(value, media);
  const reading = readOwnBody(bytes, mediaType, media);
  if (form === 'xml') return reading.kind === 'value' ? reading.value : undefined;
  return reading.kind === 'value' && isReadAs(value, reading.value)
    ? withoutFiles(reading.value, media)
    : undefined;
}

/** Whether a form says a value: its reader may take a text of digits for a number. */
function isReadAs(value: JsonObject, read: JsonValue): read is JsonObject {
  if (equalJson(read, value)) return true;
  const names = Object.keys(objectOf(read));
  const texts = [value, read].map((one) => stringifyJson(scalarTexts(one)));
  return equalJson(names, Object.keys(value)) && texts[0] === texts[1];
}

function writeMedia(fields: JsonValue, media: MediaTypeSpec, altered?: Alteration): WrittenContent {
  const whole = media.envelope === undefined ? fields : closeBody(media.envelope, fields);
  const value = altered === undefined ? whole : alter(whole, altered);
  return writeContent(value, {
    ...media,
    mediaType: concreteType(media.mediaType, typeof value === 'string'),
  });
}

/** A body with one place altered. */
export function alter(whole: JsonValue, { at, part }: Alteration): JsonValue {
  if (part !== undefined) return placeValue({ base: whole, full: whole, at }, part);
  const tokens = splitPointer(at);
  const around = joinPointer('', ...tokens.slice(0, -1));
  const without = withoutMembers(valueAt(whole, around) ?? null, tokens.at(-1) ?? '');
  return placeValue({ base: whole, full: whole, at: around }, without);
}

const codings: Readonly<Record<string, (bytes: Uint8Array) => Uint8Array>> = {
  identity: (bytes) => bytes,
  gzip: gzipSync,
  deflate: deflateSync,
  br: brotliCompressSync,
  zstd: zstdCompressSync,
};

/**
 * The content codings in which bodies can be sent, the simplest first (RFC 9110, section 8.4.1).
 */
export const bodyCodings: readonly string[] = Object.keys(codings);

/**
 * A body in the coding that the request's own `Content-Encoding` names; unchanged if that names
 * none, or an unknown one.
 */
export function codeBody(body: Uint8Array, headers: HeaderList): Uint8Array {
  const coding =
    body.length === 0 ? undefined : headerValue(headers, 'content-encoding')?.toLowerCase();
  return coding === undefined || !Object.hasOwn(codings, coding)
    ? body
    : (codings[coding]?.(body) ?? body);
}

/**
 * What a parameter's style writes of a value: null is undefined there, and is left out, and so are
 * items and members that are null (RFC 6570, sections 2.3 and 3.2.1). Undefined if nothing is
 * written. A path cannot leave out its segment, and JSON has its own null.
 */
export function definedPart(
  { in: location, mediaType }: Pick<Parameter, 'in' | 'mediaType'>,
  value: JsonValue,
): JsonValue | undefined {
  if (location === 'path' || mediaType !== undefined) return value;
  if (value === null) return undefined;
  if (isJsonArray(value)) return value.filter((item) => item !== null);
  if (!isJsonObject(value)) return value;
  return membersWhere(value, (_name, member) => member !== null);
}
