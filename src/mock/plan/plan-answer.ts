import {
  concreteType,
  contentForm,
  type ContentForm,
  isMultipartItems,
  matchesMediaRange,
  negotiate,
  parseMediaType,
} from '../../http/media-type.ts';
import type { MediaTypeSpec, Operation, Schema } from '../../contract/model.ts';
import { rangeOf, selectResponse } from '../../contract/select-response.ts';
import { sampleContent } from '../../values/sample-content.ts';
import { makeFault } from '../model/reply.ts';
import type { AnswerContent, AnswerPlan, Negotiation } from '../model/request.ts';

/** Determines from the contract how to write a response of a status. */
export function planAnswer(operation: Operation, status: number): AnswerPlan {
  const response = selectResponse(operation, status);
  const contents = (response?.content ?? []).flatMap(planContents);
  return {
    status,
    response,
    contents: contents.sort((left, right) => rankOf(left) - rankOf(right)),
    headers: response?.headers ?? [],
    negotiations: new Map(),
  };
}

/** The writable contents of a documented media type; for a range, each known type in it. */
export function planContents(spec: MediaTypeSpec): AnswerContent[] {
  return concreteTypes(spec.mediaType).map((mediaType) => {
    const form = contentForm(mediaType);
    const { schema, encoding, examples } = spec;
    const base = { mediaType: withCharset(mediaType), form, examples, encoding };
    if ((isSequence(form) || isMultipartItems(mediaType)) && spec.itemSchema !== undefined)
      return { ...base, schema: undefined, itemSchema: spec.itemSchema };
    return isSequence(form) && schema !== undefined && isOfItem(schema, form)
      ? { ...base, schema: undefined, itemSchema: schema }
      : { ...base, schema };
  });
}

/** Whether bodies of this form are sequences of items. */
function isSequence(form: ContentForm): boolean {
  return form === 'json-lines' || form === 'json-sequence' || form === 'events';
}

/** Before OpenAPI 3.2 added `itemSchema`, the schema of a sequence was often that of one item. */
function isOfItem(schema: Schema, form: ContentForm): boolean {
  const { types } = schema.flatten();
  return !types.includes('array') && !(form === 'events' && types.includes('string'));
}

/** The types to use for a range, most common first. */
const usualTypes: readonly string[] = (
  'application/json text/plain application/xml text/csv text/html image/png image/jpeg ' +
  'image/gif image/svg+xml image/webp audio/wav application/pdf ' +
  'application/octet-stream'
).split(' ');

function concreteTypes(mediaType: string): readonly string[] {
  const essence = parseMediaType(mediaType)?.essence ?? mediaType;
  if (!essence.endsWith('/*')) return [concreteType(mediaType, false)];
  const usual = usualTypes.filter((type) => matchesMediaRange(type, essence));
  return usual.length > 0 ? usual : [`${essence.slice(0, -1)}octet-stream`];
}

/** Text is written in UTF-8, which `text` types must declare (RFC 6657, section 3). */
function withCharset(mediaType: string): string {
  return mediaType.startsWith('text/') &&
    !mediaType.includes(';') &&
    mediaType !== 'text/event-stream'
    ? `${mediaType}; charset=utf-8`
    : mediaType;
}

function rankOf(content: AnswerContent): number {
  if (content.form === 'json') return 0;
  return isWritable(content) ? 1 : 2;
}

/**
 * Whether the mock can write a content: anything except a binary format of an object, such as a
 * protocol buffer.
 */
function isWritable({ form, schema, examples, mediaType }: AnswerContent): boolean {
  if (form !== 'binary' || schema === undefined || sampleContent(mediaType) !== undefined)
    return true;
  return (
    schema.flatten().types.includes('string') ||
    examples.some(({ value }) => typeof value === 'string')
  );
}

/** The contents of a documented range in those of its types that a client names; no files. */
function namedTypes(spec: MediaTypeSpec, accept: string): AnswerContent[] {
  if (!rangeOf(spec).includes('*')) return [];
  return accept.split(',').flatMap((part) => {
    const essence = parseMediaType(part)?.essence ?? '';
    return !essence.includes('*') && matchesMediaRange(essence, rangeOf(spec))
      ? planContents({ ...spec, mediaType: essence }).filter(({ form }) => form !== 'binary')
      : [];
  });
}

/** The maximum number and length of cached `Accept` headers per plan. */
const maxRemembered = 32;
const longestRemembered = 300;

/**
 * The best content for `Accept` (RFC 9110, section 12.5.1). Types that the mock can write precede
 * those that it cannot.
 */
export function negotiateContent(plan: AnswerPlan, accept: string | undefined): Negotiation {
  if (accept === undefined || accept === '*/*' || plan.contents.length === 0)
    return { kind: 'negotiated', content: plan.contents[0] };
  const known = plan.negotiations.get(accept);
  if (known !== undefined) return known;
  const negotiation = choose(plan, accept);
  if (plan.negotiations.size < maxRemembered && accept.length <= longestRemembered)
    plan.negotiations.set(accept, negotiation);
  return negotiation;
}

function choose({ contents, response }: AnswerPlan, accept: string): Negotiation {
  const writable = contents.filter(isWritable);
  const chosen = negotiate(
    accept,
    writable.map(({ mediaType }) => mediaType),
  );
  const content = writable.find(({ mediaType }) => mediaType === chosen);
  if (content !== undefined) return { kind: 'negotiated', content };
  const offered = (response?.content ?? []).map(rangeOf);
  const named = (response?.content ?? []).flatMap((spec) => namedTypes(spec, accept));
  const asked = negotiate(
    accept,
    named.map(({ mediaType }) => mediaType),
  );
  if (asked !== undefined)
    return {
      kind: 'negotiated',
      content: named.find(({ mediaType }) => mediaType === asked) ?? contents[0],
    };
  // If the contract has a range, the mock writes a known type of it, which may be acceptable.
  const isOpen = offered.some(
    (range) =>
      range.includes('/*') &&
      accept.split(',').some((expected) => matchesMediaRange(expected, range)),
  );
  if (isOpen || negotiate(accept, offered) !== undefined)
    return { kind: 'negotiated', content: writable[0] ?? contents[0] };
  return makeFault(
    'not-acceptable',
    'not_acceptable',
    `The header Accept allows none of the media types of this response: ${offered.join(', ')}.`,
  );
}
