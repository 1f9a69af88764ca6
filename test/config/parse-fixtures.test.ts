import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { loadFixtures } from '../../src/config/read-data.ts';
import { jsonContent, makeContract } from '../contract/make-contract.ts';

const book = {
  type: 'object',
  required: ['id', 'title'],
  properties: { id: { type: 'integer' }, title: { type: 'string' } },
};
const contract = makeContract({
  paths: {
    '/books': {
      get: {
        responses: { 200: { description: 'ok', ...jsonContent({ type: 'array', items: book }) } },
      },
    },
  },
});

async function load(text: string): ReturnType<typeof loadFixtures> {
  const folder = await mkdtemp(join(tmpdir(), 'fixtures-'));
  await writeFile(join(folder, 'books.yaml'), text);
  return loadFixtures(folder, contract);
}

describe('fixtures', () => {
  test('records are found by the text of their identifier, to the last digit', async () => {
    const fixtures = await load(
      'books:\n  - { id: 9007199254740993, title: Big }\n  - { id: 1, title: Small }\n',
    );
    expect(fixtures.get('books')).toEqual([
      { id: '9007199254740993', record: { id: 9007199254740993n, title: 'Big' } },
      { id: '1', record: { id: 1, title: 'Small' } },
    ]);
  });

  test.each<[string, string, RegExp, number]>([
    ['a resource that the contract does not have', 'boks: []\n', /has no resource boks/, 1],
    [
      'a record that breaks the contract',
      'books:\n  - { id: 1, title: A }\n  - { id: 2, title: 5 }\n',
      /books\[1\]\.title must be a string/,
      3,
    ],
    [
      'two records of one identifier',
      'books:\n  - { id: 1, title: A }\n  - { id: 1, title: B }\n',
      /two records of books have the id 1/,
      3,
    ],
    ['no list', 'books: { id: 1 }\n', /must be a list/, 1],
    ['no map', '- 1\n', /must map resources/, 1],
  ])('%s is refused with its place', async (_name, text, message, line) => {
    await expect(load(text)).rejects.toMatchObject({
      code: 'fixture-invalid',
      message: expect.stringMatching(message) as string,
      place: { line },
    });
  });

  test('a missing folder', async () => {
    await expect(loadFixtures('nowhere', contract)).rejects.toMatchObject({
      code: 'fixture-invalid',
      message: 'The folder nowhere cannot be read: it does not exist.',
    });
  });
});
