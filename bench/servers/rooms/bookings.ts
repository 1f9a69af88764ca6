import {
  dateTime,
  email,
  fields,
  listOf,
  oneOf,
  orNull,
  pick,
  isDateTime,
  text,
  whole,
  type Rule,
  flag,
} from '../serving/fields.ts';
import { refuse, type Answer } from '../serving/serve.ts';
import { occurrencesOf, writeMoment, type Interval } from './moments.ts';
import type { Attendee, Booking, Recurrence, Room } from './office.ts';
import {
  bodyOf,
  etagOf,
  insist,
  momentParameter,
  pageOf,
  parameter,
  requireMatch,
  respond,
  type Admitted,
} from './request.ts';

const recurrenceRule = fields(
  { frequency: oneOf(['daily', 'weekly']), interval: whole(1, 4), count: whole(1, 30) },
  ['frequency', 'count'],
);

const rules: Readonly<Record<string, Rule>> = {
  title: text(1, 100),
  start: dateTime,
  end: dateTime,
  recurrence: orNull(recurrenceRule),
};

function showBooking(booking: Booking, { service, base }: Admitted): object {
  const { has, rooms } = service;
  const { attendees, start, end, createdAt, nameThen, recurrence, ...shown } = booking;
  const room = rooms.get(booking.roomId);
  return {
    ...shown,
    status: has('status-renamed') && booking.status === 'cancelled' ? 'canceled' : booking.status,
    start: writeMoment(start, service),
    end: writeMoment(end, service),
    ...(recurrence === undefined || recurrence === null ? {} : { recurrence }),
    attendeeCount: has('attendee-count-stale') ? 0 : attendees.length,
    room: {
      id: booking.roomId,
      name: has('room-name-stale') ? nameThen : (room?.name ?? ''),
      href: `${base}/rooms/${booking.roomId}`,
    },
    href: `${base}/bookings/${booking.id}`,
    createdAt: writeMoment(createdAt, service),
  };
}

export function listBookings(admitted: Admitted): Answer {
  const { incoming, service } = admitted;
  const { has } = service;
  const roomId = parameter(incoming, 'roomId', (value) => value !== '' && value.length <= 40);
  const status = parameter(incoming, 'status', (value) =>
    ['confirmed', 'cancelled'].includes(value),
  );
  const from = momentParameter(incoming, 'from');
  const to = momentParameter(incoming, 'to');
  const after = from === undefined ? -Infinity : readMoment(from, has('filter-ignores-offset'));
  const before = to === undefined ? Infinity : Date.parse(to);
  const found = [...service.bookings.values()].filter(
    ({ start, end, ...one }) =>
      (roomId === undefined || one.roomId === roomId || has('room-filter-ignored')) &&
      (status === undefined || one.status === status || has('booking-status-ignored')) &&
      (has('from-compares-start') ? start >= after : end > after) &&
      (start < before || (has('to-includes-bound') && start === before)),
  );
  if (!has('bookings-by-creation')) found.sort((a, b) => a.start - b.start);
  return pageOf(admitted, found, (booking) => showBooking(booking, admitted));
}

function readMoment(value: string, dropsOffset: boolean): number {
  return Date.parse(dropsOffset ? `${value.slice(0, 19)}Z` : value);
}

const overlaps = (a: Interval, b: Interval): boolean => a.start < b.end && b.start < a.end;

/** The confirmed booking of the room that uses a part of one of these times. */
function inTheWay(booking: Booking, { service }: Admitted): Booking | undefined {
  const { has } = service;
  const own = has('own-recurrence-unchecked')
    ? [{ start: booking.start, end: booking.end }]
    : occurrencesOf(booking, service);
  const isInTheWay = (a: Interval, b: Interval): boolean => {
    if (has('adjacent-refused') && (a.start === b.end || b.start === a.end)) return true;
    if (has('inner-overlap-accepted') && b.start < a.start && a.end < b.end) return false;
    return overlaps(a, b);
  };
  return [...service.bookings.values()].find(
    (one) =>
      one.roomId === booking.roomId &&
      (one.id !== booking.id || has('blocks-itself')) &&
      (one.status === 'confirmed' || has('cancelled-blocks')) &&
      (has('recurrence-overlap-accepted') ? [one] : occurrencesOf(one, service)).some((theirs) =>
        own.some((mine) => isInTheWay(mine, theirs)),
      ),
  );
}

function refuseOverlap({ service }: Admitted): never {
  return refuse(service.has('overlap-answers-422') ? 422 : 409, 'The room is booked at this time.');
}

interface Given {
  readonly title?: string;
  readonly start?: string;
  readonly end?: string;
  readonly recurrence?: Recurrence | null;
}

