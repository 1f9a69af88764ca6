import { expect, test } from 'vitest';
import { parseContract } from '../../../src/contract/load.ts';
import { movesOf, wayBetween } from '../../../src/contract/words/read-moves.ts';

/** The moves that the description of an update tells, as `state: next next`. */
function told(description: string): string[] {
  const status = { type: 'string', enum: ['open', 'In work', 'done', 'closed'] };
  const schema = { type: 'object', properties: { id: { type: 'integer' }, status } };
  const content = { 'application/json': { schema } };
  const responses = { 200: { description: 'The task.', content } };
  const contract = parseContract(
    JSON.stringify({
      openapi: '3.0.3',
      info: { title: 'Tasks', version: '1' },
      paths: {
        '/tasks/{id}': {
          parameters: [{ name: 'id', in: 'path', required: true, schema: { type: 'integer' } }],
          get: { responses },
          patch: { description, requestBody: { content }, responses },
        },
      },
    }),
    'tasks.json',
  );
  const [tasks] = contract.resources;
  const update = tasks?.operations.update;
  const moves = tasks && update && movesOf(update, tasks);
  if (moves === undefined) return [];
  const way = wayBetween(moves, 'closed') ?? [];
  return [...[...moves.next].map(([from, to]) => `${from}: ${to.join(' ')}`), way.join(' ')];
}

test.each([
  [
    'It goes from open to In work, done and closed, one step at a time.',
    ['open: In work', 'In work: done', 'done: closed', 'closed: ', 'In work done closed'],
  ],
  ['Open → in_work → closed.', ['open: In work', 'In work: closed', 'closed: ', 'In work closed']],
  [
    'open to in work or done, done to closed; others follow.',
    ['open: In work done', 'In work: ', 'done: closed', 'closed: ', 'done closed'],
  ],
  [
    'From open, `status` goes to in work; from in work to done or closed.',
    ['open: In work', 'In work: done closed', 'done: ', 'closed: ', 'In work closed'],
  ],
])('%s', (description, expected) => {
  expect(told(description)).toEqual(expected);
});

test.each(['Sends an open task to others.', 'A closed task is not changed.', 'open to done'])(
  '%s tells too little',
  (description) => {
    expect(told(description)).toEqual([]);
  },
);
