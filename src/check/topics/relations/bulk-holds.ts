import { bulkCreates, planBulk, isAtomic } from './plan-bulk.ts';
import { type HttpRequest, isRefusal, isSuccess } from '../../../http/message.ts';
import { isJsonArray, isJsonObject, type JsonObject, type JsonArray } from '../../../json/value.ts';
import { jsonOf } from '../../reading/read-answer.ts';
import { hasSuccess, requestPhrase, showValue, type Step } from '../../model/step.ts';
import { listedRecords } from '../../reading/shown-records.ts';
import {
  notRefused,
  type Related,
  type RelationFault,
  type RelationFaults,
} from '../../reading/related.ts';
import { isMarked } from '../../reading/without-others.ts';
import { check } from '../check.ts';
import type { Batch, Contract } from '../../../contract/model.ts';
import { splitPointer } from '../../../json/pointer.ts';
import { editJson } from '../../mutants/edit-service.ts';
import { mutantsOf, type Place } from '../../mutants/kind.ts';
import type { Mutator, Plant } from '../../mutants/mutant.ts';
import { editAt } from '../../mutants/places.ts';

/** A bulk create makes each of its records, in their order, or none. */
export const bulkHolds = check({
  id: 'bulk-holds',
  basis: 'contract',
  harm: 'data',
  rule:
    'A bulk create that succeeds makes each of its records, in the order of the request; one ' +
    'that is documented as all or nothing makes none if an entry is refused.',
  reason: 'A client that repeats a request which was half done makes records twice.',
  example: [
    '> POST /items/bulk',
    '> [{"name": "one"}, {"name": "two"}]',
    '< 201 Created',
    '< [{"id": 7, "name": "one"}]',
  ],
  plan: [{ at: 'stories', all: planBulk }],
  mutants: [() => bulkMutants],
  leavesOpen: ({ case: { intent } }) =>
    intent.kind === 'relation' && intent.rule === 'bulk-refused',
  relations: {
    'bulk-refused': notRefused,
    'all-made': notAllMade,
    'none-made': someMade,
  },
});

/** The records in a body that holds a list of entries: each is one, or has one as a member. */
function entriesOf({ sent: { body } }: Pick<Step, 'sent'>): JsonObject[] {
  const lists = isJsonObject(body) ? Object.values(body) : [body];
  const list = lists.find(isJsonArray);
  return (list ?? [])
    .filter(isJsonObject)
    .map((entry) => Object.values(entry).find(isJsonObject) ?? entry);
}

/** The texts of an entry that no other entry has: the marks of the run, and its codes. */
function ownTexts(entry: JsonObject, entries: readonly JsonObject[]): string[] {
  const others = new Set(entries.filter((one) => one !== entry).flatMap(textsIn));
  return textsIn(entry).filter((text) => text.length > 3 && !others.has(text));
}

function textsIn(entry: JsonObject): string[] {
  return Object.values(entry).filter((value) => typeof value === 'string');
}

/** The marks of the run among texts; all of them if there is none: a date is another record's too. */
function tellingTexts(own: readonly string[]): readonly string[] {
  const marked = own.filter((text) => isMarked(text));
  return marked.length > 0 ? marked : own;
}

/** Whether a record shows a text that only one entry has. */
function shows(record: JsonObject, own: readonly string[]): boolean {
  const values = Object.values(record).flatMap((value) =>
    isJsonObject(value) ? Object.values(value) : [value],
  );
  return values.some((value) => typeof value === 'string' && own.includes(value));
}

/** The answer of the bulk create itself, or a list after it. */
function notAllMade(related: Related): RelationFaults {
  const { subject, status } = related;
  const bulk = subject.case.request.body === undefined ? subject.earlier.at(-1) : subject;
  if (bulk === undefined || !isSuccess(status)) return undefined;
  if (!hasSuccess(bulk)) return undefined;
  const entries = entriesOf(bulk);
  const records = bulk === subject ? answered(subject) : listed(related);
  const texts = entries.map((entry) => ownTexts(entry, entries));
  if (records === undefined || texts.some((own) => own.length === 0)) return undefined;
  const places = texts.map((own) => records.findIndex((record) => shows(record, own)));
  const missing = places.indexOf(-1);
  return missing === -1 ? [] : missingEntry(related, bulk, missing);
}

