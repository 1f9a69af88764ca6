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
import * as links from './associations.ts';
import * as batches from './batches.ts';
import { fail, type Call } from './call.ts';
import { mergeContacts } from './merge.ts';
import { operationsOn } from './objects.ts';
import { searchFor } from './search.ts';
import { fill } from './seeds.ts';
import * as settings from './settings.ts';
import { openCrm, type Service } from './store.ts';

type Operation = (call: Call) => Answer;

/** Starts the API of two portals on loopback. */
export function startCrm(how: Start = {}): Promise<ServerUnderTest> {
  const service = openCrm(how);
  fill(service);
  const isWritten = (manner: Manner): boolean =>
    Object.hasOwn(manners, manner) && (service.varies as (name: string) => boolean)(manner);
  return listen(routesOf(service), { port: how.port, isWritten });
}

/** Which app sends the request; refuses others with 401. */
function callerOf({ headers }: ServiceRequest, { apps }: Service): Pick<Call, 'app' | 'portal'> {
  const [, token = ''] = /^Bearer +(\S+)$/i.exec(headers.authorization ?? '') ?? [];
  const app = apps.get(token);
  if (app === undefined)
    return fail(401, 'INVALID_AUTHENTICATION', 'A valid access token is required.');
  return { app, portal: app.portal };
}

/** A refusal in other words. */
function reword(answer: Answer): Answer {
  return { ...answer, json: { ...(answer.json as object), message: 'Sorry, not like this.' } };
}

function routesOf(service: Service): Routes {
  const on =
    (operation: Operation): Handler =>
    (incoming) => {
      try {
        return operation({ incoming, service, ...callerOf(incoming, service) });
      } catch (error) {
        if (!(error instanceof Refused)) throw error;
        return service.varies('other-words') ? reword(error.answer) : error.answer;
      }
    };
  const [contacts, companies] = [operationsOn('contacts'), operationsOn('companies')];
  const [deals, tasks] = [operationsOn('deals'), operationsOn('tasks')];
  const from = 'objects/{objectType}/{objectId}/associations/{toObjectType}';
  const table: Readonly<Record<string, Readonly<Record<string, Operation>>>> = {
    'objects/contacts': { GET: contacts.list, POST: contacts.create },
    'objects/contacts/{id}': {
      ...{ GET: contacts.get, PATCH: contacts.update, DELETE: contacts.archive },
    },
    'objects/contacts/search': { POST: (call) => searchFor(call, 'contacts') },
    'objects/contacts/merge': { POST: mergeContacts },
    'objects/contacts/batch/create': { POST: batches.createBatch },
    'objects/contacts/batch/read': { POST: batches.readBatch },
    'objects/contacts/batch/update': { POST: batches.updateBatch },
    'objects/contacts/batch/archive': { POST: batches.archiveBatch },
    'objects/companies': { GET: companies.list, POST: companies.create },
    'objects/companies/{id}': { GET: companies.get, PATCH: companies.update },
    'objects/deals': { GET: deals.list, POST: deals.create },
    'objects/deals/search': { POST: (call) => searchFor(call, 'deals') },
    'objects/deals/{id}': { GET: deals.get, PATCH: deals.update, DELETE: deals.archive },
    'objects/tasks': { GET: tasks.list, POST: tasks.create },
    'objects/tasks/{id}': { PATCH: tasks.update },
    [from]: { GET: links.listAssociations },
    [`${from}/{toObjectId}`]: { PUT: links.createAssociation, DELETE: links.archiveAssociation },
    'properties/{objectType}': { GET: settings.listProperties, POST: settings.createProperty },
    'properties/{objectType}/{propertyName}': { PATCH: settings.updateProperty },
    'pipelines/deals': { GET: settings.listPipelines },
    owners: { GET: settings.listOwners },
  };
  const routes = Object.entries(table).map(([path, methods]) => {
    const handlers = Object.entries(methods).map(([name, operation]) => [name, on(operation)]);
    return [`/crm/v3/${path}`, Object.fromEntries(handlers)] as const;
  });
  return Object.fromEntries(routes);
}
