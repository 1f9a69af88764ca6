import type { Parameter } from '../../../contract/model.ts';
import { isIdempotencyKey } from '../../../contract/model/operation.ts';
import { keepsRules } from '../../../values/broken-rules.ts';
import { judgedValues } from '../../../values/candidate-value.ts';
import { invalidTexts } from '../../../values/invalid-texts.ts';
import { invalidCandidates } from '../../../values/invalid-values.ts';
import { makeRandom, type Random } from '../../../values/random.ts';
import type { Case, Intent, Sequence } from '../../model/case.ts';
import { invalidBodyIntent, invalidIntent, makeSequence } from '../../model/case.ts';
import type { Argument, BodyTemplate } from '../../model/request-template.ts';
import { type Draft, isSafe, recordFor, requestOf } from '../../plan/draft.ts';
import { isForHeader, variedParameters } from '../../plan/argument-values.ts';
import { takesExpression } from '../../plan/expression-parameters.ts';
import { overlayOnExample } from '../../plan/body-values.ts';
import { markedBody } from '../../plan/mark-body.ts';
import { bodyRule } from '../../plan/refused-change.ts';
import { draftCase, exoticAt, needsRecord, type PlanContext } from '../../plan/plan-context.ts';
import { isOpaque } from './boundary.ts';
import { randomValue } from './random-value.ts';

/** Random requests for each operation: a few by default, many when fuzzing. */
const few = 6;
const many = 150;

/** Random requests, in turn valid and invalid. The same seed gives the same ones. */
export function planRandom(context: PlanContext, draft: Draft): Sequence[] {
  if (!isRandomisable(draft)) return [];
  const count = context.mode === 'fuzz' ? many : few;
  return Array.from({ length: count }, (_one, index) => index).flatMap((index) => {
    const random = makeRandom(`${context.seed} random ${draft.operation.id} ${String(index)}`);
    const testCase =
      index % 2 === 0
        ? validCase(context, draft, random)
        : (invalidCase(context, draft, random) ?? validCase(context, draft, random));
    return testCase === undefined ? [] : [makeSequence(testCase)];
  });
}

/** Whether anything can vary, in an operation that changes no record of the run. */
function isRandomisable(draft: Draft): boolean {
  const { operation, body } = draft;
  if (!isSafe(operation) && (operation.method !== 'POST' || needsRecord(draft))) return false;
  return (
    body?.schema !== undefined ||
    operation.parameters.some(({ in: location }) => location !== 'path')
  );
}

function validCase(context: PlanContext, draft: Draft, random: Random): Case | undefined {
  const alone = loneHeader(draft, random);
  const extra = alone ?? randomArguments(draft, random);
  const body = alone === undefined ? randomBody(context, draft, random) : undefined;
  if (extra.length === 0 && body === undefined) return undefined;
  return randomCase(draft, {
    title: `there are random values in ${listNames(extra, body !== undefined)}`,
    intent: exoticAt(draft.operation.pointer),
    extra,
    body,
  });
}

interface RandomRequest {
  readonly title: string;
  readonly intent: Intent;
  readonly extra: readonly Argument[];
  readonly body: BodyTemplate | undefined;
}

function randomCase(draft: Draft, { title, intent, extra, body }: RandomRequest): Case {
  const record = recordFor(draft);
  return draftCase(draft, {
    title,
    phase: 'random',
    record,
    extra,
    body,
    intent,
    control: requestOf(draft, record),
  });
}

function listNames(extra: readonly Argument[], hasBody: boolean): string {
  const names = extra.map(({ parameter }) => parameter.name);
  if (hasBody) names.push('the body');
  return names.length < 2
    ? names.join('')
    : `${names.slice(0, -1).join(', ')} and ${names.at(-1) ?? ''}`;
}

/** Random arguments; a cursor can only come from the list, and no random word is an expression. */
function randomArguments(draft: Draft, random: Random): Argument[] {
  return randomParameters(draft)
    .filter((parameter) => !isOpaque(draft, parameter) && !takesExpression(draft, parameter))
    .flatMap((parameter) =>
      parameter.required || random.next() < 0.5 ? randomArgument(parameter, random) : [],
    );
}

