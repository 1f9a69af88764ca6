import { isIdempotencyKey } from '../../../contract/idempotency-key.ts';
import type { Parameter } from '../../../contract/model.ts';
import { keepsRules } from '../../../values/broken-rules.ts';
import { invalidTexts } from '../../../values/invalid-texts.ts';
import { invalidValues } from '../../../values/invalid-values.ts';
import { makeRandom, type Random } from '../../../values/random.ts';
import { type Case, type Intent, makeCase, makeSequence, type Sequence } from '../../model/case.ts';
import type { Argument, BodyTemplate } from '../../model/request-template.ts';
import { bodyOf, type Draft, isSafe, type RecordKind, requestOf } from '../draft.ts';
import { variedParameters } from '../draft/varied-parameters.ts';
import { markBody } from '../mark-body.ts';
import { needsRecord, type PlanContext } from '../plan-context.ts';
import { rebase } from '../rebase.ts';
import { randomValue } from './random-value.ts';

/** How many requests each operation gets: a few by default, many where volume is asked for. */
const few = 6;
const many = 150;

/**
 * Requests that chance makes, valid ones and invalid ones in turn. The same seed gives the same
 * ones.
 */
export function planRandom(context: PlanContext, drafts = context.drafts): Sequence[] {
  const count = context.mode === 'fuzz' ? many : few;
  return drafts.filter(isRandomisable).flatMap((draft) =>
    Array.from({ length: count }, (_one, index) => index).flatMap((index) => {
      const random = makeRandom(`${context.seed} random ${draft.operation.id} ${String(index)}`);
      const made =
        index % 2 === 0
          ? validCase(context, draft, random)
          : (invalidCase(context, draft, random) ?? validCase(context, draft, random));
      return made === undefined ? [] : [makeSequence(made)];
    }),
  );
}

/**
 * Chance needs something to choose; and what changes or removes a record of the run has its turn in
 * the sequences.
 */
function isRandomisable(draft: Draft): boolean {
  const { operation, body } = draft;
  if (!isSafe(operation) && (operation.method !== 'POST' || needsRecord(draft))) return false;
  return (
    body?.schema !== undefined || operation.parameters.some(({ in: place }) => place !== 'path')
  );
}

function recordFor({ operation }: Draft): RecordKind {
  return isSafe(operation) ? 'known' : 'own';
}

function optional({ operation }: Draft): Parameter[] {
  // A key that came before stands for a request that came before.
  return variedParameters(operation)
    .filter((parameter) => !isIdempotencyKey(parameter))
    .filter(
      ({ in: place, wholeQuery, mediaType }) =>
        place !== 'path' && (wholeQuery !== true || mediaType === undefined),
    );
}

/** Arguments by chance; a cursor can only be one that the list gave. */
function randomArguments(draft: Draft, random: Random): Argument[] {
  const cursors =
    draft.role?.resource.list?.paging
      .filter(({ kind }) => kind === 'cursor')
      .map(({ parameter }) => parameter) ?? [];
  return optional(draft)
    .filter((parameter) => !cursors.includes(parameter))
    .flatMap((parameter) => {
      const value =
        parameter.required || random.next() < 0.5
          ? randomValue(parameter.schema, random)
          : undefined;
      return value === undefined ? [] : [{ parameter, source: { kind: 'value', value } } as const];
    });
}

function randomBody(
  { runId }: PlanContext,
  { body, operation }: Draft,
  random: Random,
): { readonly body?: BodyTemplate } {
  const value = body?.schema === undefined ? undefined : randomValue(body.schema, random);
  if (body === undefined || value === undefined) return {};
  return {
    body: bodyOf(
      body,
      markBody(body, value, {
        runId,
        label: `${operation.id} random ${String(random.integer(0, 2 ** 30))}`,
      }),
    ),
  };
}

