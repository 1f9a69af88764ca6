import type { Example, HeaderSpec, MediaTypeSpec, Operation, ResponseSpec, Schema } from '../contract/model.ts';
import { selectResponse } from '../contract/select-response.ts';
import { isJsonMediaType, negotiate, parseMediaType } from '../http/media-type.ts';
import { makeFault, type Fault } from './errors/fault.ts';

/** One way of writing an answer: a media type that the contract documents for it. */
export interface AnswerContent {
  /** As it is sent: a range of the contract's made into one type of it. */
  readonly mediaType: string;
  /** JSON, or the characters of a text as they are. */
  readonly form: 'json' | 'text';
  readonly schema: Schema | undefined;
  readonly examples: readonly Example[];
}

/** How an operation's answer of one status is written. */
export interface AnswerPlan {
  readonly status: number;
  /** Undefined where the operation documents no such status. */
  readonly response: ResponseSpec | undefined;
  /** JSON first; empty where the contract leaves the payload open. */
  readonly contents: readonly AnswerContent[];
  readonly headers: readonly HeaderSpec[];
}

/** Reads from the contract how an answer of a status is written. */
export function planAnswer(operation: Operation, status: number): AnswerPlan {
  const response = selectResponse(operation, status);
  const contents = (response?.content ?? []).map(planContent);
  const byForm = (form: AnswerContent['form']): AnswerContent[] => contents.filter((content) => content.form === form);
  return { status, response, contents: [...byForm('json'), ...byForm('text')], headers: response?.headers ?? [] };
}

function planContent({ mediaType, schema, examples }: MediaTypeSpec): AnswerContent {
  const concrete = concreteType(mediaType);
  return { mediaType: concrete, form: isJsonMediaType(concrete) ? 'json' : 'text', schema, examples };
}

/** A type out of a range, because an answer has one type and not many. */
function concreteType(mediaType: string): string {
  const essence = parseMediaType(mediaType)?.essence ?? mediaType;
  if (!essence.endsWith('/*')) return mediaType;
  return usualTypes[essence] ?? `${essence.slice(0, -1)}octet-stream`;
}

const usualTypes: Readonly<Record<string, string>> = {
  '*/*': 'application/json',
  'application/*': 'application/json',
  'text/*': 'text/plain; charset=utf-8',
  'image/*': 'image/png',
  'audio/*': 'audio/mpeg',
  'video/*': 'video/mp4',
};

/** How an answer may be written: undefined stands for a payload that the contract leaves open. */
export type Negotiation = { readonly kind: 'negotiated'; readonly content: AnswerContent | undefined } | Fault;

/**
 * The content that suits `Accept` best (RFC 9110, section 12.5.1). Texts are not made out of objects: a type that the mock
 * cannot write gives way to one that it can.
 */
export function negotiateContent({ contents }: AnswerPlan, accept: string | undefined): Negotiation {
  const [first] = contents;
  if (first === undefined || accept === undefined || accept === '*/*') return { kind: 'negotiated', content: first };
  const writable = contents.filter(isWritable);
  const chosen = negotiate(accept, writable.map(({ mediaType }) => mediaType));
  const content = writable.find(({ mediaType }) => mediaType === chosen);
  if (content !== undefined) return { kind: 'negotiated', content };
  const offered = contents.map(({ mediaType }) => mediaType);
  if (negotiate(accept, offered) !== undefined) return { kind: 'negotiated', content: writable[0] ?? first };
  return makeFault('not-acceptable', 'not_acceptable', `The header Accept takes none of the media types of this answer: ${offered.join(', ')}.`);
}

/** Whether the mock can write a content: JSON, or a type whose schema or example is a text. */
function isWritable({ form, schema, examples }: AnswerContent): boolean {
  if (form === 'json' || schema === undefined) return true;
  const { types } = schema.flatten();
  return types.includes('string') || examples.some(({ value }) => typeof value === 'string');
}
