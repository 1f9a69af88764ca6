import type { Operation, Parameter, Schema } from '../../contract/model.ts';
import { encodeParameter } from '../../contract/parameter/encode-parameter.ts';
import { defined } from '../../json/defined.ts';
import { joinPointer, splitPointer } from '../../json/pointer.ts';
import type { LabelledValue, ValueClass } from '../../values/labelled-value.ts';
import { plainValue } from '../../values/plain-value.ts';
import { reachedInBody, reachedInParameter } from '../coverage/input-classes.ts';
import {
  type CaseParts,
  type Intent,
  makeCase,
  makeSequence,
  type Reach,
  type Sequence,
} from '../model/case.ts';
import type { RequestTemplate, Source } from '../model/request-template.ts';
import { bodyOf, type Draft, type DraftBody, isSafe, type RecordKind, requestOf } from './draft.ts';
import { invalidBodies } from './draft/body-values.ts';
import { brokenBodies } from './draft/broken-bodies.ts';
import { namesNothing } from './draft/harmless-identifier.ts';
import { type InvalidArgument, invalidArguments } from './draft/invalid-arguments.ts';
import { variedParameters } from './draft/varied-parameters.ts';
import { markBody, type Marking } from './mark-body.ts';
import type { PlanContext } from './plan-context.ts';

type Accepted = Extract<Intent, { kind: 'invalid' }>['accepted'];

/**
 * What many sound servers let pass: they read numbers out of texts, ignore case, or take an empty
 * text for none.
 */
const forgiven: Partial<Readonly<Record<ValueClass, Accepted>>> = {
  'coercible-type': 'warning',
  'wrong-case': 'warning',
  'integer-overflow': 'warning',
  'empty-text': 'fine',
};

/**
 * Each operation's plain request with one thing made invalid, beside the plain request as its
 * control.
 */
export function planNegative(context: PlanContext, drafts = context.drafts): Sequence[] {
  return drafts.flatMap((draft) => [...breakParameters(draft), ...breakBody(context, draft)]);
}

/** Whatever may change a record is only ever sent for one that the run created. */
function recordFor({ operation }: Draft): RecordKind {
  return isSafe(operation) ? 'known' : 'own';
}

function breakParameters(draft: Draft): Sequence[] {
  const { operation } = draft;
  // Nothing says what an unsafe operation would do that took the value after all.
  const varied = variedParameters(operation);
  const parameters =
    isSafe(operation) || (operation.method === 'POST' && draft.role?.action !== 'update')
      ? varied
      : varied.filter(({ in: place }) => place === 'path');
  return parameters.flatMap((parameter) => [
    ...brokenArguments(draft, parameter),
    ...malformed(draft, parameter),
    ...doubled(draft, parameter),
    ...leftOut(draft, parameter),
  ]);
}

function brokenArguments(draft: Draft, parameter: Parameter): Sequence[] {
  const mayTouch =
    !isSafe(draft.operation) && draft.names.some((name) => name.parameter === parameter);
  const isHarmless = ({ source }: InvalidArgument): boolean =>
    !mayTouch || (source.kind === 'text' && namesNothing(source.text, parameter));
  return invalidArguments(parameter)
    .filter(isHarmless)
    .map(({ source, rule, valueClass, pointer }) => {
      const reaches = reachedInParameter(parameter, { valueClass, at: '' });
      const intent: Intent = {
        kind: 'invalid',
        at: pointer,
        rule,
        part: parameter.in,
        subject: parameter.name,
        accepted:
          forgiven[valueClass] ?? (valueClass === 'additional-property' ? 'warning' : 'error'),
      };
      return argumentCase(draft, parameter, { title: rule, source, intent, reaches });
    });
}

/**
 * A parameter of a single value given twice: the contract has no word for it, and servers take the
 * first, the last or none. None may fail.
 */
function doubled(draft: Draft, parameter: Parameter): Sequence[] {
  if (parameter.in !== 'query' || parameter.mediaType !== undefined || !isSingle(parameter))
    return [];
  const made = plainValue(parameter.schema, {
    seed: 'doubled',
    direction: 'request',
    name: parameter.name,
  });
  const encoded = made.ok ? encodeParameter(parameter, made.value) : undefined;
  if (encoded?.in !== 'query' || encoded.pairs === '') return [];
  const text = `${encoded.pairs}&${encoded.pairs}`.slice(encoded.pairs.indexOf('=') + 1);
  const rule = `${parameter.name} is given twice`;
  const intent: Intent = {
    kind: 'invalid',
    at: parameter.pointer,
    rule,
    part: 'query',
    subject: parameter.name,
    accepted: 'fine',
  };
  return [argumentCase(draft, parameter, { title: rule, source: { kind: 'raw', text }, intent })];
}

function isSingle({ schema }: Parameter): boolean {
  const { types } = schema.flatten();
  return types.length > 0 && types.every((type) => type !== 'array' && type !== 'object');
}

/**
 * Escapes that are none, and bytes that are no text. A server may pass over them; it may not fail.
 */
