import type { Client, Got } from '../serving/client.ts';
import type { defects } from './defects.ts';
import {
  at,
  book,
  cancel,
  change,
  jsonPatch,
  listRooms,
  newRoom,
  newSite,
  nineToTen,
  patchRoom,
  post,
  postRoom,
  putSite,
  readBooking,
  readRoom,
  readSite,
  unique,
  type RoomView,
  type Show,
} from './use.ts';

type Of<Kind extends keyof typeof defects> = Record<keyof (typeof defects)[Kind], Show>;

const isFaulty = ({ faults }: Got<unknown>): boolean => faults.length > 0;

async function overlapping(client: Client): Promise<number> {
  const { roomId } = await book(client);
  return (await post(client, { roomId })).status;
}

const statuses: Of<'statuses'> = {
  'put-new-answers-200': async (client) => (await putSite(client, unique('new'))).status !== 201,
  'put-old-answers-201': async (client) => {
    const { name } = await newSite(client);
    return (await putSite(client, name)).status !== 200;
  },
  'cancel-answers-200': async (client) => {
    const { id } = await book(client);
    return (await cancel(client, id)).status !== 204;
  },
  'cancel-again-404': async (client) => {
    const { id } = await book(client);
    await cancel(client, id);
    return (await cancel(client, id)).status !== 204;
  },
  'missing-room-500': async (client) => (await client.ask('GET', '/rooms/none')).status !== 404,
  'overlap-answers-422': async (client) => (await overlapping(client)) !== 409,
};

const methods: Of<'methods'> = {
  'head-always-200': async (client) => (await client.ask('HEAD', '/sites/none')).status !== 404,
  'head-without-etag': async (client) => {
    const { name } = await newSite(client);
    return (await client.ask('HEAD', `/sites/${name}`)).headers.get('etag') === null;
  },
  'options-without-allow': async (client) =>
    (await client.ask('OPTIONS', '/bookings')).headers.get('allow') === null,
  'deprecation-missing': async (client) => isFaulty(await client.ask('GET', '/rooms/search?q=a')),
};

async function isCancelledFaulty(client: Client): Promise<boolean> {
  const { id } = await book(client);
  await cancel(client, id);
  return isFaulty(await client.ask('GET', `/bookings/${id}`));
}

export const hook = { url: 'https://hooks.client.example/a', events: ['booking.created'] };

function register(client: Client, fields: object = {}) {
  return client.ask<{ id: string }>('POST', '/webhooks', { json: { ...hook, ...fields } });
}

const shapes: Of<'shapes'> = {
  'capacity-as-text': async (client) =>
    isFaulty(await postRoom(client, (await newSite(client)).name)),
  'moments-without-offset': async (client) => isFaulty(await post(client)),
  'list-without-total': async (client) =>
    isFaulty(await listRooms(client, (await newSite(client)).name)),
  'list-is-bare': async (client) => isFaulty(await client.ask('GET', '/sites')),
  'equipment-null': async (client) =>
    isFaulty(await postRoom(client, (await newSite(client)).name)),
  'status-renamed': isCancelledFaulty,
  'secret-shown': async (client) => {
    const secret = 'never-in-a-response';
    const { body, text } = await register(client, { secret });
    const { text: later } = await client.ask('GET', `/webhooks/${body.id}`);
    return text.includes(secret) || later.includes(secret);
  },
  'calendar-as-json': async (client) => {
    const { id } = await newRoom(client);
    return isFaulty(await client.ask('GET', `/rooms/${id}/calendar`));
  },
};

async function afterPatch(
  client: Client,
  body: unknown,
  { before = {}, type = jsonPatch }: { before?: object; type?: string } = {},
): Promise<RoomView & { readonly status: number }> {
  const { id } = await newRoom(client, { notes: 'old', ...before });
  const { status } = await patchRoom(client, id, body, type);
  return { ...(await readRoom(client, id)), status };
}

const merge = 'application/merge-patch+json';
const toSeven = { op: 'replace', path: '/capacity', value: 7 };
const wrongTest = { op: 'test', path: '/notes', value: 'other' };

async function attendees(client: Client, emails: readonly string[], fields: object = {}) {
  const { id: roomId } = await newRoom(client, fields);
  const { id } = await book(client, { roomId });
  const path = `/bookings/${id}/attendees`;
  const statusesSeen: number[] = [];
  let answer: unknown;
  for (const email of emails) {
    const { status, body } = await client.ask('POST', path, { json: { email } });
    statusesSeen.push(status);
    answer = body['answer'];
  }
  const { body } = await client.ask<{ email: string }[]>('GET', path);
  return { statusesSeen, answer, emails: body.map(({ email }) => email) };
}

