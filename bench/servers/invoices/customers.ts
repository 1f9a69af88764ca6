import { email, fields, listOf, oneOf, orNull, pick, text, whole } from '../serving/fields.ts';
import { refuse, type Answer } from '../serving/serve.ts';
import type { Customer } from './account.ts';
import { findCustomers, pageOf, readPaging } from './list.ts';
import { bodyOf, insist, onceByKey, requireMatch, respondWith, type Admitted } from './request.ts';
import { etagOf, showCustomer } from './show.ts';

const names = ['name', 'email', 'country', 'vatId', 'locale', 'ledgerAccount'];

function ruleFor({ service: { has } }: Admitted, required: readonly string[]) {
  const longest = has('long-name-accepted') ? 1_000 : has('longest-name-refused') ? 79 : 80;
  return fields(
    {
      name: text(1, longest),
      email: has('bad-email-accepted') ? text(3, 120) : email,
      country: text(2, 2, /^[A-Z]{2}$/),
      vatId: orNull(text(4, 20)),
      locale: oneOf(has('locale-refused') ? ['de', 'en'] : ['de', 'en', 'fr']),
      ledgerAccount: whole(0, 9_223_372_036_854_775_807n),
    },
    required,
  );
}

function isTaken(admitted: Admitted, address: string, except?: Customer): boolean {
  const { account, service } = admitted;
  const same = (one: string): boolean =>
    service.has('email-case-sensitive')
      ? one === address
      : one.toLowerCase() === address.toLowerCase();
  if (service.has('email-not-unique')) return false;
  return [...account.customers.values()].some((one) => one !== except && same(one.email));
}

function refuseTaken({ service }: Admitted): never {
  return refuse(
    service.has('conflict-answers-400') ? 400 : 409,
    'Another customer has this email.',
  );
}

function keep(admitted: Admitted, body: unknown): Customer {
  const { account, service } = admitted;
  const given = pick(body, names) as Partial<Customer>;
  const ledger = given.ledgerAccount;
  const customer: Customer = {
    country: service.has('default-country-null') ? null : 'DE',
    vatId: null,
    locale: 'en',
    ...(given as { name: string; email: string }),
    ...(ledger !== undefined && service.has('account-number-rounded')
      ? { ledgerAccount: Number(ledger) }
      : {}),
    id: service.nextId('cus'),
    createdAt: new Date(),
    version: 1,
    surplus: 0,
  };
  account.customers.set(customer.id, customer);
  return customer;
}

const pause = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 60));

export function createCustomer(admitted: Admitted): Promise<Answer> {
  const { service, base } = admitted;
  const body = bodyOf(admitted);
  return onceByKey(admitted, async () => {
    insist(ruleFor(admitted, ['name', 'email'])(body, 'body'));
    const { email: address, name } = body as Customer;
    if (service.has('quote-in-name-500') && name.includes("'"))
      throw new SyntaxError(`syntax error at or near "${name}"`);
    if (isTaken(admitted, address)) refuseTaken(admitted);
    if (service.has('email-race')) await pause();
    const view = showCustomer(keep(admitted, body), admitted) as { id: string };
    return {
      status: 201,
      headers: {
        ...(service.has('location-missing') ? {} : { Location: `${base}/customers/${view.id}` }),
        ETag: etagOf(view, service),
      },
      json: view,
    };
  });
}

export function createInBulk(admitted: Admitted): Answer {
  const { service } = admitted;
  const { has } = service;
  const body = bodyOf(admitted);
  const rule = ruleFor(admitted, ['name', 'email']);
  const shape = fields({ customers: listOf(() => undefined, { min: 1, max: 50 }) }, ['customers']);
  insist(shape(body, 'body'));
  const { customers } = body as { customers: unknown[] };
  const created: Customer[] = [];
  if (!has('bulk-half-done')) {
    for (const [index, entry] of customers.entries())
      insist(rule(entry, `customers[${String(index)}]`));
    const addresses = (customers as Customer[]).map((one) => one.email.toLowerCase());
    const isRepeated = new Set(addresses).size < addresses.length;
    if (isRepeated && !has('bulk-repeats-accepted')) refuseTaken(admitted);
    if (addresses.some((address) => isTaken(admitted, address))) refuseTaken(admitted);
  }
  for (const entry of has('bulk-drops-last') ? customers.slice(0, -1) : customers) {
    insist(rule(entry, 'entry'));
    if (has('bulk-half-done') && isTaken(admitted, (entry as Customer).email))
      refuseTaken(admitted);
    created.push(keep(admitted, entry));
  }
  const views = created.map((one) => showCustomer(one, admitted));
  return { status: 201, json: { customers: has('bulk-order-reversed') ? views.reverse() : views } };
}

export function listCustomers(admitted: Admitted): Answer {
  const { incoming, account, service } = admitted;
  const paging = readPaging(incoming, ['name', '-name', 'createdAt', '-createdAt'], service);
  const { sort } = paging;
  const found = findCustomers([...account.customers.values()], incoming, { service, sort });
  const { data, nextCursor } = pageOf(found, paging, service);
  const views = data.map((one) => showCustomer(one, admitted));
  return { status: 200, json: { data: views, totalCount: found.length, nextCursor } };
}

function find({ incoming, account }: Admitted): Customer {
  return (
    account.customers.get(incoming.params['customerId'] ?? '') ??
    refuse(404, 'The account has no such customer.')
  );
}

export function getCustomer(admitted: Admitted): Answer {
  return respondWith(admitted, showCustomer(find(admitted), admitted));
}

export function updateCustomer(admitted: Admitted): Answer {
  const { service } = admitted;
  const { has } = service;
  const customer = find(admitted);
  const before = showCustomer(customer, admitted);
  if (!has('if-match-too-late')) requireMatch(admitted, before);
  const body = bodyOf(admitted);
  insist(ruleFor(admitted, [])(body, 'body'));
  if (Object.keys(body as object).length === 0) insist('body must have a field.');
  const changes = pick(body, names) as Partial<Customer>;
  if (changes.email !== undefined && !has('email-free-on-update'))
    if (isTaken(admitted, changes.email, customer)) refuseTaken(admitted);
  if (changes.vatId === null && has('null-does-not-clear')) delete changes.vatId;
  if (has('update-resets-others') && changes.vatId === undefined) changes.vatId = null;
  const asIt = { ...customer };
  Object.assign(customer, changes);
  customer.version += 1;
  const { invoiceCount } = body as { invoiceCount?: unknown };
  if (has('count-writable') && typeof invoiceCount === 'number')
    customer.surplus = invoiceCount - admitted.account.countOf(customer.id);
  if (has('if-match-too-late')) requireMatch(admitted, before);
  const view = showCustomer(customer, admitted);
  if (has('update-lost')) Object.assign(customer, asIt);
  return { status: 200, headers: { ETag: etagOf(view, service) }, json: view };
}

export function deleteCustomer(admitted: Admitted): Answer {
  const { account, service } = admitted;
  const { id } = find(admitted);
  if (account.countOf(id) > 0 && !service.has('customer-with-invoices-deleted'))
    return refuse(409, 'The customer has invoices.');
  account.customers.delete(id);
  return service.has('delete-answers-200')
    ? { status: 200, json: { deleted: true } }
    : { status: 204 };
}
