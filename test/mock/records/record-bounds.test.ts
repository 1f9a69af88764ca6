import { describe, expect, test } from 'vitest';
import { parseContract } from '../../../src/contract/load.ts';
import { makeMemoryStore } from '../../../src/store/local-store.ts';
import type { StoreLimits } from '../../../src/store/store.ts';
import type { Mock } from '../../../src/mock/mock.ts';
import { jsonOf, mockOf, send } from '../workshop.ts';

const note = "content: { application/json: { schema: { $ref: '#/components/schemas/Note' } } }";
const patches =
  'content: { application/json-patch+json: { schema: { type: array } }, ' +
  'application/merge-patch+json: { schema: { type: object } } }';

const contract = parseContract(
  `
openapi: 3.1.0
info: { title: Notes, version: '1' }
paths:
  /notes:
    get: { operationId: list, responses: { '200': { description: all, content: {
        application/json: { schema: { type: array, items: {
        $ref: '#/components/schemas/Note' } } } } } } }
    post: { operationId: create, parameters: [{ name: Idempotency-Key, in: header, schema: {
        type: string } }], requestBody: { required: true, ${note} }, responses: { '201': {
        description: made, ${note} } } }
  /notes/batch:
    post: { operationId: createNotes, requestBody: { required: true, content: {
        application/json: { schema: { type: array, items: {
        $ref: '#/components/schemas/Note' } } } } }, responses: { '201': { description: made,
        content: { application/json: { schema: { type: array, items: {
        $ref: '#/components/schemas/Note' } } } } } } }
  /notes/{id}:
    parameters: [{ name: id, in: path, required: true, schema: { type: integer } }]
    get: { operationId: read, responses: { '200': { description: one, ${note} }, '404': {
        description: none } } }
    put: { operationId: replace, requestBody: { required: true, ${note} }, responses: { '200': {
        description: one, ${note} } } }
    patch: { operationId: update, requestBody: { required: true, ${patches} }, responses: {
        '200': { description: one, ${note} } } }
components: { schemas: { Note: { type: object, required: [text], properties: { id: {
    type: integer, readOnly: true }, text: { type: string }, more: {} } } } }`,
  'notes.yaml',
);

async function notes(limits: StoreLimits): Promise<Mock> {
  const mock = await mockOf({ contract, store: makeMemoryStore(limits) });
  await send(mock, 'POST /notes', { body: { text: 'x'.repeat(1_000) } });
  return mock;
}

describe('no change makes a record longer than a body may be', () => {
  test.each([
    [
      'a JSON patch that copies the record into itself',
      'application/json-patch+json',
      Array.from({ length: 24 }, (_, index) => ({
        op: 'copy',
        from: '',
        path: index === 0 ? '/more' : '/more/more',
      })),
    ],
    ['a merge patch', 'application/merge-patch+json', { more: 'y'.repeat(10_000) }],
  ])('%s is refused', async (_name, type, body) => {
    const mock = await notes({ record: 10_000 });
    const answer = await send(mock, 'PATCH /notes/1', { type, body });
    expect([400, 413]).toContain(answer.status);
    expect(Object.keys(jsonOf(await send(mock, 'GET /notes/1')) as object)).toEqual(['id', 'text']);
  });

  test.each(['POST /notes', 'PUT /notes/1'])('%s is refused with a hint', async (line) => {
    const answer = await send(await notes({ record: 10_000 }), line, {
      body: { text: 'y'.repeat(10_001) },
    });
    expect(answer.status).toBe(413);
    expect(jsonOf(answer)).toMatchObject({
      code: 'record_too_large',
      detail: expect.stringContaining('greater body limit') as unknown,
    });
  });
});

describe('a mock whose records use all of the allowed memory', () => {
  test.each([
    ['POST /notes', { body: { text: 'y'.repeat(5_000) } }],
    ['PUT /notes/1', { body: { text: 'y'.repeat(5_000) } }],
    ['PATCH /notes/1', { type: 'application/merge-patch+json', body: { text: 'y'.repeat(5_000) } }],
    ['POST /notes/batch', { body: [{ text: 'a' }, { text: 'y'.repeat(5_000) }] }],
  ])('%s is a 507 with the way out, and nothing changes', async (line, sending) => {
    const mock = await notes({ bytes: 4_000 });
    const before = jsonOf(await send(mock, 'GET /notes'));
    const answer = await send(mock, line, sending);
    expect(answer.status).toBe(507);
    expect(jsonOf(answer)).toMatchObject({
      code: 'insufficient_storage',
      detail: expect.stringMatching(
        /Delete records, reset the mock, or start it with a greater mock.maxBytes/,
      ) as unknown,
    });
    expect(jsonOf(await send(mock, 'GET /notes'))).toEqual(before);
  });

  test('still serves requests that need no more', async () => {
    const mock = await notes({ bytes: 4_000 });
    expect((await send(mock, 'PUT /notes/1', { body: { text: 'short' } })).status).toBe(200);
    expect((await send(mock, 'POST /notes', { body: { text: 'y'.repeat(1_000) } })).status).toBe(
      201,
    );
  });
});

test('responses under idempotency keys are bounded in memory', async () => {
  const mock = await notes({});
  const create = (key: string, text: string): ReturnType<typeof send> =>
    send(mock, 'POST /notes', { body: { text }, headers: [['Idempotency-Key', key]] });
  await create('first', 'kept');
  for (let index = 0; index < 20; index += 1)
    await create(`large ${String(index)}`, 'y'.repeat(1_000_000));
  const ids = [await create('large 19', 'y'.repeat(1_000_000)), await create('first', 'kept')].map(
    (answer) => (jsonOf(answer) as { id: number }).id,
  );
  expect(ids).toEqual([22, 23]);
});
