import type { Client, Got } from '../serving/client.ts';
import { unique } from '../serving/showing.ts';

export interface CallView {
  readonly stopId: string;
  readonly departure: string | null;
}

export interface PriceLineView {
  readonly kind: string;
  readonly amount: number;
}

/** What any record may have. */
export interface View {
  readonly id: string;
  readonly name: string;
  readonly location: { readonly lat: number; readonly lon: number };
  readonly modes: readonly string[];
  readonly lineIds: readonly string[];
  readonly stopIds: readonly string[];
  readonly distance: number;
  readonly calls: readonly CallView[];
  readonly seatsLeft: number;
  readonly prices: { readonly adult: number };
  readonly tripId: string;
  readonly plannedTime: string;
  readonly expectedTime: string | null;
  readonly delayMinutes: number;
  readonly status: string;
  readonly severity: string;
  readonly title: string;
  readonly text: string | null;
  readonly days: readonly string[];
  readonly note: string | null;
  readonly activeAlerts: number;
  readonly destination: string;
  readonly priceLines: readonly PriceLineView[];
  readonly totalAmount: number;
  readonly refundAmount: number | null;
  readonly createdAt: string;
  readonly modifiedAt: string;
}

/** An answer: one record or a list, or an error. */
export interface Body {
  readonly data?: View | readonly View[];
  readonly meta: { readonly count: number; readonly total: number };
  readonly links: { readonly next: string | null };
  readonly error?: { readonly target: string | null; readonly requestId: string };
}

export type Reply = Promise<Got<Body>>;
type Headers = Readonly<Record<string, string>>;

export interface How {
  readonly as?: string;
  readonly headers?: Headers;
}

export const read = (client: Client, path: string, how: How = {}): Reply =>
  client.ask<Body>('GET', `/v1/${path}`, how);

export const post = (client: Client, path: string, json?: object, how: How = {}): Reply =>
  client.ask<Body>('POST', `/v1/${path}`, json === undefined ? how : { json, ...how });

export const put = (client: Client, path: string, json: object): Reply =>
  client.ask<Body>('PUT', `/v1/${path}`, { json });

export const remove = (client: Client, path: string): Reply =>
  client.ask<Body>('DELETE', `/v1/${path}`);

/** A merge patch, of the current tag or of any. */
export const patch = (client: Client, path: string, json: object, tag = '*'): Reply => {
  const type = 'application/merge-patch+json';
  return client.ask<Body>('PATCH', `/v1/${path}`, { json, type, headers: { 'If-Match': tag } });
};

/** The record of an answer; without one, an empty record. */
export async function recordIn(reply: Reply): Promise<View> {
  const { data = {} } = (await reply).body;
  return (Array.isArray(data) ? {} : data) as View;
}

/** The records of a list. */
export async function recordsIn(reply: Reply): Promise<readonly View[]> {
  const { data } = (await reply).body;
  return Array.isArray(data) ? (data as readonly View[]) : [];
}

export const again = (client: Client, path: string): Promise<View> => recordIn(read(client, path));

export const tagIn = async (reply: Reply): Promise<string> =>
  (await reply).headers.get('etag') ?? '';

/** Whether the list at the path has a record with this id. */
export const lists = async (
  client: Client,
  path: string,
  id: string,
  how?: How,
): Promise<boolean> =>
  (await recordsIn(read(client, path, how))).some((record) => record.id === id);

/** A moment so many hours from now. */
export const inHours = (hours: number): string =>
  new Date(Date.now() + hours * 3_600_000).toISOString();

const station = 'stop_1001';

/** Departures from the central station, from so many hours on until so many from now. */
export const departures = (client: Client, from: number, until: number): Promise<readonly View[]> =>
  recordsIn(
    read(client, `stops/${station}/departures?from=${inHours(from)}&until=${inHours(until)}`),
  );

interface Wanted {
  readonly from?: number;
  readonly until?: number;
  readonly seats?: number;
  readonly most?: number;
}

/** A trip that can be booked, which leaves within these hours with at least so many seats. */
export async function bookable(
  client: Client,
  { from = 1, until = 60, seats = 1, most = Infinity }: Wanted = {},
): Promise<View> {
  for (const { tripId, status } of await departures(client, from, until)) {
    const trip = await again(client, `trips/${tripId}`);
    const start = Date.parse(trip.calls[0]?.departure ?? '');
    const isFit = start > Date.now() && trip.seatsLeft >= seats && trip.seatsLeft <= most;
    if (status !== 'cancelled' && isFit) return trip;
  }
  throw new Error('There is no trip to book.');
}

const party = ({ id }: View, members: object = {}): object => ({
  tripId: id,
  adults: 1,
  contactEmail: 'travel@partner.example',
  ...members,
});

export const book = (client: Client, trip: View, members: object = {}, how: How = {}): Reply =>
  post(client, 'orders', party(trip, members), how);

export const message = (members: object = {}): object => ({
  title: unique('Works'),
  lineIds: ['line_S1'],
  validFrom: inHours(-1),
  ...members,
});

export const draft = (client: Client, members: object = {}): Promise<View> =>
  recordIn(post(client, 'disruptions', message(members)));

export async function published(client: Client, members: object = {}): Promise<View> {
  const { id } = await draft(client, members);
  return recordIn(post(client, `disruptions/${id}/publish`));
}

export const way = (members: object = {}): object => ({
  name: unique('Way'),
  fromStopId: 'stop_1001',
  toStopId: 'stop_1007',
  ...members,
});

export const journey = (client: Client, members: object = {}): Promise<View> =>
  recordIn(post(client, 'journeys', way(members)));

export const alert = (client: Client, members: object = {}): Promise<View> =>
  recordIn(
    post(client, 'subscriptions', {
      lineId: 'line_S3',
      channel: 'email',
      destination: `${unique('alerts')}@partner.example`,
      ...members,
    }),
  );

export const confirm = (client: Client, { id }: View, code = '424242'): Reply =>
  post(client, `subscriptions/${id}/confirm`, { code });
