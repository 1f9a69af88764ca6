import { namePattern, plainName } from '../contract/infer/infer-names.ts';
import { isJsonArray, isJsonObject, type JsonValue } from '../json/value.ts';
import type { RelatedFields } from './related-fields.ts';

const quantities = /^(quantity|qty|units|hours)$/;
const unitPrices = /^(unitprice|price|unitcost|priceperunit|unitamount)$/;
const lineTotals = /^(line)?(amount|total|totalprice|totalamount|subtotal|sum)$/;
const lists = /^(order|invoice|cart|basket|line)?(lines|items|positions|entries|lineitems)$/;
const subtotals = /^(subtotal|sub(total)?amount|net(amount|total)?|itemstotal|totalnet)$/;
const taxes = /^(tax|vat|taxamount|vatamount|salestax|totaltax|taxtotal)$/;
const taxRates = /^(tax|vat)(rate|percent(age)?)$/;
const extras = /^(shipping|delivery)(cost|costs|fee|amount|total|price)?$/;
const discounts = /^(total)?discount(amount|total)?$/;
const totals = namePattern(
  '^(grand|order|invoice)?total(amount|price|cost)?$ ^gross(amount|total)?$ ^amountdue$',
);
/** A list with one of these is a page of a longer one, whose total is a number of records. */
const pages = namePattern('^page ^limit ^offset cursor ^next ^hasmore ^perpage ^count$ totalpages');

/** Whether a field with this normalised name may be decided by other amounts. */
export function isAmount(plain: string): boolean {
  return [lineTotals, subtotals, totals].some((pattern) => pattern.test(plain));
}

/**
 * Amounts that add up: a line is its quantity times its price, a subtotal the sum of the lines, a
 * total the subtotal with tax and shipping, less a discount. Amounts are rounded to cents.
 */
export function settleAmounts(fields: RelatedFields): void {
  const [quantity, price] = [numberAt(fields, quantities), numberAt(fields, unitPrices)];
  if (quantity !== undefined && price !== undefined)
    setAmounts(fields, lineTotals, quantity * price);
  if (fields.size < 3 || fields.named(pages).length > 0) return;
  const sum = sumOfLines(fields);
  if (sum !== undefined) setAmounts(fields, subtotals, sum);
  const net = sum ?? numberAt(fields, subtotals);
  if (net === undefined) return;
  const rate = numberAt(fields, taxRates);
  if (rate !== undefined) setAmounts(fields, taxes, (net * rate) / (rate < 1 ? 1 : 100));
  const known = (pattern: RegExp): number => numberAt(fields, pattern) ?? 0;
  if (known(discounts) > net) setAmounts(fields, discounts, net / 10);
  setAmounts(fields, totals, net + known(taxes) + known(extras) - known(discounts));
}

function sumOfLines(fields: RelatedFields): number | undefined {
  const [, lines] = fields.named(lists).find(([, value]) => isJsonArray(value)) ?? [];
  if (!isJsonArray(lines) || lines.length === 0) return undefined;
  const amounts = lines.map(lineAmount);
  return amounts.reduce<number | undefined>(
    (sum, amount) => (sum === undefined || amount === undefined ? undefined : sum + amount),
    0,
  );
}

/** What a line costs: its amount, its quantity times its price, or its price. */
function lineAmount(line: JsonValue): number | undefined {
  if (!isJsonObject(line)) return undefined;
  const at = (pattern: RegExp): number | undefined => {
    const found = Object.entries(line).find(([name]) => pattern.test(plainName(name)));
    return found && amountOf(found[1]);
  };
  const price = at(unitPrices);
  return at(lineTotals) ?? (price === undefined ? undefined : price * (at(quantities) ?? 1));
}

function numberAt(fields: RelatedFields, pattern: RegExp): number | undefined {
  return fields.named(pattern).flatMap(([, value]) => amountOf(value) ?? [])[0];
}

/** A number, or a text with one in cents. */
function amountOf(value: JsonValue): number | undefined {
  if (typeof value === 'number') return value;
  return typeof value === 'string' && /^\d{1,12}\.\d\d$/.test(value) ? Number(value) : undefined;
}

function setAmounts(fields: RelatedFields, pattern: RegExp, amount: number): void {
  // Half a cent may have become a little less.
  const rounded = Math.round(Number((amount * 100).toFixed(4))) / 100;
  for (const [plain, value] of fields.named(pattern))
    if (amountOf(value) !== undefined)
      fields.set(plain, typeof value === 'string' ? rounded.toFixed(2) : rounded);
}
