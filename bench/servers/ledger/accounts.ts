import { fields, flag, oneOf, orNull, text, whole, type Rule } from '../serving/fields.ts';
import type { Json } from '../serving/requests.ts';
import type { Answer } from '../serving/serve.ts';
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
import { isNeeded, type Account, type Books } from './store.ts';

const types = ['ASSET', 'LIABILITY', 'EQUITY', 'REVENUE', 'EXPENSE'];

interface Sent {
  readonly Number: number;
  readonly Description: string;
  readonly Type: string;
  readonly VATCode?: string | null;
  readonly Active?: boolean;
}

const rules: Readonly<Record<string, Rule>> = {
  Description: text(1, 100),
  Type: oneOf(types),
  VATCode: orNull(oneOf(['MP1', 'MP2', 'MP3'])),
  Active: flag,
};

const show =
  (call: Call) =>
  (account: Account): Json => ({
    '@url': urlOf(call, `accounts/${String(account.number)}`),
    Number: account.number,
    Description: account.description,
    Type: account.type,
    VATCode: account.vatCode,
    Active: account.active,
    LastModified: writeMoment(account.modified),
  });

export function listAccounts(call: Call): Answer {
  const type = parameter(call, 'type', (value) => types.includes(value));
  const active = parameter(call, 'active', isFlag);
  const isMoment = momentsOf(call);
  const fold = (value: string): string =>
    call.service.has('search-case-sensitive') ? value : value.toLowerCase();
  const search = fold(parameter(call, 'search', isAny) ?? '');
  const records = [...call.books.accounts.values()]
    .filter(
      (account) =>
        (type ?? account.type) === account.type &&
        (active ?? String(account.active)) === String(account.active) &&
        fold(account.description).includes(search) &&
        isMoment(account.modified),
    )
    .toSorted((a, b) => a.number - b.number);
  return pageOf(call, { name: 'Accounts', records, show: show(call) });
}

export function createAccount(call: Call): Answer {
  const { service, books } = call;
  const rule = fields({ ...rules, Number: whole(1000, 9999) }, ['Number', 'Description', 'Type']);
  const sent = bodyOf(call, 'Account', rule) as Sent;
  const isOfOther =
    service.has('account-number-of-other-taken') &&
    [service.north, service.east].some(({ accounts }) => accounts.has(sent.Number));
  const isTaken = books.accounts.has(sent.Number) && !service.has('account-number-twice');
  if (isTaken || isOfOther) fail(service, 'taken', 'The number is in use.');
  const account = {
    number: sent.Number,
    description: sent.Description,
    type: sent.Type,
    vatCode: sent.VATCode ?? null,
    active: sent.Active ?? true,
    modified: service.now(),
  };
  books.accounts.set(account.number, account);
  return answer('Account', show(call)(account), 201);
}

function find(call: Call): Account {
  const number = placed(call, 'Number');
  const account = call.books.accounts.get(/^[1-9]\d{3}$/.test(number) ? Number(number) : 0);
  return account ?? fail(call.service, 'missing', 'There is no such account.');
}

export function getAccount(call: Call): Answer {
  const account = find(call);
  if (!account.active && call.service.has('inactive-account-hidden'))
    fail(call.service, 'missing', 'There is no such account.');
  return answer('Account', show(call)(account));
}

const isUsed = ({ vouchers, invoices }: Books, number: number): boolean =>
  [...vouchers, ...invoices.values()].some(({ rows }) =>
    rows.some(({ account }) => account === number),
  );

export function updateAccount(call: Call): Answer {
  const { service, books } = call;
  const account = find(call);
  const sent = bodyOf(call, 'Account', fields(rules, [])) as Partial<Sent>;
  const { Type: type = account.type, Active: active = account.active } = sent;
  const { number } = account;
  if (type !== account.type && (isNeeded(number) || isUsed(books, number)))
    fail(service, 'state', 'The account is in use.');
  if (!active && isNeeded(number)) fail(service, 'state', 'Invoices need the account.');
  const kept = service.has('update-empties-vat-code') ? null : account.vatCode;
  Object.assign(account, {
    description: sent.Description ?? account.description,
    type,
    active,
    vatCode: sent.VATCode === undefined ? kept : sent.VATCode,
    modified: service.now(),
  });
  return answer('Account', show(call)(account));
}

export function deleteAccount(call: Call): Answer {
  const { service, books } = call;
  const { number } = find(call);
  const mayGo = service.has('used-account-deleted') || !isUsed(books, number);
  if (isNeeded(number) || !mayGo) fail(service, 'state', 'The account is in use.');
  books.accounts.delete(number);
  return { status: 204 };
}
