import type { Client } from '../serving/client.ts';
import { isOther, pathOf, unique, type Show } from '../serving/showing.ts';
import type { DefectName, defects } from './defects.ts';
import {
  again,
  alert,
  book,
  bookable,
  confirm,
  departures,
  draft,
  inHours,
  journey,
  lists,
  message,
  patch,
  post,
  published,
  put,
  read,
  recordIn,
  recordsIn,
  remove,
  tagIn,
  way,
  type View,
} from './use.ts';

type Of<Kind extends keyof typeof defects> = Record<keyof (typeof defects)[Kind], Show>;

const answers: Of<'answers'> = {
  'target-missing': async (client) =>
    (await post(client, 'journeys', way({ name: '' }))).body.error?.target !== 'name',
  'request-id-differs': async (client) => {
    const { body, headers } = await read(client, 'stops/no-such');
    return body.error?.requestId !== headers.get('request-id');
  },
  'broken-json-500': (client) =>
    isOther(client.ask('POST', '/v1/journeys', { bytes: '{"name": "Home' }), 400),
  'departure-times-local': async (client) =>
    (await departures(client, -1, 60)).some(
      ({ plannedTime }) => !/(Z|[+-]\d\d:\d\d)$/.test(plannedTime),
    ),
};

const network: Of<'network'> = {
  'coordinates-swapped': async (client) => {
    const found = await recordsIn(read(client, 'stops?bbox=7.4,47.4,7.9,47.7'));
    return found.some(({ location }) => location.lat < 47.4 || location.lat > 47.7);
  },
  'line-ends-know-no-line': async (client) => {
    const { id, stopIds } = await again(client, 'lines/line_S1');
    return !(await again(client, `stops/${String(stopIds.at(-1))}`)).lineIds.includes(id);
  },
  'terminus-departs': async (client) => {
    const { id, stopIds } = await again(client, 'lines/line_S1');
    const path = `stops/${String(stopIds.at(-1))}/departures?lineId=${id}`;
    const window = `from=${inHours(-3)}&until=${inHours(60)}`;
    return (await recordsIn(read(client, `${path}&${window}`))).length > 0;
  },
  'expected-time-without-delay': async (client) =>
    (await departures(client, -1, 60)).some(
      ({ plannedTime, expectedTime, delayMinutes }) =>
        expectedTime !== null &&
        Date.parse(expectedTime) !== Date.parse(plannedTime) + delayMinutes * 60_000,
    ),
};

/** A departure from the central station, and those of a window that is made from its time. */
async function windowAt(
  client: Client,
  query: (time: number) => readonly [from: string, until: string],
): Promise<{ first: View | undefined; found: readonly View[] }> {
  const [first] = await departures(client, 1, 60);
  const [from, until] = query(Date.parse(first?.plannedTime ?? ''));
  const window = `from=${encodeURIComponent(from)}&until=${encodeURIComponent(until)}`;
  const found = await recordsIn(read(client, `stops/stop_1001/departures?${window}`));
  return { first, found };
}

const iso = (time: number): string => new Date(time).toISOString();

const filters: Of<'filters'> = {
  'bbox-latitude-first': async (client) => {
    const { location } = await again(client, 'stops/stop_1001');
    const { lat, lon } = location;
    const box = [lon - 0.01, lat - 0.01, lon + 0.01, lat + 0.01].map((each) => each.toFixed(4));
    return !(await lists(client, `stops?bbox=${box.join(',')}`, 'stop_1001'));
  },
  'until-inclusive': async (client) => {
    const { first, found } = await windowAt(client, (time) => [iso(time - 60_000), iso(time)]);
    return found.some(({ plannedTime }) => plannedTime === first?.plannedTime);
  },
  'offset-ignored': async (client) => {
    const inIndia = (time: number) => iso(time + 5.5 * 3_600_000).replace('Z', '+05:30');
    const { first, found } = await windowAt(client, (time) => [
      inIndia(time),
      inIndia(time + 60_000),
    ]);
    return !found.some(({ tripId }) => tripId === first?.tripId);
  },
  'severity-first-only': async (client) => {
    await draft(client, { severity: 'info' });
    const { id } = await draft(client, { severity: 'severe' });
    const path = 'disruptions?status=draft&severity=info,severe&limit=100';
    return !(await lists(client, path, id));
  },
  'active-at-misses-open-ended': async (client) => {
    const { id } = await published(client);
    const path = `disruptions?activeAt=${inHours(0)}&lineId=line_S1&limit=100`;
    return !(await lists(client, path, id));
  },
  'modified-since-compares-created': async (client) => {
    const { id } = await draft(client);
    const { createdAt } = await draft(client);
    await patch(client, `disruptions/${id}`, { severity: 'major' });
    const path = `disruptions?status=draft&modifiedSince=${createdAt}&limit=100`;
    return !(await lists(client, path, id));
  },
  'withdrawn-by-default': async (client) =>
    (await recordsIn(read(client, 'disruptions?limit=100'))).some(
      ({ status }) => status !== 'published',
    ),
  'stop-filter-misses-via': async (client) => {
    const { id } = await journey(client, { viaStopIds: ['stop_1009'] });
    return !(await lists(client, 'journeys?stopId=stop_1009&limit=100', id));
  },
};

