import type { Client, Got } from '../serving/client.ts';
import type { DefectName, defects } from './defects.ts';
import {
  allOf,
  fleet,
  finished,
  get,
  isOther,
  list,
  newDepot,
  newVehicle,
  plate,
  postDepot,
  postVehicle,
  send,
  unique,
  type Show,
  type View,
} from './use.ts';

type Of<Kind extends keyof typeof defects> = Record<keyof (typeof defects)[Kind], Show>;

const street = { address: { street: 'Elm 1', city: 'Kiel' } };

/** A depot, as it is read after an update. */
async function after(client: Client, query: string, json: object): Promise<View> {
  const { name } = await newDepot(client, { capacity: 7, region: 'WEST', ...street });
  await send(client, 'PATCH', `${name}?${query}`, json);
  return get(client, name);
}

/** Whether the update of a new vehicle has another status. */
async function patches(client: Client, status: number, query: string, json: object) {
  const { name } = await newVehicle(client);
  return isOther(send(client, 'PATCH', `${name}?${query}`, json), status);
}

/** Whether the creation of such a depot, or vehicle, is not refused. */
const takesDepot = (fields: object, query?: string): Show => {
  return (client) => isOther(postDepot(client, fields, query), 400);
};
const takesVehicle = (fields: object, query?: string): Show => {
  return async (client) =>
    isOther(postVehicle(client, (await newDepot(client)).name, fields, query), 400);
};

const writes: Of<'writes'> = {
  'create-not-stored': async (client) =>
    isOther(send(client, 'GET', (await newDepot(client)).name), 200),
  'update-not-stored': async (client) => (await after(client, '', { capacity: 9 })).capacity !== 9,
  'address-lost': async (client) => (await newDepot(client, street)).address?.city !== 'Kiel',
  'features-sorted': async (client) =>
    (await newVehicle(client, { features: ['wifi', 'ramp'] })).features?.join() !== 'wifi,ramp',
  'capacity-default-zero': async (client) => (await newDepot(client)).capacity !== 20,
  'depot-id-ignored': async (client) => {
    const id = unique('mine');
    const path = `depots?depot_id=${id}`;
    return (await send(client, 'POST', path, { display_name: 'A' })).body.name !== `depots/${id}`;
  },
  'update-time-frozen': async (client) => {
    const { create_time, update_time } = await after(client, '', { capacity: 9 });
    return Date.parse(update_time) <= Date.parse(create_time);
  },
  'state-from-body': async (client) =>
    (await newVehicle(client, { state: 'RETIRED' })).state !== 'ACTIVE',
  'create-time-from-body': async (client) =>
    (await newDepot(client, { create_time: '2001-01-01T00:00:00Z' })).create_time < '2020',
  'vehicle-not-deleted': async (client) => {
    const { name } = await newVehicle(client);
    await send(client, 'DELETE', name);
    return isOther(send(client, 'GET', name), 404);
  },
};

const masks: Of<'masks'> = {
  'mask-ignored': async (client) => {
    const json = { capacity: 9, region: 'EAST' };
    return (await after(client, 'update_mask=capacity', json)).region !== 'WEST';
  },
  'mask-clears-others': async (client) =>
    (await after(client, 'update_mask=region', { region: 'EAST' })).capacity !== 7,
  'masked-absent-kept': async (client) =>
    (await after(client, 'update_mask=capacity', { region: 'EAST' })).capacity !== 20,
  'nested-mask-replaces': async (client) => {
    const json = { address: { city: 'Lund' } };
    return (await after(client, 'update_mask=address.city', json)).address?.street !== 'Elm 1';
  },
  'unknown-mask-accepted': (client) => patches(client, 400, 'update_mask=wheels', {}),
  'star-is-partial': async (client) =>
    (await after(client, 'update_mask=*', { display_name: 'B' })).capacity !== 20,
  'no-mask-replaces': async (client) =>
    (await after(client, '', { region: 'EAST' })).capacity !== 7,
  'plate-changed': (client) => patches(client, 400, '', { license_plate: plate() }),
  'same-plate-refused': async (client) => {
    const { name, license_plate } = await newVehicle(client);
    return isOther(send(client, 'PATCH', name, { license_plate, odometer_km: 5 }), 200);
  },
  'output-only-mask-refused': (client) =>
    patches(client, 200, 'update_mask=state,odometer_km', { odometer_km: 5 }),
};

