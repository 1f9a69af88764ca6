import { gunzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { checkTarget, planCheck } from '../../../src/check/engine/check-target.ts';
import type { RunEvent } from '../../../src/check/model/event.ts';
import { makeRedactor } from '../../../src/check/secrets/redact.ts';
import {
  hasCredential,
  inventedCredentials,
  makeSecrets,
  secretFor,
  shellSecrets,
  type Secret,
  type Secrets,
} from '../../../src/check/secrets/secrets.ts';
import { parseContract } from '../../../src/contract/load.ts';
import { libraryContract, libraryText } from '../fixture/library-contract.ts';
import { startEcho } from '../fixture/echo-server.ts';

function secretsOf(token: string): Secrets {
  return makeSecrets({ token, tokenFor: ['key'] }, 'seed');
}

function wrongFor(token: string): Secret {
  const wrong = secretFor(secretsOf(token), 'wrong', 'key');
  if (wrong === undefined) throw new Error('There is no wrong credential.');
  return wrong;
}

describe('a wrong credential resembles the right one, but differs', () => {
  test.each([
    'demo-key',
    'sk_live_51HxYz09',
    '0123456789abcdef',
    'x',
    'A',
    '7',
    '----',
    'user:hunter22',
    'ghp_AbCdEf0123456789',
  ])('%s', (token) => {
    const wrong = wrongFor(token);
    expect(wrong.value).not.toBe(token);
    expect(wrong.value).toHaveLength(token.length);
    expect(
      wrong.value.replaceAll(/[a-z]/g, 'a').replaceAll(/[A-Z]/g, 'A').replaceAll(/\d/g, '0'),
    ).toBe(
      token === '----'
        ? '---a'
        : token.replaceAll(/[a-z]/g, 'a').replaceAll(/[A-Z]/g, 'A').replaceAll(/\d/g, '0'),
    );
    expect(wrongFor(token).value).toBe(wrong.value);
    // The user of a pair stays; each letter and digit of the secret becomes another one.
    const from = token.indexOf(':') + 1;
    expect(
      [...token].filter(
        (letter, at) => at >= from && /[a-z0-9]/i.test(letter) && wrong.value[at] === letter,
      ),
    ).toEqual([]);
  });

  test('a JSON Web Token keeps its claims and loses its signature, which no output shows', () => {
    const token =
      'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJyb2JpbiJ9.dBjftJeZ4CVPmB92K27uhbUJU1p1rwW1gFWFOEjXk';
    const wrong = wrongFor(token);
    expect(wrong.value.split('.').slice(0, 2)).toEqual(token.split('.').slice(0, 2));
    expect(wrong.value).not.toBe(token);
    expect(wrong.shell).toMatch(/^\$\{VOUCH_TOKEN%\?{8}\}[\w-]{8}$/);
    expect(shellSecrets(secretsOf(token)).map(({ value }) => value)).toContain(wrong.value);
  });

  test('a longer credential contains the right one, and is a secret', () => {
    const secrets = secretsOf('robin:hunter22');
    const longer = secretFor(secrets, 'longer', 'key');
    expect(longer).toEqual({ value: 'robin:hunter220000', shell: '${VOUCH_TOKEN}0000' });
    const { text } = makeRedactor({
      secrets: shellSecrets(secrets),
      invented: [],
      headerNames: [],
    });
    const coded = (value: string | undefined): string =>
      Buffer.from(value ?? '').toString('base64');
    expect(text(`${longer?.value ?? ''}, Basic ${coded(longer?.value)}, hunter220000`)).toBe(
      '${VOUCH_TOKEN}0000, Basic ${VOUCH_TOKEN}0000, ${VOUCH_TOKEN}0000',
    );
  });

  test(
    'a scheme with a token of its own has a variable of its own, in letters ' +
      'that a shell takes',
    () => {
      const { schemes } = makeSecrets({ tokens: { 'api-key.2': 'demo-key', none: '' } }, 'seed');
      expect([...schemes].map(([name, { given }]) => [name, given])).toEqual([
        ['api-key.2', { value: 'demo-key', shell: '$VOUCH_TOKEN_API_KEY_2' }],
      ]);
    },
  );

  test('without a token, an invented one is used, which is no secret', () => {
    const secrets = makeSecrets({}, 'seed');
    expect(secretFor(secrets, 'given', 'key')).toBeUndefined();
    const wrong = secretFor(secrets, 'wrong', 'key')?.value ?? '';
    expect(wrong).toMatch(/^[a-z]{5}-\d{16}$/);
    expect([inventedCredentials(secrets), shellSecrets(secrets), hasCredential(secrets)]).toEqual([
      [wrong],
      [],
      false,
    ]);
    expect(
      [secretsOf('demo-key'), makeSecrets({ tokens: { key: 'demo-key' } }, 'seed')].map(
        hasCredential,
      ),
    ).toEqual([true, true]);
  });

  test('a scheme without a token gets nothing derived from another token', () => {
    const token =
      'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJyb2JpbiJ9.dBjftJeZ4CVPmB92K27uhbUJU1p1rwW1gFWFOEjXk';
    const secrets = makeSecrets({ token, tokenFor: ['bearer'] }, 'seed');
    const choices = ['given', 'wrong', 'wrong-scheme', 'prefix', 'longer', 'other-case'] as const;
    const sent = choices.map(
      (choice) => secretFor(secrets, choice, 'adminKey')?.value ?? 'nothing',
    );
    expect(sent).toEqual([
      'nothing',
      expect.stringMatching(/^[a-z]{5}-\d{16}$/),
      'nothing',
      'nothing',
      'nothing',
      'nothing',
    ]);
  });
});

/** Every text that an event could put before a reader, bodies decoded. */
function textsOf(event: RunEvent): string {
  const bodies: string[] = [];
  const text = JSON.stringify(event, (_key, value: unknown) => {
    if (!(value instanceof Uint8Array)) return value;
    const bytes = Buffer.from(value);
    bodies.push(
      bytes.toString('utf8'),
      bytes[0] === 0x1f ? gunzipSync(bytes).toString('utf8') : '',
    );
    return '';
  });
  return `${text}\n${bodies.join('\n')}`;
}

describe('one sentinel appears in no output', () => {
  const sentinel = 'S3ntinel-4711-"quoted"&<b>/key';
  const writings = [
    sentinel,
    encodeURIComponent(sentinel),
    Buffer.from(sentinel).toString('base64'),
    'S3ntinel-4711',
  ];
  const schemes = {
    bearer: 'bearer: { type: http, scheme: bearer }',
    basic: 'bearer: { type: http, scheme: basic }',
    'key in a header': 'bearer: { type: apiKey, in: header, name: X-House-Key }',
    'key in the query': 'bearer: { type: apiKey, in: query, name: key }',
    'key in a cookie': 'bearer: { type: apiKey, in: cookie, name: sid }',
  };
  test.each(Object.entries(schemes))('%s', async (name, scheme) => {
    const echo = await startEcho();
    const contract = parseContract(
      libraryText.replace('bearer: { type: http, scheme: bearer }', scheme),
      'library.yaml',
    );
    const token = name === 'basic' ? `robin:${sentinel}` : sentinel;
    const { events, findings } = await checkTarget({
      url: echo.url,
      contract,
      token,
      seed: 'sentinel',
    });
    await echo.close();
    expect(findings.length).toBeGreaterThan(3);
    const shown = [
      ...events.map(textsOf),
      JSON.stringify(planCheck({ url: echo.url, contract, token, seed: 'sentinel' })),
    ].join('\n');
    expect(shown).toContain('$VOUCH_TOKEN');
    expect(writings.filter((writing) => shown.includes(writing))).toEqual([]);
  });
});

test('a token that no header can carry is refused before anything is sent', async () => {
  await expect(
    checkTarget({ url: 'http://127.0.0.1:1', contract: libraryContract(), token: 'one\ntwo' }),
  ).rejects.toThrow('The token has a character that HTTP headers cannot contain.');
});
