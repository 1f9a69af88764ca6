import { wordsIn } from '../../words-in.ts';
import {
  contentForm,
  type ContentForm,
  isMultipartItems,
  concreteType,
  parseMediaType,
} from '../../http/media-type.ts';
import type {
  Example,
  LocatedNode,
  MediaTypeSpec,
  Operation,
  Schema,
} from '../../contract/model.ts';
import { withoutTag } from '../../contract/protocols/body-tag.ts';
import { objectMembers } from '../../contract/schema/object-members.ts';
import { defined, isJsonArray, isJsonObject, memberOf, type JsonValue } from '../../json/value.ts';
import { joinPointer, type Pointer, splitPointer } from '../../json/pointer.ts';
import { plainValue, type PlainValueOptions } from '../../values/plain-value.ts';
import { sampleContent } from '../../values/sample-content.ts';
import { brokenOnWire } from '../reading/read-body.ts';
import type { BodyTemplate, Fill, IdentifierPath } from '../model/request-template.ts';
import { writeBody } from '../request/write-body.ts';
import {
  BodyTexts,
  findIdentifier,
  identifierIn,
  withOwnIdentifier,
} from '../reading/identifiers.ts';
import { codesIn } from './codes.ts';
import type { ListedRecords } from './listed-records.ts';
import { withFiles } from '../request/with-files.ts';
import { newKey } from './unique-text.ts';

/** The body of a request that is being planned. */
export interface DraftBody {
  readonly media: MediaTypeSpec;
  /** As the contract writes it; a range is sent as one of the types in it. */
  readonly mediaType: string;
  readonly schema?: Schema;
  /** The texts that the schema has room for. */
  readonly texts: BodyTexts;
  readonly value: JsonValue;
  /** Whether the value is an example of the contract. */
  readonly shown: boolean;
  /** Set if the request creates a record from it. */
  readonly makesRecord?: true;
  /** Where it names the record that is created from it, if it does. */
  readonly identifier?: IdentifierPath;
  /** Where it lists the records that are created from it, if it does. */
  readonly listed?: ListedRecords;
  /** The path parameter that names the record which the body changes: the body repeats it. */
  readonly namedBy?: string;
  /** The members that an earlier answer fills in, in JSON bodies. */
  readonly fills?: readonly Fill[];
}

/** The bodies of an operation, the most expressive first; or, as a clause, why there is none. */
export type DraftBodies =
  | { readonly ok: true; readonly bodies: readonly DraftBody[] }
  | { readonly ok: false; readonly reason: string };

/** The most expressive content comes first. */
const preference: readonly ContentForm[] = wordsIn(
  'json form multipart xml json-lines json-sequence csv text events binary',
);

/** A valid body in each media type of an operation. Empty if it has none, or none is required. */
export function draftBodies(operation: Operation, seed: string, create?: Operation): DraftBodies {
  const { requestBody } = operation;
  if (requestBody === undefined) return { ok: true, bodies: [] };
  const media = requestBody.content.toSorted((left, right) => rank(left) - rank(right));
  const made = media.map((entry) =>
    plainBody(operation, withoutTag(operation, entry), { seed, create }),
  );
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
  return preference.indexOf(contentForm(mediaType)) + (isRange ? preference.length : 0);
}

function plainBody(
  operation: Operation,
  media: MediaTypeSpec,
  { seed, create }: { readonly seed: string; readonly create: Operation | undefined },
): DraftBody | { readonly reason: string } {
  const { mediaType, schema } = media;
  const texts = new BodyTexts(schema, operation, create);
  const made = { media, mediaType, texts, ...defined({ schema }) };
  const example = shownBodies(media)[0];
  if (example !== undefined) return { ...made, value: example.value, shown: true };
  const value = madeUpValue(media, seed);
  if (value !== undefined) return { ...made, value, shown: false };
  const result = schema && plainValue(schema, { seed, direction: 'request' });
  return {
    reason:
      result === undefined || result.ok
        ? `no valid body could be written as ${mediaType}`
        : `no valid body could be made: ${result.reason}`,
  };
}

