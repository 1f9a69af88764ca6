import type { Client } from '../serving/client.ts';
import { isOther, pathOf, type Show } from '../serving/showing.ts';
import type { DefectName, defects } from './defects.ts';
import {
  after,
  all,
  at,
  change,
  create,
  full,
  get,
  lists,
  newSku,
  places,
  post,
  query,
  review,
  send,
  several,
  stale,
  takes,
  type Query,
  type View,
} from './use.ts';

type Of<Kind extends keyof typeof defects> = Record<keyof (typeof defects)[Kind], Show>;

/** A new product, as it is read after a discount. */
async function discounted(client: Client, fields: object): Promise<View> {
  const path = at(await create(client, fields));
  await send(client, 'POST', `${path}/Catalog.Discount`, { Percent: 10 });
  return get(client, path);
}

const writes: Of<'writes'> = {
  'create-not-stored': async (client) =>
    isOther(send(client, 'GET', at(await create(client))), 200),
  'patch-not-stored': async (client) => (await after(client, { Stock: 8 })).Stock !== 8,
  'patch-resets-others': async (client) => (await after(client, { Price: 21 })).Stock !== 7,
  'put-keeps-others': async (client) =>
    (await after(client, { Name: 'Kite', Price: 21 }, 'PUT')).Stock !== 0,
  'price-rounded': async (client) => (await create(client, { Price: 9.75 })).Price !== 9.75,
  'tags-sorted': async (client) => (await create(client, full)).Tags?.join() !== 'wind,red',
  'stock-default-one': async (client) => (await create(client)).Stock !== 0,
  'null-ignored': async (client) =>
    (await after(client, { ReleaseDate: null })).ReleaseDate !== null,
  'id-from-body': async (client) => (await create(client, { ID: 987_654 })).ID === 987_654,
  'created-at-from-body': async (client) =>
    String((await create(client, { CreatedAt: '2001-01-01T00:00:00Z' })).CreatedAt) < '2020',
  'modified-at-frozen': async (client) => {
    const { CreatedAt, ModifiedAt } = await after(client, { Stock: 8 });
    return CreatedAt === ModifiedAt;
  },
  'delete-not-done': async (client) => {
    const path = at(await create(client));
    await send(client, 'DELETE', path);
    return isOther(send(client, 'GET', path), 404);
  },
  'discount-not-stored': async (client) => (await discounted(client, {})).Price !== 18,
  'discount-off-by-cents': async (client) =>
    (await discounted(client, { Price: 25 })).Price !== 22.5,
  'review-text-lost': async (client) =>
    (await review(client, at(await create(client)), { Text: 'Fine.' })).body.Text !== 'Fine.',
};

/** The code of a category. */
async function anyCategory(client: Client): Promise<string> {
  return (await get(client, '/Categories')).value?.[0]?.Code ?? '';
}

const goods: readonly object[] = [
  { Name: 'Red Kite', Price: 9, Stock: 1, Tags: ['wind', 'red'], ReleaseDate: '2024-05-01' },
  { Name: "Painter's red", Price: 30, Stock: 1, Tags: ['red'] },
  { Name: 'Lens', Price: 100, Stock: 2, ReleaseDate: '2024-07-01' },
];

/** Whether a filter of these goods finds others than those at these places. */
const filters = (filter: string, expected: string): Show => {
  return async (client) => (await places(client, goods, { filter })) !== expected;
};

const filterDefects: Of<'filters'> = {
  'filter-ignored': filters('Price lt 20', '0'),
  'or-before-and': filters('Stock eq 1 or Stock eq 2 and Price gt 500', '01'),
  'not-ignored': filters('not (Price gt 20)', '0'),
  'ge-excludes-bound': filters('Price ge 30', '12'),
  'numbers-compared-as-text': filters('Price gt 20', '12'),
  'contains-any-case': filters("contains(Name,'red')", '1'),
  'startswith-anywhere': filters("startswith(Name,'Kite')", ''),
  'any-first-only': filters("Tags/any(t:t eq 'red')", '01'),
  'null-matches-nothing': filters('ReleaseDate eq null', '1'),
  'ne-skips-null': filters('ReleaseDate ne 2024-05-01', '12'),
  'quote-not-unescaped': filters("Name eq 'Painter''s red'", '1'),
  'category-path-empty': async (client) => {
    const CategoryCode = await anyCategory(client);
    const { Name = '' } = await get(client, `/Categories('${CategoryCode}')`);
    const options = { filter: `Category/Name eq '${Name}'` };
    return (await places(client, [{}, { CategoryCode }], options)) !== '1';
  },
  'unknown-property-accepted': lists({ filter: "Colour eq 'red'" }),
  'filter-syntax-500': lists({ filter: 'Price gt' }),
  'filter-type-unchecked': lists({ filter: 'Name eq 5' }),
};

