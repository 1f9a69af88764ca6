import { fields, flag, oneOf, orNull, pick, text, whole } from '../serving/fields.ts';
import type { Json } from '../serving/requests.ts';
import type { Answer } from '../serving/serve.ts';
import { answer, bodyOf, fail, placed, showMoment, urlOf, type Call } from './call.ts';
import { activeOf, isAny, momentsOf, pageOf, parameter } from './query.ts';
import { isNeeded, type Account, type Books } from './store.ts';

const types = ['ASSET', 'LIABILITY', 'EQUITY', 'REVENUE', 'EXPENSE'];

const rules = {
  Description: text(1, 100),
  Type: oneOf(types),
  VATCode: orNull(oneOf(['MP1', 'MP2', 'MP3'])),
  Active: flag,
};

const show = ({ modified, ...account }: Account, call: Call): Json => ({
  '@url': urlOf(call, `accounts/${String(account.Number)}`),
  ...account,
  ...showMoment(modified),
});

export function listAccounts(call: Call): Answer {
  const type = parameter(call, 'type', (value) => types.includes(value));
  const [isActive, isMoment] = [activeOf(call), momentsOf(call)];
  const fold = (value: string): string =>
    call.service.has('search-case-sensitive') ? value : value.toLowerCase();
  const search = fold(parameter(call, 'search', isAny) ?? '');
  const records = [...call.books.accounts.values()]
    .filter(
      (account) =>
        (type ?? account.Type) === account.Type &&
        isActive(account) &&
        fold(account.Description).includes(search) &&
        isMoment(account.modified),
    )
    .toSorted((a, b) => a.Number - b.Number);
  return pageOf(call, 'Accounts', records, show);
}

export function createAccount(call: Call): Answer {
  const { service, books } = call;
  const rule = fields({ ...rules, Number: whole(1000, 9999) }, ['Number', 'Description', 'Type']);
  const sent = bodyOf(call, 'Account', rule) as Account;
  const isOfOther =
    service.has('account-number-of-other-taken') &&
    [service.north, service.east].some(({ accounts }) => accounts.has(sent.Number));
  const isTaken = books.accounts.has(sent.Number) && !service.has('account-number-twice');
  if (isTaken || isOfOther) fail(service, 'taken', 'The number is in use.');
  const { Number: number, Description, Type, VATCode = null, Active = true } = sent;
  const account = { Number: number, Description, Type, VATCode, Active, modified: service.now() };
  books.accounts.set(number, account);
  return answer('Account', show(account, call), 201);
}

function find(call: Call): Account {
  const number = placed(call, 'Number');
  const account = call.books.accounts.get(/^[1-9]\d{3}$/.test(number) ? Number(number) : 0);
  return account ?? fail(call.service, 'missing', 'There is no such account.');
}

export function getAccount(call: Call): Answer {
  const account = find(call);
  if (!account.Active && call.service.has('inactive-account-hidden'))
    fail(call.service, 'missing', 'There is no such account.');
  return answer('Account', show(account, call));
}

const isUsed = ({ vouchers, invoices }: Books, number: number): boolean =>
  vouchers.some(({ rows }) => rows.some(({ Account: used }) => used === number)) ||
  [...invoices.values()].some(({ rows }) => rows.some((row) => row.AccountNumber === number));

export function updateAccount(call: Call): Answer {
  const { service, books } = call;
  const account = find(call);
  const { Number: number } = account;
  const sent = bodyOf(call, 'Account', fields(rules, []));
  const kept = service.has('update-empties-vat-code') ? { ...account, VATCode: null } : account;
  const changed = { ...kept, ...pick(sent, Object.keys(rules)), modified: service.now() };
  if (changed.Type !== account.Type && (isNeeded(number) || isUsed(books, number)))
    fail(service, 'state', 'The account is in use.');
  if (!changed.Active && isNeeded(number)) fail(service, 'state', 'Invoices need the account.');
  books.accounts.set(number, changed);
  return answer('Account', show(changed, call));
}

export function deleteAccount(call: Call): Answer {
  const { service, books } = call;
  const { Number: number } = find(call);
  const mayGo = service.has('used-account-deleted') || !isUsed(books, number);
  if (isNeeded(number) || !mayGo) fail(service, 'state', 'The account is in use.');
  books.accounts.delete(number);
  return { status: 204 };
}
