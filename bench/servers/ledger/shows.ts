import type { Client } from '../serving/client.ts';
import { isOther, unique, type Show } from '../serving/showing.ts';
import type { DefectName, defects } from './defects.ts';
import {
  act,
  add,
  again,
  balance,
  change,
  closeIn,
  draft,
  freeNumber,
  newAccount,
  newCustomer,
  newYear,
  postIn,
  put,
  read,
  recordIn,
  recordsIn,
  rowsOf,
  world,
  type Body,
  type View,
} from './use.ts';

type Of<Kind extends keyof typeof defects> = Record<keyof (typeof defects)[Kind], Show>;

const voucherPath = (id: number, voucher: View): string =>
  `vouchers/${String(id)}/A/${String(voucher.VoucherNumber)}`;

const answers: Of<'answers'> = {
  'missing-customer-200': (client) => isOther(read(client, 'customers/no-such'), 404),
  'errors-without-code': async (client) =>
    (await read(client, 'accounts/1')).body.ErrorInformation?.code !== 2000404,
  'amounts-as-texts': async (client) => {
    const { VoucherRows } = await postIn(client, await world(client), '03-10');
    return VoucherRows.some(({ Debit }) => typeof Debit !== 'number');
  },
  'due-date-with-time': async (client) => (await draft(client)).DueDate.length !== 10,
};

/** The days and months of vouchers on 10 and 20 March and on 5 April that the query lists. */
const listsVouchers =
  (query: string, days: string, order = ['03-10', '03-20', '04-05']): Show =>
  async (client) => {
    const place = await world(client);
    for (const day of order) await postIn(client, place, day, { Description: day });
    const path = `vouchers?financialyear=${String(place.id)}&${query}`;
    const found = await recordsIn(read(client, path.replace('SECOND', String(place.second))));
    return found.map(({ Description }) => Description).join(' ') !== days;
  };

const filters: Of<'filters'> = {
  'todate-excludes-day': listsVouchers('fromdate=2031-03-10&todate=2031-03-20', '03-10 03-20'),
  'account-filter-first-row': listsVouchers('account=SECOND', '03-10 03-20 04-05'),
  'lastmodified-compares-created': async (client) => {
    const first = await newCustomer(client);
    const second = await recordIn(add(client, 'customers', { Name: unique('customer') }));
    await put(client, `customers/${first}`, { Customer: { City: 'Lund' } });
    const path = `customers?lastmodified=${second.LastModified}&limit=200`;
    const found = await recordsIn(read(client, path));
    return !found.some(({ CustomerNumber }) => CustomerNumber === first);
  },
  'search-case-sensitive': async (client) => {
    const Description = unique('Leasing');
    await newAccount(client, { Description });
    const path = `accounts?search=${Description.toUpperCase()}`;
    return (await recordsIn(read(client, path))).length !== 1;
  },
  'state-filter-keeps-cancelled': async (client) => {
    await newYear(client);
    const invoice = await draft(client);
    await act(client, invoice, 'book');
    await act(client, invoice, 'cancel');
    const path = `invoices?state=booked&customernumber=${invoice.CustomerNumber}`;
    return (await recordsIn(read(client, path))).length !== 0;
  },
  'year-date-excludes-last-day': async (client) => {
    const { Id } = await newYear(client);
    return (await recordsIn(read(client, 'financialyears?date=2031-12-31')))[0]?.Id !== Id;
  },
};

const order: Of<'order'> = {
  'vouchers-in-order-of-entry': listsVouchers('', '03-10 03-20 04-05', ['03-20', '04-05', '03-10']),
  'descending-ignored': async (client) => {
    const { CustomerNumber } = await draft(client);
    const later = await draft(client, { CustomerNumber, InvoiceDate: '2031-05-01' });
    const query = 'sortby=invoicedate&sortorder=descending';
    const path = `invoices?customernumber=${CustomerNumber}&${query}`;
    const [first] = await recordsIn(read(client, path));
    return first?.DocumentNumber !== later.DocumentNumber;
  },
};

/** The answer to a list of three vouchers, two of them a page. */
async function pageOfThree(client: Client): Promise<Body> {
  const place = await world(client);
  for (const day of ['03-10', '03-20', '04-05']) await postIn(client, place, day);
  return (await read(client, `vouchers?financialyear=${String(place.id)}&limit=2`)).body;
}

