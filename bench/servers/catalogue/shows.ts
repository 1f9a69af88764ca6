import type { Client } from '../serving/client.ts';
import { isOther, pathOf, unique, type Show } from '../serving/showing.ts';
import type { DefectName, defects } from './defects.ts';
import {
  active,
  at,
  change,
  changed,
  get,
  itemsOf,
  list,
  make,
  order,
  orderIn,
  post,
  read,
  remove,
  three,
  type Place,
  type View,
} from './use.ts';

type Of<Kind extends keyof typeof defects> = Record<keyof (typeof defects)[Kind], Show>;

const isText = (value: unknown): boolean => typeof value === 'string';
const nowhere = { productSpecification: { id: 'no-such' } };

async function numberTaken(client: Client): Promise<number> {
  const productNumber = unique('PN');
  await make(client, 'spec', { productNumber });
  return (await post(client, 'spec', { productNumber })).status;
}

const errors: Of<'errors'> = {
  'error-without-reason': async (client) =>
    !isText((await post(client, 'spec', { name: '' })).body.reason),
  'missing-offering-200': (client) => isOther(get(client, 'offering', 'no-such'), 404),
  'unknown-reference-500': (client) => isOther(post(client, 'offering', nowhere), 400),
};

const shapes: Of<'shapes'> = {
  'bundle-as-text': async (client) =>
    typeof (await make(client, 'offering')).isBundle !== 'boolean',
  'price-as-text': async (client) =>
    typeof (await active(client)).productOfferingPrice?.[0]?.price.value !== 'number',
  'href-missing': async (client) => !isText((await list(client, 'spec')).body[0]?.href),
  'empty-list-null': async (client) => {
    const { text } = await list(client, 'offering', 'name=no-such');
    return text.trim() !== '[]';
  },
  'item-state-in-snake-case': async (client) =>
    (await orderIn(client, 'inProgress')).productOrderItem[0]?.state !== 'inProgress',
  'location-missing-id': async (client) => {
    const { headers, body } = await post(client, 'offering');
    const found = await client.ask('GET', pathOf(headers.get('location') ?? '/'));
    return found.body['id'] !== body.id;
  },
};

const offerings = [
  {
    lifecycleStatus: 'Active',
    version: '2',
    validFor: { startDateTime: '2026-05-01T00:00:00Z' },
  },
  { validFor: { startDateTime: '2026-06-01T01:00:00+02:00' } },
  { lifecycleStatus: 'Active', isBundle: true, name: 'c and a' },
];

/** Whether a list of three new offerings has others than these, by the first letters of names. */
const lists =
  (query: string, names: string): Show =>
  async (client) => {
    const { body } = await list(client, 'offering', `${await three(client, offerings)}&${query}`);
    return (body ?? []).map(({ name }) => name.charAt(0)).join('') !== names;
  };

const header =
  (name: string, query: string, expected: string): Show =>
  async (client) => {
    const { headers } = await list(
      client,
      'offering',
      `${await three(client, offerings)}&${query}`,
    );
    return headers.get(name) !== expected;
  };

const counts: Of<'counts'> = {
  'total-count-missing': header('x-total-count', '', '3'),
  'total-count-of-page': header('x-total-count', 'limit=2', '3'),
  'result-count-of-all': header('x-result-count', 'limit=2', '2'),
  'total-count-unfiltered': header('x-total-count', '', '3'),
};

const pages: Of<'pages'> = {
  'offset-ignored': lists('sort=name&offset=1', 'bc'),
  'limit-one-more': lists('sort=name&limit=2', 'ab'),
};

/** Whether the fields name and version of a new offering select other attributes. */
async function selectsOther(client: Client, isOne: boolean): Promise<boolean> {
  const { id } = await make(client, 'offering', { version: '3' });
  const query = 'fields=name,version';
  const { body } = isOne
    ? await client.ask<View>('GET', `${at.offering}/${id}?${query}`)
    : { body: (await list(client, 'offering', `${query}&limit=1`)).body[0] };
  const names = Object.keys(body ?? {}).filter((name) => name !== 'revision');
  return names.toSorted().join() !== 'href,id,name,version';
}

const selections: Of<'fields'> = {
  'fields-ignored': (client) => selectsOther(client, true),
  'fields-without-id': (client) => selectsOther(client, true),
  'fields-in-lists-only': (client) => selectsOther(client, true),
};

const filters: Of<'filters'> = {
  'status-filter-ignored': lists('sort=name&lifecycleStatus=Active', 'ac'),
  'first-alternative-only': lists('sort=name&lifecycleStatus=Active,In%20design', 'abc'),
  'start-gt-with-bound': lists('validFor.startDateTime.gt=2026-05-01T00:00:00Z', 'b'),
  'start-lt-as-text': lists('sort=name&validFor.startDateTime.lt=2026-06-01T00:00:00Z', 'ab'),
  'category-filter-first-only': async (client) => {
    const category = [await make(client, 'category'), await make(client, 'category')];
    const ids = category.map(({ id }) => ({ id }));
    await make(client, 'offering', { category: ids });
    return (await list(client, 'offering', `category.id=${ids[1]?.id ?? ''}`)).body.length !== 1;
  },
  'name-filter-by-part': lists('name=a', 'a'),
};

