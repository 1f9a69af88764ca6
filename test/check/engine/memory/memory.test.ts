import { describe, expect, test } from 'vitest';
import { Memory } from '../../../../src/check/engine/memory/memory.ts';
import type { Compared, Source } from '../../../../src/check/model/request-template.ts';
import type { Step } from '../../../../src/check/model/step.ts';
import { join } from '../../../../src/contract/query-languages/conditions.ts';
import type { JsonValue } from '../../../../src/json/value.ts';
import { libraryContract } from '../../fixture/library-contract.ts';
import { type Said, talk } from '../../fixture/talk.ts';

const contract = libraryContract();
const resource = 'books';
const known: Source = { kind: 'known', resource, otherwise: 99 };
const own: Source = { kind: 'own', resource };
const book = (id: number, more: Record<string, JsonValue> = {}): JsonValue => ({
  id,
  title: 'Dune',
  shelfId: 4,
  ...more,
});
const expression = (...compared: readonly Compared[]): Extract<Source, { kind: 'expression' }> => ({
  kind: 'expression',
  resource,
  language: 'aip-160',
  condition: join('all', compared),
});
const listed: Said = {
  ask: 'GET /books',
  answer: [book(1, { status: null }), book(2, { status: 'lent' })],
};
const read: Said = { ask: 'GET /books/3', answer: book(3) };
const added: Said = {
  ask: 'POST /books',
  body: { title: 'Dune', shelfId: 4 },
  status: 201,
  answer: book(5),
};
const shelved: Said = { ...added, answer: book(5, { status: 'shelved' }) };
const second: Said = { ...added, answer: book(6, { status: 'shelved' }) };
const lent: Said = {
  ask: 'PUT /books/5',
  body: { status: 'lent' },
  answer: book(5, { status: 'lent' }),
};
const retitled: Said = { ...lent, body: { title: 'Emma', status: 'shelved' } };
const refused: Said = { ...added, status: 400, answer: { code: 'no', message: 'no', status: 400 } };
const severalBooks: readonly Said[] = [
  {
    ask: 'GET /books',
    answer: [
      book(1, { title: 'Emma' }),
      book(2),
      book(3),
      book(4),
      book(5, { title: 'It' }),
      book(6, { title: 'It' }),
    ],
  },
];
const removed: Said = { ask: 'DELETE /books/5', status: 204 };

function stepsOf(said: readonly Said[]): Step[] {
  if (said.length === 0) return [];
  const { earlier, ...last } = talk(contract, said);
  return [...earlier, last];
}

/** What a source comes to after a run has heard all this, in a sequence of its own. */
function resolved(source: Source, said: readonly Said[]): JsonValue | undefined {
  const memory = new Memory(contract);
  for (const step of stepsOf(said)) memory.learn(step);
  return memory.resolve(source, []);
}

test.each<[string, readonly Said[], JsonValue[]]>([
  ['is not there', [added, removed], []],
  ['is there again after a change of it', [added, removed, lent], [5]],
  ['is not after a refused one', [added, removed, { ...lent, status: 404 }], []],
  [
    'is not after a change of another',
    [added, second, removed, { ...lent, ask: 'PUT /books/6' }],
    [6],
  ],
])('a deleted record of the run %s', (_, said, expected) => {
  const memory = new Memory(contract);
  for (const step of stepsOf(said)) memory.learn(step);
  expect(memory.created.map(({ identifier }) => identifier)).toEqual(expected);
});

describe('while a change of the first record is under way', () => {
  test.each<[string, Said, number]>([
    ['another one is taken, if its state changes', lent, 6],
    ['it is taken, if only other members change', retitled, 5],
    ['another one is taken, if it is deleted', removed, 6],
  ])('%s', (_title, change, expected) => {
    const memory = new Memory(contract);
    for (const step of stepsOf([shelved, second])) memory.learn(step);
    const [changing] = stepsOf([change]);
    if (changing === undefined) throw new Error('Nothing changes.');
    const end = memory.beginChange(changing);
    expect(memory.resolve(own, [])).toBe(expected);
    end();
    expect(memory.resolve(own, [])).toBe(5);
  });
});

