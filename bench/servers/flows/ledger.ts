import { counts, has, isEmpty, isThere, lacks, matches, not } from './claims.ts';
import type { Flow, Step } from './step.ts';

const rows = (amount: number): object[] => [
  { Account: 9871, Debit: amount, TransactionInformation: 'Desk' },
  { Account: 1930, Credit: amount },
];

const voucherOf = (day: string, amount = 1249.5): object => ({
  TransactionDate: `2033-${day}`,
  Description: `Furniture ${day}`,
  VoucherRows: rows(amount),
});

const records: Step[] = [
  {
    does: 'is refused without a token',
    send: 'GET /v3/accounts',
    as: 'anonymous',
    status: 401,
    sees: { 'ErrorInformation code': 2000310 },
  },
  {
    does: 'opens a financial year',
    send: 'POST /v3/financialyears',
    json: { FinancialYear: { FromDate: '2033-01-01', ToDate: '2033-12-31' } },
    status: 201,
    sees: { 'FinancialYear Periods': counts(12), 'FinancialYear Periods 0 Period': '2033-01' },
    keeps: { year: 'FinancialYear Id' },
  },
  {
    does: 'finds the year by a day',
    send: 'GET /v3/financialyears',
    query: { date: '2033-12-31' },
    sees: { 'FinancialYears * Id': ['{year}'], 'MetaInformation @TotalResources': 1 },
  },
  {
    does: 'makes an account with a number of its own',
    send: 'POST /v3/accounts',
    json: { Account: { Number: 9871, Description: 'Möbler', Type: 'EXPENSE', VATCode: 'MP1' } },
    status: 201,
    sees: { 'Account Number': 9871, 'Account Active': true },
  },
  {
    does: 'is refused the same number',
    send: 'POST /v3/accounts',
    json: { Account: { Number: 9871, Description: 'Other', Type: 'ASSET' } },
    status: 409,
    sees: { 'ErrorInformation code': 2000434 },
  },
  {
    does: 'renames the account and keeps its VAT code',
    send: 'PUT /v3/accounts/9871',
    json: { Account: { Description: 'Kontorsmöbler' } },
    sees: { 'Account Description': 'Kontorsmöbler', 'Account VATCode': 'MP1' },
  },
  {
    does: 'finds it by a part in capitals',
    send: 'GET /v3/accounts?search=KONTORSM&type=EXPENSE',
    sees: { 'Accounts * Number': has(9871) },
  },
  {
    does: 'makes a customer with the next number',
    send: 'POST /v3/customers',
    json: { Customer: { Name: 'Flow AB', TermsOfPayment: 15, City: 'Umeå' } },
    status: 201,
    sees: { 'Customer CountryCode': 'SE', 'Customer Email': null },
    keeps: { customer: 'Customer CustomerNumber' },
  },
  {
    does: 'empties one member of the customer',
    send: 'PUT /v3/customers/{customer}',
    json: { Customer: { City: null } },
    sees: { 'Customer City': null, 'Customer TermsOfPayment': 15, 'Customer Name': 'Flow AB' },
  },
];

const voucher = '/v3/vouchers/{year}/A/1';

const vouchers: Step[] = [
  {
    does: 'posts a voucher, the first of its series in the year',
    send: 'POST /v3/vouchers',
    json: { Voucher: voucherOf('02-10') },
    status: 201,
    sees: { 'Voucher VoucherSeries': 'A', 'Voucher VoucherNumber': 1, 'Voucher Total': 1249.5 },
  },
  {
    does: 'is refused one that does not balance',
    send: 'POST /v3/vouchers',
    json: {
      Voucher: {
        ...voucherOf('02-11'),
        VoucherRows: [
          { Account: 9871, Debit: 10 },
          { Account: 1930, Credit: 9.99 },
        ],
      },
    },
    status: 400,
    sees: { 'ErrorInformation code': 2000359, 'ErrorInformation error': 1 },
  },
  {
    does: 'is refused a batch for its second voucher',
    send: 'POST /v3/vouchers/batch',
    json: { Vouchers: [voucherOf('02-12'), voucherOf('13-01')] },
    status: 400,
    sees: { 'ErrorInformation message': isThere, 'ErrorInformation index': 1 },
  },
  {
    does: 'posts a batch, with numbers that have no gap',
    send: 'POST /v3/vouchers/batch',
    json: { Vouchers: [voucherOf('02-20', 5.25), voucherOf('02-15', 7)] },
    status: 201,
    sees: { 'Vouchers * VoucherNumber': [2, 3], 'Vouchers * Total': [5.25, 7] },
  },
  {
    does: 'lists by date, the second page',
    send: 'GET /v3/vouchers?financialyear={year}&account=9871&limit=2&page=2',
    sees: {
      'Vouchers * VoucherNumber': [2],
      'MetaInformation @TotalResources': 3,
      'MetaInformation @TotalPages': 2,
      'MetaInformation @CurrentPage': 2,
    },
  },
  {
    does: 'reverses the first one later',
    send: `PUT ${voucher}/reverse`,
    json: { Reversal: { TransactionDate: '2033-03-01' } },
    sees: {
      'Voucher VoucherNumber': 4,
      'Voucher Reverses': '{year}/A/1',
      'Voucher VoucherRows 0 Credit': 1249.5,
      'Voucher VoucherRows 0 Account': 9871,
    },
  },
  {
    does: 'reads what was reversed as it was',
    send: `GET ${voucher}`,
    sees: { 'Voucher ReversedBy': '{year}/A/4', 'Voucher VoucherRows 0 Debit': 1249.5 },
  },
  {
    does: 'is refused to reverse it again',
    send: `PUT ${voucher}/reverse`,
    json: { Reversal: {} },
    status: 409,
  },
  {
    does: 'has the sums of March with those before',
    send: 'GET /v3/trialbalance?financialyear={year}&fromdate=2033-03-01&todate=2033-03-31',
    sees: {
      'TrialBalance Rows [Account=9871] OpeningBalance': [1261.75],
      'TrialBalance Rows [Account=9871] Credit': [1249.5],
      'TrialBalance Rows [Account=9871] ClosingBalance': [12.25],
      'TrialBalance TotalDebit': 1249.5,
    },
  },
];