const isAscending = (values: readonly number[]): boolean =>
  values.every((value, index) => index === 0 || value >= (values[index - 1] ?? 0));

const weights = ['info', 'minor', 'major', 'severe'];

const order: Of<'order'> = {
  'near-by-id': async (client) => {
    const found = await recordsIn(read(client, 'stops?near=47.5674,7.6071&radius=5000&limit=100'));
    return !isAscending(found.map(({ distance }) => distance));
  },
  'severity-by-alphabet': async (client) => {
    const found = await recordsIn(read(client, 'disruptions?sort=severity&limit=100'));
    return !isAscending(found.map(({ severity }) => weights.indexOf(severity)));
  },
};

/** The first page of stops, and the one behind it. */
async function twoPages(client: Client, query: string) {
  const first = await read(client, `stops?${query}`);
  const next = pathOf(first.body.links.next ?? '').replace('/v1/', '');
  return [await recordsIn(Promise.resolve(first)), await recordsIn(read(client, next))] as const;
}

const pages: Of<'pages'> = {
  'next-page-repeats-last': async (client) => {
    const [first, second] = await twoPages(client, 'limit=5');
    return first.some(({ id }) => second.some((other) => other.id === id));
  },
  'total-of-page': async (client) => {
    const all = await recordsIn(read(client, 'stops?limit=100'));
    return (await read(client, 'stops?limit=5')).body.meta.total !== all.length;
  },
  'next-forgets-filters': async (client) => {
    const [, second] = await twoPages(client, 'mode=rail&limit=2');
    return second.some(({ modes }) => !modes.includes('rail'));
  },
};

const languageOf = async (client: Client, query: string, accepted: string) => {
  const headers = { 'Accept-Language': accepted };
  return (await read(client, `stops/stop_1001${query}`, { headers })).headers.get(
    'content-language',
  );
};

const selection: Of<'selection'> = {
  'fields-drop-id': async (client) =>
    (await recordsIn(read(client, 'stops?fields=name,zone'))).some(
      (stop) => !Object.hasOwn(stop, 'id'),
    ),
  'lang-loses-to-header': async (client) => (await languageOf(client, '?lang=fr', 'en')) !== 'fr',
  'weights-ignored': async (client) =>
    (await languageOf(client, '', 'fr;q=0.3, en;q=0.9')) !== 'en',
};

const caching: Of<'caching'> = {
  'tag-stays': async (client) => {
    const { id } = await draft(client);
    const tag = await tagIn(read(client, `disruptions/${id}`));
    await patch(client, `disruptions/${id}`, { severity: 'severe' });
    return (await tagIn(read(client, `disruptions/${id}`))) === tag;
  },
  'private-cached': async (client) => {
    const cached = (await read(client, 'journeys')).headers.get('cache-control') ?? '';
    return !cached.includes('no-store');
  },
  'trip-tag-stays': async (client) => {
    const trip = await bookable(client);
    const path = `trips/${trip.id}`;
    const headers = { 'If-None-Match': await tagIn(read(client, path)) };
    await book(client, trip);
    return isOther(read(client, path, { headers }), 200);
  },
};

