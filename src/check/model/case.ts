import { wordsIn } from '../../words-in.ts';
import { hash as digest } from 'node:crypto';
import type { MediaTypeSpec, Operation, Parameter, ParameterPlace } from '../../contract/model.ts';
import type { ExpressionFacts } from '../../contract/runtime-expression.ts';
import type { Place } from '../../errors.ts';
import type { Pointer } from '../../json/pointer.ts';
import { type JsonObject, stringifyJson } from '../../json/value.ts';
import type { Phase } from './phase.ts';
import type { BodyTemplate, CredentialChoice, RequestTemplate } from './request-template.ts';

/**
 * What a request tests, and so which responses are expected. `at` is the tested place in the
 * contract. Plain data is what a person would send. `invented` data refers to records that may not
 * exist, and `exotic` data is unusual: both are valid, but a documented refusal of them proves
 * nothing.
 */
export type Intent =
  | {
      readonly kind: 'valid';
      readonly rigour: 'plain' | 'invented' | 'exotic';
      readonly at: Pointer;
    }
  /**
   * Violates one rule for its `subject`, a parameter's name or `the body`. `accepted`: the severity
   * if the server accepts it; many correct servers do unless it is `error`. `unreadable`: no parser
   * can read it, such as `%zz` or half a JSON text. `class`: the class of the invalid value.
   */
  | {
      readonly kind: 'invalid';
      readonly at: Pointer;
      readonly rule: string;
      readonly part: RequestPart;
      readonly subject: string;
      readonly accepted: 'error' | 'warning' | 'fine';
      readonly unreadable?: true;
      readonly class?: string;
    }
  /** With `scheme`, the credentials of the other schemes are right. */
  | {
      readonly kind: 'credential';
      readonly choice: Exclude<CredentialChoice, 'given'>;
      readonly scheme?: string;
    }
  /**
   * Uses a method that the contract does not declare for the path, so nothing in the contract
   * describes the response; `refused` if the server should refuse it.
   */
  | { readonly kind: 'method'; readonly method: string; readonly wanted: 'refused' | 'like GET' }
  /** Names a record that cannot exist. */
  | { readonly kind: 'missing'; readonly at: Pointer; readonly rigour: 'plain' | 'exotic' }
  /**
   * Depends on a value of an earlier step of the sequence: a tag, a key, an address, a field of the
   * record.
   */
  | { readonly kind: 'condition'; readonly at: Pointer; readonly wanted: Wanted }
  /**
   * Compared with earlier steps of its sequence, `of`, by their titles. With `field`, the member
   * that is compared, and with `by`, the difference that is expected. `doubtful`: the contract does
   * not state the rule, so that a violation is a warning.
   */
  | {
      readonly kind: 'relation';
      readonly at: Pointer;
      readonly rule: RelationRule;
      readonly of: readonly string[];
      readonly field?: string;
      readonly by?: number;
      readonly doubtful?: true;
    }
  /** Tests what another identity than the run's may see and do. */
  | {
      readonly kind: 'identity';
      readonly at: Pointer;
      readonly identity: string;
      readonly wanted: IdentityOutcome;
    };

/** What a request shows in comparison with earlier ones of its sequence. */
export type RelationRule = (typeof relationRules)[number];
export const relationRules = wordsIn(
  // What belongs to a parent.
  'refused accepted not-listed listed-across missing gone all-named none-named',
  'reference-cleared own-child left-out',
  // What a list has.
  'listed unlisted',
  // What a standard has a query refused for.
  'no-expression no-order no-fields no-inclusion no-expansion',
  // Members that hold other records.
  'expanded expanded-own',
  // States.
  'wrong-state done-again while-closed closed-kept made-as-set',
  // Repetitions.
  'made-once made-apart state-kept moment-set answer-kept answer-listed patched',
  // Parts of records.
  'projected field-added',
  // Deletions that can be undone.
  'hidden-deleted shown-deleted restorable restored dated undated restored-twice marked-deleted',
  'readable-deleted deleted-twice',
  // Changes that are only to be validated.
  'not-stored as-before',
  // Names that the client chooses.
  'named-as-chosen chosen-taken chosen-of-deleted',
  // Tags in bodies.
  'stale-tag stale-kept own-tag included included-agrees included-sparse',
  // Fields that do not change.
  'repeated kept',
  // Relationships with operations of their own.
  'linked related link-refused',
  // Updates with a mask.
  'masked cleared unknown-mask replaced output-mask',
  // What is shown twice.
  'names count part-counts state-counts copy copy-follows leads leads-to shown-link',
  // Pages.
  'unknown-token made-up-token foreign-token size-zero next-page page-link counted',
  'bound-included kind-of kinds-joined as-default',

  // Links.
  'as-linked',
  // Amounts.
  'summed given-back',
  // Sessions.
  'password-refused session-ended',
  // What JSON:API has refused.
  'media-refused no-parameter conflicting client-named other-id',
  // What the AIPs have refused.
  'unspecified',
  // Members whose order is stated.
  'misordered',

  // Files.
  'same-file rows',
  // Jobs and bulk requests.
  'done still-done has-result is-done bulk-refused',
  // Batch reads.
  'in-order-of-names batch-refused all-made none-made',
);

