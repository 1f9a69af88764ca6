import type { Entry, Service, Timesheet, User } from './store.ts';

/** Hundredths of an hour since a moment, rounded half up. */
const since = (moment: number): number => Math.round((Date.now() - moment) / 36_000);

/** Hundredths that an entry has now, with those of its timer. */
export function hoursOf({ hours, timer_started_at }: Entry, { has }: Service): number {
  if (timer_started_at === null || has('running-hours-still')) return hours;
  return hours + since(timer_started_at);
}

/** Hundredths, rounded up to full quarters of an hour. */
export function roundedOf(entry: Entry, service: Service): number {
  const quarters = hoursOf(entry, service) / 25;
  const isNear = service.has('rounded-to-nearest-quarter');
  return (isNear ? Math.round(quarters) : Math.ceil(quarters)) * 25;
}

/** The rate of an entry, in cents; null if there is none. */
export function rateOf({ billable, rate, project }: Entry, { has }: Service): number | null {
  const isByProject = project.bill_by === 'project' && has('rate-follows-project');
  return billable && isByProject ? project.hourly_rate : rate;
}

/** Cents for the rounded hours of an entry. */
export function amountOf(entry: Entry, service: Service): number {
  const isExact = service.has('amount-of-exact-hours');
  const hours = isExact ? hoursOf(entry, service) : roundedOf(entry, service);
  return Math.round((hours * (rateOf(entry, service) ?? 0)) / 100);
}

/** Stops a timer; what it ran is added to the hours. */
export function stop(entry: Entry, service: Service, moment: number): void {
  const hours = service.has('stop-loses-elapsed') ? entry.hours : hoursOf(entry, service);
  Object.assign(entry, { hours, timer_started_at: null, updated_at: moment });
}

const day = 86_400_000;

/** The Monday and the Sunday of the week of a date. */
export function weekOf(date: string): readonly [string, string] {
  const moment = Date.parse(`${date}T00:00:00Z`);
  const monday = moment - ((new Date(moment).getUTCDay() + 6) % 7) * day;
  const dateAt = (at: number): string => new Date(at).toISOString().slice(0, 10);
  return [dateAt(monday), dateAt(monday + 6 * day)];
}

/** The timesheet that locks a date of a person. */
export function lockOf(user: User, date: string, service: Service): Timesheet | undefined {
  const { has, timesheets } = service;
  const isLocking = (one: Timesheet): boolean =>
    one.status !== 'reopened' || has('reopened-stays-locked');
  return timesheets.find(({ user: owner, from, to, ...one }) => {
    const isIn = date >= from && (has('sunday-not-locked') ? date < to : date <= to);
    return owner === user && isIn && isLocking({ user: owner, from, to, ...one });
  });
}