/** The answer to a patch with a tag that is old, and the title that the message then has. */
async function latePatch(client: Client): Promise<{ status: number; title: string }> {
  const { id } = await draft(client);
  const path = `disruptions/${id}`;
  const tag = await tagIn(read(client, path));
  await patch(client, path, { severity: 'severe' }, tag);
  const { status } = await patch(client, path, { title: 'Too late' }, tag);
  return { status, title: (await again(client, path)).title };
}

const preconditions: Of<'preconditions'> = {
  'old-tag-accepted': async (client) => (await latePatch(client)).status !== 412,
  'refused-patch-kept': async (client) => {
    const { status, title } = await latePatch(client);
    return status === 412 && title === 'Too late';
  },
};

const creates: Of<'creates'> = {
  'days-default-all': async (client) =>
    (await journey(client)).days.join(' ') !== 'mon tue wed thu fri',
  'status-from-body': async (client) =>
    (await draft(client, { status: 'published' })).status !== 'draft',
};

const updates: Of<'updates'> = {
  'null-leaves-member': async (client) => {
    const { id } = await draft(client, { text: 'Buses from platform 3' });
    await patch(client, `disruptions/${id}`, { text: null });
    return (await again(client, `disruptions/${id}`)).text !== null;
  },
  'put-keeps-note': async (client) => {
    const { id } = await journey(client, { note: 'By bicycle' });
    await put(client, `journeys/${id}`, way());
    return (await again(client, `journeys/${id}`)).note !== null;
  },
  'patch-resets-stops': async (client) => {
    const { id } = await draft(client, { stopIds: ['stop_1016'] });
    await patch(client, `disruptions/${id}`, { severity: 'major' });
    return (await again(client, `disruptions/${id}`)).stopIds.join() !== 'stop_1016';
  },
  'modified-at-stays': async (client) => {
    const { id, modifiedAt } = await draft(client);
    await patch(client, `disruptions/${id}`, { severity: 'major' });
    return (await again(client, `disruptions/${id}`)).modifiedAt === modifiedAt;
  },
};

const uniqueness: Of<'unique'> = {
  'name-in-capitals-free': async (client) => {
    const name = unique('Evening');
    await journey(client, { name });
    return isOther(post(client, 'journeys', way({ name: name.toUpperCase() })), 409);
  },
  'rename-to-taken': async (client) => {
    const { name } = await journey(client);
    const { id } = await journey(client);
    return isOther(put(client, `journeys/${id}`, way({ name })), 409);
  },
};

const states: Of<'states'> = {
  'over-published': async (client) => {
    const { id } = await draft(client, { validFrom: inHours(-5), validUntil: inHours(-2) });
    return isOther(post(client, `disruptions/${id}/publish`), 409);
  },
  'withdrawn-changed': async (client) => {
    const { id } = await published(client);
    await post(client, `disruptions/${id}/withdraw`);
    return isOther(patch(client, `disruptions/${id}`, { severity: 'info' }), 409);
  },
  'published-lines-changed': async (client) => {
    const { id } = await published(client);
    return isOther(patch(client, `disruptions/${id}`, { lineIds: ['line_S3'] }), 409);
  },
  'pending-activated': async (client) => {
    const { id } = await alert(client);
    return isOther(patch(client, `subscriptions/${id}`, { status: 'active' }), 409);
  },
  'third-code-locks-not': async (client) => {
    const pending = await alert(client);
    for (const code of ['000001', '000002', '000003']) await confirm(client, pending, code);
    return (await again(client, `subscriptions/${pending.id}`)).status !== 'locked';
  },
};

const members: Of<'members'> = {
  'destination-changed': async (client) => {
    const { id, destination } = await recordIn(confirm(client, await alert(client)));
    await patch(client, `subscriptions/${id}`, { destination: 'other@partner.example' });
    return (await again(client, `subscriptions/${id}`)).destination !== destination;
  },
  'secret-shown': async (client) => {
    const secret = unique('whsec-0123456789');
    const destination = `https://hooks.partner.example/${unique('hook')}`;
    const { id } = await alert(client, { channel: 'webhook', destination, secret });
    return (await read(client, `subscriptions/${id}`)).text.includes(secret);
  },
};