/** The fields of a booking with those of a body over them. */
function withGiven(before: Booking, given: Given, { service: { has } }: Admitted): Booking {
  const { title, start, end, recurrence } = given;
  const moment = (value: string): number => {
    if (has('bad-moment-500') && !isDateTime(value)) new Date(value).toISOString();
    return readMoment(value, has('offset-dropped'));
  };
  const interval = has('interval-default-missing') ? null : 1;
  return {
    ...before,
    title:
      title === undefined
        ? before.title
        : has('title-escaped')
          ? title.replaceAll('&', '&amp;').replaceAll('<', '&lt;')
          : title,
    start: start === undefined ? before.start : moment(start),
    end: end === undefined ? before.end : moment(end),
    recurrence:
      recurrence === undefined
        ? before.recurrence
        : recurrence && {
            interval,
            ...(pick(recurrence, ['frequency', 'interval', 'count']) as unknown as Recurrence),
          },
  };
}

/** The room that can be booked; refuses with 422 without it. */
function bookable(roomId: string, { service: { has, rooms } }: Admitted): Room | undefined {
  const room = rooms.get(roomId);
  if (room === undefined && !has('unknown-room-accepted'))
    return refuse(422, 'There is no such room.');
  if (room?.deletedAt !== undefined && !has('deleted-room-accepted'))
    return refuse(422, 'The room is deleted.');
  return room;
}

const pause = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 60));

export async function createBooking(admitted: Admitted): Promise<Answer> {
  const { service, base, user } = admitted;
  const { has } = service;
  const body = bodyOf(admitted);
  const { start, title: heading } = { ...(body as Given) };
  if (has('bad-moment-500') && typeof start === 'string') new Date(start).toISOString();
  if (has('emoji-500') && /\p{Extended_Pictographic}/u.test(heading ?? ''))
    throw new Error('Incorrect string value for column title');
  const required = ['roomId', 'title', 'start', 'end'];
  insist(fields({ roomId: text(1, 40), ...rules }, required)(body, 'body'));
  const { roomId, organizer } = body as { roomId: string; organizer?: unknown };
  const room = bookable(roomId, admitted);
  const empty: Booking = {
    id: service.nextId('book'),
    roomId,
    title: '',
    start: 0,
    end: 0,
    status: 'confirmed',
    organizer: has('organizer-from-body') && typeof organizer === 'string' ? organizer : user,
    attendees: [],
    createdAt: Date.now(),
    nameThen: room?.name ?? '',
  };
  const booking = withGiven(empty, body as Given, admitted);
  requireOrder(booking, admitted);
  if (inTheWay(booking, admitted) !== undefined && !has('overlap-accepted'))
    refuseOverlap(admitted);
  if (has('overlap-race')) await pause();
  service.bookings.set(booking.id, booking);
  const view = showBooking(booking, admitted);
  const last = has('location-without-id') ? 'undefined' : booking.id;
  const headers = { Location: `${base}/bookings/${last}`, ETag: etagOf(view, service) };
  return { status: 201, headers, json: view };
}

function requireOrder({ start, end }: Booking, { service }: Admitted): void {
  if (end <= start && !service.has('end-before-start-accepted')) insist('end must be after start.');
}

function findBooking({ incoming, service }: Admitted): Booking {
  return (
    service.bookings.get(incoming.params['bookingId'] ?? '') ??
    refuse(404, 'There is no such booking.')
  );
}

export function getBooking(admitted: Admitted): Answer {
  return respond(admitted, showBooking(findBooking(admitted), admitted));
}

export function changeBooking(admitted: Admitted): Answer {
  const { service, user } = admitted;
  const { has } = service;
  const booking = findBooking(admitted);
  if (booking.organizer !== user && !has('other-user-changes'))
    return refuse(403, 'Another user made the booking.');
  if (!has('if-match-ignored')) requireMatch(admitted, showBooking(booking, admitted));
  const body = bodyOf(admitted, ['application/merge-patch+json']);
  insist(fields(rules, [])(body, 'body'));
  if (Object.keys(body as object).length === 0) insist('body must have a field.');
  if (booking.status === 'cancelled') return refuse(409, 'The booking is cancelled.');
  const changed = withGiven(booking, body as Given, admitted);
  requireOrder(changed, admitted);
  if (has('refused-change-kept')) Object.assign(booking, changed);
  if (inTheWay(changed, admitted) !== undefined && !has('change-overlap-accepted'))
    refuseOverlap(admitted);
  Object.assign(booking, changed);
  return respond(admitted, showBooking(booking, admitted));
}

