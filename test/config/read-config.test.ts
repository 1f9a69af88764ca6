import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { readConfig } from '../../src/config/config.ts';
import { packageFolder } from '../../src/library/package-files.ts';

async function folderWith(text: string): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'config-'));
  await writeFile(join(folder, 'vouch.config.yaml'), text);
  return folder;
}

describe('vouch.config.yaml', () => {
  test('a folder without one configures nothing', async () => {
    expect(await readConfig(await mkdtemp(join(tmpdir(), 'config-')))).toEqual({
      mock: {},
      targets: {},
    });
  });

  test('paths are relative to the file', async () => {
    const folder = await folderWith(
      'contract: api/openapi.yaml\nmock: { fixtures: data, port: 5000 }\n',
    );
    expect(await readConfig(folder)).toMatchObject({
      contract: join(folder, 'api/openapi.yaml'),
      mock: { fixtures: join(folder, 'data'), port: 5000 },
    });
  });

  test('keys may have scopes, beside settings of tokens', async () => {
    const folder = await folderWith(
      'mock:\n  keys: [demo-key, { key: reader, scopes: [read] }]\n  tokens: { ' +
        'secret: sixteen characters, lifetime: 60, users: [{ name: ada, ' +
        'password: x }], clients: [{ id: app }] }\n',
    );
    expect((await readConfig(folder)).mock).toEqual({
      keys: ['demo-key', { key: 'reader', scopes: ['read'] }],
      tokens: {
        secret: 'sixteen characters',
        lifetime: 60,
        users: [{ name: 'ada', password: 'x' }],
        clients: [{ id: 'app' }],
      },
    });
  });

  test('mock.records has an old name, and only one of both may be set', async () => {
    const old = await readConfig(await folderWith('mock: { seedRecords: 50 }\n'));
    expect(old.mock).toEqual({ records: 50 });
    await expect(
      readConfig(await folderWith('mock:\n  records: 5\n  seedRecords: 50\n')),
    ).rejects.toThrow(/mock\.seedRecords is the old name of mock\.records/);
  });

  test('the bundled configuration conforms to its schema', async () => {
    const config = await readConfig(packageFolder);
    expect(config.mock.assume?.map(({ operation }) => operation)).toEqual([
      'createPet',
      'sendMessage',
      'getStoreOrders',
    ]);
  });

  test.each<[string, string, RegExp, RegExp, number]>([
    [
      'an unknown key',
      'contract: a.yaml\nmokc: {}\n',
      /there is no setting mokc at the top level/,
      /Did you mean mock\?/,
      2,
    ],
    [
      'an unknown key further down',
      'mock:\n  kyes: [a]\n',
      /no setting kyes at mock/,
      /Did you mean keys\?/,
      2,
    ],
    [
      'a wrong type',
      'mock:\n  port: many\n',
      /mock\.port must be an integer/,
      /config\.schema\.json/,
      2,
    ],
    [
      'an assumption without its reason',
      'mock:\n  assume:\n    - { operation: x }\n',
      /must have the property because/,
      /schema/,
      3,
    ],
    [
      'a token in the open',
      "targets:\n  live: { url: 'https://x.example', auth: s3cret }\n",
      /targets\.live\.auth/,
      /^Put the token into a variable, and name it: env:MY_TOKEN\.$/,
      2,
    ],
    ['a key that is a number', 'mock:\n  keys: [42]\n', /mock\.keys\.0 must be/, /schema/, 2],
    [
      'a key without a text',
      'mock:\n  keys:\n    - { scopes: [read] }\n',
      /must have the property key/,
      /schema/,
      3,
    ],
    [
      'a word of a key that nobody knows',
      'mock:\n  keys:\n    - { key: a, scope: [read] }\n',
      /no setting scope at mock\.keys\.0/,
      /Did you mean scopes\?/,
      3,
    ],
    [
      'a short secret',
      'mock:\n  tokens: { secret: short }\n',
      /mock\.tokens\.secret must/,
      /schema/,
      2,
    ],
    [
      'a user without a password',
      'mock:\n  tokens:\n    users:\n      - { name: ada }\n',
      /must have the property password/,
      /schema/,
      4,
    ],
    [
      'broken YAML',
      'mock: [\n',
      /not readable as YAML/,
      /^Fix the syntax there\. An unclosed bracket, .* be the cause\.$/,
      2,
    ],
  ])('%s is refused with its place', async (_name, text, message, hint, line) => {
    const folder = await folderWith(text);
    await expect(readConfig(folder)).rejects.toMatchObject({
      code: 'config-invalid',
      message: expect.stringMatching(message) as string,
      hint: expect.stringMatching(hint) as string,
      place: { line },
    });
  });

  test('a literal token is not shown', async () => {
    const folder = await folderWith(
      "targets:\n  live: { url: 'https://x.example', auth: s3cret }\n",
    );
    const refusal = await readConfig(folder).catch((error: unknown) => error);
    expect(`${String(refusal)} ${JSON.stringify(refusal)}`).not.toContain('s3cret');
  });
});
