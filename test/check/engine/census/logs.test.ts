import { expect, test } from 'vitest';
import { checkTarget } from '../../../../src/check/engine/check-target.ts';
import { contractOf } from '../../fixture/odd-contract.ts';
import { alarms, jsonObject, type Service, targetOf } from '../../fixture/inline-service.ts';

const json = (schema: string): string => `content: { application/json: { schema: ${schema} } }`;
const winch = '{ $ref: "#/components/schemas/Winch" }';

/** Winches, and a log of what was done with them, by their ids: the last `size` entries. */
const contract = contractOf(`
paths:
  /winches:
    get: { operationId: listWinches, responses: { '200': { description: ok,
        ${json(`{ type: array, items: ${winch} }`)} } } }
    post: { operationId: addWinch, requestBody: { required: true, ${json(winch)} }, responses: {
        '201': { description: made, ${json(winch)} }, '400': { description: no } } }
  /winches/{id}:
    parameters: [{ name: id, in: path, required: true, schema: { type: string } }]
    get: { operationId: getWinch, responses: { '200': { description: ok, ${json(winch)} }, '404': {
        description: none } } }
    delete: { operationId: dropWinch, responses: { '204': { description: gone }, '404': {
        description: none } } }
  /journal:
    get: { operationId: readJournal, responses: { '200': { description: ok, ${json(
      `{ type: array, items: { type: object, required: [id], properties: {
          id: { type: string }, what: { type: string } } } }`,
    )} } } }
components: { schemas: { Winch: { type: object, required: [rope], properties: { id: { type: string,
    readOnly: true }, rope: { type: string } } } } }`);

const logging = (size: number, idOf: (winch: string, count: number) => string): Service => {
  const kept = new Map<string, unknown>([['w0', { id: 'w0', rope: 'steel' }]]);
  let count = 0;
  const log = ['made', 'oiled', 'moved'].map((what) => ({ id: idOf('w0', (count += 1)), what }));
  const note = (id: string, what: string): void =>
    void log.push({ id: idOf(id, (count += 1)), what });
  let made = 0;
  return ({ method, path: [kind, id], body }) => {
    if (kind === 'journal') {
      if (method !== 'GET') return { status: 405, headers: { Allow: 'GET' } };
      return { status: 200, json: log.slice(-size) };
    }
    if (kind !== 'winches') return { status: 404 };
    if (id === undefined && method === 'GET') return { status: 200, json: [...kept.values()] };
    if (id === undefined && method === 'POST') {
      const sent = jsonObject(body);
      if (typeof sent?.['rope'] !== 'string') return { status: 400 };
      const own = `w${String((made += 1))}`;
      kept.set(own, { id: own, rope: sent['rope'] });
      note(own, 'made');
      return { status: 201, json: kept.get(own) };
    }
    if (id === undefined || !kept.has(id)) return { status: 404 };
    if (method === 'GET') return { status: 200, json: kept.get(id) };
    if (method !== 'DELETE') return { status: 405, headers: { Allow: 'GET, DELETE' } };
    kept.delete(id);
    note(id, 'dropped');
    return { status: 204 };
  };
};

test.each<[string, number, Parameters<typeof logging>[1]]>([
  ['names the record in each entry', 1_000, (id) => id],
  ['shows its last entries only', 3, (_, count) => `e${String(count)}`],
])('a log that %s accuses nobody', async (_, size, idOf) => {
  const { findings, summary } = await checkTarget({
    contract,
    mode: 'read-write',
    seed: 'winches',
    only: ['ids-are-unique', 'page-holds', 'deleted-is-gone', 'stable-under-repeat'],
    ...targetOf(logging(size, idOf)),
  });
  expect(alarms(findings)).toEqual([]);
  expect(summary.census).toMatchObject({ gone: [], changed: [] });
  expect(summary.verdict).toBe('passed');
});
