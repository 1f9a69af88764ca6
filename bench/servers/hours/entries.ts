import { date, fields, orNull, text } from '../serving/fields.ts';
import { compare, type Json } from '../serving/requests.ts';
import { Refused, type Answer } from '../serving/serve.ts';
import * as api from './call.ts';
import { amountOf, hoursOf, lockOf, rateOf, roundedOf, stop } from './hours.ts';
import { assignmentOf, spentOn } from './projects.ts';
import {
  now,
  remove,
  stamp,
  type Entry,
  type Project,
  type Service,
  type Task,
  type User,
} from './store.ts';

type Call = api.Call;

const rules = {
  ...{ project_id: api.id, task_id: api.id, spent_date: date },
  ...{ hours: api.number(0, 24), notes: orNull(text(0, 2000)) },
};
const newEntry = fields({ user_id: api.id, ...rules }, ['project_id', 'task_id', 'spent_date']);
const changedEntry = fields(rules, []);

function clientOf({ project }: Entry, { has }: Service): Json {
  const { client } = project;
  const name = has('client-name-stale-in-entry') ? client.firstName : client.name;
  return { id: client.id, name };
}

function show(entry: Entry, call: Call): Json {
  const { service } = call;
  const { spent_date, user, project, task, notes, timer_started_at, billable } = entry;
  const lock = lockOf(user, spent_date, service);
  const reason = lock?.status === 'approved' ? 'timesheet_approved' : 'timesheet_submitted';
  const shown = {
    ...{ spent_date, user: api.namedUser(user), client: clientOf(entry, service) },
    ...{ project: api.named(project), task: api.named(task) },
    hours: api.decimal(hoursOf(entry, service)),
    rounded_hours: api.decimal(roundedOf(entry, service)),
    ...{ notes, is_running: timer_started_at !== null },
    timer_started_at: api.time(timer_started_at, call),
    ...{ billable, billable_rate: api.decimal(rateOf(entry, service)) },
    billable_amount: api.decimal(amountOf(entry, service)),
    ...{ is_locked: lock !== undefined, locked_reason: lock === undefined ? null : reason },
  };
  return api.showKept(entry, shown, call);
}

const answer = (entry: Entry, call: Call, status = 200): Answer => ({
  status,
  json: show(entry, call),
});

interface Work {
  readonly user: User;
  readonly project: Project;
  readonly task: Task;
}

/** Whether work is billable, and at which rate. */
function termsOf(
  { user, project, task }: Work,
  service: Service,
): Pick<Entry, 'billable' | 'rate'> {
  const assignment = assignmentOf({ project, task }, service);
  const billable = project.is_billable && (assignment?.billable ?? true);
  const rates: Readonly<Record<string, number | null | undefined>> = {
    project: project.hourly_rate,
    tasks: assignment?.hourly_rate,
    people: user.default_hourly_rate,
  };
  return { billable, rate: billable ? (rates[project.bill_by] ?? null) : null };
}

type Given = Work & Pick<Entry, 'spent_date' | 'hours' | 'notes' | 'timer_started_at'>;

export function addEntry(service: Service, given: Given, moment = now()): Entry {
  const kept = stamp(service, given.user.account, moment);
  const entry: Entry = { ...kept, ...given, ...termsOf(given, service) };
  service.entries.push(entry);
  return entry;
}

function needAssigned(project: Project, task: Task, service: Service): void {
  const isAssigned = assignmentOf({ project, task }, service) !== undefined;
  if (!isAssigned && !service.has('unassigned-task-accepted'))
    api.invalid('task_id', 'The project does not have this task.');
}

function needUnlocked(user: User, spentDate: string, service: Service): void {
  if (lockOf(user, spentDate, service) !== undefined)
    api.invalid('spent_date', 'The timesheet of this week is submitted.');
}

