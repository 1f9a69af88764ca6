import { isDate } from '../serving/fields.ts';
import type { Booking, Service } from './office.ts';

export const zones = [
  'Europe/Berlin',
  'Europe/Copenhagen',
  'Europe/Lisbon',
  'America/New_York',
  'Asia/Tokyo',
  'UTC',
];

/** Milliseconds that the clock of the zone is ahead of UTC at a moment. */
function ahead(moment: number, zone: string): number {
  const parts = new Intl.DateTimeFormat('sv-SE', {
    timeZone: zone,
    dateStyle: 'short',
    timeStyle: 'medium',
  }).format(moment);
  return Date.parse(`${parts.replace(' ', 'T')}Z`) - Math.floor(moment / 1_000) * 1_000;
}

/** The moment at which the clock of the zone has this time; undefined if it is no time. */
export function atClock(
  local: string,
  { zone, has }: { zone: string; has: Service['has'] },
): number | undefined {
  const isTime = /^\d{4}-\d{2}-\d{2}T([01]\d|2[0-3]):[0-5]\d$/.test(local);
  if (!isTime || !isDate(local.slice(0, 10))) return undefined;
  const clock = Date.parse(`${local}:00Z`);
  if (has('zone-ignored')) return clock;
  if (has('no-summer-time'))
    return clock - ahead(Date.parse(`${local.slice(0, 4)}-01-15T12:00Z`), zone);
  const near = clock - ahead(clock, zone);
  return clock - ahead(near, zone);
}

const day = 86_400_000;

export interface Interval {
  readonly start: number;
  readonly end: number;
}

/** All occurrences, in order. */
export function occurrencesOf(
  { start, end, recurrence }: Pick<Booking, 'start' | 'end' | 'recurrence'>,
  { has }: Service,
): Interval[] {
  if (recurrence === undefined || recurrence === null) return [{ start, end }];
  const { frequency, interval, count } = recurrence;
  const week = has('weekly-is-monthly') ? 28 : 7;
  const unit = day * (frequency === 'weekly' ? week : 1);
  const step = unit * (has('interval-ignored') ? 1 : (interval ?? 1));
  const length = has('one-occurrence-missing') ? Math.max(1, count - 1) : count;
  return Array.from({ length }, (_, index) => ({
    start: start + index * step,
    end: end + index * step,
  }));
}

/** A moment as the service writes it. */
export function writeMoment(moment: number, { has, varies }: Service): string {
  const text = new Date(moment).toISOString();
  if (has('moments-without-offset')) return text.slice(0, 19);
  if (varies('times-with-fraction')) return text;
  return `${text.slice(0, 19)}${varies('times-with-zero-offset') ? '+00:00' : 'Z'}`;
}
