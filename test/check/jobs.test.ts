import { describe, expect, test } from 'vitest';
import { parseContract } from '../../src/contract/load.ts';
import {
  alarms,
  type Answered,
  type Call,
  findingsOf,
  type Service,
} from './fixture/inline-service.ts';

/** What the service does wrong. */
type Quirk =
  'goes-back' | 'location-broken' | 'result-missing' | 'count-wrong' | 'drops-last' | 'half-done';

const json = (name: string): string =>
  `content: { application/json: { schema: { $ref: '#/components/schemas/${name}' } } }`;

const text = `openapi: 3.1.0
info: { title: Plants, version: '1' }
paths:
  /plants:
    get: { operationId: listPlants, responses: { '200': { description: All, ${json('Plants')} } } }
    post:
      operationId: createPlant
      requestBody: { required: true, ${json('Plant')} }
      responses:
        '201': { description: Made, ${json('Plant')} }
        '400': { description: Not valid }
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
  /plants/{plantId}:
    parameters: [{ name: plantId, in: path, required: true, schema: { type: string } }]
    get:
      operationId: getPlant
      responses: { '200': { description: One, ${json('Plant')} }, '404': { description: None } }
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
components:
  schemas:
    Plant:
      type: object
      required: [name]
      properties: { id: { type: string, readOnly: true }, name: { type: string, minLength: 1 } }
    Plants: { type: array, minItems: 1, items: { $ref: '#/components/schemas/Plant' } }
    Start: { type: object, properties: { title: { type: string } } }
    Report:
      type: object
      properties:
        id: { type: string, readOnly: true }
        status: { type: string, enum: [running, done], readOnly: true }
        rows: { type: integer, readOnly: true }
        fileHref: { type: string, format: uri-reference, readOnly: true }
`;

interface Plant {
  id: string;
  name: string;
}
interface Report {
  id: string;
  reads: number;
  rows: string[];
}

/** Plants, which can be made in bulk, and reports on them. */
function service(quirk?: Quirk): Service {
  let last = 100;
  const newId = (): string => `p-${String((last += 1))}`;
  const plants = new Map<string, Plant>();
  const reports = new Map<string, Report>();
  const missing: Answered = { status: 404 };
  const valueOf = (body: string): unknown => {
    try {
      return JSON.parse(body);
    } catch {
      return undefined;
    }
  };
  const isRecord = (value: unknown): value is Record<string, unknown> =>
    typeof value === 'object' && value !== null && !Array.isArray(value);
  const isPlant = (value: unknown): value is { name: string } =>
    isRecord(value) && typeof value['name'] === 'string' && value['name'] !== '';
  const add = ({ name }: { name: string }): Plant => {
    const plant = { id: newId(), name };
    plants.set(plant.id, plant);
    return plant;
  };
  const bulk = (body: string): Answered => {
    const entries = valueOf(body);
    if (!Array.isArray(entries) || entries.length === 0) return { status: 400 };
    const valid = entries.filter(isPlant);
    if (valid.length < entries.length) {
      if (quirk === 'half-done') valid.forEach(add);
      return { status: 400 };
    }
    const isTwice = new Set(valid.map(({ name }) => name)).size < valid.length;
    if (isTwice) return { status: 409 };
    const made = (quirk === 'drops-last' ? valid.slice(0, -1) : valid).map(add);
    return { status: 201, json: made };
  };
  const onPlants = ({ method, path: [, id], body }: Call): Answered => {
    if (id === 'bulk' && method === 'POST') return bulk(body);
    if (id !== undefined) {
      const plant = plants.get(id);
      return plant === undefined ? missing : { status: 200, json: plant };
    }
    if (method === 'GET') return { status: 200, json: [...plants.values()] };
    const sent = valueOf(body);
    return isPlant(sent) ? { status: 201, json: add(sent) } : { status: 400 };
  };
  const show = ({ id, reads, rows }: Report): unknown => {
    const isDone = quirk === 'goes-back' ? reads === 2 : reads >= 2;
    if (!isDone) return { id, status: 'running' };
    const count = rows.length + (quirk === 'count-wrong' ? 1 : 0);
    return { id, status: 'done', rows: count, fileHref: `/reports/${id}/file` };
  };
  const onReports = ({ method, path: [, id, part], body }: Call): Answered => {
    if (id === undefined) {
      const sent = valueOf(body);
      if (method !== 'POST' || !isRecord(sent)) return { status: method === 'POST' ? 400 : 405 };
      if (sent['title'] !== undefined && typeof sent['title'] !== 'string') return { status: 400 };
      const report = { id: newId(), reads: 0, rows: [...plants.keys()] };
      reports.set(report.id, report);
      const at = quirk === 'location-broken' ? 'none' : report.id;
      return { status: 202, json: show(report), headers: { Location: `/reports/${at}` } };
    }
    const report = reports.get(id);
    if (report === undefined) return missing;
    if (part === 'file')
      return report.reads < 2 || quirk === 'result-missing'
        ? missing
        : {
            status: 200,
            text: ['id', ...report.rows, ''].join('\r\n'),
            headers: { 'Content-Type': 'text/csv' },
          };
    report.reads += 1;
    return { status: 200, json: show(report) };
  };
  return (call) => {
    if (!['GET', 'POST'].includes(call.method)) return { status: 405 };
    return call.path[0] === 'plants' ? onPlants(call) : onReports(call);
  };
}

async function alarmsOf(quirk?: Quirk): Promise<string[]> {
  const findings = await findingsOf(parseContract(text, 'plants.yaml'), service(quirk));
  return alarms(findings).filter((line) => /job-ends|bulk-holds|file-agrees/.test(line));
}

describe('jobs and bulk creates', () => {
  test('a service that ends its jobs and makes all or nothing has no finding', async () => {
    expect(await alarmsOf()).toEqual([]);
  });

  test.each<[Quirk, string]>([
    ['goes-back', 'error job-ends getReport: A job that was done is running'],
    ['location-broken', 'error job-ends getReport: The server answered 404'],
    ['result-missing', 'error file-agrees getFile: The server answered 404'],
    ['count-wrong', 'error file-agrees getFile: rows is'],
    ['drops-last', 'error bulk-holds createPlants: Of 3 entries'],
    ['half-done', 'error bulk-holds createPlants: The server refused'],
  ])('%s is an %s', async (quirk, expected) => {
    const lines = await alarmsOf(quirk);
    expect(lines.map((line) => line.slice(0, expected.length))).toContain(expected);
  });
});