/** The name of a vehicle or depot, and an etag from before its last change. */
async function stale(client: Client, made: Promise<View>, json: object) {
  const { name, etag } = await made;
  await send(client, 'PATCH', name, json);
  return { name, etag };
}

const staleDepot = (client: Client) => stale(client, newDepot(client), { capacity: 9 });
const staleVehicle = (client: Client) => stale(client, newVehicle(client), { odometer_km: 9 });

async function updatesStale(client: Client): Promise<boolean> {
  const { name, etag } = await staleVehicle(client);
  return isOther(send(client, 'PATCH', name, { odometer_km: 10, etag }), 409);
}

const etags: Of<'etags'> = {
  'stale-etag-updates': updatesStale,
  'stale-etag-deletes': async (client) => {
    const { name, etag } = await staleVehicle(client);
    return isOther(send(client, 'DELETE', `${name}?etag=${etag}`), 409);
  },
  'stale-etag-retires': async (client) => {
    const { name, etag } = await staleVehicle(client);
    return isOther(send(client, 'POST', `${name}:retire`, { etag }), 409);
  },
  'etag-constant': async (client) => {
    const { name, etag } = await staleDepot(client);
    return (await get(client, name)).etag === etag;
  },
  'stale-etag-is-400': updatesStale,
};

async function deleted(client: Client, fields: object = {}): Promise<View> {
  const { name } = await newDepot(client, fields);
  return (await send(client, 'DELETE', name)).body;
}

async function isListed(client: Client, query: Readonly<Record<string, string>>) {
  const { name } = await deleted(client, { display_name: unique('Gone') });
  await newDepot(client);
  return (await allOf(client, 'depots', query)).includes(name.split('/')[1] ?? '');
}

async function fullDepot(client: Client): Promise<string> {
  return fleet(client, [{}, {}]);
}

const deletion: Of<'deletion'> = {
  'deleted-listed': (client) => isListed(client, {}),
  'deleted-on-later-pages': (client) => isListed(client, { page_size: '2' }),
  'show-deleted-ignored': async (client) => !(await isListed(client, { show_deleted: 'true' })),
  'deleted-unreadable': async (client) =>
    isOther(send(client, 'GET', (await deleted(client)).name), 200),
  'delete-time-missing': async (client) => (await deleted(client)).delete_time === undefined,
  'deleted-updated': async (client) =>
    isOther(send(client, 'PATCH', (await deleted(client)).name, { capacity: 9 }), 404),
  'deleted-twice': async (client) =>
    isOther(send(client, 'DELETE', (await deleted(client)).name), 404),
  'undelete-not-stored': async (client) => {
    const { name } = await deleted(client);
    await send(client, 'POST', `${name}:undelete`);
    return (await get(client, name)).delete_time !== undefined;
  },
  'undelete-of-live': async (client) =>
    isOther(send(client, 'POST', `${(await newDepot(client)).name}:undelete`), 409),
  'undelete-resets': async (client) => {
    const { name } = await deleted(client, { capacity: 77 });
    return (await send(client, 'POST', `${name}:undelete`, {})).body.capacity !== 77;
  },
  'id-of-deleted-free': async (client) => {
    const id = (await deleted(client)).name.split('/')[1] ?? '';
    return isOther(send(client, 'POST', `depots?depot_id=${id}`, { display_name: 'A' }), 409);
  },
  'full-depot-deleted': async (client) =>
    isOther(send(client, 'DELETE', await fullDepot(client)), 400),
  'force-leaves-vehicles': async (client) => {
    const name = await fullDepot(client);
    await send(client, 'DELETE', `${name}?force=true`);
    await send(client, 'POST', `${name}:undelete`);
    return (await allOf(client, `${name}/vehicles`, {})) !== '';
  },
  'backup-depot-dangles': async (client) => {
    const { name: backup_depot } = await newDepot(client);
    const { name } = await newVehicle(client, { backup_depot });
    await send(client, 'DELETE', backup_depot);
    return (await get(client, name)).backup_depot !== undefined;
  },
};

const five = [
  { odometer_km: 100, kind: 'BUS', features: ['ramp', 'wifi'] },
  { odometer_km: 9, kind: 'TRAM', features: ['ramps'] },
  { odometer_km: 25, kind: 'VAN', features: ['wifi', 'ramp'] },
  { odometer_km: 25, kind: 'BUS' },
  { odometer_km: 1000, kind: 'TRAM' },
];