function validCase(context: PlanContext, draft: Draft, random: Random): Case | undefined {
  const { operation } = draft;
  const extra = randomArguments(draft, random);
  const body = randomBody(context, draft, random);
  if (extra.length === 0 && body.body === undefined) return undefined;
  const intent: Intent = { kind: 'valid', rigour: 'exotic', at: operation.pointer };
  const title = `chance made ${titleOf(extra, body.body !== undefined)}`;
  return makeCase({
    title,
    phase: 'random',
    operation,
    request: requestOf(draft, recordFor(draft), { extra, ...body }),
    intent,
    control: requestOf(draft, recordFor(draft)),
  });
}

function titleOf(extra: readonly Argument[], body: boolean): string {
  const named = [...extra.map(({ parameter }) => parameter.name), ...(body ? ['the body'] : [])];
  return named.length < 2
    ? named.join('')
    : `${named.slice(0, -1).join(', ')} and ${named.at(-1) ?? ''}`;
}

/** One thing invalid in a request that chance made otherwise. */
function invalidCase(context: PlanContext, draft: Draft, random: Random): Case | undefined {
  const parameters = optional(draft).filter(
    ({ in: place }) => place === 'query' || place === 'path',
  );
  const inBody =
    draft.body?.schema !== undefined && (parameters.length === 0 || random.next() < 0.6);
  return inBody
    ? invalidBody(context, draft, random)
    : invalidArgument(context, draft, { parameters, random });
}

function invalidBody(context: PlanContext, draft: Draft, random: Random): Case | undefined {
  const { body, operation } = draft;
  if (body?.schema === undefined) return undefined;
  const base = randomValue(body.schema, random) ?? body.value;
  const certain = invalidValues(body.schema, 'request').filter(({ valueClass }) =>
    certainClasses.has(valueClass),
  );
  if (certain.length === 0) return undefined;
  const broken = rebase(random.pick(certain), { ...body, value: base });
  if (keepsRules(body.schema, broken.value)) return undefined;
  const label = broken.label.replace(/^the value /, 'the body ');
  const extra = randomArguments(draft, random);
  const intent: Intent = {
    kind: 'invalid',
    at: broken.pointer,
    rule: label,
    part: 'body',
    subject: 'the body',
    accepted: 'error',
  };
  const request = requestOf(draft, recordFor(draft), {
    extra,
    body: bodyOf(
      body,
      markBody(body, broken.value, {
        runId: context.runId,
        label: `${operation.id} random ${String(random.integer(0, 2 ** 30))}`,
        at: broken.at,
      }),
    ),
  });
  return makeCase({
    title: label,
    phase: 'random',
    operation,
    request,
    intent,
    control: requestOf(draft, recordFor(draft)),
  });
}

/** Breaches that no sound server forgives. */
const certainClasses: ReadonlySet<string> = new Set([
  'missing-required',
  'wrong-type',
  'below-minimum',
  'above-maximum',
  'too-short',
  'too-long',
  'not-in-enum',
  'pattern-broken',
  'too-few-items',
  'too-many-items',
  'additional-property',
]);

function invalidArgument(
  context: PlanContext,
  draft: Draft,
  { parameters, random }: { readonly parameters: readonly Parameter[]; readonly random: Random },
): Case | undefined {
  const usable = parameters.flatMap((parameter) =>
    invalidTexts(parameter.schema)
      .filter(({ text, valueClass }) => text !== '' && certainClasses.has(valueClass))
      .map((invalid) => ({ parameter, invalid })),
  );
  if (usable.length === 0) return undefined;
  const { parameter, invalid } = random.pick(usable);
  const others = randomArguments(draft, random).filter(
    (argument) => argument.parameter !== parameter,
  );
  const rule = `${parameter.name} ${invalid.label}`;
  const intent: Intent = {
    kind: 'invalid',
    at: invalid.pointer,
    rule,
    part: parameter.in,
    subject: parameter.name,
    accepted: 'error',
  };
  const extra: Argument[] = [
    ...others,
    { parameter, source: { kind: 'text', text: invalid.text } },
  ];
  const body = randomBody(context, draft, random);
  return makeCase({
    title: rule,
    phase: 'random',
    operation: draft.operation,
    request: requestOf(draft, recordFor(draft), { extra, ...body }),
    intent,
    control: requestOf(draft, recordFor(draft)),
  });
}
