import { isJsonMediaType, matchesMediaRange, parseMediaType } from '../../http/media-type.ts';
import { quoteExcerpt } from '../../json/json-problem.ts';
import { decodeUtf8 } from '../../json/decode-utf8.ts';
import type { MemberEncoding } from '../model.ts';
import type { ExpectedValue } from '../parameter/expected-value.ts';
import { binaryText } from './binary-text.ts';
import { FormReader, type FormResult } from './form-reader.ts';
import { readJsonLeaf, type LeafReading } from './member-tree.ts';
import type { FormSpec } from './read-form.ts';
import { onlyHeader, splitMultipart, type BodyPart } from './split-multipart.ts';

/**
 * Reads `multipart/form-data` (RFC 7578) by the properties of its schema: a part of a JSON type is
 * JSON, a file is a text with a character for each of its bytes, several parts of one name are a
 * list, the rest is read as texts. A part whose media type is none of those that `encoding` names
 * is refused. Never throws.
 */
export function readMultipart(
  body: Uint8Array,
  contentType: string,
  { schema, encoding }: FormSpec,
): FormResult {
  const split = splitMultipart(body, contentType);
  if (!split.ok) return split;
  const reader = new FormReader(schema);
  for (const [index, part] of split.parts.entries()) {
    const disposition = readDisposition(part);
    if (disposition === undefined)
      return {
        ok: false,
        message: `The multipart body cannot be read. Part ${String(index + 1)} has no header Content-Disposition that names its field.`,
      };
    const { name } = disposition;
    reader.add(
      name,
      readPart({ ...part, ...disposition }, reader.expected(name), encoding?.get(name)),
    );
  }
  return reader.finish();
}

interface Disposition {
  readonly name: string;
  readonly isFile: boolean;
}

/**
 * RFC 7578, section 4.2. Browsers write `"`, CR and LF in a name as percent-escapes (WHATWG HTML,
 * section 4.10.22.8).
 */
function readDisposition(part: BodyPart): Disposition | undefined {
  // But for the slash, the field has the grammar of a media type.
  const parsed = parseMediaType(`part/${onlyHeader(part, 'content-disposition') ?? ''}`);
  const name = parsed?.parameters.get('name');
  if (parsed?.essence !== 'part/form-data' || name === undefined) return undefined;
  const plain = name.replaceAll(/%22|%0D|%0A/gi, (escape) => decodeURIComponent(escape));
  return {
    name: plain,
    isFile: parsed.parameters.has('filename') || parsed.parameters.has('filename*'),
  };
}

function readPart(
  part: BodyPart & Disposition,
  expected: ExpectedValue,
  encoding: MemberEncoding | undefined,
): LeafReading {
  const written = onlyHeader(part, 'content-type');
  const allowed = (encoding?.contentType ?? '')
    .split(',')
    .map((range) => range.trim())
    .filter((range) => range !== '');
  if (
    written !== undefined &&
    allowed.length > 0 &&
    !allowed.some((range) => matchesMediaRange(written, range))
  ) {
    return {
      ok: false,
      message: `must be ${allowed.join(' or ')}, but is ${quoteExcerpt(written)}`,
    };
  }
  const type = written ?? (allowed.length === 1 ? allowed[0] : undefined) ?? 'text/plain';
  if (isJsonMediaType(type) && !isText(expected)) return readJsonLeaf(part.bytes);
  if (part.isFile && !type.startsWith('text/'))
    return { ok: true, leaf: { kind: 'value', value: binaryText(part.bytes) } };
  const text = decodeUtf8(part.bytes);
  if (part.isFile)
    return {
      ok: true,
      leaf: { kind: 'value', value: text.ok ? text.text : binaryText(part.bytes) },
    };
  return text.ok
    ? { ok: true, leaf: { kind: 'text', text: text.text } }
    : { ok: false, message: 'is not UTF-8' };
}

/**
 * Whether a member is a text, or a list of texts, whatever is in them: such as an uploaded file.
 */
function isText({ types, layout, item }: ExpectedValue): boolean {
  if (layout === 'list') return isText(item(0));
  return types.has('string') && !types.has('object') && !types.has('array');
}
