import { describe, expect, test } from 'vitest';
import { parseContract } from '../../src/contract/load.ts';
import {
  alarms,
  type Answered,
  type Call,
  findingsOf,
  type Service,
} from './fixture/inline-service.ts';

const json = (schema: string): string => `content: { application/json: { schema: ${schema} } }`;
const ref = (name: string): string => `{ $ref: '#/components/schemas/${name}' }`;
const refusals = `'400': { description: bad }, '401': { description: who are you },
  '403': { description: Another user made it. }, '404': { description: none },
  '409': { description: The desk is taken at this time. }, '415': { description: bad }`;

/** Bookings of one desk, which all users see and only their maker changes, and private drafts. */
const desk = parseContract(
  `openapi: 3.1.0
info: { title: A desk, version: '1' }
security: [{ bearer: [] }]
paths:
  /bookings:
    get: { operationId: listBookings, responses: { '200': { description: ok,
      ${json(`{ type: array, items: ${ref('Booking')} }`)} }, ${refusals} } }
    post: { operationId: addBooking, requestBody: { required: true, ${json(ref('Booking'))} },
      responses: { '201': { description: made, ${json(ref('Booking'))} }, ${refusals} } }
  /bookings/{bookingId}:
    parameters: [{ name: bookingId, in: path, required: true, schema: { type: string } }]
    get: { operationId: getBooking, responses: { '200': { description: ok,
      ${json(ref('Booking'))} }, ${refusals} } }
    put: { operationId: changeBooking, requestBody: { required: true, ${json(ref('Booking'))} },
      responses: { '200': { description: ok, ${json(ref('Booking'))} }, ${refusals} } }
    delete: { operationId: cancelBooking, description: The status becomes cancelled. A cancelled
      booking can still be read., responses: { '204': { description: ok }, ${refusals} } }
  /drafts:
    get: { operationId: listDrafts, parameters: [{ name: limit, in: query, schema: { type: integer,
      minimum: 1, maximum: 4, default: 4 } }], responses: { '200': { description: The first ones,
      ${json(`{ type: array, items: ${ref('Draft')} }`)} }, ${refusals} } }
    post: { operationId: addDraft, requestBody: { required: true, ${json(ref('Draft'))} },
      responses: { '201': { description: made, ${json(ref('Draft'))} }, ${refusals} } }
  /drafts/{draftId}:
    parameters: [{ name: draftId, in: path, required: true, schema: { type: string } }]
    get: { operationId: getDraft, responses: { '200': { description: ok,
      ${json(ref('Draft'))} }, ${refusals} } }
components:
  securitySchemes: { bearer: { type: http, scheme: bearer } }
  schemas:
    Draft: { type: object, required: [title], properties: { id: { type: string, readOnly: true },
      title: { type: string, minLength: 1, maxLength: 90, example: First } } }
    Booking: { type: object, required: [title, start, end], properties: { id: { type: string,
      readOnly: true }, title: { type: string, minLength: 1, maxLength: 90, example: Work },
      status: { type: string, enum: [confirmed, cancelled], readOnly: true },
      start: { type: string, format: date-time, example: '2026-05-04T09:00:00Z' },
      end: { type: string, format: date-time, example: '2026-05-04T10:00:00Z' } } }`,
  'desk.yaml',
);

type Quirk = 'others change' | 'others cancel' | 'others list' | 'quiet';

interface Booking {
  id: string;
  title: string;
  start: string;
  end: string;
  status: 'confirmed' | 'cancelled';
  user: string;
}

interface Draft {
  readonly id: string;
  readonly title: string;
  readonly user: string;
}

