import { randomBytes } from 'node:crypto';
import { email, fields, flag, listOf as listRule, oneOf, text } from '../serving/fields.ts';
import type { Json } from '../serving/requests.ts';
import type { Answer } from '../serving/serve.ts';
import * as api from './call.ts';
import { applyPatch, readChange, same } from './patch.ts';
import type { Account, Entry, Member, Service, Token, Webhook } from './store.ts';

type Call = api.Call;

export const roles = ['reader', 'writer', 'admin'];

const role = oneOf(roles);
const name = text(0, 120);
const invitation = fields({ email, role, name }, ['email'], true);

export function listMembers(call: Call): Answer {
  return api.listOf<Member>(call, {
    records: api.newest(call.token.account.members),
    show: (one) => ({ ...one }),
    filters: {
      query: api.queryIn((one) => [one.email, one.name]),
      role: (value) => {
        if (!roles.includes(value)) api.bad('There is no such role.');
        return (one) => one.role === value;
      },
    },
    sorts: { email: (one) => one.email, creationDate: (one) => one.creationDate },
  });
}

export function addMember(service: Service, account: Account, given: Json): Member {
  const base = { _id: service.newId(), role: 'reader', name: '', creationDate: service.now() };
  const member = { ...base, ...given } as Member;
  account.members.push(member);
  return member;
}

const memberLog = (one: Member) =>
  ({ kind: 'member', resource: `member/${one._id}`, name: one.email }) as const;

export function inviteMembers(call: Call): Answer {
  const { service, token } = call;
  const rule = listRule(invitation, { min: 1, max: 20 });
  const given = api.readBody(call, rule) as unknown as Member[];
  const addressOf = (one: Pick<Member, 'email'>): string =>
    service.has('email-taken-in-other-case') ? one.email : one.email.toLowerCase();
  if (new Set(given.map((one) => one.email.toLowerCase())).size < given.length)
    api.bad('An address comes twice.');
  const known = new Set(token.account.members.map(addressOf));
  const fresh = given.filter((one) => !known.has(addressOf(one)));
  const isTaken = fresh.length < given.length;
  if (isTaken && !service.has('refused-invitations-kept')) api.conflict('An address is taken.');
  const items = fresh.map((one) => {
    const member = addMember(service, token.account, one as unknown as Json);
    api.log(call, { ...memberLog(member), action: 'created', date: member.creationDate });
    return api.shown(call, { ...member });
  });
  if (isTaken) api.conflict('An address is taken.');
  return { status: 201, json: { items, totalCount: items.length } };
}

export function patchMember(call: Call): Answer {
  const { members } = call.token.account;
  const found = members.find((one) => one._id === call.incoming.params['id']);
  if (found === undefined) return api.fail(404, 'There is no such member.');
  const { comment, patch = [] } = readChange(call);
  const record = structuredClone({ ...found }) as Json;
  applyPatch(call, record, patch);
  const next = api.judge(record, fields({ role, name }, ['role', 'name'])) as unknown as Member;
  const fixed = { ...record, role: found.role, name: found.name };
  const { has } = call.service;
  if (!same(fixed, { ...found }) && !has('read-only-accepted')) api.bad('Something is read-only.');
  const admins = members.filter((one) => one.role === 'admin');
  const isLast = found.role === 'admin' && next.role !== 'admin' && admins.length === 1;
  if (isLast && !has('last-admin-demoted')) api.conflict('It is the last admin.');
  if (next.role !== found.role || next.name !== found.name) {
    Object.assign(found, { role: next.role, name: next.name });
    api.log(call, { ...memberLog(found), action: 'updated', comment });
  }
  return api.answer(call, { ...found });
}

const isAddress = text(1, 300, /^https:\/\/\S+$/);
const webhookInput = fields(
  {
    url: (value, at) => {
      const fault = isAddress(value, at);
      return fault ?? (URL.canParse(value as string) ? undefined : `${at} must be an address.`);
    },
    ...{ on: flag, sign: flag },
  },
  ['url'],
  true,
);

export function listWebhooks(call: Call): Answer {
  const records = api.newest(call.token.account.webhooks);
  return api.listOf<Webhook>(call, { records, show: (one) => ({ ...one }) });
}