const writes: Of<'writes'> = {
  'put-lost': async (client) => {
    const { name } = await newSite(client);
    await putSite(client, name, { title: 'Renamed' });
    return (await readSite(client, name)).title !== 'Renamed';
  },
  'replace-keeps-floors': async (client) => {
    const { name } = await newSite(client, { floors: 9 });
    await putSite(client, name);
    return (await readSite(client, name)).floors !== 1;
  },
  'merge-null-kept': async (client) =>
    (await afterPatch(client, { notes: null }, { type: merge })).notes !== null,
  'merge-resets-others': async (client) => {
    const before = { equipment: ['phone'] };
    const { equipment } = await afterPatch(client, { capacity: 7 }, { before, type: merge });
    return equipment.join() !== 'phone';
  },
  'patch-lost': async (client) => (await afterPatch(client, [toSeven])).capacity !== 7,
  'json-patch-half-done': async (client) =>
    (await afterPatch(client, [toSeven, wrongTest])).capacity !== 4,
  'json-patch-test-ignored': async (client) =>
    (await afterPatch(client, [wrongTest, toSeven])).status !== 422,
  'json-patch-remove-ignored': async (client) =>
    (await afterPatch(client, [{ op: 'remove', path: '/notes' }])).notes !== null,
  'equipment-sorted': async (client) => {
    const { equipment } = await newRoom(client, { equipment: ['screen', 'camera'] });
    return equipment.join() !== 'screen,camera';
  },
  'price-rounded': async (client) => {
    const { id } = await newRoom(client, { pricePerHour: 12.25 });
    return (await readRoom(client, id)).pricePerHour !== 12.25;
  },
  'title-escaped': async (client) => {
    const { id } = await book(client, { title: 'A & <B>' });
    return (await readBooking(client, id)).title !== 'A & <B>';
  },
  'attendees-reversed': async (client) => {
    const emails = ['b@visitors.example', 'a@visitors.example'];
    return (await attendees(client, emails)).emails.join() !== emails.join();
  },
  'refused-change-kept': async (client) => {
    const { roomId } = await book(client);
    const other = await book(client, { roomId, start: at('11:00'), end: at('12:00') });
    await change(client, other.id, nineToTen);
    return Date.parse((await readBooking(client, other.id)).start) !== Date.parse(at('11:00'));
  },
};

const defaults: Of<'defaults'> = {
  'zone-default-utc': async (client) => (await newSite(client)).timeZone !== 'Europe/Berlin',
  'answer-default-missing': async (client) =>
    (await attendees(client, ['kim@visitors.example'])).answer !== 'none',
  'webhook-inactive': async (client) =>
    (await client.ask('POST', '/webhooks', { json: hook })).body['active'] !== true,
  'interval-default-missing': async (client) => {
    const { recurrence } = await book(client, { recurrence: { frequency: 'daily', count: 2 } });
    return recurrence?.interval !== 1;
  },
};

/** The status of a second booking of the same room. */
async function second(client: Client, first: object, next: object): Promise<number> {
  const { id: roomId } = await newRoom(client);
  await book(client, { roomId, ...first });
  return (await post(client, { roomId, ...next })).status;
}

const nextDay = { start: '2027-03-02T09:00:00Z', end: '2027-03-02T10:00:00Z' };
const daily = { recurrence: { frequency: 'daily', count: 3 } };

const overlaps: Of<'overlaps'> = {
  'overlap-accepted': async (client) => (await overlapping(client)) !== 409,
  'inner-overlap-accepted': async (client) =>
    (await second(client, {}, { start: at('09:15'), end: at('09:45') })) !== 409,
  'adjacent-refused': async (client) =>
    (await second(client, {}, { start: at('10:00'), end: at('11:00') })) !== 201,
  'recurrence-overlap-accepted': async (client) => (await second(client, daily, nextDay)) !== 409,
  'own-recurrence-unchecked': async (client) => (await second(client, nextDay, daily)) !== 409,
  'change-overlap-accepted': async (client) => {
    const { roomId } = await book(client);
    const other = await book(client, { roomId, start: at('11:00'), end: at('12:00') });
    return (await change(client, other.id, nineToTen)).status !== 409;
  },
  'cancelled-blocks': async (client) => {
    const { id, roomId } = await book(client);
    await cancel(client, id);
    return (await post(client, { roomId })).status !== 201;
  },
  'blocks-itself': async (client) => {
    const { id } = await book(client);
    return (await change(client, id, { end: at('10:30') })).status !== 200;
  },
  'overlap-race': async (client) => {
    const { id: roomId } = await newRoom(client);
    const tries = Array.from({ length: 5 }, () => post(client, { roomId }));
    return (await Promise.all(tries)).filter(({ status }) => status === 201).length !== 1;
  },
  'end-before-start-accepted': async (client) =>
    (await post(client, { start: at('10:00'), end: at('09:00') })).status !== 422,
};

