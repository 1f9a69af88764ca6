import { hash as digest } from 'node:crypto';
import type { MediaTypeSpec, Operation, ParameterPlace } from '../../contract/model.ts';
import type { Pointer } from '../../json/pointer.ts';
import { stringifyJson } from '../../json/value.ts';
import type { Phase } from './phase.ts';
import type { BodyTemplate, CredentialChoice, RequestTemplate } from './request-template.ts';

/**
 * What a request is sent for, and so what may come back. `at` is the place in the contract that is
 * put to the test. Plain data is what a person would send. `invented` data refers to records that
 * nobody knows to exist, and `exotic` data is what nobody expects: both are valid, but a documented
 * refusal of them proves nothing.
 */
export type Intent =
  | {
      readonly kind: 'valid';
      readonly rigour: 'plain' | 'invented' | 'exotic';
      readonly at: Pointer;
    }
  /**
   * Breaks one rule for its `subject`, a parameter's name or `the body`. `accepted`: how bad it is
   * when the server lets it pass; many sound servers do where it is no error. `unreadable`: no
   * parser can read it, such as `%zz` or half a JSON text.
   */
  | {
      readonly kind: 'invalid';
      readonly at: Pointer;
      readonly rule: string;
      readonly part: RequestPart;
      readonly subject: string;
      readonly accepted: 'error' | 'warning' | 'fine';
      readonly unreadable?: true;
    }
  | { readonly kind: 'credential'; readonly choice: Exclude<CredentialChoice, 'given'> }
  /**
   * Asks by a method that the contract does not declare for the path, so nothing of the contract
   * holds for the answer; `refused` where the server should say so.
   */
  | { readonly kind: 'method'; readonly method: string; readonly wanted: 'refused' | 'like GET' }
  /** Asks for a record that cannot exist. */
  | { readonly kind: 'missing'; readonly at: Pointer; readonly rigour: 'plain' | 'exotic' }
  /**
   * Is answered by what an earlier step of the sequence got or sent: a tag, a key, an address, what
   * the record holds.
   */
  | { readonly kind: 'condition'; readonly at: Pointer; readonly wanted: Wanted };

/**
 * What hangs on an earlier step. `unchanged`: 304, for the tag is that of the state. `changed`: no
 * 304, for it no longer is. `done`: a success, for the state is the one that is named. `refused`:
 * no change, for it is not. `made-once`: no second record, for key and body came before.
 * `key-refused`: the key came before with another body. `patch-refused`: a test of the patch fails.
 * `located`: the record is there.
 */
export type Wanted = (typeof wantedOutcomes)[number];
export const wantedOutcomes = [
  'unchanged',
  'changed',
  'done',
  'refused',
  'made-once',
  'key-refused',
  'patch-refused',
  'located',
] as const;

/**
 * A class of values that a request shows of a parameter or a body field (`''` for the body itself):
 * for the coverage, nothing else.
 */
export interface Reach {
  readonly in: RequestPart;
  readonly name: string;
  readonly class: string;
}

/** Where in a request something stands. */
export type RequestPart = ParameterPlace | 'body';

/** One request of the plan. */
export interface Case {
  /** Stays the same from run to run as long as the contract and the seed do. */
  readonly id: string;
  /** What is tried: `limit is 101`. */
  readonly title: string;
  readonly phase: Phase;
  readonly operation: Operation;
  readonly request: RequestTemplate;
  readonly intent: Intent;
  /**
   * The nearest request that must fare otherwise; sent before the case is held against the server.
   * Most are never written: `controlOf`.
   */
  readonly control?: RequestTemplate | (() => RequestTemplate);
  readonly reaches?: readonly Reach[];
  /**
   * It is passed over where an argument comes to nothing, and the sequence goes on without it: the
   * page after the last.
   */
  readonly optional?: true;
}

/**
 * Cases that are sent one after the other, because the later ones need what the earlier ones
 * answered.
 */
export interface Sequence {
  readonly id: string;
  readonly cases: readonly Case[];
  /** The cases are sent at once, and judged in order. */
  readonly concurrent?: true;
}

/** What a case is made of. */
export type CaseParts = Omit<Case, 'id'>;

/** A case whose id is made from what it sends. */
export function makeCase(parts: CaseParts): Case {
  const { title, phase, operation, request, intent } = parts;
  const id = hash(`${operation.id}\n${phase}\n${title}\n${describeTemplate(request)}`);
  // All have one shape, in whatever order they were written: it is smaller, and who looks at
  // thousands of them is faster.
  return Object.assign({ id, title, phase, operation, request, intent }, parts);
}

/** The control of a case, written now; undefined where it has none. */
export function controlOf({ control }: Pick<Case, 'control'>): RequestTemplate | undefined {
  return typeof control === 'function' ? control() : control;
}

/**
 * A sequence of cases, of one where a case stands alone. A step's id says which sequence it belongs
 * to.
 */
export function makeSequence(...cases: readonly Case[]): Sequence {
  const [first] = cases;
  if (first !== undefined && cases.length === 1) return { id: first.id, cases };
  const id = hash(cases.map((step) => step.id).join('\n'));
  return {
    id,
    cases: cases.map((step, index) => ({ ...step, id: hash(`${id} ${String(index)} ${step.id}`) })),
  };
}

/**
 * The media type of the contract in which a case writes its body; undefined where it writes none of
 * them.
 */
export function mediaOf({
  operation,
  request: { body },
}: Pick<Case, 'operation' | 'request'>): MediaTypeSpec | undefined {
  const name = body?.kind === 'content' ? body.media.mediaType : body?.mediaType;
  return operation.requestBody?.content.find(({ mediaType }) => mediaType === name);
}

/** Ten hexadecimal digits that stand for a text. */
export function hash(text: string): string {
  return digest('sha256', text, 'hex').slice(0, 10);
}

function describeTemplate({
  arguments: given,
  body,
  credential,
  method,
  headers,
  locatedBy,
}: RequestTemplate): string {
  let text = '';
  for (const { parameter, source } of given)
    text +=
      `${parameter.in} ${parameter.name} ` +
      `${stringifyJson(source.kind === 'value' ? source.value : source)}\n`;
  text += `${credential}\n${body === undefined ? '' : describeBody(body)}`;
  if (method !== undefined) text += `\n${method}`;
  for (const field of headers ?? []) text += `\n${field.join(': ')}`;
  return locatedBy === undefined ? text : `${text}\nlocated by ${locatedBy}`;
}

function describeBody(body: BodyTemplate): string {
  switch (body.kind) {
    case 'json':
      return (
        `${body.mediaType} ` +
        `${stringifyJson(body.value)}${body.onto === undefined ? '' : ` onto ${body.onto}`}`
      );
    case 'content':
      return `${body.media.mediaType} ${stringifyJson(body.value)}`;
    case 'bytes':
      return `${body.mediaType ?? ''} ${Buffer.from(body.bytes).toString('base64')}`;
  }
}
