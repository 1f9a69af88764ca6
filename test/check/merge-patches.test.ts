import { describe, expect, test } from 'vitest';
import { parseContract } from '../../src/contract/load.ts';
import type { Contract } from '../../src/contract/model.ts';
import { alarms, findingsOf, jsonObject, type Service } from './fixture/inline-service.ts';

const text = { type: 'string', minLength: 1, maxLength: 60 };
const fields = {
  name: text,
  remark: text,
  size: {
    type: 'object',
    properties: { width: { type: 'integer', minimum: 1 }, height: { type: 'integer', minimum: 1 } },
  },
};
const crate = { type: 'object', required: ['id', 'name'], properties: { id: text, ...fields } };
const answer = (schema: object): object => ({
  description: 'Done',
  content: { 'application/json': { schema } },
});
const none = { description: 'Refused' };
const parameters = [{ name: 'id', in: 'path', required: true, schema: text }];
const body = (type: string, required: readonly string[]): object => ({
  required: true,
  content: { [type]: { schema: { type: 'object', required, properties: fields } } },
});

const contractOf = (type: string, description?: string): Contract =>
  parseContract(
    JSON.stringify({
      openapi: '3.1.0',
      info: { title: 'Crates', version: '1', description },
      paths: {
        '/crates': {
          get: { responses: { 200: answer({ type: 'array', items: crate }) } },
          post: {
            requestBody: body('application/json', ['name']),
            responses: { 201: answer(crate), 400: none },
          },
        },
        '/crates/{id}': {
          get: { parameters, responses: { 200: answer(crate), 404: none } },
          patch: {
            parameters,
            requestBody: body(type, []),
            responses: { 200: answer(crate), 400: none, 404: none, 415: none },
          },
          delete: { parameters, responses: { 204: { description: 'Gone' }, 404: none } },
        },
      },
    }),
    'crates.json',
  );

type Members = Record<string, unknown>;
type Quirk = 'keeps what null removes' | 'replaces objects' | 'refuses null';

const isObject = (value: unknown): value is Members =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** RFC 7396, section 2, but for the quirk. */
function merged(target: unknown, patch: unknown, quirk?: Quirk): unknown {
  if (!isObject(patch)) return patch;
  const made: Members = isObject(target) ? { ...target } : {};
  for (const [name, value] of Object.entries(patch)) {
    if (value !== null)
      made[name] = quirk === 'replaces objects' ? value : merged(made[name], value, quirk);
    else if (quirk !== 'keeps what null removes') delete made[name];
  }
  return made;
}

function isValid({ name, remark, size }: Members): boolean {
  const isText = (value: unknown): boolean =>
    typeof value === 'string' && value !== '' && [...value].length <= 60;
  const isLength = (value: unknown): boolean =>
    value === undefined || (Number.isInteger(value) && Number(value) >= 1);
  return (
    isText(name) &&
    (remark === undefined || isText(remark)) &&
    (size === undefined || (isObject(size) && isLength(size['width']) && isLength(size['height'])))
  );
}

function crates(type: string, quirk?: Quirk): Service {
  const kept = new Map<string, Members>();
  return ({ method, path: [, id], body: sent, header }) => {
    const found = kept.get(id ?? '');
    if (id !== undefined && found === undefined) return { status: 404 };
    if (method === 'GET' || method === 'HEAD')
      return { status: 200, json: found ?? [...kept.values()] };
    if (method === 'DELETE') return { status: kept.delete(id ?? '') ? 204 : 404 };
    const given = jsonObject(sent);
    const wanted = id === undefined ? 'application/json' : type;
    if (header('content-type') !== wanted) return { status: id === undefined ? 400 : 415 };
    if (given === undefined) return { status: 400 };
    if ((quirk === 'refuses null' || id === undefined) && /:\s*null\b/.test(sent))
      return { status: 400 };
    const own = { id: found?.['id'] ?? `crate-${crypto.randomUUID()}` };
    const next = { ...(merged(found ?? {}, given, quirk) as Members), ...own };
    if (!isValid(next)) return { status: 400 };
    kept.set(own.id as string, next);
    return { status: found === undefined ? 201 : 200, json: next };
  };
}

describe('a PATCH that is a merge patch', () => {
  const type = 'application/merge-patch+json';
  const run = async (quirk?: Quirk): Promise<string[]> =>
    alarms(await findingsOf(contractOf(type), crates(type, quirk)));

  test.each([undefined, 'refuses null'] as const)(
    'a service that merges as RFC 7396 says is not accused: %s',
    async (quirk) => {
      expect(await run(quirk)).toEqual([]);
    },
  );

  test.each([
    ['keeps what null removes', /^error replaced-is-persisted .*to null left remark as it was/],
    ['replaces objects', /^error replaced-is-persisted .*without size\.height removed it/],
  ] as const)('a service that %s is found', async (quirk, line) => {
    expect(await run(quirk)).toContainEqual(expect.stringMatching(line));
  });
});

test.each([
  [undefined, 0],
  ['PATCH is a JSON Merge Patch.', 1],
])('plain JSON is merged where the words say so: %s', async (description, count) => {
  const type = 'application/json';
  const lines = alarms(
    await findingsOf(contractOf(type, description), crates(type, 'replaces objects')),
  );
  expect(lines.filter((line) => line.includes('A merge patch'))).toHaveLength(count);
});
