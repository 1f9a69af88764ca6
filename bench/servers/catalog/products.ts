import type { Json } from '../serving/requests.ts';
import type { Answer } from '../serving/serve.ts';
import { list, one, requireMatch, type Call } from './call.ts';
import { categoryOf, choose } from './query.ts';
import { etagOf, fail, nextKey, reviewsOf, rowsOf, writeTime, type Row } from './store.ts';

export function listProducts(call: Call): Answer {
  return list(call, 'Products', rowsOf(call.service, 'Products'), call.service.deleted);
}

export function countProducts({ service, options }: Call): Answer {
  const all = rowsOf(service, 'Products');
  const isFree = service.has('count-path-ignores-filter');
  const found = isFree ? all : choose(service, 'Products', all, options);
  return {
    status: 200,
    headers: { 'Content-Type': 'text/plain' },
    bytes: String(found.length),
  };
}

function requireCategory({ service, body }: Call, isNew: boolean): void {
  const code = body['CategoryCode'] ?? null;
  const isLoose = service.has(isNew ? 'unknown-category-accepted' : 'category-unchecked-in-patch');
  if (code !== null && !service.sets.Categories.has(String(code)) && !isLoose)
    fail(service, 400, 'There is no such category.', 'CategoryCode');
}

const defaults = {
  Stock: 0,
  Status: 'Active',
  Tags: [] as readonly string[],
  ReleaseDate: null,
  CategoryCode: null,
};
const computed = ['ID', 'CreatedAt', 'ModifiedAt'];

/** The properties of a body that a client sets, as far as defects change them. */
function given({ service, body }: Call): Json {
  const { has } = service;
  const entries = Object.entries(body).filter(([name]) => !computed.includes(name));
  const { Price, Tags, ...others } = Object.fromEntries(entries);
  const price = has('price-rounded') ? Math.round(Number(Price)) : Number(Price);
  const tags = Tags as readonly string[] | undefined;
  return {
    ...others,
    ...(Price === undefined ? {} : { Price: price }),
    ...(tags === undefined ? {} : { Tags: has('tags-sorted') ? tags.toSorted() : tags }),
  };
}

export function createProduct(call: Call): Answer {
  const { service, body, origin } = call;
  const { has, sets } = service;
  requireCategory(call, true);
  const isTaken = rowsOf(service, 'Products').some(({ Sku }) => Sku === body['Sku']);
  if (isTaken && !has('sku-twice'))
    fail(service, has('taken-is-400') ? 400 : 409, 'Another product has the Sku.', 'Sku');
  const time = writeTime(service.now());
  const isOwnId = has('id-from-body') && body['ID'] !== undefined;
  const product: Row = {
    ID: isOwnId ? Number(body['ID']) : nextKey(service),
    ...defaults,
    ...(has('stock-default-one') ? { Stock: 1 } : {}),
    ...(has('price-not-required') ? { Price: 0 } : {}),
    ...given(call),
    CreatedAt: has('created-at-from-body') ? (body['CreatedAt'] ?? time) : time,
    ModifiedAt: time,
  };
  const id = String(product['ID']);
  if (!has('create-not-stored')) sets.Products.set(id, product);
  const made = one(call, 'Products', product, 201);
  const Location = `${origin}/Products${has('location-of-set') ? '' : `(${id})`}`;
  return {
    ...made,
    headers: { ...made.headers, ...(has('location-missing') ? {} : { Location }) },
  };
}

/** The product of the path. */
function find({ service, params }: Call): Row {
  const product = service.sets.Products.get(params['ID'] ?? '');
  return product ?? fail(service, 404, 'There is no such product.');
}

export function readProduct(call: Call): Answer {
  const { service, params, headers } = call;
  const { has } = service;
  if (!service.sets.Products.has(params['ID'] ?? '')) {
    if (has('missing-product-500')) throw new TypeError("Cannot read 'Name' of undefined");
    if (has('missing-product-empty')) return { status: 204 };
  }
  const product = find(call);
  const tags = (headers['if-none-match'] ?? '').split(',').map((tag) => tag.trim());
  const ETag = etagOf(service, product);
  if (tags.includes(ETag) || tags.includes('*')) return { status: 304, headers: { ETag } };
  return one(call, 'Products', product);
}

/** The product of the path with other properties, kept unless it is lost. */
function change(call: Call, product: Row, changes: Json, isLost = false): Answer {
  const { service } = call;
  const ModifiedAt = service.has('modified-at-frozen')
    ? product['ModifiedAt']
    : writeTime(service.now());
  const after = { ...product, ...changes, ModifiedAt };
  if (!isLost) service.sets.Products.set(String(product['ID']), after);
  return one(call, 'Products', after);
}

