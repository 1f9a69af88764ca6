import { fields, listOf, oneOf, orNull, pick, text, whole, type Rule } from '../serving/fields.ts';
import type { Json } from '../serving/requests.ts';
import type { Answer } from '../serving/serve.ts';
import * as api from './call.ts';
import { now, remove, type Product, type Service, type Shop, type Variant } from './store.ts';

type Call = api.Call;

export const amount = text(1, 10, /^\d{1,7}(\.\d{1,2})?$/);
const options = { sku: text(0, 60), inventory_policy: oneOf(['deny', 'continue']) };
const changes = { title: text(1, 100), price: amount, ...options };
const changedVariant = fields(changes, []);
const inventory_quantity = whole(0, 100_000);
const newVariant = fields({ ...changes, inventory_quantity }, ['title', 'price']);

const statuses = ['active', 'draft', 'archived'];

const rulesOf = ({ has }: Service): Readonly<Record<string, Rule>> => ({
  title: text(1, 255, has('blank-title-accepted') ? undefined : /\S/),
  body_html: orNull(text(0, 5000)),
  vendor: text(0, 100),
  handle: text(1, 255, /^[a-z0-9]+(-[a-z0-9]+)*$/),
  status: oneOf(statuses),
});
const plain = ['title', 'body_html', 'vendor', 'status'];

function showVariant(variant: Variant, call: Call): Json {
  const { product, levels } = variant;
  const counted = call.service.has('quantity-of-main-location') ? levels.slice(0, 1) : levels;
  return {
    ...{ id: variant.id, product_id: product.id, title: variant.title },
    ...{ price: api.money(variant.price), sku: variant.sku },
    position: product.variants.indexOf(variant) + 1,
    inventory_policy: variant.inventory_policy,
    inventory_item_id: levels[0]?.item,
    inventory_quantity: counted.reduce((sum, { available }) => sum + available, 0),
    created_at: api.time(variant.created_at, call),
    updated_at: api.time(variant.updated_at, call),
  };
}

const show = (product: Product, call: Call): Json => ({
  ...pick(product, ['id', 'title', 'body_html', 'vendor', 'handle', 'status']),
  created_at: api.time(product.created_at, call),
  updated_at: api.time(product.updated_at, call),
  published_at: api.time(product.published_at, call),
  variants: product.variants.map((one) => showVariant(one, call)),
});

export function addVariant(service: Service, product: Product, given: Json): Variant {
  const { shop } = product;
  const [item, created_at] = [service.newId(), now()];
  const base = { shop, created_at, updated_at: created_at };
  const levels = shop.locations.map((location, at) => ({
    ...{ id: service.newId(), item, location, ...base },
    available: at === 0 ? Number(given['inventory_quantity'] ?? 0) : 0,
  }));
  const variant: Variant = {
    ...{ id: service.newId(), product, levels, ...base },
    ...{ title: '', sku: '', inventory_policy: 'deny' },
    ...pick(given, ['title', ...Object.keys(options)]),
    price: api.cents(given['price']),
  };
  product.variants.push(variant);
  service.variants.push(variant);
  service.levels.push(...levels);
  return variant;
}

/** The handle made of a title, with a number if another product has it. */
function handleOf(title: string, { service, shop }: Pick<Call, 'service' | 'shop'>): string {
  const ascii = title.normalize('NFD').toLowerCase();
  const base = ascii.replaceAll(/[^a-z0-9]+/g, '-').replaceAll(/^-|-$/g, '') || 'product';
  const taken = new Set(service.products.filter((o) => o.shop === shop).map((one) => one.handle));
  for (let at = 0; ; at += 1) {
    const handle = at === 0 ? base : `${base}-${String(at)}`;
    if (!taken.has(handle)) return handle;
  }
}

/** Adds a product without variants. */
export function addProduct(service: Service, shop: Shop, given: Json): Product {
  const [id, created_at] = [service.newId(), now()];
  const product: Product = {
    ...{ id, shop, created_at, updated_at: created_at, variants: [] },
    ...{ title: '', body_html: null, vendor: '', status: 'active', published_at: null },
    handle: (given['handle'] ?? handleOf(String(given['title']), { service, shop })) as string,
    ...pick(given, plain),
  };
  if (product.status === 'active') product.published_at = created_at;
  service.products.push(product);
  return product;
}

function demandHandle(body: Json, { service, shop }: Call, self?: Product): void {
  const others = service.products.filter((one) => one.shop === shop && one !== self);
  const isTaken = others.some((one) => one.handle === body['handle']);
  if (isTaken && !service.has('handle-taken-accepted')) api.invalid('handle', 'is taken already');
}

const isOfTitle =
  (title: unknown) =>
  (one: Variant | Json): boolean =>
    (one as Json)['title'] === title;

const filters: api.Filters<Product> = {
  ...api.common,
  status: (value) => {
    api.oneOf(value, 'status', statuses);
    return (one) => one.status === value;
  },
  vendor: (value, { service }) => {
    const isLoose = service.has('vendor-by-beginning');
    return ({ vendor }) => vendor === value || (isLoose && vendor.startsWith(value));
  },
};

