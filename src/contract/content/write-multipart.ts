import { isJsonMediaType, parseMediaType } from '../../http/media-type.ts';
import { stringifyJson } from '../../json/stringify-json.ts';
import { isJsonArray, isJsonObject, type JsonObject, type JsonValue } from '../../json/value.ts';
import type { Schema } from '../model.ts';
import { writeScalar } from '../parameter/encode-parameter.ts';
import { FormReader } from './form-reader.ts';
import { binaryBytes, type WrittenContent } from './content-form.ts';
import type { FormSpec } from './form.ts';

/**
 * Writes an object as `multipart/form-data` (RFC 7578) so that `readMultipart` reads it back:
 * binary members as files, objects as JSON, lists as several parts of one name. The boundary is one
 * that the members do not hold.
 */
export function writeMultipart(value: JsonObject, spec: FormSpec): WrittenContent {
  const reader = new FormReader(spec.schema);
  const parts = Object.entries(value).flatMap(([name, member]) => {
    const kind = kindOf(reader.property(name), spec.encoding?.get(name)?.contentType);
    const items = isJsonArray(member) && kind.type === undefined ? member : [member];
    return items.map((item) => writePart(name, item, kind));
  });
  const body = Buffer.concat(parts);
  let boundary = 'vouch-boundary';
  for (let count = 1; body.includes(boundary); count += 1)
    boundary = `vouch-boundary-${String(count)}`;
  const framed = parts.flatMap((part) => [
    Buffer.from(`--${boundary}\r\n`),
    part,
    Buffer.from('\r\n'),
  ]);
  return {
    mediaType: `multipart/form-data; boundary=${boundary}`,
    bytes: Buffer.concat([...framed, Buffer.from(`--${boundary}--\r\n`)]),
  };
}

/**
 * How a member travels: as a file, or as a certain media type for the whole of it; else as what it
 * is.
 */
interface MemberKind {
  readonly file: string | undefined;
  readonly type: string | undefined;
}

function kindOf(schema: Schema | undefined, contentType: string | undefined): MemberKind {
  const types = (contentType ?? '')
    .split(',')
    .map((type) => parseMediaType(type)?.essence ?? '')
    .filter((type) => type !== '');
  const flat = schema?.flatten();
  const item =
    flat?.node.items === undefined
      ? undefined
      : schema?.flatten(flat.node.items, `${flat.pointer}/items`);
  const nodes = [flat?.node, item?.node];
  const isBinary = nodes.some(
    (node) =>
      node?.format === 'binary' ||
      (typeof node?.['contentMediaType'] === 'string' &&
        !isJsonMediaType(node['contentMediaType'])),
  );
  const [named] = types;
  const concrete =
    named === undefined
      ? undefined
      : named.endsWith('/*')
        ? named.replace('*', named.startsWith('image/') ? 'png' : 'plain')
        : named;
  if (isBinary) return { file: concrete ?? 'application/octet-stream', type: undefined };
  return {
    file: undefined,
    type: concrete === undefined || concrete === 'text/plain' ? undefined : concrete,
  };
}

function writePart(name: string, value: JsonValue, { file, type }: MemberKind): Buffer {
  const disposition = `Content-Disposition: form-data; name="${escapeName(name)}"`;
  if (file !== undefined && typeof value === 'string') {
    return Buffer.concat([
      Buffer.from(
        `${disposition}; filename="${escapeName(name)}"\r\nContent-Type: ${file}\r\n\r\n`,
      ),
      binaryBytes(value),
    ]);
  }
  const isNested = isJsonObject(value) || isJsonArray(value) || isJsonMediaType(type ?? '');
  const written = type ?? (isNested ? 'application/json' : undefined);
  const text = isNested ? stringifyJson(value) : writeScalar(value);
  return Buffer.from(
    `${disposition}${written === undefined ? '' : `\r\nContent-Type: ${written}`}\r\n\r\n${text}`,
  );
}

/** WHATWG HTML, section 4.10.22.8. */
function escapeName(name: string): string {
  return name.replaceAll(/["\r\n]/g, encodeURIComponent);
}
