import { expect, test } from 'vitest';
import { validAccepted } from '../../../../src/check/topics/validity/valid-accepted.ts';
import { draftRequest } from '../../../../src/check/plan/draft.ts';
import type { JsonObject } from '../../../../src/json/value.ts';
import { jsonContent, makeContract } from '../../../contract/make-contract.ts';
import { crud, text } from '../../fixture/crud/crud.ts';
import { alarms, findingsOf } from '../../fixture/inline-service.ts';
import { talk, type Said } from '../../fixture/talk.ts';

const owner: JsonObject = {
  type: 'object',
  properties: { id: { type: 'string' }, name: { type: 'string' } },
};
const thing: JsonObject = {
  type: 'object',
  properties: { id: { type: 'string' }, ownerId: { type: 'string' } },
};
const id = { name: 'id', in: 'path', required: true, schema: { type: 'string' } };
const created = (schema: JsonObject): JsonObject => ({
  requestBody: jsonContent(schema),
  responses: {
    201: { description: 'made', ...jsonContent(schema) },
    422: { description: 'refused' },
  },
});
const contract = makeContract({
  paths: {
    '/owners': {
      get: {
        operationId: 'listOwners',
        responses: {
          200: { description: 'ok', ...jsonContent({ type: 'array', items: owner }) },
        },
      },
      post: { operationId: 'addOwner', ...created(owner) },
    },
    '/owners/{id}': {
      delete: {
        operationId: 'deleteOwner',
        parameters: [id],
        responses: { 204: { description: 'gone' } },
      },
    },
    '/things': { post: { operationId: 'addThing', ...created(thing) } },
  },
});

const made: Said = { ask: 'POST /owners', status: 201, body: {}, answer: { id: 'o1' } };
const gone: Said = { ask: 'DELETE /owners/o1', status: 204 };

/** Whether a create of a thing that belongs to an owner is accused, where it is refused. */
function isAccused(before: readonly Said[], ownerId: string, status: number): boolean {
  const refused: Said = { ask: 'POST /things', status, body: { ownerId }, answer: {} };
  const found = validAccepted.inspect(talk(contract, [...before, refused]));
  return (found ?? []).some(({ severity }) => severity === undefined);
}

test.each([404, 409, 410])(
  'a reference to what no answer has shown may be refused, with %i that nobody documents',
  (status) => {
    expect(isAccused([made], 'o9', status)).toBe(false);
    expect(isAccused([made, gone], 'o1', status)).toBe(false);
    expect(isAccused([made], 'o1', status)).toBe(true);
  },
);

test.each([
  [409, false],
  [403, true],
])('a create of a word that others may have is refused with %i: accused %s', async (status, is) => {
  const lines = await crud({ Limit: { fields: { title: text } } }, () => ({
    on: {
      createLimit: ({ sent }) => {
        const title: unknown = Object(sent).title;
        return title === 'null' ? { status, json: { detail: 'No.' } } : undefined;
      },
    },
  })).alarms(/valid-accepted/);
  expect(lines.length > 0).toBe(is);
});

test('a cursor that the contract does not show is a guess', () => {
  const read = (name: string): boolean | undefined => {
    const pages = makeContract({
      paths: {
        '/events/next': {
          get: {
            operationId: 'nextEvents',
            parameters: [{ name, in: 'query', required: true, schema: { type: 'string' } }],
            responses: { 200: { description: 'ok' } },
          },
        },
      },
    });
    const [operation] = pages.operations;
    const drafted = operation && draftRequest(pages, operation, { seed: 'a' });
    return drafted?.ok === true ? drafted.draft.invented : undefined;
  };
  expect(read('page-token')).toBe(true);
  expect(read('topic')).toBe(false);
});

/** What is said of a service that shows a file only as what it is, by a query parameter. */
async function saidOfFiles(parameter: string): Promise<string[]> {
  const type = { type: 'string', enum: ['file', 'directory'] };
  const file = { type: 'object', required: ['id', 'type'], properties: { id: text, type } };
  const asked = { name: parameter, in: 'query', schema: type };
  const files = makeContract({
    paths: {
      '/files': {
        get: {
          responses: { 200: { description: '', ...jsonContent({ type: 'array', items: file }) } },
        },
      },
      '/files/{id}': {
        get: {
          operationId: 'getFile',
          parameters: [{ name: 'id', in: 'path', required: true, schema: text }, asked],
          responses: {
            200: { description: '', ...jsonContent(file) },
            400: { description: 'It is none.' },
            404: { description: '' },
          },
        },
      },
    },
  });
  const shown = { id: 'a', type: 'file' };
  const findings = await findingsOf(files, ({ path, query }) => {
    if (path.length === 1) return { status: 200, json: [shown] };
    if (path[1] !== 'a') return { status: 404 };
    const wanted = query.get(parameter) ?? 'file';
    return wanted === 'file' ? { status: 200, json: shown } : { status: 400 };
  });
  return alarms(findings).filter((line) => line.includes('valid-accepted'));
}

test('a record may be refused as what it is not', async () => {
  expect(await saidOfFiles('type')).toEqual([]);
  expect(await saidOfFiles('view')).toHaveLength(1);
});

test('a token that only the service gives out may be refused with any status', async () => {
  const said = async (name: string): Promise<string[]> => {
    const pages = makeContract({
      paths: {
        '/events/next': {
          get: {
            operationId: 'getNextEvents',
            parameters: [{ name, in: 'query', required: true, schema: text }],
            responses: { 200: { description: '' }, 422: { description: '' } },
          },
        },
      },
    });
    return alarms(await findingsOf(pages, () => ({ status: 400 }))).filter((line) =>
      line.includes('valid-accepted'),
    );
  };
  expect(await said('page-token')).toEqual([]);
  expect(await said('topic')).toHaveLength(1);
});
