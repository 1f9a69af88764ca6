import type { Client } from '../serving/client.ts';
import { isOther, unique, type Show } from '../serving/showing.ts';
import type { DefectName, defects } from './defects.ts';
import * as use from './use.ts';

const { add, ask, baseOf, batch, change, found, get, isTaken, listed, newBase, valuesOf } = use;

type Of<Kind extends keyof typeof defects> = Record<keyof (typeof defects)[Kind], Show>;

const nobody = { id: 'rec00000000000000', fields: { Name: 'No' } };

/** Whether a new record with these fields is not refused. */
const isAdded = async (client: Client, table: string, ...all: use.Fields[]): Promise<boolean> =>
  isTaken(client, `POST ${await newBase(client)}/${table}`, batch(...all));

const answers: Of<'answers'> = {
  'unknown-field-ignored': (client) => isAdded(client, 'tasks', { Colour: 'red' }),
  'computed-field-ignored': (client) => isAdded(client, 'projects', { 'Task Count': 3 }),
  'false-checkbox-shown': async (client) => {
    const { path, ids } = await baseOf(client, 'tasks', { Done: false });
    return 'Done' in (await get(client, `${path}/${ids[0] ?? ''}`)).fields;
  },
  'error-as-text': async (client) =>
    typeof (await get(client, '/meta/bases/app000/tables')).error !== 'object',
  'wrong-token-403': (client) =>
    isOther(ask(client, 'GET /meta/bases', undefined, 'wrongToken'), 401),
  'too-large-accepted': async (client) => {
    const all = Array.from({ length: 8 }, () => ({ Notes: 'words '.repeat(1500) }));
    return isOther(ask(client, `POST ${await newBase(client)}/tasks`, batch(...all)), 413);
  },
};

const validation: Of<'validation'> = {
  'eleven-records-accepted': (client) =>
    isAdded(client, 'tasks', ...Array.from({ length: 11 }, () => ({}))),
  'bad-offset-first-page': async (client) =>
    isTaken(client, `GET ${await newBase(client)}/tasks?offset=itr000`),
  'negative-hours-accepted': (client) => isAdded(client, 'tasks', { Hours: -1 }),
  'impossible-date-accepted': (client) => isAdded(client, 'projects', { Start: '2026-02-30' }),
  'end-before-start': async (client) => {
    const { path, ids } = await baseOf(client, 'projects', { Start: '2026-05-01' });
    return !isRefused(await change(client, `PATCH ${path}`, ids[0] ?? '', { End: '2026-04-01' }));
  },
  'choice-in-other-case': (client) => isAdded(client, 'projects', { Status: 'active' }),
};

const isRefused = ({ status }: { readonly status: number }): boolean => status === 422;
const hours = (...all: (number | null)[]): use.Fields[] => all.map((Hours) => ({ Hours }));

/** The Hours in a list of all pages of new tasks with these Hours. */
async function hoursIn(client: Client, query: string, all: use.Fields[]): Promise<string> {
  const { path } = await baseOf(client, 'tasks', ...all);
  return valuesOf(await listed(client, `${path}?${query}`), 'Hours').join();
}

const sortBy = (field: string, direction = 'asc', at = 0): string =>
  `sort[${String(at)}][field]=${field}&sort[${String(at)}][direction]=${direction}`;