/** The product that a body changes, if the body may. */
function changed(call: Call): Row {
  const { service, headers, body } = call;
  const { has } = service;
  const product = find(call);
  if (headers['if-match'] === undefined && !has('if-match-not-needed'))
    fail(service, 428, 'If-Match is required.');
  requireMatch(call, product, has('stale-etag-patches'));
  requireCategory(call, false);
  const { Sku } = body;
  const isOther = Sku !== undefined && Sku !== product['Sku'];
  const isSame = Sku === product['Sku'] && has('same-sku-refused');
  if ((isOther && !has('sku-changed')) || isSame)
    fail(service, 400, 'The Sku is not changed.', 'Sku');
  return product;
}

export function updateProduct(call: Call): Answer {
  const { has } = call.service;
  const product = changed(call);
  const changes = Object.entries(given(call)).filter(
    ([, value]) => value !== null || !has('null-ignored'),
  );
  const reset = has('patch-resets-others') ? defaults : {};
  const all = { ...reset, ...Object.fromEntries(changes) };
  return change(call, product, all, has('patch-not-stored'));
}

export function replaceProduct(call: Call): Answer {
  const product = changed(call);
  const base = call.service.has('put-keeps-others') ? {} : defaults;
  return change(call, product, { ...base, ...given(call) });
}

export function deleteProduct(call: Call): Answer {
  const { service } = call;
  const { has, sets, deleted } = service;
  const product = find(call);
  requireMatch(call, product, has('stale-etag-deletes'));
  if (has('delete-not-done')) return { status: 204 };
  const reviews = has('reviews-survive') ? [] : reviewsOf(service, product);
  for (const { ID } of reviews) sets.Reviews.delete(String(ID));
  sets.Products.delete(String(product['ID']));
  deleted.push(product);
  return { status: 204 };
}

export function discountProduct(call: Call): Answer {
  const { service, body } = call;
  const { has } = service;
  const product = find(call);
  requireMatch(call, product, has('stale-etag-discounts'));
  if (product['Status'] === 'Discontinued' && !has('discontinued-discounted'))
    fail(service, 409, 'The product is Discontinued.');
  const cents = has('discount-off-by-cents') ? 1 : 100;
  const left = 1 - Number(body['Percent']) / 100;
  const Price = Math.round(Number(product['Price']) * left * cents) / cents;
  return change(call, product, { Price }, has('discount-not-stored'));
}

export function readCategoryOf(call: Call): Answer {
  const { service } = call;
  const { has } = service;
  const product = find(call);
  const [first = {}] = rowsOf(service, 'Products');
  const category = categoryOf(service, has('category-of-first') ? first : product);
  if (category === null && has('null-category-is-404')) fail(service, 404, 'No category.');
  return category === null ? { status: 204 } : one(call, 'Categories', category);
}

export function setCategory(call: Call): Answer {
  const { service, body } = call;
  const { has, sets } = service;
  const product = find(call);
  const [, code = ''] =
    /^(?:https?:\/\/[^/]+)?\/?Categories\('([^']+)'\)$/.exec(String(body['@odata.id'])) ?? [];
  if (!sets.Categories.has(code) && !has('ref-to-unknown-accepted'))
    fail(service, 400, 'There is no such category.', '@odata.id');
  change(call, product, { CategoryCode: code }, has('ref-not-stored'));
  return { status: 204 };
}

export function removeCategory(call: Call): Answer {
  change(call, find(call), { CategoryCode: null }, call.service.has('ref-not-removed'));
  return { status: 204 };
}

export function listReviews(call: Call): Answer {
  const { service, params } = call;
  const { has, sets } = service;
  const isUnknown = !sets.Products.has(params['ID'] ?? '');
  if (isUnknown && has('reviews-of-unknown-empty')) return list(call, 'Reviews', []);
  const own = reviewsOf(service, find(call));
  return list(call, 'Reviews', has('reviews-of-all') ? rowsOf(service, 'Reviews') : own);
}

export function createReview(call: Call): Answer {
  const { service, body, origin } = call;
  const { has, sets } = service;
  const { ID: ProductID, Status } = find(call);
  if (Status === 'Discontinued' && !has('discontinued-reviewed'))
    fail(service, 409, 'The product is Discontinued.');
  const ID = nextKey(service);
  const Text = has('review-text-lost') ? null : (body['Text'] ?? null);
  const CreatedAt = writeTime(service.now());
  const review = { ID, ProductID, Rating: Number(body['Rating']), Text, CreatedAt };
  sets.Reviews.set(String(ID), review);
  const made = one(call, 'Reviews', review, 201);
  return { ...made, headers: { Location: `${origin}/Reviews(${String(ID)})` } };
}

export function readReview(call: Call): Answer {
  const review = call.service.sets.Reviews.get(call.params['ID'] ?? '');
  if (review === undefined) return fail(call.service, 404, 'There is no such review.');
  return one(call, 'Reviews', review);
}
