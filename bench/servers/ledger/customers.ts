import { email, fields, flag, orNull, pick, text, whole, type Rule } from '../serving/fields.ts';
import type { Json } from '../serving/requests.ts';
import { Refused, type Answer } from '../serving/serve.ts';
import { answer, bodyOf, fail, placed, showMoment, urlOf, type Call } from './call.ts';
import { activeOf, isAny, momentsOf, pageOf, parameter } from './query.ts';
import type { Books, Customer } from './store.ts';

const rules: Readonly<Record<string, Rule>> = {
  Name: text(1, 100),
  OrganisationNumber: orNull(text(10, 11, /^\d{6}-?\d{4}$/)),
  Email: orNull((value, name) => text(3, 100)(value, name) ?? email(value, name)),
  City: orNull(text(0, 60)),
  CountryCode: text(2, 2, /^[A-Z]{2}$/),
  TermsOfPayment: whole(0, 120),
  Active: flag,
};

const show = ({ created: _created, modified, ...customer }: Customer, call: Call): Json => ({
  '@url': urlOf(call, `customers/${customer.CustomerNumber}`),
  ...customer,
  ...showMoment(modified),
});

export function listCustomers(call: Call): Answer {
  const { books, service } = call;
  const name = (parameter(call, 'name', isAny) ?? '').toLowerCase();
  const [isActive, isMoment] = [activeOf(call), momentsOf(call)];
  const isOld = service.has('lastmodified-compares-created');
  const records = [...books.customers.values()].filter(
    (customer) =>
      customer.Name.toLowerCase().includes(name) &&
      isActive(customer) &&
      isMoment(isOld ? customer.created : customer.modified),
  );
  return pageOf(call, 'Customers', records, show);
}

/** The next number of the series that no customer has. */
export function nextNumber(books: Books, mayBeTaken = false): string {
  while (books.customers.has(String(books.nextCustomer)) && !mayBeTaken) books.nextCustomer += 1;
  const number = String(books.nextCustomer);
  books.nextCustomer += 1;
  return number;
}

/** Refuses an OrganisationNumber that another customer has. */
function checkOrganisation(call: Call, given: string | null, own?: Customer): void {
  const { service, books } = call;
  const plain = (number: string | null): string | undefined =>
    service.has('organisation-number-with-hyphen') ? (number ?? '') : number?.replace('-', '');
  const isTaken = [...books.customers.values()].some(
    (other) => other !== own && plain(other.OrganisationNumber) === plain(given),
  );
  if (given !== null && isTaken) fail(service, 'taken', 'The OrganisationNumber is in use.');
}

/** What the document says of members that are not sent. */
export const standard = {
  OrganisationNumber: null,
  Email: null,
  City: null,
  CountryCode: 'SE',
  TermsOfPayment: 30,
  Active: true,
};

export function createCustomer(call: Call): Answer {
  const { service, books } = call;
  const rule = fields({ ...rules, CustomerNumber: text(1, 20, /^[A-Za-z0-9-]+$/) }, ['Name']);
  const sent = bodyOf(call, 'Customer', rule) as Partial<Customer> & { Name: string };
  const { CustomerNumber: wanted, OrganisationNumber = null } = sent;
  if (wanted !== undefined && books.customers.has(wanted))
    fail(service, 'taken', 'The CustomerNumber is in use.');
  checkOrganisation(call, OrganisationNumber);
  const created = service.now();
  const customer: Customer = {
    CustomerNumber: wanted ?? nextNumber(books, service.has('number-series-gives-taken')),
    Name: sent.Name,
    ...standard,
    ...(service.has('terms-default-zero') ? { TermsOfPayment: 0 } : {}),
    ...pick(sent, Object.keys(rules)),
    created,
    modified: created,
  };
  books.customers.set(customer.CustomerNumber, customer);
  return answer('Customer', show(customer, call), 201);
}

function find(call: Call): Customer {
  const customer = call.books.customers.get(placed(call, 'CustomerNumber'));
  return customer ?? fail(call.service, 'missing', 'There is no such customer.');
}

export function getCustomer(call: Call): Answer {
  try {
    return answer('Customer', show(find(call), call));
  } catch (error) {
    if (error instanceof Refused && call.service.has('missing-customer-200'))
      return { ...error.answer, status: 200 };
    throw error;
  }
}

export function updateCustomer(call: Call): Answer {
  const { service, books } = call;
  const { has } = service;
  const customer = find(call);
  const sent = Object.entries(
    pick(bodyOf(call, 'Customer', fields(rules, [])), Object.keys(rules)),
  );
  const given = sent.filter(([, value]) => value !== null || !has('null-ignored'));
  const changed = { ...customer, ...Object.fromEntries(given), modified: service.now() };
  checkOrganisation(call, changed.OrganisationNumber, customer);
  if (!has('customer-update-lost')) books.customers.set(customer.CustomerNumber, changed);
  return answer('Customer', show(changed, call));
}
