import { otherParts } from './part-counts.ts';
import { planPartCounts } from './plan-part-counts.ts';
import { planShownTwice } from './plan-shown-twice.ts';
import { isSuccess } from '../../../http/status.ts';
import { equalJson } from '../../../json/equal-json.ts';
import { isJsonObject, type JsonObject, type JsonValue, scalarTexts } from '../../../json/value.ts';
import { sameIdentifier } from '../../reading/list-page.ts';
import { requestPhrase, showValue } from '../../model/phrases.ts';
import { singleValues } from '../../reading/compare-records.ts';
import { shownRecord } from '../../reading/shown-records.ts';
import { madeIdentifier, type Related, type RelationFault } from '../../reading/related.ts';
import type { CheckInput } from '../../model/knowledge.ts';
import { roleOf, type Step } from '../../model/step.ts';
import { check } from '../check.ts';

/** What a record shows of others agrees with them. */
export const shownTwiceAgrees = check({
  id: 'shown-twice-agrees',
  basis: 'inferred',
  severity: 'error',
  harm: 'results',
  rule:
    'A count is that of the records that it counts, an embedded record has the values of the one ' +
    'that it shows, and an address in a record leads to what it names.',
  reason:
    'A client that reads a number, a name or an address in one place and finds another one ' +
    'elsewhere cannot know which of them is true.',
  example: [
    '> GET /boxes/1',
    '< {"id": 1, "itemCount": 2}',
    '> POST /boxes/1/items',
    '< 201 Created',
    '> GET /boxes/1',
    '< {"id": 1, "itemCount": 2}',
  ],
  explains: [
    {
      findings: ['http-semantics'],
      leads: ({ cause }) => cause === 'leads-to Location',
      explains: ({ lastWrite }, other) =>
        other.operation === lastWrite && other.cause === 'Location of another',
    },
  ],
  confirm: 'again',
  plan: [
    { at: 'stories', all: planShownTwice },
    { at: 'stories', all: planPartCounts },
  ],
  intents: ['relation'],
  mutants: [
    async () => (await import('./count-mutants.ts')).countMutants,
    async () => (await import('./link-mutants.ts')).linkMutants,
  ],
  covers: ['status-documented', 'body-matches-schema', 'content-type-documented'],
  relations: {
    count: otherCount,
    'part-counts': otherParts,
    copy: otherCopy,
    names: namesAnother,
    leads: leadsNowhere,
    'leads-to': leadsElsewhere,
    'shown-link': noLink,
  },
});

/** The record that a step shows. */
function recordIn({ contract }: CheckInput, step: Step): JsonObject | undefined {
  const role = roleOf(contract, step.case.operation);
  return role && isSuccess(step.exchange.response?.status ?? 0)
    ? shownRecord(role.resource, step.answer)
    : undefined;
}

function fieldIn(subject: CheckInput, step: Step, field: string): JsonValue | undefined {
  const record = recordIn(subject, step);
  return record && singleValues(record, field)[0];
}

function otherCount({ subject, intent, of: [before] }: Related): RelationFault[] | undefined {
  const { field = '', by = 0 } = intent;
  const base = before && fieldIn(subject, before, field);
  const got = fieldIn(subject, subject, field);
  if (typeof base !== 'number' || typeof got !== 'number') return undefined;
  const expected = base + by;
  if (got === expected) return [];
  const { title } = subject.case;
  return [
    {
      message: `In ${title}, ${field} is ${String(got)} instead of ${String(expected)}.`,
      expected: `${field} is ${String(expected)}`,
      actual: `${field} is ${String(got)}`,
    },
  ];
}

/** Fields of an embedded record that have other values than the record itself. */
function otherCopy({ subject, intent, of: [shown] }: Related): RelationFault[] | undefined {
  const { field = '' } = intent;
  const [original, copy] = [shown && recordIn(subject, shown), recordIn(subject, subject)?.[field]];
  if (shown === undefined || original === undefined || !isJsonObject(copy)) return undefined;
  const key = roleOf(subject.contract, shown.case.operation)?.resource.identifier.field ?? '';
  const id = original[key];
  // A service embeds what it chose itself where no request names the record.
  if (id !== undefined && !isNamed(subject, id) && !sameIdentifier(copy[key], id)) return undefined;
  const name = Object.keys(copy).find(
    (one) => Object.hasOwn(original, one) && !equalJson(copy[one] ?? null, original[one] ?? null),
  );
  if (name === undefined) return [];
  const [got, expected] = [showValue(copy[name]), showValue(original[name])];
  return [
    {
      message: `In ${subject.case.title}, ${field}.${name} is ${got}; the record has ${expected}.`,
      expected: `${field}.${name} is ${expected}`,
      actual: `${field}.${name} is ${got}`,
    },
  ];
}

