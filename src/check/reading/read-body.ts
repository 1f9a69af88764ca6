import { contentForm } from '../../http/media-type.ts';
import type { FormResult } from '../../contract/content/form-reader.ts';
import { readForm } from '../../contract/content/form.ts';
import { readXml } from '../../contract/content/read-xml.ts';
import { readMultipart } from '../../contract/content/read-multipart.ts';
import type { MediaTypeSpec, Schema } from '../../contract/model.ts';
import { expectedValue, readScalar } from '../../contract/parameter/expected-value.ts';
import { openBody } from '../../contract/infer/open-envelopes.ts';
import { splitPointer } from '../../json/pointer.ts';
import { decodeUtf8, parseJson } from '../../json/parse-json.ts';
import type { JsonValue } from '../../json/value.ts';

/**
 * The content of a request body as sent: a value, opaque content (a file, XML), or unreadable
 * content.
 */
export type SentBody =
  | { readonly kind: 'value'; readonly value: JsonValue }
  | { readonly kind: 'opaque' }
  /** `reason` is a predicate: `is not JSON: …`. */
  | { readonly kind: 'broken'; readonly reason: string };

const opaque: SentBody = { kind: 'opaque' };

/**
 * Reads the body of a request as the contract describes it. `type` is its `Content-Type`. Never
 * throws.
 */
export function readBody(bytes: Uint8Array, type: string, media: MediaTypeSpec): SentBody {
  const form = contentForm(type);
  if (form === 'binary') return opaque;
  const broken: SentBody = { kind: 'broken', reason: `cannot be read as ${type}` };
  if (form === 'multipart') return ofForm(readMultipart(bytes, type, media)) ?? broken;
  if (form === 'json') return withoutEnvelope(ofJson(parseJson(bytes)), media);
  const text = decodeUtf8(bytes);
  if (!text.ok) return broken;
  if (form === 'form') return ofForm(readForm(text.text, media)) ?? broken;
  if (form === 'xml') return /^\ufeff?\s*</.test(text.text) ? opaque : broken;
  return form === 'text' || form === 'csv' ? (readText(text.text, media.schema) ?? broken) : opaque;
}

function ofForm(result: FormResult): SentBody | undefined {
  return result.ok ? { kind: 'value', value: result.value } : undefined;
}

function ofJson(result: ReturnType<typeof parseJson>): SentBody {
  return result.ok
    ? { kind: 'value', value: result.value }
    : { kind: 'broken', reason: `is not JSON: ${result.problem.message}` };
}

/** The fields in a body; broken where the body has not the envelope that the contract requires. */
function withoutEnvelope(reading: SentBody, { envelope, schema }: MediaTypeSpec): SentBody {
  if (envelope === undefined || reading.kind !== 'value') return reading;
  const value = openBody(envelope, reading.value);
  // What is wrong with the fields is said of the fields.
  if (value !== undefined && schema?.accepts(value, 'request') === false)
    return { kind: 'value', value };
  const issues = envelope.whole.validate(reading.value, 'request');
  const issue = issues.find(({ unjudged }) => unjudged !== true);
  if (issue !== undefined)
    return {
      kind: 'broken',
      reason: `${splitPointer(issue.at).join('.') || 'it'} ${issue.message}`,
    };
  return value === undefined ? opaque : { kind: 'value', value };
}

/** A text, or the scalar that the schema requires instead of one. */
function readText(text: string, schema: Schema | undefined): SentBody | undefined {
  if (schema === undefined) return { kind: 'value', value: text };
  const { types } = expectedValue(schema);
  if (types.has('string')) return { kind: 'value', value: text };
  const reading = readScalar(text.trim(), types);
  return reading.ok ? { kind: 'value', value: reading.values[0] } : undefined;
}

/**
 * The content of a body that the run itself writes: XML too, which a service reads by the same
 * schema. The XML of others stays opaque, because a schema may leave open how it is written.
 */
export function readOwnBody(bytes: Uint8Array, type: string, media: MediaTypeSpec): SentBody {
  const { schema } = media;
  const reading = readBody(bytes, type, media);
  if (contentForm(type) !== 'xml' || schema === undefined || reading.kind !== 'opaque')
    return reading;
  const text = decodeUtf8(bytes);
  const isWhole = [...expectedValue(schema).types].join() === 'string';
  if (!text.ok || isWhole) return opaque;
  const found = readXml(text.text, schema);
  if (found.ok) return found.sure ? { kind: 'value', value: found.value } : opaque;
  return { kind: 'broken', reason: [found.member ?? '', found.message].join(' ').trim() };
}

/**
 * The rules that a body violates as sent, by the pointers of their keywords; `unread` if that is
 * unknown.
 */
export function brokenOnWire(
  bytes: Uint8Array,
  type: string,
  media: MediaTypeSpec,
): readonly string[] | 'unread' {
  const reading = readOwnBody(bytes, type, media);
  if (reading.kind === 'opaque') return 'unread';
  if (reading.kind === 'broken') return [media.pointer];
  return (media.schema?.validate(reading.value, 'request') ?? []).map(({ pointer }) => pointer);
}

/**
 * A parsed path template: its parameter names, in order, and the pattern that extracts their
 * values.
 */
interface PathShape {
  readonly names: readonly string[];
  readonly pattern: RegExp;
}

/**
 * The values of a path template, still percent-encoded; undefined if the path does not match. The
 * part of a template after `?` is not in the path.
 */
export function readPath(template: string, path: string): Map<string, string> | undefined {
  const { names, pattern } = shapeOf(template);
  const match = pattern.exec(path);
  return match === null
    ? undefined
    : new Map(names.map((name, index) => [name, match[index + 1] ?? '']));
}

function shapeOf(template: string): PathShape {
  const before = known.get(template);
  if (before !== undefined) return before;
  const bare = template.replace(/[?#].*$/s, '');
  const names = [...bare.matchAll(/\{([^{}]+)\}/g)].map((match) => match[1] ?? '');
  const source = bare
    .split(/\{[^{}]+\}/)
    .map((text) => text.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&'))
    .join('([^/]*?)');
  const shape = { names, pattern: new RegExp(`^${source}$`) };
  if (known.size < maxKnown) known.set(template, shape);
  return shape;
}

// A run reads thousands of paths by a few hundred templates.
const known = new Map<string, PathShape>();
const maxKnown = 10_000;
