import type {
  Contract,
  MediaTypeSpec,
  ResponseSpec,
  Schema,
  SchemaIssue,
} from '../../../contract/model.ts';
import { type AnsweredXml, doubtOf } from '../../../contract/content/read-answered-xml.ts';
import { isProjection } from '../../../contract/protocols/projection.ts';
import { contentForm } from '../../../http/media-type.ts';
import { WorkBudget } from '../../../json/work-budget.ts';
import { selectMediaType, selectResponse } from '../../../contract/select-response.ts';
import { joinPointer, parentPointer, type Pointer, valueAt } from '../../../json/pointer.ts';
import {
  defined,
  isJsonObject,
  type JsonValue,
  isJsonArray,
  type JsonArray,
  editParts,
} from '../../../json/value.ts';
import { readContent } from '../../reading/read-content.ts';
import { type Answer, roleOf, showValue } from '../../model/step.ts';
import { isUnspecific, isDescribed } from '../../reading/refusal.ts';
import type { FindingFacts } from '../../model/finding-facts.ts';
import { type CheckInput, unjudgedCause, type Violation } from '../../model/knowledge.ts';
import { check } from '../check.ts';
import { eventSchemaOf, judgeEvent } from './event-schema.ts';

const maxIssues = 25;

/**
 * A body conforms to its schema, in every media type that vouch can read: all distinct violations,
 * one for each place in the contract.
 */
export const bodyMatchesSchema = check({
  id: 'body-matches-schema',
  basis: 'contract',
  harm: 'types',
  rule:
    'A response body (JSON, a sequence of JSON, XML, a form, a text) conforms to the schema ' +
    'that the contract declares for its status: types, formats, bounds, enums and ' +
    'required fields.',
  reason:
    'Client code is generated from the schema and typed by it; a value outside of the ' +
    'schema crashes it or is displayed wrongly.',
  example: ['> GET /items/1', '< 200 OK', '< {"id": "1"}   (id is an integer in the contract)'],
  confirm: 'once',
  explains: [
    {
      // One handler writes the errors of a service.
      findings: ['body-matches-schema'],
      leads: ({ errorForm }) => errorForm !== undefined,
      explains: ({ errorForm }, other) => other.errorForm === errorForm,
    },
    {
      // One function writes the members of one name, whatever they are members of.
      findings: ['body-matches-schema'],
      leads: ({ field }) => field !== undefined,
      explains: ({ field, keyword }, other) => other.field === field && other.keyword === keyword,
    },
    {
      // A value of another kind breaks several keywords of its schema.
      findings: ['body-matches-schema'],
      leads: isOfValue,
      explains: (leader, other) =>
        isOfValue(other) &&
        parentPointer(other.finding.pointer) === parentPointer(leader.finding.pointer),
    },
  ],
  sharedCause: ({ keyword, finding }) => `${keyword} ${typeOfShown(finding.actual)}`,
  traits: ['one response', 'fields'],
  mutants: [async () => (await import('./body-mutants.ts')).bodyMutators],
  inspect(subject) {
    const { contract, operation, answer } = subject;
    const { response } = subject.exchange;
    if (response === undefined || !isDescribed(subject)) return undefined;
    const documented = selectResponse(operation, response.status);
    if (documented === undefined || isUnspecific(documented, response)) return undefined;
    if (answer.kind !== 'empty' && isClosed(contract, documented))
      return unwanted(documented, response.status);
    const media =
      answer.mediaType === undefined
        ? undefined
        : selectMediaType(documented.content, answer.mediaType);
    const found = media && (inspectSilence(media, subject) ?? inspectBody(media, answer));
    return found && toViolations(asWasAsked(subject, found), response.status);
  },
});

/** What a projection did not ask for may be missing: its response shows a part of each record. */
function asWasAsked(
  { contract, operation, sent }: CheckInput,
  found: readonly Found[],
): readonly Found[] {
  if (![...sent.arguments.keys()].some((one) => isProjection(operation, one))) return found;
  const fields = roleOf(contract, operation)?.resource.record.flatten().properties;
  const isOfRecord = ({ at, property = '' }: SchemaIssue): boolean =>
    at !== '' || fields?.has(property) === true;
  return found.filter(({ issue }) => issue.keyword !== 'required' || !isOfRecord(issue));
}

