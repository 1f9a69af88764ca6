import { expect, test } from 'vitest';
import { countedBy } from '../../../src/contract/infer/count-path.ts';
import { cursorOf } from '../../../src/contract/infer/infer-list-parameters.ts';
import type { Contract } from '../../../src/contract/model.ts';
import type { JsonObject } from '../../../src/json/value.ts';
import { jsonContent, makeContract } from '../make-contract.ts';

const text = { type: 'string' };
const part: JsonObject = {
  type: 'object',
  required: ['id', 'machine_id'],
  properties: { id: { type: 'integer' }, machine_id: { type: 'integer' }, label: text },
};
const draft: JsonObject = {
  type: 'object',
  required: ['id'],
  properties: { id: { type: 'integer' }, state: { ...text, enum: ['open', 'done'] } },
};
const inPath = (...names: readonly string[]) => ({
  parameters: names.map((name) => ({ name, in: 'path', required: true, schema: text })),
});
const shows = (schema: JsonObject, status = 200) => ({
  responses: { [status]: { description: 'ok', ...jsonContent(schema) } },
});
const takes = (schema: JsonObject) => ({ requestBody: { required: true, ...jsonContent(schema) } });
const labelled: JsonObject = { type: 'object', properties: { label: text } };
const machine: JsonObject = {
  type: 'object',
  required: ['id'],
  properties: { id: { type: 'integer' }, label: text },
};
const listed = (schema: JsonObject) => shows({ type: 'array', items: schema });

function operationsIn(contract: Contract): readonly string[] {
  return contract.resources.map(({ name, collection, itemPath = '', operations }) =>
    [name, collection, itemPath, ...Object.keys(operations)].join(' '),
  );
}

test('records that are made below others are changed under a path of their own', () => {
  const contract = makeContract({
    paths: {
      '/machines.json': { get: listed(machine) },
      '/machines/{machine_id}.json': { ...inPath('machine_id'), get: shows(machine) },
      '/machines/{machine_id}/parts.json': {
        ...inPath('machine_id'),
        get: listed(part),
        post: { ...takes(labelled), ...shows(part, 201) },
      },
      '/parts/{part_id}.json': {
        ...inPath('part_id'),
        put: { ...takes(labelled), ...shows(part) },
        delete: { responses: { 204: { description: 'gone' } } },
      },
    },
  });
  expect(operationsIn(contract)).toEqual([
    'machines machines /machines/{machine_id} list read',
    'machines.parts parts  list create',
    'parts parts /parts/{part_id} replace delete',
  ]);
});

test('records that are only made are those of the paths below them', () => {
  const contract = makeContract({
    paths: {
      '/drafts': { post: { ...takes(labelled), ...shows(draft, 201) } },
      '/drafts/{draft_id}/complete': { ...inPath('draft_id'), put: shows(draft) },
      '/drafts/{draft_id}/notes': { ...inPath('draft_id'), get: listed(part) },
      '/reports': { post: { ...takes(labelled), ...shows(draft, 201) } },
    },
  });
  expect(operationsIn(contract)).toEqual([
    'drafts drafts /drafts/{draft_id} create',
    'drafts.notes drafts.notes  list',
  ]);
  const [notes] = contract.resources.filter(({ name }) => name === 'drafts.notes');
  expect(notes?.parents.map(({ resource }) => resource?.name)).toEqual(['drafts']);
  expect(contract.inference.actions.map(({ operation }) => operation.id)).toEqual([
    'PUT /drafts/{draft_id}/complete',
  ]);
});

test('a list whose records are changed on a path beside it is no single record', () => {
  const level = { type: 'object', properties: { place: text, left: { type: 'integer' } } };
  const levels = { type: 'object', properties: { levels: { type: 'array', items: level } } };
  const contract = makeContract({
    paths: {
      '/levels': { get: { operationId: 'listLevels', ...shows(levels) } },
      '/levels/set': { post: { operationId: 'setLevel', ...takes(level), ...shows(level) } },
    },
  });
  expect(contract.resources.filter(({ kind }) => kind === 'singleton')).toEqual([]);
});

test.each<[string, JsonObject, string | undefined]>([
  ['/machines/count', { type: 'integer' }, 'machines'],
  ['/machines_count', { type: 'integer' }, 'machines'],
  ['/machines-count', { type: 'integer' }, 'machines'],
  ['/discount', { type: 'integer' }, undefined],
  [
    '/machines/count.json',
    { type: 'object', properties: { count: { type: 'integer' } } },
    'machines',
  ],
  ['/machines/count', { type: 'object', properties: { count: text } }, undefined],
  ['/machines/size', { type: 'integer' }, undefined],
])('%s that answers %j counts the records of %s', (path, schema, expected) => {
  const contract = makeContract({
    paths: { '/machines': { get: listed(machine) }, [path]: { get: shows(schema) } },
  });
  const [operation] = contract.operations.filter((one) => one.path === path);
  if (operation === undefined) throw new Error(`There is no ${path}.`);
  expect(countedBy(contract, operation)?.name).toBe(expected);
});

test.each<[string, JsonObject, boolean]>([
  ['offset', { offset: text }, true],
  ['offset', { offset: { type: 'integer' } }, false],
  ['page_info', {}, true],
  ['vendor', {}, false],
])('a text %s beside %j is a cursor: %j', (name, members, expected) => {
  const records = { type: 'array', items: machine };
  const contract = makeContract({
    paths: {
      '/machines': {
        get: {
          parameters: [{ name, in: 'query', schema: text }],
          ...shows({ type: 'object', properties: { records, ...members } }),
        },
      },
    },
  });
  const [operation] = contract.operations;
  if (operation === undefined) throw new Error('There is no list.');
  expect(cursorOf(operation.parameters, operation)?.name === name).toBe(expected);
});
