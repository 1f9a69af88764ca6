import { creatorDraft, readerOf, relationTo, Story } from '../../plan/story.ts';
import type { PlanContext } from '../../plan/plan-context.ts';
import { periodOf } from '../../../contract/words/periods.ts';
import type { Related, RelationFaults } from '../../reading/related.ts';
import type { Resource, Schema } from '../../../contract/model.ts';
import { isSuccess } from '../../../http/message.ts';
import { isSameSchema } from '../../../contract/infer/record-fields.ts';
import type { JsonObject, JsonValue } from '../../../json/value.ts';
import { isJsonObject, memberOf, objectOf } from '../../../json/value.ts';
import { jsonOf } from '../../reading/read-answer.ts';
import { hasSuccess, isSafe, roleOf, showValue, type Step } from '../../model/step.ts';
import { compareRecords, type Difference, isAddedTo } from '../../reading/compare-records.ts';
import {
  createdIdentifier,
  creates,
  foundInstead,
  namesInPath,
} from '../../reading/created-record.ts';
import { fieldSays } from '../../../contract/words/facts.ts';
import type { FactName } from '../../../contract/words/phrases/index.ts';
import {
  answersRecord,
  saysSomething,
  shownFieldKey,
  shownForms,
} from '../../reading/shown-fields.ts';
import { shownRecord, recordShown } from '../../reading/shown-records.ts';
import { sameIdentifier } from '../../reading/list-page.ts';
import { mediaOf, type Sequence } from '../../model/case.ts';
import type { CheckInput, Violation } from '../../model/knowledge.ts';
import { check } from '../check.ts';
import { echoedFields } from '../../reading/echoed-fields.ts';
import type { Draft, DraftBody } from '../../plan/draft.ts';

/**
 * The response to a create has the values that were sent, digit for digit and character for
 * character.
 */
export const createdIsReturned = check({
  id: 'created-is-returned',
  basis: 'inferred',
  harm: 'results',
  rule:
    'The response to a create has the values that were sent: 64-bit integers digit for ' +
    'digit, text character for character; one that another operation shows within an object, ' +
    'as topic.value, is there after a create too.',
  reason: 'A value that changes on the way in is lost without notice.',
  example: [
    '> POST /items',
    '> {"count": 9007199254740993}',
    '< 201 Created',
    '< {"id": 7, "count": 9007199254740992}',
  ],
  plan: [
    { at: 'stories', made: planOffsets },
    { at: 'stories', made: planInnerTexts },
  ],
  traits: ['fields'],
  needs: ['createdFields', 'makers'],
  intents: ['valid', 'relation'],
  relations: { 'made-as-set': otherThanSet },
  mutants: [async () => (await import('./state-mutants.ts')).answerMutants],
  inspect(subject) {
    const { case: testCase, contract, operation, exchange, sent, answer } = subject;
    if (testCase.intent.kind !== 'valid' || !hasSuccess({ exchange })) return undefined;
    const schema = mediaOf(testCase)?.schema;
    if (schema === undefined || !isJsonObject(sent.body)) return undefined;
    const role = roleOf(contract, operation);
    if (role === undefined) return wrongEchoes(subject, schema, sent.body);
    const isCreate = creates(role.resource, testCase);
    if (!isCreate || !answersRecord(operation, role.resource)) return undefined;
    const got = shownRecord(role.resource, answer);
    if (got === undefined) return undefined;
    const differences = compareRecords(sent.body, got, {
      schema,
      shown: shownForms(role.resource),
      absent: 'fine',
      except: [role.resource.identifier.field, ...namesInPath(operation)],
      blanks: 'compared',
    });
    if (differences.length > 0 && foundInstead(subject, subject.knowledge.makers)) return [];
    const own = differences.filter(
      (difference) =>
        !isAddedTo(difference) &&
        ![schema, role.resource.record].some((one) => isToldApart(difference, one)) &&
        !isOfAnother(difference, { subject, schema, resource: role.resource }),
    );
    return own.map((difference) =>
      isAssigned(difference, { subject, schema, resource: role.resource })
        ? assignedValue(difference)
        : otherValue(difference),
    );
  },
});