const sorting: Of<'sorting'> = {
  'sort-ignored': lists('sort=lifecycleStatus,-name', 'cab'),
  'sort-second-ignored': lists('sort=lifecycleStatus,-name', 'cab'),
};

const period = { startDateTime: '2026-01-01T00:00:00Z', endDateTime: '2026-12-31T00:00:00Z' };

const writes: Of<'writes'> = {
  'create-lost': async (client) =>
    isOther(get(client, 'spec', (await make(client, 'spec')).id), 200),
  'create-drops-characteristics': async (client) => {
    const all = { productSpecCharacteristic: [{ name: 'colour' }] };
    return (await changed(client, 'spec', all, [])).productSpecCharacteristic?.length !== 1;
  },
  'default-not-sellable': async (client) => !(await make(client, 'offering')).isSellable,
  'patch-lost': async (client) =>
    (await changed(client, 'offering', {}, [{ description: 'New' }])).description !== 'New',
  'patch-drops-description': async (client) => {
    const found = await changed(client, 'spec', { description: 'Old' }, [{ version: '2' }]);
    return found.description !== 'Old';
  },
  'patch-null-kept': async (client) => {
    const found = await changed(client, 'spec', { description: 'Old' }, [{ description: null }]);
    return found.description !== undefined;
  },
  'patch-replaces-nested': async (client) => {
    const patch = { validFor: { endDateTime: '2027-01-01T00:00:00Z' } };
    const { validFor } = await changed(client, 'category', { validFor: period }, [patch]);
    return validFor?.startDateTime !== period.startDateTime;
  },
  'patch-appends-to-lists': async (client) => {
    const one = { productSpecCharacteristic: [{ name: 'colour' }] };
    return (await changed(client, 'spec', one, [one])).productSpecCharacteristic?.length !== 1;
  },
  'patch-of-id-ignored': async (client) =>
    isOther(change(client, 'spec', (await make(client, 'spec')).id, { id: '7' }), 400),
  'refused-patch-kept': async (client) => {
    const patch = { description: 'Half', lifecycleStatus: 'Obsolete' };
    return (await changed(client, 'offering', {}, [patch])).description === 'Half';
  },
  'last-update-unchanged': async (client) => {
    const { id, lastUpdate } = await make(client, 'category');
    return (await change(client, 'category', id, { version: '2' })).body.lastUpdate === lastUpdate;
  },
};

/** A status for the deletion of an entity that a new offering refers to. */
async function deleteUsed(client: Client, place: Place): Promise<number> {
  const { id } = await make(client, place);
  const refs = place === 'category' ? { category: [{ id }] } : { productSpecification: { id } };
  await make(client, 'offering', refs);
  return (await remove(client, place, id)).status;
}

const deletion: Of<'deletion'> = {
  'delete-not-done': async (client) => {
    const { id } = await make(client, 'spec');
    await remove(client, 'spec', id);
    return isOther(get(client, 'spec', id), 404);
  },
  'deleted-still-listed': async (client) => {
    const { id, name } = await make(client, 'offering');
    await remove(client, 'offering', id);
    return (await list(client, 'offering', `name=${name}`)).body.length !== 0;
  },
  'category-in-use-deleted': async (client) => (await deleteUsed(client, 'category')) !== 409,
  'specification-in-use-deleted': async (client) => (await deleteUsed(client, 'spec')) !== 409,
  'ordered-offering-deleted': async (client) => {
    const offering = await active(client);
    await order(client, { productOrderItem: itemsOf([offering]) });
    return isOther(remove(client, 'offering', offering.id), 409);
  },
};

const references: Of<'references'> = {
  'unknown-category-accepted': (client) =>
    isOther(post(client, 'offering', { category: [{ id: 'no-such' }] }), 400),
  'reference-name-stale': async (client) => {
    const { id } = await make(client, 'category');
    const offering = await make(client, 'offering', { category: [{ id }] });
    await change(client, 'category', id, { name: 'Renamed' });
    return (await read(client, 'offering', offering.id)).category?.[0]?.name !== 'Renamed';
  },
  'reference-name-of-client': async (client) => {
    const { id, name } = await make(client, 'category');
    const fields = { category: [{ id, name: 'Mine' }] };
    return (await make(client, 'offering', fields)).category?.[0]?.name !== name;
  },
  'sub-category-missing': async (client) => {
    const { id } = await make(client, 'category');
    const below = await make(client, 'category', { parentId: id });
    return (await read(client, 'category', id)).subCategory?.[0]?.id !== below.id;
  },
  'category-below-itself': async (client) => {
    const { id } = await make(client, 'category');
    const below = await make(client, 'category', { parentId: id });
    return isOther(change(client, 'category', id, { parentId: below.id }), 400);
  },
};

