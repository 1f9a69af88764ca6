import { expect, test } from 'vitest';
import { dropUnfit } from '../../../src/mock/replaceable-mock.ts';
import { makeMemoryStore } from '../../../src/store/local-store.ts';
import { jsonContent, makeContract } from '../../contract/make-contract.ts';

const listOf = (schema: string): { get: object } => ({
  get: {
    responses: {
      200: {
        description: 'ok',
        ...jsonContent({ type: 'array', items: { $ref: `#/components/schemas/${schema}` } }),
      },
    },
  },
});
const itemOf = (schema: string): { get: object } => ({
  get: {
    responses: {
      200: { description: 'ok', ...jsonContent({ $ref: `#/components/schemas/${schema}` }) },
    },
  },
});
const schemaOf = (extra: object): object => ({
  type: 'object',
  required: ['id'],
  properties: { id: { type: 'integer' }, ...extra },
});

const contract = makeContract({
  components: {
    schemas: {
      List: schemaOf({ name: { type: 'string' } }),
      Task: schemaOf({}),
      Step: schemaOf({}),
    },
  },
  paths: {
    '/lists': listOf('List'),
    '/lists/{listId}': itemOf('List'),
    '/lists/{listId}/tasks': listOf('Task'),
    '/lists/{listId}/tasks/{taskId}': itemOf('Task'),
    '/lists/{listId}/tasks/{taskId}/steps': listOf('Step'),
  },
} as unknown as Parameters<typeof makeContract>[0]);

test('a record that the contract no longer allows is removed with its nested records', async () => {
  const store = makeMemoryStore();
  const put = (
    collection: string,
    id: number,
    more: Record<string, string | number> = {},
  ): unknown =>
    store.insert({ session: 's', name: collection }, { id: String(id), record: { id, ...more } });
  await Promise.all([
    put('lists', 1, { name: 'fits' }),
    put('lists', 2, { name: 7 }),
    put('lists.tasks/1', 5),
    put('lists.tasks/2', 5),
    put('lists.tasks/2', 6),
    put('lists.tasks.steps/1/5', 8),
    put('lists.tasks.steps/2/5', 8),
    put('gone', 1),
  ]);
  expect(await dropUnfit(store, contract)).toEqual({ kept: 3, dropped: 5 });
  const left = Object.entries((await store.dump('s')).collections).flatMap(([name, { records }]) =>
    records.map(({ id }) => `${name} ${id}`),
  );
  expect(left).toEqual(['lists 1', 'lists.tasks/1 5', 'lists.tasks.steps/1/5 8']);
});
