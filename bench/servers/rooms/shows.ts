import type { Client } from '../serving/client.ts';
import type { DefectName, defects } from './defects.ts';
import { listShows } from './show-lists.ts';
import { hook, recordShows } from './show-records.ts';
import {
  at,
  book,
  calendar,
  cancel,
  change,
  jsonPatch,
  listRooms,
  newRoom,
  newSite,
  patchRoom,
  post,
  postRoom,
  putSite,
  readRoom,
  type Show,
} from './use.ts';

type Of<Kind extends keyof typeof defects> = Record<keyof (typeof defects)[Kind], Show>;

const pathOf = (link: string | null | undefined): string =>
  (link ?? '/nowhere').replace(/^https?:\/\/[^/]+/, '');

const everyByte = Buffer.from(Array.from({ length: 512 }, (_, index) => index % 256));

async function upload(client: Client, type: string): Promise<string> {
  const { id } = await newRoom(client);
  await client.ask('PUT', `/rooms/${id}/image`, { bytes: everyByte, type });
  return id;
}

async function imageLeadsElsewhere(client: Client): Promise<boolean> {
  const { imageHref } = await readRoom(client, await upload(client, 'image/png'));
  return (await client.ask('GET', pathOf(imageHref))).status !== 200;
}

const links: Of<'links'> = {
  'rooms-href-broken': async (client) => {
    const { roomsHref } = await newSite(client);
    return (await client.ask('GET', pathOf(roomsHref))).status !== 200;
  },
  'image-href-broken': imageLeadsElsewhere,
  'image-href-always-null': imageLeadsElsewhere,
  'location-without-id': async (client) => {
    const { headers, body } = await post(client);
    const found = await client.ask('GET', pathOf(headers.get('location')));
    return found.body['id'] !== body.id;
  },
};

async function etagOf(client: Client, path: string): Promise<string> {
  return (await client.ask('GET', path)).headers.get('etag') ?? '';
}

const conditions: Of<'conditions'> = {
  'etag-constant': async (client) => {
    const { id } = await newRoom(client);
    const before = await etagOf(client, `/rooms/${id}`);
    await patchRoom(client, id, { capacity: 9 });
    return (await etagOf(client, `/rooms/${id}`)) === before;
  },
  'if-match-ignored': async (client) => {
    const { id } = await book(client);
    const headers = { 'If-Match': await etagOf(client, `/bookings/${id}`) };
    await change(client, id, { title: 'Second' });
    return (await change(client, id, { title: 'Third' }, { headers })).status !== 412;
  },
  'put-if-match-ignored': async (client) => {
    const { name } = await newSite(client);
    const headers = { 'If-Match': '"stale"' };
    return (await putSite(client, name, { title: 'Second' }, { headers })).status !== 412;
  },
  'if-none-match-ignored': async (client) => {
    const { id } = await newRoom(client);
    const headers = { 'If-None-Match': await etagOf(client, `/rooms/${id}`) };
    return (await client.ask('GET', `/rooms/${id}`, { headers })).status !== 304;
  },
};

async function isAdmitted(client: Client, path: string, as: string): Promise<boolean> {
  return (await client.ask('GET', path, { as })).status !== 401;
}

const credentials: Of<'credentials'> = {
  'no-key-needed': (client) => isAdmitted(client, '/sites', 'anonymous'),
  'any-key-accepted': (client) => isAdmitted(client, '/sites', 'wrongKey'),
  'calendar-without-key': async (client) => {
    const { id } = await newRoom(client);
    return isAdmitted(client, `/rooms/${id}/calendar`, 'anonymous');
  },
  'key-prefix-accepted': (client) => isAdmitted(client, '/sites', 'prefix'),
};

async function imageDiffers(client: Client, type: string): Promise<boolean> {
  const id = await upload(client, type);
  const { bytes, headers } = await client.ask('GET', `/rooms/${id}/image`);
  return !bytes.equals(everyByte) || headers.get('content-type') !== type;
}

