import { expect, test } from 'vitest';
import { parseContract } from '../../../src/contract/load.ts';
import type { JsonObject } from '../../../src/json/value.ts';
import { jsonOf, mockOf, send } from '../workshop.ts';

/**
 * What a record shows of its state as it is made, replaced, changed, acted on, and changed with no
 * good value: only the member itself.
 */
async function statesOf(member: string): Promise<unknown[]> {
  const json = (schema: string): string => `content: { application/json: { schema: ${schema} } }`;
  const id = 'parameters: [{ name: id, in: path, required: true, schema: { type: integer } }]';
  const page =
    '{ type: object, required: [id, title], properties: { id: { type: ' +
    'integer, readOnly: true }, title: { type: string }, status: { enum: ' +
    `[draft, archived] }, ${member} } }`;
  const contract = parseContract(
    `
openapi: 3.1.0
info: { title: Pages, version: '1' }
paths:
  /pages: { get: { responses: { '200': { description: ok,
      ${json(`{ type: array, items: ${page} }`)} } } }, post: { requestBody: { ${json(page)} },
      responses: { '201': { description: ok, ${json(page)} } } } }
  /pages/{id}: { ${id}, get: { responses: { '200': { description: ok, ${json(page)} } } }, put: {
      requestBody: { ${json(page)} }, responses: { '200': { description: ok, ${json(page)} } } },
      patch: { requestBody: { ${json('{ type: object }')} }, responses: { '200': {
      description: ok, ${json(page)} }, '400': { description: bad } } } }
  /pages/{id}/archive: { ${id}, post: { responses: { '204': { description: done } } } }
`,
    'pages.yaml',
  );
  const mock = await mockOf({ contract, seedRecords: 0 });
  const [name = ''] = member.split(':');
  const states: unknown[] = [];
  for (const [line, body] of [
    ['POST /pages', { title: 'a' }],
    ['PUT /pages/1', { title: 'b' }],
    ['PATCH /pages/1', { title: 'c' }],
    ['POST /pages/1/archive', undefined],
    ['PATCH /pages/1', { title: 1 }],
  ] as const) {
    await send(mock, line, body === undefined ? {} : { body });
    states.push((jsonOf(await send(mock, 'GET /pages/1')) as JsonObject)[name]);
  }
  return states;
}

test.each([
  ['version: { type: integer, readOnly: true }', [1, 2, 3, 4, 4]],
  ['lock_version: { type: integer, readOnly: true, minimum: 0 }', [1, 2, 3, 4, 4]],
  ['revision: { type: integer, readOnly: true, minimum: 5, maximum: 6 }', [5, 6, 6, 6, 6]],
  ['version: { type: integer }', [undefined, undefined, undefined, undefined, undefined]],
  ['version: { type: string, readOnly: true, enum: [v1] }', ['v1', 'v1', 'v1', 'v1', 'v1']],
])('the field %s counts the states of a record', async (member, states) => {
  expect(await statesOf(member)).toEqual(states);
});

test('a tag in a record changes with each update, in the same form', async () => {
  const tags = await statesOf('etag: { type: string, readOnly: true, default: \'W/"0"\' }');
  expect(new Set(tags).size).toBe(4);
  expect(tags.slice(1).every((tag) => /^W\/"[0-9a-f]{16}"$/.test(String(tag)))).toBe(true);
  expect(tags[4]).toBe(tags[3]);
});
