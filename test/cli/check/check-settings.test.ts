import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { readCheckSettings, type CheckSettings } from '../../../src/cli/check/check-settings.ts';
import {
  readCredentials,
  type CredentialFlags,
  type GivenCredentials,
} from '../../../src/cli/check/credentials.ts';
import { readConfig } from '../../../src/config/config.ts';
import { libraryContract } from '../../check/fixture/library-contract.ts';
import { makeFakeIo } from '../fake-io.ts';

const contract = libraryContract();
const clock = (): Date => new Date('2026-11-21T12:00:00Z');

async function settingsOf(
  text: string,
  target?: string,
  env: Record<string, string> = {},
): Promise<CheckSettings> {
  const folder = await mkdtemp(join(tmpdir(), 'config-'));
  await writeFile(join(folder, 'vouch.config.yaml'), text);
  return readCheckSettings(
    { ...makeFakeIo(env), clock },
    { config: await readConfig(folder), contract },
    target,
  );
}

const whole = `check:
  rate: 50
  slowMs: 400
  checks: { answers-in-time: error, fields-documented: off }
  skip:
    - { operation: getReports, reason: it is being rebuilt }
    - { check: http-semantics, reason: the gateway has no HEAD, until: 2026-11-20 }
targets:
  live:
    url: https://api.example.com/v1
    mode: read-only
    rate: 5
    timeout: 3
    maxRequests: 200
    auth: { bearer: 'env:LIVE_TOKEN' }
    examples: { getBook: { bookId: 9007199254740993 } }
    checks: { fields-documented: note }
    skip:
      - { operation: listBooks, check: status-documented, until: 2026-12-31,
          reason: 'the gateway answers 206, issue 12' }
`;

describe('the settings of a run', () => {
  test(
    'the target counts for more than the part of all; skips, examples and ' +
      'severities are put together',
    async () => {
      const { options } = await settingsOf(whole, 'live');
      expect(options).toEqual({
        mode: 'read-only',
        rate: 5,
        timeoutMs: 3_000,
        maxRequests: 200,
        slowMs: 400,
        examples: { getBook: { bookId: 9007199254740993n } },
        severities: { 'answers-in-time': 'error', 'fields-documented': 'note' },
        skips: [
          { operation: 'getReports', reason: 'it is being rebuilt' },
          { check: 'http-semantics', reason: 'the gateway has no HEAD', until: '2026-11-20' },
          {
            operation: 'listBooks',
            check: 'status-documented',
            until: '2026-12-31',
            reason: 'the gateway answers 206, issue 12',
          },
        ],
      });
    },
  );

  test('a bare URL has the common settings', async () => {
    expect((await settingsOf(whole)).options).toMatchObject({
      rate: 50,
      slowMs: 400,
      severities: { 'fields-documented': 'off' },
    });
  });

  test('environment variables override the file', async () => {
    const { options } = await settingsOf(whole, 'live', {
      VOUCH_RATE: '2.5',
      VOUCH_MODE: 'read-write',
      VOUCH_TIMEOUT: '1',
      VOUCH_SEED: 'abc',
      VOUCH_SLOW_MS: ' 90 ',
      VOUCH_MAX_TIME: '',
    });
    expect(options).toMatchObject({
      rate: 2.5,
      mode: 'read-write',
      timeoutMs: 1_000,
      seed: 'abc',
      slowMs: 90,
    });
    expect(options).not.toHaveProperty('maxTimeMs');
  });

  test('an expired skip is reported with its line', async () => {
    const { warnings } = await settingsOf(whole, 'live');
    expect(warnings.map((warning) => warning.replace(/^\S*vouch/, 'vouch'))).toEqual([
      'vouch.config.yaml:7:7: the skip of http-semantics expired on ' +
        '2026-11-20, so its findings count again. Fix the cause, or change the ' +
        'date.',
    ]);
  });

  test.each<[string, string, RegExp, RegExp, number]>([
    [
      'a check',
      'check:\n  checks:\n    status-documentd: off\n',
      /The configuration names an unknown check: status-documentd\./,
      /Did you mean status-documented\?/,
      3,
    ],
    [
      'the check of a skip',
      'check:\n  skip:\n    - check: body-parse\n      reason: x\n',
      /unknown check: body-parse/,
      /Did you mean body-parses\?/,
      3,
    ],
    [
      'the operation of a skip',
      'check:\n  skip:\n    - { operation: getBok, reason: x }\n',
      /unknown operation: getBok/,
      /Did you mean getBook\?/,
      3,
    ],
    [
      'the operation of an example',
      'check:\n  examples:\n    getBooks: { bookId: 1 }\n',
      /unknown operation: getBooks/,
      /Did you mean getBook\?/,
      3,
    ],
    [
      'the parameter of an example',
      'check:\n  examples:\n    getBook: { bookID: 1 }\n',
      /unknown parameter of getBook: bookID/,
      /Did you mean bookId\?/,
      3,
    ],
    [
      'a setting',
      'check:\n  slowms: 5\n',
      /no setting slowms at check/,
      /Did you mean slowMs\?/,
      2,
    ],
    [
      'a severity',
      'check:\n  checks: { body-parses: never }\n',
      /check\.checks\.body-parses must be one of off, note, warning, error/,
      /schema/,
      2,
    ],
    [
      'a skip without its reason',
      'check:\n  skip:\n    - { operation: getBook }\n',
      /must have the property reason/,
      /schema/,
      3,
    ],
    ['a skip of nothing', 'check:\n  skip:\n    - { reason: x }\n', /must/, /schema/, 3],
    [
      'a day that is none',
      'check:\n  skip:\n    - { operation: getBook, reason: x, until: 2026-13-01 }\n',
      /until must/,
      /schema/,
      3,
    ],
    [
      'a token in the open',
      "targets:\n  live: { url: 'https://x.example', auth: { bearer: s3cret } }\n",
      /targets\.live\.auth\.bearer names the environment variable that holds the token/,
      /env:MY_TOKEN/,
      2,
    ],
  ])('%s that there is not is refused with its line', async (_name, text, message, hint, line) => {
    await expect(settingsOf(text)).rejects.toMatchObject({
      code: 'config-invalid',
      message: expect.stringMatching(message) as string,
      hint: expect.stringMatching(hint) as string,
      place: { line },
    });
  });

  test.each([
    [
      { VOUCH_RATE: 'fast' },
      'The environment variable VOUCH_RATE is fast, but must be a number above 0.',
    ],
    [
      { VOUCH_MODE: 'readonly' },
      'The environment variable VOUCH_MODE is readonly, which is not a mode.',
    ],
  ])('%j is refused', async (env, message) => {
    await expect(settingsOf('check: {}\n', undefined, env)).rejects.toMatchObject({
      code: 'usage',
      message,
    });
  });
});

