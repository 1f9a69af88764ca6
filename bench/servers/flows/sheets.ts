import { isDeepStrictEqual } from 'node:util';
import { counts, has, inOrder, isEmpty, isThere, lacks, matches, not } from './claims.ts';
import type { Claim, Flow, Step } from './step.ts';

/** An object with these members, whose names may have spaces. */
const holding = (wanted: Readonly<Record<string, unknown>>): Claim => ({
  says: `an object with ${JSON.stringify(wanted)}`,
  holds: (value, fill) =>
    Object.entries(wanted).every(([name, each]) =>
      isDeepStrictEqual((value as Record<string, unknown> | undefined)?.[name], fill(each)),
    ),
});

const projects = '/v0/{base}/projects';
const tasks = '/v0/{base}/tasks';
const webhook = '/v0/bases/{base}/webhooks/{webhook}';

const beginning: Step[] = [
  {
    does: 'is refused without a token',
    send: 'GET /v0/meta/bases',
    as: 'anonymous',
    status: 401,
    sees: { 'error type': 'AUTHENTICATION_REQUIRED' },
  },
  {
    does: 'creates a base',
    send: 'POST /v0/meta/bases',
    json: { name: 'Flow' },
    sees: { name: 'Flow', permissionLevel: 'owner' },
    keeps: { base: 'id' },
  },
  {
    does: 'finds it among the bases',
    send: 'GET /v0/meta/bases',
    sees: { 'bases [id={base}] name': ['Flow'] },
  },
  {
    does: 'reads its tables',
    send: 'GET /v0/meta/bases/{base}/tables',
    sees: {
      'tables * name': has('projects', 'tasks', 'people'),
      'tables [name=tasks] views * name': has('Urgent'),
    },
  },
  {
    does: 'creates a webhook for tasks',
    send: 'POST /v0/bases/{base}/webhooks',
    json: { table: 'tasks' },
    sees: { table: 'tasks', changeTypes: has('add', 'update', 'remove'), cursorForNextPayload: 1 },
    keeps: { webhook: 'id' },
  },
  {
    does: 'creates a person',
    send: 'POST /v0/{base}/people',
    json: { records: [{ fields: { Name: 'Ada Lund', Email: 'ada@flow.example', Active: true } }] },
    sees: { 'records 0 fields': holding({ Email: 'ada@flow.example', 'Assigned Hours': 0 }) },
    keeps: { ada: 'records 0 id' },
  },
  {
    does: 'is refused the same address in capitals',
    send: 'POST /v0/{base}/people',
    json: { records: [{ fields: { Name: 'Other', Email: 'ADA@flow.example' } }] },
    status: 422,
    sees: { 'error type': 'DUPLICATE_VALUE' },
  },
  {
    does: 'creates two projects',
    send: `POST ${projects}`,
    json: {
      records: [
        { fields: { Name: 'River', Code: 'FL-1', Status: 'Active', Budget: 900, Tags: ['Web'] } },
        { fields: { Name: 'Bridge', Code: 'FL-2', Status: 'Done' } },
      ],
    },
    sees: {
      'records * fields Name': ['River', 'Bridge'],
      'records 0 fields': holding({ 'Task Count': 0 }),
    },
    keeps: { river: 'records 0 id', bridge: 'records 1 id' },
  },
];

const writing: Step[] = [
  {
    does: 'is refused a batch of which one is not valid',
    send: `POST ${tasks}`,
    json: { records: [{ fields: { Name: 'Good' } }, { fields: { Name: 'Bad', Hours: -2 } }] },
    status: 422,
    sees: { 'error type': 'INVALID_VALUE_FOR_COLUMN' },
  },
  {
    does: 'sees that no task was created',
    send: `GET ${tasks}`,
    sees: { records: counts(0) },
  },
  {
    does: 'creates tasks',
    send: `POST ${tasks}`,
    json: {
      records: [
        { fields: { Name: 'Map', Hours: 4, Priority: 'High', Project: ['{river}'] } },
        {
          fields: {
            ...{ Name: 'Boat', Hours: 2.5, Priority: 'Low', Done: true },
            ...{ Project: ['{river}'], Assignees: ['{ada}'] },
          },
        },
        { fields: { Name: 'Oar', Priority: 'Medium', Due: '2026-06-01' } },
      ],
    },
    sees: { 'records * fields Name': ['Map', 'Boat', 'Oar'], 'records 0 commentCount': 0 },
    keeps: { map: 'records 0 id', boat: 'records 1 id', oar: 'records 2 id' },
  },
  {
    does: 'sees the tasks and the sums at the project',
    send: `GET ${projects}/{river}`,
    sees: {
      'fields Tasks': has('{map}', '{boat}'),
      fields: holding({ 'Task Count': 2, 'Open Tasks': 1, 'Total Hours': 6.5 }),
    },
  },
  {
    does: 'links a task from the other end',
    send: `PATCH ${projects}`,
    json: { records: [{ id: '{bridge}', fields: { Tasks: ['{map}', '{oar}'] } }] },
    sees: { 'records 0 fields': holding({ 'Task Count': 2, Status: 'Done' }) },
  },
  {
    does: 'sees that the task has moved',
    send: `GET ${tasks}/{map}`,
    sees: { fields: holding({ Project: ['{bridge}'], 'Project Name': 'Bridge', Hours: 4 }) },
  },
  {
    does: 'replaces a task and so clears what is left out',
    send: `PUT ${tasks}`,
    json: { records: [{ id: '{oar}', fields: { Name: 'Oars', Hours: 1 } }] },
    sees: {
      'records 0 fields Name': 'Oars',
      'records 0 fields Due': isEmpty,
      'records 0 fields Project': isEmpty,
    },
  },
  {
    does: 'upserts projects by their Code',
    send: `PATCH ${projects}`,
    json: {
      performUpsert: { fieldsToMergeOn: ['Code'] },
      records: [
        { fields: { Name: 'River', Code: 'FL-1', Budget: 1200 } },
        { fields: { Name: 'Weir', Code: 'FL-3', Budget: 50 } },
      ],
    },
    sees: { 'records 0 id': '{river}', updatedRecords: ['{river}'], createdRecords: counts(1) },
    keeps: { weir: 'createdRecords 0' },
  },
  {
    does: 'is refused an End before the Start',
    send: `PATCH ${projects}`,
    json: { records: [{ id: '{river}', fields: { Start: '2026-05-02', End: '2026-05-01' } }] },
    status: 422,
  },
];