interface Surroundings {
  readonly subject: CheckInput;
  readonly schema: Schema;
  readonly resource: Resource;
}

/** Whether the words of a member excuse it: only some records have it, or the service sets it. */
function isToldApart({ field, got }: Difference, described: Schema): boolean {
  const isOfOthers = !saysSomething(got) && saysOf(described, field, 'of-some');
  return isOfOthers || saysOf(described, field, 'replaces-what-is-sent');
}

/**
 * Whether a field shows a record of another resource, which the request names by its identifier:
 * the answer shows that record as it is, and the rest of what was sent for it changes nothing.
 */
function isOfAnother(
  { field, expected, got }: Difference,
  { subject: { contract }, schema, resource }: Surroundings,
): boolean {
  const place = schema.flatten().properties.get(field);
  if (place === undefined || !isJsonObject(expected) || !isJsonObject(got)) return false;
  const shown = schema.part(place);
  return contract.resources.some(
    ({ collection, record, identifier }) =>
      collection !== resource.collection &&
      isSameSchema(shown, record) &&
      sameIdentifier(expected[identifier.field], got[identifier.field]),
  );
}

/**
 * Whether the service sets a field itself, whatever is sent for it, and the contract does not say
 * so: no create of the run got back a value that it sent, and the values differ from record to
 * record, or the one here names the record, or nothing but an empty or an odd value was replaced.
 * Only an optional field counts for which the contract shows no value.
 */
function isAssigned(
  { field, expected, got }: Difference,
  { subject, schema, resource }: Surroundings,
): boolean {
  if (!saysSomething(got) || !isFreeField(schema, field)) return false;
  // Many services take null for a member that is left out, and fill in a default.
  if (expected === null) return true;
  if (holdsObjects(got)) return false;
  const seen = subject.knowledge.createdFields.get(shownFieldKey(resource, field));
  const isEmpty = !saysSomething(expected);
  if (saysOf(schema, field, 'set-by-service') && (isEmpty || seen?.isKept !== true)) return true;
  if (seen === undefined || seen.isKept || isMadeOf(expected, got)) return false;
  return seen.own.size > 1 || isEmpty || isOdd(subject) || namesRecord(got, subject, resource);
}

function isOdd({ case: { intent } }: CheckInput): boolean {
  return intent.kind === 'valid' && intent.rigour === 'exotic';
}

/** Whether a text holds the identifier of the record that was created, as its address does. */
function namesRecord(
  text: JsonValue | undefined,
  { answer, exchange, sent }: CheckInput,
  resource: Resource,
): boolean {
  const name = createdIdentifier(resource, { answer, exchange, sent });
  return typeof text === 'string' && name !== undefined && text.includes(String(name));
}

/** Whether a value is an object, or a list of them: a service sets single members of those. */
function holdsObjects(value: JsonValue | undefined): boolean {
  return Array.isArray(value)
    ? (value as readonly JsonValue[]).some((item) => isJsonObject(item))
    : isJsonObject(value);
}

/** Whether a field is optional, and the contract neither lists nor shows its values. */
function isFreeField(schema: Schema, field: string): boolean {
  const flat = schema.flatten();
  const place = flat.properties.get(field);
  if (place === undefined || flat.required.has(field)) return false;
  const { node } = schema.flatten(place);
  return ['enum', 'const', 'default', 'examples', 'example'].every(
    (keyword) => !Object.hasOwn(node, keyword),
  );
}

/** Whether the description of a field, of the record or of the request, says something. */
function saysOf(schema: Schema, field: string, fact: FactName): boolean {
  const place = schema.flatten().properties.get(field);
  return place !== undefined && fieldSays(schema.flatten(place), fact);
}

/** Whether a value was made of the one that was sent, such as a text that was cut. */
function isMadeOf(expected: JsonValue, got: JsonValue | undefined): boolean {
  if (typeof expected !== 'string' || typeof got !== 'string' || expected === '') return false;
  const [sent, shown] = [expected.toLowerCase(), got.toLowerCase()];
  return sent.length > 1 && (shown.includes(sent) || sent.includes(shown));
}

