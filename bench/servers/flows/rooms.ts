import { counts, has, isEmpty, isThere, lacks, matches, more, not } from './claims.ts';
import type { Flow, Step } from './step.ts';

const merge = 'application/merge-patch+json';
const patch = 'application/json-patch+json';
const pages = { at: 'header:link' };
const site = '/sites/flow-house';
const room = '/rooms/{fjord}';
const booking = '/bookings/{booking}';
const day = (hour: string) => `2031-05-04T${hour}:00Z`;

const sites: Step[] = [
  {
    does: 'creates a site under its name',
    send: `PUT ${site}`,
    json: { title: 'Flow House', country: 'DK', timeZone: 'Europe/Copenhagen' },
    status: 201,
    sees: { name: 'flow-house', floors: 1, roomCount: 0, href: isThere },
    keeps: { tag: 'header:etag' },
  },
  {
    does: 'reads the site',
    send: `GET ${site}`,
    sees: { title: 'Flow House', country: 'DK', 'header:etag': '{tag}' },
  },
  {
    does: 'tests by HEAD that it is there',
    send: `HEAD ${site}`,
    sees: { 'header:etag': '{tag}' },
  },
  {
    does: 'replaces the site; what is left out becomes its default',
    send: `PUT ${site}`,
    json: { title: 'Flow Tower', timeZone: 'Europe/Copenhagen', floors: 9 },
    headers: { 'If-Match': '{tag}' },
    sees: { title: 'Flow Tower', country: 'DE', floors: 9, 'header:etag': not('{tag}') },
  },
  {
    does: 'is refused a stale If-Match',
    send: `PUT ${site}`,
    json: { title: 'Late' },
    headers: { 'If-Match': '{tag}' },
    status: 412,
  },
  {
    does: 'is refused a site without a title',
    send: 'PUT /sites/flow-none',
    json: {},
    status: 422,
  },
  {
    does: 'creates a second site',
    send: 'PUT /sites/flow-annex',
    json: { title: 'Annex' },
    status: 201,
    sees: { timeZone: 'Europe/Berlin' },
  },
  {
    does: 'lists sites in the order of their names, to the end',
    send: 'GET /sites?pageSize=1',
    next: pages,
    sees: { 'pages * items * name': has('flow-annex', 'flow-house') },
  },
];

