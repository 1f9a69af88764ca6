import { listStatuses } from '../../reading/refusal.ts';
import {
  documentsInvalidPath,
  documentsRefusal,
  isNeeded,
} from '../../../contract/model/operation.ts';
import { namesNothing, requestPhrase, roleOf } from '../../model/step.ts';
import { asksToWait, isSameName, isSuccess } from '../../../http/message.ts';
import { check } from '../check.ts';
import { recordFields } from '../../../contract/infer/record-fields.ts';
import { groupsOf } from '../../../contract/infer/record-view.ts';
import type { Parameter } from '../../../contract/model.ts';
import { encodeParameter } from '../../../contract/parameter/encode-parameter.ts';
import { fromInteger } from '../../../json/decimal.ts';
import { joinPointer } from '../../../json/pointer.ts';
import { isJsonObject, stringifyJson } from '../../../json/value.ts';
import { sameIdentifier } from '../../reading/list-page.ts';
import { shownRecord } from '../../reading/shown-records.ts';
import { plainValue } from '../../../values/plain-value.ts';
import { reachedInParameter } from '../../plan/input-classes.ts';
import type { InvalidIntent, Reach, Sequence } from '../../model/case.ts';
import { invalidIntent, makeCase, makeSequence } from '../../model/case.ts';
import type { CheckInput } from '../../model/knowledge.ts';
import type { Source } from '../../model/request-template.ts';
import { type Draft, isSafe, recordFor, requestOf } from '../../plan/draft.ts';
import type { InvalidArgument } from '../../plan/argument-values.ts';
import { invalidArguments, variedParameters } from '../../plan/argument-values.ts';
import { hasBody } from '../../plan/make-create.ts';
import { planInvalidBodies, toleratedClasses } from './negative-bodies.ts';
import { draftCase, type PlanContext, testedBefore } from '../../plan/plan-context.ts';
import { notRefused } from '../../reading/related.ts';
import { misorderedMutants, planMisordered } from './misordered.ts';

/** A request that breaks exactly one rule of the contract is refused. */
export const invalidRefused = check({
  id: 'invalid-refused',
  basis: 'contract',
  harm: 'accepts',
  rule:
    'A valid request with one part made invalid (missing, wrong type, out of bounds, not ' +
    'in the enum, …) gets a 4xx.',
  reason: 'Invalid input that the server stores later becomes data that breaks its readers.',
  example: ['> GET /items?limit=101   (maximum: 100)', '< 200 OK'],
  confirm: 'control',
  traits: ['inputs', 'fields'],
  explains: [
    {
      // What the service stored of it is shown by reads and lists.
      findings: 'fields',
      leads: ({ intent }) => intent['part'] === 'body',
      explains: ({ operation }, { finding }) => finding.storedBy?.includes(operation) === true,
    },
    {
      // A server that does not validate one parameter does not validate the next one either.
      findings: ['invalid-refused'],
      leads: ({ cause }) => cause === 'every one',
      explains: ({ operation, intent }, other) =>
        other.operation === operation &&
        (other.intent['part'] === 'body') === (intent['part'] === 'body'),
    },
    {
      // What was accepted appears in answers; a valid value that is lost has another reason.
      findings: ['body-matches-schema'],
      leads: ({ field }) => field !== undefined,
      explains: ({ field, root }, other) => other.field === field && other.root === root,
      last: true,
    },
  ],
  sharedCause: ({ keyword, intent }) => `${keyword} ${String(intent['class'])}`,
  plan: [
    { at: 'refusals', each: planNegative },
    { at: 'stories', made: planMisordered },
  ],
  intents: ['invalid', 'relation'],
  relations: { misordered: notRefused },
  covers: ['status-documented', 'body-matches-schema', 'content-type-documented'],
  mutants: [
    async () => (await import('./validation-mutants.ts')).validationMutators,
    () => misorderedMutants,
  ],
  leavesOpen: ({ operation, case: { intent } }) =>
    intent.kind === 'invalid' &&
    (intent.part === 'path' ? !documentsInvalidPath(operation) : !documentsRefusal(operation)),
  inspect(subject) {
    const { case: testCase, operation } = subject;
    const { response } = subject.exchange;
    const { intent } = testCase;
    if (
      intent.kind !== 'invalid' ||
      intent.accepted === 'fine' ||
      response === undefined ||
      asksToWait(response)
    )
      return undefined;
    // Several outcomes in one answer: its body says which (RFC 4918, section 13).
    if (response.status === 207) return undefined;
    if (!isSuccess(response.status)) return [];
    if (isNamedByService(subject)) return [];
    const refusals = operation.responses
      .filter(({ status }) => status.startsWith('4'))
      .map(({ status }) => status);
    return {
      at: intent.at,
      message: `The server accepted (${String(response.status)}) ${requestPhrase(testCase)}.`,
      expected:
        `a refusal (4xx), because ${intent.rule} (documented: ` +
        `${refusals.length === 0 ? listStatuses(operation) : refusals.join(', ')})`,
      actual: String(response.status),
      severity: intent.accepted,
    };
  },
});

