import { contentForm, type ContentForm } from '../../../contract/content/content-form.ts';
import { isMultipartItems } from '../../../contract/content/multipart-items.ts';
import type { Example, MediaTypeSpec, Operation, Schema } from '../../../contract/model.ts';
import { parseMediaType } from '../../../http/media-type.ts';
import { defined } from '../../../json/defined.ts';
import { isJsonObject, type JsonValue } from '../../../json/value.ts';
import { plainValue, type PlainValueOptions } from '../../../values/plain-value.ts';
import { sampleContent } from '../../../values/sample-content.ts';
import { brokenOnWire } from '../../evidence/request/read-body.ts';
import type { BodyTemplate, IdentifierPath } from '../../model/request-template.ts';
import { concreteType, writeBody } from '../../request/write-body.ts';
import { findIdentifier, withOwnIdentifier } from './own-identifier.ts';
import { withFiles } from './with-files.ts';
import { withoutReadOnly } from './without-read-only.ts';

/** The body of a request that is being planned. */
export interface DraftBody {
  readonly media: MediaTypeSpec;
  /** As the contract writes it; a range is sent as one of the types that it takes in. */
  readonly mediaType: string;
  readonly schema?: Schema;
  readonly value: JsonValue;
  /** Whether the contract itself shows the value, as an example. */
  readonly shown: boolean;
  /** Set where a new record is made of it. */
  readonly makesRecord?: true;
  /** Where it names the record that is made of it, where it does. */
  readonly identifier?: IdentifierPath;
  /** The path parameter that names the record which the body changes: the body repeats it. */
  readonly namedBy?: string;
}

/**
 * The bodies of an operation, the one that says most first; or, in a clause, why there is none that
 * it would take.
 */
export type DraftBodies =
  | { readonly ok: true; readonly bodies: readonly DraftBody[] }
  | { readonly ok: false; readonly reason: string };

/** What says most of its values comes first. */
const liking: readonly ContentForm[] = [
  'json',
  'form',
  'multipart',
  'xml',
  'json-lines',
  'json-sequence',
  'csv',
  'text',
  'events',
  'binary',
];

/**
 * A valid body in each media type that an operation declares. Empty where it takes none, or may go
 * without.
 */
export function draftBodies({ requestBody }: Operation, seed: string): DraftBodies {
  if (requestBody === undefined) return { ok: true, bodies: [] };
  const media = requestBody.content.toSorted((left, right) => rank(left) - rank(right));
  const made = media.map((entry) => plainBody(entry, seed));
  const bodies = made.flatMap((result) => ('reason' in result ? [] : result));
  const [first] = made.flatMap((result) => ('reason' in result ? result : []));
  if (bodies.length > 0 || !requestBody.required) return { ok: true, bodies };
  return {
    ok: false,
    reason: first?.reason ?? 'its body is required, and the contract names no media type for it',
  };
}

function rank({ mediaType }: MediaTypeSpec): number {
  const isRange = mediaType.includes('*');
  return liking.indexOf(contentForm(mediaType)) + (isRange ? liking.length : 0);
}

function plainBody(media: MediaTypeSpec, seed: string): DraftBody | { readonly reason: string } {
  const { mediaType, schema } = media;
  const named = { media, mediaType, ...defined({ schema }) };
  const example = shownBodies(media)[0];
  if (example !== undefined) return { ...named, value: example.value, shown: true };
  const items = itemsBody(media, seed);
  if (items !== undefined) return { ...named, value: items, shown: false };
  const sample = sampleBody(media);
  if (sample !== undefined && isSound(sample, media))
    return { ...named, value: sample, shown: false };
  if (schema === undefined) return { ...named, value: {}, shown: false };
  for (const made of plainValues(schema, { seed, direction: 'request' })) {
    const value = withFiles(withoutReadOnly(made, schema), media);
    if (isSound(value, media)) return { ...named, value, shown: false };
  }
  const result = plainValue(schema, { seed, direction: 'request' });
  return {
    reason: result.ok
      ? `no valid body could be written as ${mediaType}`
      : `no valid body could be made: ${result.reason}`,
  };
}

/**
 * One part, where the contract says of parts what each of them has to be (OpenAPI 3.2,
 * `itemSchema`).
 */