/** An issue, and the value that has it: the body, or one item of a sequence. */
interface Found {
  readonly issue: SchemaIssue;
  readonly value: JsonValue;
  /** Where else in the value the same is wrong. */
  readonly others?: readonly Pointer[];
  /** How many items of a long list are wrong. */
  readonly count?: string;
  /** The place in a document that is not JSON: `/order/lines[2]/@sku`. */
  readonly path?: string;
  /** Why it is not known whether the body has the issue, as a clause. */
  readonly doubt?: string;
  /** Which item of a sequence has it: `event 3`. */
  readonly item?: string;
}

/** A stream from which nothing came for as long as it was listened to. */
function inspectSilence(
  media: MediaTypeSpec,
  { answer, exchange }: CheckInput,
): readonly Found[] | undefined {
  const schema = media.itemSchema ?? media.schema;
  if (exchange.response?.cut !== 'open' || schema === undefined) return undefined;
  const reading = answer.kind === 'bytes' ? readContent(answer, media) : undefined;
  const isSilent = answer.kind === 'empty' || (reading?.kind === 'items' && !reading.items.length);
  return isSilent
    ? [{ issue: unread(schema), value: null, doubt: 'nothing came while it was listened to' }]
    : undefined;
}

function inspectBody(media: MediaTypeSpec, answer: Answer): readonly Found[] | undefined {
  const { schema, itemSchema } = media;
  if (answer.kind === 'json')
    return schema === undefined ? undefined : firstOfEach(breaches(schema, answer.value));
  if (answer.kind !== 'bytes' || answer.mediaType === undefined) return undefined;
  const reading = readContent(answer, media);
  if (reading.kind === 'value')
    return schema === undefined ? undefined : judge(schema, [reading.value]);
  if (schema !== undefined && reading.kind === 'xml') return judgeXml(schema, reading.reading);
  if (schema !== undefined && reading.kind === 'unsure')
    return [{ issue: unread(schema), value: null, doubt: reading.reason }];
  if (reading.kind !== 'items') return undefined;
  if (contentForm(answer.mediaType) === 'events') return judgeEvents(media, reading.items);
  if (itemSchema !== undefined) return judgeItems(itemSchema, reading.items);
  if (schema === undefined) return undefined;
  // Before OpenAPI 3.2 some documents describe the sequence as an array, and others describe one
  // item.
  const whole = judge(schema, [reading.items]);
  const items = judgeItems(schema, reading.items);
  return whole.length === 0 || (items.length === 0 && reading.items.length > 0)
    ? []
    : schema.flatten().types.includes('array')
      ? whole
      : items;
}

/** The issues of a document, and the first that may be one of its reading. */
function judgeXml(schema: Schema, reading: AnsweredXml): readonly Found[] {
  const all = breaches(schema, reading.value).map((found): Found => {
    const doubt = doubtOf(found.issue, reading);
    return { ...found, ...defined({ doubt, path: reading.pathOf(found.issue.at) }) };
  });
  const certain = firstOfEach(all.filter(({ doubt }) => doubt === undefined));
  return [...certain, ...all.filter(({ doubt }) => doubt !== undefined).slice(0, 1)];
}

function unread({ pointer }: Schema): SchemaIssue {
  return { at: '', keyword: 'xml', pointer, message: 'is not judged' };
}

function judgeItems(schema: Schema, items: readonly JsonValue[]): readonly Found[] {
  const budget = new WorkBudget();
  return firstOfEach(
    items.flatMap((value, index) =>
      breaches(schema, value, budget).map((found) => ({ ...found, item: nth('item', index) })),
    ),
  );
}

