import { gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import type { Exchange } from '../../../src/check/model/exchange.ts';
import { makeRedactor } from '../../../src/check/secrets/redact.ts';
import { emptyBody } from '../../../src/http/message.ts';

const secret = 'S3ntinel/"tok&en"+ü';
const redactor = makeRedactor({
  secrets: [{ value: secret, shell: '$VOUCH_TOKEN' }],
  invented: ['made-up'],
  headerNames: ['X-House-Key'],
});

function answered(headers: readonly (readonly [string, string])[], body: Uint8Array): Exchange {
  return {
    baseUrl: 'http://127.0.0.1',
    request: { method: 'GET', target: '/', headers: [], body: emptyBody },
    response: { status: 200, headers, body },
    durationMs: 1,
  };
}

describe('a secret is redacted in any encoding', () => {
  test.each([
    ['plain', secret],
    ['percent-encoded', encodeURIComponent(secret)],
    [
      'percent-encoded in lower case',
      encodeURIComponent(secret).replaceAll(/%../g, (escape) => escape.toLowerCase()),
    ],
    ['base64', Buffer.from(secret).toString('base64')],
    ['base64 with the colon of basic', Buffer.from(`${secret}:`).toString('base64')],
    ['base64url', Buffer.from(secret).toString('base64url')],
    ['in JSON', JSON.stringify({ echo: secret })],
    ['in HTML', `<b>${secret.replaceAll('&', '&amp;').replaceAll('"', '&quot;')}</b>`],
    ['in the middle', `before${secret}after`],
    ['twice', `${secret} ${secret}`],
  ])('%s', (_name, text) => {
    const shown = redactor.text(text);
    expect(shown).toContain('$VOUCH_TOKEN');
    expect(shown).not.toContain('S3ntinel');
    expect(shown).not.toContain('tok');
  });
});

test('a secret in base64url is redacted', () => {
  for (const [value, coded] of [
    ['>>>>>>??????', 'Pj4-Pj4-Pz8_Pz8_'],
    ['>>>?', 'Pj4-Pw'],
    ['???>', 'Pz8_Pg'],
  ] as const) {
    const odd = makeRedactor({
      secrets: [{ value, shell: '$VOUCH_TOKEN' }],
      invented: [],
      headerNames: [],
    });
    expect(Buffer.from(value).toString('base64url')).toBe(coded);
    expect(odd.text(`a ${coded} b`)).toBe('a $VOUCH_TOKEN b');
  }
});

test('a secret inside another one is redacted completely', () => {
  const both = makeRedactor({
    secrets: [
      { value: 'abcdef', shell: '$VOUCH_TOKEN' },
      { value: 'abcde', shell: '${VOUCH_TOKEN%?}' },
    ],
    invented: [],
    headerNames: [],
  });
  expect(both.text('abcdef abcde')).toBe('$VOUCH_TOKEN ${VOUCH_TOKEN%?}');
});

test('the beginning of a truncated secret is redacted', () => {
  expect(redactor.text(`"${secret.slice(0, 9)}… (80 characters)`)).toBe(
    '"$VOUCH_TOKEN… (80 characters)',
  );
  expect(redactor.text('a long text…')).toBe('a long text…');
});

test('neither an empty secret nor a very short one makes a text unreadable', () => {
  const short = makeRedactor({
    secrets: [
      { value: '', shell: '$VOUCH_TOKEN' },
      { value: 'a', shell: '$VOUCH_TOKEN' },
    ],
    invented: [],
    headerNames: [],
  });
  expect(short.text('a plain text')).toBe('a plain text');
  expect(
    short.exchange(answered([['Authorization', 'Bearer a']], emptyBody)).response?.headers,
  ).toEqual([['Authorization', 'Bearer [redacted]']]);
});

test('the password of a basic credential is a secret', () => {
  const pair = makeRedactor({
    secrets: [{ value: 'robin:hunter22', shell: '$VOUCH_TOKEN' }],
    invented: [],
    headerNames: [],
  });
  expect(pair.text('robin said hunter22')).toBe('robin said $VOUCH_TOKEN');
  expect(pair.text(`Basic ${Buffer.from('robin:hunter22').toString('base64')}`)).toBe(
    'Basic $VOUCH_TOKEN',
  );
});

test.each([
  ['Authorization', `Bearer ${secret}`, 'Bearer $VOUCH_TOKEN'],
  ['Authorization', 'Bearer made-up', 'Bearer made-up'],
  ['Authorization', 'Bearer somebody-elses', 'Bearer [redacted]'],
  ['Set-Cookie', 'session=abc; HttpOnly', '[redacted]'],
  ['COOKIE', 'session=abc', '[redacted]'],
  ['x-house-key', 'abc', '[redacted]'],
  ['X-Request-Id', 'abc', 'abc'],
])('header %s: %s', (name, value, shown) => {
  expect(redactor.exchange(answered([[name, value]], emptyBody)).response?.headers).toEqual([
    [name, shown],
  ]);
});

describe('redacted bodies', () => {
  test('keep every byte that is not the secret', () => {
    const bytes = Uint8Array.from([0, 255, ...new TextEncoder().encode(secret), 128, 10]);
    const { response } = redactor.exchange(answered([], bytes));
    expect([...(response?.body ?? [])]).toEqual([
      0,
      255,
      ...new TextEncoder().encode('$VOUCH_TOKEN'),
      128,
      10,
    ]);
  });

  test('are decompressed for the search, and then shown uncompressed', () => {
    const { response } = redactor.exchange(
      answered(
        [['Content-Encoding', 'gzip']],
        new Uint8Array(gzipSync(`{"echo":"S3ntinel${secret}"}`)),
      ),
    );
    expect(response?.headers).toEqual([]);
    expect(new TextDecoder().decode(response?.body)).toBe('{"echo":"S3ntinel$VOUCH_TOKEN"}');
  });

  test('are the same object without a secret', () => {
    const body = new Uint8Array(gzipSync('{}'));
    expect(redactor.exchange(answered([['Content-Encoding', 'gzip']], body)).response).toEqual({
      status: 200,
      headers: [['Content-Encoding', 'gzip']],
      body,
    });
  });
});

describe('several tokens, one of them inside another', () => {
  const tokens = [
    { value: 'outer-Sentinel-42-outer', shell: '$VOUCH_TOKEN' },
    { value: 'Sentinel-42', shell: '$VOUCH_TOKEN_KEY' },
    { value: 'Sentinel-42-outer', shell: '$VOUCH_TOKEN_APP' },
  ];
  const several = makeRedactor({ secrets: tokens, invented: [], headerNames: [] });

  test('each is shown as its variable', () => {
    expect(several.text(tokens.map(({ value }) => value).join(' '))).toBe(
      '$VOUCH_TOKEN $VOUCH_TOKEN_KEY $VOUCH_TOKEN_APP',
    );
  });

  test.each<[string, Exchange]>([
    [
      'the URL',
      {
        ...answered([], emptyBody),
        request: {
          method: 'GET',
          target: `/?key=${tokens[1]?.value ?? ''}&app=${tokens[2]?.value ?? ''}`,
          headers: [],
          body: emptyBody,
        },
      },
    ],
    [
      'a cookie',
      {
        ...answered([], emptyBody),
        request: {
          method: 'GET',
          target: '/',
          headers: [['Cookie', `a=${tokens[0]?.value ?? ''}`]],
          body: emptyBody,
        },
      },
    ],
    ['an echo in JSON', answered([], new TextEncoder().encode(JSON.stringify({ echo: tokens })))],
    [
      'a compressed echo',
      answered(
        [['Content-Encoding', 'gzip']],
        new Uint8Array(gzipSync(tokens.map(({ value }) => value).join('|'))),
      ),
    ],
    [
      'the text of a fault',
      {
        baseUrl: 'http://127.0.0.1',
        request: { method: 'GET', target: '/', headers: [], body: emptyBody },
        fault: { kind: 'malformed-response', message: `broken header ${tokens[0]?.value ?? ''}` },
        durationMs: 1,
      } as unknown as Exchange,
    ],
  ])('none is left in %s', (_name, exchange) => {
    const shown = several.exchange(exchange);
    const bytes = [shown.request.body, shown.response?.body ?? emptyBody].map((body) =>
      Buffer.from(body).toString('latin1'),
    );
    expect(`${JSON.stringify(shown)} ${bytes.join(' ')}`).not.toMatch(/Sentinel|-42/);
  });
});

describe('letters of another case', () => {
  const mixed = 'SeNtInEl/ü 42';
  const casings = [mixed, mixed.toUpperCase(), mixed.toLowerCase()];
  const hider = makeRedactor({
    secrets: [{ value: mixed, shell: '$VOUCH_TOKEN' }],
    invented: [],
    headerNames: [],
  });
  const writings: readonly (readonly [string, (text: string) => string])[] = [
    ['plain', (text) => text],
    ['percent-encoded', encodeURIComponent],
    ['percent-encoded, then in lower case', (text) => encodeURIComponent(text).toLowerCase()],
    ['as a form has it', (text) => new URLSearchParams([['', text]]).toString().slice(1)],
    ['base64, then in lower case', (text) => Buffer.from(text).toString('base64').toLowerCase()],
    ['base64', (text) => Buffer.from(text).toString('base64')],
    ['base64 behind other bytes', (text) => Buffer.from(`ab${text}`).toString('base64')],
    ['hexadecimal', (text) => Buffer.from(text).toString('hex')],
    ['hexadecimal in upper case', (text) => Buffer.from(text).toString('hex').toUpperCase()],
    [
      'with escapes of JSON',
      (text) => text.replaceAll(/[nN]/g, (letter) => `\\u00${letter.charCodeAt(0).toString(16)}`),
    ],
    [
      'with escapes of HTML',
      (text) => text.replaceAll(/[nN]/g, (letter) => `&#${String(letter.charCodeAt(0))};`),
    ],
    [
      'with some percent-encoded',
      (text) => text.replaceAll(/[nN]/g, (letter) => `%${letter.charCodeAt(0).toString(16)}`),
    ],
  ];

  test.each(writings)('are hidden in a text: %s', (_name, write) => {
    for (const cased of casings)
      expect(hider.text(`a ${write(cased)} b`)).toMatch(/^a \S*\$VOUCH_TOKEN\S* b$/);
  });

  test.each(writings)('are hidden in a body: %s', (_name, write) => {
    for (const cased of casings) {
      const { response } = hider.exchange(answered([], Buffer.from(`a ${write(cased)} b`)));
      expect(Buffer.from(response?.body ?? []).toString()).toMatch(/^a \S*\$VOUCH_TOKEN\S* b$/);
    }
  });

  test('are hidden in the names of header fields', () => {
    const key = makeRedactor({
      secrets: [{ value: 'To-Ken-42', shell: '$VOUCH_TOKEN' }],
      invented: [],
      headerNames: [],
    });
    const { response } = key.exchange(answered([['x-to-ken-42-id', 'TO-KEN-42']], emptyBody));
    expect(response?.headers).toEqual([['x-$VOUCH_TOKEN-id', '$VOUCH_TOKEN']]);
  });

  test('are hidden in a truncated text', () => {
    expect(hider.text(`${mixed.toUpperCase().slice(0, 8)}… (80 characters)`)).toBe(
      '$VOUCH_TOKEN… (80 characters)',
    );
  });

  test('do not change the rest of a text whose lower case has another length', () => {
    expect(hider.text(`İSTANBUL ${mixed.toLowerCase()} ΣΑΣ`)).toBe('İSTANBUL $VOUCH_TOKEN ΣΑΣ');
  });

  test('are shown as the credential with that exact case, if there is one', () => {
    const secrets = [
      { value: 'AbcDe-1', shell: '$VOUCH_TOKEN' },
      { value: 'aBCdE-1', shell: '$OTHER' },
    ];
    const both = makeRedactor({ secrets, invented: [], headerNames: [] });
    expect(both.text('AbcDe-1 aBCdE-1 abcde-1')).toBe('$VOUCH_TOKEN $OTHER $VOUCH_TOKEN');
  });
});

describe('a secret that may be a common word', () => {
  const word = makeRedactor({
    secrets: [{ value: 'Items', shell: '$VOUCH_TOKEN' }],
    invented: [],
    headerNames: [],
  });

  test('is hidden only in its exact case', () => {
    expect(word.text('Items items ITEMS')).toBe('$VOUCH_TOKEN items ITEMS');
  });

  test('stays in names of the document, unlike other secrets', () => {
    const strange = makeRedactor({
      secrets: [{ value: 'i7em5', shell: '$VOUCH_TOKEN' }],
      invented: [],
      headerNames: [],
    });
    expect([word.name('list Items'), strange.name('list I7EM5')]).toEqual([
      'list Items',
      'list $VOUCH_TOKEN',
    ]);
  });
});

test.each([
  'some plain words ',
  '{"a":"b\\"c %20 &amp;"},',
  `${secret} `,
  secret.slice(0, -1),
  '%53',
  '&#0',
  '0',
])('a body of 10 MiB that repeats %s is redacted', (text) => {
  const body = Buffer.alloc(10 * 1024 * 1024, text);
  const { response } = redactor.exchange(answered([], body));
  expect(Buffer.from(response?.body ?? []).includes(secret)).toBe(false);
});

test('a text with a million truncations is redacted', () => {
  const cut = `${secret.slice(0, -1)}…`;
  expect(redactor.text(`${'…'.repeat(1_000_000)}${cut.repeat(1_000)}`)).not.toContain(cut);
});