function missingEntry({ subject }: Related, bulk: Step, place: number): RelationFault {
  const entries = entriesOf(bulk);
  const where = bulk === subject ? 'the response' : subject.case.title;
  return {
    message:
      entries.length === 1
        ? `The only entry of ${bulk.case.title} is missing in ${where}.`
        : `Of ${String(entries.length)} entries of ${bulk.case.title}, ` +
          `number ${String(place + 1)} is missing in ${where}.`,
    expected: 'each entry of the request',
    actual: `not ${showValue(ownTexts(entries[place] ?? {}, entries)[0])}`,
    cause: 'missing',
  };
}

function answered({ answer }: Step): readonly JsonObject[] | undefined {
  const body = jsonOf(answer);
  const lists = isJsonObject(body) ? Object.values(body) : [body];
  return lists.find((value) => isJsonArray(value)) as readonly JsonObject[] | undefined;
}

function listed({ subject, resource }: Related): readonly JsonObject[] | undefined {
  const records = resource && listedRecords(resource, subject.answer);
  const limit = resource?.list?.limit;
  const most = limit && subject.sent.arguments.get(limit.parameter);
  // A page that is full may leave the records out.
  return records !== undefined && (typeof most !== 'number' || records.length < most)
    ? records
    : undefined;
}

/** Entries of a refused bulk create in the list after it. */
function someMade({ subject, resource, status }: Related): RelationFaults {
  const bulk = subject.earlier.at(-1);
  const records = resource && listedRecords(resource, subject.answer);
  if (!isSuccess(status) || bulk === undefined || records === undefined) return undefined;
  if (hasSuccess(bulk)) return undefined;
  const entries = entriesOf(bulk);
  const made = entries
    .map((entry) => tellingTexts(ownTexts(entry, entries)))
    .find((own) => records.some((record) => shows(record, own)));
  if (made === undefined) return [];
  return {
    message:
      `The server refused ${requestPhrase(bulk.case)}, and made a record of it: ` +
      `${showValue(made[0])}.`,
    expected: 'no record',
    actual: 'a record',
    operation: bulk.case.operation,
    at: bulk.case.operation.pointer,
  };
}

const mutant = mutantsOf('state');

interface BulkPlace extends Place {
  readonly batch: Batch;
}

/** The operations that create several records of a collection that a list shows. */
function bulks(contract: Contract): BulkPlace[] {
  return bulkCreates(contract).flatMap((batch) =>
    (batch.shows ?? batch.resource.operations.list) === undefined
      ? []
      : [{ operation: batch.operation, batch }],
  );
}

/** The request with other entries; undefined if it has fewer than two. */
function withEntries(
  request: HttpRequest,
  { records }: Batch,
  edit: (entries: JsonArray) => JsonArray,
): HttpRequest | undefined {
  return editJson(request, (body) =>
    editAt(body, splitPointer(records), (entries) =>
      isJsonArray(entries) && entries.length > 1 ? edit(entries) : undefined,
    ),
  );
}

/** Makes the first of the entries whose request is refused, and refuses the request still. */
function makingFirst({ batch, operation }: BulkPlace): Plant {
  return (service, fired) => async (request) => {
    const reply = await service.respond(request);
    const isRefused = isRefusal(reply.response?.status ?? 0);
    const first = isRefused
      ? withEntries(request, batch, (entries) => entries.slice(0, 1))
      : undefined;
    if (first === undefined || service.operationOf(request) !== operation) return reply;
    const { response } = await service.respond(first);
    if (!isRefusal(response?.status ?? 0)) fired();
    return reply;
  };
}

/** Mutations of requests that create several records. */
const bulkMutants: readonly Mutator[] = [
  mutant('forgets-last-entry', {
    rule: 'A request that creates several records makes all but the last.',
    where: bulks,
    says: 'makes all of its records but the last',
    request: (request, { batch }) => withEntries(request, batch, (entries) => entries.slice(0, -1)),
  }),
  mutant('makes-half', {
    rule: 'A request that creates several records, or none, is refused and makes some of them.',
    where: (contract) => bulks(contract).filter(({ operation }) => isAtomic(contract, operation)),
    says: 'is refused and makes the first of its records',
    act: makingFirst,
  }),
];
