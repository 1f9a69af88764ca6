import { fields, listOf, text, type Rule } from '../serving/fields.ts';
import { Refused, type Answer } from '../serving/serve.ts';
import { policyRule, setPolicy } from './access.ts';
import {
  bodyOf,
  byName,
  fail,
  isName,
  isSeen,
  needAdministrator,
  seenVhosts,
  type Call,
  type Json,
} from './call.ts';
import {
  bindingRule,
  exchangeRule,
  isVhostName,
  queueRule,
  setBinding,
  setExchange,
  setQueue,
  setVhost,
  vhostRule,
} from './objects.ts';
import type { Service, Vhost } from './store.ts';

export function exportDefinitions(call: Call): Answer {
  needAdministrator(call);
  const isBare = call.service.has('export-without-arguments');
  const seen = seenVhosts(call);
  const each = (rows: (vhost: Vhost) => readonly object[]): object[] =>
    seen.flatMap((vhost) => rows(vhost).map((row) => ({ vhost: vhost.name, ...row })));
  const json = {
    vhosts: seen.map(({ name, description, tags }) => ({ name, description, tags })),
    exchanges: each(({ exchanges }) =>
      [...exchanges.values()]
        .filter(({ name }) => !name.startsWith('amq.'))
        .sort(byName)
        .map(({ name, type, durable, internal }) => ({ name, type, durable, internal })),
    ),
    queues: each(({ queues }) =>
      [...queues.values()].sort(byName).map(({ name, durable, arguments: given }) => ({
        name,
        durable,
        arguments: isBare ? {} : given,
      })),
    ),
    bindings: each(({ bindings }) =>
      bindings.map(({ properties_key: _key, ...binding }) => binding),
    ),
    policies: each(({ policies }) => [...policies.values()].sort(byName)),
  };
  return { status: 200, json };
}

const both =
  (...rules: readonly Rule[]): Rule =>
  (value, name) =>
    rules.map((rule) => rule(value, name)).find((fault) => fault !== undefined);

const name = text(1, Infinity);
const named = (rule: Rule, required = ['vhost', 'name']): Rule =>
  listOf(both(rule, fields(Object.fromEntries(required.map((one) => [one, name])), required)), {
    max: Infinity,
  });

const rule = (service: Service): Rule =>
  fields(
    {
      vhosts: named(vhostRule, ['name']),
      exchanges: named(exchangeRule),
      queues: named(queueRule(service)),
      bindings: named(bindingRule, ['vhost', 'source', 'destination']),
      policies: named(policyRule(service)),
    },
    [],
  );

type Named = Json & {
  readonly vhost: string;
  readonly name: string;
  readonly source: string;
  readonly destination: string;
};

/** Imports one object of a kind; whether it was created. */
type Import = (call: Call, vhost: Vhost, row: Named) => boolean;

/** The name of what the row declares; refuses one that it cannot have. */
function nameIn(row: Named, { service }: Call): string {
  const isFine = isName(row.name) && !row.name.startsWith('amq.');
  return isFine ? row.name : fail(service, 400, `'${row.name}' has the wrong form or is reserved`);
}

const importQueue: Import = (call, vhost, row) => {
  const before = vhost.queues.get(row.name);
  if (before !== undefined && call.service.has('import-changes-queue'))
    vhost.queues.set(row.name, { ...before, arguments: row['arguments'] ?? {} });
  return setQueue(call, vhost, nameIn(row, call), row);
};

const importBinding: Import = (call, vhost, row) => {
  const { service } = call;
  const isThere = vhost.queues.has(row.destination) || service.has('import-dangling-binding');
  if (!vhost.exchanges.has(row.source) || !isThere)
    fail(service, 400, `no such pair in vhost '${vhost.name}'`);
  return setBinding(call, vhost, row, row).isNew;
};

const imports: Readonly<Record<string, Import>> = {
  exchanges: (call, vhost, row) => setExchange(call, vhost, nameIn(row, call), row),
  queues: importQueue,
  bindings: importBinding,
  policies: (call, vhost, row) => {
    const fits = isName(row.name) || fail(call.service, 400, `'${row.name}' has the wrong form`);
    return fits && setPolicy(call, vhost, row.name, row);
  },
};

function importAll(call: Call, form: Readonly<Record<string, readonly Named[]>>): Json {
  const { service, user } = call;
  const count = (rows: readonly boolean[]): number =>
    rows.filter((isNew) => isNew || service.has('import-counts-all')).length;
  const vhosts = (form['vhosts'] ?? []).map((row) => {
    if (!isVhostName(row.name) && !service.vhosts.has(row.name))
      fail(service, 400, `vhost '${row.name}' has the wrong form`);
    return setVhost(call, row.name, row);
  });
  const counts: Record<string, number> = { vhosts: count(vhosts) };
  for (const [kind, add] of Object.entries(imports)) {
    const added = (form[kind] ?? []).map((row) => {
      const vhost = service.vhosts.get(row.vhost);
      return vhost !== undefined && isSeen(vhost, user)
        ? add(call, vhost, row)
        : fail(service, 400, `no vhost '${row.vhost}'`);
    });
    counts[kind] = count(added);
  }
  return counts;
}

export function importDefinitions(call: Call): Answer {
  const { service, user } = call;
  needAdministrator(call);
  const form = bodyOf(call, rule(service)) as Readonly<Record<string, readonly Named[]>>;
  const vhosts = structuredClone(service.vhosts);
  const permitted = new Set(user.permissions.keys());
  try {
    return { status: 200, json: importAll(call, form) };
  } catch (error) {
    if (error instanceof Refused && service.has('import-in-part')) throw error;
    service.vhosts = vhosts;
    for (const one of user.permissions.keys())
      if (!permitted.has(one)) user.permissions.delete(one);
    throw error;
  }
}