/** A new product, with these query options. */
async function viewed(client: Client, options: Query): Promise<View> {
  const product = await create(client, full);
  for (const Rating of [5, 2, 4]) await review(client, at(product), { Rating, Text: 'Fine.' });
  await review(client, at(await create(client)));
  return get(client, at(product) + query(options));
}

/** The second page of three new products with this preference. */
async function secondPage(client: Client, options: Query): Promise<View | undefined> {
  const { mine } = await several(client, [{}, {}, {}]);
  const headers = { Prefer: 'odata.maxpagesize=2' };
  const path = `/Products${query({ filter: mine, ...options })}`;
  const { body } = await send(client, 'GET', path, undefined, { headers });
  const next = pathOf(body['@odata.nextLink'] ?? '');
  return next === '' ? undefined : get(client, next);
}

const select: Of<'select'> = {
  'select-ignored': async (client) => (await viewed(client, { select: 'ID' })).Price !== undefined,
  'select-adds-name': async (client) => (await viewed(client, { select: 'ID' })).Name !== undefined,
  'unknown-select-accepted': lists({ select: 'ID,Colour' }),
  'select-drops-expanded': async (client) =>
    (await viewed(client, { select: 'ID', expand: 'Reviews' })).Reviews === undefined,
  'select-lost-on-next-page': async (client) =>
    (await secondPage(client, { select: 'ID' }))?.value?.[0]?.Price !== undefined,
};

/** Whether the expanded Reviews, with ratings 5, 2 and 4, have others. */
const expands = (expand: string, ratings: string): Show => {
  return async (client) => {
    const { Reviews } = await viewed(client, { expand });
    return Reviews?.map(({ Rating }) => Rating).join('') !== ratings;
  };
};

const expand: Of<'expand'> = {
  'expand-ignored': expands('Reviews', '524'),
  'expand-first-only': expands('Category,Reviews', '524'),
  'expand-top-ignored': expands('Reviews($top=2)', '52'),
  'expand-select-ignored': async (client) => {
    const { Reviews } = await viewed(client, { expand: 'Reviews($select=Rating)' });
    return Reviews?.[0]?.Text !== undefined;
  },
  'expand-filter-ignored': expands('Reviews($filter=Rating gt 3;$orderby=Rating)', '45'),
  'expanded-null-absent': async (client) =>
    (await viewed(client, { expand: 'Category' })).Category !== null,
  'reviews-of-all-expanded': expands('Reviews', '524'),
  'unknown-expand-accepted': lists({ expand: 'Makers' }),
};

/** Whether the goods come in another order. */
const sorts = (orderby: string, expected: string): Show => {
  return async (client) => (await places(client, goods, { orderby })) !== expected;
};

const order: Of<'order'> = {
  'orderby-ignored': sorts('Name', '210'),
  'desc-ignored': sorts('Price desc', '210'),
  'second-order-ignored': sorts('Stock,Price desc', '102'),
  'numbers-sorted-as-text': sorts('Price', '012'),
  'nulls-last': sorts('ReleaseDate', '102'),
  'unknown-order-accepted': lists({ orderby: 'Colour' }),
};

const five: readonly object[] = [{}, {}, {}, {}, {}];

/** Whether a list of five new products has others. */
const windows = (options: Query, expected: string): Show => {
  return async (client) => (await places(client, five, options)) !== expected;
};

/** The properties of so many products. */
const many = (count: number): object[] => Array.from({ length: count }, () => ({ Name: 'Paged' }));

/** Whether the pages of 25 new products are not as they were made. */
const pagesWrong: Show = async (client) => {
  const { ids } = await several(client, many(25));
  const found = await all(client, `/Products${query({ filter: "Name eq 'Paged'" })}`);
  return found.map(({ ID }) => ids.indexOf(ID)).join() !== [...ids.keys()].join();
};

const countOf = async (client: Client, options: Query) => {
  const { mine } = await several(client, [{}, {}, {}]);
  const list = await get(client, `/Products${query({ filter: mine, count: true, ...options })}`);
  return list['@odata.count'];
};

