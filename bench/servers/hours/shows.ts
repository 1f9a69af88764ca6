import type { Client } from '../serving/client.ts';
import { isOther, unique, type Show } from '../serving/showing.ts';
import type { DefectName, defects } from './defects.ts';
import * as use from './use.ts';
import type { Row, Work } from './use.ts';

type Of<Kind extends keyof typeof defects> = Record<keyof (typeof defects)[Kind], Show>;

const { add, ask, at, entryAt, get, newClient, newProject, newTask, newUser, newWork } = use;
const { patch, spent_date, startTimer, submitted, track } = use;

type Asked = ReturnType<typeof ask>;

const isTaken = (got: Asked): Promise<boolean> => isOther(got, 422);

const answers: Of<'answers'> = {
  'deleted-again-204': async (client) => {
    const path = entryAt((await track(client)).row);
    await ask(client, `DELETE ${path}`);
    return isOther(ask(client, `DELETE ${path}`), 404);
  },
  'fields-not-named': async (client) => {
    const { body } = await track(client, { hours: 25 });
    const { error } = body as { readonly error?: { readonly fields: readonly string[] } };
    return error?.fields.includes('hours') !== true;
  },
  'refusal-as-400': async (client) => {
    const { id } = await newClient(client);
    return isTaken(add(client, 'projects', { client_id: id, name: 'Site', bill_by: 'year' }));
  },
};

/** New entries of one project with such times, and the query that lists them. */
async function entries(client: Client, count: number, more: object = {}) {
  const work = await newWork(client);
  const made: Row[] = [];
  for (let place = 0; place < count; place += 1)
    made.push((await track(client, { ...work, ...more })).row);
  return { work, made, list: `GET time_entries?project_id=${String(work.project_id)}` };
}

const pages: Of<'pages'> = {
  'page-skips-record': async (client) => {
    const { made, list } = await entries(client, 3);
    const { ids } = await ask(client, `${list}&per_page=2&page=2`);
    return ids.join() !== String(made[0]?.id);
  },
  'total-of-page': async (client) => {
    const { list } = await entries(client, 3);
    return (await ask(client, `${list}&per_page=2`)).page.total_entries !== 3;
  },
  'total-pages-cut-off': async (client) => {
    const { list } = await entries(client, 3);
    return (await ask(client, `${list}&per_page=2`)).page.total_pages !== 2;
  },
  'links-lose-filters': async (client) => {
    const { made, list } = await entries(client, 3);
    const next = (await ask(client, `${list}&per_page=2`)).linkTo('next') ?? '';
    return (await ask(client, `GET ${next}`)).ids.join() !== String(made[0]?.id);
  },
  'last-page-has-next': async (client) => {
    const { list } = await entries(client, 2);
    return (await ask(client, `${list}&per_page=2`)).page.next_page !== null;
  },
  'entries-by-creation': async (client) => {
    const { made, list, work } = await entries(client, 1);
    await track(client, { ...work, spent_date: '2026-05-01' });
    return (await ask(client, list)).ids[0] !== made[0]?.id;
  },
};

/** How many entries of new work match a filter. */
async function countOf(client: Client, filter: string, more: object = {}): Promise<number> {
  const { list } = await entries(client, 1, more);
  return (await ask(client, `${list}&${filter}`)).rows.length;
}

/** A time in the zone of Auckland. */
const inAuckland = (time: number): string =>
  encodeURIComponent(`${new Date(time + 12 * 3_600_000).toISOString().slice(0, 19)}+12:00`);

/** An entry that is not of today, with a change. */
async function changedEntry(client: Client): Promise<readonly [Row, Row]> {
  const { rows } = await ask(client, 'GET time_entries?from=2026-03-09&to=2026-03-15');
  const before = rows[0] as Row;
  return [before, (await patch(client, entryAt(before), { notes: unique('note') })).row];
}

