import { date, fields, flag, oneOf, orNull, pick, text } from '../serving/fields.ts';
import { compare, type Json } from '../serving/requests.ts';
import type { Answer } from '../serving/serve.ts';
import * as api from './call.ts';
import { hoursOf, weekOf } from './hours.ts';
import { clientOf } from './projects.ts';
import {
  now,
  stamp,
  type Expense,
  type Kept,
  type Service,
  type Timesheet,
  type User,
} from './store.ts';

type Call = api.Call;

function show(sheet: Timesheet, call: Call): Json {
  const { user, status, from, to, total, billable, approved_at, approved_by } = sheet;
  const shown = {
    ...{ user: api.namedUser(user), status, from, to },
    ...{ total_hours: api.decimal(total), billable_hours: api.decimal(billable) },
    approved_at: api.time(approved_at, call),
    approved_by: approved_by === null ? null : api.namedUser(approved_by),
  };
  return api.showKept(sheet, shown, call);
}

/** Whether the record of a person exists for who asks. */
const exists =
  (call: Call) =>
  ({ user }: { readonly user: User }): boolean =>
    api.isAdmin(call) || user === call.user;

const statuses = ['submitted', 'approved', 'reopened'];

export function listTimesheets(call: Call): Answer {
  const filters: api.Filters<Timesheet> = {
    ...api.updatedSince,
    ...api.byId('user_id', (one: Timesheet) => one.user.id),
    status: (value) => {
      if (!statuses.includes(value)) api.fail(400, 'There is no such status.', ['status']);
      return (one) => one.status === value;
    },
  };
  const records = call.service.timesheets.filter(exists(call));
  const list = { name: 'timesheets', records, filters };
  return api.listOf(call, { ...list, show: (one) => show(one, call) });
}

/** Submits the week of a person from this Monday on. */
export function addTimesheet(service: Service, user: User, monday: string): Timesheet {
  const [from, to] = weekOf(monday);
  const own = service.entries.filter(
    (one) => one.user === user && one.spent_date >= from && one.spent_date <= to,
  );
  const sum = (entries: typeof own): number =>
    entries.reduce((all, one) => all + hoursOf(one, service), 0);
  const sheet: Timesheet = {
    ...{ ...stamp(service, user.account), user, from, to, total: sum(own) },
    ...{ billable: sum(own.filter((one) => one.billable)), status: 'submitted' },
    ...{ approved_at: null, approved_by: null },
  };
  service.timesheets.push(sheet);
  return sheet;
}

const submission = fields({ user_id: api.id, week_of: date }, ['week_of']);

export function submitTimesheet(call: Call): Answer {
  const { service } = call;
  const { has, entries, timesheets } = service;
  const body = api.readBody(call, submission);
  const user = api.personOf(call, body);
  const monday = String(body['week_of']);
  const [from, to] = weekOf(monday);
  // The week of the last Monday that has four digits ends in a year that has five.
  if (from !== monday || to < from) api.invalid('week_of', 'The date must be a Monday.');
  const isSubmitted = timesheets.some(
    (one) => one.user === user && one.from === from && one.status !== 'reopened',
  );
  if (isSubmitted) api.conflict('The week is submitted already.');
  const own = entries.filter(
    (one) => one.user === user && one.spent_date >= from && one.spent_date <= to,
  );
  if (own.length === 0) api.conflict('The week has no time entries.');
  const isRunning = own.some((one) => one.timer_started_at !== null);
  if (isRunning && !has('submitted-with-timer')) api.conflict('A timer runs in the week.');
  return { status: 201, json: show(addTimesheet(service, user, monday), call) };
}

const find = (call: Call): Timesheet =>
  api.find(call, 'timesheet_id', call.service.timesheets, exists(call));

export function approveTimesheet(call: Call): Answer {
  api.needAdmin(call);
  const sheet = find(call);
  const isSpared = sheet.status === 'reopened' && call.service.has('approved-again');
  if (sheet.status !== 'submitted' && !isSpared) api.conflict('The timesheet is not submitted.');
  const moment = now();
  const approval = { status: 'approved', approved_at: moment, approved_by: call.user };
  Object.assign(sheet, approval, { updated_at: moment });
  return { status: 200, json: show(sheet, call) };
}

export function reopenTimesheet(call: Call): Answer {
  api.needAdmin(call);
  const sheet = find(call);
  if (sheet.status === 'reopened') api.conflict('The timesheet is open.');
  const reopening = { status: 'reopened', approved_at: null, approved_by: null };
  Object.assign(sheet, reopening, { updated_at: now() });
  return { status: 200, json: show(sheet, call) };
}

const newExpense = fields(
  {
    ...{ user_id: api.id, project_id: api.id, spent_date: date },
    category: oneOf(['travel', 'lodging', 'meals', 'mileage', 'other']),
    kilometers: orNull(api.number(0.01, 10_000)),
    total_cost: api.number(0, 1_000_000),
    ...{ billable: flag, notes: orNull(text(0, 2000)) },
  },
  ['project_id', 'spent_date', 'category'],
);

function showExpense(expense: Expense, call: Call): Json {
  const { user, project, kilometers, cost } = expense;
  const shown = {
    ...{ user: api.namedUser(user), client: clientOf(project), project: api.named(project) },
    ...pick(expense, ['spent_date', 'category', 'billable', 'notes']),
    ...{ kilometers: api.decimal(kilometers), total_cost: api.decimal(cost) },
  };
  return api.showKept(expense, shown, call);
}

export function listExpenses(call: Call): Answer {
  const filters: api.Filters<Expense> = {
    ...api.updatedSince,
    ...api.byDate,
    ...api.byId('user_id', (one: Expense) => one.user.id),
    ...api.byId('client_id', (one: Expense) => one.project.client.id),
    ...api.byId('project_id', (one: Expense) => one.project.id),
  };
  return api.listOf(call, {
    name: 'expenses',
    records: call.service.expenses.filter(exists(call)),
    filters,
    show: (one) => showExpense(one, call),
    by: (a, b) => compare(b.spent_date, a.spent_date),
  });
}

/** Cents for hundredths of a kilometer. */
function mileage(kilometers: number, { has }: Service): number {
  const cents = (kilometers * 42) / 100;
  return has('mileage-cut-off') ? Math.floor(cents) : Math.round(cents);
}

type Given = Pick<Expense, 'user' | 'project'>;

export function addExpense(service: Service, kept: Kept, given: Given, body: Json): Expense {
  const isDriven = body['category'] === 'mileage';
  const kilometers = isDriven ? api.hundredths(body['kilometers']) : null;
  const cost =
    kilometers === null ? api.hundredths(body['total_cost']) : mileage(kilometers, service);
  const rest = pick(body, ['spent_date', 'category', 'billable', 'notes']);
  const base = { ...kept, ...given, billable: true, notes: null };
  const expense = { ...base, ...rest, kilometers, cost } as Expense;
  service.expenses.push(expense);
  return expense;
}

export function createExpense(call: Call): Answer {
  const { service, account } = call;
  const body = api.readBody(call, newExpense);
  const user = api.personOf(call, body);
  const project = api.refer(call, 'project_id', body['project_id'], service.projects);
  if (!project.is_active) api.invalid('project_id', 'The project is archived.');
  const needed = body['category'] === 'mileage' ? 'kilometers' : 'total_cost';
  if ((body[needed] ?? null) === null) api.invalid(needed, `${needed} is required.`);
  const expense = addExpense(service, stamp(service, account), { user, project }, body);
  return { status: 201, json: showExpense(expense, call) };
}
