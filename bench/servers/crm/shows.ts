import type { Client } from '../serving/client.ts';
import { isOther, unique, type Show } from '../serving/showing.ts';
import type { DefectName, defects } from './defects.ts';
import * as use from './use.ts';
import type { Asked, Row } from './use.ts';

type Of<Kind extends keyof typeof defects> = Record<keyof (typeof defects)[Kind], Show>;

const { add, archive, ask, associate, email, linkedTo, newCompany, newContact } = use;
const { newDeal, patch, search, valueOf, where } = use;

const isTaken = (got: Asked): Promise<boolean> => isOther(got, 400);

const batch = (client: Client, what: string, inputs: readonly object[], as?: string): Asked =>
  ask(client, `POST objects/contacts/batch/${what}`, { inputs }, as);

const answers: Of<'answers'> = {
  'archived-again-204': async (client) => {
    const row = await newContact(client);
    await archive(client, 'contacts', row);
    return isOther(archive(client, 'contacts', row), 404);
  },
  'refusal-without-property': async (client) => {
    const { page } = await add(client, 'contacts', { email: email(), score: 'much' });
    return page.errors?.[0]?.in !== 'score';
  },
  'taken-email-as-400': async (client) => {
    const { properties } = await newContact(client);
    return isOther(add(client, 'contacts', { email: properties['email'] ?? '' }), 409);
  },
  'batch-failures-as-201': (client) =>
    isOther(batch(client, 'create', [{ properties: { score: 'much' } }]), 207),
};

/** The pages of the contacts to their end, at most twenty. */
async function pagesOf(client: Client, query: string): Promise<readonly use.Row[][]> {
  const pages: Row[][] = [];
  let next: string | undefined = `objects/contacts?${query}`;
  while (next !== undefined && pages.length < 20) {
    const { rows, page }: Awaited<Asked> = await ask(client, `GET ${next}`);
    pages.push([...rows]);
    next = page.paging?.next.link;
  }
  return pages;
}

/** New contacts of one city, and the filter for them. */
async function inCity(client: Client, values: readonly object[]) {
  const city = unique('town');
  const rows: Row[] = [];
  for (const one of values) rows.push(await newContact(client, { city, ...one }));
  return { rows, ids: rows.map(({ id }) => id), isThere: where('city', 'EQ', city), city };
}

const pages: Of<'pages'> = {
  'page-skips-record': async (client) => {
    const [all, few] = [await pagesOf(client, 'limit=100'), await pagesOf(client, 'limit=7')];
    return all.flat().length !== few.flat().length;
  },
  'last-page-has-next': async (client) => {
    const { length } = (await pagesOf(client, 'limit=100')).flat();
    const { page } = await ask(client, `GET objects/contacts?limit=${String(length)}`);
    return page.paging !== undefined;
  },
  'link-loses-properties': async (client) => {
    const found = (await pagesOf(client, 'limit=20&properties=phone')).flat();
    return found.some(({ properties }) => properties['phone'] === undefined);
  },
  'archived-left-out-of-page': async (client) =>
    (await pagesOf(client, 'limit=8')).slice(0, -1).some(({ length }) => length !== 8),
  'search-total-of-page': async (client) => {
    const { isThere } = await inCity(client, [{}, {}, {}]);
    return (await search(client, 'contacts', [[isThere]], { limit: 2 })).page.total !== 3;
  },
  'search-page-overlaps': async (client) => {
    const { isThere, ids } = await inCity(client, [{}, {}, {}]);
    const { page } = await search(client, 'contacts', [[isThere]], { limit: 2 });
    const after = page.paging?.next.after;
    return (await search(client, 'contacts', [[isThere]], { limit: 2, after })).ids[0] !== ids[2];
  },
};

/** Whether a search among new contacts finds others than those at these places. */
async function isWrong(
  client: Client,
  values: readonly object[],
  [filter, ...places]: readonly [use.Filter, ...number[]],
): Promise<boolean> {
  const { isThere, ids } = await inCity(client, values);
  const found = (await search(client, 'contacts', [[isThere, filter]])).ids;
  return found.join() !== places.map((place) => ids[place]).join();
}