const filters: Of<'filters'> = {
  'to-excludes-its-day': async (client) => (await countOf(client, `to=${spent_date}`)) !== 1,
  'second-filter-ignored': async (client) =>
    (await countOf(client, `from=${spent_date}&to=2026-05-05&is_running=true`)) !== 0,
  'is-running-false-ignored': async (client) => {
    const { project_id } = (await ask(client, 'GET time_entries?is_running=true')).rows.map(
      ({ project }) => ({ project_id: project.id }),
    )[0] ?? { project_id: 0 };
    const list = `GET time_entries?is_running=false&project_id=${String(project_id)}`;
    return (await ask(client, list)).rows.some((one) => one.is_running);
  },
  'updated-since-as-text': async (client) =>
    (await countOf(client, `updated_since=${inAuckland(Date.now() - 60_000)}`)) !== 1,
  'updated-since-by-creation': async (client) => {
    const [entry] = await changedEntry(client);
    const since = inAuckland(Date.now() - 60_000);
    return !(await ask(client, `GET time_entries?updated_since=${since}`)).ids.includes(entry.id);
  },
  'client-filter-misses-archived': async (client) => {
    const { row } = await track(client);
    await patch(client, at('projects', row.project), { is_active: false });
    const list = `GET time_entries?client_id=${String(row.client.id)}`;
    return (await ask(client, list)).rows.length !== 1;
  },
};

const records: Of<'records'> = {
  'patch-clears-left-out': async (client) => {
    const project = await newProject(client, { notes: 'Two releases.' });
    await patch(client, at('projects', project), { name: unique('Shop') });
    return (await get(client, at('projects', project))).notes !== 'Two releases.';
  },
  'patch-null-ignored': async (client) => {
    const project = await newProject(client, { budget_hours: 40 });
    await patch(client, at('projects', project), { budget_hours: null });
    return (await get(client, at('projects', project))).budget_hours !== null;
  },
  'updated-at-still': async (client) => {
    const [before, after] = await changedEntry(client);
    return after.updated_at === before.updated_at;
  },
  'client-name-stale-in-entry': async (client) => {
    const { row } = await track(client);
    const name = unique('Renamed');
    await patch(client, at('clients', row.client), { name });
    return (await get(client, entryAt(row))).client.name !== name;
  },
  'default-tasks-not-assigned': async (client) => {
    const task = await newTask(client, { is_default: true });
    const path = `${at('projects', await newProject(client))}/task_assignments`;
    return (await ask(client, `GET ${path}`)).rows.every((one) => one.task.id !== task.id);
  },
};

const uniqueness: Of<'uniqueness'> = {
  'client-name-in-other-case': async (client) => {
    const { name } = await newClient(client);
    return isTaken(add(client, 'clients', { name: name.toUpperCase() }));
  },
  'project-name-across-clients': async (client) => {
    const { name } = await newProject(client);
    const { id: client_id } = await newClient(client);
    return isOther(add(client, 'projects', { client_id, name }), 201);
  },
  'code-taken-by-change': async (client) => {
    const json = { code: unique('C') };
    await newProject(client, json);
    return isTaken(patch(client, at('projects', await newProject(client)), json));
  },
  'task-assigned-twice': async (client) => {
    const { project_id, task_id } = await newWork(client);
    const path = `${at('projects', { id: project_id })}/task_assignments`;
    return isTaken(add(client, path, { task_id }));
  },
};

/** New work on a project that is archived then. */
async function archivedWork(client: Client): Promise<Work> {
  const work = await newWork(client);
  await patch(client, at('projects', { id: work.project_id }), { is_active: false });
  return work;
}

const references: Of<'references'> = {
  'unassigned-task-accepted': async (client) => {
    const { id: task_id } = await newTask(client);
    return isTaken(track(client, { ...(await newWork(client)), task_id }));
  },
  'archived-project-accepted': async (client) => isTaken(track(client, await archivedWork(client))),
  'moved-to-archived-project': async (client) => {
    const work = await archivedWork(client);
    return isTaken(patch(client, entryAt((await track(client)).row), work));
  },
  'client-with-projects-deleted': async (client) => {
    const { client: owner } = await newProject(client, { is_active: false });
    return isOther(ask(client, `DELETE ${at('clients', owner)}`), 409);
  },
  'project-with-hours-deleted': async (client) => {
    const { project } = (await track(client)).row;
    return isOther(ask(client, `DELETE ${at('projects', project)}`), 409);
  },
};