function randomArgument(parameter: Parameter, random: Random): Argument[] {
  const value = randomValue(parameter.schema, random);
  const made = { value: value ?? '', valueClass: 'exotic' } as const;
  return value === undefined || !isForHeader(parameter, made)
    ? []
    : [{ parameter, source: { kind: 'value', value } }];
}

/** In every other request, a random value of one header that stands alone, if there is any. */
function loneHeader({ operation }: Draft, random: Random): Argument[] | undefined {
  const headers = variedParameters(operation).filter(
    (parameter) => isAnyHeader(parameter) && !isIdempotencyKey(parameter),
  );
  const chosen = headers.length > 0 && random.next() < 0.5 ? random.pick(headers) : undefined;
  const made = chosen === undefined ? [] : randomArgument(chosen, random);
  return made.length === 0 ? undefined : made;
}

function randomParameters({ operation }: Draft): Parameter[] {
  // A repeated idempotency key stands for a repeated request.
  return variedParameters(operation)
    .filter((parameter) => !isIdempotencyKey(parameter) && !isAnyHeader(parameter))
    .filter(
      ({ in: location, wholeQuery, mediaType }) =>
        location !== 'path' && (wholeQuery !== true || mediaType === undefined),
    );
}

/**
 * Whether a header may be left out, and its schema takes any text. Its words are the service's own,
 * such as a version: beside other random values, a refusal would be told of those.
 */
function isAnyHeader({ in: location, required, schema }: Parameter): boolean {
  const takes = (text: string): boolean => schema.accepts(text, 'request');
  return location === 'header' && !required && ['word', '{', '1-2'].every(takes);
}

function randomBody(
  { runId }: PlanContext,
  { body, operation }: Draft,
  random: Random,
): BodyTemplate | undefined {
  const value = body?.schema === undefined ? undefined : randomValue(body.schema, random);
  if (body === undefined || value === undefined) return undefined;
  return markedBody(body, value, { runId, label: randomLabel(operation.id, random) });
}

function randomLabel(operation: string, random: Random): string {
  return `${operation} random ${String(random.integer(0, 2 ** 30))}`;
}

/** One thing invalid in an otherwise random request. */
function invalidCase(context: PlanContext, draft: Draft, random: Random): Case | undefined {
  const parameters = randomParameters(draft).filter(
    ({ in: location }) => location === 'query' || location === 'path',
  );
  const isInBody =
    draft.body?.schema !== undefined && (parameters.length === 0 || random.next() < 0.6);
  return isInBody
    ? invalidBody(context, draft, random)
    : invalidArgument(context, draft, { parameters, random });
}

/** Violations that no correct server accepts. */
const certainClasses: ReadonlySet<string> = new Set(
  (
    'missing-required wrong-type below-minimum above-maximum too-short too-long ' +
    'not-in-enum pattern-broken too-few-items too-many-items additional-property'
  ).split(' '),
);

function invalidBody(context: PlanContext, draft: Draft, random: Random): Case | undefined {
  const { body, operation } = draft;
  if (body?.schema === undefined) return undefined;
  const base = randomValue(body.schema, random) ?? body.value;
  const certain = [
    ...judgedValues(invalidCandidates(body.schema, 'request'), ({ valueClass }) =>
      certainClasses.has(valueClass),
    ),
  ];
  if (certain.length === 0) return undefined;
  const broken = overlayOnExample(random.pick(certain), { ...body, value: base });
  if (keepsRules(body.schema, broken.value)) return undefined;
  const rule = bodyRule(broken.label);
  const extra = randomArguments(draft, random);
  const marking = {
    runId: context.runId,
    label: randomLabel(operation.id, random),
    at: broken.at,
  };
  return randomCase(draft, {
    title: rule,
    intent: invalidBodyIntent(rule, broken.pointer, { class: broken.valueClass }),
    extra,
    body: markedBody(body, broken.value, marking),
  });
}

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
  return randomCase(draft, {
    title: rule,
    intent: invalidIntent(parameter, { at: invalid.pointer, rule, class: invalid.valueClass }),
    extra: [...others, { parameter, source: { kind: 'text', text: invalid.text } }],
    body: randomBody(context, draft, random),
  });
}
