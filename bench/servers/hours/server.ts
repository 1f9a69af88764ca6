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
import { fail, type Call } from './call.ts';
import * as people from './clients-and-people.ts';
import * as entries from './entries.ts';
import * as projects from './projects.ts';
import { reportTime } from './reports.ts';
import { fill } from './seeds.ts';
import { openHours, type Service } from './store.ts';
import * as sheets from './timesheets-and-expenses.ts';

type Operation = (call: Call) => Answer;

/** Starts the API of two accounts on loopback. */
export function startHours(how: Start = {}): Promise<ServerUnderTest> {
  const service = openHours(how);
  fill(service);
  const isWritten = (manner: Manner): boolean =>
    Object.hasOwn(manners, manner) && (service.varies as (name: string) => boolean)(manner);
  return listen(routesOf(service), { port: how.port, isWritten });
}

/** Who sends the request, and for which account; refuses others with 401 and 403. */
function callerOf({ headers }: ServiceRequest, service: Service): Pick<Call, 'user' | 'account'> {
  const { has, people: known, accounts, users } = service;
  const [, token = ''] = /^Bearer +(\S+)$/i.exec(headers.authorization ?? '') ?? [];
  const anybody = token !== '' && has('any-token-accepted') ? users[0] : undefined;
  const user = known.get(token) ?? anybody ?? fail(401, 'A valid token is required.');
  const given = headers['x-account-id'];
  if (given === undefined) fail(401, 'The header X-Account-Id is required.');
  if (given === user.account.number) return { user, account: user.account };
  const other = Object.values(accounts).find(({ number }) => number === given);
  if (other !== undefined && has('account-not-checked')) return { user, account: other };
  return fail(403, 'You do not belong to this account.');
}

/** A refusal in other words. */
function reword(answer: Answer): Answer {
  const { error } = answer.json as { readonly error: object };
  return { ...answer, json: { error: { ...error, message: 'Sorry, not like this.' } } };
}

/** A refusal of the values of a project, under the defect that has the wrong status. */
function misplace(answer: Answer, path: string, { has }: Service): Answer {
  const isIts = /^\/v2\/projects(\/\d+)?$/.test(path) && has('refusal-as-400');
  if (!isIts || answer.status !== 422) return answer;
  const { error } = answer.json as { readonly error: object };
  return { ...answer, status: 400, json: { error: { ...error, type: 'bad_request' } } };
}

function routesOf(service: Service): Routes {
  const on =
    (operation: Operation): Handler =>
    (incoming) => {
      try {
        return operation({ incoming, service, ...callerOf(incoming, service) });
      } catch (error) {
        if (!(error instanceof Refused)) throw error;
        const answer = misplace(error.answer, incoming.path, service);
        return service.varies('other-words') ? reword(answer) : answer;
      }
    };
  const entry = 'time_entries/{time_entry_id}';
  const table: Readonly<Record<string, Readonly<Record<string, Operation>>>> = {
    users: { GET: people.listUsers, POST: people.createUser },
    clients: { GET: people.listClients, POST: people.createClient },
    'clients/{client_id}': {
      ...{ GET: people.getClient, PATCH: people.updateClient },
      DELETE: people.deleteClient,
    },
    projects: { GET: projects.listProjects, POST: projects.createProject },
    'projects/{project_id}': {
      ...{ GET: projects.getProject, PATCH: projects.updateProject },
      DELETE: projects.deleteProject,
    },
    'projects/{project_id}/task_assignments': {
      ...{ GET: projects.listAssignments, POST: projects.createAssignment },
    },
    tasks: { GET: projects.listTasks, POST: projects.createTask },
    time_entries: { GET: entries.listEntries, POST: entries.createEntry },
    [entry]: {
      ...{ GET: entries.getEntry, PATCH: entries.updateEntry },
      DELETE: entries.deleteEntry,
    },
    [`${entry}/stop`]: { PATCH: entries.stopEntry },
    [`${entry}/restart`]: { PATCH: entries.restartEntry },
    timesheets: { GET: sheets.listTimesheets, POST: sheets.submitTimesheet },
    'timesheets/{timesheet_id}/approve': { PATCH: sheets.approveTimesheet },
    'timesheets/{timesheet_id}/reopen': { PATCH: sheets.reopenTimesheet },
    expenses: { GET: sheets.listExpenses, POST: sheets.createExpense },
    'reports/time/{grouping}': { GET: reportTime },
  };
  const routes = Object.entries(table).map(([path, methods]) => {
    const handlers = Object.entries(methods).map(([name, operation]) => [name, on(operation)]);
    return [`/v2/${path}`, Object.fromEntries(handlers)] as const;
  });
  return Object.fromEntries(routes);
}
