import { planPeriods } from './plan-periods.ts';
import { isSuccess } from '../../../http/status.ts';
import { isJsonArray, isJsonObject, type JsonValue } from '../../../json/value.ts';
import { jsonOf } from '../../reading/read-answer.ts';
import { sameIdentifier } from '../../reading/list-page.ts';
import { requestPhrase, showValue } from '../../model/phrases.ts';
import { shownRecord, listedRecords } from '../../reading/shown-records.ts';
import {
  madeIdentifier,
  notRefused,
  type Related,
  type RelationFault,
} from '../../reading/related.ts';
import { roleOf } from '../../model/step.ts';
import { check } from '../check.ts';

/** Periods do not overlap, are repeated as they say, and make busy what they take. */
export const periodsHold = check({
  id: 'periods-hold',
  basis: 'contract',
  severity: 'error',
  rule:
    'Where a conflict of periods is documented, one that overlaps is refused and one that does ' +
    'not is taken; repetitions have their number and distance, and what is taken is not free.',
  reason: 'Two bookings of one room at the same time are found when both parties are there.',
  example: [
    '> POST /bookings',
    '> {"roomId": 7, "start": "2027-05-04T09:00:00Z", "end": "2027-05-04T10:00:00Z"}',
    '< 201 Created',
    '> POST /bookings   (the same room and time)',
    '< 201 Created',
  ],
  confirm: 'again',
  plan: [{ at: 'stories', all: planPeriods }],
  intents: ['relation'],
  covers: ['status-documented'],
  leavesOpen: ({ case: { intent } }) => intent.kind === 'relation' && intent.rule === 'conflicts',
  relations: {
    conflicts: notConflicting,
    fits: notTaken,
    busy: shownFree,
    free: notShownFree,
    occurrences: otherRepetitions,
  },
});

/** A period that was taken before is refused, with the status in the intent if it has one. */
function notConflicting(related: Related): readonly RelationFault[] {
  const { subject, intent, status } = related;
  const { field: wanted = String(status) } = intent;
  if (isSuccess(status) || [401, 403].includes(status) || String(status) === wanted)
    return notRefused(related);
  return [
    {
      message:
        `The server answered ${String(status)} to ${requestPhrase(subject.case)}; the contract ` +
        `documents ${wanted} for a conflict.`,
      expected: wanted,
      actual: String(status),
      momentary: true,
    },
  ];
}

function notTaken({ subject, status }: Related): RelationFault[] | undefined {
  if (isSuccess(status)) return [];
  if ([401, 403].includes(status)) return undefined;
  return [
    {
      message: `The server answered ${String(status)} to ${requestPhrase(subject.case)}.`,
      expected: 'a success',
      actual: String(status),
      momentary: true,
    },
  ];
}

/** Whether the owner is shown as free; undefined if the response cannot tell. */
function isShown({ subject, of: [owner], status }: Related): boolean | undefined {
  const role = roleOf(subject.contract, subject.operation);
  const records = role && listedRecords(role.resource, subject.answer);
  const id = owner && madeIdentifier(subject, owner);
  if (!isSuccess(status) || role === undefined || records === undefined || id === undefined)
    return undefined;
  return records.some((record) => sameIdentifier(record[role.resource.identifier.field], id));
}

function shownFree(related: Related): RelationFault[] | undefined {
  const shown = isShown(related);
  return shown === undefined ? undefined : shown ? [unlike(related, 'a record', 'none')] : [];
}

function notShownFree(related: Related): RelationFault[] | undefined {
  const shown = isShown(related);
  return shown === undefined ? undefined : shown ? [] : [unlike(related, 'no record', 'one')];
}

function unlike({ subject }: Related, got: string, wanted: string): RelationFault {
  return {
    message: `The server shows ${got} in ${subject.case.title}; it should show ${wanted}.`,
    expected: wanted,
    actual: got,
  };
}

const dayMs = 86_400_000;

function otherRepetitions({
  subject,
  intent,
  of: [created],
  status,
}: Related): RelationFault[] | undefined {
  const role = created && roleOf(subject.contract, created.case.operation);
  const record = role && shownRecord(role.resource, created.answer);
  const body = jsonOf(subject.answer);
  const rule = Object.values(record ?? {}).find(
    (value) => isJsonObject(value) && 'frequency' in value,
  );
  const lists = isJsonObject(body) ? Object.values(body) : [body];
  const list = lists.find((value) => value !== undefined && isJsonArray(value));
  if (!isSuccess(status) || !isJsonObject(rule) || list === undefined || !isJsonArray(list))
    return undefined;
  const { field = '' } = intent;
  const wanted = repetitionsOf(rule, Date.parse(String(record?.[field])));
  const got = list.map((item) => Date.parse(isJsonObject(item) ? String(item[field]) : ''));
  if (wanted === undefined || got.some(Number.isNaN)) return undefined;
  if (wanted.join() === got.join()) return [];
  const show = (moments: readonly number[]): string =>
    moments.map((moment) => new Date(moment).toISOString().slice(0, 16)).join(', ');
  return [
    {
      message: `The repetitions of a record with ${showValue(rule)} are at ${show(got)}.`,
      expected: show(wanted),
      actual: show(got),
    },
  ];
}

/** The moments of a rule with the members of RFC 5545: frequency, interval and count. */
function repetitionsOf(
  { frequency, interval, count }: { readonly [name: string]: JsonValue },
  first: number,
): number[] | undefined {
  const days = /^week/i.test(String(frequency)) ? 7 : /^dai/i.test(String(frequency)) ? 1 : 0;
  if (days === 0 || typeof count !== 'number' || Number.isNaN(first)) return undefined;
  const every = typeof interval === 'number' ? interval : 1;
  return Array.from({ length: count }, (_one, index) => first + index * every * days * dayMs);
}