/** Whether these vehicles are listed otherwise, on all pages of the size. */
const lists = (query: Readonly<Record<string, string>>, wanted: string): Show => {
  return async (client) =>
    (await allOf(client, `${await fleet(client, five)}/vehicles`, query)) !== wanted;
};
const filtersBy = (filter: string, wanted: string): Show => lists({ filter }, wanted);

/** Whether a list of vehicles, with the token of its first page, has another status. */
const pages = (query: object, status: number, token?: string): Show => {
  return async (client) => {
    const path = `${await fleet(client, five)}/vehicles`;
    const { body } = await list(client, path, { page_size: '2' });
    const page_token = token ?? body.next_page_token ?? '';
    return isOther(list(client, path, { page_token, ...query }), status);
  };
};

const total = (filter: string, wanted: number): Show => {
  return async (client) => {
    const path = `${await fleet(client, five)}/vehicles`;
    return (await list(client, path, { filter, page_size: '1' })).body.total_size !== wanted;
  };
};

const byTwo = lists({ page_size: '2' }, 'abcde');

const paging: Of<'paging'> = {
  'token-ignored': byTwo,
  'pages-overlap': byTwo,
  'pages-skip': byTwo,
  'token-on-last-page': async (client) => {
    const { body } = await list(client, `${await fleet(client, five)}/vehicles`, {});
    return (body.next_page_token ?? '') !== '';
  },
  'page-size-zero-empty': async (client) => {
    const path = `${await fleet(client, five)}/vehicles`;
    return (await list(client, path, { page_size: '0' })).body.vehicles?.length !== 5;
  },
  'large-page-size-refused': pages({ page_size: '101', page_token: '' }, 200),
  'negative-page-size-accepted': pages({ page_size: '-1', page_token: '' }, 400),
  'token-forgets-filter': lists({ page_size: '1', filter: 'kind = TRAM' }, 'be'),
  'any-token-accepted': pages({}, 400, 'no-such-token'),
  'token-of-other-filter': pages({ filter: 'kind = BUS' }, 400),
  'total-of-page': total('', 5),
  'total-ignores-filter': total('kind = TRAM', 2),
};

/** Whether a filter, or an order, is not refused. */
const refuses = (query: Readonly<Record<string, string>>): Show => {
  return async (client) =>
    isOther(list(client, `${await fleet(client, five)}/vehicles`, query), 400);
};

const filters: Of<'filters'> = {
  'filter-ignored': filtersBy('kind = TRAM', 'be'),
  'and-before-or': filtersBy('kind = BUS OR kind = VAN AND odometer_km = 25', 'cd'),
  'not-ignored': filtersBy('NOT kind = TRAM', 'acd'),
  'minus-ignored': filtersBy('-kind = TRAM AND odometer_km < 100', 'cd'),
  'less-includes-bound': filtersBy('odometer_km < 25', 'b'),
  'greater-as-text': filtersBy('odometer_km > 25', 'ae'),
  'has-first-only': filtersBy('features:"ramp"', 'ac'),
  'has-part': filtersBy('features:"ramp"', 'ac'),
  'city-filter-empty': async (client) => {
    const city = unique('Town');
    const { name } = await newDepot(client, { address: { city } });
    const { body } = await list(client, 'depots', { filter: `address.city = "${city}"` });
    return body.depots?.[0]?.name !== name;
  },
  'unknown-filter-field': refuses({ filter: 'wheels = 4' }),
  'unknown-filter-value': refuses({ filter: 'kind = ROCKET' }),
  'filter-syntax-500': refuses({ filter: 'kind = (' }),
  'filter-any-case': async (client) => {
    const { display_name = '' } = await newDepot(client, { display_name: unique('Yard') });
    const filter = `display_name = "${display_name.toUpperCase()}"`;
    return ((await list(client, 'depots', { filter })).body.depots ?? []).length > 0;
  },
};

const order: Of<'order'> = {
  'order-ignored': lists({ order_by: 'odometer_km' }, 'bcdae'),
  'desc-ignored': lists({ order_by: 'odometer_km desc' }, 'eacdb'),
  'second-field-ignored': lists({ order_by: 'kind, odometer_km' }, 'dabec'),
  'numbers-sorted-as-text': lists({ order_by: 'odometer_km' }, 'bcdae'),
  'unknown-order-accepted': refuses({ order_by: 'wheels' }),
};

const nowhere = { backup_depot: 'depots/no-such-depot' };

