import { counts, has, inOrder, isEmpty, isThere, lacks, matches, not, only } from './claims.ts';
import type { Flow, Step } from './step.ts';

const box = '7.58,47.54,7.61,47.57';

const network: Step[] = [
  {
    does: 'is refused without a key',
    send: 'GET /v1/stops',
    as: 'anonymous',
    status: 401,
    sees: { 'error code': 'unauthenticated', 'error target': null, 'error requestId': isThere },
  },
  {
    does: 'finds the stops near the station, the nearest first',
    send: 'GET /v1/stops',
    query: { near: '47.5476,7.5896', radius: 800, lang: 'en' },
    sees: {
      'data 0 id': 'stop_1001',
      'data 0 name': 'Central Station',
      'data 0 distance': 0,
      'data * id': inOrder('stop_1001', 'stop_1010'),
      'header:content-language': 'en',
    },
  },
  {
    does: 'reads all stops of a box by their links',
    send: 'GET /v1/stops',
    query: { bbox: box, limit: 3, fields: 'name,zone' },
    next: { at: 'links next' },
    sees: { 'pages * data * zone': only('A'), 'pages 0 data * id': counts(3) },
  },
  {
    does: 'is refused a radius without a place',
    send: 'GET /v1/stops?radius=500',
    status: 400,
    sees: { 'error code': 'invalidParameter', 'error target': 'radius' },
  },
  {
    does: 'reads a stop by the languages of the browser',
    send: 'GET /v1/stops/stop_1003',
    headers: { 'Accept-Language': 'it, de;q=0.4, fr-CH;q=0.8' },
    sees: { 'data name': 'Place du Marché', 'header:last-modified': isThere },
    keeps: { stopTag: 'header:etag' },
  },
  {
    does: 'has the stop already',
    send: 'GET /v1/stops/stop_1003?lang=fr',
    headers: { 'If-None-Match': '"other", {stopTag}' },
    status: 304,
  },
  {
    does: 'lists the railway lines of an operator',
    send: 'GET /v1/lines?mode=rail&operatorId=nordbahn',
    sees: { 'data * code': ['S1', 'S3', 'S6'], 'meta total': 3, 'links next': null },
  },
  {
    does: 'sees the departures of the next two days',
    send: 'GET /v1/stops/stop_1001/departures',
    query: { lineId: 'line_50', from: new Date(Date.now() + 50 * 3_600_000).toISOString() },
    sees: {
      'data * lineId': ['line_50'],
      'data 0 status': 'onTime',
      'data 0 headsign': 'Flughafen',
    },
    keeps: { trip: 'data 0 tripId' },
  },
  {
    does: 'reads the trip',
    send: 'GET /v1/trips/{trip}',
    sees: { 'data calls': counts(3), 'data calls 0 arrival': null, 'data seatsLeft': 120 },
    keeps: { tripTag: 'header:etag' },
  },
];

const message = '/v1/disruptions/{message}';

const messages: Step[] = [
  {
    does: 'drafts a message',
    send: 'POST /v1/disruptions',
    json: {
      title: 'Night works in Muttenz',
      lineIds: ['line_S1', 'line_S3'],
      stopIds: ['stop_1016'],
      validFrom: '2026-03-01T22:00:00+01:00',
    },
    status: 201,
    sees: {
      'data status': 'draft',
      'data severity': 'minor',
      'data operatorId': 'nordbahn',
      'data validFrom': matches(/^2026-03-01T21:00:00(\.0+)?Z$/),
      'data publishedAt': null,
    },
    keeps: { message: 'data id', tag: 'header:etag' },
  },
  {
    does: 'keeps the draft from another operator',
    send: `GET ${message}`,
    as: 'second',
    status: 404,
    sees: { 'error code': 'notFound' },
  },
  {
    does: 'is refused a line of another operator',
    send: 'POST /v1/disruptions',
    json: { title: 'Not ours', lineIds: ['line_8'], validFrom: '2026-03-01T22:00:00Z' },
    status: 422,
    sees: { 'error target': 'lineIds' },
  },
  {
    does: 'changes the draft by its tag',
    send: `PATCH ${message}`,
    type: 'application/merge-patch+json',
    headers: { 'If-Match': '{tag}' },
    json: { severity: 'severe', text: 'Buses from platform 3' },
    sees: { 'data severity': 'severe', 'data stopIds': ['stop_1016'], 'header:etag': not('{tag}') },
  },
  {
    does: 'is refused the old tag',
    send: `PATCH ${message}`,
    headers: { 'If-Match': '{tag}' },
    json: { severity: 'info' },
    status: 412,
  },
  {
    does: 'publishes the message',
    send: `POST ${message}/publish`,
    sees: { 'data status': 'published', 'data publishedAt': isThere },
  },
  {
    does: 'lists it to everybody who asks for the moment',
    send: 'GET /v1/disruptions',
    query: { activeAt: '2026-03-02T00:00:00+02:00', severity: 'major,severe', lineId: 'line_S3' },
    as: 'keyOnly',
    sees: { 'data * id': ['{message}'], 'data * status': only('published') },
  },
  {
    does: 'is refused to move it to another line',
    send: `PATCH ${message}`,
    headers: { 'If-Match': '*' },
    json: { lineIds: ['line_S6'] },
    status: 409,
    sees: { 'error code': 'wrongState' },
  },
  { does: 'is refused to delete it', send: `DELETE ${message}`, status: 409 },
  {
    does: 'withdraws it',
    send: `POST ${message}/withdraw`,
    sees: { 'data status': 'withdrawn', 'data text': 'Buses from platform 3' },
  },
];

