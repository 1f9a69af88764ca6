import { dateTime, fields, oneOf, orNull, text, whole } from '../serving/fields.ts';
import type { Json } from '../serving/requests.ts';
import type { Answer } from '../serving/serve.ts';
import * as api from './call.ts';
import { now, type Code, type PriceRule, type Service, type Shop } from './store.ts';

type Call = api.Call;

const newRule = fields(
  {
    title: text(1, 255),
    value_type: oneOf(['percentage', 'fixed_amount']),
    value: text(2, 11, /^-\d{1,7}(\.\d{1,2})?$/),
    starts_at: dateTime,
    ends_at: orNull(dateTime),
    usage_limit: orNull(whole(1, 100_000)),
  },
  ['title', 'value_type', 'value', 'starts_at'],
);

const second = (moment: unknown): number => Math.floor(Date.parse(String(moment)) / 1000) * 1000;

const isNear = (moment: unknown): boolean =>
  second(moment) >= 0 && second(moment) < Date.UTC(2200, 0);

export function addRule(service: Service, shop: Shop, given: Json): PriceRule {
  const ends = given['ends_at'] ?? null;
  const rule: PriceRule = {
    ...{ id: service.newId(), shop, created_at: now() },
    ...{ title: String(given['title']), value_type: String(given['value_type']) },
    ...{ value: -api.cents(given['value']), starts_at: second(given['starts_at']) },
    ...{ ends_at: ends === null ? null : second(ends) },
    usage_limit: (given['usage_limit'] ?? null) as number | null,
  };
  service.rules.push(rule);
  return rule;
}

export function createRule(call: Call): Answer {
  const body = api.readBody(call, newRule, 'price_rule');
  const value = -api.cents(body['value']);
  if (value <= 0) api.invalid('value', 'must be below zero');
  if (body['value_type'] === 'percentage' && value > 10_000)
    api.invalid('value', 'must be at least -100.00');
  const { starts_at, ends_at = null } = body;
  if (!isNear(starts_at)) api.invalid('starts_at', 'must be from 1970 to 2199');
  if (ends_at !== null && !isNear(ends_at)) api.invalid('ends_at', 'must be before 2200');
  if (ends_at !== null && second(ends_at) <= second(starts_at))
    api.invalid('ends_at', 'must be later than starts_at');
  const { shop: _shop, ...rule } = addRule(call.service, call.shop, body);
  const json = {
    ...{ ...rule, value: `-${api.money(rule.value)}` },
    starts_at: api.time(rule.starts_at, call),
    ends_at: api.time(rule.ends_at, call),
    created_at: api.time(rule.created_at, call),
  };
  return api.answer(call, 'price_rule', json, 201);
}

const show = ({ id, rule, code, usage_count, created_at }: Code, call: Call): Json => ({
  ...{ id, price_rule_id: rule.id, code, created_at: api.time(created_at, call) },
  usage_count: call.service.has('usage-count-still') ? 0 : usage_count,
});

const findRule = (call: Call): PriceRule => api.find(call, 'price_rule_id', call.service.rules);

export function listCodes(call: Call): Answer {
  const rule = findRule(call);
  return api.listOf(call, {
    ...{ name: 'discount_codes', filters: {}, isWhole: true },
    show: (one) => show(one, call),
    records: call.service.codes.filter((one) => one.rule === rule),
  });
}

export function addCode(service: Service, rule: PriceRule, code: string): Code {
  const { shop } = rule;
  const made = { id: service.newId(), shop, created_at: now(), rule, code, usage_count: 0 };
  service.codes.push(made);
  return made;
}

const codeForm = fields({ code: text(3, 40, /^[A-Za-z0-9-]+$/) }, ['code']);

export function createCode(call: Call): Answer {
  const { service, shop } = call;
  const rule = findRule(call);
  const code = String(api.readBody(call, codeForm, 'discount_code')['code']);
  const fold = (one: string): string =>
    service.has('code-taken-in-other-case') ? one : one.toLowerCase();
  if (service.codes.some((one) => one.shop === shop && fold(one.code) === fold(code)))
    api.invalid('code', 'must be unique');
  return api.answer(call, 'discount_code', show(addCode(service, rule, code), call), 201);
}

interface Discount {
  readonly code: Code;
  readonly amount: number;
}

/** What the code takes off line items of this sum; refuses a code that cannot be used. */
export function discountBy(wanted: string, items: number, { service, shop }: Call): Discount {
  const { has, codes } = service;
  const code = codes.find(
    (one) => one.shop === shop && one.code.toLowerCase() === wanted.toLowerCase(),
  );
  const refuse = (message: string): never => api.invalid('discount_codes[0].code', message);
  if (code === undefined) return refuse('is not known');
  const { starts_at, ends_at, usage_limit, value_type, value } = code.rule;
  if (starts_at > Date.now()) refuse('cannot be used yet');
  if (ends_at !== null && ends_at <= Date.now() && !has('expired-code-accepted'))
    refuse('has expired');
  if (code.usage_count >= (usage_limit ?? Infinity) && !has('usage-limit-ignored'))
    refuse('has been used as often as it can be');
  const round = has('percentage-cut-off') ? Math.floor : Math.round;
  if (value_type === 'percentage') return { code, amount: round((items * value) / 10_000) };
  return { code, amount: has('discount-below-zero') ? value : Math.min(value, items) };
}