/** A schema that is not that of an event is that of its data, which no specification says. */
function judgeEvents(
  media: MediaTypeSpec,
  events: readonly JsonValue[],
): readonly Found[] | undefined {
  const own = eventSchemaOf(media);
  if (own === undefined) return undefined;
  const budget = new WorkBudget();
  const found = firstOfEach(
    events.flatMap((event, index) =>
      judgeEvent(own, event, budget).map((one): Found => ({ ...one, item: nth('event', index) })),
    ),
  );
  const doubt = 'it is not that of an event, and does not say that it is that of its data';
  return own.describes === 'event' ? found : found.slice(0, 1).map((one) => ({ ...one, doubt }));
}

function nth(noun: string, index: number): string {
  return `${noun} ${String(index + 1)}`;
}

function judge(schema: Schema, values: readonly JsonValue[]): readonly Found[] {
  const budget = new WorkBudget();
  return firstOfEach(values.flatMap((value) => breaches(schema, value, budget)));
}

function breaches(schema: Schema, value: JsonValue, budget = new WorkBudget()): readonly Found[] {
  const issues = schema.validate(value, 'response', budget);
  if (issues.length === 0) return none;
  const lists = longListsIn(value);
  const found = issues.map((issue) => ({ issue, value }));
  return lists.length === 0 ? found : inLongLists(schema, found, { lists, budget });
}

/**
 * A value with very many issues has only its first one: those in the first items of its long lists
 * are added, and the others counted.
 */
function inLongLists(
  schema: Schema,
  found: readonly Found[],
  { lists, budget }: { readonly lists: readonly LongList[]; readonly budget: WorkBudget },
): readonly Found[] {
  const [{ value, issue } = { value: null, issue: undefined }] = found;
  const more =
    found.length > 1 || issue?.unjudged === true
      ? []
      : schema
          .validate(shortened(value), 'response', budget)
          .map((each) => ({ issue: each, value }));
  const counts = lists.map((list) => ({
    at: `${list.at}/`,
    count: countWrong(schema, list, budget),
  }));
  const countOf = ({ at }: SchemaIssue): string | undefined =>
    counts.find((list) => at.startsWith(list.at))?.count;
  const inside = more.filter((each) => counts.some(({ at }) => each.issue.at.startsWith(at)));
  return [...found, ...inside].map((each) => ({
    ...each,
    ...defined({ count: countOf(each.issue) }),
  }));
}

// Fast path: almost every response.
const none: readonly never[] = [];

function toViolations(found: readonly Found[], status: number): readonly Violation[] {
  return found.length === 0
    ? none
    : found.slice(0, maxIssues).map((one) => toViolation(one, status));
}

/**
 * Whether the contract declares no body: `content` is present and empty. A missing `content`
 * declares nothing.
 */
function isClosed({ document }: Contract, { pointer, content }: ResponseSpec): boolean {
  const written =
    content.length === 0 ? valueAt(document, joinPointer(pointer, 'content')) : undefined;
  return isJsonObject(written) && Object.keys(written).length === 0;
}

function unwanted({ pointer }: ResponseSpec, status: number): Violation {
  return {
    at: joinPointer(pointer, 'content'),
    message: `The ${String(status)} response has a body; the contract declares none.`,
    expected: 'no body',
    actual: 'a body',
    cause: 'unwanted',
    severity: 'warning',
  };
}

function firstOfEach(all: readonly Found[]): readonly Found[] {
  if (all.length < 2) return all;
  const byPlace = Map.groupBy(
    all,
    ({ issue: { pointer, property = '' } }) => `${pointer} ${property}`,
  );
  return [...byPlace.values()].flatMap(([first, ...rest]) => {
    if (first === undefined || rest.length === 0) return first ?? [];
    return [{ ...first, others: rest.map(({ issue }) => issue.at) }];
  });
}

function unjudged({ pointer }: SchemaIssue, status: number): Violation {
  return {
    at: pointer,
    message: `The body of the ${String(status)} response takes too long to validate.`,
    expected: 'a body that can be validated within a second',
    actual: 'a body whose schema or nesting takes longer',
    cause: unjudgedCause,
    severity: 'note',
  };
}