/** The valid examples of a media type, without what only responses show. */
export function shownBodies(media: MediaTypeSpec): Example[] {
  const { schema, examples } = media;
  const sent = examples.map((example) => {
    const value = schema === undefined ? example.value : withoutReadOnly(example.value, schema);
    return { ...example, value: isValidBody(value, media) ? value : example.value };
  });
  return sent.filter(({ value }) => isValidBody(value, media));
}

function madeUpValue(media: MediaTypeSpec, seed: string): JsonValue | undefined {
  const { schema } = media;
  const items = itemsBody(media, seed);
  if (items !== undefined) return items;
  const sample = sampleBody(media);
  if (sample !== undefined && isValidBody(sample, media)) return sample;
  if (schema === undefined) return {};
  for (const plain of plainValues(schema, { seed, direction: 'request' })) {
    const value = withFiles(withoutReadOnly(plain, schema), media);
    if (isValidBody(value, media)) return value;
  }
  return undefined;
}

/** One part of a multipart body whose parts have a schema (OpenAPI 3.2, `itemSchema`). */
function itemsBody({ mediaType, itemSchema }: MediaTypeSpec, seed: string): JsonValue | undefined {
  if (itemSchema === undefined || !isMultipartItems(mediaType)) return undefined;
  const made = plainValue(itemSchema, { seed, direction: 'request' });
  return made.ok ? [withoutReadOnly(made.value, itemSchema)] : undefined;
}

/**
 * A typical value, then a smaller one, then a larger one: a form cannot write everything that JSON
 * can.
 */
function* plainValues(schema: Schema, options: PlainValueOptions): Generator<JsonValue, void> {
  for (const required of [undefined, 'only', 'all'] as const) {
    const made = plainValue(schema, required === undefined ? options : { ...options, required });
    if (made.ok) yield made.value;
  }
}

/** A sample of a file or of a text format; undefined if the schema defines the value. */
function sampleBody({ mediaType, schema }: MediaTypeSpec): JsonValue | undefined {
  const essence = parseMediaType(concreteType(mediaType, true))?.essence ?? '';
  const form = contentForm(essence);
  const isText = schema === undefined || schema.flatten().types.every((type) => type === 'string');
  if (form === 'binary')
    return isText || schema?.flatten().types.includes('string')
      ? (sampleContent(essence) ?? 'A sample file.\n')
      : undefined;
  if (form === 'json' || form === 'form' || form === 'multipart') return undefined;
  return (isText && essence !== 'text/plain') || schema === undefined
    ? sampleContent(essence)
    : undefined;
}

/**
 * Whether a value is a valid body of a media type, both directly and after decoding. XML may be
 * given as text.
 */
function isValidBody(value: JsonValue, media: MediaTypeSpec): boolean {
  const { bytes, mediaType } = writeBody(bodyOf({ media, mediaType: media.mediaType }, value));
  const found = brokenOnWire(bytes, mediaType ?? media.mediaType, media);
  if (found !== 'unread')
    return found.length === 0 && (!isJsonObject(value) || isAccepted(value, media));
  return typeof value === 'string' || isAccepted(value, media);
}

function isAccepted(value: JsonValue, { schema }: MediaTypeSpec): boolean {
  return schema === undefined || schema.accepts(value, 'request');
}

/**
 * A value without read-only members, at every depth (JSON Schema 2020-12, validation, section 9.4):
 * an example in a document often has the identifier that the server will assign.
 */
