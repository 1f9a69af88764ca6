import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type CorsChoice, readCorsPolicy } from '../../src/server/cors/cors.ts';
import type { ExchangeRecord } from '../../src/server/journal/journal.ts';
import { controlToken, type Served, serveFake } from './serve-fake.ts';

const page = 'http://localhost:3000';
const served = new Map<string, Served>();
beforeAll(async () => {
  const choices: Record<string, CorsChoice> = {
    any: true,
    listed: [page, 'https://app.example'],
    off: false,
    loopback: 'loopback',
  };
  for (const [name, cors] of Object.entries(choices))
    served.set(name, await serveFake(undefined, { cors }));
});
afterAll(async () => {
  await Promise.all([...served.values()].map(({ listening }) => listening.close()));
});

interface Asked {
  readonly method?: string;
  readonly target?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly policy?: 'any' | 'listed' | 'off' | 'loopback';
}

async function ask({
  method = 'GET',
  target = '/v1/things',
  headers = {},
  policy = 'any',
}: Asked): Promise<Response> {
  // undici refuses to send some of these headers for a page; this is no page.
  return fetch(`${served.get(policy)?.listening.url ?? ''}${target}`, { method, headers });
}

/** What a browser reads of an answer (Fetch, sections 3.2.3 and 4.9). */
function mayRead(answer: Response, origin: string, credentials: boolean): boolean {
  const allowed = answer.headers.get('access-control-allow-origin');
  if (!credentials && allowed === '*') return true;
  return (
    allowed === origin &&
    (!credentials || answer.headers.get('access-control-allow-credentials') === 'true')
  );
}

/** Whether a browser sends the request after its preflight (Fetch, section 4.8, steps 7 and on). */
function maySend(
  answer: Response,
  {
    method,
    headers,
    origin,
    credentials,
  }: {
    readonly method: string;
    readonly headers: readonly string[];
    readonly origin: string;
    readonly credentials: boolean;
  },
): boolean {
  const list = (name: string): string[] =>
    (answer.headers.get(name) ?? '')
      .split(',')
      .map((word) => word.trim())
      .filter((word) => word !== '');
  const methods = list('access-control-allow-methods');
  const names = list('access-control-allow-headers').map((name) => name.toLowerCase());
  // `*` stands for itself where there are credentials, and never for Authorization.
  const wild = (words: readonly string[]): boolean => !credentials && words.includes('*');
  return (
    answer.ok &&
    mayRead(answer, origin, credentials) &&
    (methods.includes(method) || ['GET', 'HEAD', 'POST'].includes(method) || wild(methods)) &&
    headers.every(
      (name) =>
        names.includes(name.toLowerCase()) ||
        (wild(names) && name.toLowerCase() !== 'authorization'),
    )
  );
}

