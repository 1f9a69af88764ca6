import { fields, flag, oneOf, orNull, pick, text } from '../serving/fields.ts';
import type { Json } from '../serving/requests.ts';
import type { Answer } from '../serving/serve.ts';
import * as api from './call.ts';
import { rate } from './clients-and-people.ts';
import { hoursOf } from './hours.ts';
import {
  now,
  remove,
  stamp,
  type Assignment,
  type Client,
  type Kept,
  type Project,
  type Service,
  type Task,
} from './store.ts';

type Call = api.Call;

const projectRules = {
  ...{ name: api.name, code: orNull(text(1, 20)), is_active: flag, is_billable: flag },
  ...{ bill_by: oneOf(['none', 'project', 'tasks', 'people']), hourly_rate: rate },
  ...{ budget_hours: orNull(api.number(0, 100_000)), budget_is_strict: flag },
  notes: orNull(text(0, 2000)),
};
const newProject = fields({ client_id: api.id, ...projectRules }, ['client_id', 'name']);
const changedProject = fields(projectRules, []);

const plain = ['name', 'code', 'is_active', 'is_billable', 'bill_by', 'budget_is_strict', 'notes'];

/** Hundredths that the time entries of a project have, without one of them. */
export function spentOn(project: Project, service: Service, but?: Kept): number {
  const own = service.entries.filter((one) => one.project === project && one !== but);
  const isPart = service.has('budget-of-billable-hours') && but === undefined;
  const counted = isPart ? own.filter((one) => one.billable) : own;
  return counted.reduce((all, one) => all + hoursOf(one, service), 0);
}

/** The client of a project, as other records show it. */
export const clientOf = ({ client }: Project): Json => api.named(client);

function show(project: Project, call: Call): Json {
  const spent = spentOn(project, call.service);
  const { budget_hours: budget, hourly_rate } = project;
  const shown = {
    client: clientOf(project),
    ...pick(project, plain),
    ...{ hourly_rate: api.decimal(hourly_rate), budget_hours: api.decimal(budget) },
    ...{ budget_spent: api.decimal(spent) },
    budget_remaining: budget === null ? null : api.decimal(budget - spent),
  };
  return api.showKept(project, shown, call);
}

/** The properties of a body, as a project keeps them. */
function read(body: Json): Partial<Project> {
  const numbers: Record<string, unknown> = {};
  for (const place of ['hourly_rate', 'budget_hours'])
    if (body[place] !== undefined) numbers[place] = api.hundredthsOf(body[place]);
  return { ...pick(body, plain), ...numbers };
}

export function addProject(service: Service, kept: Kept, client: Client, body: Json): Project {
  const project = {
    ...{ ...kept, client, code: null, is_active: true, is_billable: true, bill_by: 'none' },
    ...{ hourly_rate: null, budget_hours: null, budget_is_strict: false, notes: null },
    ...read(body),
  } as Project;
  service.projects.push(project);
  if (service.has('default-tasks-not-assigned')) return project;
  for (const task of service.tasks)
    if (task.is_default && task.account === kept.account)
      addAssignment(service, { project, task }, {});
  return project;
}

/** Refuses a project that is not right as a whole. */
function judge({ service, account }: Call, wanted: Project, but?: Project): void {
  const { has, projects } = service;
  const other = but === undefined ? {} : { but };
  const isEverywhere = has('project-name-across-clients');
  const isNamed = ({ name, client }: Project): boolean =>
    name === wanted.name && (client === wanted.client || isEverywhere);
  if (api.isTaken(projects, { account, ...other }, isNamed))
    api.invalid('name', 'Another project of the client has this name.');
  const isCoded = ({ code }: Project): boolean => code !== null && code === wanted.code;
  const isSpared = but !== undefined && has('code-taken-by-change');
  if (api.isTaken(projects, { account, ...other }, isCoded) && !isSpared)
    api.invalid('code', 'Another project has this code.');
  if (wanted.bill_by === 'project' && wanted.hourly_rate === null)
    api.invalid('hourly_rate', 'A project that is billed by its own rate must have one.');
}

const filters: api.Filters<Project> = {
  ...api.updatedSince,
  ...api.byId('client_id', (one: Project) => one.client.id),
  ...api.byFlag('is_active', (one: Project) => one.is_active),
};

export function listProjects(call: Call): Answer {
  const { projects } = call.service;
  const list = { name: 'projects', records: projects, filters };
  return api.listOf(call, { ...list, show: (one) => show(one, call) });
}

export function createProject(call: Call): Answer {
  api.needAdmin(call);
  const { service, account } = call;
  const body = api.readBody(call, newProject);
  const isOfAll = service.has('client-of-other-account-named');
  const named = service.clients.find((one) => one.id === body['client_id']);
  const client =
    isOfAll && named !== undefined
      ? named
      : api.refer(call, 'client_id', body['client_id'], service.clients);
  if (!client.is_active) api.invalid('client_id', 'The client is archived.');
  const base = { client, code: null, bill_by: 'none', hourly_rate: null };
  judge(call, { ...base, ...read(body) } as Project);
  const project = addProject(service, stamp(service, account), client, body);
  return { status: 201, json: show(project, call) };
}

