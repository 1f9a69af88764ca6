import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../src/json/value.ts';
import { jsonContent, makeContract } from '../contract/make-contract.ts';
import { alarms, findingsOf, type Service } from './fixture/inline-service.ts';
import { paymentForms, tradeContract } from './fixture/trade-contract.ts';
import { tradeService } from './fixture/trade-service.ts';

const problem = jsonContent({ type: 'object' });

test('a parameter that may be null is left out, and never sent empty', async () => {
  const nullable = (schema: JsonObject): JsonObject => ({ anyOf: [schema, { type: 'null' }] });
  const contract = makeContract({
    paths: {
      '/items': {
        get: {
          operationId: 'items',
          parameters: [
            { name: 'n', in: 'query', schema: nullable({ type: 'integer', minimum: 1 }) },
            { name: 'day', in: 'query', schema: nullable({ type: 'string', format: 'date' }) },
          ],
          responses: {
            200: { description: 'ok', ...jsonContent({ type: 'object' }) },
            422: { description: 'wrong', ...problem },
          },
        },
      },
    },
  });
  const isDay = (text: string): boolean =>
    /^\d{4}-\d\d-\d\d$/.test(text) &&
    !Number.isNaN(Date.parse(text)) &&
    new Date(text).toISOString().startsWith(text);
  const service: Service = ({ method, path, query }) => {
    if (path.join('/') !== 'items') return { status: 404 };
    if (method !== 'GET' && method !== 'HEAD') return { status: 405, headers: { Allow: 'GET' } };
    const [n, day] = [query.getAll('n').at(-1), query.getAll('day').at(-1)];
    if (n !== undefined && !/^[1-9]\d*$/.test(n)) return { status: 422, json: { loc: ['n'] } };
    if (day !== undefined && !isDay(day)) return { status: 422, json: { loc: ['day'] } };
    return { status: 200, json: {} };
  };
  expect(alarms(await findingsOf(contract, service))).toEqual([]);
});

test('a service that ignores an unknown preference or language is not accused', async () => {
  const listed = (name: string, ...values: string[]): JsonObject => ({
    name,
    in: 'header',
    schema: { type: 'string', enum: values },
  });
  const contract = makeContract({
    paths: {
      '/items': {
        get: {
          operationId: 'items',
          parameters: [
            listed('Prefer', 'return=minimal', 'return=representation'),
            listed('Accept-Language', 'de', 'en'),
          ],
          responses: {
            200: { description: 'ok', ...jsonContent({ type: 'object' }) },
            400: { description: 'wrong', ...problem },
          },
        },
      },
    },
  });
  const service: Service = ({ method, path }) => {
    if (path.join('/') !== 'items') return { status: 404 };
    if (method !== 'GET' && method !== 'HEAD') return { status: 405, headers: { Allow: 'GET' } };
    return { status: 200, json: {} };
  };
  expect(alarms(await findingsOf(contract, service))).toEqual([]);
});

describe('a sound business service is not accused', () => {
  test.each([
    ['with many records', 12],
    ['with one record', 1],
    ['with an empty store', 0],
  ])('%s', async (_name, stock) => {
    const contract = tradeContract();
    expect(alarms(await findingsOf(contract, tradeService(contract, stock)))).toEqual([]);
  });

  test.each(Object.keys(paymentForms))('whose payments differ %s', async (forms) => {
    // The keys of the table, which Object.keys forgets.
    const contract = tradeContract(forms as keyof typeof paymentForms);
    expect(alarms(await findingsOf(contract, tradeService(contract, 2)))).toEqual([]);
  });
});