const files: Of<'files'> = {
  'image-as-text': (client) => imageDiffers(client, 'image/png'),
  'image-always-png': (client) => imageDiffers(client, 'image/jpeg'),
  'image-with-line-end': (client) => imageDiffers(client, 'image/png'),
  'image-of-other-room': async (client) => {
    const { id } = await newRoom(client);
    await upload(client, 'image/png');
    return (await client.ask('GET', `/rooms/${id}/image`)).status !== 404;
  },
};

/** The event of a booking in the calendar of its room. */
async function eventOf(client: Client, fields: object = {}): Promise<string[] | undefined> {
  const { id, roomId } = await book(client, fields);
  return (await calendar(client, roomId)).find((lines) => lines.includes(`UID:${id}`));
}

const calendars: Of<'calendar'> = {
  'calendar-misses-last': async (client) => (await eventOf(client)) === undefined,
  'calendar-with-cancelled': async (client) => {
    const { id, roomId } = await book(client);
    await cancel(client, id);
    return (await calendar(client, roomId)).length > 0;
  },
  'calendar-in-local-time': async (client) =>
    (await eventOf(client))?.includes('DTSTART:20270301T090000Z') !== true,
  'calendar-without-rule': async (client) => {
    const lines = await eventOf(client, { recurrence: { frequency: 'weekly', count: 2 } });
    return lines?.some((line) => /^RRULE:.*FREQ=WEEKLY.*COUNT=2/.test(line)) !== true;
  },
  'calendar-not-escaped': async (client) =>
    (await eventOf(client, { title: 'Plan, sorted' }))?.includes(
      String.raw`SUMMARY:Plan\, sorted`,
    ) !== true,
};

async function isTaken(client: Client, fields: object): Promise<boolean> {
  const { name } = await newSite(client);
  return (await postRoom(client, name, fields)).status < 300;
}

const validation: Of<'validation'> = {
  'zero-capacity-accepted': (client) => isTaken(client, { capacity: 0 }),
  'fraction-capacity-accepted': (client) => isTaken(client, { capacity: 2.5 }),
  'unknown-equipment-accepted': (client) => isTaken(client, { equipment: ['beamer'] }),
  'repeated-equipment-accepted': (client) => isTaken(client, { equipment: ['phone', 'phone'] }),
  'plain-http-accepted': async (client) => {
    const json = { ...hook, url: 'http://hooks.client.example/a' };
    return (await client.ask('POST', '/webhooks', { json })).status < 300;
  },
  'page-zero-accepted': async (client) =>
    (await client.ask('GET', '/bookings?page=0')).status !== 400,
  'page-size-lowered': async (client) => {
    const { name } = await newSite(client);
    return (await listRooms(client, name, 'pageSize=51')).status !== 400;
  },
  'any-site-name-accepted': async (client) => (await putSite(client, 'Harbour-9')).status !== 400,
  'largest-capacity-refused': async (client) => !(await isTaken(client, { capacity: 500 })),
  'media-type-ignored': async (client) => {
    const { id } = await newRoom(client);
    return (await patchRoom(client, id, { capacity: 9 }, 'application/json')).status !== 415;
  },
};

const robustness: Of<'robustness'> = {
  'huge-page-500': async (client) =>
    (await client.ask('GET', '/bookings?page=1000000')).status >= 500,
  'bad-moment-500': async (client) => (await post(client, { start: 'soon' })).status >= 500,
  'empty-body-500': async (client) => (await client.ask('POST', '/bookings')).status >= 500,
  'odd-patch-path-500': async (client) => {
    const { id } = await newRoom(client);
    const patch = [{ op: 'add', path: '/walls/0', value: 'blue' }];
    return (await patchRoom(client, id, patch, jsonPatch)).status >= 500;
  },
  'null-body-500': async (client) =>
    (await client.ask('POST', '/bookings', { bytes: 'null' })).status >= 500,
  'emoji-500': async (client) =>
    (await post(client, { title: 'Lunch 🍲', start: at('08:00') })).status >= 500,
};

/** For each defect: whether it shows to a client that reads the document. */
export const shows: Readonly<Record<DefectName, Show>> = {
  ...listShows,
  ...recordShows,
  ...links,
  ...conditions,
  ...credentials,
  ...files,
  ...calendars,
  ...validation,
  ...robustness,
};