const invoice = '/v3/invoices/{invoice}';

const invoices: Step[] = [
  {
    does: 'drafts an invoice',
    send: 'POST /v3/invoices',
    json: {
      Invoice: {
        CustomerNumber: '{customer}',
        InvoiceDate: '2033-01-20',
        InvoiceRows: [
          { Description: 'Consulting', Price: 850, Quantity: 1.5, Discount: 10 },
          { Description: 'Lunch', Price: 99.99, VAT: 12, AccountNumber: 3002 },
        ],
      },
    },
    status: 201,
    sees: {
      'Invoice State': 'draft',
      'Invoice DueDate': '2033-02-04',
      'Invoice InvoiceRows * Total': [1147.5, 99.99],
      'Invoice Net': 1247.49,
      'Invoice TotalVAT': 298.88,
      'Invoice Total': 1546.37,
    },
    keeps: { invoice: 'Invoice DocumentNumber', version: 'Invoice Version' },
  },
  {
    does: 'is refused to close January with the draft',
    send: 'PUT /v3/financialyears/{year}/periods/2033-01/close',
    status: 409,
  },
  {
    does: 'changes one member of the draft',
    send: `PUT ${invoice}`,
    json: { Invoice: { YourReference: 'Åsa', Version: '{version}' } },
    sees: {
      'Invoice YourReference': 'Åsa',
      'Invoice Total': 1546.37,
      'Invoice Version': not('{version}'),
    },
  },
  {
    does: 'is refused the old version',
    send: `PUT ${invoice}`,
    json: { Invoice: { YourReference: 'Late', Version: '{version}' } },
    status: 409,
    sees: { 'ErrorInformation code': 2000505 },
  },
  {
    does: 'books the invoice',
    send: `PUT ${invoice}/book`,
    sees: { 'Invoice State': 'booked', 'Invoice Voucher': matches(/^\d+\/F\/1$/) },
    keeps: { booked: 'Invoice Voucher' },
  },
  {
    does: 'reads the voucher of the invoice',
    send: 'GET /v3/vouchers/{booked}',
    sees: {
      'Voucher InvoiceNumber': '{invoice}',
      'Voucher TransactionDate': '2033-01-20',
      'Voucher VoucherRows [Account=1510] Debit': [1546.37],
      'Voucher VoucherRows [Account=3001] Credit': [1147.5],
      'Voucher VoucherRows [Account=2611] Credit': [286.88],
      'Voucher VoucherRows [Account=2621] Credit': [12],
    },
  },
  {
    does: 'closes January',
    send: 'PUT /v3/financialyears/{year}/periods/2033-01/close',
    sees: { 'Period Closed': true },
  },
  { does: 'is refused to cancel into it', send: `PUT ${invoice}/cancel`, status: 409 },
  {
    does: 'reopens January',
    send: 'PUT /v3/financialyears/{year}/periods/2033-01/reopen',
    sees: { 'Period Closed': false },
  },
  {
    does: 'cancels the invoice',
    send: `PUT ${invoice}/cancel`,
    sees: { 'Invoice State': 'cancelled', 'Invoice YourReference': 'Åsa' },
  },
  {
    does: 'lists it among the cancelled ones only',
    send: 'GET /v3/invoices?state=booked&customernumber={customer}',
    sees: { Invoices: isEmpty, 'Invoices * DocumentNumber': lacks('{invoice}') },
  },
  { does: 'is refused to delete the account', send: 'DELETE /v3/accounts/9871', status: 409 },
];

/** Bookkeeping: a year, vouchers, reversals, an invoice and the closing of a period. */
export const ledger: Flow = { name: 'ledger', steps: [...records, ...vouchers, ...invoices] };
