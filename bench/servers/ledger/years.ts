import { date, fields, isDate } from '../serving/fields.ts';
import type { Json } from '../serving/requests.ts';
import type { Answer } from '../serving/serve.ts';
import { answer, bodyOf, fail, pageOf, parameter, placed, urlOf, type Call } from './call.ts';
import type { Books, Period, Year } from './store.ts';

const day = (moment: Date): string => moment.toISOString().slice(0, 10);
const lastDay = '9999-12-31';

/** The day so many days behind this one, within the calendar. */
export function addDays(from: string, days: number): string {
  const moment = Math.min(Date.parse(from) + days * 86_400_000, Date.parse(lastDay));
  return day(new Date(moment));
}

/** The last day of the month of this day. */
function monthEnd(of: string): string {
  const moment = new Date(`${of.slice(0, 7)}-01T00:00:00Z`);
  moment.setUTCMonth(moment.getUTCMonth() + 1, 0);
  return day(moment);
}

export function makeYear(id: number, from: string, to: string): Year {
  const periods: Period[] = [];
  for (let start = from; start < to && (periods.at(-1)?.to ?? '') < to;) {
    const end = monthEnd(start);
    periods.push({ name: start.slice(0, 7), from: start, to: end, closed: false });
    start = addDays(end, 1);
  }
  return { id, from, to, periods };
}

const showPeriod = ({ name, from, to, closed }: Period): Json => ({
  Period: name,
  FromDate: from,
  ToDate: to,
  Closed: closed,
});

const show =
  (call: Call) =>
  ({ id, from, to, periods }: Year): Json => ({
    '@url': urlOf(call, `financialyears/${String(id)}`),
    Id: id,
    FromDate: from,
    ToDate: to,
    Periods: periods.map(showPeriod),
  });

export function listYears(call: Call): Answer {
  const on = parameter(call, 'date', isDate);
  const isShort = call.service.has('year-date-excludes-last-day');
  const records = call.books.years
    .filter(({ from, to }) => on === undefined || (from <= on && (isShort ? on < to : on <= to)))
    .toSorted((a, b) => (a.from < b.from ? -1 : 1));
  return pageOf(call, { name: 'FinancialYears', records, show: show(call) });
}

export function createYear(call: Call): Answer {
  const { service, books } = call;
  const rule = fields({ FromDate: date, ToDate: date }, ['FromDate', 'ToDate']);
  const sent = bodyOf(call, 'FinancialYear', rule) as { FromDate: string; ToDate: string };
  const { FromDate: from, ToDate: to } = sent;
  if (!from.endsWith('-01') || monthEnd(to) !== to || to < from)
    fail(service, 'member', 'A year has whole months.');
  const months = (text: string): number => Number(text.slice(0, 4)) * 12 + Number(text.slice(5, 7));
  if (months(to) - months(from) >= 18) fail(service, 'member', 'A year has 18 months at most.');
  const isOverlapping = books.years.some((other) =>
    service.has('years-overlap-accepted')
      ? other.from >= from && other.from <= to
      : other.from <= to && other.to >= from,
  );
  if (isOverlapping) fail(service, 'state', 'The year overlaps with another one.');
  const year = makeYear(service.nextYear, from, to);
  service.nextYear += 1;
  books.years.push(year);
  return answer('FinancialYear', show(call)(year), 201);
}

export const yearOf = ({ years }: Books, id: string): Year | undefined =>
  years.find((year) => String(year.id) === id);

function find(call: Call): Year {
  const year = yearOf(call.books, placed(call, 'Id'));
  return year ?? fail(call.service, 'missing', 'There is no such financial year.');
}

export function getYear(call: Call): Answer {
  const { has, north, east } = call.service;
  const all = { ...north, years: [...north.years, ...east.years] };
  return answer(
    'FinancialYear',
    show(call)(find(has('year-of-other-shown') ? { ...call, books: all } : call)),
  );
}

/** Where a day is, if it is in a financial year. */
export function placeOf(books: Books, on: string): { year: Year; period: Period } | undefined {
  const year = books.years.find(({ from, to }) => from <= on && on <= to);
  const period = year?.periods.find(({ from, to }) => from <= on && on <= to);
  return year === undefined || period === undefined ? undefined : { year, period };
}

/** Refuses a day that is in a closed period. */
export function checkOpen({ service }: Call, period: Period | undefined, on: string): void {
  const isLast = period?.to === on && service.has('last-day-of-period-open');
  if (period?.closed === true && !isLast) fail(service, 'period', 'The period is closed.');
}

function findPeriod(call: Call): { year: Year; period: Period; index: number } {
  const year = find(call);
  const index = year.periods.findIndex(({ name }) => name === placed(call, 'Period'));
  const period = year.periods[index];
  if (period === undefined) return fail(call.service, 'missing', 'There is no such period.');
  return { year, period, index };
}

export function closePeriod(call: Call): Answer {
  const { service, books } = call;
  const { year, period, index } = findPeriod(call);
  if (period.closed) fail(service, 'state', 'The period is closed already.');
  const isEarlierOpen = year.periods.slice(0, index).some(({ closed }) => !closed);
  if (isEarlierOpen && !service.has('close-out-of-order'))
    fail(service, 'state', 'An earlier period is open.');
  const hasDraft = [...books.invoices.values()].some(
    (invoice) =>
      invoice.state === 'draft' && period.from <= invoice.date && invoice.date <= period.to,
  );
  if (hasDraft && !service.has('close-with-drafts'))
    fail(service, 'state', 'The period has an invoice that is a draft.');
  period.closed = true;
  return answer('Period', showPeriod(period));
}

export function reopenPeriod(call: Call): Answer {
  const { service } = call;
  const { year, period, index } = findPeriod(call);
  if (!period.closed || year.periods[index + 1]?.closed === true)
    fail(service, 'state', 'Only the last closed period can be reopened.');
  if (!service.has('reopen-not-done')) period.closed = false;
  return answer('Period', showPeriod({ ...period, closed: false }));
}
