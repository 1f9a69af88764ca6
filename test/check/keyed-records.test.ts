import { expect, test } from 'vitest';
import type { JsonObject } from '../../src/json/value.ts';
import { jsonContent, makeContract } from '../contract/make-contract.ts';
import {
  alarms,
  type Answered,
  findingsOf,
  jsonObject,
  type Service,
} from './fixture/inline-service.ts';

// Records that keep their fields in a group, and that paths call by a key in it.
const text = { type: 'string' };
const code = { ...text, pattern: '^[a-z0-9-]{3,40}$', description: 'Must be unique.' };
const fields = { code, label: { ...text, maxLength: 60 } };
const record: JsonObject = {
  type: 'object',
  required: ['id', 'type', 'attributes'],
  properties: {
    id: { ...text, readOnly: true },
    type: { type: 'string', enum: ['currencies'] },
    attributes: { type: 'object', required: ['code'], properties: fields },
  },
};
const wrapped = (data: JsonObject): JsonObject => ({
  type: 'object',
  required: ['data'],
  properties: { data },
});
const one = { description: 'One.', ...jsonContent(wrapped(record)) };
const refusal = {
  description: 'Refused.',
  ...jsonContent({ type: 'object', required: ['error'], properties: { error: text } }),
};
const body = (required: string[]) => ({
  required: true,
  ...jsonContent({ type: 'object', additionalProperties: false, required, properties: fields }),
});
const refusals = { 404: refusal, 409: refusal, 422: refusal };
const contract = makeContract({
  paths: {
    '/currencies': {
      get: {
        operationId: 'listCurrencies',
        responses: {
          200: {
            description: 'All.',
            ...jsonContent(wrapped({ type: 'array', items: record })),
          },
        },
      },
      post: {
        operationId: 'addCurrency',
        requestBody: body(['code']),
        responses: { 201: one, 409: refusal, 422: refusal },
      },
    },
    '/currencies/{code}': {
      parameters: [{ name: 'code', in: 'path', required: true, schema: text }],
      get: { operationId: 'getCurrency', responses: { 200: one, 404: refusal } },
      patch: {
        operationId: 'changeCurrency',
        requestBody: body([]),
        responses: { 200: one, ...refusals },
      },
      delete: {
        operationId: 'removeCurrency',
        responses: { 204: { description: 'Gone.' }, 404: refusal },
      },
    },
  },
});

interface Fields {
  readonly code: string;
  readonly label?: string;
}

type Quirk = 'creates a code twice' | 'changes to a taken code' | 'loses the label';

function service(quirk?: Quirk): Service {
  const kept: { readonly id: string; fields: Fields }[] = [];
  let last = 0;
  const shown = ({ id, fields: attributes }: (typeof kept)[number]): object => ({
    id,
    type: 'currencies',
    attributes,
  });
  const refused = (status: number): Answered => ({ status, json: { error: 'refused' } });
  const read = (sent: string, required: boolean): Partial<Fields> | undefined => {
    const given = jsonObject(sent);
    if (given === undefined || (required && given['code'] === undefined)) return undefined;
    const isSound = Object.entries(given).every(
      ([name, value]) =>
        typeof value === 'string' &&
        (name === 'code'
          ? /^[a-z0-9-]{3,40}$/.test(value)
          : name === 'label' && [...value].length <= 60),
    );
    return isSound ? given : undefined;
  };
  const isTaken = (wanted: string | undefined, own?: string): boolean =>
    kept.some((each) => each.fields.code === wanted && each.id !== own);
  return ({ method, path: [collection, name], body: sent, header }) => {
    if (collection !== 'currencies') return refused(404);
    if (sent !== '' && header('Content-Type') !== 'application/json') return refused(422);
    if (name === undefined && method === 'GET')
      return { status: 200, json: { data: kept.map(shown) } };
    if (name === undefined && method === 'POST') {
      const given = read(sent, true);
      if (given?.code === undefined) return refused(422);
      if (quirk !== 'creates a code twice' && isTaken(given.code)) return refused(409);
      last += 1;
      const { label: _lost, ...rest } = given;
      const made = {
        id: String(last),
        fields: { code: given.code, ...(quirk === 'loses the label' ? rest : given) },
      };
      kept.push(made);
      return { status: 201, json: { data: shown(made) } };
    }
    const found = kept.find((each) => each.fields.code === name);
    const headers = { Allow: name === undefined ? 'GET, POST' : 'GET, PATCH, DELETE' };
    if (!['GET', 'PATCH', 'DELETE'].includes(method) || name === undefined)
      return { ...refused(405), headers };
    if (found === undefined) return refused(404);
    if (method === 'GET') return { status: 200, json: { data: shown(found) } };
    if (method === 'DELETE') {
      kept.splice(kept.indexOf(found), 1);
      return { status: 204 };
    }
    const given = read(sent, false);
    if (given === undefined) return refused(422);
    if (quirk !== 'changes to a taken code' && isTaken(given.code, found.id)) return refused(409);
    found.fields = { ...found.fields, ...given };
    return { status: 200, json: { data: shown(found) } };
  };
}

const alarmsOf = async (quirk?: Quirk): Promise<string[]> =>
  alarms(await findingsOf(contract, service(quirk)));

test('a service that keeps its contract raises no alarm', async () => {
  expect(await alarmsOf()).toEqual([]);
});

test.each<[Quirk, RegExp]>([
  ['creates a code twice', /^error unique-is-kept addCurrency/],
  ['changes to a taken code', /^error unique-is-kept changeCurrency/],
  ['loses the label', /^error created-is-readable getCurrency: .* no label/],
])('one that %s is found', async (quirk, line) => {
  expect(await alarmsOf(quirk)).toContainEqual(expect.stringMatching(line));
});