/** A timer that runs since before the client came. */
const running = async (client: Client): Promise<Row> =>
  (await ask(client, 'GET time_entries?is_running=true')).rows[0] as Row;

/** Whether the hours of an entry leave out what a timer ran until now. */
const lacks = ({ hours }: Row, { timer_started_at }: Row): boolean =>
  hours < (Date.now() - Date.parse(timer_started_at)) / 3_600_000 - 0.05;

const timers: Of<'timers'> = {
  'two-timers-run': async (client) => {
    const { row } = await startTimer(client);
    await startTimer(client);
    return (await get(client, entryAt(row))).is_running;
  },
  'start-stops-everybody': async (client) => {
    const { id: user_id } = await newUser(client);
    const { row } = await startTimer(client, { user_id });
    await startTimer(client);
    return !(await get(client, entryAt(row))).is_running;
  },
  'stop-loses-elapsed': async (client) => {
    const timer = await running(client);
    return lacks((await patch(client, `${entryAt(timer)}/stop`)).row, timer);
  },
  'running-hours-still': async (client) => {
    const timer = await running(client);
    return lacks(timer, timer);
  },
  'stopped-again': async (client) =>
    isOther(patch(client, `${entryAt((await track(client)).row)}/stop`), 409),
};

const sums: Of<'sums'> = {
  'rounded-to-nearest-quarter': async (client) =>
    (await track(client, { hours: 1.05 })).row.rounded_hours !== 1.25,
  'amount-of-exact-hours': async (client) =>
    (await track(client, { hours: 1.2 })).row.billable_amount !== 62.5,
  'rate-follows-project': async (client) => {
    const { row } = await track(client);
    await patch(client, at('projects', row.project), { hourly_rate: 80 });
    return (await get(client, entryAt(row))).billable_rate !== 50;
  },
  'rate-kept-when-moved': async (client) => {
    const { row } = await track(client);
    const work = await newWork(client, { hourly_rate: 80 });
    return (await patch(client, entryAt(row), work)).row.billable_rate !== 80;
  },
  'mileage-cut-off': async (client) => {
    const { id: project_id } = await newProject(client);
    const json = { project_id, spent_date, category: 'mileage', kilometers: 10.3 };
    return (await add(client, 'expenses', json)).row.total_cost !== 4.33;
  },
  'budget-of-billable-hours': async (client) => {
    const { project } = (await track(client, await newWork(client, { is_billable: false }))).row;
    return (await get(client, at('projects', project))).budget_spent !== 1;
  },
  'strict-budget-exceeded-by-change': async (client) => {
    const work = await newWork(client, { budget_hours: 2, budget_is_strict: true });
    const { row } = await track(client, work);
    return isTaken(patch(client, entryAt(row), { hours: 2.5 }));
  },
};

const period = 'from=2026-05-04&to=2026-05-06';

/** What a report has for a person. */
async function timeOf(client: Client, user_id: number): Promise<number> {
  const { rows } = await ask(client, `GET reports/time/team?${period}&per_page=100`);
  return rows.find(({ id }) => id === user_id)?.total_hours ?? 0;
}

const reports: Of<'reports'> = {
  'report-without-last-day': async (client) => {
    const { id: user_id } = await newUser(client);
    await track(client, { user_id, hours: 2 });
    return (await timeOf(client, user_id)) !== 2;
  },
  'report-with-running': async (client) => {
    const { id: user_id } = await newUser(client);
    const { row } = await track(client, { user_id, hours: 2 });
    await patch(client, `${entryAt(row)}/restart`);
    return (await timeOf(client, user_id)) !== 0;
  },
  'totals-of-page': async (client) => {
    await track(client, { hours: 2 });
    await track(client, { hours: 3 });
    const report = `GET reports/time/clients?${period}`;
    const [all, one] = [await ask(client, report), await ask(client, `${report}&per_page=1`)];
    return all.page.totals.total_hours !== one.page.totals.total_hours;
  },
};

