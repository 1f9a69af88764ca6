import type { Json } from '../serving/requests.ts';
import { addClient, addUser } from './clients-and-people.ts';
import { addEntry } from './entries.ts';
import { addAssignment, addProject, addTask } from './projects.ts';
import {
  stamp,
  tokens,
  type Account,
  type Project,
  type Service,
  type Task,
  type Kept,
  type User,
} from './store.ts';
import { addExpense, addTimesheet } from './timesheets-and-expenses.ts';

const day = 86_400_000;
const start = Date.UTC(2026, 1, 2);

/** The date so many days after the first Monday. */
const dateAt = (days: number): string => new Date(start + days * day).toISOString().slice(0, 10);

interface Seeds {
  readonly users: readonly Json[];
  /** Their projects by clients; one without projects is archived. */
  readonly clients: Readonly<Record<string, readonly Json[]>>;
  readonly tasks: readonly Json[];
  readonly weeks: number;
}

const harbor: Seeds = {
  users: [
    { first_name: 'Nadia', last_name: 'Okafor', role: 'administrator', default_hourly_rate: 120 },
    { first_name: 'Oskar', last_name: 'Lindqvist', default_hourly_rate: 85 },
    { first_name: 'Mira', last_name: 'Solberg', default_hourly_rate: 95.5 },
    { first_name: 'Tomás', last_name: 'Rey', role: 'administrator' },
  ],
  clients: {
    'Brix Architects': [
      { name: 'Website', code: 'BRX-WEB', bill_by: 'project', hourly_rate: 98, budget_hours: 240 },
      { name: 'Print', code: 'BRX-PRT', bill_by: 'tasks', budget_hours: 60 },
    ],
    'Kelp & Sons': [
      { name: 'Shop', code: 'KLP-1', bill_by: 'people', budget_hours: 400, notes: 'Two releases.' },
      { name: 'Support', bill_by: 'tasks', budget_hours: 500, budget_is_strict: true },
    ],
    'Old Mill Theatre': [
      { name: 'Season 2025', code: 'OMT-25', bill_by: 'project', hourly_rate: 74.25 },
      { name: 'Season 2026', code: 'OMT-26', bill_by: 'project', hourly_rate: 79 },
    ],
    'Our own': [{ name: 'Office', is_billable: false }],
    'Quay Bakery': [],
  },
  tasks: [
    { name: 'Design', default_hourly_rate: 90, is_default: true },
    { name: 'Development', default_hourly_rate: 110, is_default: true },
    { name: 'Meetings', billable_by_default: false, is_default: true },
    { name: 'Support', default_hourly_rate: 80 },
    { name: 'Travel', billable_by_default: false },
  ],
  weeks: 6,
};

const fell: Seeds = {
  users: [
    { first_name: 'Lena', last_name: 'Brandt', role: 'administrator', default_hourly_rate: 70 },
    { first_name: 'Piet', last_name: 'Visser', default_hourly_rate: 64 },
  ],
  clients: {
    'Heath Surveyors': [
      { name: 'Map', code: 'HS-1', bill_by: 'people', budget_hours: 90 },
      { name: 'Field app', code: 'HS-2', bill_by: 'project', hourly_rate: 88 },
    ],
    'Moor Clinic': [{ name: 'Website', code: 'MC-1' }],
  },
  tasks: [
    { name: 'Survey', default_hourly_rate: 75, is_default: true },
    { name: 'Drawing', is_default: true },
  ],
  weeks: 2,
};

const lengths = [175, 60, 325, 410, 90, 225, 112, 500, 285, 37];
const notes = [null, 'First draft', 'Call with the client', null, 'Review'];

interface Filled {
  readonly users: readonly User[];
  readonly projects: readonly Project[];
  readonly tasks: readonly Task[];
}

const keep = (service: Service, account: Account, days: number): Kept =>
  stamp(service, account, start + days * day + 17 * 3_600_000);

function fillRecords(service: Service, account: Account, seeds: Seeds, host: string): Filled {
  const users = seeds.users.map((one, at) => {
    const name = String(one['first_name']).normalize('NFD').replaceAll(/\W/g, '');
    const email = `${name.toLowerCase()}@${host}`;
    return addUser(service, keep(service, account, at - 60), { ...one, email });
  });
  const tasks = seeds.tasks.map((one, at) =>
    addTask(service, keep(service, account, at - 50), one),
  );
  const projects = Object.entries(seeds.clients).flatMap(([name, own], at) => {
    const kept = keep(service, account, at - 40);
    const client = addClient(service, kept, { name, is_active: own.length > 0 });
    return own.map((one) => addProject(service, keep(service, account, at - 30), client, one));
  });
  return { users, projects, tasks };
}