const lists: Of<'lists'> = {
  'max-records-per-page': async (client) => {
    const { path } = await baseOf(client, 'tasks', {}, {}, {}, {}, {});
    return (await listed(client, `${path}?maxRecords=3&pageSize=2`)).length !== 3;
  },
  'page-skips-one': async (client) => {
    const { path } = await baseOf(client, 'tasks', {}, {}, {}, {}, {});
    return (await listed(client, `${path}?pageSize=2`)).length !== 5;
  },
  'page-shifts-on-delete': async (client) => {
    const { path } = await baseOf(client, 'tasks', {}, {}, {}, {}, {});
    const all = await listed(client, `${path}?pageSize=2`, ({ records }) =>
      ask(client, `DELETE ${path}?records[]=${records[0]?.id ?? ''}`),
    );
    return all.length !== 5;
  },
  'sort-lost-on-next-page': async (client) =>
    (await hoursIn(client, `pageSize=2&${sortBy('Hours', 'desc')}`, hours(1, 5, 2, 3, 4, 6))) !==
    '6,5,4,3,2,1',
  'query-cursor-drops-filter': async (client) => {
    const { path } = await baseOf(client, 'tasks', ...hours(1, 2, 1, 2, 1));
    const json = { filter: { property: 'Hours', equals: 1 }, page_size: 2 };
    const { next_cursor: start_cursor } = (await ask(client, `POST ${path}/query`, json)).body;
    const next = await ask(client, `POST ${path}/query`, { ...json, start_cursor });
    return valuesOf(next.body.results, 'Hours').join() !== '1';
  },
  'has-more-at-end': async (client) => {
    const { path } = await baseOf(client, 'tasks', {}, {});
    return (await ask(client, `POST ${path}/query`, { page_size: 2 })).body.has_more;
  },
  'view-filter-ignored': async (client) => {
    const { path } = await baseOf(client, 'projects', { Status: 'Active' }, { Status: 'Done' });
    return (await listed(client, `${path}?view=Active%20by%20budget`)).length !== 1;
  },
  'view-order-wins': async (client) => {
    const all = [5, 3, 4].map((Budget) => ({ Status: 'Active', Budget }));
    const { path } = await baseOf(client, 'projects', ...all);
    const query = `view=Active%20by%20budget&${sortBy('Budget')}`;
    return valuesOf(await listed(client, `${path}?${query}`), 'Budget').join() !== '3,4,5';
  },
  'empties-first-descending': async (client) =>
    (await hoursIn(client, sortBy('Hours', 'desc'), hours(1, null, 2))) !== '2,1,',
  'choices-sorted-as-texts': async (client) => {
    const all = ['High', 'Low', 'Medium'].map((Priority) => ({ Priority }));
    const { path } = await baseOf(client, 'tasks', ...all);
    const sorted = valuesOf(await listed(client, `${path}?${sortBy('Priority')}`), 'Priority');
    return sorted.join() !== 'Low,Medium,High';
  },
  'second-sort-ignored': async (client) => {
    const all = hours(3, 1, 2).map((one) => ({ ...one, Due: '2026-05-01' }));
    const [up, down] = [sortBy('Hours', 'asc', 1), sortBy('Hours', 'desc', 1)];
    const inBoth = [`${sortBy('Due')}&${up}`, `${sortBy('Due')}&${down}`];
    const [first, last] = await Promise.all(inBoth.map((query) => hoursIn(client, query, all)));
    return first !== '1,2,3' || last !== '3,2,1';
  },
};

/** The Names of those of the new tasks that are found. */
async function tasksFound(client: Client, all: use.Fields[], filter: object): Promise<string> {
  return found(client, (await baseOf(client, 'tasks', ...all)).path, filter);
}

const [a, b, c] = [{ Name: 'a', Hours: 1 }, { Name: 'b', Hours: 2, Done: true }, { Name: 'c' }];

const filters: Of<'filters'> = {
  'or-taken-as-and': async (client) => {
    const or = [1, 2].map((equals) => ({ property: 'Hours', equals }));
    const filter = { and: [{ or }, { property: 'Name', is_not_empty: true }] };
    return (await tasksFound(client, [a, b, c], filter)) !== 'a,b';
  },
  'greater-includes-equal': async (client) =>
    (await tasksFound(client, [a, b, c], { property: 'Hours', greater_than: 1 })) !== 'b',
  'not-equal-skips-empty': async (client) =>
    (await tasksFound(client, [a, b, c], { property: 'Hours', does_not_equal: 1 })) !== 'b,c',
  'unset-not-false': async (client) =>
    (await tasksFound(client, [a, b, c], { property: 'Done', equals: false })) !== 'a,c',
  'contains-case-matters': async (client) =>
    (await tasksFound(client, [a, b, c], { property: 'Name', contains: 'B' })) !== 'b',
  'tag-contains-part': async (client) => {
    const all = ['Web', 'Web shop'].map((tag) => ({ Name: tag, Tags: [tag] }));
    const { path } = await baseOf(client, 'projects', ...all);
    return (await found(client, path, { property: 'Tags', contains: 'Web' })) !== 'Web';
  },
};

/** The fields of a task with Hours and Notes after a change by this method. */
async function changed(client: Client, method: string, fields: use.Fields): Promise<use.Fields> {
  const { path, ids } = await baseOf(client, 'tasks', { Hours: 2, Notes: 'Hi' });
  await change(client, `${method} ${path}`, ids[0] ?? '', fields);
  return (await get(client, `${path}/${ids[0] ?? ''}`)).fields;
}

/** Upserts a project by the fields to merge on. */
const upsert = (client: Client, path: string, fields: use.Fields, ...fieldsToMergeOn: string[]) =>
  ask(client, `PATCH ${path}`, { records: [{ fields }], performUpsert: { fieldsToMergeOn } });

