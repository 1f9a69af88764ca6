import { expect, test } from 'vitest';
import { parseContract } from '../../src/contract/load.ts';
import { converse, fixturesOf, mockOf } from './workshop.ts';

const json = (schema: object) => ({ content: { 'application/json': { schema } } });
const text = { type: 'string' };
const digits = { type: 'string', pattern: '^[0-9]+$' };
const time = { type: 'string', pattern: '^\\d{4}-\\d\\d-\\d\\d \\d\\d:\\d\\d$' };
const seconds = { type: 'string', pattern: '^\\d{4}-\\d\\d-\\d\\d \\d\\d:\\d\\d:\\d\\d$' };
const job = {
  type: 'object',
  properties: {
    id: text,
    title: text,
    hours: digits,
    state: { type: 'string', enum: ['open', 'done'] },
    placement: text,
    note_count: digits,
    created: seconds,
    done_at: { ...seconds, nullable: true },
    planned: time,
    lock_version: digits,
  },
  required: ['state', 'placement'],
};
const note = { type: 'object', properties: { id: text, words: text } };
const shown = { 200: { description: 'It.', ...json(job) } };
const body = (...names: string[]) => ({
  requestBody: json({
    type: 'object',
    required: names.slice(0, 1),
    properties: Object.fromEntries(names.map((name) => [name, text])),
  }),
});

const contract = parseContract(
  JSON.stringify({
    openapi: '3.0.3',
    info: { title: 'Jobs', version: '1' },
    paths: {
      '/jobs': {
        get: { responses: { 200: { description: '.', ...json({ type: 'array', items: job }) } } },
        post: { ...body('title'), responses: { 201: { description: 'New.', ...json(job) } } },
      },
      '/jobs/{id}': {
        parameters: [{ name: 'id', in: 'path', required: true, schema: text }],
        get: { responses: shown },
      },
      ...Object.fromEntries(
        [
          { verb: 'done' },
          { verb: 'reopen' },
          { verb: 'place', ...body('placement') },
          { verb: 'ship', ...body('title') },
        ].map(({ verb, ...more }) => [
          `/jobs/{id}/${verb}`,
          {
            parameters: [{ name: 'id', in: 'path', required: true, schema: text }],
            post: { ...more, responses: shown },
          },
        ]),
      ),
      '/jobs/{id}/notes': {
        parameters: [{ name: 'id', in: 'path', required: true, schema: text }],
        get: { responses: { 200: { description: '.', ...json({ type: 'array', items: note }) } } },
        post: { ...body('words'), responses: { 201: { description: '.', ...json(note) } } },
      },
    },
  }),
  'jobs.json',
);
const fresh = () => mockOf({ contract, fixtures: fixturesOf({ jobs: [], 'jobs.notes': [] }) });

test('a new record starts with counts, a version and times in the forms of its texts', async () => {
  const said = await converse(await fresh(), [
    ['POST /jobs', { body: { title: 'Dig' } }],
    ['POST /jobs/made-1/notes', { body: { words: 'Deep' } }],
    ['GET /jobs/made-1'],
  ]);
  expect(said).toMatchInlineSnapshot(`
    "POST /jobs → 201 {"id":"made-1","title":"Dig","state":"open","placement":"north",
      ↳"note_count":"0","created":"2030-01-02 03:04:05","lock_version":"1"}
    POST /jobs/made-1/notes → 201 {"id":"made-2","words":"Deep"}
    GET /jobs/made-1 → 200 {"id":"made-1","title":"Dig","state":"open",
      ↳"placement":"north","note_count":"1","created":"2030-01-02 03:04:05",
      ↳"lock_version":"1"}"
  `);
});

test('the time of a state is written with it, and emptied when the record goes back', async () => {
  const said = await converse(await fresh(), [
    ['POST /jobs', { body: { title: 'Dig' } }],
    ['POST /jobs/made-1/done'],
    ['POST /jobs/made-1/reopen'],
  ]);
  expect(said).toMatchInlineSnapshot(`
    "POST /jobs → 201 {"id":"made-1","title":"Dig","state":"open","placement":"north",
      ↳"note_count":"0","created":"2030-01-02 03:04:05","lock_version":"1"}
    POST /jobs/made-1/done → 200 {"id":"made-1","title":"Dig","state":"done",
      ↳"placement":"north","note_count":"0","created":"2030-01-02 03:04:05",
      ↳"lock_version":"1","done_at":"2030-01-02 03:04:05"}
    POST /jobs/made-1/reopen → 200 {"id":"made-1","title":"Dig","state":"open",
      ↳"placement":"north","note_count":"0","created":"2030-01-02 03:04:05",
      ↳"lock_version":"1","done_at":null}"
  `);
});

test('an action sets the member whose name its verb begins, and no other one', async () => {
  const said = await converse(await fresh(), [
    ['POST /jobs', { body: { title: 'Dig' } }],
    ['POST /jobs/made-1/place', { body: { placement: 'south' } }],
    ['POST /jobs/made-1/ship', { body: { title: 'Sow' } }],
  ]);
  expect(said).toMatchInlineSnapshot(`
    "POST /jobs → 201 {"id":"made-1","title":"Dig","state":"open","placement":"north",
      ↳"note_count":"0","created":"2030-01-02 03:04:05","lock_version":"1"}
    POST /jobs/made-1/place → 200 {"id":"made-1","title":"Dig","state":"open",
      ↳"placement":"south","note_count":"0","created":"2030-01-02 03:04:05",
      ↳"lock_version":"1"}
    POST /jobs/made-1/ship → 200 {"id":"made-1","title":"Dig","state":"open",
      ↳"placement":"south","note_count":"0","created":"2030-01-02 03:04:05",
      ↳"lock_version":"1"}"
  `);
});
