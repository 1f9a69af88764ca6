import { openService } from '../serving/open-service.ts';
import type { Start } from '../serving/plant.ts';
import type { ServiceRequest } from '../serving/serve.ts';
import { nextNumber, standard } from './customers.ts';
import { defectNames, type DefectName } from './defects.ts';
import { addInvoice, book, cancel } from './invoices.ts';
import type { Books, Invoice, InvoiceRow, Service } from './store.ts';
import { variantNames, type VariantName } from './variants.ts';
import { post } from './vouchers.ts';
import { addDays, makeYear } from './years.ts';

/** Number, type, VAT code and description of accounts. */
const chart = `1510 ASSET - Kundfordringar; 2611 LIABILITY - Utgående moms 25 %
  2621 LIABILITY - Utgående moms 12 %; 2631 LIABILITY - Utgående moms 6 %
  3001 REVENUE MP1 Försäljning 25 %`;

const northChart = `${chart}; 1220 ASSET - Inventarier; 1910 ASSET - Kassa
  1930 ASSET - Företagskonto; 2081 EQUITY - Aktiekapital; 2440 LIABILITY - Leverantörsskulder
  2641 ASSET - Ingående moms; 2710 LIABILITY - Personalskatt; 3002 REVENUE MP2 Försäljning 12 %
  3003 REVENUE MP3 Försäljning 6 %; 3004 REVENUE - Försäljning momsfri; 5010 EXPENSE - Lokalhyra
  4010 EXPENSE MP1 Inköp material; 5410 EXPENSE MP1 Förbrukningsinventarier; 7010 EXPENSE - Löner
  6110 EXPENSE MP1 Kontorsmateriel; 6212 EXPENSE MP1 Mobiltelefon; 8310 REVENUE - Ränteintäkter`;

const eastChart = `${chart}; 1941 ASSET - Skandibanken; 4980 EXPENSE MP2 Råvaror`;

const openBooks = (first: number): Books => ({
  accounts: new Map(),
  customers: new Map(),
  years: [],
  vouchers: [],
  invoices: new Map(),
  last: new Map(),
  nextCustomer: first,
  nextInvoice: first,
});

/** The companies at the start. */
export function openLedger(start: Start): Service {
  const names = { defects: defectNames, variants: variantNames };
  const opened = openService<DefectName, VariantName>(names, start);
  const isHigh = opened.varies('numbers-high');
  const service: Service = {
    ...opened,
    north: openBooks(isHigh ? 900_001 : 1001),
    east: openBooks(70_001),
    nextYear: isHigh ? 4001 : 1,
    requests: 0,
  };
  seedNorth(service);
  seedEast(service);
  return service;
}

function addAccounts(books: Books, text: string): void {
  for (const line of text.split(/[;\n]/)) {
    const [number = '', Type = '', vat = '-', ...words] = line.trim().split(' ');
    books.accounts.set(Number(number), {
      Number: Number(number),
      Description: words.join(' '),
      Type,
      VATCode: vat === '-' ? null : vat,
      Active: number !== '6212',
      modified: Date.UTC(2025, 1, 3, 8, Number(number) % 60),
    });
  }
}

export function addCustomer(books: Books, Name: string, at: number): string {
  const CustomerNumber = nextNumber(books);
  books.customers.set(CustomerNumber, {
    CustomerNumber,
    Name,
    ...standard,
    ...(at % 3 === 2 ? {} : { OrganisationNumber: `5560${String(10 + at)}-41${String(20 + at)}` }),
    ...(at % 4 === 3 ? { CountryCode: 'FI' } : { Email: `faktura@kund${String(at)}.example` }),
    City: ['Göteborg', 'Malmö', null, 'Åbo'][at % 4] ?? null,
    TermsOfPayment: [30, 10, 30, 14][at % 4] ?? 30,
    Active: at !== 5,
    created: Date.UTC(2025, 2, 1 + at, 9),
    modified: Date.UTC(2025, 2, 1 + at, 9, at),
  });
  return CustomerNumber;
}

function addYears(service: Service, books: Books, years: readonly number[]): void {
  for (const year of years) {
    books.years.push(makeYear(service.nextYear, `${String(year)}-01-01`, `${String(year)}-12-31`));
    service.nextYear += 1;
  }
}

/** Posts an amount from one account to another. */
export function transfer(
  service: Service,
  books: Books,
  [VoucherSeries, TransactionDate, Description]: readonly [string, string, string],
  [debit, credit, amount]: readonly [number, number, number],
): void {
  const TransactionInformation = null;
  const rows = [
    { Account: debit, Debit: amount, Credit: 0, TransactionInformation },
    { Account: credit, Debit: 0, Credit: amount, TransactionInformation },
  ];
  post(service, books, { VoucherSeries, TransactionDate, Description, rows });
}

const day = (at: number): string => addDays('2025-10-06', at * 9);

function addDraft(
  service: Service,
  books: Books,
  CustomerNumber: string,
  InvoiceDate: string,
  rows: readonly InvoiceRow[],
): Invoice {
  const DueDate = addDays(InvoiceDate, 30);
  const draft = { CustomerNumber, InvoiceDate, DueDate, YourReference: null, rows };
  return addInvoice(service, books, draft);
}

function seedNorth(service: Service): void {
  const { north } = service;
  addAccounts(north, northChart);
  addYears(service, north, [2024, 2025, 2026]);
  const names = ['Nordvik Bygg AB', 'Café Ängen', 'Lund & Söner', 'Åbo Trä Oy', 'Västkust Data'];
  for (const [at, name] of [...names, 'Gamla Kunden', 'Solna Cykel', 'Ystad Fisk'].entries())
    addCustomer(north, name, at);
  transfer(service, north, ['A', '2025-01-02', 'Start'], [1930, 2081, 50_000]);
  for (let at = 0; at < 22; at += 1) {
    const text = at % 3 === 0 ? 'Hyra' : at % 3 === 1 ? 'Material' : 'Kontantuttag';
    const account = [5010, 4010, 1910][at % 3] ?? 5010;
    const amount = 1250 + at * 17.75;
    transfer(service, north, [at % 5 === 4 ? 'B' : 'A', day(at), text], [account, 1930, amount]);
  }
  const call = { service, books: north, incoming: {} as ServiceRequest };
  const customers = [...north.customers.keys()];
  for (let at = 0; at < 9; at += 1) {
    const rows = [25, 12, 6].slice(0, 1 + (at % 3)).map((VAT, place) => ({
      Description: ['Arbete', 'Lunch', 'Tidskrift'][place] ?? '',
      Quantity: 1 + at / 2,
      Price: 850 - place * 200.5,
      Discount: at % 4 === 3 ? 10 : 0,
      VAT,
      AccountNumber: 3001 + place,
    }));
    const invoice = addDraft(service, north, customers[at % 5] ?? '', day(at + 11), rows);
    if (at % 3 !== 2) book(call, invoice);
    if (at === 4) cancel(call, invoice);
  }
  for (const period of north.years.flatMap(({ Periods }) => Periods))
    if (period.ToDate < '2025-10-01') period.Closed = true;
}

function seedEast(service: Service): void {
  const { east } = service;
  addAccounts(east, eastChart);
  addYears(service, east, [2026]);
  const customer = addCustomer(east, 'Öresund Kaffe', 40);
  for (let at = 0; at < 4; at += 1)
    transfer(service, east, ['K', day(at + 12), 'Råvaror'], [4980, 1941, 999 + at]);
  addDraft(service, east, customer, '2026-02-02', []);
}
