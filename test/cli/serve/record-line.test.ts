import { expect, test } from 'vitest';
import type { JsonObject } from '../../../src/json/value.ts';
import { recordLine } from '../../../src/cli/serve/record-line.ts';
import { startMock, type StartMockOptions } from '../../../src/library/start-mock.ts';

const schemaOf = (example?: JsonObject): JsonObject => ({
  type: 'object',
  required: ['id', 'name'],
  properties: { id: { type: 'integer' }, name: { type: 'string' } },
  ...(example && { example }),
});
const answers = (schema: JsonObject): JsonObject => ({
  responses: { 200: { description: 'All of it', content: { 'application/json': { schema } } } },
});
const id = { name: 'id', in: 'path', required: true, schema: { type: 'integer' } };

function collection(path: string, schema: JsonObject): JsonObject {
  const parameters = path.includes('{id}') ? [id] : [];
  return {
    [path]: { get: { parameters, ...answers({ type: 'array', items: schema }) } },
    [`${path}/{key}`]: {
      parameters: [...parameters, { ...id, name: 'key' }],
      get: answers(schema),
    },
  };
}

const contract = {
  openapi: '3.1.0',
  info: { title: 'Shop', version: '1' },
  paths: {
    ...collection('/customers', schemaOf()),
    ...collection('/customers/{id}/invoices', schemaOf()),
    ...collection('/plans', schemaOf({ id: 7, name: 'Basic' })),
    '/settings': {
      get: answers({ type: 'object', properties: { theme: { type: 'string' } } }),
      put: {
        requestBody: { content: { 'application/json': { schema: { type: 'object' } } } },
        ...answers({ type: 'object', properties: { theme: { type: 'string' } } }),
      },
    },
    '/weather/{key}': { parameters: [{ ...id, name: 'key' }], get: answers(schemaOf()) },
  },
};

async function lineOf(options: StartMockOptions): Promise<string> {
  const mock = await startMock({ config: false, port: 0, ...options });
  try {
    return await recordLine(mock);
  } finally {
    await mock.close();
  }
}

const invoices = 'customers.invoices (for each /customers/{id})';

test('records are counted, with what they are made from', async () => {
  expect(await lineOf({ contract })).toBe(
    '3 customers, settings (generated), 1 plans (examples of the contract), ' +
      `weather (any identifier), ${invoices}`,
  );
});

test('those of fixtures are only counted, and no records are none', async () => {
  const plans = [{ id: '1', record: { id: 1, name: 'Mine' } }];
  expect(await lineOf({ contract, records: 0, fixtures: new Map([['plans', plans]]) })).toBe(
    `0 customers, 1 plans, weather (any identifier), ${invoices}, settings (generated)`,
  );
});

test('of many resources, the first twelve are named', async () => {
  const paths = Array.from({ length: 15 }, (_, index) =>
    collection(`/things${String(index + 10)}`, schemaOf()),
  );
  expect(await lineOf({ contract: { ...contract, paths: Object.assign({}, ...paths) } })).toMatch(
    /^3 things10, .*, 3 things21 \(generated\), and 3 more \(list them with --explain\)$/,
  );
});