const searches: Of<'searches'> = {
  'filters-of-group-ored': (client) =>
    isWrong(client, [{ score: '5' }, {}], [where('score', 'EQ', '5'), 0]),
  'first-group-only': async (client) => {
    const { rows, ids } = await inCity(client, [{}, {}]);
    const groups = rows.map(({ properties }) => [where('email', 'EQ', properties['email'] ?? '')]);
    return (await search(client, 'contacts', groups)).ids.join() !== ids.join();
  },
  'between-excludes-high': (client) =>
    isWrong(
      client,
      [{ score: '10' }, { score: '15' }, { score: '20' }, { score: '21' }],
      [{ ...where('score', 'BETWEEN', '10'), highValue: '20' }, 0, 1, 2],
    ),
  'numbers-filtered-as-text': (client) =>
    isWrong(client, [{ score: '9' }, { score: '100' }], [where('score', 'GT', '20'), 1]),
  'times-filtered-as-text': async (client) => {
    const dealname = unique('Plan');
    await newDeal(client, { dealname, closedate: '2026-05-31T22:30:00Z' });
    const since = where('closedate', 'GTE', '2026-06-01T00:00:00+02:00');
    const { ids } = await search(client, 'deals', [[where('dealname', 'EQ', dealname), since]]);
    return ids.length !== 1;
  },
  'neq-misses-empty': (client) =>
    isWrong(client, [{ phone: '1' }, {}, { phone: '2' }], [where('phone', 'NEQ', '1'), 1, 2]),
  'token-within-words': (client) =>
    isWrong(
      client,
      [{ jobtitle: 'Head of sales' }, { jobtitle: 'Salesperson' }],
      [where('jobtitle', 'CONTAINS_TOKEN', 'sales'), 0],
    ),
  'query-drops-filters': async (client) => {
    const { city, isThere } = await inCity(client, [{ firstname: 'Amaranta' }]);
    await newContact(client, { firstname: 'Amaranta', city: `${city}-b` });
    return (await search(client, 'contacts', [[isThere]], { query: 'amaranta' })).ids.length !== 1;
  },
  'empty-sorted-first': async (client) => {
    const { ids, isThere } = await inCity(client, [{}, { score: '7' }]);
    const sorts = [{ propertyName: 'score', direction: 'ASCENDING' }];
    return (await search(client, 'contacts', [[isThere]], { sorts })).ids[0] !== ids[1];
  },
  'search-finds-archived': async (client) => {
    const { rows, isThere } = await inCity(client, [{}, {}]);
    await archive(client, 'contacts', rows[0] as Row);
    return (await search(client, 'contacts', [[isThere]])).ids.length !== 1;
  },
};

/** The first record of the portal, which was not changed lately. */
const oldest = async (client: Client): Promise<Row> =>
  (await ask(client, 'GET objects/contacts')).rows[0] as Row;

const records: Of<'records'> = {
  'patch-replaces': async (client) => {
    const row = await newContact(client, { phone: '555' });
    await patch(client, 'contacts', row, { jobtitle: 'Owner' });
    return (await valueOf(client, 'contacts', row, 'phone')) !== '555';
  },
  'cleared-as-empty-text': async (client) => {
    const row = await newContact(client, { phone: '555' });
    await patch(client, 'contacts', row, { phone: '' });
    return (await valueOf(client, 'contacts', row, 'phone')) !== null;
  },
  'updated-at-still': async (client) => {
    const row = await oldest(client);
    return (await patch(client, 'contacts', row, { phone: '556' })).row.updatedAt === row.updatedAt;
  },
  'empty-property-omitted': async (client) =>
    (await valueOf(client, 'contacts', await newContact(client), 'phone')) === undefined,
  'id-property-minds-case': async (client) => {
    const key = ((await newContact(client)).properties['email'] ?? '').toUpperCase();
    return isOther(ask(client, `GET objects/contacts/${key}?idProperty=email`), 200);
  },
};

const property = { name: 'tier', label: 'Tier', type: 'enumeration', fieldType: 'select' };
const tiers = [
  { label: 'Gold', value: 'gold' },
  { label: 'Silver', value: 'silver' },
];