/** Whether a create has an invalid name for its record, and the service gave it another one. */
function isNamedByService({ contract, operation, answer, sent }: CheckInput): boolean {
  const { action, resource } = roleOf(contract, operation) ?? {};
  if (action !== 'create' || resource === undefined || !isJsonObject(sent.body)) return false;
  const { field } = resource.identifier;
  const place = resource.record.flatten().properties.get(field);
  const [given, named] = [sent.body[field], shownRecord(resource, answer)?.[field]];
  if (place === undefined || given === undefined || named === undefined) return false;
  return !sameIdentifier(named, given) && !resource.record.part(place).accepts(given, 'request');
}

/** The plain request with one thing made invalid, beside the plain request as its control. */
function planNegative(context: PlanContext, draft: Draft): Sequence[] {
  return [
    ...planInvalidParameters(context, draft),
    ...junkHeaderCases(context, draft),
    ...(hasBody(draft) ? planInvalidBodies(context, draft) : []),
  ];
}

function planInvalidParameters(context: PlanContext, draft: Draft): Sequence[] {
  const { operation, role } = draft;
  const before = testedBefore(context, draft);
  // An unsafe operation that accepted an invalid value could do anything.
  const varied = variedParameters(operation);
  const parameters =
    isSafe(operation) || (operation.method === 'POST' && role?.action !== 'update')
      ? varied
      : varied.filter(({ in: location }) => location === 'path');
  const byParameter = parameters.map((parameter) => {
    const all = [
      ...invalidValueCases(draft, parameter),
      ...unlistedOrderCase(draft, parameter),
      ...extremeIntegerCases(draft, parameter),
      ...malformedCases(draft, parameter),
      ...doubledCase(draft, parameter),
      ...missingCase(draft, parameter),
    ];
    const tested = before(parameter);
    return tested === 0 ? all : oneOf(all, tested);
  });
  return inTurn(byParameter, context.budget.arguments);
}

/** One of the sequences, another one for each number: what a server must refuse, if any is. */
function oneOf(all: readonly Sequence[], index: number): Sequence[] {
  const certain = all.filter(mustBeRefused);
  const from = certain.length === 0 ? all : certain;
  return from.slice((index - 1) % Math.max(1, from.length)).slice(0, 1);
}

/**
 * Up to `most` of the sequences, in their order: one of each parameter in turn. What a server must
 * refuse comes first; of the rest, each parameter begins with another, so that a list of many
 * parameters gets every kind.
 */
function inTurn(byParameter: readonly Sequence[][], max: number): Sequence[] {
  const all = byParameter.flat();
  if (all.length <= max) return all;
  const queues = byParameter.map((own, index) => {
    const [certain, others] = [own.filter(mustBeRefused), own.filter((one) => !mustBeRefused(one))];
    const start = others.length === 0 ? 0 : index % others.length;
    return [...certain, ...others.slice(start), ...others.slice(0, start)];
  });
  const longest = Math.max(...queues.map(({ length }) => length));
  const turns = Array.from({ length: longest }, (_, turn) =>
    queues.flatMap((queue) => queue[turn] ?? []),
  );
  const chosen = new Set(turns.flat().slice(0, max));
  return all.filter((sequence) => chosen.has(sequence));
}

function mustBeRefused({ cases }: Sequence): boolean {
  return cases.some(({ intent }) => intent.kind === 'invalid' && intent.accepted === 'error');
}

