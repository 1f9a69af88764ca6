import { email, fields, orNull, pick, text, whole } from '../serving/fields.ts';
import type { Json } from '../serving/requests.ts';
import type { Answer } from '../serving/serve.ts';
import * as api from './call.ts';
import { sumsOf } from './orders.ts';
import { now, type Customer, type Level, type Service, type Shop } from './store.ts';

type Call = api.Call;

const showLevel = (level: Level, call: Call): Json => ({
  ...{ inventory_item_id: level.item, location_id: level.location, available: level.available },
  updated_at: api.time(level.updated_at, call),
});

const byLocation = api.byIds('location_ids', (one: Level) => one.location);

export function listLevels(call: Call): Answer {
  const { service, shop } = call;
  const all = () => () => true;
  return api.listOf(call, {
    ...{ name: 'inventory_levels', isWhole: true },
    records: service.levels.filter((one) => one.shop === shop),
    filters: {
      ...api.byIds('inventory_item_ids', (one: Level) => one.item),
      ...(service.has('levels-location-ignored') ? { location_ids: all } : byLocation),
    },
    show: (one) => showLevel(one, call),
  });
}

const place = { location_id: api.id, inventory_item_id: api.id };

/** Changes the level that the body names, to what is made of its number. */
function changeLevel(
  call: Call,
  field: string,
  least: number,
  to: (level: Level, by: number) => number,
) {
  const rules = { ...place, [field]: whole(least, 100_000) };
  const body = api.readBody(call, fields(rules, Object.keys(rules)));
  const own = call.service.levels.filter((one) => one.shop === call.shop);
  const ofItem = own.filter((one) => one.item === Number(body['inventory_item_id']));
  if (ofItem.length === 0) api.invalid('inventory_item_id', 'is not that of an item');
  const level = ofItem.find((one) => one.location === Number(body['location_id']));
  if (level === undefined) return api.invalid('location_id', 'is not that of a location');
  const available = to(level, Number(body[field]));
  if (available < 0) api.invalid(field, 'takes more than is available');
  Object.assign(level, { available, updated_at: now() });
  return api.answer(call, 'inventory_level', showLevel(level, call));
}

export const adjustLevel = (call: Call): Answer =>
  changeLevel(call, 'available_adjustment', -100_000, (level, by) =>
    call.service.has('adjust-sets') ? Math.abs(by) : level.available + by,
  );

export const setLevel = (call: Call): Answer =>
  changeLevel(call, 'available', 0, (_level, to) => to);

const texts = { first_name: text(0, 100), last_name: text(0, 100), note: orNull(text(0, 500)) };
const rules = { email, ...texts };

function showCustomer(customer: Customer, call: Call): Json {
  const { has, orders } = call.service;
  const all = orders.filter((one) => one.customer === customer);
  const counted = all.filter((one) => one.cancelled_at === null);
  const paid = has('spent-with-cancelled') ? all : counted;
  const spent = paid.reduce((sum, one) => sum + sumsOf(one, call.service).left, 0);
  return {
    ...pick(customer, ['id', 'email', 'first_name', 'last_name', 'note']),
    ...{ orders_count: counted.length, total_spent: api.money(spent) },
    created_at: api.time(customer.created_at, call),
    updated_at: api.time(customer.updated_at, call),
  };
}

export function addCustomer(service: Service, shop: Shop, given: Json): Customer {
  const [id, created_at] = [service.newId(), now()];
  const customer: Customer = {
    ...{ id, shop, created_at, updated_at: created_at, email: '' },
    ...{ first_name: '', last_name: '', note: null, ...pick(given, Object.keys(rules)) },
  };
  service.customers.push(customer);
  return customer;
}

function demandEmail(body: Json, { service, shop }: Call, self?: Customer): void {
  const { has, customers } = service;
  if (self !== undefined && has('email-taken-by-change')) return;
  const fold = (one: unknown): string =>
    has('email-taken-in-other-case') ? String(one) : String(one).toLowerCase();
  const others = customers.filter(
    (one) => one !== self && (one.shop === shop || has('email-taken-across-shops')),
  );
  if (others.some((one) => fold(one.email) === fold(body['email'])))
    api.invalid('email', 'has already been taken');
}

const answer = (customer: Customer, call: Call, status = 200): Answer =>
  api.answer(call, 'customer', showCustomer(customer, call), status);

const findCustomer = (call: Call): Customer =>
  api.find(call, 'customer_id', call.service.customers);

export const listCustomers = (call: Call): Answer =>
  api.listOf(call, {
    ...{ name: 'customers', filters: api.common },
    records: call.service.customers.filter((one) => one.shop === call.shop),
    show: (one) => showCustomer(one, call),
  });

export function createCustomer(call: Call): Answer {
  const body = api.readBody(call, fields(rules, ['email']), 'customer');
  demandEmail(body, call);
  return answer(addCustomer(call.service, call.shop, body), call, 201);
}

export const getCustomer = (call: Call): Answer => answer(findCustomer(call), call);

export function updateCustomer(call: Call): Answer {
  const customer = findCustomer(call);
  const body = api.readBody(call, fields(rules, []), 'customer');
  demandEmail(body, call, customer);
  Object.assign(customer, pick(body, Object.keys(rules)), { updated_at: now() });
  return answer(customer, call);
}