const places: Step[] = [
  {
    does: 'creates a room',
    send: `POST ${site}/rooms`,
    json: { name: 'Fjord', capacity: 2, equipment: ['screen', 'phone'] },
    status: 201,
    sees: {
      siteName: 'flow-house',
      notes: null,
      pricePerHour: 0,
      bookingCount: 0,
      imageHref: null,
      'site title': 'Flow Tower',
    },
    keeps: { fjord: 'id', rtag: 'header:etag', place: 'header:location' },
  },
  {
    does: 'reads it where Location says',
    send: 'GET {place}',
    sees: { id: '{fjord}', equipment: ['screen', 'phone'] },
  },
  {
    does: 'is refused the name a second time, in any case',
    send: `POST ${site}/rooms`,
    json: { name: 'FJORD', capacity: 3 },
    status: 409,
  },
  {
    does: 'takes the name in another site',
    send: 'POST /sites/flow-annex/rooms',
    json: { name: 'Fjord', capacity: 3 },
    status: 201,
    keeps: { annexRoom: 'id' },
  },
  {
    does: 'is refused a room of a site that is not there',
    send: 'POST /sites/no-such/rooms',
    json: { name: 'X', capacity: 1 },
    status: 404,
  },
  {
    does: 'is refused a room for nobody',
    send: `POST ${site}/rooms`,
    json: { name: 'X', capacity: 0 },
    status: 422,
  },
  {
    does: 'creates a second room',
    send: `POST ${site}/rooms`,
    json: { name: 'Alp', capacity: 12, equipment: ['screen'], pricePerHour: 12.5 },
    status: 201,
    sees: { pricePerHour: 12.5 },
    keeps: { alp: 'id' },
  },
  { does: 'sees the count of rooms follow', send: `GET ${site}`, sees: { roomCount: 2 } },
  {
    does: 'lists the rooms of the site',
    send: `GET ${site}/rooms`,
    sees: { 'items * id': ['{fjord}', '{alp}'], total: 2 },
  },
  {
    does: 'lists by capacity',
    send: `GET ${site}/rooms?minCapacity=12`,
    sees: { 'items * id': ['{alp}'] },
  },
  {
    does: 'lists by equipment',
    send: `GET ${site}/rooms?equipment=screen,phone`,
    sees: { 'items * id': ['{fjord}'] },
  },
  {
    does: 'sorts by name',
    send: `GET ${site}/rooms?sort=name`,
    sees: { 'items * name': ['Alp', 'Fjord'] },
  },
  {
    does: 'pages through the rooms to the end',
    send: `GET ${site}/rooms?sort=-capacity&pageSize=1`,
    next: pages,
    sees: { pages: counts(2), 'pages * items * id': ['{alp}', '{fjord}'] },
  },
  {
    does: 'finds nothing behind the last page',
    send: `GET ${site}/rooms?page=99`,
    sees: { items: [], total: 2 },
  },
  { does: 'is refused a sort that is none', send: `GET ${site}/rooms?sort=colour`, status: 400 },
  {
    does: 'searches rooms by name, and is told that this ends',
    send: 'GET /rooms/search?q=FJO',
    sees: {
      '* id': has('{fjord}', '{annexRoom}'),
      'header:deprecation': isThere,
      'header:sunset': isThere,
    },
  },
  {
    does: 'changes the room by a merge patch',
    send: `PATCH ${room}`,
    json: { capacity: 3, notes: 'Key at the desk' },
    type: merge,
    headers: { 'If-Match': '{rtag}' },
    sees: { capacity: 3, notes: 'Key at the desk', name: 'Fjord', 'header:etag': not('{rtag}') },
    keeps: { rtag2: 'header:etag' },
  },
  {
    does: 'changes it by a JSON patch',
    send: `PATCH ${room}`,
    json: [
      { op: 'test', path: '/capacity', value: 3 },
      { op: 'replace', path: '/capacity', value: 2 },
      { op: 'add', path: '/equipment/-', value: 'camera' },
    ],
    type: patch,
    sees: { capacity: 2, equipment: ['screen', 'phone', 'camera'] },
  },
  {
    does: 'is refused a JSON patch whose test fails, as a whole',
    send: `PATCH ${room}`,
    json: [
      { op: 'replace', path: '/capacity', value: 9 },
      { op: 'test', path: '/name', value: 'Other' },
    ],
    type: patch,
    status: 422,
  },
  {
    does: 'finds the room as it was',
    send: `GET ${room}`,
    sees: { capacity: 2 },
    keeps: { rtag3: 'header:etag' },
  },
  {
    does: 'is refused the name of another room',
    send: `PATCH ${room}`,
    json: { name: 'alp' },
    type: merge,
    status: 409,
  },
  { does: 'is refused plain JSON', send: `PATCH ${room}`, json: { capacity: 5 }, status: 415 },
  {
    does: 'is told that nothing changed since',
    send: `GET ${room}`,
    headers: { 'If-None-Match': '{rtag3}' },
    status: 304,
  },
  { does: 'finds no image', send: `GET ${room}/image`, status: 404 },
  {
    does: 'uploads an image',
    send: `PUT ${room}/image`,
    bytes: 'PNG bytes',
    type: 'image/png',
    status: 204,
  },
  {
    does: 'downloads the image as it was sent',
    send: `GET ${room}/image`,
    sees: { 'text:': 'PNG bytes', 'header:content-type': matches(/image\/png/) },
  },
  { does: 'sees the link to the image', send: `GET ${room}`, sees: { imageHref: isThere } },
];