function malformed(draft: Draft, parameter: Parameter): Sequence[] {
  if (parameter.in !== 'path' && parameter.in !== 'query') return [];
  const texts = [
    ['%zz', 'a percent sign without two digits'],
    ['%ff', 'a byte that is not UTF-8'],
  ] as const;
  return texts.map(([text, what]) => {
    const rule = `${parameter.name} is ${text}, ${what}`;
    const intent: Intent = {
      kind: 'invalid',
      at: parameter.pointer,
      rule,
      part: parameter.in,
      subject: parameter.name,
      accepted: 'fine',
      unreadable: true,
    };
    return argumentCase(draft, parameter, {
      title: rule,
      source: { kind: 'raw', text },
      intent,
      reaches: [{ in: parameter.in, name: parameter.name, class: 'malformed' }],
    });
  });
}

function leftOut(draft: Draft, parameter: Parameter): Sequence[] {
  if (!parameter.required || parameter.in === 'path') return [];
  const whole = requestOf(draft, recordFor(draft));
  const request = {
    ...whole,
    arguments: whole.arguments.filter((argument) => argument.parameter !== parameter),
  };
  const { name, pointer, in: part } = parameter;
  const intent: Intent = {
    kind: 'invalid',
    at: joinPointer(pointer, 'required'),
    rule: `${name} is required`,
    part,
    subject: name,
    accepted: 'error',
  };
  return [
    negative(draft.operation, {
      title: `${name} is missing`,
      request,
      control: whole,
      intent,
      reaches: [{ in: part, name, class: 'missing-required' }],
    }),
  ];
}

interface BrokenArgument {
  readonly title: string;
  readonly source: Source;
  readonly intent: Intent;
  readonly reaches?: readonly Reach[];
}

function argumentCase(
  draft: Draft,
  parameter: Parameter,
  { title, source, intent, reaches }: BrokenArgument,
): Sequence {
  const record = recordFor(draft);
  return negative(draft.operation, {
    title,
    intent,
    request: requestOf(draft, record, { extra: [{ parameter, source }] }),
    control: requestOf(draft, record),
    ...defined({ reaches }),
  });
}

interface Negative {
  readonly title: string;
  readonly intent: Intent;
  readonly request: RequestTemplate;
  readonly control: NonNullable<CaseParts['control']>;
  readonly reaches?: readonly Reach[];
}

function negative(operation: Operation, parts: Negative): Sequence {
  return makeSequence(makeCase({ phase: 'negative', operation, ...parts }));
}

function breakBody(context: PlanContext, draft: Draft): Sequence[] {
  const { body, operation } = draft;
  if (body === undefined || isSafe(operation)) return [];
  return [
    ...unreadableBodies(draft, body),
    ...invalidBodies(body, context.room.invalid).map((value) =>
      invalidBody(context, draft, { body, value }),
    ),
  ];
}

function invalidBody(
  { runId }: PlanContext,
  draft: Draft,
  { body, value }: { readonly body: DraftBody; readonly value: LabelledValue },
): Sequence {
  const label = value.label.replace(/^the value /, 'the body ');
  const intent: Intent = {
    kind: 'invalid',
    at: value.pointer,
    rule: label,
    part: 'body',
    subject: 'the body',
    accepted: acceptedOf(value, body.schema),
  };
  return negative(draft.operation, {
    title: label,
    intent,
    reaches: reachedInBody(value),
    request: withMarked(draft, body, {
      value: value.value,
      runId,
      label: `${label} `,
      at: value.at,
    }),
    control: () => withMarked(draft, body, { value: body.value, runId, label: `${label} control` }),
  });
}

/** The request of a draft with a body in which the run's name is written. */
function withMarked(
  draft: Draft,
  body: DraftBody,
  { value, label, ...marking }: Marking & Pick<LabelledValue, 'value'>,
): RequestTemplate {
  return requestOf(draft, recordFor(draft), {
    body: bodyOf(
      body,
      markBody(body, value, { ...marking, label: `${draft.operation.id} ${label}` }),
    ),
  });
}

/** Many servers take null in an optional field for a field that was left out. */
function acceptedOf({ valueClass, at }: LabelledValue, schema: Schema | undefined): Accepted {
  const [field, ...deeper] = splitPointer(at);
  const optional =
    field !== undefined && (deeper.length > 0 || schema?.flatten().required.has(field) !== true);
  return valueClass === 'null-given' && optional ? 'warning' : (forgiven[valueClass] ?? 'error');
}

/** Bodies that are none, not whole, or not in a media type that the contract declares. */
function unreadableBodies(draft: Draft, body: DraftBody): Sequence[] {
  const { operation } = draft;
  const at = operation.requestBody?.pointer ?? operation.pointer;
  return brokenBodies(operation, body).map(({ title, body: broken, accepted, unreadable }) => {
    const record = recordFor(draft);
    const intent: Intent = {
      kind: 'invalid',
      at,
      rule: title,
      part: 'body',
      subject: 'the body',
      accepted,
      ...(unreadable === true ? { unreadable } : {}),
    };
    return negative(operation, {
      title,
      request: requestOf(draft, record, { body: broken }),
      control: requestOf(draft, record),
      intent,
      ...(broken === 'none'
        ? { reaches: [{ in: 'body', name: '', class: 'missing-required' }] }
        : {}),
    });
  });
}
