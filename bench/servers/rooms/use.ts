import type { Ask, Client, Got } from '../serving/client.ts';

/** Whether a defect shows to this client. */
export type Show = (client: Client) => Promise<boolean>;

export interface SiteView {
  readonly name: string;
  readonly title: string;
  readonly timeZone: string;
  readonly floors: number;
  readonly roomCount: number;
  readonly roomsHref: string;
  readonly deletedAt?: string;
}

export interface RoomView {
  readonly id: string;
  readonly siteName: string;
  readonly name: string;
  readonly capacity: number;
  readonly equipment: readonly string[];
  readonly notes: string | null;
  readonly pricePerHour: number;
  readonly site: { readonly title: string };
  readonly bookingCount: number;
  readonly imageHref: string | null;
  readonly deletedAt?: string;
}

export interface BookingView {
  readonly id: string;
  readonly roomId: string;
  readonly title: string;
  readonly start: string;
  readonly end: string;
  readonly status: string;
  readonly organizer: string;
  readonly attendeeCount: number;
  readonly recurrence?: { readonly interval?: number };
  readonly room: { readonly name: string };
}

export interface PageView<Record> {
  readonly items: readonly Record[];
  readonly page: number;
  readonly total: number;
}

let last = 0;

/** A name that no other record has. */
export function unique(prefix: string): string {
  last += 1;
  return `${prefix}-${String(last)}-${String(process.pid)}`;
}

export function putSite(
  client: Client,
  name: string,
  fields: object = {},
  ask: Ask = {},
): Promise<Got<SiteView>> {
  const json = { title: 'Site', ...fields };
  return client.ask<SiteView>('PUT', `/sites/${name}`, { json, ...ask });
}

export async function newSite(client: Client, fields: object = {}): Promise<SiteView> {
  return (await putSite(client, unique('site'), fields)).body;
}

export async function readSite(client: Client, name: string, query = ''): Promise<SiteView> {
  return (await client.ask<SiteView>('GET', `/sites/${name}${query}`)).body;
}

export function postRoom(
  client: Client,
  siteName: string,
  fields: object = {},
  ask: Ask = {},
): Promise<Got<RoomView>> {
  const json = { name: unique('Room'), capacity: 4, ...fields };
  return client.ask<RoomView>('POST', `/sites/${siteName}/rooms`, { json, ...ask });
}

/** Creates a room, in a new site without one. */
export async function newRoom(
  client: Client,
  fields: object = {},
  siteName?: string,
): Promise<RoomView> {
  const name = siteName ?? (await newSite(client)).name;
  return (await postRoom(client, name, fields)).body;
}

export async function readRoom(client: Client, id: string, query = ''): Promise<RoomView> {
  return (await client.ask<RoomView>('GET', `/rooms/${id}${query}`)).body;
}

/** Rooms of a new site, in this order. */
export async function newRooms(
  client: Client,
  all: readonly object[],
): Promise<{ name: string; ids: string[] }> {
  const { name } = await newSite(client);
  const ids: string[] = [];
  for (const fields of all) ids.push((await newRoom(client, fields, name)).id);
  return { name, ids };
}

export function listRooms(
  client: Client,
  site: string,
  query = '',
): Promise<Got<PageView<RoomView>>> {
  return client.ask<PageView<RoomView>>('GET', `/sites/${site}/rooms?${query}`);
}

/** Whether the list of rooms has others, or in another order, than these. */
export async function listsOther(
  client: Client,
  site: string,
  { query, ids }: { query: string; ids: readonly (string | undefined)[] },
): Promise<boolean> {
  const { body } = await listRooms(client, site, query);
  return (body.items ?? []).map(({ id }) => id).join() !== ids.join();
}

/** A time on March 1, 2027. */
export const at = (time: string): string => `2027-03-01T${time}:00Z`;

export const nineToTen = { start: at('09:00'), end: at('10:00') };

export async function post(
  client: Client,
  fields: object = {},
  ask: Ask = {},
): Promise<Got<BookingView>> {
  const room = Object.hasOwn(fields, 'roomId') ? {} : { roomId: (await newRoom(client)).id };
  const json = { ...room, title: 'Meeting', ...nineToTen, ...fields };
  return client.ask<BookingView>('POST', '/bookings', { json, ...ask });
}

export async function book(client: Client, fields: object = {}): Promise<BookingView> {
  return (await post(client, fields)).body;
}

export async function readBooking(client: Client, id: string): Promise<BookingView> {
  return (await client.ask<BookingView>('GET', `/bookings/${id}`)).body;
}

export function cancel(client: Client, id: string, ask: Ask = {}): Promise<Got<unknown>> {
  return client.ask('DELETE', `/bookings/${id}`, ask);
}

const mergePatch = 'application/merge-patch+json';
export const jsonPatch = 'application/json-patch+json';

export function change(
  client: Client,
  id: string,
  fields: object,
  ask: Ask = {},
): Promise<Got<BookingView>> {
  const json = fields;
  return client.ask<BookingView>('PATCH', `/bookings/${id}`, { json, type: mergePatch, ...ask });
}

export function patchRoom(
  client: Client,
  id: string,
  json: unknown,
  type = mergePatch,
): Promise<Got<RoomView>> {
  return client.ask<RoomView>('PATCH', `/rooms/${id}`, { json, type });
}

export async function listBookings(client: Client, query: string): Promise<PageView<BookingView>> {
  return (await client.ask<PageView<BookingView>>('GET', `/bookings?${query}`)).body;
}

/** The ids of the rooms that are free on March 1, 2027, or another day, from nine to ten. */
export async function free(
  client: Client,
  site: string,
  { query = '', day = '2027-03-01', hour = 9 } = {},
): Promise<{ ids: string[]; from: string }> {
  const time = (number: number): string => `${day}T${String(number).padStart(2, '0')}:00`;
  const { body } = await client.ask<{ from: string; rooms: RoomView[] }>(
    'GET',
    `/availability?siteName=${site}&from=${time(hour)}&to=${time(hour + 1)}${query}`,
  );
  return { ids: (body.rooms ?? []).map(({ id }) => id), from: body.from };
}

/** The property lines of a calendar, by event. */
function eventsOf(text: string): string[][] {
  const lines = text.replaceAll(/\r?\n[ \t]/g, '').split(/\r?\n/);
  const events: string[][] = [];
  for (const line of lines)
    if (line === 'BEGIN:VEVENT') events.push([]);
    else events.at(-1)?.push(line);
  return events;
}

export async function calendar(client: Client, roomId: string): Promise<string[][]> {
  return eventsOf((await client.ask('GET', `/rooms/${roomId}/calendar`)).text);
}

/** The path and query of the link with this relation. */
export function linkOf(headers: Headers, rel: string): string | undefined {
  for (const part of (headers.get('link') ?? '').split(/,\s*(?=<)/))
    if (part.includes(`rel="${rel}"`)) return /<(?:https?:\/\/[^/]+)?([^>]*)>/.exec(part)?.[1];
  return undefined;
}