/** The contract leaves open what a part of a document means, so nobody is accused. */
function doubtful({ issue, path, item }: Found, doubt: string, status: number): Violation {
  const whole = item === undefined ? 'The body' : `What is in ${item}`;
  const where = path === undefined ? whole : `What is at ${path}`;
  return {
    at: issue.pointer,
    message: `${where} of the ${String(status)} response was not judged by its schema: ${doubt}.`,
    expected: 'a body that its schema describes',
    actual: doubt,
    cause: 'unclear',
    severity: 'note',
  };
}

function toViolation(found: Found, status: number): Violation {
  const { issue, value: body, count, path, doubt, item } = found;
  if (doubt !== undefined) return doubtful(found, doubt, status);
  if (issue.unjudged === true) return unjudged(issue, status);
  const place = path === undefined ? `the value at ${issue.at}` : `the value at ${path}`;
  const [noun = 'body'] = item?.split(' ') ?? [];
  const subject = issue.at === '' ? `the ${noun}` : place;
  const where = item === undefined ? '' : `${item} of `;
  return {
    at: issue.pointer,
    // The items of a sequence are values of their own.
    ...(item === undefined ? { places: [issue.at, ...(found.others ?? [])] } : {}),
    message: `In ${where}the ${String(status)} response, ${subject} ${issue.message}.`,
    // The actual value is reported separately.
    expected: `${subject} ${issue.message.replace(/, but is .*$/s, '')}`,
    actual: [
      issue.property !== undefined && issue.keyword === 'required'
        ? `${issue.property} is missing`
        : showValue(valueAt(body, issue.at)),
      ...(count === undefined ? [] : [count]),
    ].join('; '),
    cause: issue.property ?? '',
    // Alternatives that overlap are a fault of the document more often than of the response.
    ...(issue.several === true ? { severity: 'warning' } : {}),
  };
}

/** The JSON type of a value as it is shown: null for an object is not a number for a text. */
function typeOfShown(value: string): string {
  const [first = ''] = value;
  return first === '-' || (first >= '0' && first <= '9') ? 'number' : first;
}

/** Whether a finding is about a value as a whole, and not about what an object has or lacks. */
function isOfValue({ keyword }: FindingFacts): boolean {
  return ['type', 'enum', 'const', 'format', 'pattern'].includes(keyword);
}

const shownItems = 100;

/** A list in a body that is too long to name everything that is wrong in it. */
interface LongList {
  readonly at: Pointer;
  readonly items: JsonArray;
}

/** The long lists of a body: itself, or its members. */
function longListsIn(value: JsonValue): readonly LongList[] {
  const lists: readonly (readonly [Pointer, JsonValue])[] = isJsonArray(value)
    ? [['', value]]
    : isJsonObject(value)
      ? Object.entries(value).map(([name, member]) => [joinPointer('', name), member])
      : [];
  return lists.flatMap(([at, items]) =>
    isJsonArray(items) && items.length > shownItems ? { at, items } : [],
  );
}

/** The body with the first hundred items of its long lists. */
function shortened(value: JsonValue): JsonValue {
  const cut = (one: JsonValue): JsonValue =>
    isJsonArray(one) && one.length > shownItems ? one.slice(0, shownItems) : one;
  return isJsonObject(value) ? editParts(value, cut) : cut(value);
}

/**
 * How many items of a long list do not conform to their schema: `300 of 5,000 items do not
 * conform`. Undefined if the schema says nothing about them, or counting is too much work.
 */
function countWrong(
  schema: Schema,
  { at, items }: LongList,
  budget: WorkBudget,
): string | undefined {
  const item = itemOf(schema, at);
  if (item === undefined) return undefined;
  const wrong = items.filter((one) => !item.accepts(one, 'response', budget)).length;
  if (budget.left <= 0) return undefined;
  const show = (count: number): string => count.toLocaleString('en');
  return `${show(wrong)} of ${show(items.length)} items do not conform`;
}

function itemOf(schema: Schema, at: Pointer): Schema | undefined {
  const whole = schema.flatten();
  const name = at.slice(1).replaceAll('~1', '/').replaceAll('~0', '~');
  const place = at === '' ? whole : whole.properties.get(name);
  if (place === undefined) return undefined;
  const { items } = schema.flatten(place);
  return items && schema.part(items);
}