/** Refuses hours that exceed the budget of the project, if that is strict. */
function needBudget(project: Project, hours: number, service: Service, but?: Entry): void {
  const { budget_hours: budget, budget_is_strict: isStrict } = project;
  if (!isStrict || budget === null) return;
  if (but !== undefined && service.has('strict-budget-exceeded-by-change')) return;
  if (spentOn(project, service, but) + hours > budget)
    api.invalid('hours', 'The hours exceed the budget of the project.');
}

/** Stops the timer that a person has running. */
function stopOther({ service, account }: Call, user: User, moment: number): void {
  const { has, entries } = service;
  const isAll = has('start-stops-everybody');
  for (const one of entries) {
    const isIts = one.user === user || (isAll && one.account === account);
    if (isIts && one.timer_started_at !== null) stop(one, service, moment);
  }
}

const filters: api.Filters<Entry> = {
  ...api.updatedSince,
  ...api.byDate,
  ...api.byId('user_id', (one: Entry) => one.user.id),
  client_id: (value, call) => {
    const ofClient = api.byId('client_id', (one: Entry) => one.project.client.id);
    const isIt = ofClient['client_id']?.(value, call) ?? (() => true);
    const isPart = call.service.has('client-filter-misses-archived');
    return (one) => isIt(one) && (one.project.is_active || !isPart);
  },
  ...api.byId('project_id', (one: Entry) => one.project.id),
  ...api.byId('task_id', (one: Entry) => one.task.id),
  ...api.byFlag(
    'is_running',
    (one: Entry) => one.timer_started_at !== null,
    ({ has }) => has('is-running-false-ignored'),
  ),
};

/** Whether an entry exists for the person. */
const exists =
  (call: Call) =>
  ({ user }: Entry): boolean =>
    api.isAdmin(call) || user === call.user;

export function listEntries(call: Call): Answer {
  const { has, entries } = call.service;
  const isOpen = has('member-sees-entries-of-others');
  const isSorted = !has('entries-by-creation');
  return api.listOf(call, {
    name: 'time_entries',
    records: isOpen ? entries : entries.filter(exists(call)),
    filters,
    show: (one) => show(one, call),
    by: (a, b) => (isSorted ? compare(b.spent_date, a.spent_date) : 0),
  });
}

/** What reads a body, under the defect that names no property at fault. */
function readNamed<T>({ service }: Call, read: () => T): T {
  try {
    return read();
  } catch (error) {
    const isBlind = error instanceof Refused && service.has('fields-not-named');
    if (!isBlind || error.answer.status !== 422) throw error;
    return api.fail(422, 'The time entry is not valid.');
  }
}

function create(call: Call): Answer {
  const { service } = call;
  const { has } = service;
  const body = api.readBody(call, newEntry);
  const user = api.personOf(call, body);
  const moment = now();
  const isTimer = body['hours'] === undefined;
  if (isTimer && has('refused-start-stops-timer')) stopOther(call, user, moment);
  const project = api.refer(call, 'project_id', body['project_id'], service.projects);
  if (!project.is_active && !has('archived-project-accepted'))
    api.invalid('project_id', 'The project is archived.');
  const task = api.refer(call, 'task_id', body['task_id'], service.tasks);
  needAssigned(project, task, service);
  const spent_date = String(body['spent_date']);
  if (!has('entry-into-locked-week')) needUnlocked(user, spent_date, service);
  const hours = isTimer ? 0 : api.hundredths(body['hours']);
  if (!isTimer) needBudget(project, hours, service);
  if (isTimer && !has('two-timers-run')) stopOther(call, user, moment);
  const notes = (body['notes'] ?? null) as string | null;
  const timer = { timer_started_at: isTimer ? moment : null };
  const entry = addEntry(service, { user, project, task, spent_date, hours, notes, ...timer });
  return answer(entry, call, 201);
}

export const createEntry = (call: Call): Answer => readNamed(call, () => create(call));