const paging: Of<'paging'> = {
  'page-counts-from-zero': listsVouchers('page=1&limit=2', '03-10 03-20'),
  'total-resources-of-page': async (client) =>
    (await pageOfThree(client)).MetaInformation['@TotalResources'] !== 3,
  'total-pages-rounded-down': async (client) =>
    (await pageOfThree(client)).MetaInformation['@TotalPages'] !== 2,
};

const accounts: Of<'accounts'> = {
  'account-number-twice': async (client) => {
    const fields = { Number: await newAccount(client), Description: 'Other', Type: 'ASSET' };
    return isOther(add(client, 'accounts', fields), 409);
  },
  'update-empties-vat-code': async (client) => {
    const path = `accounts/${String(await newAccount(client, { VATCode: 'MP1' }))}`;
    await put(client, path, { Account: { Description: 'Renamed' } });
    return (await recordIn(read(client, path))).VATCode !== 'MP1';
  },
  'used-account-deleted': async (client) => {
    const place = await world(client);
    await postIn(client, place, '03-10');
    return isOther(client.ask('DELETE', `/v3/accounts/${String(place.first)}`), 409);
  },
  'inactive-account-hidden': async (client) => {
    const number = await newAccount(client, { Active: false });
    return isOther(read(client, `accounts/${String(number)}`), 200);
  },
};

const customers: Of<'customers'> = {
  'number-series-gives-taken': async (client) => {
    const next = String(Number(await newCustomer(client)) + 1);
    await add(client, 'customers', { CustomerNumber: next, Name: 'Chosen' });
    return (await newCustomer(client)) === next;
  },
  'organisation-number-with-hyphen': async (client) => {
    await newCustomer(client, { OrganisationNumber: '559900-1234' });
    const fields = { Name: 'Other', OrganisationNumber: '5599001234' };
    return isOther(add(client, 'customers', fields), 409);
  },
  'customer-update-lost': async (client) => {
    const path = `customers/${await newCustomer(client)}`;
    await put(client, path, { Customer: { City: 'Lund' } });
    return (await recordIn(read(client, path))).City !== 'Lund';
  },
  'terms-default-zero': async (client) => {
    const path = `customers/${await newCustomer(client)}`;
    return (await recordIn(read(client, path))).TermsOfPayment !== 30;
  },
  'null-ignored': async (client) => {
    const path = `customers/${await newCustomer(client, { City: 'Lund' })}`;
    await put(client, path, { Customer: { City: null } });
    return (await recordIn(read(client, path))).City !== null;
  },
};

const years: Of<'years'> = {
  'years-overlap-accepted': async (client) => {
    await newYear(client);
    const fields = { FromDate: '2031-12-01', ToDate: '2032-11-30' };
    return isOther(add(client, 'financialyears', fields), 409);
  },
  'close-out-of-order': async (client) => {
    const { Id: id } = await newYear(client);
    return isOther(closeIn(client, { id }, '02'), 409);
  },
  'close-with-drafts': async (client) => {
    const { Id: id } = await newYear(client);
    await draft(client, { InvoiceDate: '2031-01-31' });
    return isOther(closeIn(client, { id }, '01'), 409);
  },
  'reopen-not-done': async (client) => {
    const { Id: id } = await newYear(client);
    await closeIn(client, { id }, '01');
    await put(client, `financialyears/${String(id)}/periods/2031-01/reopen`);
    const { Periods } = await recordIn(read(client, `financialyears/${String(id)}`));
    return Periods[0]?.Closed !== false;
  },
  'last-day-of-period-open': async (client) => {
    const place = await world(client);
    await closeIn(client, place, '01');
    return isOther(add(client, 'vouchers', place.fields('01-31', 5)), 409);
  },
};

/** Whether a voucher with these rows on two new accounts gets another status. */
const postsOther =
  (rows: (first: number, second: number) => object[], status: number): Show =>
  async (client) => {
    const { first, second, fields } = await world(client);
    const more = { VoucherRows: rows(first, second) };
    return isOther(add(client, 'vouchers', fields('03-10', 1, more)), status);
  };

