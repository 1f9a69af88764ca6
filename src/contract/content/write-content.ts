import { isJsonArray, isJsonObject, type JsonValue } from '../../json/value.ts';
import { stringifyJson } from '../../json/stringify-json.ts';
import type { MediaTypeSpec } from '../model.ts';
import { writeScalar } from '../parameter/write-piece.ts';
import { binaryBytes } from './binary-text.ts';
import { contentForm, type ContentForm } from './content-form.ts';
import { isMultipartItems, writeMultipartItems } from './multipart-items.ts';
import { writeForm } from './write-form.ts';
import { writeCsv, writeEvents, writeJsonLines, writeJsonSequence } from './write-lines.ts';
import { writeMultipart } from './write-multipart.ts';
import { writeXml } from './write-xml.ts';

/** A body as bytes, and the media type that it is sent as. */
export interface WrittenContent {
  readonly mediaType: string;
  readonly bytes: Uint8Array;
}

const encoder = new TextEncoder();

/**
 * Writes a value as a body of a media type. A text is written as it stands where the type is none
 * of structure; what has no form of its own in the type, such as an object in a plain text, is
 * written as JSON.
 */
export function writeContent(
  value: JsonValue,
  spec: Pick<MediaTypeSpec, 'mediaType' | 'schema' | 'encoding'>,
): WrittenContent {
  const { mediaType, schema } = spec;
  const text = (written: string): WrittenContent => ({ mediaType, bytes: encoder.encode(written) });
  const form = contentForm(mediaType);
  if (form === 'json') return text(stringifyJson(value));
  if (form === 'multipart' && isJsonObject(value)) return writeMultipart(value, spec);
  if (isJsonArray(value) && isMultipartItems(mediaType))
    return writeMultipartItems(value, mediaType);
  if (form === 'form' && isJsonObject(value)) return text(writeForm(value, spec));
  if (form === 'binary' && typeof value === 'string')
    return { mediaType, bytes: binaryBytes(value) };
  if (typeof value === 'string' && isInOwnWords(value, form)) return text(value);
  switch (form) {
    case 'json-lines':
      return text(writeJsonLines(value));
    case 'json-sequence':
      return text(writeJsonSequence(value));
    case 'events':
      return text(writeEvents(value));
    case 'csv':
      return text(writeCsv(value));
    case 'xml':
      return text(writeXml(value, schema));
    default:
      return text(writeScalar(value));
  }
}

/**
 * Whether a text is a body of its type already, as an example may be, and not a value that is still
 * to be written.
 */
function isInOwnWords(text: string, form: ContentForm): boolean {
  if (form === 'json-lines' || form === 'json-sequence') return false;
  if (form === 'events') return /^(data|event|id|retry)?:/m.test(text);
  return form !== 'xml' || text.trimStart().startsWith('<');
}