/** The entry of a person on a working day of a week. */
function fillDay(
  service: Service,
  { users, projects, tasks }: Filled,
  { week, place, weekday }: Readonly<Record<'week' | 'place' | 'weekday', number>>,
): void {
  const defaults = tasks.filter((one) => one.is_default);
  const at = week * 15 + place * 5 + weekday;
  const [user, project] = [users[place], projects[at % projects.length]];
  const task = defaults[at % defaults.length];
  if (user === undefined || project === undefined || task === undefined) return;
  const days = week * 7 + weekday;
  const given = {
    ...{ user, project, task, spent_date: dateAt(days), timer_started_at: null },
    ...{ hours: lengths[at % lengths.length] ?? 100, notes: notes[at % notes.length] ?? null },
  };
  addEntry(service, given, start + days * day + (16 + place) * 3_600_000);
}

function fillEntries(service: Service, filled: Filled, weeks: number): void {
  for (let week = 0; week < weeks; week += 1)
    for (let place = 0; place < 3; place += 1)
      for (const weekday of [0, 1, 2, 3, 4]) fillDay(service, filled, { week, place, weekday });
}

const expenses: readonly Json[] = [
  { category: 'travel', total_cost: 48.2, notes: 'Train' },
  { category: 'mileage', kilometers: 37.5 },
  { category: 'meals', total_cost: 23.9, billable: false },
  { category: 'lodging', total_cost: 131 },
];

function fillExpenses(service: Service, account: Account, { users, projects }: Filled): void {
  for (let at = 0; at < 9; at += 1) {
    const [user, project] = [users[at % users.length], projects[(at * 2) % projects.length]];
    if (user === undefined || project === undefined) continue;
    const body = { ...expenses[at % expenses.length], spent_date: dateAt(at * 3) };
    addExpense(service, keep(service, account, at * 3), { user, project }, body);
  }
}

/** The records of both accounts. */
export function fill(service: Service): void {
  const { accounts, people } = service;
  const first = fillRecords(service, accounts.harbor, harbor, 'harbor.example');
  const second = fillRecords(service, accounts.fell, fell, 'fell.example');
  for (const [filled, weeks] of [
    [first, harbor.weeks],
    [second, fell.weeks],
  ] as const)
    fillEntries(service, filled, weeks);
  fillExpenses(service, accounts.harbor, first);
  fillExpenses(service, accounts.fell, second);
  const [nadia, oskar, mira] = first.users;
  const [lena] = second.users;
  const [website, , shop, support, old] = first.projects;
  const [design, development, , help] = first.tasks;
  if (nadia === undefined || oskar === undefined || mira === undefined || lena === undefined)
    return;
  people.set(tokens.nadia, nadia).set(tokens.oskar, oskar).set(tokens.lena, lena);
  if (support !== undefined && help !== undefined)
    addAssignment(service, { project: support, task: help }, {});
  if (old !== undefined) old.is_active = false;
  for (const [at, user] of [nadia, oskar, mira, oskar].entries()) {
    const sheet = addTimesheet(service, user, dateAt(at === 3 ? 7 : 0));
    const approval = { status: 'approved', approved_at: sheet.created_at, approved_by: nadia };
    Object.assign(sheet, at < 2 ? approval : at === 2 ? { status: 'reopened' } : {});
  }
  addTimesheet(service, lena, dateAt(0));
  const moment = Math.floor(Date.now() / 1000) * 1000;
  const spent_date = new Date(moment).toISOString().slice(0, 10);
  const timer = { spent_date, hours: 50, notes: null };
  if (website !== undefined && design !== undefined) {
    const timer_started_at = moment - 102 * 60_000;
    const given = { ...timer, user: oskar, project: website, task: design, timer_started_at };
    addEntry(service, given, timer_started_at);
  }
  if (shop !== undefined && development !== undefined) {
    const timer_started_at = moment - 41 * 60_000;
    const given = { ...timer, user: mira, project: shop, task: development, timer_started_at };
    addEntry(service, given, timer_started_at);
  }
}
