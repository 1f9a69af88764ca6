import { describe, expect, test } from 'vitest';
import { type Crud, crud, type Fields, text } from './fixture/crud/crud.ts';

/** What the service does wrong. */
type Quirk =
  'goes-back' | 'location-broken' | 'result-missing' | 'count-wrong' | 'drops-last' | 'half-done';

const json = (name: string): string =>
  `content: { application/json: { schema: { $ref: '#/components/schemas/${name}' } } }`;

const paths = `
/plants/bulk:
  post:
    operationId: createPlants
    description: >-
      All or nothing: also if another entry has the same name. The response has the order of the
      request.
    requestBody: { required: true, ${json('Plants')} }
    responses:
      '201': { description: Made, ${json('Plants')} }
      '400': { description: Not valid }
      '409': { description: A name is there twice. }
/reports:
  post:
    operationId: startReport
    summary: Report on plants
    description: It is done within two seconds.
    requestBody: { required: true, ${json('Start')} }
    responses:
      '202':
        description: Started
        headers: { Location: { required: true, schema: { type: string } } }
        ${json('Report')}
      '400': { description: Not valid }
/reports/{reportId}:
  parameters: [{ name: reportId, in: path, required: true, schema: { type: string } }]
  get:
    operationId: getReport
    responses: { '200': { description: One, ${json('Report')} }, '404': { description: None } }
/reports/{reportId}/file:
  parameters: [{ name: reportId, in: path, required: true, schema: { type: string } }]
  get:
    operationId: getFile
    responses:
      '200': { description: The file, content: { text/csv: { schema: { type: string } } } }
      '404': { description: None }
`;

const schemas = `
Start: { type: object, properties: { title: { type: string } } }
Report:
  type: object
  properties:
    id: { type: string, readOnly: true }
    status: { type: string, enum: [running, done], readOnly: true }
    rows: { type: integer, readOnly: true }
    fileHref: { type: string, format: uri-reference, readOnly: true }
`;

/** Plants, which can be made in bulk, and reports on them: each is done at its second read. */
function plants(quirk?: Quirk): Crud {
  const jobs = new Map<string, { reads: number; readonly rows: readonly string[] }>();
  const show = (id: string): unknown => {
    const { reads, rows } = jobs.get(id) ?? { reads: 0, rows: [] };
    const isDone = quirk === 'goes-back' ? reads === 2 : reads >= 2;
    const count = rows.length + (quirk === 'count-wrong' ? 1 : 0);
    return isDone
      ? { id, status: 'done', rows: count, fileHref: `/reports/${id}/file` }
      : { id, status: 'running' };
  };
  return crud(
    { Plant: { fields: { name: text } } },
    (rows) => {
      const add = (entries: readonly Fields[]): unknown => {
        const made = entries.map(({ name }, at) => ({
          id: `${String(rows('plants').length + at)}-bulk`,
          name,
        }));
        rows('plants').push(...made);
        return made;
      };
      return {
        on: {
          createPlants: ({ call, sent }) => {
            if (sent === undefined) {
              if (quirk === 'half-done') add(validIn(call.body));
              return undefined;
            }
            const entries = sent as readonly Fields[];
            const isTwice = new Set(entries.map(({ name }) => name)).size < entries.length;
            if (isTwice) return { status: 409 };
            return {
              status: 201,
              json: add(quirk === 'drops-last' ? entries.slice(0, -1) : entries),
            };
          },
          startReport: ({ sent, sound }) => {
            if (sent === undefined) return undefined;
            sound();
            const id = rows('reports').at(-1)?.id ?? '';
            jobs.set(id, { reads: 0, rows: rows('plants').map((plant) => plant.id) });
            const at = quirk === 'location-broken' ? 'none' : id;
            return { status: 202, json: show(id), headers: { Location: `/reports/${at}` } };
          },
          getReport: ({ row }) => {
            const job = jobs.get(row?.id ?? '');
            if (row === undefined || job === undefined) return undefined;
            job.reads += 1;
            return { status: 200, json: show(row.id) };
          },
          getFile: ({ row }) => {
            const job = jobs.get(row?.id ?? '');
            if (job === undefined || job.reads < 2 || quirk === 'result-missing')
              return { status: 404 };
            const written = ['id', ...job.rows, ''].join('\r\n');
            return { status: 200, text: written, headers: { 'Content-Type': 'text/csv' } };
          },
        },
      };
    },
    { paths, schemas },
  );
}

/** The valid plants of a list that is not valid. */
function validIn(body: string): Fields[] {
  try {
    const entries: unknown = JSON.parse(body);
    const all = (Array.isArray(entries) ? entries : []).map((entry) => Object(entry) as Fields);
    return all.filter(({ name }) => typeof name === 'string' && name !== '');
  } catch {
    return [];
  }
}

const alarmsOf = (quirk?: Quirk): Promise<string[]> =>
  plants(quirk).alarms(/^/, { only: ['job-ends', 'bulk-holds', 'file-agrees'] });

describe('jobs and bulk creates', () => {
  test('a service that ends its jobs and makes all or nothing has no finding', async () => {
    expect(await alarmsOf()).toEqual([]);
  });

  test.each<[Quirk, string]>([
    ['goes-back', 'error job-ends getReport: A job that was done is running'],
    ['location-broken', 'error job-ends getReport: The server answered 404'],
    ['result-missing', 'error file-agrees getFile: The server answered 404'],
    ['count-wrong', 'error file-agrees getFile: rows is'],
    ['drops-last', 'error bulk-holds createPlants: The only entry'],
    ['half-done', 'error bulk-holds createPlants: The server refused'],
  ])('%s is an %s', async (quirk, expected) => {
    const lines = await alarmsOf(quirk);
    expect(lines.map((line) => line.slice(0, expected.length))).toContain(expected);
  });
});
