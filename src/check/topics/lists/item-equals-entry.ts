import { type Operation, type Resource, shownValues } from '../../../contract/model.ts';
import { equalJson } from '../../../json/equal-json.ts';
import type { JsonObject, JsonValue } from '../../../json/value.ts';
import { defined, isJsonObject, membersWhere } from '../../../json/value.ts';
import { pageOf, sameIdentifier } from '../../reading/list-page.ts';
import { hasSuccess, roleOf, showValue, type Step } from '../../model/step.ts';
import { compareRecords } from '../../reading/compare-records.ts';
import { shownRecord } from '../../reading/shown-records.ts';
import type { CheckInput, Violation, Violations } from '../../model/knowledge.ts';
import { check } from '../check.ts';
import { joinPointer, type Pointer } from '../../../json/pointer.ts';
import { boundaryCandidates } from '../../../values/boundary-values.ts';
import { judgedValues } from '../../../values/candidate-value.ts';
import { type Case, makeSequence, type Sequence } from '../../model/case.ts';
import type { DraftBody } from '../../plan/draft.ts';
import { markedBody } from '../../plan/mark-body.ts';
import { overlayOnExample } from '../../plan/body-values.ts';
import type { DraftWithBody } from '../../plan/make-create.ts';
import { bodyDraftFor, createStep, createWith, creationOf } from '../../plan/make-create.ts';
import { draftCase, draftFor, type PlanContext } from '../../plan/plan-context.ts';
import { showingOf } from '../../plan/change-step.ts';
import { fullBody } from '../../plan/full-body.ts';
import { planFalsyAndInt64Values } from './falsy-and-int64-values.ts';
import {
  askList,
  furtherPages,
  listingsOf,
  narrowing,
  newestFirst,
  widestPage,
} from '../../plan/listing.ts';

/** A read by identifier returns that record, with the values that the list shows. */
export const itemEqualsEntry = check({
  id: 'item-equals-entry',
  basis: 'inferred',
  harm: 'results',
  rule:
    'A record that is read by its identifier has that identifier, and the values that the ' +
    'list shows before and after.',
  reason: 'A detail page must show the record that the user selected.',
  example: [
    '> GET /items',
    '< [{"id": 7, "name": "one"}]',
    '> GET /items/7',
    '< {"id": 7, "name": "another"}',
  ],
  traits: ['fields'],
  plan: [{ at: 'stories', resource: planChanges }],
  intents: ['valid'],
  actions: ['read', 'list'],
  mutants: [async () => (await import('./list-mutants.ts')).entryMutants],
  inspect(subject) {
    const item = itemOf(subject, subject);
    return item === undefined ? inspectBracket(subject) : inspectItem(item);
  },
});

/** A record, and the identifier in the request. */
interface Item {
  readonly operation: Operation;
  readonly resource: Resource;
  readonly asked: JsonValue;
  readonly record: JsonObject;
}

function itemOf({ contract }: Pick<CheckInput, 'contract'>, step: Step): Item | undefined {
  const role = roleOf(contract, step.case.operation);
  if (role?.action !== 'read' || step.case.intent.kind !== 'valid' || !hasSuccess(step))
    return undefined;
  const parameter = step.case.operation.parameters.find(
    ({ name }) => name === role.resource.identifier.parameter,
  );
  const asked = parameter && step.sent.arguments.get(parameter);
  const record = shownRecord(role.resource, step.answer);
  // A version of a record has the name of the record, which stands before its own in the path.
  const isOfAbove = step.case.operation.parameters.some(
    (one) =>
      one.in === 'path' &&
      one !== parameter &&
      sameIdentifier(record?.[role.resource.identifier.field], step.sent.arguments.get(one)),
  );
  return asked === undefined || record === undefined || isOfAbove
    ? undefined
    : { operation: step.case.operation, resource: role.resource, asked, record };
}

/** Whether the document shows a record under a name that it does not have there, as an example. */
function isShownByDocument({ operation, resource, asked, record }: Item): boolean {
  const { field, parameter } = resource.identifier;
  const named = operation.parameters.find(({ name }) => name === parameter);
  const shown = operation.responses.flatMap(({ content }) =>
    content.flatMap(({ examples }) => examples.map(({ value }) => value)),
  );
  return (
    named !== undefined &&
    shownValues(named).some((value) => sameIdentifier(value, asked)) &&
    shown.some(
      (value) => isJsonObject(value) && equalJson(value[field] ?? null, record[field] ?? null),
    )
  );
}

