import { refuse, type Answer } from '../serving/serve.ts';
import { atClock, occurrencesOf, writeMoment, zones } from './moments.ts';
import type { Booking } from './office.ts';
import { parameter, wholeParameter, type Admitted } from './request.ts';
import { findRoom, showRoom } from './rooms.ts';

function escape(value: string, { service: { has } }: Admitted): string {
  if (has('calendar-not-escaped')) return value;
  return value
    .replaceAll('\\', '\\\\')
    .replaceAll(';', String.raw`\;`)
    .replaceAll(',', String.raw`\,`)
    .replaceAll('\n', String.raw`\n`);
}

function eventOf(booking: Booking, admitted: Admitted): string[] {
  const { has, varies } = admitted.service;
  const shift = has('calendar-in-local-time') ? 7_200_000 : 0;
  const stamp = (moment: number): string =>
    `${new Date(moment + shift).toISOString().slice(0, 19).replaceAll(/[-:]/g, '')}Z`;
  const { recurrence } = booking;
  const rule = recurrence && [
    [
      `RRULE:FREQ=${recurrence.frequency.toUpperCase()}`,
      `INTERVAL=${String(recurrence.interval ?? 1)}`,
      `COUNT=${String(recurrence.count)}`,
    ].join(';'),
  ];
  const more = ['BEGIN:VALARM', 'ACTION:DISPLAY', 'TRIGGER:-PT10M', 'DESCRIPTION:Soon'];
  return [
    'BEGIN:VEVENT',
    `UID:${booking.id}`,
    `DTSTAMP:${stamp(booking.createdAt)}`,
    `DTSTART:${stamp(booking.start)}`,
    `DTEND:${stamp(booking.end)}`,
    ...(has('calendar-without-rule') ? [] : (rule ?? [])),
    `SUMMARY:${escape(booking.title, admitted)}`,
    ...(varies('calendar-with-more') ? ['X-DESK-COLOR:blue', ...more, 'END:VALARM'] : []),
    'END:VEVENT',
  ];
}

const zoneLines = ['BEGIN:VTIMEZONE', 'TZID:UTC', 'BEGIN:STANDARD', 'DTSTART:19700101T000000'];
const zoneEnd = ['TZOFFSETFROM:+0000', 'TZOFFSETTO:+0000', 'END:STANDARD', 'END:VTIMEZONE'];

export function getCalendar(admitted: Admitted): Answer {
  const { has, varies, bookings } = admitted.service;
  const { id } = findRoom(admitted);
  const shown = [...bookings.values()].filter(
    ({ roomId, status }) =>
      roomId === id && (status === 'confirmed' || has('calendar-with-cancelled')),
  );
  if (has('calendar-misses-last')) shown.pop();
  const lines = [
    'BEGIN:VCALENDAR',
    'VERSION:2.0',
    'PRODID:-//Deskbird//Rooms//EN',
    ...(varies('calendar-with-more') ? ['X-WR-CALNAME:Room', ...zoneLines, ...zoneEnd] : []),
    ...shown.flatMap((booking) => eventOf(booking, admitted)),
    'END:VCALENDAR',
  ];
  const isFolded = varies('calendar-folded');
  const text = lines
    .map((line) => (isFolded ? line.replaceAll(/(?<=^.{20}(?:.{20})*)(?=.)/gu, '\r\n ') : line))
    .map((line) => `${line}\r\n`)
    .join('');
  if (has('calendar-as-json')) return { status: 200, json: { calendar: text } };
  const headers = { 'Content-Type': 'text/calendar; charset=utf-8' };
  return { status: 200, headers, bytes: text };
}

export function findFreeRooms(admitted: Admitted): Answer {
  const { incoming, service } = admitted;
  const { has, sites, rooms, bookings } = service;
  const siteName = parameter(incoming, 'siteName', (value) => value !== '' && value.length <= 30);
  const [fromText, toText] = [parameter(incoming, 'from'), parameter(incoming, 'to')];
  const given = parameter(incoming, 'timeZone', (value) => zones.includes(value));
  const least = wholeParameter(incoming, 'minCapacity', { min: 1, max: 500 }) ?? 1;
  if (siteName === undefined) return refuse(400, 'siteName is required.');
  const site = sites.get(siteName);
  const own = has('site-zone-ignored') ? 'Europe/Berlin' : (site?.timeZone ?? 'UTC');
  const zone = given ?? own;
  const start = atClock(fromText ?? '', { zone, has });
  const end = atClock(toText ?? '', { zone, has });
  if (start === undefined || end === undefined || end <= start)
    return refuse(400, 'from and to must be local times, in order.');
  if (site === undefined || site.deletedAt !== undefined)
    return refuse(404, 'There is no such site.');
  const uses = (one: { start: number; end: number }): boolean =>
    has('busy-is-free') ? one.start <= start && end <= one.end : one.start < end && start < one.end;
  const isBusy = (roomId: string): boolean =>
    [...bookings.values()].some(
      (one) =>
        one.roomId === roomId &&
        (one.status === 'confirmed' || has('cancelled-is-busy')) &&
        (has('recurring-is-free') ? [one] : occurrencesOf(one, service)).some(uses),
    );
  const free = [...rooms.values()].filter(
    (room) =>
      room.siteName === siteName &&
      (room.deletedAt === undefined || has('deleted-is-free')) &&
      (room.capacity >= least || has('capacity-ignored')) &&
      !isBusy(room.id),
  );
  return {
    status: 200,
    json: {
      from: writeMoment(start, service),
      to: writeMoment(end, service),
      rooms: free.map((room) => showRoom(room, admitted)),
    },
  };
}
