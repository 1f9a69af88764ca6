import { email, fields, flag, orNull, text, whole, type Rule } from '../serving/fields.ts';
import type { Json } from '../serving/requests.ts';
import { Refused, type Answer } from '../serving/serve.ts';
import {
  answer,
  bodyOf,
  fail,
  isAny,
  isFlag,
  momentsOf,
  pageOf,
  parameter,
  placed,
  urlOf,
  writeMoment,
  type Call,
} from './call.ts';
import type { Books, Customer } from './store.ts';

interface Sent {
  readonly CustomerNumber: string;
  readonly Name: string;
  readonly OrganisationNumber: string | null;
  readonly Email: string | null;
  readonly City: string | null;
  readonly CountryCode: string;
  readonly TermsOfPayment: number;
  readonly Active: boolean;
}

const rules: Readonly<Record<string, Rule>> = {
  Name: text(1, 100),
  OrganisationNumber: orNull(text(10, 11, /^\d{6}-?\d{4}$/)),
  Email: orNull((value, name) => text(3, 100)(value, name) ?? email(value, name)),
  City: orNull(text(0, 60)),
  CountryCode: text(2, 2, /^[A-Z]{2}$/),
  TermsOfPayment: whole(0, 120),
  Active: flag,
};

const show =
  (call: Call) =>
  (customer: Customer): Json => ({
    '@url': urlOf(call, `customers/${customer.number}`),
    CustomerNumber: customer.number,
    Name: customer.name,
    OrganisationNumber: customer.organisationNumber,
    Email: customer.email,
    City: customer.city,
    CountryCode: customer.countryCode,
    TermsOfPayment: customer.terms,
    Active: customer.active,
    LastModified: writeMoment(customer.modified),
  });

export function listCustomers(call: Call): Answer {
  const { books, service } = call;
  const name = (parameter(call, 'name', isAny) ?? '').toLowerCase();
  const active = parameter(call, 'active', isFlag);
  const isMoment = momentsOf(call);
  const isOld = service.has('lastmodified-compares-created');
  const records = [...books.customers.values()].filter(
    (customer) =>
      customer.name.toLowerCase().includes(name) &&
      (active ?? String(customer.active)) === String(customer.active) &&
      isMoment(isOld ? customer.created : customer.modified),
  );
  return pageOf(call, { name: 'Customers', records, show: show(call) });
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
    (other) => other !== own && plain(other.organisationNumber) === plain(given),
  );
  if (given !== null && isTaken) fail(service, 'taken', 'The OrganisationNumber is in use.');
}

export function createCustomer(call: Call): Answer {
  const { service, books } = call;
  const rule = fields({ ...rules, CustomerNumber: text(1, 20, /^[A-Za-z0-9-]+$/) }, ['Name']);
  const sent = bodyOf(call, 'Customer', rule) as Partial<Sent> & { Name: string };
  const { CustomerNumber: wanted, OrganisationNumber: organisationNumber = null } = sent;
  if (wanted !== undefined && books.customers.has(wanted))
    fail(service, 'taken', 'The CustomerNumber is in use.');
  checkOrganisation(call, organisationNumber);
  const created = service.now();
  const customer = {
    number: wanted ?? nextNumber(books, service.has('number-series-gives-taken')),
    name: sent.Name,
    organisationNumber,
    email: sent.Email ?? null,
    city: sent.City ?? null,
    countryCode: sent.CountryCode ?? 'SE',
    terms: sent.TermsOfPayment ?? (service.has('terms-default-zero') ? 0 : 30),
    active: sent.Active ?? true,
    created,
    modified: created,
  };
  books.customers.set(customer.number, customer);
  return answer('Customer', show(call)(customer), 201);
}

function find(call: Call): Customer {
  const customer = call.books.customers.get(placed(call, 'CustomerNumber'));
  return customer ?? fail(call.service, 'missing', 'There is no such customer.');
}

export function getCustomer(call: Call): Answer {
  try {
    return answer('Customer', show(call)(find(call)));
  } catch (error) {
    if (error instanceof Refused && call.service.has('missing-customer-200'))
      return { ...error.answer, status: 200 };
    throw error;
  }
}

export function updateCustomer(call: Call): Answer {
  const { service } = call;
  const customer = find(call);
  const sent = bodyOf(call, 'Customer', fields(rules, [])) as Partial<Sent>;
  const given = <T>(value: T | undefined, old: T): T =>
    value === undefined || (value === null && service.has('null-ignored')) ? old : value;
  const organisationNumber = given(sent.OrganisationNumber, customer.organisationNumber);
  checkOrganisation(call, organisationNumber, customer);
  const changed = {
    ...customer,
    name: sent.Name ?? customer.name,
    organisationNumber,
    email: given(sent.Email, customer.email),
    city: given(sent.City, customer.city),
    countryCode: sent.CountryCode ?? customer.countryCode,
    terms: sent.TermsOfPayment ?? customer.terms,
    active: sent.Active ?? customer.active,
    modified: service.now(),
  };
  if (!service.has('customer-update-lost')) Object.assign(customer, changed);
  return answer('Customer', show(call)(changed));
}
