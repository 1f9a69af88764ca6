import { widestPage } from '../../plan/listing.ts';
import type { BodyTemplate } from '../../model/request-template.ts';
import type { Sequence } from '../../model/case.ts';
import { joinPointer, type Pointer, splitPointer, valueAt } from '../../../json/pointer.ts';
import { isWithin, type RepeatKey, repeatKeys } from '../../../contract/words/read-repeats.ts';
import { lastWord } from '../../../contract/infer/conventions/path-styles.ts';
import { type DraftWithBody, planConcurrent } from '../../plan/make-create.ts';
import type { Operation, Resource } from '../../../contract/model.ts';
import { idempotencyKey } from '../../../contract/model/operation.ts';
import { followsAip } from '../../../contract/words/standards.ts';
import { headerValue, isSuccess } from '../../../http/message.ts';
import type { JsonValue } from '../../../json/value.ts';
import { creatorDraft, type Made, Story } from '../../plan/story.ts';
import { draftOf, type PlanContext } from '../../plan/plan-context.ts';
import { sameIdentifier } from '../../reading/list-page.ts';
import { roleOf, showValue, type Step } from '../../model/step.ts';
import { createdIdentifier } from '../../reading/created-record.ts';
import type { CheckInput, Violation } from '../../model/knowledge.ts';
import type { Related, RelationFault, RelationFaults } from '../../reading/related.ts';
import { listedRecords } from '../../reading/shown-records.ts';
import { check } from '../check.ts';
import { equalJson } from '../../../json/equal-json.ts';
import { membersOf } from '../../../json/body-members.ts';

/** A create that is repeated with its idempotency key creates no second record. */
export const createdOnce = check({
  id: 'created-once',
  basis: 'inferred',
  harm: 'data',
  rule:
    'A create that is repeated with the same Idempotency-Key and body creates no second ' +
    'record; with another body, the key is refused if the contract documents that. The same ' +
    'holds for a member of the body that its description says it of, and within what it names.',
  reason:
    'A client that gets no response repeats its create with the same key, so that an ' +
    'order is placed, and paid, once.',
  example: [
    '> POST /items',
    '> Idempotency-Key: 6f1c',
    '< {"id": 7}',
    '> POST /items   (the same body)',
    '> Idempotency-Key: 6f1c',
    '< {"id": 8}',
  ],
  traits: ['machinery'],
  plan: [
    { at: 'at once', resource: planConcurrent },
    { at: 'stories', made: planRepeated },
  ],
  intents: ['condition', 'relation'],
  mutants: [async () => (await import('./state-mutants.ts')).onceMutants],
  relations: { 'made-once': madeAgain, 'made-apart': notMadeApart },
  inspect(subject) {
    const { contract, operation } = subject;
    const { intent } = subject.case;
    if (
      intent.kind !== 'condition' ||
      (intent.wanted !== 'made-once' && intent.wanted !== 'key-refused')
    )
      return undefined;
    const resource = roleOf(contract, operation)?.resource;
    if (resource === undefined) return undefined;
    const [before] = underSameKey(subject);
    const [first, again] = [idOf(resource, before), idOf(resource, subject)];
    if (before === undefined || first === undefined) return undefined;
    const difference = describeDifference(before.sent.body ?? null, subject.sent.body ?? null);
    if ((intent.wanted === 'made-once') !== (difference === undefined)) return undefined;
    if (again === undefined) return difference === undefined ? refusedAgain(subject) : [];
    return difference === undefined
      ? madeTwice(subject, resource, [first, again])
      : takenAgain(subject, resource, { pair: [first, again], difference });
  },
});

/** A repetition under the same key in the body that made another record. */
function madeAgain({ subject, intent, of: [before], status, resource }: Related): RelationFaults {
  if (resource === undefined || !isSuccess(status)) return undefined;
  const [first, again] = [idOf(resource, before), idOf(resource, subject)];
  if (first === undefined || again === undefined) return undefined;
  if (sameIdentifier(first, again)) return [];
  return twice(resource, intent.field ?? '', [first, again]);
}

/** A create below another parent that made nothing, because its key counted there too. */
function notMadeApart({ subject, intent, of, status, resource }: Related): RelationFaults {
  const [made, before, act] = of;
  const identifier = resource && idOf(resource, made);
  if (resource === undefined || before === undefined || act === undefined) return undefined;
  if (identifier === undefined || !isSuccess(status)) return undefined;
  const [shown, records] = [before, subject].map((step) => listedRecords(resource, step.answer));
  const isShown = shown?.some((one) => sameIdentifier(one[resource.identifier.field], identifier));
  if (isShown !== true || records === undefined) return undefined;
  if (records.length > 0) return [];
  return {
    message:
      `The server accepted a create whose ${intent.field ?? ''} was used below another ` +
      'parent, and made no record: the list below its own parent is empty.',
    expected: 'a record below each parent',
    actual: 'no record',
    operation: act.case.operation,
    cause: 'apart',
  };
}

