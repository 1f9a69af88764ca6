import { headerValue, isSuccess } from '../../../http/message.ts';
import { equalJson } from '../../../json/equal-json.ts';
import { tellsOf } from '../../../contract/words/mentions.ts';
import type { Pointer } from '../../../json/pointer.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../../../json/value.ts';
import { alienMembers } from '../../../values/forms.ts';
import { type Case, makeSequence, mediaOf, type Sequence } from '../../model/case.ts';
import type { CheckInput, Violation } from '../../model/knowledge.ts';
import { hasSuccess, roleOf, showValue, type Step } from '../../model/step.ts';
import { askList, type Listing, newestFirst, widestPage } from '../../plan/listing.ts';
import { createStep, creationOf } from '../../plan/make-create.ts';
import type { PlanContext } from '../../plan/plan-context.ts';
import { cannotBeShown, compareRecords, isHidden } from '../../reading/compare-records.ts';
import {
  type EarlierRecord,
  creatorKey,
  namesInPath,
  unchangedCreated,
  wasCreatedTwice,
} from '../../reading/created-record.ts';
import { withKeysAsSent } from '../../reading/identifiers.ts';
import type { ListPage } from '../../reading/list-page.ts';
import { isAllThereIs, isUnpaged, pageOf, sameIdentifier } from '../../reading/list-page.ts';
import { isSameRequestAs } from '../../reading/list-query.ts';
import { countsMore } from '../../reading/list-total.ts';
import { contradictsPath } from '../../reading/may-be-missing.ts';
import { writeLost } from '../../reading/shared-causes.ts';
import { saysSomething, shownFieldKey, shownForms } from '../../reading/shown-fields.ts';
import { shownRecord } from '../../reading/shown-records.ts';
import { isMarked } from '../../reading/without-others.ts';
import { check } from '../check.ts';
import { planSequences } from './sequence.ts';

/**
 * A created record can be read by its identifier and is in the list, with the values that were
 * sent.
 */
export const createdIsReadable = check({
  id: 'created-is-readable',
  basis: 'inferred',
  harm: 'data',
  rule:
    'A created record can be read by its identifier with the values that were sent, and ' +
    'is in a complete list exactly once.',
  reason: 'A create that succeeds and stores nothing loses data that the user believes to be safe.',
  example: ['> POST /items', '< 201 Created', '< {"id": 7}', '> GET /items/7', '< 404 Not Found'],
  traits: ['fields', 'statuses'],
  explains: [writeLost],
  // What rewrites texts does so with those of all records.
  sharedCause: ({ cause }) => cause,
  plan: [
    { at: 'counted', listing: planCreateAlone },
    { at: 'stories', all: planSequences },
  ],
  needs: ['creators', 'makers', 'shownFields', 'largestPages'],
  intents: ['valid'],
  actions: ['read', 'list'],
  covers: ['valid-accepted', 'status-documented', 'item-equals-entry'],
  mutants: [async () => (await import('./state-mutants.ts')).storeMutants],
  inspect(subject) {
    if (subject.case.intent.kind !== 'valid' || subject.earlier.length === 0) return undefined;
    const action = roleOf(subject.contract, subject.operation)?.action;
    if (action !== 'read' && action !== 'list') return undefined;
    const created = unchangedCreated(subject);
    if (created?.step.case.intent.kind !== 'valid') return undefined;
    const found = action === 'read' ? inspectRead(subject, created) : inspectList(subject, created);
    return found !== undefined && found.length > 0 && wasCreatedTwice(subject) ? undefined : found;
  },
});

function inspectRead(subject: CheckInput, created: EarlierRecord): Violation[] | undefined {
  const { resource, identifier } = created;
  const parameter = subject.operation.parameters.find(
    ({ name }) => name === resource.identifier.parameter,
  );
  const asked = parameter && subject.sent.arguments.get(parameter);
  const status = subject.exchange.response?.status ?? 0;
  if (!sameIdentifier(asked, identifier)) return undefined;
  if (status === 404 || status === 410) {
    if (contradictsPath(subject)) return undefined;
    const at = resource.operations.create?.pointer ?? subject.operation.pointer;
    return [lost(created, at, `reading it returned ${String(status)}`)];
  }
  return isSuccess(status) ? inspectShown(subject, created) : undefined;
}

