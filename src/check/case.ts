import { hash as digest } from 'node:crypto';
import type { MediaTypeSpec, Operation, Parameter, ParameterPlace } from '../contract/model.ts';
import type { HeaderList } from '../http/message.ts';
import type { Pointer } from '../json/pointer.ts';
import { stringifyJson } from '../json/stringify-json.ts';
import type { JsonValue } from '../json/value.ts';
import type { Phase } from './event.ts';
import type { IdentifierPath } from './plan/draft/identifiers.ts';
import type { CredentialChoice } from './secrets/secrets.ts';

/**
 * What one argument is: known when the plan is made, or taken from an earlier answer when the
 * request is sent.
 */
export type Source =
  | { readonly kind: 'value'; readonly value: JsonValue }
  /** As it is to stand on the wire, before percent-encoding: `1e2`, `abc`. */
  | { readonly kind: 'text'; readonly text: string }
  /** As it is to stand on the wire, percent-encoded or meant to be. */
  | { readonly kind: 'raw'; readonly text: string }
  /**
   * The identifier of any record of the resource that the run knows of; `otherwise` where it knows
   * none. With `parent`, here and below, not the identifier: what stands in that segment of the
   * record's path (counted from 0), such as the owner of a thing.
   */
  | {
      readonly kind: 'known';
      readonly resource: string;
      readonly parent?: number;
      readonly otherwise?: JsonValue;
    }
  /**
   * The identifier of a record of the resource that the run created: the only ones that it may
   * change.
   */
  | { readonly kind: 'own'; readonly resource: string; readonly parent?: number }
  /** The identifier of the record that an earlier step of the same sequence created. */
  | { readonly kind: 'created'; readonly resource: string; readonly parent?: number }
  /** The identifier of the first record that an earlier step of the same sequence listed. */
  | { readonly kind: 'listed'; readonly resource: string; readonly parent?: number }
  /**
   * The identifier that an earlier read of the same sequence asked for, where it was told that
   * there is no such record.
   */
  | { readonly kind: 'absent'; readonly resource: string }
  /**
   * A text that no request bore before, a new one each time it is written: a UUID, or so many
   * hexadecimal digits.
   */
  | { readonly kind: 'unique'; readonly digits?: number }
  /** The value of a field in the record that was created or listed first. */
  | { readonly kind: 'field'; readonly resource: string; readonly field: string }
  /**
   * What a runtime expression comes to on the exchange of an earlier step of the same sequence: the
   * last one of that operation, or the first (OpenAPI 3.1, section 4.8.20).
   */
  | {
      readonly kind: 'link';
      readonly operation: string;
      readonly expression: string;
      readonly first?: true;
    }
  /**
   * The value of a field that some of the records which are known have in common, and others have
   * not: at least so many of them, and as few as may be.
   */
  | {
      readonly kind: 'held';
      readonly resource: string;
      readonly field: string;
      readonly least: number;
    }
  /**
   * The size of a page, or the number of records before it, where the last list of the same
   * sequence that was asked for as a whole comes to so many pages or a few less. Nothing for a page
   * (counted from 1) that would begin behind its end.
   */
  | {
      readonly kind: 'share';
      readonly resource: string;
      readonly pages: number;
      readonly page: number;
      readonly of: 'size' | 'start';
    }
  /**
   * What the list's last page, in an earlier step of the same sequence, says that a parameter is on
   * the page after it.
   */
  | { readonly kind: 'next'; readonly resource: string; readonly parameter: string };

/** What one parameter of a request is filled with. */
export interface Argument {
  readonly parameter: Parameter;
  readonly source: Source;
}

/**
 * A body before it is written. `bytes` without a media type are sent without `Content-Type`.
 * `identifier` says where the body names the record that it creates, by a name that the run made
 * up. With `namedBy`, a path parameter, the body takes the record's name from the path instead.
 */
export type BodyTemplate =
  /**
   * With `onto`, the id of a read in the same sequence: what that answered first, as far as this
   * operation takes it, with the members of `value` in it. The request is not sent where that would
   * be no valid body.
   */
  | {
      readonly kind: 'json';
      readonly mediaType: string;
      readonly value: JsonValue;
      readonly onto?: string;
      readonly identifier?: IdentifierPath;
      readonly namedBy?: string;
    }
  /**
   * A value in a media type that is not JSON: a form, XML, text, a file. A range is written as one
   * of the types that it takes in.
   */
  | {
      readonly kind: 'content';
      readonly media: MediaTypeSpec;
      readonly value: JsonValue;
      readonly identifier?: IdentifierPath;
      readonly namedBy?: string;
    }
  | { readonly kind: 'bytes'; readonly mediaType?: string; readonly bytes: Uint8Array };

/** A request before it is written: what it carries, by parameter. */
export interface RequestTemplate {
  readonly arguments: readonly Argument[];
  readonly body?: BodyTemplate;
  readonly credential: CredentialChoice;
  /** Another method than the operation's: HEAD, or one that the path does not declare. */
  readonly method?: string;
  /** Fields beside those that the operation asks for. */
  readonly headers?: HeaderList;
  /**
   * The create of the same sequence whose `Location` is asked, in the place of the operation's
   * path: only where it leads to another path of the same origin.
   */
  readonly locatedBy?: string;
}

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
    text += `${parameter.in} ${parameter.name} ${stringifyJson(source.kind === 'value' ? source.value : source)}\n`;
  text += `${credential}\n${body === undefined ? '' : describeBody(body)}`;
  if (method !== undefined) text += `\n${method}`;
  for (const field of headers ?? []) text += `\n${field.join(': ')}`;
  return locatedBy === undefined ? text : `${text}\nlocated by ${locatedBy}`;
}

function describeBody(body: BodyTemplate): string {
  switch (body.kind) {
    case 'json':
      return `${body.mediaType} ${stringifyJson(body.value)}${body.onto === undefined ? '' : ` onto ${body.onto}`}`;
    case 'content':
      return `${body.media.mediaType} ${stringifyJson(body.value)}`;
    case 'bytes':
      return `${body.mediaType ?? ''} ${Buffer.from(body.bytes).toString('base64')}`;
  }
}