const relations: Of<'relations'> = {
  'unknown-backup-accepted': takesVehicle(nowhere),
  'backup-unchecked-on-update': (client) => patches(client, 400, '', nowhere),
  'vehicles-of-all-depots': async (client) => {
    await fullDepot(client);
    return lists({}, 'abcde')(client);
  },
  'unknown-parent-empty': (client) =>
    isOther(send(client, 'GET', 'depots/no-such-depot/vehicles'), 404),
  'wildcard-empty': async (client) => {
    const { name, license_plate = '' } = await newVehicle(client);
    const filter = `license_plate = "${license_plate}"`;
    const { body } = await list(client, 'depots/-/vehicles', { filter });
    return body.vehicles?.[0]?.name !== name;
  },
  'vehicle-below-any-depot': async (client) => {
    const { name } = await newVehicle(client);
    const other = (await newDepot(client)).name;
    const path = `${other}/${name.split('/').slice(2).join('/')}`;
    return isOther(send(client, 'GET', path), 404);
  },
  'count-not-raised': async (client) =>
    (await get(client, await fullDepot(client))).vehicle_count !== 2,
  'count-not-lowered': async (client) => {
    const name = await fullDepot(client);
    await send(client, 'DELETE', `${name}/vehicles/a`);
    return (await get(client, name)).vehicle_count !== 1;
  },
  'count-without-batch': async (client) => {
    const { name } = await newDepot(client);
    await batch(client, name, [{}, {}]);
    return (await get(client, name)).vehicle_count !== 2;
  },
};

/** Creates such vehicles at once; `more` stands beside each vehicle. */
function batch(client: Client, parent: string, all: readonly object[], more = {}) {
  const vehicle = (fields: object) => ({ license_plate: plate(), kind: 'VAN', ...fields });
  const requests = all.map((fields) => ({ vehicle: vehicle(fields), ...more }));
  return send(client, 'POST', `${parent}/vehicles:batchCreate`, { requests });
}

async function batchGet(client: Client, ids: readonly string[], depot?: string) {
  const name = await fleet(client, five);
  const names = ids.map((id) => `names=${depot ?? name}/vehicles/${id}`).join('&');
  return send(client, 'GET', `${name}/vehicles:batchGet?${names}`);
}

async function isBatchOther(client: Client, status: number, all: readonly object[], more = {}) {
  return isOther(batch(client, (await newDepot(client)).name, all, more), status);
}

const batches: Of<'batches'> = {
  'batch-half-done': async (client) => {
    const { name } = await newDepot(client);
    await batch(client, name, [{}, nowhere]);
    return (await allOf(client, `${name}/vehicles`, {})) !== '';
  },
  'batch-get-unordered': async (client) => {
    const { vehicles = [] } = (await batchGet(client, ['c', 'a'])).body;
    return vehicles.map(({ name }) => name.at(-1)).join('') !== 'ca';
  },
  'batch-get-skips': (client) => isOther(batchGet(client, ['a', 'z']), 404),
  'batch-get-of-others': async (client) =>
    isOther(batchGet(client, ['a'], await fullDepot(client)), 400),
  'batch-parent-ignored': async (client) =>
    isBatchOther(client, 400, [{}], { parent: (await newDepot(client)).name }),
  'batch-too-long': (client) =>
    isBatchOther(
      client,
      400,
      Array.from({ length: 21 }, () => ({})),
    ),
  'plate-twice-in-batch': (client) => {
    const license_plate = plate();
    return isBatchOther(client, 409, [{ license_plate }, { license_plate }]);
  },
};

/** The answers to two creations with the same request_id. */
async function twice(client: Client, change: object): Promise<Got<View>[]> {
  const { name } = await newDepot(client);
  const query = `request_id=${crypto.randomUUID()}`;
  const fields = { license_plate: plate() };
  const first = await postVehicle(client, name, fields, query);
  return [first, await postVehicle(client, name, { ...fields, ...change }, query)];
}

const requests: Of<'requests'> = {
  'request-id-ignored': async (client) => {
    const [first, second] = await twice(client, {});
    return second?.status !== 200 || second.body.name !== first?.body.name;
  },
  'request-id-other-body': async (client) =>
    (await twice(client, { odometer_km: 8 }))[1]?.status !== 400,
  'request-id-any-text': takesVehicle({}, 'request_id=again'),
  'validate-only-creates': async (client) => {
    const { body } = await postDepot(client, {}, '&validate_only=true');
    return isOther(send(client, 'GET', body.name), 404);
  },
  'validate-only-updates': async (client) =>
    (await after(client, 'validate_only=true', { capacity: 9 })).capacity !== 7,
  'validate-only-trusts': async (client) => {
    const { license_plate } = await newVehicle(client);
    const { name } = await newDepot(client);
    return isOther(postVehicle(client, name, { license_plate }, 'validate_only=true'), 409);
  },
};