const states: Of<'states'> = {
  'locked-entry-changed': async (client) => {
    const { entry } = await submitted(client);
    return isOther(patch(client, entryAt(entry), { hours: 2 }), 409);
  },
  'locked-entry-deleted': async (client) => {
    const { entry, path } = await submitted(client);
    await patch(client, `${path}/approve`);
    return isOther(ask(client, `DELETE ${entryAt(entry)}`), 409);
  },
  'entry-into-locked-week': async (client) => {
    const { user_id, work } = await submitted(client);
    return isTaken(track(client, { user_id, ...work }));
  },
  'sunday-not-locked': async (client) => {
    const { entry } = await submitted(client, { spent_date: '2026-05-10' });
    return !(await get(client, entryAt(entry))).is_locked;
  },
  'reopened-stays-locked': async (client) => {
    const { entry, path } = await submitted(client);
    await patch(client, `${path}/reopen`);
    return (await get(client, entryAt(entry))).is_locked;
  },
  'approved-again': async (client) => {
    const { path } = await submitted(client);
    await patch(client, `${path}/reopen`);
    return isOther(patch(client, `${path}/approve`), 409);
  },
  'submitted-with-timer': async (client) => {
    const { id: user_id } = await newUser(client);
    await startTimer(client, { user_id });
    return isOther(add(client, 'timesheets', { user_id, week_of: '2026-05-04' }), 409);
  },
};

const atomicity: Of<'atomicity'> = {
  'refused-change-kept': async (client) => {
    const { row } = await track(client, { notes: 'Draft' });
    await patch(client, entryAt(row), { notes: 'Final', hours: 25 });
    return (await get(client, entryAt(row))).notes !== 'Draft';
  },
  'refused-start-stops-timer': async (client) => {
    const { row } = await startTimer(client);
    await startTimer(client, await archivedWork(client));
    return !(await get(client, entryAt(row))).is_running;
  },
  'refused-client-change-kept': async (client) => {
    const { client: owner } = await newProject(client);
    const path = at('clients', owner);
    await patch(client, path, { name: unique('Other'), is_active: false });
    return (await get(client, path)).name !== owner.name;
  },
};

const access: Of<'access'> = {
  'any-token-accepted': (client) => isOther(ask(client, 'GET tasks', undefined, 'wrongToken'), 401),
  'account-not-checked': (client) =>
    isOther(ask(client, 'GET projects', undefined, 'ofOtherAccount'), 403),
  'project-of-other-account': async (client) =>
    isOther(ask(client, `GET ${at('projects', await newProject(client, {}, 'second'))}`), 404),
  'client-of-other-account-named': async (client) => {
    const { id: client_id } = await newClient(client, {}, 'second');
    return isTaken(add(client, 'projects', { client_id, name: 'Site' }));
  },
  'member-sees-entries-of-others': async (client) => {
    const { row } = await track(client);
    const list = `GET time_entries?project_id=${String(row.project.id)}`;
    return (await ask(client, list, undefined, 'member')).rows.length !== 0;
  },
  'report-of-all-accounts': async (client) => {
    const report = `GET reports/time/team?${period}`;
    const before = (await ask(client, report)).page.totals.total_hours;
    await track(client, {}, 'second');
    return (await ask(client, report)).page.totals.total_hours !== before;
  },
};

/** For each defect: whether it shows to a client that reads the document. */
export const shows: Readonly<Record<DefectName, Show>> = {
  ...{ ...answers, ...pages, ...filters, ...records, ...uniqueness, ...references },
  ...{ ...timers, ...sums, ...reports, ...states, ...atomicity, ...access },
};