function itemsBody({ mediaType, itemSchema }: MediaTypeSpec, seed: string): JsonValue | undefined {
  if (itemSchema === undefined || !isMultipartItems(mediaType)) return undefined;
  const made = plainValue(itemSchema, { seed, direction: 'request' });
  return made.ok ? [withoutReadOnly(made.value, itemSchema)] : undefined;
}

/** The valid examples of a media type, without what only answers show. */
export function shownBodies(media: MediaTypeSpec): Example[] {
  const { schema, examples } = media;
  const sent = examples.map((example) => {
    const value = schema === undefined ? example.value : withoutReadOnly(example.value, schema);
    return { ...example, value: isSound(value, media) ? value : example.value };
  });
  return sent.filter(({ value }) => isSound(value, media));
}

/**
 * What a person would send, then less of it, then more: a form cannot say everything that JSON can.
 */
function* plainValues(schema: Schema, options: PlainValueOptions): Generator<JsonValue, void> {
  for (const required of [undefined, 'only', 'all'] as const) {
    const made = plainValue(schema, required === undefined ? options : { ...options, required });
    if (made.ok) yield made.value;
  }
}

/**
 * Files and texts of a certain type look like that; a text of no structure is what its schema says.
 */
function sampleBody({ mediaType, schema }: MediaTypeSpec): JsonValue | undefined {
  const essence = parseMediaType(concreteType(mediaType, ''))?.essence ?? '';
  const form = contentForm(essence);
  const isText = schema === undefined || schema.flatten().types.every((type) => type === 'string');
  if (form === 'binary')
    return isText || schema?.flatten().types.includes('string') === true
      ? (sampleContent(essence) ?? 'A sample file.\n')
      : undefined;
  if (form === 'json' || form === 'form' || form === 'multipart') return undefined;
  return (isText && essence !== 'text/plain') || schema === undefined
    ? sampleContent(essence)
    : undefined;
}

/**
 * Whether a value is a valid body of a media type, in itself and as it reads back from the wire;
 * XML may be given as it is written.
 */
function isSound(value: JsonValue, media: MediaTypeSpec): boolean {
  const { bytes, mediaType } = writeBody(bodyOf({ media, mediaType: media.mediaType }, value));
  const found = brokenOnWire(bytes, mediaType ?? media.mediaType, media);
  if (found !== 'unread')
    return found.length === 0 && (isJsonObject(value) === false || keeps(value, media));
  return typeof value === 'string' || keeps(value, media);
}

function keeps(value: JsonValue, { schema }: MediaTypeSpec): boolean {
  return schema === undefined || schema.accepts(value, 'request');
}

/** A value as a body in the media type of a draft. */
export function bodyOf(
  {
    media,
    mediaType,
    identifier,
    namedBy,
  }: Pick<DraftBody, 'media' | 'mediaType' | 'identifier' | 'namedBy'>,
  value: JsonValue,
): BodyTemplate {
  const isJson = contentForm(mediaType) === 'json' && !mediaType.includes('*');
  const template = isJson
    ? ({ kind: 'json', mediaType, value } as const)
    : ({ kind: 'content', media, value } as const);
  if (identifier === undefined) return template;
  return { ...template, identifier, ...defined({ namedBy }) };
}

/**
 * The body of a create, naming a record that nobody else has where the client names it: an
 * example's identifier may be the name of somebody's record. `field` is the identifier of the
 * resource.
 */
export function withOwnName(
  body: DraftBody,
  { field, salt }: { readonly field: string | undefined; readonly salt: string },
): DraftBody {
  const path = findIdentifier(body.value, field);
  if (path === undefined) return body;
  const value = withOwnIdentifier(body.value, { path, schema: body.schema, salt });
  return { ...body, value, identifier: path };
}

/** How the body of a draft is written. */
export function formOf({ mediaType, value }: Pick<DraftBody, 'mediaType' | 'value'>): ContentForm {
  return contentForm(concreteType(mediaType, value));
}

/** Whether a body says on the wire what it says here. */
export function isJson(body: DraftBody): boolean {
  return bodyOf(body, body.value).kind === 'json';
}
