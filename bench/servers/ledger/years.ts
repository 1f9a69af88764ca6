import { date, fields, isDate } from '../serving/fields.ts';
import type { Json } from '../serving/requests.ts';
import type { Answer } from '../serving/serve.ts';
import { answer, bodyOf, fail, placed, urlOf, type Call } from './call.ts';
import { pageOf, parameter } from './query.ts';
import type { Books, Period, Year } from './store.ts';

interface Span {
  readonly FromDate: string;
  readonly ToDate: string;
}

const isIn = ({ FromDate, ToDate }: Span, on: string): boolean => FromDate <= on && on <= ToDate;

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

export function makeYear(Id: number, FromDate: string, ToDate: string): Year {
  const Periods: Period[] = [];
  for (let start = FromDate; (Periods.at(-1)?.ToDate ?? '') < ToDate;) {
    const end = monthEnd(start);
    Periods.push({ Period: start.slice(0, 7), FromDate: start, ToDate: end, Closed: false });
    start = addDays(end, 1);
  }
  return { Id, FromDate, ToDate, Periods };
}

const show = (year: Year, call: Call): Json => ({
  '@url': urlOf(call, `financialyears/${String(year.Id)}`),
  ...year,
});

export function listYears(call: Call): Answer {
  const on = parameter(call, 'date', isDate);
  const isShort = call.service.has('year-date-excludes-last-day');
  const records = call.books.years
    .filter((year) => on === undefined || isIn(year, on))
    .filter(({ ToDate }) => on !== ToDate || !isShort)
    .toSorted((a, b) => (a.FromDate < b.FromDate ? -1 : 1));
  return pageOf(call, 'FinancialYears', records, show);
}

export function createYear(call: Call): Answer {
  const { service, books } = call;
  const rule = fields({ FromDate: date, ToDate: date }, ['FromDate', 'ToDate']);
  const sent = bodyOf(call, 'FinancialYear', rule) as Span;
  const { FromDate: from, ToDate: to } = sent;
  if (!from.endsWith('-01') || monthEnd(to) !== to || to < from)
    fail(service, 'member', 'A year has whole months.');
  const months = (text: string): number => Number(text.slice(0, 4)) * 12 + Number(text.slice(5, 7));
  if (months(to) - months(from) >= 18) fail(service, 'member', 'A year has 18 months at most.');
  const isOverlapping = books.years.some((other) =>
    service.has('years-overlap-accepted')
      ? isIn(sent, other.FromDate)
      : other.FromDate <= to && other.ToDate >= from,
  );
  if (isOverlapping) fail(service, 'state', 'The year overlaps with another one.');
  const year = makeYear(service.nextYear, from, to);
  service.nextYear += 1;
  books.years.push(year);
  return answer('FinancialYear', show(year, call), 201);
}

export const yearOf = ({ years }: Books, id: string): Year | undefined =>
  years.find((year) => String(year.Id) === id);

function find(call: Call): Year {
  const year = yearOf(call.books, placed(call, 'Id'));
  return year ?? fail(call.service, 'missing', 'There is no such financial year.');
}

export function getYear(call: Call): Answer {
  const { has, north, east } = call.service;
  const all = { ...north, years: [...north.years, ...east.years] };
  const year = find(has('year-of-other-shown') ? { ...call, books: all } : call);
  return answer('FinancialYear', show(year, call));
}

/** Where a day is, if it is in a financial year. */
export function placeOf(books: Books, on: string): { year: Year; period: Period } | undefined {
  const year = books.years.find((each) => isIn(each, on));
  const period = year?.Periods.find((each) => isIn(each, on));
  return year === undefined || period === undefined ? undefined : { year, period };
}

/** Refuses a day that is in a closed period. */
export function checkOpen({ service }: Call, period: Period | undefined, on: string): void {
  const isLast = period?.ToDate === on && service.has('last-day-of-period-open');
  if (period?.Closed === true && !isLast) fail(service, 'period', 'The period is closed.');
}

function findPeriod(call: Call): { year: Year; period: Period; index: number } {
  const year = find(call);
  const index = year.Periods.findIndex(({ Period: name }) => name === placed(call, 'Period'));
  const period = year.Periods[index];
  if (period === undefined) return fail(call.service, 'missing', 'There is no such period.');
  return { year, period, index };
}

export function closePeriod(call: Call): Answer {
  const { service, books } = call;
  const { year, period, index } = findPeriod(call);
  if (period.Closed) fail(service, 'state', 'The period is closed already.');
  const isEarlierOpen = year.Periods.slice(0, index).some(({ Closed }) => !Closed);
  if (isEarlierOpen && !service.has('close-out-of-order'))
    fail(service, 'state', 'An earlier period is open.');
  const hasDraft = [...books.invoices.values()].some(
    ({ State, InvoiceDate }) => State === 'draft' && isIn(period, InvoiceDate),
  );
  if (hasDraft && !service.has('close-with-drafts'))
    fail(service, 'state', 'The period has an invoice that is a draft.');
  period.Closed = true;
  return answer('Period', { ...period });
}

export function reopenPeriod(call: Call): Answer {
  const { service } = call;
  const { year, period, index } = findPeriod(call);
  if (!period.Closed || year.Periods[index + 1]?.Closed === true)
    fail(service, 'state', 'Only the last closed period can be reopened.');
  if (!service.has('reopen-not-done')) period.Closed = false;
  return answer('Period', { ...period, Closed: false });
}
