import type { Client, Got } from '../serving/client.ts';
import { pathOf, unique } from '../serving/showing.ts';

interface Named {
  readonly id: number;
  readonly name: string;
}

type Numbers = 'id' | 'hours' | 'rounded_hours' | 'billable_rate' | 'billable_amount';
type Sums = 'budget_spent' | 'total_hours' | 'total_cost' | 'budget_hours';
type Texts = 'name' | 'spent_date' | 'created_at' | 'updated_at' | 'timer_started_at' | 'notes';

/** What any record may have. */
export type Row = Readonly<Record<Numbers | Sums, number>> &
  Readonly<Record<Texts, string>> &
  Readonly<Record<'user' | 'client' | 'project' | 'task', Named>> &
  Readonly<Record<'is_running' | 'is_locked' | 'is_default', boolean>>;

/** What a list has beside its records. */
interface Page {
  readonly total_entries: number;
  readonly total_pages: number;
  readonly next_page: number | null;
  readonly links: Readonly<Record<string, string | null>>;
  readonly totals: Row;
}

type Answer = Got<unknown> & {
  readonly row: Row;
  readonly page: Page;
  readonly rows: readonly Row[];
  readonly ids: readonly number[];
  /** The path of an address in `links`. */
  readonly linkTo: (rel: string) => string | undefined;
};

/** Sends `METHOD path`, which is below `/v2/`, or whole. */
export async function ask(
  client: Client,
  what: string,
  json?: unknown,
  as = 'first',
): Promise<Answer> {
  const [, method = '', path = ''] = /^(\S+) (.*)$/.exec(what) ?? [];
  const target = path.startsWith('/') ? path : `/v2/${path}`;
  const got = await client.ask<unknown>(method, target, json === undefined ? { as } : { as, json });
  const body: unknown = typeof got.body === 'object' ? got.body : {};
  const list = Object.values(body ?? {}).find((one) => Array.isArray(one)) as unknown;
  const rows = (list ?? []) as readonly Row[];
  const page = body as Page;
  const linkTo = (rel: string): string | undefined => {
    const found = page.links[rel];
    return typeof found === 'string' ? pathOf(found) : undefined;
  };
  return { ...got, row: body as Row, page, rows, ids: rows.map(({ id }) => id), linkTo };
}

type Asked = Promise<Answer>;

export const add = (client: Client, path: string, json: object, as?: string): Asked =>
  ask(client, `POST ${path}`, json, as);

export const patch = (client: Client, path: string, json?: object): Asked =>
  ask(client, `PATCH ${path}`, json);

export const get = async (client: Client, path: string): Promise<Row> =>
  (await ask(client, `GET ${path}`)).row;

export const at = (kind: string, { id }: { readonly id: number }): string =>
  `${kind}/${String(id)}`;

export const entryAt = (row: Row): string => at('time_entries', row);

export const newClient = async (client: Client, more: object = {}, as?: string): Promise<Row> =>
  (await add(client, 'clients', { name: unique('Studio'), ...more }, as)).row;

/** A new project of a new client, billed by its rate of 50 an hour. */
export async function newProject(client: Client, more: object = {}, as?: string): Promise<Row> {
  const client_id = 'client_id' in more ? 0 : (await newClient(client, {}, as)).id;
  const json = { client_id, name: unique('Site'), bill_by: 'project', hourly_rate: 50, ...more };
  return (await add(client, 'projects', json, as)).row;
}

/** A new task, billable unless told. */
export const newTask = async (client: Client, more: object = {}, as?: string): Promise<Row> =>
  (await add(client, 'tasks', { name: unique('Task'), ...more }, as)).row;

export async function newUser(client: Client): Promise<Row> {
  const email = `${unique('kim')}@post.example`;
  return (await add(client, 'users', { first_name: 'Kim', last_name: 'Ek', email })).row;
}

/** Where time can be spent: a new project, and a task that it has. */
export interface Work {
  readonly project_id: number;
  readonly task_id: number;
}

export async function newWork(client: Client, more: object = {}, as?: string): Promise<Work> {
  const { id: project_id } = await newProject(client, more, as);
  const { id: task_id } = await newTask(client, {}, as);
  await add(client, `projects/${String(project_id)}/task_assignments`, { task_id }, as);
  return { project_id, task_id };
}

export const spent_date = '2026-05-06';

/** Time on new work, or on what `more` has. */
export async function track(client: Client, more: object = {}, as?: string): Asked {
  const work = 'project_id' in more ? {} : await newWork(client, {}, as);
  return add(client, 'time_entries', { spent_date, hours: 1, ...work, ...more }, as);
}

/** A timer on new work, or on what `more` has. */
export async function startTimer(client: Client, more: object = {}): Asked {
  const work = 'project_id' in more ? {} : await newWork(client);
  return add(client, 'time_entries', { spent_date, ...work, ...more });
}

interface Submitted {
  readonly user_id: number;
  readonly work: Work;
  readonly entry: Row;
  readonly path: string;
}

/** An entry of a week of a new person that is submitted, and the timesheet. */
export async function submitted(client: Client, more: object = {}): Promise<Submitted> {
  const { id: user_id } = await newUser(client);
  const work = await newWork(client);
  const entry = (await track(client, { user_id, ...work, ...more })).row;
  const sheet = await add(client, 'timesheets', { user_id, week_of: '2026-05-04' });
  return { user_id, work, entry, path: at('timesheets', sheet.row) };
}