async function starts(client: Client, recurrence: object): Promise<string> {
  const { id } = await book(client, { recurrence });
  const path = `/bookings/${id}/occurrences`;
  const { body } = await client.ask<{ start: string }[]>('GET', path);
  return body.map(({ start }) => new Date(start).toISOString().slice(5, 10)).join(' ');
}

const recurrence: Of<'recurrence'> = {
  'one-occurrence-missing': async (client) =>
    (await starts(client, { frequency: 'daily', count: 3 })) !== '03-01 03-02 03-03',
  'interval-ignored': async (client) =>
    (await starts(client, { frequency: 'daily', interval: 2, count: 2 })) !== '03-01 03-03',
  'weekly-is-monthly': async (client) =>
    (await starts(client, { frequency: 'weekly', count: 2 })) !== '03-01 03-08',
};

const relations: Of<'relations'> = {
  'unknown-room-accepted': async (client) =>
    (await post(client, { roomId: 'none' })).status !== 422,
  'deleted-room-accepted': async (client) => {
    const { id: roomId } = await newRoom(client);
    await client.ask('DELETE', `/rooms/${roomId}`);
    return (await post(client, { roomId })).status !== 422;
  },
  'rooms-of-all-sites': async (client) => {
    await newRoom(client);
    const { name } = await newSite(client);
    return (await listRooms(client, name)).body.items.length > 0;
  },
  'rooms-of-unknown-site': async (client) => (await listRooms(client, 'none')).status !== 404,
  'site-with-rooms-deleted': async (client) => {
    const { siteName } = await newRoom(client);
    return (await client.ask('DELETE', `/sites/${siteName}`)).status !== 409;
  },
  'bookings-outlive-room': async (client) => {
    const { id, roomId } = await book(client);
    await client.ask('DELETE', `/rooms/${roomId}`);
    return (await readBooking(client, id)).status !== 'cancelled';
  },
  'attendees-shared': async (client) => {
    await attendees(client, ['kim@visitors.example']);
    return (await attendees(client, [])).emails.length > 0;
  },
};

const copies: Of<'copies'> = {
  'room-name-stale': async (client) => {
    const { id, roomId } = await book(client);
    await patchRoom(client, roomId, { name: 'Renamed' });
    return (await readBooking(client, id)).room.name !== 'Renamed';
  },
  'site-title-stale': async (client) => {
    const { id, siteName } = await newRoom(client);
    await putSite(client, siteName, { title: 'Renamed' });
    return (await readRoom(client, id)).site.title !== 'Renamed';
  },
};

const uniqueness: Of<'uniqueness'> = {
  'room-name-in-other-case': async (client) => {
    const { name, siteName } = await newRoom(client);
    return (await postRoom(client, siteName, { name: name.toUpperCase() })).status !== 409;
  },
  'room-name-free-on-change': async (client) => {
    const { name, siteName } = await newRoom(client);
    const { id } = await newRoom(client, {}, siteName);
    return (await patchRoom(client, id, { name })).status !== 409;
  },
  'room-name-unique-everywhere': async (client) => {
    const { name } = await newRoom(client);
    const { name: site } = await newSite(client);
    return (await postRoom(client, site, { name })).status !== 201;
  },
  'attendee-twice': async (client) => {
    const { statusesSeen } = await attendees(client, ['k@v.example', 'K@v.example']);
    return statusesSeen[1] !== 409;
  },
  'room-overfull': async (client) => {
    const emails = ['a@v.example', 'b@v.example'];
    return (await attendees(client, emails, { capacity: 1 })).statusesSeen[1] !== 409;
  },
};

const identities: Of<'identities'> = {
  'other-user-cancels': async (client) => {
    const { id } = await book(client);
    return (await cancel(client, id, { as: 'second' })).status !== 403;
  },
  'other-user-changes': async (client) => {
    const { id } = await book(client);
    return (await change(client, id, { title: 'Mine' }, { as: 'second' })).status !== 403;
  },
  'webhook-of-other-read': async (client) => {
    const { id } = (await register(client)).body;
    return (await client.ask('GET', `/webhooks/${id}`, { as: 'second' })).status !== 404;
  },
  'webhook-of-other-listed': async (client) => {
    const { id } = (await register(client)).body;
    return (await client.ask('GET', '/webhooks', { as: 'second' })).text.includes(id);
  },
  'webhook-of-other-deleted': async (client) => {
    const { id } = (await register(client)).body;
    return (await client.ask('DELETE', `/webhooks/${id}`, { as: 'second' })).status !== 404;
  },
  'organizer-from-body': async (client) =>
    (await book(client, { organizer: 'someone' })).organizer === 'someone',
};

export const recordShows = {
  ...statuses,
  ...methods,
  ...shapes,
  ...writes,
  ...defaults,
  ...overlaps,
  ...recurrence,
  ...relations,
  ...copies,
  ...uniqueness,
  ...identities,
};