function invalidValueCases(draft: Draft, parameter: Parameter): Sequence[] {
  const mayTouch =
    !isSafe(draft.operation) && draft.names.some((name) => name.parameter === parameter);
  const isHarmless = ({ source }: InvalidArgument): boolean =>
    !mayTouch || (source.kind === 'text' && namesNothing(source.text, parameter));
  return invalidArguments(parameter)
    .filter(isHarmless)
    .map(({ source, rule, valueClass, pointer }) => {
      const byDefault = valueClass === 'additional-property' ? 'warning' : 'error';
      // A server may ignore a preference whose value it does not know.
      const accepted =
        parameter.in === 'header' && /^(prefer|accept(-.*)?)$/i.test(parameter.name)
          ? 'fine'
          : (toleratedClasses[valueClass] ?? byDefault);
      return argumentCase(draft, parameter, {
        source,
        intent: { ...invalidIntent(parameter, { at: pointer, rule, accepted }), class: valueClass },
        reaches: reachedInParameter(parameter, { valueClass, at: '' }),
      });
    });
}

/**
 * An order by a field of the records that the contract does not list: a made-up word would be
 * refused by a server that looks for the field alone.
 */
function unlistedOrderCase(draft: Draft, parameter: Parameter): Sequence[] {
  const { role } = draft;
  const { schema, name, pointer } = parameter;
  const listed = schema.flatten().node.enum;
  if (role?.resource.list?.sort?.by !== parameter || listed === undefined) return [];
  const isListed = (field: string): boolean =>
    listed.some((word) => typeof word === 'string' && word.includes(field));
  const { record, identifier } = role.resource;
  // What names a record beside its fields is no field to order by.
  const naming = new Set([identifier.field, ...(groupsOf(record)?.own ?? [])]);
  const other = recordFields(record).find(
    ({ name: field, many, types }) =>
      !many &&
      !types.includes('object') &&
      !naming.has(field) &&
      !isListed(field) &&
      !schema.accepts(field, 'request'),
  );
  if (other === undefined) return [];
  const text = other.name;
  const rule = `${name} is ${stringifyJson(text)}, a field that it does not list`;
  const intent = invalidIntent(parameter, {
    at: joinPointer(pointer, 'schema', 'enum'),
    rule,
    accepted: 'error',
  });
  return [
    argumentCase(draft, parameter, {
      source: { kind: 'text', text },
      intent: { ...intent, class: 'not-in-enum' },
      reaches: reachedInParameter(parameter, { valueClass: 'not-in-enum', at: '' }),
    }),
  ];
}

/**
 * Headers that a server may ignore or refuse, but must not fail on: conditions without a tag or a
 * date (RFC 9110, section 13.1), a range without a unit (section 14.2), an unsupported type.
 */
const junkHeaders = [
  ['If-None-Match', 'not-a-tag'],
  ['If-Modified-Since', 'yesterday at noon'],
  ['Range', 'lines=last'],
  ['Accept', 'application/x-nothing'],
  ['If-Match', '"'],
] as const;

/** The first read of a plan gets every junk header, each other read one of them in turn. */
const wholeReads = 1;

function junkHeaderCases({ drafts }: PlanContext, draft: Draft): Sequence[] {
  const { operation } = draft;
  if (operation.method !== 'GET') return [];
  const place = drafts.filter((other) => other.operation.method === 'GET').indexOf(draft);
  return junkHeaders
    .filter((_, index) => place < wholeReads || index === place % junkHeaders.length)
    .filter(([name]) => !operation.parameters.some((given) => isSameName(given.name, name)))
    .map(([name, value]) => {
      const rule = `${name} is ${value}`;
      const control = requestOf(draft, 'known');
      return makeSequence(
        makeCase({
          title: rule,
          phase: 'negative',
          operation,
          request: { ...control, headers: [[name, value]] },
          control,
          intent: {
            kind: 'invalid',
            at: joinPointer(operation.pointer, 'responses'),
            rule,
            part: 'header',
            subject: name,
            accepted: 'fine',
          },
        }),
      );
    });
}

/** Twenty digits exceed any integer type of a database; -1 is never a count. */
const extremeIntegers = ['99999999999999999999', '-1'] as const;

/**
 * A huge and a negative number for an integer. If the schema excludes it, the server must refuse
 * it; otherwise it may accept or refuse it, but must not fail.
 */