const paging: Of<'paging'> = {
  'top-ignored': windows({ top: 2 }, '01'),
  'top-zero-all': windows({ top: 0 }, ''),
  'skip-ignored': windows({ skip: 3 }, '34'),
  'skip-after-top': windows({ skip: 1, top: 2 }, '12'),
  'next-link-missing': pagesWrong,
  'next-link-on-last-page': async (client) => {
    const { mine } = await several(client, [{}]);
    const list = await get(client, `/Products${query({ filter: mine })}`);
    return list['@odata.nextLink'] !== undefined;
  },
  'next-page-is-first': pagesWrong,
  'next-page-overlaps': pagesWrong,
  'next-forgets-filter': pagesWrong,
  'next-ignores-top': async (client) => {
    await several(client, many(24));
    const options = { filter: "Name eq 'Paged'", top: 22 };
    return (await all(client, `/Products${query(options)}`)).length !== 22;
  },
  'count-of-page': async (client) => (await countOf(client, { top: 2 })) !== 3,
  'count-ignores-filter': async (client) => {
    await create(client);
    return (await countOf(client, {})) !== 3;
  },
  'count-option-ignored': async (client) => (await countOf(client, {})) === undefined,
  'count-path-ignores-filter': async (client) => {
    await create(client);
    const { mine } = await several(client, [{}]);
    return (await send(client, 'GET', `/Products/$count${query({ filter: mine })}`)).text !== '1';
  },
  'negative-top-accepted': lists({ top: -1 }),
  'any-token-accepted': lists({ skiptoken: 'bm9uZQ' }),
  'deleted-on-later-pages': async (client) => {
    await several(client, many(25));
    const gone = await create(client);
    await create(client);
    await send(client, 'DELETE', at(gone));
    return (await all(client, '/Products')).some(({ ID }) => ID === gone.ID);
  },
};

const patchesStale: Show = async (client) => {
  const { path, headers } = await stale(client);
  return isOther(send(client, 'PATCH', path, { Stock: 4 }, { headers }), 412);
};

const etags: Of<'etags'> = {
  'stale-etag-patches': patchesStale,
  'stale-etag-deletes': async (client) => {
    const { path, headers } = await stale(client);
    return isOther(send(client, 'DELETE', path, undefined, { headers }), 412);
  },
  'stale-etag-discounts': async (client) => {
    const { path, headers } = await stale(client);
    const json = { Percent: 10 };
    return isOther(send(client, 'POST', `${path}/Catalog.Discount`, json, { headers }), 412);
  },
  'stale-etag-is-409': patchesStale,
  'if-match-not-needed': async (client) =>
    isOther(change(client, at(await create(client)), { Stock: 4 }, { etag: '' }), 428),
  'any-etag-refused': async (client) =>
    isOther(change(client, at(await create(client)), { Stock: 4 }), 200),
  'etag-constant': async (client) => {
    const { path, headers } = await stale(client);
    return (await send(client, 'GET', path)).headers.get('etag') === headers['If-Match'];
  },
  'etag-differs-in-body': async (client) => {
    const { headers, body } = await send(client, 'GET', at(await create(client)));
    return headers.get('etag') !== body['@odata.etag'];
  },
  'review-changes-etag': async (client) => {
    const path = at(await create(client));
    const before = (await send(client, 'GET', path)).headers.get('etag');
    await review(client, path);
    return (await send(client, 'GET', path)).headers.get('etag') !== before;
  },
};

const unknownCategory = { CategoryCode: 'nowhere' };

/** The category of a new product after its reference was set, and perhaps removed. */
async function referred(client: Client, isRemoved: boolean): Promise<boolean> {
  const product = await create(client);
  const json = { '@odata.id': `Categories('${await anyCategory(client)}')` };
  await send(client, 'PUT', `${at(product)}/Category/$ref`, json);
  if (isRemoved) await send(client, 'DELETE', `${at(product)}/Category/$ref`);
  return (await get(client, at(product))).CategoryCode !== null;
}

const discontinued = { Status: 'Discontinued' };