function inspectShown(subject: CheckInput, created: EarlierRecord): Violation[] | undefined {
  const { resource, identifier } = created;
  const record = shownRecord(resource, subject.answer);
  if (record === undefined) return undefined;
  const own = record[resource.identifier.field];
  // `item-equals-entry` reports a read that returns another record.
  if (own !== undefined && !sameIdentifier(own, identifier)) return undefined;
  return [...compareWithSent(created, record), ...notKept(subject, created, record)];
}

function inspectList(subject: CheckInput, created: EarlierRecord): Violation[] | undefined {
  const page = pageOf(subject, subject);
  const field = created.resource.identifier.field;
  const entry = page?.records.find((record) => sameIdentifier(record[field], created.identifier));
  if (page !== undefined && entry !== undefined)
    return [...compareWithSent(created, entry), ...madeTwice(subject, created, page.records)];
  // `filter-holds` judges what a bound leaves out.
  const isBounded = page?.resource.list?.ranges.some(({ parameter }) =>
    subject.sent.arguments.has(parameter),
  );
  if (page === undefined || isBounded === true) return undefined;
  const { pointer: at } = subject.operation;
  const late = shownLate(subject, page);
  if (late !== undefined && !isExplained(subject, late, page)) {
    const how = 'the list after it does not have it, and a longer one later has';
    return [{ ...lost(late, at, how), cause: 'late', mayLag: true }];
  }
  if (!isAllThereIs(subject, page, subject) && !hasGrown(subject, created, page)) return undefined;
  if (isExplained(subject, created, page)) return undefined;
  const how = 'a complete list does not have it';
  return [{ ...lost(created, at, how), impliedBy: 'late', mayLag: true }];
}

/**
 * The record that an earlier step created, which the list right after it lacks and this one has:
 * as this one is longer, nothing cut the earlier one.
 */
function shownLate(
  subject: CheckInput,
  { records, resource }: ListPage,
): EarlierRecord | undefined {
  const { field } = resource.identifier;
  const isAsked = isSameRequestAs(subject);
  for (const [index, step] of subject.earlier.entries()) {
    const former = isAsked(step) ? pageOf(subject, step)?.records : undefined;
    if (former === undefined || former.length >= records.length) continue;
    // Only the last of several in a row: a replica may lag behind by some requests.
    const next = subject.earlier[index + 1];
    if (next === undefined || isAsked(next)) continue;
    const made = unchangedCreated({ ...subject, earlier: subject.earlier.slice(0, index) });
    const isIn = (list: readonly JsonObject[]): boolean =>
      list.some((record) => sameIdentifier(record[field], made?.identifier));
    if (made !== undefined && isIn(records) && !isIn(former)) return made;
  }
  return undefined;
}

/**
 * Another record with all values that were sent, under an identifier that no create of the run
 * returned. They include a text that only this run writes; where there is none, the list had
 * neither of the two right before the create.
 */
function madeTwice(
  subject: CheckInput,
  created: EarlierRecord,
  records: readonly JsonObject[],
): Violation[] {
  const { operation, knowledge } = subject;
  const { resource, step, identifier } = created;
  const { body } = step.sent;
  const { field } = resource.identifier;
  const schema = mediaOf(step.case)?.schema;
  if (schema === undefined || !isJsonObject(body)) return [];
  const marked = Object.keys(body).filter((name) => isMarked(body[name]));
  const came = marked.length > 0 ? undefined : newSince(subject, created);
  const isOwn = (record: JsonObject): boolean =>
    marked.some((name) => record[name] === body[name]) || came?.(record, body) === true;
  const [twin] = records.filter((record) => {
    const other = record[field];
    if (other === undefined || sameIdentifier(other, identifier) || !isOwn(record)) return false;
    return (
      !knowledge.creators.has(
        creatorKey(resource, other, { operation: step.case.operation, sent: step.sent }),
      ) && compareRecords(body, record, { schema, absent: 'fine', except: [field] }).length === 0
    );
  });
  if (twin === undefined) return [];
  const actual = `${field} ${showValue(identifier)} and ${field} ${showValue(twin[field])}`;
  return [
    {
      at: resource.operations.create?.pointer ?? operation.pointer,
      message: `One create made two records: the list has the same values under ${actual}.`,
      expected: 'one record',
      actual,
      cause: 'twice',
    },
  ];
}