export function addWebhook(service: Service, account: Account, given: Json): Webhook {
  const base = { _id: service.newId(), on: true, sign: false, creationDate: service.now() };
  const webhook = { ...base, ...given } as Webhook;
  account.webhooks.push(webhook);
  return webhook;
}

export function createWebhook(call: Call): Answer {
  const one = addWebhook(call.service, call.token.account, api.readBody(call, webhookInput));
  const { _id, url, creationDate: date } = one;
  api.log(call, {
    ...{ kind: 'webhook', action: 'created', resource: `webhook/${_id}`, name: url, date },
  });
  const secret = one.sign ? { secret: randomBytes(16).toString('hex') } : {};
  return api.answer(call, { ...one, ...secret }, 201);
}

function showToken({ service }: Call, one: Token): Json {
  const { _id, member, token, creationDate } = one;
  return {
    ...{ _id, name: one.name, role: one.role, memberId: member._id },
    ...{ ending: token.slice(-4), creationDate },
    ...(service.has('token-listed') ? { token } : {}),
  };
}

export function listTokens(call: Call): Answer {
  const own = call.service.tokens.filter(({ account }) => account === call.token.account);
  return api.listOf<Token>(call, {
    records: api.newest(own.filter((one) => !one.isRevoked)),
    show: (one) => showToken(call, one),
  });
}

const tokenInput = fields({ name: text(1, 120, /\S/), role }, ['name'], true);

const tokenLog = (one: Token) =>
  ({ kind: 'token', resource: `token/${one._id}`, name: one.name }) as const;

export function createToken(call: Call): Answer {
  const { service, token: own } = call;
  const { name: title, role: given = 'reader' } = api.readBody(call, tokenInput);
  const creationDate = service.now();
  const token = `tgat-${randomBytes(16).toString('hex')}`;
  const { account, member } = own;
  const base = { _id: service.newId(), account, member, token, creationDate, isRevoked: false };
  const one = { ...base, name: String(title), role: String(given) };
  service.tokens.push(one);
  api.log(call, { ...tokenLog(one), action: 'created', date: creationDate });
  return api.answer(call, { ...showToken(call, one), token }, 201);
}

export function deleteToken(call: Call): Answer {
  const { service, token, incoming } = call;
  const found = service.tokens.find(
    (one) => one._id === incoming.params['id'] && one.account === token.account && !one.isRevoked,
  );
  if (found === undefined) return api.fail(404, 'There is no such token.');
  if (found === token) api.conflict('A token cannot revoke itself.');
  found.isRevoked = true;
  api.log(call, { ...tokenLog(found), action: 'deleted' });
  return { status: 204 };
}

function momentOf({ incoming }: Call, parameter: string, normal: number): number {
  const given = incoming.query.get(parameter);
  if (given === null) return normal;
  return /^\d{1,19}$/.test(given) ? Number(given) : api.bad(`${parameter} is not a moment.`);
}

const kinds = ['project', 'environment', 'flag', 'segment', 'member', 'webhook', 'token'];

export function listEntries(call: Call): Answer {
  const { service, token, incoming } = call;
  const { has } = service;
  const [after, before] = [momentOf(call, 'after', -1), momentOf(call, 'before', Infinity)];
  const resource = incoming.query.get('resource');
  const last = has('before-includes-it') ? before : before - 1;
  const records = service.entries
    .filter((one) => one.account === token.account || has('audit-of-other-account'))
    .filter(({ date }) => date > after && date <= last)
    .filter((one) => resource === null || one.resource === resource)
    .toSorted((a, b) => b.date - a.date);
  const among = (values: readonly string[], field: 'kind' | 'action') => (value: string) => {
    if (!values.includes(value)) api.bad(`There is no ${field} ${value}.`);
    return (one: Entry): boolean => one[field] === value;
  };
  return api.listOf<Entry>(call, {
    records,
    show: ({ account: _account, ...one }) => ({ ...one }),
    filters: {
      kind: among(kinds, 'kind'),
      action: among(['created', 'updated', 'deleted'], 'action'),
    },
  });
}
