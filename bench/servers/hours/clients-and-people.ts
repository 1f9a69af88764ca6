import { email, fields, flag, oneOf, orNull, pick, text } from '../serving/fields.ts';
import type { Json } from '../serving/requests.ts';
import type { Answer } from '../serving/serve.ts';
import * as api from './call.ts';
import {
  now,
  remove,
  stamp,
  type Account,
  type Client,
  type Kept,
  type Service,
  type User,
} from './store.ts';

type Call = api.Call;

export const rate = orNull(api.number(0, 10_000));

const newUser = fields(
  {
    ...{ first_name: api.name, last_name: api.name, email },
    ...{ role: oneOf(['administrator', 'member']), default_hourly_rate: rate },
  },
  ['first_name', 'last_name', 'email'],
);

const showUser = (user: User, call: Call): Json => {
  const shown = pick(user, ['first_name', 'last_name', 'email', 'role']);
  const default_hourly_rate = api.decimal(user.default_hourly_rate);
  return api.showKept(user, { ...shown, default_hourly_rate }, call);
};

export function addUser(service: Service, kept: Kept, body: Json): User {
  const user = {
    ...kept,
    role: 'member',
    ...body,
    default_hourly_rate: api.hundredthsOf(body['default_hourly_rate']) ?? null,
  } as User;
  service.users.push(user);
  return user;
}

export function listUsers(call: Call): Answer {
  const show = (one: User): Json => showUser(one, call);
  const list = { name: 'users', records: call.service.users, show };
  return api.listOf(call, { ...list, filters: api.updatedSince });
}

export function createUser(call: Call): Answer {
  api.needAdmin(call);
  const { service, account } = call;
  const body = pick(api.readBody(call, newUser), [
    ...['first_name', 'last_name', 'email', 'role', 'default_hourly_rate'],
  ]);
  const isIt = (one: User): boolean => api.isSame(one.email, body['email'] as string);
  if (api.isTaken(service.users, { account }, isIt)) api.invalid('email', 'Somebody has it.');
  const user = addUser(service, stamp(service, account), body);
  return { status: 201, json: showUser(user, call) };
}

const clientRules = { name: api.name, address: orNull(text(0, 500)), is_active: flag };
const newClient = fields(clientRules, ['name']);
const changedClient = fields(clientRules, []);

const showClient = (client: Client, call: Call): Json =>
  api.showKept(client, pick(client, ['name', 'address', 'is_active']), call);

export function addClient(service: Service, kept: Kept, body: Json): Client {
  const given = pick(body, ['name', 'address', 'is_active']);
  const firstName = String(body['name']);
  const client = { ...kept, firstName, address: null, is_active: true, ...given } as Client;
  service.clients.push(client);
  return client;
}

function needFreeName(
  { service }: Call,
  wanted: unknown,
  of: { readonly account: Account; readonly but?: Client },
): void {
  const isExact = service.has('client-name-in-other-case');
  const isIt = ({ name }: Client): boolean =>
    isExact ? name === wanted : api.isSame(name, String(wanted));
  if (api.isTaken(service.clients, of, isIt)) api.invalid('name', 'Another client has this name.');
}

export function listClients(call: Call): Answer {
  const filters = {
    ...api.updatedSince,
    ...api.byFlag('is_active', (one: Client) => one.is_active),
  };
  const show = (one: Client): Json => showClient(one, call);
  return api.listOf(call, { name: 'clients', records: call.service.clients, filters, show });
}

export function createClient(call: Call): Answer {
  api.needAdmin(call);
  const { service, account } = call;
  const body = api.readBody(call, newClient);
  needFreeName(call, body['name'], { account });
  const client = addClient(service, stamp(service, account), body);
  return { status: 201, json: showClient(client, call) };
}

const findClient = (call: Call): Client => api.find(call, 'client_id', call.service.clients);

export const getClient = (call: Call): Answer => ({
  status: 200,
  json: showClient(findClient(call), call),
});

export function updateClient(call: Call): Answer {
  api.needAdmin(call);
  const { has, projects } = call.service;
  const client = findClient(call);
  const body = api.readBody(call, changedClient);
  if (body['name'] !== undefined)
    needFreeName(call, body['name'], { account: call.account, but: client });
  if (has('refused-client-change-kept')) Object.assign(client, pick(body, ['name', 'address']));
  const isUsed = projects.some((one) => one.client === client && one.is_active);
  if (body['is_active'] === false && isUsed) api.conflict('The client has an active project.');
  Object.assign(client, pick(body, ['name', 'address', 'is_active']), { updated_at: now() });
  return { status: 200, json: showClient(client, call) };
}

export function deleteClient(call: Call): Answer {
  api.needAdmin(call);
  const { has, projects, clients } = call.service;
  const client = findClient(call);
  const isSpared = has('client-with-projects-deleted');
  const own = projects.filter((one) => one.client === client && (one.is_active || !isSpared));
  if (own.length > 0) api.conflict('The client has projects.');
  remove(clients, client);
  return { status: 204 };
}