function inspectItem(item: Item): Violations {
  const { resource, asked, record } = item;
  const { field } = resource.identifier;
  const own = record[field];
  const property = resource.record.flatten().properties.get(field);
  if (
    own === undefined ||
    property === undefined ||
    sameIdentifier(own, asked) ||
    isShownByDocument(item) ||
    resource.record.part(property).validate(own, 'response').length > 0
  )
    return [];
  return {
    at: property.pointer,
    message:
      `Reading ${field} ${String(asked)} returned the record whose ${field} is ` +
      `${showValue(own)}.`,
    expected: `${field} is ${showValue(asked)}`,
    actual: `${field} is ${showValue(own)}`,
  };
}

/**
 * A read between two lists: an entry that differs between them may have been changed by another
 * client.
 */
function inspectBracket(subject: CheckInput): Violations {
  const after = subject.earlier.length < 2 ? undefined : pageOf(subject, subject);
  if (after === undefined) return undefined;
  const [listed, read] = [subject.earlier.at(-2), subject.earlier.at(-1)];
  const before = listed && pageOf(subject, listed);
  const item = read && itemOf(subject, read);
  if (before === undefined || item === undefined) return undefined;
  const { field } = item.resource.identifier;
  const [entry, again] = [before, after].map(({ records }) =>
    records.find((record) => sameIdentifier(record[field], item.asked)),
  );
  if (
    entry === undefined ||
    again === undefined ||
    !equalJson(entry, again) ||
    !sameIdentifier(item.record[field], item.asked)
  )
    return undefined;
  return compareItem(item, entry);
}

function compareItem({ resource, record }: Item, entry: JsonObject): Violation[] {
  const differences = compareRecords(entry, record, {
    schema: resource.record,
    absent: 'fine',
    except: [resource.identifier.field],
  });
  return differences.map(({ field, pointer, expected, got }) => ({
    at: pointer,
    message:
      `A record has another ${field} when it is read than in the list: ` +
      `${showValue(got)} instead of ${showValue(expected)}.`,
    expected: `${field} is ${showValue(expected)}, as in the list before and after`,
    actual: `${field} is ${showValue(got)}`,
    // A list may shorten or translate values.
    ...(typeof expected === 'string' ? { severity: 'warning' } : {}),
  }));
}

/**
 * What happens to the parts of a record that a request does not send: fields that an update or a
 * replacement leaves out, and the whole record after a deletion.
 */
function planChanges(context: PlanContext, resource: Resource): Sequence[] {
  const create = creationOf(context, resource);
  if (create === undefined) return [];
  return [
    ...updateOneField(context, resource, create),
    ...replaceByLess(context, resource, create),
    ...planFalsyAndInt64Values(context, resource, create),
    ...deleteAndList(context, resource, create),
  ];
}

/** A record with every optional field, updated in one field, and read. */
function updateOneField(
  context: PlanContext,
  resource: Resource,
  create: DraftWithBody,
): Sequence[] {
  const update = bodyDraftFor(context, resource, 'update');
  const read = draftFor(context, resource, 'read');
  const full = fullestValue(create.body);
  const change = update && isJsonObject(full) ? oneField(update.body, full) : undefined;
  if (update === undefined || read === undefined || change === undefined) return [];
  const name = Object.keys(change)[0] ?? 'field';
  return [
    makeSequence(
      createWith(context, create, {
        title: 'a record is created to be updated in one field',
        value: full,
      }),
      draftCase(read, { title: 'the created record is read' }),
      changeTo(context, update, {
        title: `the created record gets another ${name}, and nothing else`,
        value: change,
        at: joinPointer('', name),
      }),
      draftCase(read, { title: 'the record is read after one field was updated' }),
    ),
  ];
}