const references: Of<'references'> = {
  'unknown-stop-saved': (client) =>
    isOther(post(client, 'journeys', way({ viaStopIds: ['stop_9999'] })), 422),
  'journey-leaves-subscriptions': async (client) => {
    const { id: journeyId } = await journey(client);
    const { id } = await alert(client, { journeyId, lineId: undefined });
    await remove(client, `journeys/${journeyId}`);
    return isOther(read(client, `subscriptions/${id}`), 404);
  },
  'alerts-count-all': async (client) => {
    const { id } = await journey(client);
    await alert(client, { journeyId: id, lineId: undefined });
    return (await again(client, `journeys/${id}`)).activeAlerts !== 0;
  },
};

const discountOf = async (client: Client, trip: View, bicycles: number) =>
  (await recordIn(book(client, trip, { adults: 5, bicycles }))).priceLines.find(
    ({ kind }) => kind === 'groupDiscount',
  )?.amount;

const orders: Of<'orders'> = {
  'group-from-six': async (client) =>
    (await discountOf(client, await bookable(client, { seats: 5 }), 0)) === undefined,
  'discount-on-bicycles': async (client) => {
    const trip = await bookable(client, { seats: 5 });
    const expected = -Math.floor((5 * trip.prices.adult) / 10);
    return (await discountOf(client, trip, 2)) !== expected;
  },
  'refund-always-whole': async (client) => {
    const trip = await bookable(client, { until: 23 });
    const { id, totalAmount } = await recordIn(book(client, trip));
    const { refundAmount } = await recordIn(post(client, `orders/${id}/cancel`));
    return refundAmount !== Math.floor(totalAmount / 2);
  },
  'seats-not-given-back': async (client) => {
    const trip = await bookable(client, { seats: 2 });
    const { id } = await recordIn(book(client, trip, { adults: 2 }));
    await post(client, `orders/${id}/cancel`);
    return (await again(client, `trips/${trip.id}`)).seatsLeft !== trip.seatsLeft;
  },
  'last-seats-oversold': async (client) => {
    const trip = await bookable(client, { most: 19 });
    return isOther(book(client, trip, { adults: trip.seatsLeft + 1 }), 409);
  },
};

const idempotency: Of<'idempotency'> = {
  'key-books-twice': async (client) => {
    const trip = await bookable(client, { seats: 4 });
    const headers = { 'Idempotency-Key': unique('booking') };
    const { id } = await recordIn(book(client, trip, {}, { headers }));
    return (await recordIn(book(client, trip, {}, { headers }))).id !== id;
  },
  'key-shared': async (client) => {
    const trip = await bookable(client, { seats: 4 });
    const headers = { 'Idempotency-Key': unique('booking') };
    const { id } = await recordIn(book(client, trip, {}, { headers }));
    return (await recordIn(book(client, trip, {}, { headers, as: 'second' }))).id === id;
  },
};

const credentials: Of<'credentials'> = {
  'key-not-checked': (client) => isOther(read(client, 'stops', { as: 'wrongKey' }), 401),
  'journey-of-other-shown': async (client) => {
    const { id } = await journey(client);
    return isOther(read(client, `journeys/${id}`, { as: 'second' }), 404);
  },
  'order-of-other-cancelled': async (client) => {
    const { id } = await recordIn(book(client, await bookable(client)));
    return isOther(post(client, `orders/${id}/cancel`, undefined, { as: 'second' }), 404);
  },
  'drafts-of-others-listed': async (client) => {
    const { id } = await draft(client);
    return lists(client, 'disruptions?status=draft&limit=100', id, { as: 'second' });
  },
  'partner-drafts': (client) =>
    isOther(post(client, 'disruptions', message(), { as: 'partner' }), 403),
};

const limits: Of<'limits'> = {
  'remaining-stays': async (client) => {
    const seen = new Set<string | null>();
    for (let index = 0; index < 3; index += 1)
      seen.add((await read(client, 'lines?limit=1')).headers.get('x-ratelimit-remaining'));
    return seen.size === 1;
  },
};

/** For each defect: a few requests of a client that reads the document, and whether it shows. */
export const shows: Readonly<Record<DefectName, Show>> = {
  ...answers,
  ...network,
  ...filters,
  ...order,
  ...pages,
  ...selection,
  ...caching,
  ...preconditions,
  ...creates,
  ...updates,
  ...uniqueness,
  ...states,
  ...members,
  ...references,
  ...orders,
  ...idempotency,
  ...credentials,
  ...limits,
};
