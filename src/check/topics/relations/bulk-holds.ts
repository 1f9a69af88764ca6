import { planBulk } from './plan-bulk.ts';
import { isSuccess } from '../../../http/status.ts';
import { isJsonArray, isJsonObject, type JsonObject } from '../../../json/value.ts';
import { jsonOf } from '../../reading/read-answer.ts';
import { requestPhrase, showValue } from '../../model/phrases.ts';
import { listedRecords } from '../../reading/shown-records.ts';
import { notRefused, type Related, type RelationFault } from '../../reading/related.ts';
import { isMarked } from '../../reading/without-others.ts';
import { type Step, roleOf } from '../../model/step.ts';
import { check } from '../check.ts';

/** A bulk create makes each of its records, in their order, or none. */
export const bulkHolds = check({
  id: 'bulk-holds',
  basis: 'contract',
  severity: 'error',
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
  confirm: 'again',
  plan: [{ at: 'stories', all: planBulk }],
  intents: ['relation'],
  mutants: [async () => (await import('./bulk-mutants.ts')).bulkMutants],
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
  return Object.values(record).some((value) => typeof value === 'string' && own.includes(value));
}

/** The answer of the bulk create itself, or a list after it. */
function notAllMade(related: Related): RelationFault[] | undefined {
  const { subject, status } = related;
  const bulk = subject.case.request.body === undefined ? subject.earlier.at(-1) : subject;
  if (bulk === undefined || !isSuccess(status)) return undefined;
  if (!isSuccess(bulk.exchange.response?.status ?? 0)) return undefined;
  const entries = entriesOf(bulk);
  const records = bulk === subject ? answered(subject) : listed(related);
  const texts = entries.map((entry) => ownTexts(entry, entries));
  if (records === undefined || texts.some((own) => own.length === 0)) return undefined;
  const places = texts.map((own) => records.findIndex((record) => shows(record, own)));
  const missing = places.indexOf(-1);
  return missing === -1 ? [] : [missingEntry(related, bulk, missing)];
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
  return lists.find((value) => value !== undefined && isJsonArray(value)) as
    readonly JsonObject[] | undefined;
}

function listed({ subject }: Related): readonly JsonObject[] | undefined {
  const role = roleOf(subject.contract, subject.operation);
  const records = role && listedRecords(role.resource, subject.answer);
  const limit = role?.resource.list?.limit;
  const most = limit && subject.sent.arguments.get(limit.parameter);
  // A page that is full may leave the records out.
  return records !== undefined && (typeof most !== 'number' || records.length < most)
    ? records
    : undefined;
}

/** Entries of a refused bulk create in the list after it. */
function someMade({ subject, status }: Related): RelationFault[] | undefined {
  const bulk = subject.earlier.at(-1);
  const role = roleOf(subject.contract, subject.operation);
  const records = role && listedRecords(role.resource, subject.answer);
  if (!isSuccess(status) || bulk === undefined || records === undefined) return undefined;
  if (isSuccess(bulk.exchange.response?.status ?? 0)) return undefined;
  const entries = entriesOf(bulk);
  const made = entries
    .map((entry) => tellingTexts(ownTexts(entry, entries)))
    .find((own) => records.some((record) => shows(record, own)));
  if (made === undefined) return [];
  return [
    {
      message:
        `The server refused ${requestPhrase(bulk.case)}, and made a record of it: ` +
        `${showValue(made[0])}.`,
      expected: 'no record',
      actual: 'a record',
      operation: bulk.case.operation,
      at: bulk.case.operation.pointer,
    },
  ];
}