const own = ({ service, shop }: Call): Product[] => service.products.filter((o) => o.shop === shop);

export const listProducts = (call: Call): Answer =>
  api.listOf(call, {
    ...{ name: 'products', records: own(call), filters },
    show: (one) => show(one, call),
  });

export function countProducts(call: Call): Answer {
  const { has, products } = call.service;
  const { status, ...others } = filters;
  const known = has('count-ignores-status') ? others : { ...others, ...(status && { status }) };
  const records = has('count-of-all-shops') ? products : own(call);
  const found = api.filter(call, records, known, call.incoming.query);
  return { status: 200, json: { count: found.length } };
}

export function createProduct(call: Call): Answer {
  const { service, shop } = call;
  const rules = { ...rulesOf(service), variants: listOf(fields({}, []), { min: 1 }) };
  const body = api.readBody(call, fields(rules, ['title']), 'product');
  demandHandle(body, call);
  const standard = [{ title: 'Default Title', price: '0.00' }];
  const variants = (body['variants'] ?? standard) as readonly Json[];
  const early = service.has('refused-product-created')
    ? addProduct(service, shop, body)
    : undefined;
  const faults = variants.map((one, at) => newVariant(one, `body.variants[${String(at)}]`));
  const fault = faults.find((one) => one !== undefined);
  if (fault !== undefined && early !== undefined) addVariant(service, early, standard[0] ?? {});
  if (fault !== undefined) api.judge(body, () => fault);
  if (variants.some((one, at) => variants.findIndex(isOfTitle(one['title'])) < at))
    api.invalid('variants', 'must have different titles');
  const product = early ?? addProduct(service, shop, body);
  for (const one of variants) addVariant(service, product, one);
  const status = service.has('created-answers-200') ? 200 : 201;
  return api.answer(call, 'product', show(product, call), status);
}

const findProduct = (call: Call, isOfAll = false): Product =>
  api.find(call, 'product_id', call.service.products, isOfAll);

export function getProduct(call: Call): Answer {
  const product = findProduct(call, call.service.has('product-of-other-shop'));
  return api.answer(call, 'product', show(product, call));
}

export function updateProduct(call: Call): Answer {
  const { has } = call.service;
  const product = findProduct(call);
  const body = api.readBody(call, fields(rulesOf(call.service), []), 'product');
  demandHandle(body, call, product);
  const wasActive = product.status === 'active';
  if (has('put-clears-left-out')) Object.assign(product, { body_html: null, vendor: '' });
  Object.assign(product, pick(body, [...plain, 'handle']));
  if (product.status === 'active' && !wasActive) product.published_at = now();
  if (product.status !== 'active' && !has('published-at-stays')) product.published_at = null;
  if (!has('updated-at-still')) product.updated_at = now();
  return api.answer(call, 'product', show(product, call));
}

export function deleteProduct(call: Call): Answer {
  const { service, incoming } = call;
  const id = Number(incoming.params['product_id']);
  const isGone = service.products.every((one) => one.id !== id) && id > 0;
  if (isGone && service.has('deleted-again-200')) return { status: 200, json: {} };
  const product = findProduct(call);
  remove(service.products, product);
  for (const variant of product.variants) {
    remove(service.variants, variant);
    for (const level of variant.levels) remove(service.levels, level);
  }
  return { status: 200, json: {} };
}

export const listVariants = (call: Call): Answer =>
  api.listOf(call, {
    ...{ name: 'variants', records: findProduct(call).variants, filters: api.sinceId },
    show: (one) => showVariant(one, call),
  });

function demandTitle(body: Json, others: readonly Variant[], { service }: Call): void {
  if (others.some(isOfTitle(body['title'])) && !service.has('variant-option-taken'))
    api.invalid('title', 'is that of another variant');
}

export function createVariant(call: Call): Answer {
  const product = findProduct(call);
  const body = api.readBody(call, newVariant, 'variant');
  demandTitle(body, product.variants, call);
  const variant = addVariant(call.service, product, body);
  return api.answer(call, 'variant', showVariant(variant, call), 201);
}

export function updateVariant(call: Call): Answer {
  const { has } = call.service;
  const variant = api.find(call, 'variant_id', call.service.variants);
  const body = api.readBody(call, fields({}, []), 'variant');
  if (has('refused-variant-change-kept') && typeof body['sku'] === 'string')
    variant.sku = body['sku'];
  api.judge(body, changedVariant);
  const others = variant.product.variants.filter((one) => one !== variant);
  demandTitle(body, others, call);
  const { sku } = variant;
  Object.assign(variant, pick(body, ['title', ...Object.keys(options)]), { updated_at: now() });
  if (body['price'] !== undefined) variant.price = api.cents(body['price']);
  const shown = showVariant(variant, call);
  if (has('variant-change-lost')) variant.sku = sku;
  return api.answer(call, 'variant', shown);
}