const find = (call: Call): Entry =>
  api.find(call, 'time_entry_id', call.service.entries, exists(call));

export const getEntry = (call: Call): Answer => answer(find(call), call);

function needOpen({ user, spent_date }: Entry, service: Service): void {
  if (lockOf(user, spent_date, service) !== undefined) api.conflict('The entry is locked.');
}

/** The project and task of a changed entry. */
function workOf(call: Call, entry: Entry, body: Json): Work {
  const { service } = call;
  const { project_id, task_id } = body;
  const project =
    project_id === undefined
      ? entry.project
      : api.refer(call, 'project_id', project_id, service.projects);
  const isSpared = service.has('moved-to-archived-project');
  if (project_id !== undefined && !project.is_active && !isSpared)
    api.invalid('project_id', 'The project is archived.');
  const task =
    task_id === undefined ? entry.task : api.refer(call, 'task_id', task_id, service.tasks);
  if (project !== entry.project || task !== entry.task) needAssigned(project, task, service);
  return { user: entry.user, project, task };
}

function update(call: Call): Answer {
  const { service } = call;
  const { has } = service;
  const entry = find(call);
  if (has('refused-change-kept') && call.incoming.bytes.length > 0) keepNotes(call, entry);
  const body = api.readBody(call, changedEntry);
  if (!has('locked-entry-changed')) needOpen(entry, service);
  const isTimed = body['hours'] !== undefined;
  if (isTimed && entry.timer_started_at !== null) api.conflict('The timer of the entry runs.');
  const work = workOf(call, entry, body);
  const isMoved = work.project !== entry.project || work.task !== entry.task;
  const spent_date = String(body['spent_date'] ?? entry.spent_date);
  if (spent_date !== entry.spent_date) needUnlocked(entry.user, spent_date, service);
  const hours = isTimed ? api.hundredths(body['hours']) : entry.hours;
  if ((isTimed || work.project !== entry.project) && entry.timer_started_at === null)
    needBudget(work.project, hours, service, entry);
  const isAnew = isMoved && !has('rate-kept-when-moved');
  const notes = body['notes'] === undefined ? entry.notes : body['notes'];
  const terms = isAnew ? termsOf(work, service) : {};
  const updated_at = has('updated-at-still') ? entry.updated_at : now();
  Object.assign(entry, work, terms, { spent_date, hours, notes, updated_at });
  return answer(entry, call);
}

function keepNotes({ incoming }: Call, entry: Entry): void {
  try {
    const { notes } = JSON.parse(incoming.bytes.toString()) as { readonly notes?: unknown };
    if (typeof notes === 'string') entry.notes = notes;
  } catch {
    return;
  }
}

export const updateEntry = (call: Call): Answer => readNamed(call, () => update(call));

export function deleteEntry(call: Call): Answer {
  const { service, incoming } = call;
  const { has, entries } = service;
  const key = incoming.params['time_entry_id'];
  const isThere = entries.some((one) => String(one.id) === key);
  if (!isThere && has('deleted-again-204')) return { status: 204 };
  const entry = find(call);
  if (!has('locked-entry-deleted')) needOpen(entry, service);
  remove(entries, entry);
  return { status: 204 };
}

export function stopEntry(call: Call): Answer {
  const { service } = call;
  const entry = find(call);
  if (entry.timer_started_at === null && !service.has('stopped-again'))
    api.conflict('No timer runs.');
  stop(entry, service, now());
  return answer(entry, call);
}

export function restartEntry(call: Call): Answer {
  const { service } = call;
  const entry = find(call);
  if (entry.timer_started_at !== null) api.conflict('The timer runs.');
  needOpen(entry, service);
  if (!entry.project.is_active) api.conflict('The project is archived.');
  const moment = now();
  stopOther(call, entry.user, moment);
  Object.assign(entry, { timer_started_at: moment, updated_at: moment });
  return answer(entry, call);
}
