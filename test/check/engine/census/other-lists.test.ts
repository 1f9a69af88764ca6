import { describe, expect, test } from 'vitest';
import { checkTarget } from '../../../../src/check/engine/check-target.ts';
import type { CensusReport } from '../../../../src/check/model/run-summary.ts';
import { contractOf } from '../../fixture/odd-contract.ts';
import { jsonObject, type Service, targetOf } from '../../fixture/inline-service.ts';

const json = (schema: string): string => `content: { application/json: { schema: ${schema} } }`;
const pen = '{ $ref: "#/components/schemas/Pen" }';

/** Pens with a list of a form, and colors that no operation makes. */
async function censusOf(form: string, listed: unknown): Promise<CensusReport | undefined> {
  const contract = contractOf(`
paths:
  /pens:
    get: { operationId: listPens, responses: { '200': { description: ok, ${json(form)} } } }
    post: { operationId: addPen, requestBody: { required: true, ${json(pen)} }, responses: {
        '201': { description: made, ${json(pen)} }, '400': { description: no } } }
  /pens/{id}:
    parameters: [{ name: id, in: path, required: true, schema: { type: string } }]
    get: { operationId: getPen, responses: { '200': { description: ok, ${json(pen)} }, '404': {
        description: none } } }
    delete: { operationId: dropPen, responses: { '204': { description: gone }, '404': {
        description: none } } }
  /colors:
    get: { operationId: listColors, responses: { '200': { description: ok, ${json(
      '{ type: object, properties: { colors: { type: array, items: { type: string } } } }',
    )} } } }
components: { schemas: { Pen: { type: object, required: [ink], properties: { id: { type: string,
    readOnly: true }, ink: { type: string } } } } }`);
  const own = new Map<string, unknown>();
  const service: Service = ({ method, path: [kind, id], body }) => {
    if (kind === 'colors') return { status: 200, json: { colors: ['red', 'blue'] } };
    if (id === undefined && method === 'GET') return { status: 200, json: listed };
    if (id === undefined) {
      const sent = jsonObject(body);
      if (typeof sent?.['ink'] !== 'string') return { status: 400 };
      const made = { ...sent, id: `own-${String(own.size)}` };
      own.set(made.id, made);
      return { status: 201, json: made };
    }
    const kept = own.get(id);
    if (kept === undefined) return { status: 404 };
    if (method !== 'DELETE') return { status: 200, json: kept };
    own.delete(id);
    return { status: 204 };
  };
  const mode = 'read-write';
  const { summary } = await checkTarget({ contract, mode, seed: 'pens', ...targetOf(service) });
  return summary.census;
}

describe('the records of others are compared', () => {
  test.each<[string, string, unknown]>([
    ['an array of records', `{ type: array, items: ${pen} }`, [{ id: 'a1', ink: 'red' }]],
    ['a map', `{ type: object, additionalProperties: ${pen} }`, { a1: { ink: 'red' } }],
    ['texts', '{ type: array, items: { type: string } }', ['a1']],
    [
      'texts in an envelope',
      '{ type: object, properties: { pens: { type: array, items: { type: string } } } }',
      { pens: ['a1'] },
    ],
  ])('where the list is %s', async (_, form, listed) => {
    expect(await censusOf(form, listed)).toMatchObject({ lists: 1, records: 1, gone: [] });
  });
});

test('reads that show something no list has are named where no record was compared', async () => {
  const census = await censusOf(`{ type: array, items: ${pen} }`, []);
  expect(census).toMatchObject({ records: 0, elsewhere: ['GET /colors'] });
});

test('names that a list shows since the run began are left', async () => {
  const contract = contractOf(`
paths:
  /casks:
    post: { operationId: addCask, requestBody: { required: true, ${json(
      '{ type: object, required: [label], properties: { label: { type: string } } }',
    )} }, responses: { '201': { description: made, ${json(
      '{ type: object, required: [id], properties: { id: { type: string } } }',
    )} } } }
  /casks/{id}:
    parameters: [{ name: id, in: path, required: true, schema: { type: string } }]
    delete: { operationId: dropCask, responses: { '204': { description: gone } } }
  /labels:
    get: { operationId: listLabels, responses: { '200': { description: ok, ${json(
      '{ type: array, items: { type: string } }',
    )} } } }`);
  const labels = new Set(['oak']);
  let made = 0;
  const service: Service = ({ method, path: [kind, id], body }) => {
    if (kind === 'labels') return { status: 200, json: [...labels] };
    if (method === 'DELETE' && id !== undefined) return { status: 204 };
    const label = jsonObject(body)?.['label'];
    if (method !== 'POST' || typeof label !== 'string') return { status: 400 };
    labels.add(label);
    return { status: 201, json: { id: `c${String((made += 1))}` } };
  };
  const mode = 'read-write';
  const { events } = await checkTarget({ contract, mode, seed: 'casks', ...targetOf(service) });
  const count = labels.size - 1;
  expect(count).toBeGreaterThan(0);
  expect(events).toContainEqual(
    expect.objectContaining({ type: 'record-left', operation: 'GET /labels', count }),
  );
});