function withoutReadOnly(value: JsonValue, schema: Schema, place: LocatedNode = schema): JsonValue {
  if (isJsonArray(value)) {
    const { items } = schema.flatten(place);
    return items === undefined ? value : value.map((item) => withoutReadOnly(item, schema, items));
  }
  if (!isJsonObject(value)) return value;
  const { properties } = objectMembers(schema, place);
  const kept = Object.entries(value).flatMap(([name, member]) => {
    const own = properties.get(name);
    if (own === undefined) return [[name, member] as const];
    return schema.flatten(own).node.readOnly === true
      ? []
      : [[name, withoutReadOnly(member, schema, own)] as const];
  });
  return Object.fromEntries(kept);
}

/** A value as a body in the media type of a draft; `tested` is the place that a request is about. */
export function bodyOf(
  body: Pick<DraftBody, 'media' | 'mediaType' | 'identifier' | 'namedBy' | 'fills'> &
    Partial<Pick<DraftBody, 'texts' | 'schema' | 'makesRecord'>>,
  value: JsonValue,
  tested?: Pointer,
): BodyTemplate {
  const { media, mediaType, identifier, namedBy, texts } = body;
  const filled = [...(body.fills ?? []), ...repeatFills(body, value, tested)];
  const fills = filled.length === 0 ? undefined : filled;
  const isJsonType =
    contentForm(mediaType) === 'json' && !mediaType.includes('*') && media.envelope === undefined;
  const period = texts?.period;
  const template = {
    ...(isJsonType
      ? ({ kind: 'json', mediaType, value, ...defined({ fills }) } as const)
      : ({ kind: 'content', media, value, ...defined({ fills }) } as const)),
    ...defined({ period, codes: codesIn(body, value, tested) }),
  };
  if (identifier === undefined) return template;
  return { ...template, identifier, ...defined({ namedBy }) };
}

/**
 * The body of a create with an identifier that is in no use, if the client chooses it: that of an
 * example may belong to an existing record. `field` is the identifier of the resource.
 */
export function withOwnName(
  body: DraftBody,
  { field, salt }: { readonly field: string | undefined; readonly salt: string },
): DraftBody {
  const path = findIdentifier(body.value, field);
  if (path === undefined) return body;
  const value = withOwnIdentifier(body.value, { path, schema: body.schema, salt });
  // A name that the contract enumerates cannot be the run's.
  if (value === body.value && isOnlyName(body, path, salt)) return body;
  return { ...body, value, identifier: path };
}

/** Whether a body is valid, and was with no other name. */
function isOnlyName({ schema, value }: DraftBody, path: IdentifierPath, salt: string): boolean {
  const name = identifierIn(value, path);
  const isOwn = name === undefined || String(name).includes(salt);
  return !isOwn && schema?.accepts(value, 'request') === true;
}

/** How the body of a draft is written. */
export function formOf({ mediaType, value }: Pick<DraftBody, 'mediaType' | 'value'>): ContentForm {
  return contentForm(concreteType(mediaType, typeof value === 'string'));
}

/** A body, as far as the texts are concerned that mark its repetitions. */
interface RepeatableBody {
  readonly schema?: Schema | undefined;
  readonly texts?: { readonly repeats: readonly string[] };
  readonly identifier?: IdentifierPath;
}

/**
 * What gives each request of its own a text that marks repetitions: with that of another request,
 * it would do nothing. The text at a tested place stays, and so does an invalid one.
 */
function repeatFills(
  { schema, texts, identifier }: RepeatableBody,
  value: JsonValue,
  tested: Pointer | undefined,
): Fill[] {
  const [place] = splitPointer(tested ?? '');
  const properties = schema?.flatten().properties;
  return (texts?.repeats ?? []).flatMap((name): Fill[] => {
    const located = properties?.get(name);
    const own = located && schema?.part(located);
    const given = memberOf(value, name);
    if (own === undefined || given === undefined) return [];
    // The name that a new record is given is as good.
    if (name === place || name === identifier?.[0]) return [];
    const source = own.accepts(given, 'request') ? newKey({ schema: own }) : undefined;
    return source === undefined ? [] : [{ at: joinPointer('', name), source }];
  });
}