const bookings: Step[] = [
  {
    does: 'books the room',
    send: 'POST /bookings',
    json: { roomId: '{fjord}', title: 'Planning', start: day('09:00'), end: day('10:00') },
    status: 201,
    sees: { status: 'confirmed', attendeeCount: 0, 'room name': 'Fjord', organizer: isThere },
    keeps: { booking: 'id', btag: 'header:etag' },
  },
  {
    does: 'reads the booking',
    send: `GET ${booking}`,
    sees: { title: 'Planning', 'header:etag': '{btag}' },
  },
  {
    does: 'is refused an overlapping booking',
    send: 'POST /bookings',
    json: { roomId: '{fjord}', title: 'Late', start: day('09:30'), end: day('11:00') },
    status: 409,
  },
  {
    does: 'books from where the other ends, every week',
    send: 'POST /bookings',
    json: {
      roomId: '{fjord}',
      title: 'Weekly',
      start: day('10:00'),
      end: day('11:00'),
      recurrence: { frequency: 'weekly', count: 3 },
    },
    status: 201,
    keeps: { weekly: 'id' },
  },
  {
    does: 'lists the occurrences',
    send: 'GET /bookings/{weekly}/occurrences',
    sees: { '': counts(3), '1 start': matches(/^2031-05-11T10:00:00/) },
  },
  {
    does: 'is refused to overlap an occurrence',
    send: 'POST /bookings',
    json: {
      roomId: '{fjord}',
      title: 'Late',
      start: '2031-05-11T10:30:00Z',
      end: '2031-05-11T12:00:00Z',
    },
    status: 409,
  },
  {
    does: 'is refused an end before the start',
    send: 'POST /bookings',
    json: { roomId: '{alp}', title: 'Back', start: day('10:00'), end: day('09:00') },
    status: 422,
  },
  {
    does: 'is refused a room that is not there',
    send: 'POST /bookings',
    json: { roomId: 'no-such', title: 'Lost', start: day('09:00'), end: day('10:00') },
    status: 422,
  },
  { does: 'sees the count of bookings follow', send: `GET ${room}`, sees: { bookingCount: 2 } },
  {
    does: 'lists the bookings of the room',
    send: 'GET /bookings?roomId={fjord}',
    sees: { 'items * id': ['{booking}', '{weekly}'], total: 2 },
  },
  {
    does: 'lists bookings between two moments',
    send: 'GET /bookings?roomId={fjord}&from=2031-05-04T09:30:00Z&to=2031-05-04T10:00:00Z',
    sees: { 'items * id': ['{booking}'] },
  },
  {
    does: 'finds free rooms',
    send: 'GET /availability?siteName=flow-house&from=2031-05-04T11:15&to=2031-05-04T11:45',
    sees: { 'rooms * id': ['{alp}'] },
  },
  {
    does: 'changes the title',
    send: `PATCH ${booking}`,
    json: { title: 'Planning of May' },
    type: merge,
    headers: { 'If-Match': '{btag}' },
    sees: { title: 'Planning of May', roomId: '{fjord}', 'header:etag': not('{btag}') },
  },
  {
    does: 'is refused a stale If-Match',
    send: `PATCH ${booking}`,
    json: { title: 'x' },
    type: merge,
    headers: { 'If-Match': '{btag}' },
    status: 412,
  },
  {
    does: 'adds an attendee',
    send: `POST ${booking}/attendees`,
    json: { email: 'kim@flow.example', name: 'Kim' },
    status: 201,
    sees: { answer: 'none' },
  },
  {
    does: 'is refused the same attendee in upper case',
    send: `POST ${booking}/attendees`,
    json: { email: 'KIM@flow.example' },
    status: 409,
  },
  {
    does: 'adds a second attendee',
    send: `POST ${booking}/attendees`,
    json: { email: 'lee@flow.example' },
    status: 201,
  },
  {
    does: 'is refused more attendees than the room has places',
    send: `POST ${booking}/attendees`,
    json: { email: 'max@flow.example' },
    status: 409,
  },
  {
    does: 'lists the attendees',
    send: `GET ${booking}/attendees`,
    sees: { '* email': ['kim@flow.example', 'lee@flow.example'] },
  },
  {
    does: 'sees the count of attendees follow',
    send: `GET ${booking}`,
    sees: { attendeeCount: 2 },
  },
  {
    does: 'reads the calendar of the room',
    send: `GET ${room}/calendar`,
    sees: {
      'text:': has('BEGIN:VCALENDAR', '{booking}', 'RRULE'),
      'header:content-type': matches(/calendar/),
    },
  },
  { does: 'cancels the booking', send: `DELETE ${booking}`, status: 204 },
  { does: 'still reads it, as cancelled', send: `GET ${booking}`, sees: { status: 'cancelled' } },
  { does: 'cancels it again, which changes nothing', send: `DELETE ${booking}`, status: 204 },
  {
    does: 'is refused to change a cancelled booking',
    send: `PATCH ${booking}`,
    json: { title: 'x' },
    type: merge,
    status: 409,
  },
  {
    does: 'lists cancelled bookings',
    send: 'GET /bookings?roomId={fjord}&status=cancelled',
    sees: { 'items * id': ['{booking}'] },
  },
  {
    does: 'books the time that is free again',
    send: 'POST /bookings',
    json: { roomId: '{fjord}', title: 'Again', start: day('09:00'), end: day('10:00') },
    status: 201,
    keeps: { again: 'id' },
  },
];

