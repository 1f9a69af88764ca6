import type { Client } from '../serving/client.ts';
import type { defects } from './defects.ts';
import {
  at,
  book,
  cancel,
  free,
  linkOf,
  listBookings,
  listRooms,
  listsOther,
  newRoom,
  newRooms,
  newSite,
  putSite,
  readRoom,
  readSite,
  unique,
  type PageView,
  type RoomView,
  type Show,
  type SiteView,
} from './use.ts';

type Of<Kind extends keyof typeof defects> = Record<keyof (typeof defects)[Kind], Show>;

const three = [{ capacity: 9 }, { capacity: 100 }, { capacity: 25 }];

const equipped = [
  { equipment: ['screen'] },
  { equipment: ['phone'] },
  { equipment: ['phone', 'screen'] },
];

/** The ids of bookings from nine to ten in one room that the query lists. */
async function isListed(client: Client, query: string, fields: object = {}): Promise<boolean> {
  const { id, roomId } = await book(client, fields);
  const { items } = await listBookings(client, `roomId=${roomId}&${query}`);
  return items.some((one) => one.id === id);
}

const filters: Of<'filters'> = {
  'min-capacity-excludes-bound': async (client) => {
    const { name, ids } = await newRooms(client, three);
    return listsOther(client, name, { query: 'minCapacity=25', ids: ids.slice(1) });
  },
  'equipment-any': async (client) => {
    const { name, ids } = await newRooms(client, equipped);
    return listsOther(client, name, { query: 'equipment=screen,phone', ids: ids.slice(2) });
  },
  'equipment-first-only': async (client) => {
    const { name, ids } = await newRooms(client, equipped);
    return listsOther(client, name, { query: 'equipment=screen,phone', ids: ids.slice(2) });
  },
  'room-filter-ignored': async (client) => {
    const { id } = await newRoom(client);
    await book(client);
    return (await listBookings(client, `roomId=${id}`)).total !== 0;
  },
  'booking-status-ignored': (client) => isListed(client, 'status=cancelled'),
  'from-compares-start': async (client) => !(await isListed(client, `from=${at('09:30')}`)),
  'to-includes-bound': (client) => isListed(client, `to=${at('09:00')}`),
  'filter-ignores-offset': async (client) =>
    !(await isListed(client, 'from=2027-03-01T11:00:00%2B02:00')),
  'search-case-sensitive': async (client) => {
    const { id, name } = await newRoom(client);
    const path = `/rooms/search?q=${name.toUpperCase()}`;
    return !(await client.ask<RoomView[]>('GET', path)).body.some((room) => room.id === id);
  },
};

async function deletedSite(client: Client): Promise<string> {
  const { name } = await newSite(client);
  await client.ask('DELETE', `/sites/${name}`);
  return name;
}

/** Whether the list of sites, with all its pages, has this one. */
async function hasSite(client: Client, name: string, query: string): Promise<boolean> {
  for (let page = 1; page < 8; page += 1) {
    const path = `/sites?pageSize=50&page=${String(page)}${query}`;
    const { items } = (await client.ask<PageView<SiteView>>('GET', path)).body;
    if (items.some((site) => site.name === name)) return true;
    if (items.length < 50) return false;
  }
  return false;
}

async function deletedRoom(client: Client): Promise<RoomView> {
  const room = await newRoom(client);
  await client.ask('DELETE', `/rooms/${room.id}`);
  return room;
}

const deletion: Of<'deletion'> = {
  'deleted-listed': async (client) => hasSite(client, await deletedSite(client), ''),
  'deleted-never-listed': async (client) =>
    !(await hasSite(client, await deletedSite(client), '&includeDeleted=true')),
  'deleted-readable': async (client) => {
    const { id } = await deletedRoom(client);
    return (await client.ask('GET', `/rooms/${id}`)).status !== 404;
  },
  'delete-is-hard': async (client) => {
    const { id } = await deletedRoom(client);
    return (await client.ask('GET', `/rooms/${id}?includeDeleted=true`)).status !== 200;
  },
  'deleted-at-missing': async (client) => {
    const { id } = await deletedRoom(client);
    return (await readRoom(client, id, '?includeDeleted=true')).deletedAt === undefined;
  },
  'deleted-counts': async (client) => {
    const { siteName } = await deletedRoom(client);
    return (await listRooms(client, siteName)).body.total !== 0;
  },
  'put-does-not-restore': async (client) => {
    const name = await deletedSite(client);
    await putSite(client, name);
    return (await client.ask('GET', `/sites/${name}`)).status !== 200;
  },
};

/** The ids of all pages that the next links lead to, at most eight. */
async function follow(client: Client, site: string, query: string): Promise<string[]> {
  const ids: string[] = [];
  let path: string | undefined = `/sites/${site}/rooms?${query}`;
  for (let pages = 0; pages < 8 && path !== undefined; pages += 1) {
    const { body, headers } = await client.ask<PageView<RoomView>>('GET', path);
    ids.push(...body.items.map(({ id }) => id));
    path = linkOf(headers, 'next');
  }
  return ids;
}

async function followsOther(client: Client): Promise<boolean> {
  const { name, ids } = await newRooms(client, three);
  return (await follow(client, name, 'pageSize=2')).join() !== ids.join();
}

