import { expect, test } from 'vitest';
import { parseContract } from '../../src/contract/load.ts';
import { findingsOf, jsonObject, type Service } from './fixture/inline-service.ts';

const note =
  '{ type: object, required: [text], properties: { id: { type: integer, readOnly: true }, ' +
  'text: { type: string, maxLength: 200 } } }';

/** Notes in pages of at most 100, oldest first, and nothing that narrows a list. */
const contract = parseContract(
  `openapi: 3.1.0
info: { title: Notes, version: '1' }
paths:
  /notes:
    get:
      parameters:
        - { name: limit, in: query, schema: { type: integer, minimum: 1, maximum: 100 } }
        - { name: cursor, in: query, schema: { type: string } }
      responses: { '200': { description: ok, content: { application/json: { schema: { type: object,
        required: [notes], properties: { notes: { type: array, items: ${note} },
        next_cursor: { type: string } } } } } }, '400': { description: invalid } }
    post:
      requestBody: { required: true, content: { application/json: { schema: ${note} } } }
      responses: { '201': { description: made, content: { application/json: { schema: ${note} } } },
        '400': { description: invalid } }
  /notes/{id}:
    parameters: [{ name: id, in: path, required: true, schema: { type: integer } }]
    get: { responses: { '200': { description: ok, content: { application/json: {
      schema: ${note} } } }, '400': { description: invalid }, '404': { description: none } } }
    delete: { responses: { '204': { description: gone }, '400': { description: invalid },
      '404': { description: none } } }
`,
  'notes.yaml',
);

function notes(listsDeleted: boolean): Service {
  const texts = new Map(Array.from({ length: 130 }, (_text, at) => [at + 1, `Note ${String(at)}`]));
  const gone = new Set<number>();
  const shown = (id: number): object => ({ id, text: texts.get(id) });
  const page = (query: URLSearchParams): ReturnType<Service> => {
    const [limit, from] = [Number(query.get('limit') ?? 100), Number(query.get('cursor') ?? 0)];
    if (!(Number.isInteger(limit) && limit >= 1 && limit <= 100) || !Number.isInteger(from))
      return { status: 400 };
    const ids = [...texts.keys()].filter((id) => listsDeleted || !gone.has(id));
    const next = from + limit < ids.length ? { next_cursor: String(from + limit) } : {};
    return { status: 200, json: { notes: ids.slice(from, from + limit).map(shown), ...next } };
  };
  const make = (body: string): ReturnType<Service> => {
    const text = jsonObject(body)?.['text'];
    if (typeof text !== 'string' || Array.from(text).length > 200) return { status: 400 };
    const id = texts.size + 1;
    texts.set(id, text);
    return { status: 201, json: shown(id) };
  };
  return ({ method, path: [, name], query, body }) => {
    if (name === undefined) return method === 'GET' ? page(query) : make(body);
    if (!/^-?\d+$/.test(name)) return { status: 400 };
    const id = Number(name);
    if (!texts.has(id) || gone.has(id)) return { status: 404 };
    if (method === 'GET') return { status: 200, json: shown(id) };
    if (method !== 'DELETE') return { status: 405 };
    gone.add(id);
    return { status: 204 };
  };
}

const checksOf = async (listsDeleted: boolean): Promise<string[]> =>
  (await findingsOf(contract, notes(listsDeleted), { seed: 'late' }))
    .filter(({ severity }) => severity === 'error')
    .map(({ check }) => check);

test('a deleted record that a later page still has is reported', async () => {
  expect(await checksOf(true)).toContain('deleted-is-gone');
});

test('a list without deleted records has no error of that kind', async () => {
  expect(await checksOf(false)).not.toContain('deleted-is-gone');
});