/** A record with every optional field, replaced by its required ones, and read. */
function replaceByLess(
  context: PlanContext,
  resource: Resource,
  create: DraftWithBody,
): Sequence[] {
  const replace = bodyDraftFor(context, resource, 'replace');
  const show = showingOf(context, resource);
  const full = fullestValue(create.body);
  const bare = replace && isJsonObject(full) ? requiredFields(replace.body, full) : undefined;
  if (replace === undefined || show === undefined || bare === undefined) return [];
  return [
    makeSequence(
      createWith(context, create, {
        title: 'a record is created to be replaced by less',
        value: full,
      }),
      show('the created record is read'),
      changeTo(context, replace, {
        title: 'the created record is replaced by its required fields alone',
        value: bare,
        rigour: 'exotic',
      }),
      show('the record is read after it was replaced by less'),
    ),
  ];
}

/** A record that is created, deleted, and looked for in the list. */
function deleteAndList(
  context: PlanContext,
  resource: Resource,
  create: DraftWithBody,
): Sequence[] {
  const remove = draftFor(context, resource, 'delete');
  const read = draftFor(context, resource, 'read');
  const listing = listingsOf(context).find((candidate) => candidate.resource === resource);
  if (remove === undefined || listing === undefined) return [];
  const near = [...newestFirst(listing), ...narrowing(listing, [create.body.value])];
  const query = [...widestPage(listing), ...near];
  return [
    makeSequence(
      createStep(context, create, 'a record is created to be deleted'),
      ...(read === undefined ? [] : [draftCase(read, { title: 'the created record is read' })]),
      draftCase(remove, { title: 'the created record is deleted' }),
      askList(listing, { title: 'the deleted record is looked for in the list', query }),
      // An order or a filter that shows new records makes them stand on the first page.
      ...(near.length === 0
        ? furtherPages(listing, query, 'the deleted record is looked for')
        : []),
    ),
  ];
}

interface Change {
  readonly title: string;
  readonly value: JsonValue;
  /** The member that is tested, which keeps its value. */
  readonly at?: Pointer;
  /** That of what is less than a plain request. */
  readonly rigour?: 'exotic';
}

/** A change after which the record still bears the mark of the run, so that it can be deleted. */
function changeTo(
  { runId }: PlanContext,
  draft: DraftWithBody,
  { title, value, at, rigour }: Change,
): Case {
  const label = `${draft.operation.id} ${title}`;
  const body = markedBody(draft.body, value, { runId, label, at });
  const intent = rigour && { kind: 'valid' as const, rigour, at: '' };
  return draftCase(draft, { title, body, ...defined({ intent }) });
}

/** The plain body with every optional field. */
function fullestValue(body: DraftBody): JsonValue {
  return isJsonObject(body.value) ? fullBody(body) : body.value;
}

/**
 * One field of a record with another value, and what the schema requires beside it; undefined if
 * there is none.
 */
function oneField(body: DraftBody, full: JsonObject): JsonObject | undefined {
  const { schema, value, namedBy } = body;
  if (schema === undefined || !isJsonObject(value)) return undefined;
  const { required } = schema.flatten();
  // The name that the body repeats from the path stays.
  const named = namedBy === undefined ? undefined : body.identifier?.[0];
  const beside = membersWhere(value, (name) => required.has(name));
  for (const edge of judgedValues(boundaryCandidates(schema, 'request'))) {
    const { value: moved } = overlayOnExample(edge, body);
    for (const [name, member] of isJsonObject(moved) ? Object.entries(moved) : []) {
      const isNew =
        !required.has(name) &&
        name !== named &&
        Object.hasOwn(full, name) &&
        member !== null &&
        member !== '' &&
        !equalJson(member, full[name] ?? null);
      const change = { [name]: member, ...beside };
      if (isNew && schema.accepts(change, 'request')) return change;
    }
  }
  return undefined;
}

/** The required fields of a record; undefined if it has no others, or the schema rejects them. */
function requiredFields({ schema, value }: DraftBody, full: JsonObject): JsonObject | undefined {
  if (schema === undefined || !isJsonObject(value)) return undefined;
  const names = schema.flatten().required;
  const all = Object.entries({ ...value, ...full });
  const bare = Object.fromEntries(all.filter(([name]) => names.has(name)));
  return Object.keys(bare).length < Object.keys(full).length && schema.accepts(bare, 'request')
    ? bare
    : undefined;
}