/** A batch of vouchers with these differences of debit and credit, in a new year. */
async function batch(client: Client, differences: readonly number[]) {
  const { id, first, second, fields } = await world(client);
  const Vouchers = differences.map((difference) =>
    fields('03-10', 1, { VoucherRows: rowsOf([first, 100 + difference], [second, -100]) }),
  );
  const { status } = await client.ask('POST', '/v3/vouchers/batch', { json: { Vouchers } });
  const found = await recordsIn(read(client, `vouchers?financialyear=${String(id)}`));
  return { status, count: found.length };
}

/** A voucher as it is read after it was reversed, its reversal, and the status of another one. */
async function reversed(client: Client) {
  const place = await world(client);
  const path = voucherPath(place.id, await postIn(client, place, '03-10'));
  const reversal = await recordIn(put(client, `${path}/reverse`, { Reversal: {} }));
  const voucher = await recordIn(read(client, path));
  const { status } = await put(client, `${path}/reverse`, { Reversal: {} });
  return { voucher, reversal, status };
}

const vouchers: Of<'vouchers'> = {
  'off-by-an-ore-accepted': postsOther((a, b) => rowsOf([a, 100.01], [b, -100]), 400),
  'inactive-account-posted': async (client) => {
    const place = await world(client);
    await put(client, `accounts/${String(place.first)}`, { Account: { Active: false } });
    return isOther(add(client, 'vouchers', place.fields('03-10', 5)), 400);
  },
  'refusal-leaves-gap': async (client) => {
    const place = await world(client);
    const VoucherRows = rowsOf([place.first, 100], [place.second, -90]);
    await postIn(client, place, '03-10', { VoucherRows });
    return (await postIn(client, place, '03-10')).VoucherNumber !== 1;
  },
  'numbers-over-all-series': async (client) => {
    const place = await world(client);
    await postIn(client, place, '03-10');
    return (await postIn(client, place, '03-10', { VoucherSeries: 'C' })).VoucherNumber !== 1;
  },
  'row-on-both-sides-accepted': postsOther((first, second) => {
    const both = { Account: first, Debit: 50, Credit: 40 };
    return [both, { Account: second, Credit: 10 }];
  }, 400),
  'three-decimals-accepted': postsOther((a, b) => rowsOf([a, 10.125], [b, -10.125]), 400),
  'rows-sorted-by-account': async (client) => {
    const place = await world(client);
    const VoucherRows = rowsOf([1930, 5], [1910, -5]);
    const path = voucherPath(place.id, await postIn(client, place, '03-10', { VoucherRows }));
    return (await recordIn(read(client, path))).VoucherRows[0]?.Account !== 1930;
  },
  'batch-not-atomic': async (client) => (await batch(client, [0, 7, 0])).count !== 0,
  'batch-balanced-as-a-whole': async (client) => (await batch(client, [5, -5])).status !== 400,
  'reversed-twice': async (client) => (await reversed(client)).status !== 409,
  'reversal-on-same-sides': async (client) => {
    const { reversal, voucher } = await reversed(client);
    return reversal.VoucherRows[0]?.Credit !== voucher.VoucherRows[0]?.Debit;
  },
  'reversed-by-missing': async (client) => {
    const { reversal, voucher } = await reversed(client);
    return voucher.ReversedBy !== `${String(reversal.FinancialYear)}/A/2`;
  },
};

/** An invoice over two rows, one with a discount: 3 × 0.33 less 10 %, and 0.37. */
const small = (client: Client): Promise<View> =>
  draft(client, {
    InvoiceRows: [
      { Description: 'Nail', Price: 0.33, Quantity: 3, Discount: 10 },
      { Description: 'Screw', Price: 0.37 },
    ],
  });

/** An invoice that was booked in a new year, as it is read, and its year. */
async function booked(client: Client, fields: object = {}): Promise<View> {
  await newYear(client);
  const invoice = await draft(client, fields);
  await act(client, invoice, 'book');
  return again(client, invoice);
}

const voucherOf = (client: Client, { Voucher }: View): Promise<View> =>
  recordIn(read(client, `vouchers/${Voucher ?? ''}`));

/** An update with an old Version: its status, and what was stored. */
async function late(client: Client) {
  const invoice = await draft(client);
  await change(client, invoice, { YourReference: 'First' });
  const { Version } = invoice;
  const { status } = await change(client, invoice, { YourReference: 'Late', Version });
  return { status, stored: (await again(client, invoice)).YourReference };
}