/**
 * The expected outcome of a request for an identity. `allowed`: the identity may send it.
 * `refused`: it may not. `hidden`: it reads a record of which it may see nothing. `unlisted`: it
 * lists what may not hold that record. `attempted`: it changes that record, and the next read of
 * the run shows whether it could. `unchanged`: that next read.
 * `unshown`: the answer holds nothing of the run's records. `denied`: it adds to such a record, or
 * refers to it. `unrepeated`: it does not get what the run created under the same key.
 */
export type IdentityOutcome = (typeof identityOutcomes)[number];
export const identityOutcomes = wordsIn(
  'allowed refused hidden unlisted attempted unchanged unshown denied unrepeated',
);

/**
 * The expected outcome. `unchanged`: 304, because the tag is current. `changed`: no 304, because it
 * is not. `done`: a success, because the tag is current. `refused`: no change, because it is not.
 * `made-once`: no second record, because the key and the body are repeated. `key-refused`: the key
 * is repeated with another body. `conflict`: 409, because another record has the value.
 * `patch-refused`: a test of the patch fails. `located`: the record
 * is there.
 */
export type Wanted = (typeof wantedOutcomes)[number];
export const wantedOutcomes = wordsIn(
  'unchanged changed done refused made-once key-refused conflict patch-refused located',
);

/**
 * A class of values that a request covers for a parameter or a body field (`''` for the body
 * itself): only for the coverage.
 */
export interface Reach {
  readonly in: RequestPart;
  readonly name: string;
  readonly class: string;
}

/** The part of a request that has a value. */
export type RequestPart = ParameterPlace | 'body';

/** A criterion of a workflow that does not hold for an exchange. */
export interface CriterionFailure {
  /** What distinguishes it from others of the step. */
  readonly cause: string;
  readonly message: string;
  readonly expected: string;
  readonly actual: string;
  /** Where the workflow says so, and the lines around it. */
  readonly place: Place;
  readonly frame: string;
}

/** What a workflow demands of the exchange of a step. */
export interface StepCriteria {
  /** As plain data, for a replay. */
  readonly plain: JsonObject;
  /**
   * The criteria that do not hold; `factsOf` gives the exchange of an earlier step by its title.
   */
  failures(
    facts: ExpressionFacts | undefined,
    factsOf: (title: string) => ExpressionFacts | undefined,
  ): readonly CriterionFailure[];
}

export type InvalidIntent = Extract<Intent, { kind: 'invalid' }>;

/** What an intent says besides the rule: by default, that to accept the request is an error. */
type Besides = Partial<Pick<InvalidIntent, 'accepted' | 'unreadable' | 'class'>>;

/** The intent of a request whose body breaks a rule. */
export function invalidBodyIntent(rule: string, at: Pointer, more: Besides = {}): InvalidIntent {
  const [part, subject] = ['body', 'the body'] as const;
  return { kind: 'invalid', at, rule, part, subject, accepted: 'error', ...more };
}

/** The intent of a request in which a parameter breaks a rule. */
export function invalidIntent(
  { in: part, name }: Parameter,
  { at, rule, ...more }: Pick<InvalidIntent, 'at' | 'rule'> & Besides,
): InvalidIntent {
  return { kind: 'invalid', at, rule, part, subject: name, accepted: 'error', ...more };
}

/** One request of the plan. */
export interface Case {
  /** Stays the same from run to run as long as the contract and the seed do. */
  readonly id: string;
  /** What is tested: `limit is 101`. */
  readonly title: string;
  readonly phase: Phase;
  readonly operation: Operation;
  readonly request: RequestTemplate;
  readonly intent: Intent;
  /**
   * The nearest request that must succeed; sent before the case is reported. Most are never
   * written: `controlOf`.
   */
  readonly control?: RequestTemplate | (() => RequestTemplate);
  readonly reaches?: readonly Reach[] | undefined;
  /**
   * It is skipped if an argument has no value, and the sequence goes on without it: the page after
   * the last.
   */
  readonly optional?: true | undefined;
  /** Set if the run has sent the same request before: what else it shows is seldom there. */
  readonly isRepeat?: true | undefined;
  /**
   * What the service accepts instead of this request, in a clause: the run has learned it, and the
   * contract does not document it. Empty if the case is one of the attempts.
   */
  readonly learned?: string;
  /** Set for a step of a workflow whose failure the workflow does not handle. */
  readonly criteria?: StepCriteria;
}

/**
 * Cases that are sent one after the other, because later ones need values from earlier responses.
 */
export interface Sequence {
  readonly id: string;
  readonly cases: readonly Case[];
  /** Optional cases that had nothing to ask for, such as a page that none named. */
  readonly passedOver?: readonly Case[];
  /** The cases are sent in parallel, and judged in order. */
  readonly concurrent?: true;
  /** The user's workflow that they are steps of: its requests are never changed. */
  readonly workflow?: string;
}

/** The parts of a case. */
export type CaseParts = Omit<Case, 'id'>;