describe('a preflight', () => {
  test.each([
    ['a method of the path', 'any', page, 'POST', ['content-type', 'authorization'], true],
    ['a method of the path, with an item', 'any', page, 'DELETE', [], true],
    ['a method that the path lacks', 'any', page, 'PUT', [], false],
    ['any header', 'any', page, 'GET', ['authorization', 'x-request-id', 'vouch-session'], true],
    ['a page without an origin of its own', 'any', 'null', 'GET', [], true],
    ['an origin that is listed', 'listed', page, 'POST', ['content-type'], true],
    ['an origin that is listed, in other case', 'listed', 'https://app.example', 'GET', [], true],
    ['an origin that is not listed', 'listed', 'http://localhost:3001', 'GET', [], false],
    [
      'an origin that begins as one that is listed',
      'listed',
      'http://localhost:30000',
      'GET',
      [],
      false,
    ],
    ['null, which is not listed', 'listed', 'null', 'GET', [], false],
    ['nobody, where CORS is off', 'off', page, 'GET', [], false],
    ['a page of this machine, on any port', 'loopback', page, 'POST', ['content-type'], true],
    ['a page of 127.0.0.1', 'loopback', 'http://127.0.0.1:5173', 'GET', [], true],
    ['a page of ::1 with TLS', 'loopback', 'https://[::1]:8443', 'GET', [], true],
    ['no other page', 'loopback', 'https://app.example', 'GET', [], false],
    [
      'no name that begins like this machine',
      'loopback',
      'http://localhost.evil.test',
      'GET',
      [],
      false,
    ],
    [
      'no address that begins like this machine',
      'loopback',
      'http://127.0.0.1.evil.test',
      'GET',
      [],
      false,
    ],
    ['no page without an origin', 'loopback', 'null', 'GET', [], false],
  ] as const)('lets in %s', async (_name, policy, origin, method, headers, sent) => {
    const asked = {
      Origin: origin,
      'Access-Control-Request-Method': method,
      ...(headers.length === 0 ? {} : { 'Access-Control-Request-Headers': headers.join(',') }),
    };
    const target = method === 'DELETE' ? '/v1/things/1' : '/v1/things';
    const before = served.get(policy)?.mock.requests.length ?? 0;
    const answer = await ask({ method: 'OPTIONS', target, headers: asked, policy });
    // A simple method needs no leave of its own, so what is asked here is always of a request with
    // credentials.
    expect(
      maySend(answer, { method, headers, origin, credentials: true }),
      JSON.stringify([...answer.headers]),
    ).toBe(sent);
    expect((served.get(policy)?.mock.requests.length ?? 0) - before).toBe(policy === 'off' ? 1 : 0);
  });

  test('that is refused says so, and what allows it', async () => {
    const records: ExchangeRecord[] = [];
    const { listening } = await serveFake(undefined, {
      cors: 'loopback',
      onExchange: (record) => void records.push(record),
    });
    const answer = await fetch(`${listening.url}/v1/things`, {
      method: 'OPTIONS',
      headers: { Origin: 'https://app.example', 'Access-Control-Request-Method': 'POST' },
    });
    const why = 'Refused: origin https://app.example; --cors https://app.example allows it.';
    expect([answer.status, ((await answer.json()) as { detail: string }).detail]).toEqual([
      403,
      why,
    ]);
    expect(records.map(({ method, status, reason }) => [method, status, reason])).toEqual([
      ['OPTIONS', 403, why],
    ]);
    await listening.close();
  });

  test('has Max-Age and Vary: Origin', async () => {
    const { status, headers } = await ask({
      method: 'OPTIONS',
      headers: {
        Origin: page,
        'Access-Control-Request-Method': 'POST',
        'Access-Control-Request-Headers': 'content-type',
      },
    });
    expect([
      status,
      ...[
        'allow',
        'access-control-allow-origin',
        'access-control-allow-credentials',
        'access-control-allow-methods',
        'access-control-allow-headers',
        'access-control-max-age',
        'access-control-allow-private-network',
        'access-control-expose-headers',
        'vary',
      ].map((name) => headers.get(name)),
    ]).toMatchInlineSnapshot(`
      [
        204,
        "GET, POST, HEAD, OPTIONS",
        "http://localhost:3000",
        "true",
        "GET, POST, HEAD, OPTIONS",
        "content-type",
        "600",
        null,
        null,
        "Origin, Access-Control-Request-Method, Access-Control-Request-Headers",
      ]
    `);
  });

  test('of a public page to this machine is allowed if the browser requests it', async () => {
    const { headers } = await ask({
      method: 'OPTIONS',
      headers: {
        Origin: page,
        'Access-Control-Request-Method': 'GET',
        'Access-Control-Request-Private-Network': 'true',
      },
    });
    expect(headers.get('access-control-allow-private-network')).toBe('true');
  });

  test('refuses invalid header names', async () => {
    const { headers } = await ask({
      method: 'OPTIONS',
      headers: {
        Origin: page,
        'Access-Control-Request-Method': 'GET',
        'Access-Control-Request-Headers': 'x-a, bad name, , x-b',
      },
    });
    expect(headers.get('access-control-allow-headers')).toBe('x-a, x-b');
  });

  test('of an unknown path allows the request, so that the page can read the 404', async () => {
    const headers = {
      Origin: page,
      'Access-Control-Request-Method': 'PATCH',
      'Access-Control-Request-Headers': 'content-type',
    };
    const answer = await ask({ method: 'OPTIONS', target: '/nothing', headers });
    expect(
      maySend(answer, {
        method: 'PATCH',
        headers: ['content-type'],
        origin: page,
        credentials: true,
      }),
    ).toBe(true);
    expect(
      (await ask({ method: 'OPTIONS', target: '/__vouch/records', headers })).headers.get(
        'access-control-allow-origin',
      ),
    ).toBeNull();
  });

  test.each([
    [
      'of a path that nobody has, with no method in it',
      {
        method: 'OPTIONS',
        target: '/nothing',
        headers: { Origin: page, 'Access-Control-Request-Method': 'no method' },
      },
    ],
    ['without a method', { method: 'OPTIONS', headers: { Origin: page } }],
    [
      'without an origin',
      { method: 'OPTIONS', headers: { 'Access-Control-Request-Method': 'GET' } },
    ],
  ])("%s is the mock's to answer", async (_name, asked) => {
    const before = served.get('any')?.mock.requests.length ?? 0;
    await ask(asked);
    expect((served.get('any')?.mock.requests.length ?? 0) - before).toBe(1);
  });
});