const ends: Step[] = [
  {
    does: 'registers a webhook, whose secret is not shown',
    send: 'POST /webhooks',
    json: {
      url: 'https://hooks.flow.example/rooms',
      events: ['booking.created'],
      secret: 's3cret-of-flow',
    },
    status: 201,
    sees: { active: true, secret: isEmpty },
    keeps: { hook: 'id' },
  },
  {
    does: 'reads the webhook',
    send: 'GET /webhooks/{hook}',
    sees: { url: 'https://hooks.flow.example/rooms', secret: isEmpty },
  },
  { does: 'lists the webhooks', send: 'GET /webhooks', sees: { '* id': has('{hook}') } },
  { does: 'removes the webhook', send: 'DELETE /webhooks/{hook}', status: 204 },
  { does: 'does not find it', send: 'GET /webhooks/{hook}', status: 404 },
  { does: 'is refused to delete a site with rooms', send: `DELETE ${site}`, status: 409 },
  { does: 'deletes the room', send: `DELETE ${room}`, status: 204 },
  { does: 'does not find it', send: `GET ${room}`, status: 404 },
  {
    does: 'finds it with the deleted ones',
    send: `GET ${room}?includeDeleted=true`,
    sees: { id: '{fjord}', deletedAt: isThere },
  },
  { does: 'does not list it', send: `GET ${site}/rooms`, sees: { 'items * id': ['{alp}'] } },
  {
    does: 'lists it with the deleted ones',
    send: `GET ${site}/rooms?includeDeleted=true`,
    sees: { 'items * id': ['{fjord}', '{alp}'] },
  },
  {
    does: 'finds its bookings cancelled',
    send: 'GET /bookings/{again}',
    sees: { status: 'cancelled' },
  },
  { does: 'sees the count of rooms fall', send: `GET ${site}`, sees: { roomCount: 1 } },
  { does: 'deletes the other room', send: 'DELETE /rooms/{annexRoom}', status: 204 },
  { does: 'deletes a site without rooms', send: 'DELETE /sites/flow-annex', status: 204 },
  { does: 'does not find the site', send: 'GET /sites/flow-annex', status: 404 },
  {
    does: 'does not list the site',
    send: 'GET /sites?pageSize=50',
    sees: { 'items * name': lacks('flow-annex') },
    keeps: { total: 'total' },
  },
  {
    does: 'counts it with the deleted ones',
    send: 'GET /sites?pageSize=50&includeDeleted=true',
    sees: { total: more('{total}', 1) },
  },
  {
    does: 'brings the site back',
    send: 'PUT /sites/flow-annex',
    json: { title: 'Annex again' },
    status: 201,
    sees: { deletedAt: isEmpty },
  },
];

/** Sites, rooms and their bookings. */
export const rooms: Flow = {
  name: 'rooms',
  steps: [...sites, ...places, ...bookings, ...ends],
};