function assignedValue(difference: Difference): Violation {
  const { field, pointer, expected, got } = difference;
  return {
    ...otherValue(difference),
    at: pointer,
    message:
      `The service sets ${field} itself: a create answered ${showValue(got)}, and ` +
      `${showValue(expected)} was sent; the contract does not declare ${field} readOnly.`,
    severity: 'note',
    blame: 'contract',
    cause: 'set by the service',
  };
}

function otherValue(difference: Difference): Violation {
  const { field, pointer, expected, got: other, rewritten, trimmed } = difference;
  return {
    at: pointer,
    message:
      `The response to a create has another ${field} than was sent: ` +
      `${showValue(other)} instead of ${showValue(expected)}.`,
    expected: `${field} is ${showValue(expected)}, as it was sent`,
    actual: `${field} is ${showValue(other)}`,
    ...(rewritten === true ? { severity: 'warning' as const, cause: 'rewritten' } : {}),
    // Many servers trim texts, and may.
    ...(trimmed === true ? { severity: 'note' as const, cause: 'trimmed' } : {}),
  };
}

/**
 * Members of a response that differ from the members of the request with the same name, for
 * operations without a resource: `POST /messages` returns the message. The response has an
 * identifier that the request has not, so it shows the created object. Only free texts count, and
 * only if neither contains the other: a server may complete, shorten or mask a text, and sets
 * states and numbers.
 */
function wrongEchoes(
  { contract, operation, answer }: CheckInput,
  schema: Schema,
  sent: JsonObject,
) {
  const echoed = echoedFields(contract, operation, schema);
  const got = jsonOf(answer);
  if (echoed.size === 0 || !isJsonObject(got)) return undefined;
  const texts = Object.entries(sent).filter(
    ([name, value]) => echoed.has(name) && typeof value === 'string' && value.trim() !== '',
  );
  return compareRecords(Object.fromEntries(texts), got, {
    schema,
    absent: 'fine',
    except: namesInPath(operation),
    blanks: 'compared',
  })
    .filter(({ expected, got: other }) => isOtherText(expected, other))
    .map(otherValue);
}

/** Whether a text was replaced: not completed, cut or masked. */
function isOtherText(expected: JsonValue, got: JsonValue | undefined): boolean {
  if (typeof expected !== 'string' || typeof got !== 'string') return false;
  const isPart = got !== '' && (got.includes(expected) || expected.includes(got));
  return !isPart && !/[*•…]|\.\.\.$/.test(got);
}

/**
 * A text of a create that the record does not show where it shows the same member once another
 * operation has set it.
 */
function otherThanSet(related: Related): RelationFaults {
  const { subject, intent, of, status } = related;
  const { field = '' } = intent;
  const [created, before, act] = of;
  if (created === undefined || before === undefined || act === undefined || !isSuccess(status))
    return undefined;
  const [first, second] = [created, act].map((step) => sentIn(step, field));
  const [former, later] = [before, subject].map((step) => objectShown(related, step, field));
  if (first === undefined || second === undefined || former === undefined || later === undefined)
    return undefined;
  const [place, ...others] = Object.keys(later).filter((name) => later[name] === second);
  if (place === undefined || others.length > 0 || first === second) return undefined;
  if (former[place] === first) return [];
  const { operation } = created.case;
  return {
    message:
      `A record that was created with the ${field} ${showValue(first)} shows ` +
      `${showValue(former[place] ?? null)} as its ${field}.${place}; ${act.case.operation.id} ` +
      'shows what is sent there.',
    expected: showValue(first),
    actual: showValue(former[place] ?? null),
    operation,
    at: operation.pointer,
    cause: `lost ${field}`,
  };
}

function sentIn({ sent: { body } }: Step, field: string): string | undefined {
  const text = memberOf(body, field);
  return typeof text === 'string' ? text : undefined;
}

