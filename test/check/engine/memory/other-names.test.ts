import { expect, test } from 'vitest';
import { Memory } from '../../../../src/check/engine/memory/memory.ts';
import type { JsonObject, JsonValue } from '../../../../src/json/value.ts';
import { jsonContent, makeContract } from '../../../contract/make-contract.ts';
import { type Said, talk } from '../../fixture/talk.ts';

const named = (name: string): JsonObject => ({
  name,
  in: 'path',
  required: true,
  schema: { type: 'string' },
});
const pool: JsonObject = { $ref: '#/components/schemas/Pool' };
const queue: JsonObject = { $ref: '#/components/schemas/Queue' };
const answers = (schema: JsonObject, status = 200): JsonObject => ({
  responses: { [status]: { description: '', ...jsonContent(schema) } },
});
const written = (schema: JsonObject, status = 200): JsonObject => ({
  requestBody: jsonContent(schema),
  ...answers(schema, status),
});
const gone = { responses: { 204: { description: '' } } };
const text = { type: 'string' };

/** Pools by their identifiers and by their names, with queues below them. */
const contract = makeContract({
  paths: {
    '/pools': { post: written(pool, 201) },
    '/pools/{id}': { parameters: [named('id')], get: answers(pool), delete: gone },
    '/pools/name/{name}': {
      parameters: [named('name')],
      get: answers(pool),
      patch: written(pool),
      delete: gone,
    },
    '/pools/{id}/queues': { parameters: [named('id')], post: written(queue, 201) },
    '/pools/{id}/queues/{queueId}': {
      parameters: [named('id'), named('queueId')],
      get: answers(queue),
      patch: written(queue),
    },
  },
  components: {
    schemas: {
      Pool: { type: 'object', required: ['id', 'name'], properties: { id: text, name: text } },
      Queue: { type: 'object', required: ['id'], properties: { id: text, title: text } },
    },
  },
});

const madeUp = 'vouch-1a2b3c4d5e6f7a8b';
const made: Said = {
  ask: 'POST /pools',
  status: 201,
  body: { name: madeUp },
  answer: { id: 'p-77', name: madeUp },
};

function told(said: readonly Said[]): Memory {
  const { earlier, ...last } = talk(contract, said);
  const memory = new Memory(contract);
  for (const step of [...earlier, last]) memory.learn(step);
  return memory;
}

function own(memory: Memory, resource: string): JsonValue | undefined {
  return memory.resolve({ kind: 'own', resource }, []);
}

test('a record of the run is called by its name on a path that takes names', () => {
  const memory = told([made]);
  expect(own(memory, 'pools')).toBe('p-77');
  expect(own(memory, 'pools.name')).toBe(madeUp);
  expect(memory.resolve({ kind: 'known', resource: 'pools.name' }, [])).toBe(madeUp);
});

test('it is the run’s own there, if the run made that name up', () => {
  const owns = (name: string): boolean => {
    const memory = told([{ ...made, body: { name }, answer: { id: 'p-77', name } }]);
    const resource = contract.resources.find((one) => one.name === 'pools.name');
    if (resource === undefined) throw new Error('No path takes names.');
    return memory.owns({ resource, identifier: name, parents: new Map() });
  };
  expect(owns(madeUp)).toBe(true);
  expect(owns('main')).toBe(false);
});

test('deleted by its name, it is none any more', () => {
  const removed: Said = { ask: `DELETE /pools/name/${madeUp}`, status: 204 };
  expect(told([made, removed]).created).toEqual([]);
});

test('what stood below a deleted record is not taken for a request', () => {
  const below: Said = {
    ask: 'POST /pools/p-77/queues',
    status: 201,
    body: {},
    answer: { id: 'q-12' },
  };
  expect(own(told([made, below]), 'pools.queues')).toBe('q-12');
  const removed: Said = { ask: 'DELETE /pools/p-77', status: 204 };
  expect(own(told([made, below, removed]), 'pools.queues')).toBeUndefined();
});