/** Whether an offering in a status can be given another one. */
const moves =
  (from: string, to: string): Show =>
  async (client) => {
    const { id } = await make(client, 'offering', { lifecycleStatus: from });
    return isOther(change(client, 'offering', id, { lifecycleStatus: to }), 409);
  };

const states: Of<'states'> = {
  'lifecycle-skips': moves('In design', 'Active'),
  'inactive-offering-ordered': async (client) => {
    const productOrderItem = itemsOf([await make(client, 'offering')]);
    return isOther(post(client, 'order', { productOrderItem }), 400);
  },
  'items-keep-their-state': async (client) =>
    (await orderIn(client, 'inProgress')).productOrderItem[0]?.state !== 'inProgress',
  'completed-order-cancelled': async (client) => {
    const { id } = await orderIn(client, 'inProgress', 'completed');
    return isOther(post(client, 'cancel', { productOrder: { id } }), 409);
  },
  'cancellation-without-effect': async (client) => {
    const { id } = await order(client);
    await post(client, 'cancel', { productOrder: { id } });
    return (await read(client, 'order', id)).state !== 'cancelled';
  },
  'completion-date-missing': async (client) =>
    !isText((await orderIn(client, 'inProgress', 'completed')).completionDate),
};

/** Whether two of one offering and two of another, at 2.5 and 4, cost anything but 13. */
async function costsOther(client: Client): Promise<boolean> {
  const [first, second] = [await active(client), await active(client, 4)];
  const { id } = await order(client, { productOrderItem: itemsOf([first, second]) });
  const productOfferingPrice = [{ priceType: 'oneTime', price: { unit: 'EUR', value: 9 } }];
  await change(client, 'offering', first.id, { productOfferingPrice });
  return (await read(client, 'order', id)).orderTotalPrice?.[0]?.price.value !== 13;
}

const sums: Of<'sums'> = {
  'total-without-quantity': costsOther,
  'total-follows-price': costsOther,
};

const uniqueness: Of<'uniqueness'> = {
  'product-number-twice': async (client) => (await numberTaken(client)) !== 409,
  'external-id-twice': async (client) => {
    const externalId = unique('PO');
    await order(client, { externalId });
    const productOrderItem = itemsOf([await active(client)]);
    return isOther(post(client, 'order', { externalId, productOrderItem }), 409);
  },
};

const clients: Of<'clients'> = {
  'no-token-needed': (client) => isOther(client.ask('GET', at.order, { as: 'anonymous' }), 401),
  'any-token-accepted': (client) => isOther(client.ask('GET', at.spec, { as: 'wrongKey' }), 401),
  'orders-of-others-listed': async (client) => {
    const { id } = await order(client, {}, 'second');
    const { body } = await list(client, 'order', 'limit=100');
    return body.some((one) => one.id === id);
  },
  'order-of-other-shown': async (client) =>
    isOther(get(client, 'order', (await order(client, {}, 'second')).id), 404),
  'order-of-other-cancelled': async (client) => {
    const { id } = await order(client, {}, 'second');
    return isOther(post(client, 'cancel', { productOrder: { id } }), 400);
  },
};

const validation: Of<'validation'> = {
  'quantity-zero-accepted': async (client) => {
    const productOrderItem = itemsOf([await active(client)], 0);
    return isOther(post(client, 'order', { productOrderItem }), 400);
  },
  'name-of-100-refused': (client) => isOther(post(client, 'spec', { name: 'x'.repeat(100) }), 201),
  'end-before-start-accepted': (client) => {
    const validFor = { startDateTime: period.endDateTime, endDateTime: period.startDateTime };
    return isOther(post(client, 'offering', { validFor }), 400);
  },
  'json-as-merge-patch': async (client) => {
    const { id } = await make(client, 'spec');
    return isOther(change(client, 'spec', id, { version: '2' }, 'application/json'), 415);
  },
  'hub-removal-not-done': async (client) => {
    const { id } = await make(client, 'hub', { callback: 'https://client.example/listener' });
    await remove(client, 'hub', id);
    return isOther(remove(client, 'hub', id), 404);
  },
  'null-body-500': (client) => isOther(client.ask('POST', at.offering, { bytes: 'null' }), 400),
};

/** For each defect: whether it shows to a client that reads the document. */
export const shows: Readonly<Record<DefectName, Show>> = {
  ...errors,
  ...shapes,
  ...counts,
  ...pages,
  ...selections,
  ...filters,
  ...sorting,
  ...writes,
  ...deletion,
  ...references,
  ...states,
  ...sums,
  ...uniqueness,
  ...clients,
  ...validation,
};