const paging: Of<'paging'> = {
  'page-ignored': followsOther,
  'pages-overlap': followsOther,
  'page-size-ignored': async (client) => {
    const { name } = await newRooms(client, three);
    return (await listRooms(client, name, 'pageSize=2')).body.items.length !== 2;
  },
  'total-of-page': async (client) => {
    const { name } = await newRooms(client, three);
    return (await listRooms(client, name, 'pageSize=2')).body.total !== 3;
  },
  'link-missing': followsOther,
  'link-forgets-filter': async (client) => {
    const { name, ids } = await newRooms(client, [{ capacity: 30 }, ...three]);
    const expected = [ids[0], ids[2], ids[3]];
    const found = await follow(client, name, 'pageSize=2&minCapacity=25');
    return found.join() !== expected.join();
  },
  'link-next-on-last': async (client) => {
    const { name } = await newRooms(client, three);
    const { headers } = await listRooms(client, name, 'pageSize=3');
    return linkOf(headers, 'next') !== undefined;
  },
  'beyond-last-repeats': async (client) => {
    const { name } = await newRooms(client, three);
    return (await listRooms(client, name, 'page=2')).body.items.length !== 0;
  },
};

async function sortsOther(client: Client, sort: string, order: readonly number[]) {
  const { name, ids } = await newRooms(client, three);
  const sorted = order.map((index) => ids[index]);
  return listsOther(client, name, { query: `sort=${sort}`, ids: sorted });
}

const sorting: Of<'sorting'> = {
  'sort-ignored': (client) => sortsOther(client, 'capacity', [0, 2, 1]),
  'capacity-sorted-as-text': (client) => sortsOther(client, 'capacity', [0, 2, 1]),
  'descending-ignored': (client) => sortsOther(client, '-capacity', [1, 2, 0]),
  'bookings-by-creation': async (client) => {
    const { id, roomId } = await book(client);
    const early = await book(client, { roomId, start: at('07:00'), end: at('08:00') });
    const { items } = await listBookings(client, `roomId=${roomId}`);
    return items.map((one) => one.id).join() !== [early.id, id].join();
  },
  'sites-by-creation': async (client) => {
    await putSite(client, unique('b'));
    await putSite(client, unique('a'));
    const { body } = await client.ask<PageView<SiteView>>('GET', '/sites?pageSize=50');
    const names = body.items.map(({ name }) => name);
    return names.join() !== names.toSorted().join();
  },
};

const timeZones: Of<'timeZones'> = {
  'zone-ignored': async (client) => {
    const { name } = await newSite(client);
    const { from } = await free(client, name, { query: '&timeZone=Asia/Tokyo' });
    return Date.parse(from) !== Date.parse(at('00:00'));
  },
  'site-zone-ignored': async (client) => {
    const { name } = await newSite(client, { timeZone: 'America/New_York' });
    return Date.parse((await free(client, name)).from) !== Date.parse(at('14:00'));
  },
  'no-summer-time': async (client) => {
    const { name } = await newSite(client);
    const { from } = await free(client, name, { day: '2027-07-01' });
    return Date.parse(from) !== Date.parse('2027-07-01T07:00:00Z');
  },
  'offset-dropped': async (client) => {
    const { start } = await book(client, { start: '2027-03-01T10:30:00+02:00' });
    return Date.parse(start) !== Date.parse(at('08:30'));
  },
};

const inUtc = { timeZone: 'UTC' };

/** Whether a room with this booking from nine to ten UTC is free then. */
async function isFree(client: Client, fields: object, when: { day?: string } = {}) {
  const { name } = await newSite(client, inUtc);
  const { id: roomId } = await newRoom(client, {}, name);
  const booking = await book(client, { roomId, ...fields });
  return { booking, name, isFree: (await free(client, name, when)).ids.includes(roomId) };
}

const availability: Of<'availability'> = {
  'busy-is-free': async (client) =>
    (await isFree(client, { start: at('09:15'), end: at('09:45') })).isFree,
  'recurring-is-free': async (client) => {
    const recurrence = { frequency: 'weekly', count: 3 };
    return (await isFree(client, { recurrence }, { day: '2027-03-15' })).isFree;
  },
  'capacity-ignored': async (client) => {
    const { name, ids } = await newRooms(client, three);
    const found = await free(client, name, { query: '&minCapacity=25' });
    return found.ids.join() !== ids.slice(1).join();
  },
  'deleted-is-free': async (client) => {
    const { id, siteName } = await deletedRoom(client);
    return (await free(client, siteName)).ids.includes(id);
  },
  'cancelled-is-busy': async (client) => {
    const { booking, name } = await isFree(client, {});
    await cancel(client, booking.id);
    return !(await free(client, name)).ids.includes(booking.roomId);
  },
};

const counts: Of<'counts'> = {
  'room-count-not-raised': async (client) => {
    const { siteName } = await newRoom(client);
    return (await readSite(client, siteName)).roomCount !== 1;
  },
  'room-count-with-deleted': async (client) => {
    const { siteName } = await deletedRoom(client);
    return (await readSite(client, siteName)).roomCount !== 0;
  },
  'attendee-count-stale': async (client) => {
    const { id } = await book(client);
    const json = { email: 'kim@visitors.example' };
    await client.ask('POST', `/bookings/${id}/attendees`, { json });
    const { body } = await client.ask('GET', `/bookings/${id}`);
    return body['attendeeCount'] !== 1;
  },
  'booking-count-with-cancelled': async (client) => {
    const { id, roomId } = await book(client);
    await cancel(client, id);
    return (await readRoom(client, roomId)).bookingCount !== 0;
  },
};

export const listShows = {
  ...filters,
  ...deletion,
  ...paging,
  ...sorting,
  ...timeZones,
  ...availability,
  ...counts,
};
