import { createHash } from 'node:crypto';
import type { Operation, Parameter, ParameterPlace } from '../contract/model.ts';
import type { Pointer } from '../json/pointer.ts';
import { stringifyJson } from '../json/stringify-json.ts';
import type { JsonValue } from '../json/value.ts';
import type { Phase } from './event.ts';
import type { CredentialChoice } from './secrets.ts';

/** What one argument is: known when the plan is made, or taken from an earlier answer when the request is sent. */
export type Source =
  | { readonly kind: 'value'; readonly value: JsonValue }
  /** As it is to stand on the wire, before percent-encoding: `1e2`, `abc`. */
  | { readonly kind: 'text'; readonly text: string }
  /** As it is to stand on the wire, percent-encoded or meant to be. */
  | { readonly kind: 'raw'; readonly text: string }
  /** The identifier of any record of the resource that the run knows of; `otherwise` where it knows none. */
  | { readonly kind: 'known'; readonly resource: string; readonly otherwise?: JsonValue }
  /** The identifier of a record of the resource that the run created: the only ones that it may change. */
  | { readonly kind: 'own'; readonly resource: string }
  /** The identifier of the record that an earlier step of the same sequence created. */
  | { readonly kind: 'created'; readonly resource: string }
  /** The identifier of the first record that an earlier step of the same sequence listed. */
  | { readonly kind: 'listed'; readonly resource: string }
  /** The value of a field in the record that was created or listed first. */
  | { readonly kind: 'field'; readonly resource: string; readonly field: string };

/** What one parameter of a request is filled with. */
export interface Argument {
  readonly parameter: Parameter;
  readonly source: Source;
}

/** A body before it is written. `bytes` without a media type are sent without `Content-Type`. */
export type BodyTemplate =
  | { readonly kind: 'json'; readonly mediaType: string; readonly value: JsonValue }
  | { readonly kind: 'bytes'; readonly mediaType?: string; readonly bytes: Uint8Array };

/** A request before it is written: what it carries, by parameter. */
export interface RequestTemplate {
  readonly arguments: readonly Argument[];
  readonly body?: BodyTemplate;
  readonly credential: CredentialChoice;
}

/**
 * What a request is sent for, and so what may come back. `at` is the place in the contract that is put to the test.
 * Plain data is what a person would send. `invented` data refers to records that nobody knows to exist, and `exotic`
 * data is what nobody expects: both are valid, but a documented refusal of them proves nothing.
 */
export type Intent =
  | { readonly kind: 'valid'; readonly rigour: 'plain' | 'invented' | 'exotic'; readonly at: Pointer }
  /** Breaks one rule for its `subject`, a parameter's name or `the body`. `accepted`: how bad it is when the server lets it pass; many sound servers do where it is no error. */
  | { readonly kind: 'invalid'; readonly at: Pointer; readonly rule: string; readonly part: RequestPart; readonly subject: string; readonly accepted: 'error' | 'warning' | 'fine' }
  | { readonly kind: 'credential'; readonly choice: Exclude<CredentialChoice, 'given'> }
  /** Asks for a record that cannot exist. */
  | { readonly kind: 'missing'; readonly at: Pointer; readonly rigour: 'plain' | 'exotic' };

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
  /** The nearest request that must fare otherwise; sent before the case is held against the server. */
  readonly control?: RequestTemplate;
}

/** Cases that are sent one after the other, because the later ones need what the earlier ones answered. */
export interface Sequence {
  readonly id: string;
  readonly cases: readonly Case[];
}

/** A case whose id is made from what it sends. */
export function makeCase(parts: Omit<Case, 'id'>): Case {
  const { operation, phase, title, request } = parts;
  return { id: hash([operation.id, phase, title, describeTemplate(request)].join('\n')), ...parts };
}

/** A sequence of cases, of one where a case stands alone. A step's id says which sequence it belongs to. */
export function makeSequence(...cases: readonly Case[]): Sequence {
  const [first] = cases;
  if (first !== undefined && cases.length === 1) return { id: first.id, cases };
  const id = hash(cases.map((step) => step.id).join('\n'));
  return { id, cases: cases.map((step, index) => ({ ...step, id: hash(`${id} ${String(index)} ${step.id}`) })) };
}

/** Ten hexadecimal digits that stand for a text. */
export function hash(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 10);
}

function describeTemplate({ arguments: given, body, credential }: RequestTemplate): string {
  const written = given.map(({ parameter, source }) => `${parameter.in} ${parameter.name} ${source.kind === 'value' ? stringifyJson(source.value) : JSON.stringify(source)}`);
  return [...written, credential, body === undefined ? '' : describeBody(body)].join('\n');
}

function describeBody(body: BodyTemplate): string {
  return `${body.mediaType ?? ''} ${body.kind === 'json' ? stringifyJson(body.value) : Buffer.from(body.bytes).toString('base64')}`;
}