const journey = '/v1/journeys/{journey}';

const alerts: Step[] = [
  {
    does: 'sees stops to travel between',
    send: 'GET /v1/stops?limit=3',
    sees: { 'data * id': counts(3) },
    keeps: { home: 'data 0 id', via: 'data 1 id', work: 'data 2 id' },
  },
  {
    does: 'saves a journey',
    send: 'POST /v1/journeys',
    json: { name: 'Flow to work', fromStopId: '{home}', toStopId: '{work}', note: 'S3' },
    status: 201,
    sees: {
      'data days': ['mon', 'tue', 'wed', 'thu', 'fri'],
      'data departAfter': '07:00',
      'data activeAlerts': 0,
    },
    keeps: { journey: 'data id' },
  },
  {
    does: 'is refused the name in capitals',
    send: 'POST /v1/journeys',
    json: { name: 'FLOW TO WORK', fromStopId: '{home}', toStopId: '{work}' },
    status: 409,
    sees: { 'error code': 'duplicate' },
  },
  {
    does: 'subscribes to the journey',
    send: 'POST /v1/subscriptions',
    json: { journeyId: '{journey}', channel: 'email', destination: 'flow@partner.example' },
    status: 201,
    sees: { 'data status': 'pending', 'data minSeverity': 'minor', 'data lineId': null },
    keeps: { alert: 'data id' },
  },
  {
    does: 'is refused a wrong code',
    send: 'POST /v1/subscriptions/{alert}/confirm',
    json: { code: '111111' },
    status: 422,
    sees: { 'error code': 'wrongCode', 'error target': 'code' },
  },
  {
    does: 'confirms with the code of the sandbox',
    send: 'POST /v1/subscriptions/{alert}/confirm',
    json: { code: '424242' },
    sees: { 'data status': 'active', 'data confirmedAt': isThere },
  },
  {
    does: 'replaces the journey, which loses its note and keeps its alert',
    send: `PUT ${journey}`,
    json: {
      name: 'Flow home',
      fromStopId: '{work}',
      toStopId: '{home}',
      viaStopIds: ['{via}'],
      days: ['fri'],
    },
    sees: { 'data note': null, 'data activeAlerts': 1, 'data days': ['fri'] },
  },
  {
    does: 'finds the journey by where it passes',
    send: 'GET /v1/journeys?stopId={via}&day=fri',
    sees: { 'data * id': has('{journey}'), 'header:cache-control': matches(/no-store/) },
  },
  { does: 'deletes the journey', send: `DELETE ${journey}`, status: 204 },
  {
    does: 'has no subscription to it any more',
    send: 'GET /v1/subscriptions?journeyId={journey}',
    sees: { data: isEmpty, 'meta total': 0 },
  },
];

const booking = {
  tripId: '{trip}',
  adults: 3,
  children: 2,
  bicycles: 1,
  contactEmail: 'flow@partner.example',
};

const orders: Step[] = [
  {
    does: 'books for a group',
    send: 'POST /v1/orders',
    headers: { 'Idempotency-Key': 'flow-booking-1' },
    json: booking,
    status: 201,
    sees: {
      'data priceLines * kind': ['adult', 'child', 'bicycle', 'groupDiscount'],
      'data priceLines * amount': [2550, 850, 350, -340],
      'data totalAmount': 3410,
      'data status': 'booked',
    },
    keeps: { order: 'data id' },
  },
  {
    does: 'gets the same order for the same key',
    send: 'POST /v1/orders',
    headers: { 'Idempotency-Key': 'flow-booking-1' },
    json: booking,
    status: 201,
    sees: { 'data id': '{order}', 'header:idempotent-replayed': 'true' },
  },
  {
    does: 'sees the seats go',
    send: 'GET /v1/trips/{trip}',
    headers: { 'If-None-Match': '{tripTag}' },
    sees: { 'data seatsLeft': 115 },
  },
  {
    does: 'keeps the order from another account',
    send: 'GET /v1/orders?tripId={trip}',
    as: 'second',
    sees: { 'data * id': lacks('{order}') },
  },
  {
    does: 'cancels early and gets everything back',
    send: 'POST /v1/orders/{order}/cancel',
    sees: { 'data status': 'cancelled', 'data refundAmount': 3410, 'data cancelledAt': isThere },
  },
  {
    does: 'has the seats free again',
    send: 'GET /v1/trips/{trip}',
    headers: { 'If-None-Match': '{tripTag}' },
    status: 304,
  },
];

/** Public transport: stops and departures, a message, a journey with its alert, and a booking. */
export const transit: Flow = {
  name: 'transit',
  steps: [...network, ...messages, ...alerts, ...orders],
};
