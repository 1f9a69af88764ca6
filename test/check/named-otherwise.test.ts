import { expect, test } from 'vitest';
import { makePlan } from '../../src/check/engine/plan/plan-run.ts';
import { decodePercent } from '../../src/http/target.ts';
import type { JsonObject } from '../../src/json/value.ts';
import { jsonContent, makeContract } from '../contract/make-contract.ts';
import { findingsOf, jsonObject, type Service } from './fixture/inline-service.ts';

const text = { type: 'string', minLength: 1 };
const named = (name: string): JsonObject => ({ name, in: 'path', required: true, schema: text });
const pool: JsonObject = { $ref: '#/components/schemas/Pool' };
const given: JsonObject = { $ref: '#/components/schemas/NewPool' };
const missing = { 404: { description: '' }, 400: { description: '' } };
const shows = (schema: JsonObject): JsonObject => ({
  responses: { 200: { description: '', ...jsonContent(schema) }, ...missing },
});

/** Pools, which have an identifier in one path, and a name in another. */
const contract = makeContract({
  paths: {
    '/pools': {
      get: { operationId: 'listPools', ...shows({ type: 'array', items: pool }) },
      post: {
        operationId: 'createPool',
        requestBody: { required: true, ...jsonContent(given) },
        responses: {
          201: { description: '', ...jsonContent(pool) },
          ...missing,
          409: { description: '' },
        },
      },
    },
    '/pools/{id}': {
      parameters: [named('id')],
      get: { operationId: 'getPool', ...shows(pool) },
      delete: { operationId: 'deletePool', responses: { 204: { description: '' }, ...missing } },
    },
    '/pools/name/{name}': {
      parameters: [named('name')],
      get: { operationId: 'getPoolByName', ...shows(pool) },
      patch: {
        operationId: 'updatePoolByName',
        requestBody: {
          required: true,
          ...jsonContent({ type: 'object', properties: { size: { type: 'integer' } } }),
        },
        ...shows(pool),
      },
    },
  },
  components: {
    schemas: {
      NewPool: {
        type: 'object',
        required: ['name'],
        properties: { name: text, size: { type: 'integer' } },
      },
      Pool: {
        type: 'object',
        required: ['id', 'name', 'updated_at'],
        properties: {
          id: text,
          name: text,
          size: { type: 'integer' },
          updated_at: { type: 'string', format: 'date-time' },
        },
      },
    },
  },
});

interface Pool {
  readonly id: string;
  readonly name: string;
  size?: unknown;
  updated_at: string;
}

/** A service of pools; notes each identifier that is asked for as a name, and what is changed. */
function poolService(): { service: Service; asked: string[]; changed: string[] } {
  const ids = new Set<string>();
  const [pools, asked, changed]: [Pool[], string[], string[]] = [[], [], []];
  const add = (name: string, size: unknown): Pool => {
    const id = `pool-${String(ids.size + 1)}x7`;
    const made = { id, name, updated_at: new Date().toISOString() };
    ids.add(id);
    pools.push(size === undefined ? made : { ...made, size });
    return pools.at(-1) ?? made;
  };
  add('main', 3);
  const service: Service = ({ method, path, body }) => {
    const [, first = '', second] = path.map((part) => decodePercent(part) ?? part);
    const sent = jsonObject(body) ?? {};
    const isSound = sent['size'] === undefined || Number.isInteger(sent['size']);
    if (path.length === 1) {
      if (method === 'GET') return { status: 200, json: pools };
      const { name } = sent;
      if (method !== 'POST') return { status: 405, headers: { Allow: 'GET, POST' } };
      if (typeof name !== 'string' || name === '' || !isSound) return { status: 400 };
      if (pools.some((one) => one.name === name)) return { status: 409 };
      return { status: 201, json: add(name, sent['size']) };
    }
    if (second !== undefined && ids.has(second)) asked.push(`${method} ${second}`);
    const found = pools.find(({ id, name }) =>
      second === undefined ? id === first : name === second,
    );
    if (found === undefined) return { status: 404 };
    if (method === 'DELETE') pools.splice(pools.indexOf(found), 1);
    if (method === 'DELETE') return { status: 204 };
    if (method === 'PATCH') {
      if (jsonObject(body) === undefined || !isSound) return { status: 400 };
      Object.assign(found, sent, { updated_at: new Date().toISOString() });
      changed.push(found.name);
    }
    return { status: 200, json: found };
  };
  return { service, asked, changed };
}

test('a record is called by the member that identifies it on a path', async () => {
  const { service, asked, changed } = poolService();
  await findingsOf(contract, service);
  expect(asked).toEqual([]);
  expect(changed.length).toBeGreaterThan(0);
  expect(changed.filter((name) => name === 'main')).toEqual([]);
});

test('a story about a record that it made calls it so too', () => {
  const { stages } = makePlan({
    contract,
    mode: 'read-write',
    seed: 'a',
    runId: 'run-a',
    today: '2026-01-02',
    missingServer: () => undefined,
  });
  const cases = stages.flatMap(({ sequences }) => sequences.flatMap((sequence) => sequence.cases));
  const made = cases
    .filter(({ operation }) => operation.path.startsWith('/pools/name/'))
    .flatMap(({ request }) => request.arguments.map(({ source }) => source))
    .filter((source) => source.kind === 'made');
  expect(made.length).toBeGreaterThan(0);
  expect(made.filter(({ resource }) => resource !== 'pools.name')).toEqual([]);
});
