import { anyText, category, offering, specification } from './catalogue-kinds.ts';
import {
  bodyOf,
  create,
  fail,
  list,
  patch,
  remove,
  retrieve,
  type Call,
  type Kind,
} from './entities.ts';
import { cancellation, productOrder } from './order-kinds.ts';
import { fields, pick, type Rule } from '../serving/fields.ts';
import { manners, type Manner } from '../serving/manners.ts';
import type { Start } from '../serving/plant.ts';
import {
  listen,
  Refused,
  type Answer,
  type Handler,
  type Routes,
  type ServiceRequest,
} from '../serving/serve.ts';
import type { ServerUnderTest } from '../server-under-test.ts';
import { addElsewhere, openCatalogue, tokens, type Service } from './store.ts';

/** Starts the catalogue and its orders on loopback. */
export function startCatalogue(how: Start = {}): Promise<ServerUnderTest> {
  const service = openCatalogue(how);
  const isWritten = (manner: Manner): boolean =>
    Object.hasOwn(manners, manner) && (service.varies as (name: string) => boolean)(manner);
  return listen(routesOf(service), { port: how.port, isWritten });
}

/** The client of the token; refuses with 401 without a known one. */
function clientOf({ headers, method, path }: ServiceRequest, service: Service): string {
  const { has } = service;
  const given = /^Bearer +(.+)$/i.exec(headers.authorization ?? '')?.[1] ?? '';
  const known = Object.entries(tokens).find(([, token]) => token === given)?.[0];
  const isOpen =
    (has('any-token-accepted') && given !== '') ||
    (has('no-token-needed') && method === 'GET' && path.endsWith('/productOrder'));
  return known ?? (isOpen ? 'nordtel' : fail(service, 401, 'A known token is required.'));
}

const address: Rule = (value, name) =>
  typeof value === 'string' && /^https?:\/\/./.test(value) && URL.canParse(value)
    ? undefined
    : `${name} must be an address.`;

function register(call: Call): Answer {
  const { service } = call;
  const body = bodyOf(call, 'application/json');
  const fault = fields({ callback: address, query: anyText }, ['callback'])(body, 'body');
  if (fault !== undefined) fail(service, 400, fault);
  const id = service.nextId();
  const json = { id, ...pick(body, ['callback', 'query']) };
  service.listeners.set(id, json);
  return { status: 201, json };
}

function unregister({ incoming, service }: Call): Answer {
  const id = incoming.params['id'] ?? '';
  if (!service.listeners.has(id)) fail(service, 404, 'There is no such listener.');
  if (!service.has('hub-removal-not-done')) service.listeners.delete(id);
  return { status: 204 };
}

function routesOf(service: Service): Routes {
  const on =
    (operation: (call: Call) => Answer): Handler =>
    (incoming) => {
      service.requests += 1;
      if (service.varies('others-add-offerings') && service.requests % 7 === 0)
        addElsewhere(service);
      try {
        return operation({ incoming, service, client: clientOf(incoming, service) });
      } catch (error) {
        if (error instanceof Refused) return error.answer;
        throw error;
      }
    };
  const all = (kind: Kind): Record<string, Handler> => ({
    GET: on((call) => list(call, kind)),
    POST: on((call) => create(call, kind)),
  });
  const read = (kind: Kind): Record<string, Handler> => ({
    GET: on((call) => retrieve(call, kind)),
  });
  const one = (kind: Kind): Record<string, Handler> => ({
    ...read(kind),
    PATCH: on((call) => patch(call, kind)),
    DELETE: on((call) => remove(call, kind)),
  });
  const hub = category.path.replace('category', 'hub');
  const routes: Record<string, Record<string, Handler>> = {
    [hub]: { POST: on(register) },
    [`${hub}/{id}`]: { DELETE: on(unregister) },
    [cancellation.path]: all(cancellation),
    [`${cancellation.path}/{id}`]: read(cancellation),
  };
  for (const kind of [category, specification, offering, productOrder]) {
    routes[kind.path] = all(kind);
    routes[`${kind.path}/{id}`] = one(kind);
  }
  return routes;
}