describe('the credentials of a run', () => {
  type Words = Omit<CredentialFlags, 'auth'>;
  const read = (
    auth: readonly string[],
    env: Record<string, string>,
    words: Words = {},
  ): GivenCredentials =>
    readCredentials({ ...makeFakeIo(env), clock }, { auth, ...words }, ['bearer', 'house']);
  const mine = { token: 'b', tokenSource: { variable: 'MINE', named: true } };
  const ambient = { token: 'a', tokenSource: { variable: 'VOUCH_TOKEN', named: false } };

  test.each<[readonly string[], Record<string, string>, GivenCredentials]>([
    [[], { VOUCH_TOKEN: 'a' }, ambient],
    [[], {}, {}],
    [['env:MINE'], { MINE: 'b', VOUCH_TOKEN: 'a' }, mine],
    [['house=env:TWO'], { TWO: '2', VOUCH_TOKEN: 'a' }, { ...ambient, tokens: { house: '2' } }],
    [['house=env:VOUCH_TOKEN'], { VOUCH_TOKEN: 'a' }, { tokens: { house: 'a' } }],
    [['env:MINE', 'house=env:TWO'], { MINE: 'b', TWO: '2' }, { ...mine, tokens: { house: '2' } }],
  ])('of the flags %j', (given, env, expected) => {
    expect(read(given, env)).toEqual(expected);
  });

  const env = { ONE: '1', TWO: '2', MINE: 'b', VOUCH_TOKEN: 'a' };
  const both = { bearer: 'env:ONE', house: 'env:TWO' };
  test.each<[string, readonly string[], Words, GivenCredentials]>([
    [
      'a flag for one scheme leaves those of the others',
      ['house=env:MINE'],
      { target: both },
      { ...ambient, tokens: { bearer: '1', house: 'b' } },
    ],
    ['a flag without a scheme takes the place of all', ['env:MINE'], { target: both }, mine],
    [
      'the unnamed one is left beside a flag for a scheme',
      ['house=env:TWO'],
      { target: 'env:MINE' },
      { ...mine, tokens: { house: '2' } },
    ],
    [
      'VOUCH_TOKEN is not for another deployment',
      ['house=env:TWO'],
      { withoutDefault: true },
      { tokens: { house: '2' } },
    ],
  ])('of a target: %s', (_name, given, words, expected) => {
    expect(read(given, env, words)).toEqual(expected);
  });

  test.each<[readonly string[], string]>([
    [['s3cret'], '--auth takes the name of an environment variable, not the token itself.'],
    [
      ['hause=env:TWO'],
      '--auth names the security scheme hause, which the contract does not define.',
    ],
    [['house=env:NOT_SET'], 'The environment variable NOT_SET with the token is empty or not set.'],
    [['env:ONE', 'env:TWO'], '--auth names two variables without a security scheme.'],
    [['house=env:ONE', 'house=env:TWO'], '--auth names two variables for house.'],
  ])('%j is refused', (given, message) => {
    expect(() => read(given, { ONE: '1', TWO: '2' })).toThrow(message);
  });
});