describe('a response with CORS', () => {
  test.each([
    ['to a page', 'any', page, true],
    ['to a page without an origin of its own', 'any', 'null', true],
    ['to a page that is listed', 'listed', page, true],
    ['to a page that is not', 'listed', 'http://evil.test', false],
    ['where CORS is off', 'off', page, false],
  ] as const)('%s', async (_name, policy, origin, readable) => {
    const answer = await ask({ headers: { Origin: origin }, policy });
    expect(mayRead(answer, origin, true)).toBe(readable);
    expect(answer.headers.get('access-control-allow-origin')).toBe(readable ? origin : null);
    expect(answer.headers.get('vary')).toBe(policy === 'off' ? null : 'Origin');
  });

  test.each([
    [
      'that is refused by the guard',
      { headers: { Origin: page, 'Content-Encoding': 'zstd' } },
      415,
    ],
    [
      'for a target that is too long',
      { target: `/${'a'.repeat(8_001)}`, headers: { Origin: page } },
      414,
    ],
  ])('%s can be read too', async (_name, asked, status) => {
    const answer = await ask(asked);
    expect([answer.status, mayRead(answer, page, true)]).toEqual([status, true]);
  });

  test('to no page has only Vary: Origin', async () => {
    const { headers } = await ask({});
    expect([headers.get('vary'), headers.get('access-control-allow-origin')]).toEqual([
      'Origin',
      null,
    ]);
  });

  test('of the control API is never for a page', async () => {
    for (const target of ['/__vouch/health', '/__vouch/state', '/__vouch/nothing']) {
      const { headers } = await ask({
        target,
        headers: { Origin: page, Authorization: `Bearer ${controlToken}` },
      });
      expect([...headers.keys()].filter((name) => name.startsWith('access-control'))).toEqual([]);
    }
    for (const headers of [{}, { Authorization: 'Bearer guessed' }]) {
      const policy = 'loopback';
      const answer = await ask({
        method: 'POST',
        target: '/__vouch/reset',
        headers: { Origin: page, ...headers },
        policy,
      });
      expect(answer.ok).toBe(false);
    }
    const { headers, status } = await ask({
      method: 'OPTIONS',
      target: '/__vouch/reset',
      headers: { Origin: page, 'Access-Control-Request-Method': 'POST' },
    });
    expect([status, headers.get('access-control-allow-origin')]).toEqual([403, null]);
  });
});

test('CORS exposes every response header that needs it, and keeps Vary', async () => {
  const { listening } = await serveFake(
    (await import('./fake-mock.ts')).fakeMock(() => ({
      headers: [
        ['Content-Type', 'text/plain'],
        ['Location', '/1'],
        ['Link', '<a>'],
        ['X-Total-Count', '5'],
        ['Set-Cookie', 'a=b'],
        ['Vary', 'Accept'],
      ],
    })),
    { cors: true },
  );
  const { headers } = await fetch(listening.url, { headers: { Origin: page } });
  expect([headers.get('access-control-expose-headers'), headers.get('vary')]).toEqual([
    'Location, Link, X-Total-Count',
    'Accept, Origin',
  ]);
  await listening.close();
});

test('what the contract shows of another page is not what the policy says', async () => {
  const { listening } = await serveFake(
    (await import('./fake-mock.ts')).fakeMock(() => ({
      headers: [['Access-Control-Allow-Origin', 'https://shop.example.com']],
    })),
    { cors: true },
  );
  const { headers } = await fetch(listening.url, { headers: { Origin: page } });
  expect(headers.get('access-control-allow-origin')).toBe(page);
  await listening.close();
});

test('the contract’s own CORS headers do not change', async () => {
  const { listening } = await serveFake(
    (await import('./fake-mock.ts')).fakeMock(() => ({
      headers: [['Access-Control-Allow-Origin', '*']],
    })),
    { cors: true },
  );
  const { headers } = await fetch(listening.url, { headers: { Origin: page } });
  expect([
    headers.get('access-control-allow-origin'),
    headers.get('access-control-allow-credentials'),
  ]).toEqual(['*', null]);
  await listening.close();
});

describe('the word in a CORS setting', () => {
  test.each<[CorsChoice | undefined, unknown]>([
    [undefined, undefined],
    ['loopback', { kind: 'loopback' }],
    [false, undefined],
    [true, { kind: 'any' }],
    [['*'], { kind: 'any' }],
    [['HTTP://Localhost:3000'], { kind: 'listed', origins: new Set(['http://localhost:3000']) }],
    [['null'], { kind: 'listed', origins: new Set(['null']) }],
  ])('%j is understood', (choice, policy) => {
    expect(readCorsPolicy(choice)).toEqual(policy);
  });

  test.each([
    'openapi.yaml',
    'http://localhost:3000/',
    'localhost:3000',
    'http://localhost:80',
    'http://user@localhost',
    '',
  ])('%j is no origin', (origin) => {
    expect(() => readCorsPolicy([origin])).toThrow(/is no origin/);
  });
});