const invoices: Of<'invoices'> = {
  // 25 % of 0.89 and of 0.37, each rounded, would be 0.31; of 1.26 it is 0.32.
  'vat-rounded-per-row': async (client) => (await small(client)).TotalVAT !== 0.32,
  'discount-not-in-net': async (client) => (await small(client)).Net !== 1.26,
  'totals-of-old-rows': async (client) => {
    const invoice = await draft(client);
    await change(client, invoice, { InvoiceRows: [{ Description: 'More', Price: 200 }] });
    return (await again(client, invoice)).Total !== 250;
  },
  'due-date-ignores-terms': async (client) => {
    const CustomerNumber = await newCustomer(client, { TermsOfPayment: 10 });
    return (await draft(client, { CustomerNumber })).DueDate !== '2031-03-20';
  },
  'unknown-customer-accepted': (client) => {
    const fields = { CustomerNumber: 'no-such', InvoiceDate: '2031-03-10' };
    return isOther(add(client, 'invoices', fields), 400);
  },
  'booked-invoice-changed': async (client) =>
    isOther(change(client, await booked(client), { YourReference: 'Late' }), 409),
  'cancellation-without-reversal': async (client) => {
    const invoice = await booked(client);
    await act(client, invoice, 'cancel');
    return (await voucherOf(client, invoice)).ReversedBy === null;
  },
  'cancelled-invoice-booked': async (client) => {
    const invoice = await booked(client);
    await act(client, invoice, 'cancel');
    return isOther(act(client, invoice, 'book'), 409);
  },
  'version-unchanged': async (client) => {
    const invoice = await draft(client);
    await change(client, invoice, { YourReference: 'Ann' });
    return (await again(client, invoice)).Version <= invoice.Version;
  },
  'old-version-accepted': async (client) => (await late(client)).status !== 409,
  'refused-update-kept': async (client) => (await late(client)).stored !== 'First',
  'vat-on-one-account': async (client) => {
    const rows = [
      { Description: 'Work', Price: 100 },
      { Description: 'Lunch', Price: 100, VAT: 12, AccountNumber: 3002 },
    ];
    const { VoucherRows } = await voucherOf(client, await booked(client, { InvoiceRows: rows }));
    return VoucherRows.find(({ Account }) => Account === 2621)?.Credit !== 12;
  },
};

/** The row of an account that had 100 in debit on 10 March and on 5 April. */
async function balanced(client: Client, query: string) {
  const place = await world(client);
  for (const day of ['03-10', '04-05']) await postIn(client, place, day);
  const { Rows } = await balance(client, place.id, query);
  return Rows.find(({ Account }) => Account === place.first);
}

const reports: Of<'reports'> = {
  'trial-balance-ignores-todate': async (client) =>
    (await balanced(client, '&todate=2031-03-31'))?.Debit !== 100,
  'opening-balance-zero': async (client) =>
    (await balanced(client, '&fromdate=2031-04-01'))?.OpeningBalance !== 100,
};

const companies: Of<'companies'> = {
  'list-without-token': (client) => isOther(read(client, 'vouchers', 'anonymous'), 401),
  'any-token-accepted': (client) => isOther(read(client, 'accounts', 'wrongKey'), 401),
  'invoice-of-other-shown': async (client) => {
    const { DocumentNumber } = await draft(client);
    return isOther(read(client, `invoices/${String(DocumentNumber)}`, 'second'), 404);
  },
  'year-of-other-shown': async (client) => {
    const { Id } = await newYear(client);
    return isOther(read(client, `financialyears/${String(Id)}`, 'second'), 404);
  },
  'account-number-of-other-taken': async (client) => {
    const fields = { Number: freeNumber(), Description: 'Own', Type: 'ASSET' };
    await add(client, 'accounts', fields, 'second');
    return isOther(add(client, 'accounts', fields), 201);
  },
};

/** For each defect: whether it shows to a client that reads the document. */
export const shows: Readonly<Record<DefectName, Show>> = {
  ...answers,
  ...filters,
  ...order,
  ...paging,
  ...accounts,
  ...customers,
  ...years,
  ...vouchers,
  ...invoices,
  ...reports,
  ...companies,
};
