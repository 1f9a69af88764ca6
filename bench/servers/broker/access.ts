import { fields, listOf, oneOf, pick, text, whole, type Rule } from '../serving/fields.ts';
import type { Answer } from '../serving/serve.ts';
import {
  bodyOf,
  byName,
  fail,
  find,
  limits,
  nameOf,
  needAdministrator,
  pattern,
  put,
  trim,
  vhostOf,
  type Call,
  type Json,
} from './call.ts';
import { list } from './lists.ts';
import { more } from './objects.ts';
import { patterns, type Permission, type Policy, type Service, type Vhost } from './store.ts';

export function whoAmI({ service, user: { name, tags } }: Call): Answer {
  return { status: 200, json: { name, tags: service.has('tags-as-text') ? tags.join() : tags } };
}

export function getUser(call: Call): Answer {
  const { service, user: self, incoming } = call;
  if (incoming.params['user'] !== self.name) needAdministrator(call);
  const { name, tags, source, permissions } = find(call, service.users, 'user');
  const shown = [...permissions].map(([vhost, permission]) => ({ vhost, ...permission }));
  shown.sort((a, b) => (a.vhost < b.vhost ? -1 : 1));
  return { status: 200, json: { name, tags, source, permissions: shown, ...more(service) } };
}

const userRule = fields(
  {
    password: text(8, 100),
    tags: listOf(oneOf(['administrator', 'management']), { unique: true }),
  },
  ['tags'],
);

export function putUser(call: Call): Answer {
  const { service } = call;
  const { users, has } = service;
  needAdministrator(call);
  const name = nameOf(call, 'user', (given) => /^[A-Za-z0-9_-]{1,40}$/.test(given));
  const form = bodyOf(call, userRule);
  const before = users.get(name);
  if (before?.source === 'config') fail(service, 409, `'${name}' is in the configuration file`);
  const password = form['password'] as string | undefined;
  if (before === undefined && password === undefined)
    fail(service, 400, 'a new user needs a password');
  const olds = before?.passwords ?? [];
  const none = new Map<string, Permission>();
  const kept = has('user-loses-permissions') ? none : (before?.permissions ?? none);
  users.set(name, {
    name,
    passwords: password === undefined ? olds : [password, ...olds],
    tags: form['tags'] as readonly string[],
    source: 'api',
    permissions: kept,
  });
  return put(before === undefined);
}

const permissionRule = fields({ configure: pattern, write: pattern, read: pattern }, patterns);

export function putPermission(call: Call): Answer {
  const { service } = call;
  needAdministrator(call);
  const { name: vhost } = vhostOf(call);
  const user = find(call, service.users, 'user');
  const form = pick(bodyOf(call, permissionRule), patterns) as unknown as Permission;
  if (user.source === 'config') fail(service, 409, `'${user.name}' is in the configuration file`);
  const before = user.permissions.get(vhost);
  const isEmpty = patterns.every((name) => form[name] === '');
  if (isEmpty && !service.has('empty-patterns-keep-access')) user.permissions.delete(vhost);
  else user.permissions.set(vhost, form);
  return put(before === undefined && !isEmpty);
}

export const policyRule = (service: Service): Rule => {
  const definition: Rule = (value, name) =>
    limits(service)(value, name) ??
    (Object.keys(value as object).length === 0 ? `${name} must not be empty.` : undefined);
  const rules = {
    pattern,
    apply_to: oneOf(['queues', 'exchanges', 'all']),
    priority: whole(-1000, 1000),
    definition,
  };
  return fields(rules, ['pattern', 'definition']);
};

export function listPolicies(call: Call): Answer {
  const vhost = vhostOf(call);
  const entries = [...vhost.policies.values()].sort(byName);
  const shown = entries.map((policy) => ({ ...policy, vhost: vhost.name }));
  const limited = ['definition.max_length', 'definition.overflow'];
  return list(call, shown, ['name', 'vhost', 'pattern', 'apply_to', 'priority', ...limited]);
}

/** Creates or replaces; whether it is new. */
export function setPolicy({ service }: Call, vhost: Vhost, name: string, form: Json): boolean {
  const before = vhost.policies.get(name);
  const priority = (service.has('priority-kept') ? before?.priority : undefined) ?? 0;
  const given = pick(form, ['pattern', 'apply_to', 'priority', 'definition']);
  vhost.policies.set(name, { name, apply_to: 'all', priority, ...given } as Policy);
  trim(vhost, service);
  return before === undefined;
}

export function putPolicy(call: Call): Answer {
  needAdministrator(call);
  const vhost = vhostOf(call);
  const name = nameOf(call);
  return put(setPolicy(call, vhost, name, bodyOf(call, policyRule(call.service))));
}

export function deletePolicy(call: Call): Answer {
  const { service } = call;
  needAdministrator(call);
  const vhost = vhostOf(call);
  const policy = find(call, vhost.policies, 'name');
  vhost.policies.delete(policy.name);
  if (service.has('deleted-policy-applies')) vhost.ghosts.push(policy);
  trim(vhost, service);
  return { status: 204 };
}
