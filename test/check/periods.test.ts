import { describe, expect, test } from 'vitest';
import { parseContract } from '../../src/contract/load.ts';
import {
  alarms,
  type Answered,
  type Call,
  findingsOf,
  type Service,
} from './fixture/inline-service.ts';

/** What the service does wrong. */
type Quirk =
  'calls-it-422' | 'takes-twice' | 'refuses-next' | 'blocks-itself' | 'moves-onto' | 'stays-taken';

const json = (name: string): string =>
  `content: { application/json: { schema: { $ref: '#/components/schemas/${name}' } } }`;

const text = `openapi: 3.1.0
info: { title: Desks, version: '1' }
paths:
  /desks:
    get: { operationId: listDesks, responses: { '200': { description: All, ${json('Desks')} } } }
    post:
      operationId: createDesk
      requestBody: { required: true, ${json('Desk')} }
      responses: { '201': { description: Made, ${json('Desk')} }, '400': { description: Wrong } }
  /bookings:
    get: { operationId: listBookings, responses: { '200': { description: All, ${json('All')} } } }
    post:
      operationId: book
      description: Two bookings of a desk may not overlap. One may start when another one ends.
      requestBody: { required: true, ${json('Booking')} }
      responses:
        '201': { description: Made, ${json('Booking')} }
        '400': { description: Wrong }
        '409': { description: Another booking has the desk at this time. }
        '422': { description: There is no such desk. }
  /bookings/{bookingId}:
    parameters: [{ name: bookingId, in: path, required: true, schema: { type: string } }]
    get:
      operationId: getBooking
      responses: { '200': { description: One, ${json('Booking')} }, '404': { description: None } }
    patch:
      operationId: move
      requestBody: { required: true, ${json('Move')} }
      responses:
        '200': { description: Moved, ${json('Booking')} }
        '400': { description: Wrong }
        '404': { description: None }
        '409': { description: Another booking has the desk at this time. }
    delete:
      operationId: cancel
      responses: { '204': { description: Gone }, '404': { description: None } }
components:
  schemas:
    Desk:
      type: object
      required: [name]
      properties: { id: { type: string, readOnly: true }, name: { type: string, minLength: 1 } }
    Desks: { type: array, items: { $ref: '#/components/schemas/Desk' } }
    Move:
      type: object
      properties:
        start: { type: string, format: date-time }
        end: { type: string, format: date-time }
    Booking:
      type: object
      required: [deskId, start, end]
      properties:
        id: { type: string, readOnly: true }
        deskId: { type: string, minLength: 1 }
        start: { type: string, format: date-time, example: '2027-05-04T09:00:00Z' }
        end: { type: string, format: date-time, example: '2027-05-04T10:00:00Z' }
    All: { type: array, items: { $ref: '#/components/schemas/Booking' } }
`;

interface Booking {
  id: string;
  deskId: string;
  start: string;
  end: string;
}

const isMoment = (value: unknown): value is string =>
  typeof value === 'string' &&
  /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d/.test(value) &&
  !Number.isNaN(Date.parse(value));

/** Desks, and bookings of them that do not overlap. */
function service(quirk?: Quirk): Service {
  let last = 100;
  const newId = (): string => `d-${String((last += 1))}`;
  const desks = new Map<string, { id: string; name: string }>();
  const bookings = new Map<string, Booking>();
  const past: Booking[] = [];
  const bodyOf = ({ body }: Call): Record<string, unknown> => {
    try {
      const value: unknown = JSON.parse(body);
      const isRecord = typeof value === 'object' && value !== null && !Array.isArray(value);
      return isRecord ? (value as Record<string, unknown>) : {};
    } catch {
      return {};
    }
  };
  const isTaken = (one: Booking): boolean =>
    [...bookings.values(), ...(quirk === 'stays-taken' ? past : [])].some((other) => {
      if (other.deskId !== one.deskId) return false;
      if (other.id === one.id && quirk !== 'blocks-itself') return false;
      const [from, to] = [Date.parse(one.start), Date.parse(one.end)];
      const touches = quirk === 'refuses-next' && from === Date.parse(other.end);
      return touches || (from < Date.parse(other.end) && to > Date.parse(other.start));
    });
  const onDesks = (call: Call): Answered => {
    if (call.method === 'GET') return { status: 200, json: [...desks.values()] };
    const { name } = bodyOf(call);
    if (typeof name !== 'string' || name === '') return { status: 400 };
    const desk = { id: newId(), name };
    desks.set(desk.id, desk);
    return { status: 201, json: desk };
  };
  const onBookings = (call: Call): Answered => {
    const id = call.path[1];
    const { deskId, start, end } = bodyOf(call);
    if (id === undefined) {
      if (call.method === 'GET') return { status: 200, json: [...bookings.values()] };
      if (typeof deskId !== 'string' || deskId === '') return { status: 400 };
      if (!isMoment(start) || !isMoment(end)) return { status: 400 };
      if (!desks.has(deskId)) return { status: 422 };
      const made = { id: newId(), deskId, start, end };
      if (isTaken(made) && quirk === 'calls-it-422') return { status: 422 };
      if (isTaken(made) && quirk !== 'takes-twice') return { status: 409 };
      bookings.set(made.id, made);
      return { status: 201, json: made };
    }
    const booking = bookings.get(id);
    if (booking === undefined) return { status: 404 };
    if (call.method === 'DELETE') {
      bookings.delete(id);
      past.push(booking);
      return { status: 204 };
    }
    if (call.method === 'GET') return { status: 200, json: booking };
    if ([start, end].some((moment) => moment !== undefined && !isMoment(moment)))
      return { status: 400 };
    const moved = {
      ...booking,
      ...(isMoment(start) ? { start } : {}),
      ...(isMoment(end) ? { end } : {}),
    };
    if (isTaken(moved) && quirk !== 'moves-onto') return { status: 409 };
    bookings.set(id, moved);
    return { status: 200, json: moved };
  };
  return (call) => {
    if (!['GET', 'POST', 'PATCH', 'DELETE'].includes(call.method)) return { status: 405 };
    return call.path[0] === 'desks' ? onDesks(call) : onBookings(call);
  };
}

async function alarmsOf(quirk?: Quirk): Promise<string[]> {
  const findings = await findingsOf(parseContract(text, 'desks.yaml'), service(quirk));
  return alarms(findings).filter((line) => line.includes('periods-hold'));
}

describe('periods', () => {
  test('a service that keeps them apart has no finding', async () => {
    expect(await alarmsOf()).toEqual([]);
  });

  test.each<[Quirk, string]>([
    ['calls-it-422', 'error periods-hold book: The server answered 422 to a POST of the same'],
    ['takes-twice', 'error periods-hold book: The server accepted (201) a POST of'],
    [
      'refuses-next',
      'error periods-hold book: The server answered 409 to a POST of a period right',
    ],
    ['blocks-itself', 'error periods-hold move: The server answered 409 to a PATCH by a part'],
    ['moves-onto', 'error periods-hold move: The server accepted (200) a PATCH onto'],
    ['stays-taken', 'error periods-hold book: The server answered 409 to a POST of a period that'],
  ])('%s is an %s', async (quirk, expected) => {
    const lines = await alarmsOf(quirk);
    expect(lines.map((line) => line.slice(0, expected.length))).toContain(expected);
  });
});
