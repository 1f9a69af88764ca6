import {
  createAccount,
  deleteAccount,
  getAccount,
  listAccounts,
  updateAccount,
} from './accounts.ts';
import { fail, type Call } from './call.ts';
import { createCustomer, getCustomer, listCustomers, updateCustomer } from './customers.ts';
import {
  bookInvoice,
  cancelInvoice,
  createInvoice,
  getInvoice,
  listInvoices,
  updateInvoice,
} from './invoices.ts';
import { trialBalance } from './reports.ts';
import { addCustomer, openLedger, transfer } from './seeds.ts';
import { manners, type Manner } from '../serving/manners.ts';
import type { Start } from '../serving/plant.ts';
import {
  listen,
  type Answer,
  type Handler,
  type Routes,
  type ServiceRequest,
} from '../serving/serve.ts';
import type { ServerUnderTest } from '../server-under-test.ts';
import { tokens, type Books, type Service } from './store.ts';
import { createVoucher, getVoucher, listVouchers, postBatch, reverseVoucher } from './vouchers.ts';
import { closePeriod, createYear, getYear, listYears, reopenPeriod } from './years.ts';

/** Starts the bookkeeping on loopback. */
export function startLedger(how: Start = {}): Promise<ServerUnderTest> {
  const service = openLedger(how);
  const isWritten = (manner: Manner): boolean =>
    Object.hasOwn(manners, manner) && (service.varies as (name: string) => boolean)(manner);
  return listen(routesOf(service), { port: how.port, isWritten });
}

/** The books that the token is for. */
function booksOf({ headers, method, path }: ServiceRequest, service: Service): Books {
  const { has, north, east } = service;
  const given = headers['access-token'];
  if (given === tokens.east) return east;
  const isOpen =
    (has('any-token-accepted') && given !== undefined) ||
    (has('list-without-token') && method === 'GET' && path === '/v3/vouchers');
  if (given === tokens.north || isOpen) return north;
  return fail(service, 'token', 'The Access-Token is missing or not known.');
}

/** A colleague in the first company at work. */
function workElsewhere(service: Service): void {
  const { north, requests } = service;
  addCustomer(north, 'Zorns Zink', 3 * requests + 2);
  transfer(service, north, ['ZZ', '2026-05-04', 'Elsewhere'], [1910, 1930, 1]);
}

function routesOf(service: Service): Routes {
  const on =
    (operation: (call: Call) => Answer): Handler =>
    (incoming) => {
      service.requests += 1;
      if (service.varies('others-work-too') && service.requests % 7 === 0) workElsewhere(service);
      return operation({ incoming, service, books: booksOf(incoming, service) });
    };
  const voucher = '/v3/vouchers/{FinancialYear}/{VoucherSeries}/{VoucherNumber}';
  const period = '/v3/financialyears/{Id}/periods/{Period}';
  const invoice = '/v3/invoices/{DocumentNumber}';
  return {
    '/v3/accounts': { GET: on(listAccounts), POST: on(createAccount) },
    '/v3/accounts/{Number}': {
      GET: on(getAccount),
      PUT: on(updateAccount),
      DELETE: on(deleteAccount),
    },
    '/v3/customers': { GET: on(listCustomers), POST: on(createCustomer) },
    '/v3/customers/{CustomerNumber}': { GET: on(getCustomer), PUT: on(updateCustomer) },
    '/v3/financialyears': { GET: on(listYears), POST: on(createYear) },
    '/v3/financialyears/{Id}': { GET: on(getYear) },
    [`${period}/close`]: { PUT: on(closePeriod) },
    [`${period}/reopen`]: { PUT: on(reopenPeriod) },
    '/v3/vouchers': { GET: on(listVouchers), POST: on(createVoucher) },
    '/v3/vouchers/batch': { POST: on(postBatch) },
    [voucher]: { GET: on(getVoucher) },
    [`${voucher}/reverse`]: { PUT: on(reverseVoucher) },
    '/v3/invoices': { GET: on(listInvoices), POST: on(createInvoice) },
    [invoice]: { GET: on(getInvoice), PUT: on(updateInvoice) },
    [`${invoice}/book`]: { PUT: on(bookInvoice) },
    [`${invoice}/cancel`]: { PUT: on(cancelInvoice) },
    '/v3/trialbalance': { GET: on(trialBalance) },
  };
}
