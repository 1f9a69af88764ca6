import { expect, test } from 'vitest';
import { checkTarget } from '../../../../src/check/engine/check-target.ts';
import { parseContract } from '../../../../src/contract/load.ts';
import { type Call, jsonObject, type Service, targetOf } from '../../fixture/inline-service.ts';

const text = { type: 'string' };
const objectOf = (properties: object, ...required: string[]): object => ({
  type: 'object',
  required,
  properties,
});
const content = (schema: object): object => ({ 'application/json': { schema } });
const answers = (status: number, schema: object): object => ({
  [status]: { description: 'done', content: content(schema) },
});
const taking = (schema: object): object => ({ required: true, content: content(schema) });
const inPath = (...names: string[]): object[] =>
  names.map((name) => ({ name, in: 'path', required: true, schema: text }));

const refused = {
  '400': { description: 'bad' },
  '404': { description: 'none' },
};
const store = objectOf({ id: text, name: text }, 'id');
const model = objectOf({ id: text, schema: text }, 'id');
const assertions = objectOf({ assertions: { type: 'array', items: text } }, 'assertions');

/** Stores with models, and beside each model what is asserted of it. */
const contract = parseContract(
  JSON.stringify({
    openapi: '3.1.0',
    info: { title: 'Stores', version: '1' },
    paths: {
      '/stores': {
        get: { responses: answers(200, objectOf({ stores: { type: 'array', items: store } })) },
        post: {
          requestBody: taking(objectOf({ name: text }, 'name')),
          responses: { ...answers(201, store), ...refused },
        },
      },
      '/stores/{store_id}': {
        parameters: inPath('store_id'),
        get: { responses: { ...answers(200, store), ...refused } },
        delete: { responses: { '204': { description: 'gone' }, ...refused } },
      },
      '/stores/{store_id}/models': {
        parameters: inPath('store_id'),
        get: {
          responses: {
            ...answers(200, objectOf({ models: { type: 'array', items: model } })),
            ...refused,
          },
        },
        post: {
          requestBody: taking(objectOf({ schema: text }, 'schema')),
          responses: { ...answers(201, objectOf({ model_id: text })), ...refused },
        },
      },
      '/stores/{store_id}/models/{id}': {
        parameters: inPath('store_id', 'id'),
        get: { responses: { ...answers(200, objectOf({ model })), ...refused } },
      },
      '/stores/{store_id}/assertions/{model_id}': {
        parameters: inPath('store_id', 'model_id'),
        get: { responses: { ...answers(200, assertions), ...refused } },
        put: {
          summary: 'Upsert assertions for a model',
          requestBody: taking(assertions),
          responses: { '204': { description: 'done' }, ...refused },
        },
      },
    },
  }),
  'stores.json',
);

interface Store {
  readonly id: string;
  readonly name: unknown;
  readonly models: Map<string, { readonly id: string; readonly schema: unknown; stated?: unknown }>;
}

/** Whether the contract has the method on the path. */
function isDeclared({ method, path: { length } }: Call): boolean {
  const others = { 1: ['POST'], 2: ['DELETE'], 3: ['POST'], 4: ['PUT'] }[length] ?? [];
  return ['GET', 'HEAD', ...others].includes(method);
}

function storesService(): Service {
  const stores = new Map<string, Store>();
  let next = 0;
  const newId = (): string => `r-${String((next += 1) * 7919)}`;
  const make = ({ body }: Call, key: string) => {
    const sent = jsonObject(body);
    return typeof sent?.[key] === 'string' ? { id: newId(), [key]: sent[key] } : undefined;
  };
  return (call) => {
    const [, id, kind, modelId] = call.path;
    if (!isDeclared(call)) return { status: 405, headers: { Allow: 'GET' } };
    if (id === undefined) {
      const shown = [...stores.values()].map(({ id: own, name }) => ({ id: own, name }));
      if (call.method !== 'POST') return { status: 200, json: { stores: shown } };
      const made = make(call, 'name');
      if (made === undefined) return { status: 400 };
      stores.set(made.id, { id: made.id, name: made['name'], models: new Map() });
      return { status: 201, json: made };
    }
    const of = stores.get(id);
    if (of === undefined) return { status: 404 };
    if (call.method === 'DELETE') return { status: stores.delete(id) ? 204 : 404 };
    if (kind === undefined) return { status: 200, json: { id, name: of.name } };
    if (modelId === undefined) {
      if (call.method !== 'POST') return { status: 200, json: { models: [...of.models.values()] } };
      const made = make(call, 'schema');
      if (made === undefined) return { status: 400 };
      of.models.set(made.id, { id: made.id, schema: made['schema'] });
      return { status: 201, json: { model_id: made.id } };
    }
    const found = of.models.get(modelId);
    if (found === undefined) return { status: 404 };
    if (kind === 'models') return { status: 200, json: { model: found } };
    if (call.method !== 'PUT') return { status: 200, json: { assertions: found.stated ?? [] } };
    const sent = jsonObject(call.body);
    const stated = sent?.['assertions'];
    const isList = Array.isArray(stated) && stated.every((one) => typeof one === 'string');
    if (!isList) return { status: 400 };
    found.stated = stated;
    return { status: 204 };
  };
}

test('what is read and put beside a record is reached by its identifier', async () => {
  const { summary } = await checkTarget({
    contract,
    ...targetOf(storesService()),
    mode: 'read-write',
    seed: 'beside',
    wait: async () => {},
  });
  expect(summary.reach).toMatchObject({ reached: 9, total: 9, shut: [] });
  expect(summary.findings.error).toBe(0);
});