/** Whether a change of the sequence named a record in its path, its query or its body. */
function isNamed({ earlier }: CheckInput, id: JsonValue): boolean {
  return earlier.some(
    ({ case: { operation }, sent }) =>
      operation.method !== 'GET' &&
      scalarTexts([...sent.arguments.values(), sent.body ?? null]).includes(String(id)),
  );
}

/** A field that names another record than the one for which this one was created. */
function namesAnother({ subject, intent, of: [parent] }: Related): RelationFault[] | undefined {
  const { field = '' } = intent;
  const expected = parent && madeIdentifier(subject, parent);
  const got = fieldIn(subject, subject, field);
  if (expected === undefined || got === undefined) return undefined;
  if (sameIdentifier(got, expected)) return [];
  return [
    {
      message:
        `The ${field} of a record is ${showValue(got)}; it was created for ` +
        `${showValue(expected)}.`,
      expected: `${field} is ${showValue(expected)}`,
      actual: `${field} is ${showValue(got)}`,
    },
  ];
}

function leadsNowhere({ subject, intent, status }: Related): RelationFault[] | undefined {
  if (isSuccess(status)) return [];
  if ([401, 403, 429].includes(status)) return undefined;
  return [
    {
      message: `The server answered ${String(status)} to ${requestPhrase(subject.case)}.`,
      expected: `${intent.field ?? 'the address'} leads to what it names`,
      actual: String(status),
    },
  ];
}

function leadsElsewhere(related: Related): readonly RelationFault[] | undefined {
  const { subject, intent, of, status } = related;
  const [created, read] = of;
  // `http-semantics` reports a Location on another path than that of the contract.
  if (intent.field === 'Location' && !isOnPathOf(read, subject)) return undefined;
  const nowhere = leadsNowhere(related);
  if (nowhere === undefined || nowhere.length > 0) return nowhere;
  const role = roleOf(subject.contract, subject.operation);
  const expected = created && madeIdentifier(subject, created);
  if (!isSuccess(status) || role === undefined || expected === undefined) return undefined;
  const { field: name } = role.resource.identifier;
  // `item-equals-entry` reports a path that leads to another record.
  if (readsAnother(related, name, expected)) return undefined;
  const got = shownRecord(role.resource, subject.answer)?.[name];
  if (sameIdentifier(got, expected)) return [];
  const other = got === undefined ? 'something else' : `the record ${showValue(got)}`;
  return [
    {
      message: `The ${intent.field ?? ''} of the record ${showValue(expected)} leads to ${other}.`,
      expected: `the record ${showValue(expected)}`,
      actual: showValue(got),
    },
  ];
}

function readsAnother(
  { subject, of: [, read] }: Related,
  name: string,
  expected: JsonValue,
): boolean {
  const own = read && recordIn(subject, read)?.[name];
  return own !== undefined && !sameIdentifier(own, expected);
}

/** Whether a step is a read on the path of another one, for any record. */
function isOnPathOf(read: Step | undefined, { exchange: { request } }: CheckInput): boolean {
  const before = (target: string): string => target.replace(/[^/]*$/, '');
  return read !== undefined && before(read.exchange.request.target) === before(request.target);
}

/** An address that is empty although there is what it leads to. */
function noLink({ subject, intent, of }: Related): RelationFault[] | undefined {
  const { field = '' } = intent;
  const record = recordIn(subject, subject);
  if (record === undefined || !Object.hasOwn(record, field)) return undefined;
  if (record[field] !== null) return [];
  return [
    {
      message: `The ${field} of a record is null after ${of.at(-1)?.case.title ?? 'that'}.`,
      expected: 'an address',
      actual: 'null',
    },
  ];
}
