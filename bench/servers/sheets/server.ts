import { fields, text } from '../serving/fields.ts';
import { manners, type Manner } from '../serving/manners.ts';
import type { Start } from '../serving/plant.ts';
import type { Json } from '../serving/requests.ts';
import { listen, Refused, type Answer, type Handler, type Routes } from '../serving/serve.ts';
import type { ServerUnderTest } from '../server-under-test.ts';
import * as api from './call.ts';
import * as others from './comments-and-webhooks.ts';
import * as records from './records.ts';
import { fill } from './seeds.ts';
import { addBase, openSheets, tokens, type Base, type Service, type UserName } from './store.ts';
import { tableNames, tables } from './tables.ts';

type Operation = (call: api.Call) => Answer;

/** Starts the workspace service on loopback. */
export function startSheets(how: Start = {}): Promise<ServerUnderTest> {
  const service = openSheets(how);
  fill(service);
  const isWritten = (manner: Manner): boolean =>
    Object.hasOwn(manners, manner) && (service.varies as (name: string) => boolean)(manner);
  return listen(routesOf(service), { port: how.port, isWritten });
}

/** The user of the token; refuses with 401 without one. */
function userOf(authorization: string | undefined, { has }: Service): UserName {
  const [, token] = /^Bearer +(\S+)$/i.exec(authorization ?? '') ?? [];
  const [name] = Object.entries(tokens).find((each) => each[1] === token) ?? [];
  if (name !== undefined) return name as UserName;
  const status = token !== undefined && has('wrong-token-403') ? 403 : 401;
  return api.fail(status, 'AUTHENTICATION_REQUIRED', 'The token is missing or not valid.');
}

const showBase = (base: Base, { user }: api.Call): Json => ({
  ...{ id: base.id, name: base.name, permissionLevel: api.levelOf(base, user) },
  createdTime: new Date(base.created).toISOString(),
});

const getBases: Operation = (call) => {
  const all = [...call.service.bases.values()];
  const own = all.filter((one) => api.levelOf(one, call.user) !== undefined);
  const bases = call.service.varies('newest-first') ? own.toReversed() : own;
  return api.done({ bases: bases.map((one) => showBase(one, call)) });
};

const postBase: Operation = (call) => {
  const { name } = api.readBody(call, fields({ name: text(1, 100) }, ['name']));
  const base = { name: String(name), owner: call.user, readers: [] };
  return api.done(showBase(addBase(call.service, base), call));
};

const getTables: Operation = (call) => {
  const base = api.findBase(call, 'read');
  const shown = tableNames.map((table) => {
    const fieldsOf = Object.entries(tables[table].fields).map(([name, { type, choices, to }]) => ({
      ...{ name, type, ...(choices === undefined ? {} : { choices }) },
      ...(to === undefined ? {} : { linkedTable: to }),
    }));
    const views = tables[table].views.map((one, at) => ({ id: base.viewIds[table][at], ...one }));
    return { name: table, fields: fieldsOf, views };
  });
  return api.done({ tables: shown });
};

function refused({ status, json }: Answer, { has, varies }: Service): Answer {
  const { error } = json as { readonly error: { readonly type: string } };
  if (status === 404 && has('error-as-text')) return { status, json: { error: error.type } };
  const words = varies('other-words') ? { message: 'This did not work.' } : {};
  return { status, json: { error: { ...error, ...words } } };
}

type Table = Readonly<Record<string, Readonly<Record<string, Operation>>>>;

function routesOf(service: Service): Routes {
  const on =
    (operation: Operation): Handler =>
    (incoming) => {
      try {
        const user = userOf(incoming.headers.authorization, service);
        return operation({ incoming, service, user });
      } catch (error) {
        if (!(error instanceof Refused)) throw error;
        return refused(error.answer, service);
      }
    };
  const tableRoutes = tableNames.map((table): Table => {
    const of =
      (operation: (typeof records)['list']): Operation =>
      (call) =>
        operation(call, table);
    const path = `/v0/{baseId}/${table}`;
    const many = { GET: of(records.list), POST: of(records.create) };
    if (table === 'people') return { [path]: many };
    const isTasks = table === 'tasks';
    const whole = isTasks ? { PUT: of(records.replace) } : {};
    const rest = { PATCH: of(records.update), DELETE: of(records.remove), ...whole };
    const change = isTasks ? { PATCH: of(records.patchOne) } : {};
    return {
      [path]: { ...many, ...rest },
      [`${path}/query`]: { POST: of(records.query) },
      [`${path}/{recordId}`]: { GET: of(records.get), ...change },
    };
  });
  const comments = '/v0/{baseId}/tasks/{recordId}/comments';
  const webhooks = '/v0/bases/{baseId}/webhooks';
  const table: Table = {
    '/v0/meta/bases': { GET: getBases, POST: postBase },
    '/v0/meta/bases/{baseId}/tables': { GET: getTables },
    ...Object.fromEntries(tableRoutes.flatMap((one) => Object.entries(one))),
    [comments]: { GET: others.getComments, POST: others.postComment },
    [`${comments}/{commentId}`]: { DELETE: others.deleteComment },
    [webhooks]: { GET: others.getWebhooks, POST: others.postWebhook },
    [`${webhooks}/{webhookId}`]: { DELETE: others.deleteWebhook },
    [`${webhooks}/{webhookId}/payloads`]: { GET: others.getPayloads },
  };
  const routes = Object.entries(table).map(([path, methods]) => {
    const handlers = Object.entries(methods).map(([name, operation]) => [name, on(operation)]);
    return [path, Object.fromEntries(handlers)] as const;
  });
  return Object.fromEntries(routes);
}
