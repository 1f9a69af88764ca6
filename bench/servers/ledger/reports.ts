import { isDate } from '../serving/fields.ts';
import type { Answer } from '../serving/serve.ts';
import { answer, fail, type Call } from './call.ts';
import { hundredths, kronor } from './numbers.ts';
import { isWhole, parameter } from './query.ts';
import { yearOf } from './years.ts';

interface Sums {
  opening: number;
  debit: number;
  credit: number;
}

export function trialBalance(call: Call): Answer {
  const { service, books } = call;
  const { has } = service;
  const id = parameter(call, 'financialyear', isWhole);
  if (id === undefined) return fail(service, 'parameter', 'financialyear is required.');
  const [given, until] = ['fromdate', 'todate'].map((name) => parameter(call, name, isDate));
  const year = yearOf(books, String(Number(id)));
  if (year === undefined) return fail(service, 'missing', 'There is no such financial year.');
  const [from, to] = [given ?? year.FromDate, until ?? year.ToDate];
  if (from < year.FromDate || to > year.ToDate || from > to)
    fail(service, 'parameter', 'The dates must be in the year, in their order.');
  const end = has('trial-balance-ignores-todate') ? year.ToDate : to;
  const sums = new Map<number, Sums>();
  for (const voucher of books.vouchers) {
    if (voucher.year !== year || voucher.TransactionDate > end) continue;
    for (const { Account, Debit, Credit } of voucher.rows) {
      const found = sums.get(Account) ?? { opening: 0, debit: 0, credit: 0 };
      sums.set(Account, found);
      const [debit, credit] = [hundredths(Debit), hundredths(Credit)];
      if (voucher.TransactionDate < from) found.opening += debit - credit;
      else Object.assign(found, { debit: found.debit + debit, credit: found.credit + credit });
    }
  }
  const rows = [...sums].toSorted(([a], [b]) => a - b);
  const total = (side: 'debit' | 'credit'): number =>
    kronor(rows.reduce((sum, [, each]) => sum + each[side], 0));
  return answer('TrialBalance', {
    FinancialYear: year.Id,
    FromDate: from,
    ToDate: to,
    TotalDebit: total('debit'),
    TotalCredit: total('credit'),
    Rows: rows.map(([account, { opening, debit, credit }]) => {
      const start = has('opening-balance-zero') ? 0 : opening;
      return {
        Account: account,
        Description: books.accounts.get(account)?.Description ?? '',
        OpeningBalance: kronor(start),
        Debit: kronor(debit),
        Credit: kronor(credit),
        ClosingBalance: kronor(start + debit - credit),
      };
    }),
  });
}