/** The end of an inspection of the five vehicles, or of a depot without any. */
async function inspect(client: Client, json: object = {}, all: readonly object[] = five) {
  const name = await fleet(client, all);
  return finished(client, (await send(client, 'POST', `${name}:inspect`, json)).body);
}

const operations: Of<'operations'> = {
  'operation-nowhere': async (client) => {
    const { name } = await newDepot(client);
    const { body } = await send(client, 'POST', `${name}:inspect`);
    return isOther(send(client, 'GET', body.name), 200);
  },
  'operation-never-done': async (client) => (await inspect(client)).done !== true,
  'operation-without-result': async (client) => (await inspect(client)).response === undefined,
  'operation-error-as-result': async (client) => (await inspect(client, {}, [])).error?.code !== 9,
  'inspection-of-all-kinds': async (client) =>
    (await inspect(client, { kind: 'TRAM' })).response?.inspected_count !== 2,
};

async function retired(client: Client): Promise<string> {
  const { name } = await newVehicle(client);
  await send(client, 'POST', `${name}:retire`);
  return name;
}

const states: Of<'states'> = {
  'retired-again': async (client) =>
    isOther(send(client, 'POST', `${await retired(client)}:retire`), 400),
  'retire-not-stored': async (client) =>
    (await get(client, await retired(client))).state !== 'RETIRED',
  'retired-updated': async (client) =>
    isOther(send(client, 'PATCH', await retired(client), { odometer_km: 3 }), 400),
  'retire-time-missing': async (client) =>
    (await get(client, await retired(client))).retire_time === undefined,
};

async function repeatsDepot(client: Client): Promise<Got<View>> {
  const id = (await newDepot(client)).name.split('/')[1] ?? '';
  return send(client, 'POST', `depots?depot_id=${id}`, { display_name: 'Second' });
}

const uniqueness: Of<'uniqueness'> = {
  'plate-twice': async (client) => {
    const { license_plate } = await newVehicle(client);
    return isOther(postVehicle(client, (await newDepot(client)).name, { license_plate }), 409);
  },
  'depot-id-replaces': (client) => isOther(repeatsDepot(client), 409),
};

const validation: Of<'validation'> = {
  'empty-display-name-accepted': takesDepot({ display_name: '' }),
  'capacity-too-large-accepted': takesDepot({ capacity: 501 }),
  'unknown-field-accepted': takesDepot({ wheels: 4 }),
  'unknown-parameter-accepted': takesDepot({}, '&colour=red'),
  'depot-id-any-text': (client) =>
    isOther(send(client, 'POST', 'depots?depot_id=North', { display_name: 'A' }), 400),
  'kind-not-required': takesVehicle({ kind: undefined }),
  'kind-unspecified-accepted': takesVehicle({ kind: 'KIND_UNSPECIFIED' }),
  'impossible-date-accepted': takesVehicle({ purchase_date: '2024-02-30' }),
  'too-many-features-accepted': takesVehicle({ features: [...'abcdef'] }),
};

const missing = (client: Client) => send(client, 'GET', 'depots/no-such-depot');

const errors: Of<'errors'> = {
  'missing-depot-500': (client) => isOther(missing(client), 404),
  'missing-depot-empty': (client) => isOther(missing(client), 404),
  'error-without-status': async (client) =>
    (await missing(client)).body.error?.status !== 'NOT_FOUND',
  'error-code-is-grpc': async (client) => (await missing(client)).body.error?.code !== 404,
  'violation-elsewhere': async (client) => {
    const { error } = (await postDepot(client, { capacity: 'many' })).body;
    return error?.details?.[0]?.field_violations?.[0]?.field !== 'capacity';
  },
  'taken-is-400': (client) => isOther(repeatsDepot(client), 409),
  'no-key-needed': (client) =>
    isOther(send(client, 'GET', 'depots', undefined, { as: 'anonymous' }), 401),
};

/** For each defect: whether it shows to a client that reads the document. */
export const shows: Readonly<Record<DefectName, Show>> = {
  ...writes,
  ...masks,
  ...etags,
  ...deletion,
  ...paging,
  ...filters,
  ...order,
  ...relations,
  ...batches,
  ...requests,
  ...operations,
  ...states,
  ...uniqueness,
  ...validation,
  ...errors,
};