export function cancelBooking(admitted: Admitted): Answer {
  const { service, user } = admitted;
  const { has } = service;
  const booking = findBooking(admitted);
  if (booking.organizer !== user && !has('other-user-cancels'))
    return refuse(403, 'Another user made the booking.');
  if (booking.status === 'cancelled' && has('cancel-again-404'))
    return refuse(404, 'There is no such booking.');
  booking.status = 'cancelled';
  return has('cancel-answers-200')
    ? { status: 200, json: showBooking(booking, admitted) }
    : { status: 204 };
}

export function listOccurrences(admitted: Admitted): Answer {
  const { service } = admitted;
  const json = occurrencesOf(findBooking(admitted), service).map(({ start, end }) => ({
    start: writeMoment(start, service),
    end: writeMoment(end, service),
  }));
  return { status: 200, json };
}

/** The attendees of the booking, or with a defect those of all. */
function attendeesOf(booking: Booking, { service }: Admitted): Attendee[] {
  return service.has('attendees-shared')
    ? [...service.bookings.values()].flatMap(({ attendees }) => attendees)
    : booking.attendees;
}

export function listAttendees(admitted: Admitted): Answer {
  const attendees = attendeesOf(findBooking(admitted), admitted);
  const isReversed = admitted.service.has('attendees-reversed');
  return { status: 200, json: isReversed ? attendees.toReversed() : attendees };
}

const attendeeRule = fields(
  { email, name: orNull(text(0, 80)), answer: oneOf(['none', 'accepted', 'declined']) },
  ['email'],
);

export function addAttendee(admitted: Admitted): Answer {
  const { has, rooms } = admitted.service;
  const booking = findBooking(admitted);
  const body = bodyOf(admitted);
  insist(attendeeRule(body, 'body'));
  const attendee = {
    name: null,
    ...(has('answer-default-missing') ? {} : { answer: 'none' }),
    ...(pick(body, ['email', 'name', 'answer']) as { email: string }),
  };
  const isSame = (one: Attendee): boolean =>
    one.email.toLowerCase() === attendee.email.toLowerCase();
  if (booking.attendees.some(isSame) && !has('attendee-twice'))
    return refuse(409, 'The attendee is there already.');
  const places = rooms.get(booking.roomId)?.capacity ?? 0;
  if (booking.attendees.length >= places && !has('room-overfull'))
    return refuse(409, 'The room is full.');
  booking.attendees.push(attendee);
  return { status: 201, json: attendee };
}

const hookRule = ({ service: { has } }: Admitted): Rule =>
  fields(
    {
      url: (value, name) =>
        text(9, 300, has('plain-http-accepted') ? /^https?:\/\// : /^https:\/\//)(value, name) ??
        (URL.canParse(value as string) ? undefined : `${name} must be a URL.`),
      events: listOf(oneOf(['booking.created', 'booking.changed', 'booking.cancelled']), {
        min: 1,
        max: 3,
        unique: true,
      }),
      secret: text(8, 64),
      active: flag,
    },
    ['url', 'events'],
  );

export function registerWebhook(admitted: Admitted): Answer {
  const { service, user, base } = admitted;
  const { has } = service;
  const body = bodyOf(admitted);
  insist(hookRule(admitted)(body, 'body'));
  const id = service.nextId('hook');
  const shown = has('secret-shown')
    ? ['url', 'events', 'active', 'secret']
    : ['url', 'events', 'active'];
  const view = { id, active: !has('webhook-inactive'), ...pick(body, shown) };
  service.webhooks.set(id, { id, owner: user, fields: view });
  return { status: 201, headers: { Location: `${base}/webhooks/${id}` }, json: view };
}

export function listWebhooks({ service, user }: Admitted): Answer {
  const own = [...service.webhooks.values()].filter(
    ({ owner }) => owner === user || service.has('webhook-of-other-listed'),
  );
  return { status: 200, json: own.map((hook) => hook.fields) };
}

export function getWebhook({ incoming, service, user }: Admitted): Answer {
  const hook = service.webhooks.get(incoming.params['webhookId'] ?? '');
  if (hook === undefined || (hook.owner !== user && !service.has('webhook-of-other-read')))
    return refuse(404, 'There is no such webhook.');
  return { status: 200, json: hook.fields };
}

export function deleteWebhook({ incoming, service, user }: Admitted): Answer {
  const hook = service.webhooks.get(incoming.params['webhookId'] ?? '');
  if (hook === undefined || (hook.owner !== user && !service.has('webhook-of-other-deleted')))
    return refuse(404, 'There is no such webhook.');
  service.webhooks.delete(hook.id);
  return { status: 204 };
}