describe('the source of a value in a request', () => {
  test.each<[string, Source, readonly Said[], JsonValue | undefined]>([
    ['a value', { kind: 'value', value: 7 }, [], 7],
    ['a text as it is', { kind: 'text', text: '1e2' }, [], '1e2'],
    ['what is percent-encoded already', { kind: 'raw', text: '%zz' }, [], '%zz'],
    ['a guess, where no record is known', known, [], 99],
    ['nothing, where there is no guess', { kind: 'known', resource }, [refused], undefined],
    ['the first record that was listed', known, [listed], 1],
    ['the record that was read', known, [read], 3],
    ['rather one of the run’s own', known, [listed, added], 5],
    ['and another, once that is deleted', known, [listed, added, removed], 1],
    ['nobody else’s, where it may be changed', own, [listed, read], undefined],
    ['a record that was created', own, [listed, added], 5],
    ['rather one that is as the first was made', own, [shelved, lent, second], 6],
    ['any, where none is as the first was made', own, [shelved, lent], 5],
    ['none that was refused', own, [refused], undefined],
    ['none that was deleted', own, [added, removed], undefined],
    [
      'a field, of the first that has it',
      { kind: 'field', resource, field: 'status' },
      [listed],
      'lent',
    ],
    [
      'a value that some records have in common',
      { kind: 'held', resource, field: 'title', least: 3 },
      severalBooks,
      'Dune',
    ],
    [
      'a value that hardly any has',
      { kind: 'held', resource, field: 'title', least: 1 },
      severalBooks,
      'Emma',
    ],
    [
      'an expression by which some records match and others do not',
      expression({ field: 'id', op: 'lt' }),
      severalBooks,
      'id < 4',
    ],
    [
      'an expression that most records do not meet, rather than none',
      expression({ field: 'title', op: 'ne' }),
      severalBooks,
      'title != "Dune"',
    ],
    [
      'an expression of two fields, which some records meet by half',
      expression({ field: 'title', op: 'eq' }, { field: 'id', op: 'gt' }),
      severalBooks,
      'title = "Dune" AND id > 2',
    ],
    [
      'an expression that asks a list for an item behind others',
      expression({ field: 'tags', op: 'has' }),
      [
        {
          ask: 'GET /books',
          answer: [book(1, { tags: ['new'] }), book(2, { tags: ['new', 'old'] }), book(3)],
        },
      ],
      'tags:"old"',
    ],
    [
      'no expression of a field that no record shows',
      expression({ field: 'status', op: 'eq' }, { field: 'due', op: 'eq' }),
      severalBooks,
      undefined,
    ],
    [
      'no expression in a language that there is not',
      { ...expression({ field: 'id', op: 'lt' }), language: 'none' },
      severalBooks,
      undefined,
    ],
    [
      'no record of a kind that there is not',
      { kind: 'known', resource: 'shelves' },
      [listed],
      undefined,
    ],
  ])('%s', (_what, source, said, expected) => {
    expect(resolved(source, said)).toEqual(expected);
  });

  test.each<[string, Source, readonly Said[], JsonValue | undefined]>([
    [
      'the record that this sequence created',
      { kind: 'created', resource },
      [refused, listed, added],
      5,
    ],
    ['none, where it was refused', { kind: 'created', resource }, [refused], undefined],
    ['the first record that this sequence listed', { kind: 'listed', resource }, [read, listed], 1],
    ['none, where nothing was listed', { kind: 'listed', resource }, [read, added], undefined],
    [
      'none, where the list was refused',
      { kind: 'listed', resource },
      [{ ...listed, status: 401 }],
      undefined,
    ],
  ])('within a sequence: %s', (_what, source, earlier, expected) => {
    const memory = new Memory(contract);
    const steps = stepsOf(earlier);
    for (const step of steps) memory.learn(step);
    expect(memory.resolve(source, steps)).toEqual(expected);
  });
});

test('records to clean up are those that were created and not deleted', () => {
  const memory = new Memory(contract);
  const changes = stepsOf([listed, added, { ...added, answer: book(6) }, removed]).map((step) =>
    memory.learn(step),
  );
  expect(
    changes.map(({ made, lost }) => [made?.identifier, lost.map(({ identifier }) => identifier)]),
  ).toEqual([
    [undefined, []],
    [5, []],
    [6, []],
    [undefined, [5]],
  ]);
  expect(memory.created.map(({ identifier }) => identifier)).toEqual([6]);
});