/** The same list right before the create, if the subject shows it right after that. */
function pageBefore(subject: CheckInput, { step }: EarlierRecord): ListPage | undefined {
  const [before, last] = subject.earlier.slice(-2);
  return last === step && before !== undefined && isSameRequestAs(subject)(before)
    ? pageOf(subject, before)
    : undefined;
}

/** Whether a list that has no pages got longer by a create, so that the service does not cap it. */
function hasGrown(subject: CheckInput, created: EarlierRecord, { records }: ListPage): boolean {
  const before = isUnpaged(created.resource) ? pageBefore(subject, created) : undefined;
  return (
    before !== undefined &&
    before.records.length < records.length &&
    !countsMore(subject, records.length)
  );
}

/**
 * Whether a record of a list is new, and shows a member that was sent: the same request for the
 * list right before the create did not have it. Undefined if there was none.
 */
function newSince(
  subject: CheckInput,
  created: EarlierRecord,
): ((record: JsonObject, sent: JsonObject) => boolean) | undefined {
  const { resource } = created;
  const page = pageBefore(subject, created);
  if (page === undefined) return undefined;
  const { field } = resource.identifier;
  const known = new Set(page.records.map((record) => String(record[field])));
  return (record, sent) =>
    !known.has(String(record[field])) &&
    Object.entries(sent).some(([name, value]) => equalJson(record[name] ?? null, value));
}

/**
 * Other checks report a record that cannot be read either, or that was created with another value
 * than the filter of the list, be it one that nobody asked for.
 */
function isExplained(
  { contract, earlier, operation, sent }: CheckInput,
  { resource, step }: EarlierRecord,
  { records }: ListPage,
): boolean {
  const unreadable = earlier.some(
    (other) => roleOf(contract, other.case.operation)?.action === 'read' && !hasSuccess(other),
  );
  const answered = shownRecord(resource, step.answer);
  return (
    unreadable ||
    (resource.list?.filters ?? []).some(({ field, parameter }) => {
      const own = answered?.[field];
      if (own === undefined) return false;
      if (sent.arguments.has(parameter))
        return String(own) !== String(sent.arguments.get(parameter));
      // A list may leave out a state unless it is asked for: it shows others, and never this one,
      // or its text tells of the state.
      return (
        parameter.schema.flatten().node.enum !== undefined &&
        (records.length > 0 || tellsOf(operation, String(own))) &&
        records.every((one) => one[field] !== undefined && !equalJson(one[field], own))
      );
    })
  );
}

/**
 * A field that was sent and that neither the create nor the read shows, although the contract has
 * it. A field may be hidden, unless another record shows it; empty and invented values may be
 * omitted.
 */
function notKept(
  { knowledge }: CheckInput,
  { resource, step }: EarlierRecord,
  record: JsonObject,
): Violation[] {
  const { body } = step.sent;
  const answered = shownRecord(resource, step.answer);
  const { properties, required } = resource.record.flatten();
  if (!isJsonObject(body) || !isJsonObject(answered)) return [];
  const schema = mediaOf(step.case)?.schema;
  const alien = schema === undefined ? [] : alienMembers(schema, body);
  const missing = Object.keys(body).filter(
    (field) =>
      !alien.includes(field) &&
      body[field] !== null &&
      record[field] === undefined &&
      answered[field] === undefined &&
      !/password|secret|token|pin\b/i.test(field),
  );
  const shown = missing.filter((field) => {
    const place = properties.get(field);
    return (
      place !== undefined &&
      !isHidden(resource.record, place) &&
      !required.has(field) &&
      !cannotBeShown(shownForms(resource), field, body[field] ?? null)
    );
  });
  return shown.map((field) => ({
    at: properties.get(field)?.pointer ?? resource.record.pointer,
    message:
      `A record that was created with ${field} has no ${field}, neither in ` +
      'the response nor when it is read.',
    expected: `${field} is ${showValue(body[field])}, as it was sent`,
    actual: `no ${field}`,
    ...(isPlain(step) &&
    saysSomething(body[field]) &&
    knowledge.shownFields.has(shownFieldKey(resource, field))
      ? {}
      : { severity: 'warning' as const }),
    cause: 'not kept',
  }));
}