const reading: Step[] = [
  {
    does: 'reads all pages in descending order, empty values last',
    send: `GET ${projects}`,
    query: { pageSize: 2, 'sort[0][field]': 'Budget', 'sort[0][direction]': 'desc' },
    next: { at: 'offset', as: 'offset' },
    sees: { 'pages * records * id': ['{river}', '{weir}', '{bridge}'] },
  },
  {
    does: 'reads a view, and of it one field',
    send: `GET ${tasks}`,
    query: { view: 'Urgent', 'fields[]': 'Name' },
    sees: { 'records * id': ['{map}'], 'records 0 fields': { Name: 'Map' } },
  },
  {
    does: 'finds tasks by a filter',
    send: `POST ${tasks}/query`,
    json: {
      filter: {
        and: [
          { property: 'Done', equals: false },
          { or: ['map', 'OAR'].map((contains) => ({ property: 'Name', contains })) },
        ],
      },
      sorts: [{ property: 'Hours', direction: 'ascending' }],
    },
    sees: { 'results * id': inOrder('{oar}', '{map}'), has_more: false, next_cursor: null },
  },
  {
    does: 'finds tasks by a linked record, one on a page',
    send: `POST ${tasks}/query`,
    json: { filter: { property: 'Project', is_not_empty: true }, page_size: 1 },
    sees: { results: counts(1), has_more: true, next_cursor: isThere },
    keeps: { cursor: 'next_cursor', first: 'results 0 id' },
  },
  {
    does: 'finds the other one on the next page',
    send: `POST ${tasks}/query`,
    json: {
      filter: { property: 'Project', is_not_empty: true },
      ...{ page_size: 1, start_cursor: '{cursor}' },
    },
    sees: { results: counts(1), 'results 0 id': not('{first}'), has_more: false },
  },
];

const ending: Step[] = [
  {
    does: 'comments on a task',
    send: `POST ${tasks}/{map}/comments`,
    json: { text: 'Where is north?' },
    sees: { text: 'Where is north?', 'author id': matches(/^usr/) },
    keeps: { comment: 'id' },
  },
  {
    does: 'sees the comment counted',
    send: `GET ${tasks}/{map}`,
    sees: { commentCount: 1 },
  },
  {
    does: 'deletes the comment',
    send: `DELETE ${tasks}/{map}/comments/{comment}`,
    sees: { id: '{comment}', deleted: true },
  },
  {
    does: 'archives a task',
    send: `PATCH ${tasks}/{map}`,
    json: { archived: true },
    sees: { archived: true, 'fields Project': ['{bridge}'] },
  },
  {
    does: 'finds it only among the archived ones',
    send: `GET ${tasks}`,
    query: { archived: true },
    sees: { 'records * id': ['{map}'] },
  },
  {
    does: 'is refused a change of it',
    send: `PATCH ${tasks}/{map}`,
    json: { fields: { Hours: 8 } },
    status: 422,
    sees: { 'error type': 'RECORD_ARCHIVED' },
  },
  {
    does: 'restores it with a change',
    send: `PATCH ${tasks}/{map}`,
    json: { archived: false, fields: { Hours: 8 } },
    sees: { archived: false, 'fields Hours': 8 },
  },
  {
    does: 'sees it at its project again',
    send: `GET ${projects}/{bridge}`,
    sees: { fields: holding({ Tasks: ['{map}'], 'Total Hours': 8 }) },
  },
  {
    does: 'deletes two projects',
    send: `DELETE ${projects}?records[]={bridge}&records[]={weir}`,
    sees: { 'records * id': ['{bridge}', '{weir}'], 'records 0 deleted': true },
  },
  {
    does: 'sees the task without its project',
    send: `GET ${tasks}/{map}`,
    sees: { 'fields Project': isEmpty, 'fields Name': 'Map' },
  },
  {
    does: 'reads what the webhook was told',
    send: `GET ${webhook}/payloads`,
    query: { limit: 2 },
    sees: {
      'payloads 0 createdRecordIds': ['{map}', '{boat}', '{oar}'],
      'payloads 1 changedRecordIds': ['{oar}'],
      cursor: 3,
      mightHaveMore: true,
    },
  },
  { does: 'deletes the webhook', send: `DELETE ${webhook}`, status: 204 },
  {
    does: 'is the other user, who does not see the base',
    send: `GET ${tasks}`,
    as: 'second',
    status: 404,
    sees: { 'error type': 'NOT_FOUND' },
  },
  {
    does: 'reads another base as this user',
    send: 'GET /v0/meta/bases',
    as: 'second',
    sees: { 'bases * id': lacks('{base}'), 'bases * permissionLevel': has('read') },
  },
];

/** The workspace service: bases, linked records, filters, comments, webhooks. */
export const sheets: Flow = {
  name: 'sheets',
  steps: [...beginning, ...writing, ...reading, ...ending],
};