/** The earlier creates with the same key. */
function underSameKey(subject: CheckInput): Step[] {
  const { operation, earlier } = subject;
  const key = keyOf(operation, subject);
  return earlier.filter(
    (step) =>
      step.case.operation === operation && key !== undefined && keyOf(operation, step) === key,
  );
}

/** The key that a request was sent with, in its header or its query. */
function keyOf(
  operation: Operation,
  { sent, exchange: { request } }: Pick<Step, 'sent' | 'exchange'>,
): JsonValue | undefined {
  const parameter = idempotencyKey(operation);
  if (parameter?.in === 'query') return sent.arguments.get(parameter);
  return headerValue(request.headers, parameter?.name ?? '');
}

/**
 * A refusal of a request that was repeated, as if its own record were in the way. There is one
 * record, and AIP-155 says with SHOULD that the answer is that of the first: a warning where the
 * contract follows it, otherwise a note.
 */
function refusedAgain({
  contract,
  operation,
  case: testCase,
  exchange,
}: CheckInput): Violation | Violation[] {
  const parameter = idempotencyKey(operation);
  const status = exchange.response?.status;
  if (parameter?.in !== 'query' || status !== 409) return [];
  return {
    at: testCase.intent.kind === 'condition' ? testCase.intent.at : operation.pointer,
    message:
      `The server answered 409 to a create that was repeated with the same ${parameter.name} ` +
      'and body: the record of the first one is in its way.',
    expected: 'the answer to the first one (AIP-155)',
    actual: '409',
    cause: 'refused again',
    momentary: true,
    severity: followsAip(contract) ? 'warning' : 'note',
  };
}

type Pair = readonly [first: JsonValue, again: JsonValue];

/** The identifier of the record that a create made, if it succeeded. */
function idOf(
  resource: Resource,
  step: Pick<CheckInput, 'exchange' | 'answer' | 'sent'> | undefined,
): JsonValue | undefined {
  const response = step?.exchange.response;
  return step === undefined || response === undefined || !isSuccess(response.status)
    ? undefined
    : createdIdentifier(resource, step);
}

function madeTwice(
  { operation, case: testCase }: CheckInput,
  resource: Resource,
  pair: Pair,
): Violation[] {
  const [first, again] = pair;
  if (sameIdentifier(first, again)) return [];
  const name = idempotencyKey(operation)?.name ?? 'Idempotency-Key';
  const at = testCase.intent.kind === 'condition' ? testCase.intent.at : operation.pointer;
  return [{ at, ...twice(resource, name, pair) }];
}

function twice(resource: Resource, name: string, pair: Pair): RelationFault {
  const { field } = resource.identifier;
  const actual = pair.map((identifier) => `${field} ${showValue(identifier)}`).join(' and ');
  return {
    message: `Two creates with the same ${name} and body made two records: ${actual}.`,
    expected: 'one record',
    actual,
    cause: 'twice',
    momentary: true,
  };
}

interface TakenKey {
  readonly pair: Pair;
  /** What the later body has instead: `amount is 2 instead of 1`. */
  readonly difference: string;
}

/**
 * A note: the contract does not say whether a key that is taken is refused. An error where the same
 * body was refused because of the first record: the key does nothing at all.
 */
function takenAgain(
  subject: CheckInput,
  resource: Resource,
  { pair: [first, again], difference }: TakenKey,
): Violation | Violation[] {
  const { operation, case: testCase } = subject;
  const { response } = subject.exchange;
  const name = idempotencyKey(operation)?.name ?? 'Idempotency-Key';
  const repeated = underSameKey(subject)[1];
  const same = idOf(resource, repeated);
  const isIgnored = repeated?.exchange.response?.status === 409 && !sameIdentifier(first, again);
  // The create before this one shows whether the server ignores keys.
  if (same !== undefined && !sameIdentifier(first, same)) return [];
  const { field } = resource.identifier;
  const status = String(response?.status ?? '');
  return {
    at: testCase.intent.kind === 'condition' ? testCase.intent.at : operation.pointer,
    message:
      `The server answered ${status} (${field} ${showValue(again)}) to a ` +
      `create whose ${name} was used before with another body: ${difference}.`,
    expected: '409 or 422',
    actual: status,
    cause: 'key with another body',
    momentary: true,
    ...(isIgnored ? { cause: 'key ignored' } : { severity: 'note' as const }),
  };
}