function isPlain({ case: { intent } }: Step): boolean {
  return intent.kind === 'valid' && intent.rigour === 'plain';
}

function lost({ resource, identifier }: EarlierRecord, at: Pointer, how: string): Violation {
  const { field } = resource.identifier;
  return {
    at,
    message: `The server confirmed the creation of a record, but ${how}.`,
    expected: `the record whose ${field} is ${showValue(identifier)}`,
    actual: how,
    cause: 'lost',
  };
}

/**
 * A list entry may omit fields; those that it shows must have the values that were sent.
 * `created-is-returned` reports differences in the response to the create.
 */
function compareWithSent({ resource, step }: EarlierRecord, record: JsonObject): Violation[] {
  const { body } = step.sent;
  const media = mediaOf(step.case);
  if (media?.schema === undefined || !isJsonObject(body)) return [];
  const comparison = {
    schema: media.schema,
    shown: shownForms(resource),
    absent: 'fine',
    except: [resource.identifier.field, ...namesInPath(step.case.operation)],
  } as const;
  const answered = shownRecord(resource, step.answer);
  const known = new Set(
    isJsonObject(answered)
      ? compareRecords(body, answered, comparison).map(({ field }) => field)
      : [],
  );
  return compareRecords(body, withKeysAsSent(resource, body, record), comparison)
    .filter(({ field }) => !known.has(field))
    .map(({ field, pointer, expected, got, rewritten }) => ({
      at: pointer,
      message:
        `A created record is read back with another ${field} than was sent: ` +
        `${showValue(got)} instead of ${showValue(expected)}.`,
      expected: `${field} is ${showValue(expected)}, as it was sent`,
      actual: `${field} is ${showValue(got)}`,
      ...(rewritten === true || isMovedToNow(expected, got, step)
        ? { severity: 'warning' as const, cause: 'rewritten' }
        : {}),
    }));
}

/** A service and its answer differ by less, in ms. */
const aMoment = 120_000;

/** Whether a service replaced a moment in the past by the present, such as the start of a silence. */
function isMovedToNow(
  expected: JsonValue | undefined,
  got: JsonValue | undefined,
  { exchange: { response } }: Step,
): boolean {
  const now = Date.parse(headerValue(response?.headers ?? [], 'date') ?? '');
  if (typeof expected !== 'string' || typeof got !== 'string') return false;
  return Date.parse(expected) < now && Math.abs(Date.parse(got) - now) < aMoment;
}

/** How often the first list is repeated: a replica may lag behind by some requests. */
const patience = 3;

/**
 * Two creates, each with the list after it, while nothing else of the run writes: only then is the
 * record the newest one that the list has, and the second list shows whether the first was cut.
 * Lists with pages are walked beside a create anyway.
 */
function planCreateAlone(listing: Listing, context: PlanContext): Sequence[] {
  const create = creationOf(context, listing.resource);
  if (create === undefined || listing.shape.paging.length > 0) return [];
  const query = [...widestPage(listing), ...newestFirst(listing)];
  const look = (title: string): Case => askList(listing, { title, query });
  const again = Array.from({ length: patience }, () =>
    look('the list is asked for again, with nothing done in between'),
  );
  return [
    makeSequence(
      createStep(context, create, 'a record is created on its own'),
      look('the list is asked for after a record was created'),
      ...again,
      createStep(context, create, 'another record is created on its own'),
      look('the list is asked for after another record was created'),
    ),
  ];
}