function extremeIntegerCases(draft: Draft, parameter: Parameter): Sequence[] {
  const { schema, name } = parameter;
  const { node, types } = schema.flatten();
  if (!types.includes('integer')) return [];
  // Many servers read more digits than a format such as int32 allows.
  const isBounded = [
    node.minimum,
    node.maximum,
    node.exclusiveMinimum,
    node.exclusiveMaximum,
    node.enum,
    node.const,
  ].some((bound) => bound !== undefined);
  const isNamed = draft.names.some((named) => named.parameter === parameter);
  const isChange = !isSafe(draft.operation);
  const tested = new Set(
    invalidArguments(parameter).map(({ source }) => (source.kind === 'text' ? source.text : '')),
  );
  return extremeIntegers.flatMap((text) => {
    const [issue] = schema.validate(fromInteger(BigInt(text)), 'request');
    // A change that accepts a valid value takes effect.
    const isHarmful =
      isChange && (issue === undefined || (isNamed && !namesNothing(text, parameter)));
    if (tested.has(text) || isHarmful) return [];
    const isExcluded = issue !== undefined && isBounded;
    const rule = `${name} is ${text}${isExcluded ? ', which its schema excludes' : ''}`;
    const intent = invalidIntent(parameter, {
      at: issue?.pointer ?? parameter.pointer,
      rule,
      accepted: isExcluded ? 'error' : 'fine',
    });
    return argumentCase(draft, parameter, { source: { kind: 'text', text }, intent });
  });
}

/** Invalid escapes and bytes. A server may ignore them, but must not fail. */
function malformedCases(draft: Draft, parameter: Parameter): Sequence[] {
  const { in: location, name, pointer } = parameter;
  if (location !== 'path' && location !== 'query') return [];
  const texts = [
    ['%zz', 'a percent sign without two digits'],
    ['%ff', 'a byte that is not UTF-8'],
  ] as const;
  return texts.map(([text, what]) => {
    const rule = `${name} is ${text}, ${what}`;
    const intent = invalidIntent(parameter, { at: pointer, rule, accepted: 'fine' });
    return argumentCase(draft, parameter, {
      source: { kind: 'raw', text },
      intent: { ...intent, unreadable: true },
      reaches: [{ in: location, name, class: 'malformed' }],
    });
  });
}

/**
 * A parameter with a single value given twice. The contract does not say which one counts, so a
 * server may take either or none, but must not fail.
 */
function doubledCase(draft: Draft, parameter: Parameter): Sequence[] {
  const { in: location, mediaType, schema, name, pointer } = parameter;
  if (location !== 'query' || mediaType !== undefined || !isScalar(parameter)) return [];
  const made = plainValue(schema, { seed: 'doubled', direction: 'request', name });
  const encoded = made.ok ? encodeParameter(parameter, made.value) : undefined;
  if (encoded?.in !== 'query' || encoded.pairs === '') return [];
  const text = `${encoded.pairs}&${encoded.pairs}`.slice(encoded.pairs.indexOf('=') + 1);
  const rule = `${name} is given twice`;
  const intent = invalidIntent(parameter, { at: pointer, rule, accepted: 'fine' });
  return [argumentCase(draft, parameter, { source: { kind: 'raw', text }, intent })];
}

function isScalar({ schema }: Parameter): boolean {
  const { types } = schema.flatten();
  return types.length > 0 && types.every((type) => type !== 'array' && type !== 'object');
}

function missingCase(draft: Draft, parameter: Parameter): Sequence[] {
  const { name, pointer, in: part } = parameter;
  if (!isNeeded(parameter)) return [];
  const control = requestOf(draft, recordFor(draft));
  return [
    makeSequence(
      makeCase({
        title: `${name} is missing`,
        phase: 'negative',
        operation: draft.operation,
        request: {
          ...control,
          arguments: control.arguments.filter((argument) => argument.parameter !== parameter),
        },
        control,
        intent: invalidIntent(parameter, {
          at: joinPointer(pointer, 'required'),
          rule: `${name} is required`,
          accepted: 'error',
        }),
        reaches: [{ in: part, name, class: 'missing-required' }],
      }),
    ),
  ];
}

interface BrokenArgument {
  readonly source: Source;
  readonly intent: InvalidIntent;
  readonly reaches?: readonly Reach[];
}

/** A case with another argument, titled after the rule that it breaks. */
function argumentCase(
  draft: Draft,
  parameter: Parameter,
  { source, intent, reaches }: BrokenArgument,
): Sequence {
  const record = recordFor(draft);
  return makeSequence(
    draftCase(draft, {
      title: intent.rule,
      phase: 'negative',
      intent,
      record,
      extra: [{ parameter, source }],
      control: requestOf(draft, record),
      reaches,
    }),
  );
}