const records: Of<'records'> = {
  'patch-clears-rest': async (client) =>
    (await changed(client, 'PATCH', { Hours: 3 }))['Notes'] !== 'Hi',
  'put-merges': async (client) => 'Notes' in (await changed(client, 'PUT', { Name: 'Two' })),
  'null-ignored': async (client) => 'Notes' in (await changed(client, 'PATCH', { Notes: null })),
  'create-half-done': async (client) => {
    const base = await newBase(client);
    await ask(client, `POST ${base}/tasks`, batch({}, { Hours: 'many' }));
    return (await listed(client, `${base}/tasks`)).length !== 0;
  },
  'update-half-done': async (client) => {
    const { path, ids } = await baseOf(client, 'tasks', { Hours: 1 });
    const first = { id: ids[0] ?? '', fields: { Hours: 9 } };
    await ask(client, `PATCH ${path}`, { records: [first, nobody] });
    return (await get(client, `${path}/${first.id}`)).fields['Hours'] !== 1;
  },
  'delete-half-done': async (client) => {
    const { path, ids } = await baseOf(client, 'tasks', {});
    await ask(client, `DELETE ${path}?records[]=${ids[0] ?? ''}&records[]=${nobody.id}`);
    return (await listed(client, path)).length !== 1;
  },
  'answer-reordered': async (client) => {
    const { path, ids } = await baseOf(client, 'tasks', {}, {});
    const json = { records: ids.toReversed().map((id) => ({ id, fields: { Hours: 1 } })) };
    const { body } = await ask(client, `PATCH ${path}`, json);
    return use.ids(body.records).join() !== ids.toReversed().join();
  },
  'upsert-second-field-ignored': async (client) => {
    const { path } = await baseOf(client, 'projects', { Budget: 1 });
    const { body } = await upsert(client, path, { Name: 'One', Budget: 2 }, 'Name', 'Budget');
    return body.createdRecords.length !== 1;
  },
  'upsert-takes-first': async (client) => {
    const { path } = await baseOf(client, 'projects', {}, {});
    return !isRefused(await upsert(client, path, { Name: 'One', Budget: 2 }, 'Name'));
  },
  'upsert-all-created': async (client) => {
    const { path } = await baseOf(client, 'projects', {});
    const { body } = await upsert(client, path, { Name: 'One', Budget: 2 }, 'Name');
    return body.createdRecords.length !== 0;
  },
};

const uniqueness: Of<'uniqueness'> = {
  'code-taken-by-update': async (client) => {
    const { path, ids } = await baseOf(client, 'projects', { Code: 'NL-1' }, { Code: 'NL-2' });
    return !isRefused(await change(client, `PATCH ${path}`, ids[1] ?? '', { Code: 'NL-1' }));
  },
  'code-twice-in-batch': (client) =>
    isAdded(client, 'projects', { Code: 'NL-1' }, { Code: 'NL-1' }),
  'email-case-matters': async (client) => {
    const { path } = await baseOf(client, 'people', { Email: 'eli@north.example' });
    return isTaken(client, `POST ${path}`, batch({ Email: 'Eli@North.example' }));
  },
};

/** A project with a task, and what there is of both. */
async function pairOf(client: Client, hoursOfTask = 2) {
  const base = await newBase(client);
  const [project = ''] = await add(client, `${base}/projects`, {});
  const [task = ''] = await add(client, `${base}/tasks`, {
    Hours: hoursOfTask,
    Project: [project],
  });
  const [ofProject, ofTask] = [`${base}/projects/${project}`, `${base}/tasks/${task}`];
  const read = async (path: string): Promise<use.Fields> => (await get(client, path)).fields;
  return {
    ...{ base, project, task, ofTask },
    projectNow: () => read(ofProject),
    taskNow: () => read(ofTask),
    deleted: () => ask(client, `DELETE ${base}/projects?records[]=${project}`),
    archive: (archived: boolean) => ask(client, `PATCH ${ofTask}`, { archived }),
  };
}