/** `quiet`: what others may not change is answered like a change, and stays as it is. */
function serviceOf(quirk?: Quirk): Service {
  const bookings: Booking[] = [];
  const drafts: Draft[] = [];
  return (call): Answered => {
    const { method, path } = call;
    const user = /^Bearer (tok-one-77|tok-two-88)$/.exec(call.header('Authorization') ?? '')?.[1];
    if (user === undefined) return { status: 401, headers: { 'WWW-Authenticate': 'Bearer' } };
    const isBody = method === 'POST' || method === 'PUT';
    if (isBody && call.header('Content-Type')?.startsWith('application/json') !== true)
      return { status: 415 };
    if (path[0] === 'drafts') return onDrafts(call, user);
    return path[0] === 'bookings' ? onBookings(call, user) : { status: 404 };
  };

  function onDrafts({ method, path: [, id], body, query }: Call, user: string): Answered {
    const own = drafts.filter((one) => one.user === user || quirk === 'others list');
    if (id !== undefined) {
      const found = drafts.find((one) => one.id === id && one.user === user);
      if (method !== 'GET') return { status: 405, headers: { Allow: 'GET, HEAD' } };
      return found === undefined ? { status: 404 } : { status: 200, json: shown(found) };
    }
    const limit = query.get('limit') ?? '4';
    if (method === 'GET')
      return /^[1-4]$/.test(limit)
        ? { status: 200, json: own.slice(0, Number(limit)).map(shown) }
        : { status: 400 };
    if (method !== 'POST') return { status: 405, headers: { Allow: 'GET, HEAD, POST' } };
    const title = readTitle(read(body));
    if (title === undefined) return { status: 400 };
    const made = { id: `draft-${String(100 + drafts.length)}`, title, user };
    drafts.push(made);
    return { status: 201, json: shown(made) };
  }

  function onBookings(call: Call, user: string): Answered {
    const { method, path, body } = call;
    const [, id] = path;
    if (id === undefined && method === 'GET') return { status: 200, json: bookings.map(shown) };
    if (id === undefined)
      return method === 'POST'
        ? add(read(body), user)
        : { status: 405, headers: { Allow: 'GET, HEAD, POST' } };
    const booking = bookings.find((one) => one.id === id);
    if (booking === undefined) return { status: 404 };
    if (method === 'GET') return { status: 200, json: shown(booking) };
    if (method === 'DELETE') return cancel(booking, user);
    if (method === 'PUT') return change(booking, read(body), user);
    return { status: 405, headers: { Allow: 'GET, HEAD, PUT, DELETE' } };
  }

  function add(given: Record<string, unknown>, user: string): Answered {
    const fields = readBooking(given);
    if (fields === undefined) return { status: 400 };
    if (isTaken(fields)) return { status: 409 };
    const id = `booking-${String(100 + bookings.length)}`;
    const made: Booking = { id, ...fields, status: 'confirmed', user };
    bookings.push(made);
    return { status: 201, json: shown(made) };
  }

  function change(booking: Booking, given: Record<string, unknown>, user: string): Answered {
    const fields = readBooking(given);
    const isOther = booking.user !== user && quirk !== 'others change';
    if (isOther) return quirk === 'quiet' ? { status: 200, json: shown(booking) } : { status: 403 };
    if (fields === undefined) return { status: 400 };
    if (isTaken(fields, booking)) return { status: 409 };
    Object.assign(booking, fields);
    return { status: 200, json: shown(booking) };
  }

  function cancel(booking: Booking, user: string): Answered {
    const isOther = booking.user !== user && quirk !== 'others cancel';
    if (isOther) return { status: quirk === 'quiet' ? 204 : 403 };
    booking.status = 'cancelled';
    return { status: 204 };
  }

  function isTaken({ start, end }: Pick<Booking, 'start' | 'end'>, except?: Booking): boolean {
    return bookings.some(
      (one) =>
        one !== except &&
        one.status === 'confirmed' &&
        Date.parse(one.start) < Date.parse(end) &&
        Date.parse(start) < Date.parse(one.end),
    );
  }
}

function shown<Record extends { readonly user: string }>({ user: _user, ...rest }: Record) {
  return rest;
}

function read(body: string): Record<string, unknown> {
  try {
    return (JSON.parse(body) ?? {}) as Record<string, unknown>;
  } catch {
    return {};
  }
}

function readTitle({ title }: Record<string, unknown>): string | undefined {
  const isTitle = typeof title === 'string' && title !== '' && [...title].length <= 90;
  return isTitle ? title : undefined;
}

function readBooking(given: Record<string, unknown>) {
  const { start, end } = given;
  const title = readTitle(given);
  if (title === undefined || !isMoment(start) || !isMoment(end)) return undefined;
  return { title, start, end };
}

function isMoment(value: unknown): value is string {
  return (
    typeof value === 'string' &&
    /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/i.test(value) &&
    !Number.isNaN(Date.parse(value))
  );
}

/** The findings about identities, of a second user who sees bookings, and no drafts of others. */
async function foundIn(quirk?: Quirk): Promise<string[]> {
  const findings = await findingsOf(desk, serviceOf(quirk), {
    identities: {
      one: { token: 'tok-one-77' },
      two: {
        token: 'tok-two-88',
        sees: { 'nothing-of': 'one', except: ['GET /bookings', 'GET /bookings/**'] },
      },
    },
  });
  return alarms(findings).filter((line) => line.includes('identity-'));
}

describe('records that all users see, and only their maker changes', () => {
  test('are no finding if the changes of others are refused', async () => {
    expect(await foundIn()).toEqual([]);
  });

  test('are no finding if the changes of others are accepted and change nothing', async () => {
    expect(await foundIn('quiet')).toEqual([]);
  });

  test('are a finding if others change them', async () => {
    expect((await foundIn('others change')).join('\n')).toMatch(
      /^error identity-sees-nothing changeBooking: .* to a PUT by two, .* two must not change\.$/,
    );
  });

  test('are a finding if others cancel them, and they stay with another status', async () => {
    expect((await foundIn('others cancel')).join('\n')).toMatch(
      /^error identity-sees-nothing cancelBooking: .* to a DELETE by two, which changed the record/,
    );
  });

  test('are a finding in a list of another user with earlier ones on its page', async () => {
    expect((await foundIn('others list')).join('\n')).toMatch(
      /^error identity-sees-nothing listDrafts: The list that two gets holds the record/,
    );
  });
});
