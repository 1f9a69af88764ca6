import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { loadContract } from '../../src/contract/load.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'vouch-examples-'));
});
afterEach(() => rm(folder, { recursive: true }));

async function examplesOf(externalValue: string): Promise<unknown[]> {
  const document = {
    openapi: '3.1.0',
    info: { title: 'Examples', version: '1' },
    paths: {
      '/a': {
        get: {
          responses: {
            200: {
              description: 'ok',
              content: { 'application/json': { examples: { one: { externalValue } } } },
            },
          },
        },
      },
    },
  };
  const file = join(folder, 'openapi.json');
  await writeFile(file, JSON.stringify(document));
  const { operations } = await loadContract(file);
  return (operations[0]?.responses[0]?.content[0]?.examples ?? []).map(({ value }) => value);
}

test('an example in a file beside the document is read, as what it is', async () => {
  await writeFile(join(folder, 'one.json'), '{"n": 4711}');
  await writeFile(join(folder, 'one.yaml'), 'n: 12');
  await writeFile(join(folder, 'one.txt'), 'n is 4711');
  expect(await examplesOf('./one.json')).toEqual([{ n: 4711 }]);
  expect(await examplesOf('one.yaml')).toEqual([{ n: 12 }]);
  expect(await examplesOf('one.txt')).toEqual(['n is 4711']);
});

test.each(['../../../etc/hostname', '/etc/hostname', 'https://example.com/one.json', 'none.json'])(
  'an example at %s is not read',
  async (name) => {
    expect(await examplesOf(name)).toEqual([]);
  },
);