/** A case with an id computed from its request. */
export function makeCase(parts: CaseParts): Case {
  const { title, phase, operation, request, intent } = parts;
  const id = hash(`${operation.id}\n${phase}\n${title}\n${describeTemplate(request)}`);
  // All objects have one shape, regardless of the order of their members: smaller, and faster to
  // read.
  return Object.assign({ id, title, phase, operation, request, intent }, parts);
}

/** The control of a case, written now; undefined if it has none. */
export function controlOf({ control }: Pick<Case, 'control'>): RequestTemplate | undefined {
  return typeof control === 'function' ? control() : control;
}

/** A sequence of cases, or of a single case. A step's id names its sequence. */
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
 * The media type of the contract in which a case writes its body; undefined if it is not in the
 * contract.
 */
export function mediaOf({
  operation,
  request: { body },
}: Pick<Case, 'operation' | 'request'>): MediaTypeSpec | undefined {
  const name = body?.kind === 'content' ? body.media.mediaType : body?.mediaType;
  return operation.requestBody?.content.find(({ mediaType }) => mediaType === name);
}

/** The hash of a text: ten hexadecimal digits. */
export function hash(text: string): string {
  return digest('sha256', text, 'hex').slice(0, 10);
}

function describeTemplate({
  arguments: given,
  body,
  credential,
  scheme,
  identity,
  session,
  method,
  headers,
  locatedBy,
  address,
  polling,
  tick,
  linked,
}: RequestTemplate): string {
  let text = '';
  for (const { parameter, source } of given)
    text +=
      `${parameter.in} ${parameter.name} ` +
      `${stringifyJson(source.kind === 'value' ? source.value : source)}\n`;
  text += `${credential}\n${body === undefined ? '' : describeBody(body)}`;
  if (scheme !== undefined) text += `\nof ${scheme}`;
  if (identity !== undefined) text += `\nas ${identity}`;
  if (session !== undefined) text += `\nin ${session}`;
  if (method !== undefined) text += `\n${method}`;
  for (const field of headers ?? []) text += `\n${field.join(': ')}`;
  if (address !== undefined) text += `\nat ${address.step} ${address.expression}`;
  if (polling !== undefined)
    text += `\nwhile ${polling.at} in ${polling.values.join(' ')} for ${String(polling.seconds)} s`;
  if (tick !== undefined) text += `\nafter ${tick}`;
  if (linked !== undefined) text += `\nif ${linked.is ? '' : 'not '}linked by ${linked.step}`;
  return locatedBy === undefined ? text : `${text}\nlocated by ${locatedBy}`;
}

function describeBody(body: BodyTemplate): string {
  switch (body.kind) {
    case 'json':
      return (
        `${body.mediaType} ` +
        `${stringifyJson(body.value)}${body.onto === undefined ? '' : ` onto ${body.onto}`}` +
        (body.fills ?? []).map(({ at, source }) => ` ${at} ${stringifyJson(source)}`).join('')
      );
    case 'content':
      return `${body.media.mediaType} ${stringifyJson(body.value)}`;
    case 'bytes':
      return `${body.mediaType ?? ''} ${Buffer.from(body.bytes).toString('base64')}`;
  }
}

/** Sequences that may be sent in parallel; a stage begins after the previous one is complete. */
export interface Stage {
  readonly phase: Phase;
  readonly sequences: readonly Sequence[];
}

/** All requests of a run except confirmations and cleanup. Equal plan requests give equal plans. */
export interface Plan {
  readonly stages: readonly Stage[];
  readonly skipped: readonly SkippedOperation[];
  /** The priority of each case, by its id, if the plan is ordered by it. */
  readonly worths?: ReadonlyMap<string, Priority> | undefined;
}

/**
 * Why an operation had no success: the plan leaves it out, or none of its requests could be sent or
 * was accepted.
 */
export type ShutCode =
  /** It may touch records that the request does not name. */
  | 'effect'
  | 'read-only'
  /** It changes a record, and the run has no record of its own there. */
  | 'no-own-record'
  /** The values of a path parameter are unknown. */
  | 'unknown-value'
  /** The user, or the contract, excludes it. */
  | 'excluded'
  /** It stands on a server of its own, which nobody named. */
  | 'other-server'
  /** No valid request can be written. */
  | 'unwritable'
  /** It may be sent, but no request is planned. */
  | 'unplanned'
  /** The run ended before. */
  | 'run-ended'
  /** The service refuses the credential, or requires one. */
  | 'credential'
  | 'not-found'
  | 'refused'
  | 'failed'
  | 'no-answer';

/** Why an operation gets no requests. */
export interface WhySkipped {
  readonly code: ShutCode;
  /** A clause that begins with a small letter. */
  readonly reason: string;
  /** What would change it: a flag, or a member of the configuration. */
  readonly opens?: string | undefined;
}

/** An operation without planned requests, and the reason. */
export interface SkippedOperation extends WhySkipped {
  readonly operation: Operation;
}

/** The priority of a case if not everything can be sent: lower is more informative. */
export type Priority = 0 | 1 | 2 | 3;
