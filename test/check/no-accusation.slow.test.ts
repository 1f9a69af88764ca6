import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../src/json/value.ts';
import { jsonContent, makeContract } from '../contract/make-contract.ts';
import { alarms, findingsOf, jsonObject, type Service } from './fixture/inline-service.ts';
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

test('several outcomes in one answer, names that are null, one of several members', async () => {
  const text = { type: 'string' };
  const list = (items: JsonObject): JsonObject => ({ type: 'array', items });
  const takes = (properties: JsonObject, required: readonly string[] = []): JsonObject => ({
    required: true,
    ...jsonContent({ type: 'object', required: [...required], properties }),
  });
  const refused = { 400: { description: 'wrong', ...problem } };
  const ok = jsonContent({ type: 'object' });
  const note = { type: 'object', required: ['text'], properties: { text } };
  const condition = { type: 'object', properties: { by: text, than: { type: 'string' } } };
  const contract = makeContract({
    paths: {
      '/notes/batch/create': {
        post: {
          operationId: 'createNotes',
          requestBody: takes({ notes: { ...list(note), minItems: 1 } }, ['notes']),
          responses: {
            201: { description: 'all are made', ...ok },
            207: { description: 'each by itself', ...ok },
            ...refused,
          },
        },
      },
      '/events': {
        get: {
          operationId: 'listEvents',
          responses: {
            200: {
              description: 'ok',
              ...jsonContent(
                list({
                  type: 'object',
                  properties: { id: { type: 'integer' }, noteName: { type: ['string', 'null'] } },
                }),
              ),
            },
          },
        },
      },
      '/events/{noteName}': {
        get: {
          operationId: 'listEventsOf',
          parameters: [{ name: 'noteName', in: 'path', required: true, schema: text }],
          responses: { 200: { description: 'ok', ...ok }, 404: { description: 'none' } },
        },
      },
      '/people/search': {
        post: {
          operationId: 'searchPeople',
          description: 'It has at least one of `name` and `where`.',
          requestBody: takes({ name: text, where: list(condition) }),
          responses: { 200: { description: 'ok', ...ok }, ...refused },
        },
      },
    },
  });
  const wrong = { status: 400, json: { message: 'The request is not valid: where, name' } };
  const service: Service = ({ method, path, body }) => {
    const place = path.join('/');
    if (place === 'events' && method === 'GET')
      return {
        status: 200,
        json: [
          { id: 1, noteName: null },
          { id: 2, noteName: null },
        ],
      };
    if (path[0] === 'events')
      return method === 'GET' ? { status: 404 } : { status: 405, headers: { Allow: 'GET' } };
    if (method !== 'POST') return { status: 405, headers: { Allow: 'POST' } };
    const sent = jsonObject(body);
    if (sent === undefined) return wrong;
    if (place === 'notes/batch/create') {
      const { notes } = sent;
      if (!Array.isArray(notes) || notes.length === 0) return wrong;
      const isWhole = notes.every(
        (one: { readonly text?: unknown } | null) => typeof one?.text === 'string',
      );
      return { status: isWhole ? 201 : 207, json: { failed: isWhole ? 0 : 1 } };
    }
    const { name, where } = sent;
    const isList = where === undefined || Array.isArray(where);
    const isName = name === undefined || typeof name === 'string';
    if (!isList || !isName || (name === undefined && where === undefined)) return wrong;
    const fits = (where ?? []).every(
      (one: unknown) => typeof one === 'object' && one !== null && 'by' in one && 'than' in one,
    );
    return fits ? { status: 200, json: {} } : wrong;
  };
  expect(
    alarms(await findingsOf(contract, service)).filter((line) => line.startsWith('error')),
  ).toEqual([]);
});