const relations: Of<'relations'> = {
  'unknown-category-accepted': takes(unknownCategory),
  'category-unchecked-in-patch': async (client) =>
    isOther(change(client, at(await create(client)), unknownCategory), 400),
  'ref-to-unknown-accepted': async (client) => {
    const json = { '@odata.id': "Categories('nowhere')" };
    return isOther(send(client, 'PUT', `${at(await create(client))}/Category/$ref`, json), 400);
  },
  'ref-not-stored': async (client) => !(await referred(client, false)),
  'ref-not-removed': (client) => referred(client, true),
  'full-category-deleted': async (client) => {
    const CategoryCode = await anyCategory(client);
    await create(client, { CategoryCode });
    return isOther(send(client, 'DELETE', `/Categories('${CategoryCode}')`), 409);
  },
  'null-category-is-404': async (client) =>
    isOther(send(client, 'GET', `${at(await create(client))}/Category`), 204),
  'category-of-first': async (client) => {
    const codes = (await get(client, '/Categories')).value?.map(({ Code }) => Code) ?? [];
    const made = [];
    for (const CategoryCode of codes.slice(0, 2)) made.push(await create(client, { CategoryCode }));
    const read = [];
    for (const one of made) read.push((await get(client, `${at(one)}/Category`)).Code);
    return read.join() !== codes.slice(0, 2).join();
  },
  'reviews-of-all': async (client) => {
    await review(client, at(await create(client)));
    const path = `${at(await create(client))}/Reviews`;
    return (await get(client, path)).value?.length !== 0;
  },
  'reviews-survive': async (client) => {
    const path = at(await create(client));
    const { body } = await review(client, path);
    await send(client, 'DELETE', path);
    return isOther(send(client, 'GET', `/Reviews(${String(body.ID)})`), 404);
  },
  'reviews-of-unknown-empty': (client) =>
    isOther(send(client, 'GET', '/Products(999999)/Reviews'), 404),
  'discontinued-reviewed': async (client) =>
    isOther(review(client, at(await create(client, discontinued))), 409),
  'discontinued-discounted': async (client) => {
    const path = `${at(await create(client, discontinued))}/Catalog.Discount`;
    return isOther(send(client, 'POST', path, { Percent: 10 }), 409);
  },
};

async function takenSku(client: Client): Promise<boolean> {
  const { Sku } = await create(client);
  return isOther(post(client, { Sku }), 409);
}

const conflicts: Of<'conflicts'> = {
  'sku-twice': takenSku,
  'sku-changed': async (client) =>
    isOther(change(client, at(await create(client)), { Sku: newSku() }), 400),
  'same-sku-refused': async (client) => {
    const product = await create(client);
    return isOther(change(client, at(product), { Sku: product.Sku }), 200);
  },
  'code-replaces': async (client) => {
    const json = { Code: await anyCategory(client), Name: 'Again' };
    return isOther(send(client, 'POST', '/Categories', json), 409);
  },
  'taken-is-400': takenSku,
};

const validation: Of<'validation'> = {
  'empty-name-accepted': takes({ Name: '' }),
  'negative-price-accepted': takes({ Price: -1 }),
  'unknown-status-accepted': takes({ Status: 'Sold' }),
  'any-sku-accepted': takes({ Sku: 'kt-900' }),
  'rating-six-accepted': async (client) =>
    isOther(review(client, at(await create(client)), { Rating: 6 }), 400),
  'unknown-field-accepted': takes({ Colour: 'red' }),
  'price-not-required': takes({ Price: undefined }),
  'impossible-date-accepted': takes({ ReleaseDate: '2023-02-30' }),
  'unknown-option-accepted': lists({ colour: 'red' }),
};

const missing = (client: Client) => send(client, 'GET', '/Products(999999)');

const targetWrong: Show = async (client) =>
  (await post(client, { Price: 'much' })).body.error?.target !== 'Price';

const errors: Of<'errors'> = {
  'missing-product-500': (client) => isOther(missing(client), 404),
  'missing-product-empty': (client) => isOther(missing(client), 404),
  'error-not-wrapped': async (client) => (await missing(client)).body.error === undefined,
  'target-missing': targetWrong,
  'target-is-body': targetWrong,
  'version-missing': async (client) =>
    (await send(client, 'GET', '/Products')).headers.get('odata-version') !== '4.0',
  'location-missing': async (client) => (await post(client)).headers.get('location') === null,
  'location-of-set': async (client) => {
    const { headers, body } = await post(client);
    return pathOf(headers.get('location') ?? '') !== at(body);
  },
  'context-missing': async (client) =>
    (await get(client, '/Products'))['@odata.context'] === undefined,
  'no-key-needed': (client) =>
    isOther(send(client, 'GET', '/Products', undefined, { as: 'anonymous' }), 401),
};

export const shows: Record<DefectName, Show> = {
  ...writes,
  ...filterDefects,
  ...select,
  ...expand,
  ...order,
  ...paging,
  ...etags,
  ...relations,
  ...conflicts,
  ...validation,
  ...errors,
};
