import { binaryText } from '../../contract/content/content-form.ts';
import type { Schema } from '../../contract/model.ts';
import { makeFault } from '../errors/fault.ts';
import type { ContentReading } from './read-content.ts';

const base64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;
const base64url = /^[A-Za-z0-9_-]*={0,2}$/;

/**
 * Bytes as a value, one character for each, where the schema says something of them: how many there
 * may be, or that they are base64 (JSON Schema Validation 2020-12, section 8.3). Others mean
 * nothing here.
 */
export function judgeBinary(bytes: Uint8Array, schema: Schema | undefined): ContentReading {
  const node = schema?.flatten().node;
  if (node === undefined) return { kind: 'opaque' };
  const coding = node['contentEncoding'] ?? (node.format === 'byte' ? 'base64' : undefined);
  const shape = coding === 'base64' ? base64 : coding === 'base64url' ? base64url : undefined;
  const isBounded =
    shape !== undefined ||
    [node.minLength, node.maxLength, node.pattern, node.enum, node.const].some(
      (rule) => rule !== undefined,
    );
  if (!isBounded) return { kind: 'opaque' };
  const value = binaryText(bytes);
  // Line breaks are part of base64 in MIME (RFC 2045, section 6.8).
  if (shape === undefined || shape.test(value.replaceAll(/[\r\n]/g, '')))
    return { kind: 'value', value };
  const message = `The body must be ${String(coding)} text, and is not.`;
  return makeFault('body-value', 'invalid_value', message, {
    issues: [{ place: 'body', name: '', rule: 'contentEncoding', message }],
  });
}