function objectShown({ subject }: Related, step: Step, field: string): JsonObject | undefined {
  const shown = recordShown(subject.contract, step)?.[field];
  return isJsonObject(shown) ? shown : undefined;
}

const hour = 3_600_000;
const year = 364 * 24 * hour;

/** A period written with an offset from UTC: the answer has the same moments (RFC 3339). */
function planOffsets(context: PlanContext, resource: Resource): Sequence[] {
  const { body } = creatorDraft(context, resource) ?? {};
  const names = body?.schema && periodOf(body.schema);
  const value = body?.value;
  if (names === undefined || !isJsonObject(value) || !names.every((name) => isMoment(value[name])))
    return [];
  const later = names.map((name) => [name, inAnotherZone(String(value[name]))] as const);
  const story = new Story(context, `${resource.name} with an offset`);
  const made = story.make(resource, { fixed: Object.fromEntries(later) });
  story.read(made, 'a read of the record with an offset');
  return story.sequences();
}

function isMoment(value: unknown): boolean {
  return typeof value === 'string' && /^\d{4}-\d\d-\d\dT\d\d:\d\d/.test(value);
}

/** A moment one year later, written two hours ahead of UTC. */
function inAnotherZone(moment: string): string {
  const later = new Date(Date.parse(moment) + year + 2 * hour);
  return `${later.toISOString().slice(0, 19)}+02:00`;
}

/**
 * Creates with a text that the record shows within an object, as `topic` in `topic.value`: another
 * operation that sets the same text shows where.
 */
function planInnerTexts(context: PlanContext, resource: Resource): Sequence[] {
  const create = creatorDraft(context, resource);
  if (create === undefined) return [];
  return textsOf(create.body)
    .filter((field) => isObjectIn(resource.record, field))
    .flatMap((field) => setTwice(context, resource, field, create.body));
}

/** The members of a body that are texts and not lists of words. */
function textsOf({ schema }: DraftBody): string[] {
  return [...(schema?.flatten().properties ?? [])].flatMap(([name, place]) => {
    const { types, node } = schema?.flatten(place) ?? { types: [] };
    return types.join() === 'string' && node?.enum === undefined ? [name] : [];
  });
}

function isObjectIn(record: Schema, field: string): boolean {
  const place = record.flatten().properties.get(field);
  return place !== undefined && record.flatten(place).types.join() === 'object';
}

/** The first one has a character that some services store as an entity of HTML. */
const texts = { created: 'Made & shown', set: 'As it is set' };

function setTwice(
  context: PlanContext,
  resource: Resource,
  field: string,
  body: DraftBody,
): Sequence[] {
  const reader = readerOf(context, resource);
  const setter = context.drafts.find((draft) => sets(draft, resource, field));
  if (reader === undefined || setter?.body === undefined) return [];
  const isTaken = [
    [body, texts.created],
    [setter.body, texts.set],
  ] as const;
  if (!isTaken.every(([own, text]) => takes(own, field, text))) return [];
  const story = new Story(context, `the ${field} of ${resource.name}`);
  const made = story.make(resource, { value: { [field]: texts.created } });
  const [before, act] = [`a read of the ${field} that was created`, `a request that sets ${field}`];
  story.read(made, before);
  story.step(setter, {
    title: act,
    of: [made],
    value: { ...objectOf(setter.body.value), [field]: texts.set },
  });
  story.read(made, `a read of the ${field} that was set`, {
    intent: relationTo(reader, { rule: 'made-as-set', of: [made.title, before, act], field }),
  });
  return story.sequences();
}

/** Whether an operation changes a record by a text of that name. */
function sets({ operation, names, body, role }: Draft, resource: Resource, field: string): boolean {
  return (
    !isSafe(operation) &&
    role?.action !== 'create' &&
    names.at(-1)?.resource.collection === resource.collection &&
    body !== undefined &&
    textsOf(body).includes(field)
  );
}

function takes(body: DraftBody, field: string, text: string): boolean {
  return body.schema?.accepts({ ...objectOf(body.value), [field]: text }, 'request') === true;
}
