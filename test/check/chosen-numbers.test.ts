import { describe, expect, test } from 'vitest';
import { parseContract } from '../../src/contract/load.ts';
import { alarms, findingsOf, jsonObject, type Service } from './fixture/inline-service.ts';

const number = { type: 'integer', minimum: 1000, maximum: 9999, example: 4711 };
const name = { type: 'string', minLength: 1, maxLength: 60 };
const note = { type: 'string', maxLength: 60 };
const answer = (schema: object): object => ({
  description: 'Done',
  content: { 'application/json': { schema } },
});
const none = { description: 'Refused' };
const properties = { number, name, note };
const locker = { type: 'object', required: ['number', 'name'], properties };
const body = (required: readonly string[], given: object): object => ({
  required: true,
  content: { 'application/json': { schema: { type: 'object', required, properties: given } } },
});
const parameters = [{ name: 'number', in: 'path', required: true, schema: { type: 'integer' } }];
const contract = parseContract(
  JSON.stringify({
    openapi: '3.1.0',
    info: { title: 'Lockers', version: '1' },
    paths: {
      '/lockers': {
        get: { responses: { 200: answer({ type: 'array', items: locker }) } },
        post: {
          description: 'You choose the number. A number that is in use is a 409.',
          requestBody: body(['number', 'name'], properties),
          responses: { 201: answer(locker), 400: none, 409: none },
        },
      },
      '/lockers/{number}': {
        get: { parameters, responses: { 200: answer(locker), 404: none } },
        patch: {
          parameters,
          requestBody: body([], { name, note }),
          responses: { 200: answer(locker), 400: none, 404: none },
        },
        delete: { parameters, responses: { 204: { description: 'Gone' }, 404: none } },
      },
    },
  }),
  'lockers.json',
);

type Quirk = 'replaces' | 'loses changes' | 'loses changes, and one number is taken';

function lockers(quirk?: Quirk): Service {
  const kept = new Map<string, Record<string, unknown>>();
  let isNext = quirk === 'loses changes, and one number is taken';
  const isText = (value: unknown, least: number): boolean =>
    value === undefined ||
    (typeof value === 'string' && [...value].length >= least && [...value].length <= 60);
  return ({ method, path: [, id], body: sent, header }) => {
    const found = kept.get(id ?? '');
    if (id !== undefined && found === undefined) return { status: 404 };
    if (method === 'GET' || method === 'HEAD')
      return { status: 200, json: found ?? [...kept.values()] };
    if (method === 'DELETE') return { status: kept.delete(id ?? '') ? 204 : 404 };
    const given = header('content-type') === 'application/json' ? jsonObject(sent) : undefined;
    if (given === undefined || !isText(given['name'], 1) || !isText(given['note'], 0))
      return { status: 400 };
    if (found !== undefined) {
      const changed = { ...found, ...given, number: found['number'] };
      if (!(quirk ?? '').startsWith('loses changes')) kept.set(id ?? '', changed);
      return { status: 200, json: changed };
    }
    const { number: own } = given;
    const isNumber = Number.isInteger(own) && Number(own) >= 1000 && Number(own) <= 9999;
    if (!isNumber || given['name'] === undefined) return { status: 400 };
    if (kept.has(String(own)) && quirk !== 'replaces') return { status: 409 };
    // The first record that is made to repeat a finding meets a number that is in use.
    if (isNext && /vouch-\w+-r-/.test(String(given['name']))) {
      isNext = false;
      return { status: 409 };
    }
    kept.set(String(own), given);
    return { status: 201, json: given };
  };
}

describe('records under a number that clients choose within bounds', () => {
  const run = async (quirk?: Quirk): Promise<string[]> =>
    alarms(await findingsOf(contract, lockers(quirk)));

  test('a service that refuses a number in use is not accused', async () => {
    expect(await run()).toEqual([]);
  });

  test.each([
    ['replaces', /^error unique-is-kept .*accepted \(201\) the number of another record/],
    ['loses changes', /^error replaced-is-persisted /],
    ['loses changes, and one number is taken', /^error replaced-is-persisted /],
  ] as const)('a service that %s is found', async (quirk, line) => {
    expect(await run(quirk)).toContainEqual(expect.stringMatching(line));
  });
});