/**
 * Creates whose body has a member that marks repetitions: the same request again, and, where the
 * key counts within the parent alone, the same below another one.
 */
function planRepeated(context: PlanContext, resource: Resource): Sequence[] {
  const create = creatorDraft(context, resource);
  const schema = create?.body.schema;
  if (create === undefined || schema === undefined) return [];
  const [key] = repeatKeys(create.operation, schema).filter(
    ({ name }) => !resource.record.flatten().properties.has(name),
  );
  return key === undefined ? [] : withKey(context, { resource, create, key });
}

interface Keyed {
  readonly resource: Resource;
  readonly create: DraftWithBody;
  readonly key: RepeatKey;
}

const first = 'a record is created under a key';
const again = 'the request that created it is sent again';

/** Texts in the forms of keys: each request gets another one. */
const placeholders = [
  '5f0c9f3e-7d1b-4c55-a1d2-9b0e6f3a8c47',
  '5f0c9f3e7d1b4c55a1d29b0e6f3a8c47',
  '5f0c9f3e7d1b4c55',
];

function withKey(context: PlanContext, keyed: Keyed): Sequence[] {
  const { resource, create, key } = keyed;
  const { schema } = create.body;
  const place = schema?.flatten().properties.get(key.name);
  const own = schema && place && schema.part(place);
  const text = own && placeholders.find((one) => own.accepts(one, 'request'));
  if (text === undefined) return [];
  const at = joinPointer('', key.name);
  const story = new Story(context, `${resource.name} under ${key.name}`);
  const parents = story.makeNamed(create);
  const made = story.make(resource, {
    title: first,
    of: parents,
    value: { [key.name]: text },
  });
  const body = repeatedBody(story.bodyOf(made), at, create);
  story.step(create, {
    title: again,
    of: parents,
    body,
    relation: { rule: 'made-once', of: [first], field: key.name, at: key.fact.pointer },
  });
  belowAnother(story, keyed, { parents, body });
  return story.sequences();
}

/** The body of the first create, with its key. */
function repeatedBody(
  body: BodyTemplate | undefined,
  at: Pointer,
  { operation }: DraftWithBody,
): BodyTemplate | undefined {
  if (body === undefined || body.kind === 'bytes') return body;
  const expression = `$request.body#${at}`;
  const source = { kind: 'link', operation: operation.id, expression, step: first } as const;
  const others = (body.fills ?? []).filter((fill) => fill.at !== at);
  return { ...body, fills: [...others, { at, source }] };
}

interface Below {
  readonly parents: readonly Made[];
  readonly body: BodyTemplate | undefined;
}

/** The same request below another parent, and the lists of both. */
function belowAnother(story: Story, { resource, create, key }: Keyed, below: Below): void {
  const list = draftOf(story.context, resource.operations.list);
  const shape = resource.list;
  const parent = resource.parents.at(-1)?.resource;
  const [own, ...more] = below.parents;
  if (list === undefined || shape === undefined || parent === undefined) return;
  if (own === undefined || more.length > 0) return;
  if (!isWithin(key.fact, lastWord(parent.collectionPath))) return;
  const page = widestPage({ shape });
  const [before, other] = ['a list of what was made under the key', 'the key below another parent'];
  story.step(list, { title: before, of: [own], extra: page });
  const another = story.make(parent);
  story.step(create, { title: other, of: [another], body: below.body });
  story.step(list, {
    title: 'a list of what was made under the key below another parent',
    of: [another],
    extra: page,
    relation: {
      rule: 'made-apart',
      of: [first, before, other],
      field: key.name,
      at: key.fact.pointer,
    },
  });
}

/**
 * The first place where a body differs from an earlier one, as a clause: `name is "b" instead of
 * "a"`; undefined if they are equal.
 */
export function describeDifference(before: JsonValue, after: JsonValue): string | undefined {
  if (equalJson(before, after)) return undefined;
  const isOther = (at: Pointer): boolean => {
    const [was, is] = [valueAt(before, at), valueAt(after, at)];
    return was === undefined || is === undefined ? was !== is : !equalJson(was, is);
  };
  const others = [...membersOf(before), ...membersOf(after)].filter(({ at }) => isOther(at));
  // The innermost one: an object differs in what it holds.
  const found = others.find(({ at }) => !others.some((inner) => inner.at.startsWith(`${at}/`)));
  const at = found?.at ?? '';
  const name = at === '' ? 'the body' : splitPointer(at).join('.');
  return `${name} is ${showValue(valueAt(after, at))} instead of ${showValue(valueAt(before, at))}`;
}