const links: Of<'links'> = {
  'reverse-write-lost': async (client) => {
    const { base, task, taskNow } = await pairOf(client);
    const [other = ''] = await add(client, `${base}/projects`, { Tasks: [task] });
    return String((await taskNow())['Project']) !== other;
  },
  'moved-task-stays': async (client) => {
    const { base, task, projectNow } = await pairOf(client);
    const Project = await add(client, `${base}/projects`, {});
    await change(client, `PATCH ${base}/tasks`, task, { Project });
    return 'Tasks' in (await projectNow());
  },
  'deleted-project-linked': async (client) => {
    const { deleted, taskNow } = await pairOf(client);
    await deleted();
    return 'Project' in (await taskNow());
  },
  'project-deletes-tasks': async (client) => {
    const { deleted, ofTask } = await pairOf(client);
    await deleted();
    return isOther(ask(client, `GET ${ofTask}`), 200);
  },
  'link-to-other-base': async (client) =>
    isAdded(client, 'tasks', { Project: [(await pairOf(client)).project] }),
  'two-projects-linked': async (client) => {
    const { base, task } = await pairOf(client);
    const Project = await add(client, `${base}/projects`, {}, {});
    return !isRefused(await change(client, `PATCH ${base}/tasks`, task, { Project }));
  },
};

const archive: Of<'archive'> = {
  'archived-in-query': async (client) => {
    const { base, archive: put } = await pairOf(client);
    await put(true);
    return (await ask(client, `POST ${base}/tasks/query`, {})).body.results.length !== 0;
  },
  'archived-changed': async (client) => {
    const { ofTask, archive: put } = await pairOf(client);
    await put(true);
    return isTaken(client, `PATCH ${ofTask}`, { fields: { Hours: 4 } });
  },
  'restore-loses-links': async (client) => {
    const { taskNow, archive: put } = await pairOf(client);
    await put(true);
    await put(false);
    return !('Project' in (await taskNow()));
  },
};

const sums: Of<'sums'> = {
  'hours-sum-stale': async (client) => {
    const { ofTask, projectNow } = await pairOf(client);
    await ask(client, `PATCH ${ofTask}`, { fields: { Hours: 5 } });
    return (await projectNow())['Total Hours'] !== 5;
  },
  'archived-task-counted': async (client) => {
    const { projectNow, archive: put } = await pairOf(client);
    await put(true);
    return (await projectNow())['Task Count'] !== 0;
  },
  'comment-count-grows': async (client) => {
    const { ofTask } = await pairOf(client);
    const { id } = (await ask(client, `POST ${ofTask}/comments`, { text: 'Hi' })).body;
    await ask(client, `DELETE ${ofTask}/comments/${id}`);
    return (await get(client, ofTask)).commentCount !== 0;
  },
};

const access: Of<'access'> = {
  'reader-upserts': async (client) => {
    const performUpsert = { fieldsToMergeOn: ['Name'] };
    const json = { records: [{ fields: { Name: unique('task') } }], performUpsert };
    return isOther(ask(client, `PATCH ${await use.readBase(client)}/tasks`, json, 'second'), 403);
  },
  'foreign-base-queried': async (client) =>
    isOther(ask(client, `POST ${await newBase(client)}/tasks/query`, {}, 'second'), 404),
  'record-of-other-base': async (client) => {
    const { task } = await pairOf(client);
    return isOther(ask(client, `GET ${await newBase(client)}/tasks/${task}`), 404);
  },
};

/** The path of a new webhook for tasks. */
const newWebhook = async (client: Client, base: string): Promise<string> => {
  const { id } = (await ask(client, `POST /bases${base}/webhooks`, { table: 'tasks' })).body;
  return `/bases${base}/webhooks/${id}/payloads`;
};

const events: Of<'events'> = {
  'comments-oldest-first': async (client) => {
    const { ofTask } = await pairOf(client);
    for (const text of ['1', '2']) await ask(client, `POST ${ofTask}/comments`, { text });
    const { comments } = await get(client, `${ofTask}/comments`);
    return comments.map(({ text }) => text).join() !== '2,1';
  },
  'payload-cursor-repeats': async (client) => {
    const base = await newBase(client);
    const path = await newWebhook(client, base);
    await add(client, `${base}/tasks`, {});
    const { cursor } = await get(client, path);
    return (await get(client, `${path}?cursor=${String(cursor)}`)).payloads.length !== 0;
  },
  'payload-for-refused': async (client) => {
    const base = await newBase(client);
    const path = await newWebhook(client, base);
    await ask(client, `POST ${base}/tasks`, batch({ Hours: 'many' }));
    return (await get(client, path)).payloads.length !== 0;
  },
};

/** For each defect: whether it shows to a client that reads the document. */
export const shows: Readonly<Record<DefectName, Show>> = {
  ...{ ...answers, ...validation, ...lists, ...filters, ...records, ...uniqueness },
  ...{ ...links, ...archive, ...sums, ...access, ...events },
};