const values: Of<'values'> = {
  'options-unchecked-in-updates': async (client) =>
    isTaken(patch(client, 'contacts', await newContact(client), { lifecyclestage: 'friend' })),
  'first-of-several-checked': (client) =>
    isTaken(add(client, 'contacts', { email: email(), interests: 'product;yachts' })),
  'date-not-of-calendar': (client) =>
    isTaken(add(client, 'contacts', { email: email(), birthday: '1990-02-30' })),
  'read-only-ignored': async (client) =>
    isTaken(add(client, 'deals', { dealname: 'Plan', probability: '0.9' })),
  'unknown-property-ignored': (client) =>
    isTaken(add(client, 'contacts', { email: email(), shoesize: '44' })),
  'inactive-owner-taken': async (client) => {
    const [owner] = (await ask(client, 'GET owners?archived=true')).ids;
    return isTaken(add(client, 'contacts', { email: email(), owner_id: owner ?? '' }));
  },
  'used-option-removed': async (client) => {
    await ask(client, 'POST properties/contacts', { ...property, options: tiers });
    await newContact(client, { tier: 'silver' });
    const json = { options: tiers.slice(0, 1) };
    return isOther(ask(client, 'PATCH properties/contacts/tier', json), 409);
  },
  'lifecycle-goes-back': async (client) => {
    const row = await newContact(client, { lifecyclestage: 'customer' });
    return isTaken(patch(client, 'contacts', row, { lifecyclestage: 'lead' }));
  },
};

const uniqueness: Of<'uniqueness'> = {
  'email-taken-by-update': async (client) => {
    const { properties } = await newContact(client);
    const json = { email: properties['email'] ?? '' };
    return isOther(patch(client, 'contacts', await newContact(client), json), 409);
  },
  'batch-email-twice': async (client) => {
    const entry = { properties: { email: email() } };
    return (await batch(client, 'create', [entry, entry])).rows.length !== 1;
  },
  'email-of-archived-taken': async (client) => {
    const row = await newContact(client);
    await archive(client, 'contacts', row);
    return isOther(add(client, 'contacts', { email: row.properties['email'] ?? '' }), 201);
  },
  'custom-unique-unchecked': async (client) => {
    const json = { name: 'badge', label: 'Badge', type: 'string', fieldType: 'text' };
    await ask(client, 'POST properties/contacts', { ...json, hasUniqueValue: true });
    await newContact(client, { badge: 'b-1' });
    return isOther(add(client, 'contacts', { email: email(), badge: 'b-1' }), 409);
  },
};

const won = { amount: '100', dealstage: 'closedwon' };

const deals: Of<'deals'> = {
  'stage-of-other-pipeline': async (client) =>
    isTaken(patch(client, 'deals', await newDeal(client), { dealstage: 'offered' })),
  'close-date-not-set': async (client) => {
    const { row } = await patch(client, 'deals', await newDeal(client), won);
    return row.properties['closedate'] === null;
  },
  'close-date-overwritten': async (client) => {
    const closedate = '2026-02-03T10:00:00.000Z';
    const { row } = await patch(client, 'deals', await newDeal(client), { ...won, closedate });
    return Date.parse(row.properties['closedate'] ?? '') !== Date.parse(closedate);
  },
  'reopened-keeps-close-date': async (client) => {
    const { row } = await patch(client, 'deals', await newDeal(client, won), { dealstage: 'demo' });
    return row.properties['closedate'] !== null;
  },
  'probability-of-first-stage': async (client) => {
    const row = await newDeal(client);
    await patch(client, 'deals', row, { dealstage: 'contract' });
    return Number(await valueOf(client, 'deals', row, 'probability')) !== 0.8;
  },
  'lost-counts-as-won': async (client) => {
    const row = await newDeal(client, { dealstage: 'closedlost' });
    return (await valueOf(client, 'deals', row, 'is_won')) !== 'false';
  },
  'won-without-amount': async (client) =>
    isTaken(patch(client, 'deals', await newDeal(client), { dealstage: 'closedwon' })),
  'forecast-cut-off': async (client) => {
    const row = await newDeal(client, { amount: '10.05', dealstage: 'demo' });
    return Number(await valueOf(client, 'deals', row, 'forecast_amount')) !== 3.52;
  },
  'win-leaves-lifecycle': async (client) => {
    const contact = await newContact(client);
    await newDeal(client, won, { contacts: contact });
    return (await valueOf(client, 'contacts', contact, 'lifecyclestage')) !== 'customer';
  },
};