function find(call: Call): Project {
  const { service, incoming } = call;
  const key = incoming.params['project_id'];
  const any = service.projects.find((one) => String(one.id) === key);
  const isOpen = any !== undefined && service.has('project-of-other-account');
  return isOpen ? any : api.find(call, 'project_id', service.projects);
}

export const getProject = (call: Call): Answer => ({ status: 200, json: show(find(call), call) });

export function updateProject(call: Call): Answer {
  api.needAdmin(call);
  const { has, entries } = call.service;
  const project = find(call);
  const body = api.readBody(call, changedProject);
  const change = read(body);
  if (change.budget_hours === null && has('patch-null-ignored')) delete change.budget_hours;
  judge(call, { ...project, ...change }, project);
  const isRunning = entries.some((one) => one.project === project && one.timer_started_at !== null);
  if (change.is_active === false && isRunning) api.conflict('A timer runs on the project.');
  if (change.is_active === true && !project.client.is_active)
    api.conflict('The client of the project is archived.');
  const left = has('patch-clears-left-out') ? { notes: null } : {};
  Object.assign(project, left, change, { updated_at: now() });
  return { status: 200, json: show(project, call) };
}

export function deleteProject(call: Call): Answer {
  api.needAdmin(call);
  const { has, entries, expenses, projects, assignments } = call.service;
  const project = find(call);
  const isTimed = entries.some((one) => one.project === project);
  if (isTimed && !has('project-with-hours-deleted')) api.conflict('The project has time entries.');
  if (expenses.some((one) => one.project === project)) api.conflict('The project has expenses.');
  remove(projects, project);
  for (const one of assignments.filter((each) => each.project === project))
    remove(assignments, one);
  return { status: 204 };
}

const newTask = fields(
  { name: api.name, billable_by_default: flag, default_hourly_rate: rate, is_default: flag },
  ['name'],
);

const showTask = (task: Task, call: Call): Json => {
  const shown = pick(task, ['name', 'billable_by_default', 'is_default']);
  const default_hourly_rate = api.decimal(task.default_hourly_rate);
  return api.showKept(task, { ...shown, default_hourly_rate }, call);
};

export function addTask(service: Service, kept: Kept, body: Json): Task {
  const task = {
    ...{ ...kept, billable_by_default: true, is_default: false },
    ...pick(body, ['name', 'billable_by_default', 'is_default']),
    default_hourly_rate: api.hundredthsOf(body['default_hourly_rate']) ?? null,
  } as Task;
  service.tasks.push(task);
  return task;
}

export function listTasks(call: Call): Answer {
  const list = { name: 'tasks', records: call.service.tasks, filters: api.updatedSince };
  return api.listOf(call, { ...list, show: (one) => showTask(one, call) });
}

export function createTask(call: Call): Answer {
  api.needAdmin(call);
  const { service, account } = call;
  const body = api.readBody(call, newTask);
  const isIt = (one: Task): boolean => api.isSame(one.name, String(body['name']));
  if (api.isTaken(service.tasks, { account }, isIt))
    api.invalid('name', 'Another task has this name.');
  return { status: 201, json: showTask(addTask(service, stamp(service, account), body), call) };
}

const newAssignment = fields({ task_id: api.id, billable: flag, hourly_rate: rate }, ['task_id']);

const showAssignment = (one: Assignment, call: Call): Json => {
  const { task, billable, hourly_rate } = one;
  const shown = { task: api.named(task), billable, hourly_rate: api.decimal(hourly_rate) };
  return api.showKept(one, shown, call);
};

interface Pair {
  readonly project: Project;
  readonly task: Task;
}

export function addAssignment(service: Service, { project, task }: Pair, body: Json): Assignment {
  const given = api.hundredthsOf(body['hourly_rate']);
  const assignment: Assignment = {
    ...{ ...stamp(service, project.account), project, task },
    billable: (body['billable'] ?? task.billable_by_default) as boolean,
    hourly_rate: given === undefined ? task.default_hourly_rate : given,
  };
  service.assignments.push(assignment);
  return assignment;
}

/** How a project has a task, if it does. */
export const assignmentOf = ({ project, task }: Pair, service: Service): Assignment | undefined =>
  service.assignments.find((one) => one.project === project && one.task === task);

export function listAssignments(call: Call): Answer {
  const project = find(call);
  const own = call.service.assignments.filter((one) => one.project === project);
  const list = { name: 'task_assignments', records: own, filters: {} };
  return api.listOf(call, { ...list, show: (one) => showAssignment(one, call) });
}

export function createAssignment(call: Call): Answer {
  api.needAdmin(call);
  const { service } = call;
  const project = find(call);
  const body = api.readBody(call, newAssignment);
  const task = api.refer(call, 'task_id', body['task_id'], service.tasks);
  const isAssigned = assignmentOf({ project, task }, service) !== undefined;
  if (isAssigned && !service.has('task-assigned-twice'))
    api.invalid('task_id', 'The project has this task already.');
  const assignment = addAssignment(service, { project, task }, body);
  return { status: 201, json: showAssignment(assignment, call) };
}