const associations: Of<'associations'> = {
  'seen-from-one-side': async (client) => {
    const contact = await newContact(client);
    await newDeal(client, {}, { contacts: contact });
    return (await linkedTo(client, 'contacts', contact, 'deals')).length !== 1;
  },
  'associated-twice': async (client) => {
    const contact = await newContact(client);
    const deal = await newDeal(client, {}, { contacts: contact });
    await associate(client, `deals ${deal.id}`, `contacts ${contact.id}`);
    return (await linkedTo(client, 'deals', deal, 'contacts')).length !== 1;
  },
  'archived-stays-associated': async (client) => {
    const contact = await newContact(client);
    const deal = await newDeal(client, {}, { contacts: contact });
    await archive(client, 'contacts', contact);
    return (await linkedTo(client, 'deals', deal, 'contacts')).length !== 0;
  },
  'second-company-added': async (client) => {
    const [old, next] = [await newCompany(client), await newCompany(client)];
    const contact = await newContact(client, {}, { companies: old });
    await associate(client, `companies ${next.id}`, `contacts ${contact.id}`);
    return (await linkedTo(client, 'contacts', contact, 'companies')).join() !== next.id;
  },
  'revenue-of-lost-deals': async (client) => {
    const company = await newCompany(client);
    await newDeal(client, { amount: '40', dealstage: 'closedlost' }, { companies: company });
    return Number(await valueOf(client, 'companies', company, 'total_revenue')) !== 0;
  },
  'completed-task-is-next': async (client) => {
    const contact = await newContact(client);
    const json = { subject: 'Call', due: '2026-07-01T08:00:00Z', status: 'COMPLETED' };
    await add(client, 'tasks', json, { contacts: contact });
    return (await valueOf(client, 'contacts', contact, 'next_activity_date')) !== null;
  },
};

/** Two contacts, of which the second is merged into the first. */
async function merged(client: Client) {
  const primary = await newContact(client, { phone: '1' });
  const other = await newContact(client, { phone: '2' });
  const deal = await newDeal(client, {}, { contacts: other });
  const json = { primaryObjectId: primary.id, objectIdToMerge: other.id };
  await ask(client, 'POST objects/contacts/merge', json);
  return { primary, other, deal };
}

const merges: Of<'merges'> = {
  'merged-values-win': async (client) => {
    const { primary } = await merged(client);
    return (await valueOf(client, 'contacts', primary, 'phone')) !== '1';
  },
  'merge-loses-associations': async (client) => {
    const { primary, deal } = await merged(client);
    return (await linkedTo(client, 'contacts', primary, 'deals')).join() !== deal.id;
  },
  'merged-id-lost': async (client) => {
    const { primary, other } = await merged(client);
    return (await valueOf(client, 'contacts', other, 'record_id')) !== primary.id;
  },
};

const atomicity: Of<'atomicity'> = {
  'refused-update-kept': async (client) => {
    const row = await newContact(client, { phone: '555' });
    await patch(client, 'contacts', row, { phone: '556', score: 'much' });
    return (await valueOf(client, 'contacts', row, 'phone')) !== '555';
  },
  'batch-stops-at-fault': async (client) => {
    const entries = [{ score: 'much' }, {}].map((one) => ({
      properties: { email: email(), ...one },
    }));
    return (await batch(client, 'create', entries)).rows.length !== 1;
  },
};

const access: Of<'access'> = {
  'scope-of-batches-unchecked': (client) =>
    isOther(batch(client, 'create', [{ properties: { email: email() } }], 'reader'), 403),
  'associations-beyond-scope': (client) =>
    isOther(ask(client, 'GET objects/contacts?associations=deals', undefined, 'contactsOnly'), 403),
  'contact-of-other-portal': async (client) => {
    const { id } = await newContact(client);
    return isOther(ask(client, `GET objects/contacts/${id}`, undefined, 'second'), 404);
  },
};

/** For each defect: whether it shows to a client that reads the document. */
export const shows: Readonly<Record<DefectName, Show>> = {
  ...{ ...answers, ...pages, ...searches, ...records, ...values, ...uniqueness },
  ...{ ...deals, ...associations, ...merges, ...atomicity, ...access },
};
