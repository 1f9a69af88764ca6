import { describe, expect, test } from 'vitest';
import { checkTarget, runCheck, type CheckOptions } from '../../src/check/engine/check-target.ts';
import type { Finding } from '../../src/check/model/finding.ts';
import { parseContract } from '../../src/contract/load.ts';
import type { Contract } from '../../src/contract/model.ts';
import { openFront, type Front, type FrontOptions, type Told } from './fixture/front.ts';
import { libraryContract, libraryText } from './fixture/library-contract.ts';
import { startLibrary } from './fixture/library-server.ts';
import { openTransport } from '../../src/check/transport/wire/wire-transport.ts';

/** The front of the last run. */
let front: Front = openFront({});

async function findingsOf(
  options: FrontOptions,
  check: string,
  { contract = libraryContract(), ...rest }: Partial<CheckOptions> = {},
): Promise<readonly Finding[]> {
  front = openFront(options);
  const { findings } = await checkTarget({
    url: front.url,
    contract,
    token: front.token,
    send: front.send,
    seed: 'rules',
    only: [check],
    ...rest,
  });
  return findings.filter((finding) => finding.check === check);
}

/** The library's contract, with one text in it replaced. */
function contractWith(...changes: readonly (readonly [from: string, to: string])[]): Contract {
  const text = changes.reduce((before, [from, to]) => {
    expect(before).toContain(from);
    return before.replace(from, to);
  }, libraryText);
  return parseContract(text, 'library.yaml');
}

function shown({ severity, operation, message }: Finding): string {
  return `${severity} ${operation.id}: ${message}`;
}

const json = { 'content-type': 'application/json' };

describe('credential-required', () => {
  const key = 'demo-key-4711';
  const lax = (accepts: (given: string) => boolean): FrontOptions => ({
    rewrite: ({ headers }) =>
      accepts(headers.authorization ?? '')
        ? { headers: { ...headers, authorization: `Bearer ${key}` } }
        : {},
  });

  test.each<[string, FrontOptions, string]>([
    [
      'nobody is asked',
      lax(() => true),
      'error listBooks: The server answered 200 to a request without a credential.',
    ],
    [
      'an empty one will do',
      lax((given) => /^bearer\s*$/i.test(given)),
      'error listBooks: The server answered 200 to a request with an empty credential.',
    ],
    [
      'any one will do, the empty one too',
      lax((given) => /^bearer/i.test(given)),
      'error listBooks: The server answered 200 to a request with a ' +
        'well-formed credential that was never issued.',
    ],
    [
      'any scheme will do',
      lax((given) => given.split(' ')[1] === key),
      'error listBooks: The server answered 200 to a request with the ' +
        'credential under a scheme that the contract does not have.',
    ],
    [
      'seven letters are cut off',
      lax((given) => given.slice(7) === key),
      'error listBooks: The server answered 200 to a request with the ' +
        'credential under a scheme that the contract does not have.',
    ],
    [
      'the beginning will do',
      lax((given) => given.length > 12 && `Bearer ${key}`.startsWith(given)),
      'error listBooks: The server answered 200 to a request with the ' +
        'credential short of its last character.',
    ],
    [
      'whatever begins with it will do',
      lax((given) => given.startsWith(`Bearer ${key}`)),
      'error listBooks: The server answered 200 to a request with the ' +
        'credential and four characters behind it.',
    ],
    [
      'who has none is sent to a login page',
      {
        alter: ({ status }) =>
          status === 401
            ? { status: 302, headers: { location: '/login' }, body: Buffer.alloc(0) }
            : {},
      },
      'error listBooks: The server redirected a request without a credential ' +
        '(302 to /login) instead of refusing it.',
    ],
    [
      'the refusal is a 200',
      { alter: ({ status }) => (status === 401 ? { status: 200 } : {}) },
      'error listBooks: The server answered 200 with an error in its body to a ' +
        'request without a credential.',
    ],
  ])('%s', async (_name, options, expected) => {
    expect((await findingsOf(options, 'credential-required')).map(shown)).toEqual([expected]);
  });

  test('a JSON Web Token whose signature is not verified', async () => {
    const token =
      'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJyb2JpbiJ9.dBjftJeZ4CVPmB92K27uhbUJU1p1rwW1gFWFOEjXk';
    const claims = token.slice(0, token.lastIndexOf('.'));
    const findings = await findingsOf(
      lax((given) => given.startsWith(`Bearer ${claims}.`)),
      'credential-required',
      { token },
    );
    expect(findings.map(shown)).toEqual([
      'error listBooks: The server answered 200 to a request with a ' +
        'well-formed credential that was never issued.',
    ]);
    expect(findings[0]?.curl.join('\n')).toContain('${VOUCH_TOKEN%????????}');
  });

  test.each<[string, FrontOptions]>([
    [
      'names its challenge',
      {
        alter: ({ status, headers }) =>
          status === 401 ? { headers: { ...headers, 'www-authenticate': 'Bearer' } } : {},
      },
    ],
    [
      'calls an empty or a strange credential malformed',
      {
        alter: ({ status }, { headers }) =>
          status === 401 && /^(bearer\s*$|digest)/i.test(headers.authorization ?? '')
            ? { status: 400, body: Buffer.from('{"code":"x","message":"x","status":400}') }
            : {},
      },
    ],
    [
      'hides what is not for everybody',
      {
        alter: ({ status }, { url }) =>
          status === 401 && /\d$/.test(url)
            ? { status: 404, body: Buffer.from('{"code":"x","message":"x","status":404}') }
            : {},
      },
    ],
  ])('a server that %s keeps it', async (_name, options) => {
    expect((await findingsOf(options, 'credential-required')).map(shown)).toEqual([]);
  });

  describe('under a wrong scheme', () => {
    const door = (opens: (headers: Record<string, unknown>) => boolean): FrontOptions => ({
      rewrite: ({ headers }) => ({
        headers: { ...headers, authorization: opens(headers) ? `Bearer ${key}` : '' },
      }),
    });
    const as = (scheme: string): Contract =>
      contractWith(['bearer: { type: http, scheme: bearer }', `bearer: { ${scheme} }`]);
    const pair = Buffer.from('robin:hunter-2217').toString('base64');
    const keyed = as('type: apiKey, in: header, name: X-House-Key');
    const paired = as('type: http, scheme: basic');

    test.each<[string, Contract, string, FrontOptions, string[]]>([
      [
        'a key that is read from its own field alone',
        keyed,
        key,
        door((headers) => headers['x-house-key'] === key),
        [],
      ],
      [
        'a key that is read from Authorization too',
        keyed,
        key,
        door(
          (headers) =>
            headers['x-house-key'] === key || headers['authorization'] === `Bearer ${key}`,
        ),
        [
          'warning listBooks: The server answered 200 to a request with the ' +
            'credential under a scheme that the contract does not have.',
        ],
      ],
      [
        'a pair that is read under Basic alone',
        paired,
        'robin:hunter-2217',
        door((headers) => headers['authorization'] === `Basic ${pair}`),
        [],
      ],
      [
        'a pair that is read whatever stands before it',
        paired,
        'robin:hunter-2217',
        door((headers) => String(headers['authorization']).endsWith(` ${pair}`)),
        [
          'error listBooks: The server answered 200 to a request with the ' +
            'credential under a scheme that the contract does not have.',
        ],
      ],
    ])('%s', async (_name, contract, token, options, expected) => {
      const findings = await findingsOf(options, 'credential-required', {
        contract,
        token,
        include: ['listBooks'],
      });
      expect(findings.map(shown)).toEqual(expected);
      expect(JSON.stringify(findings)).not.toContain(pair);
      if (token.includes(':'))
        for (const { curl } of findings)
          expect(curl.join('\n')).toContain(
            '-H "Authorization: Bearer $(printf %s "$VOUCH_TOKEN" | base64 | tr -d \'\\n\')"',
          );
    });

    test('no request is sent if another scheme of the contract reads the credential', async () => {
      const contract = contractWith([
        'bearer: { type: http, scheme: bearer }',
        'bearer: { type: apiKey, in: header, name: X-House-Key }\n    other: { ' +
          'type: http, scheme: bearer }',
      ]);
      const findings = await findingsOf(
        door(
          (headers) =>
            headers['x-house-key'] === key || headers['authorization'] === `Bearer ${key}`,
        ),
        'credential-required',
        { contract, token: key, include: ['listBooks'] },
      );
      expect(findings.map(shown)).toEqual([]);
      expect(front.asked.filter(({ headers }) => headers.authorization !== undefined)).toEqual([]);
    });
  });

  test('a read-only run probes each operation with a wrong and no credential', async () => {
    await findingsOf({}, 'credential-required', { mode: 'read-only' });
    const wrong = front.asked.filter(
      ({ headers }) =>
        headers.authorization !== undefined && headers.authorization !== `Bearer ${key}`,
    );
    expect(wrong.length).toBe(3);
    expect(new Set(wrong.map(({ url }) => url.replace(/\d+$/, '{id}'))).size).toBe(3);
  });
});

describe('method-refused', () => {
  const served = (match: (asked: { method: string; url: string }) => boolean): FrontOptions => ({
    answer: (asked) =>
      match(asked) ? { status: 200, headers: json, body: Buffer.from('{}') } : undefined,
  });

  test.each<[string, FrontOptions, readonly string[]]>([
    [
      'a GET',
      served(({ method, url }) => method === 'GET' && url.endsWith('/notes')),
      [
        'warning sendNote: The server answered 200 to GET /notes, which the ' +
          'contract does not declare.',
      ],
    ],
    [
      'a PATCH',
      served(({ method }) => method === 'PATCH'),
      [
        'warning getBook: The server answered 200 to PATCH /books/{bookId}, ' +
          'which the contract does not declare.',
      ],
    ],
    [
      'whatever comes',
      served(({ method, url }) => method === 'POST' && /books\/\d/.test(url)),
      [
        'warning getBook: The server answered 200 to POST /books/{bookId}, which ' +
          'the contract does not declare.',
      ],
    ],
  ])('undeclared %s is served', async (_name, options, expected) => {
    const contract = contractWith([
      '    servers: [{ url: https://notes.example, x-name: notes }]\n',
      '',
    ]);
    expect((await findingsOf(options, 'method-refused', { contract })).map(shown)).toEqual(
      expected,
    );
  });

  test('no request could change a record, and a read-only run sends only GET', async () => {
    await findingsOf({}, 'method-refused');
    const strange = front.asked.filter(
      ({ method, url }) => method === 'PATCH' || (method === 'POST' && /books\/./.test(url)),
    );
    expect(strange.length).toBeGreaterThan(0);
    expect(strange.filter(({ url }) => !/\/books\/\d{19}$/.test(url))).toEqual([]);
    await findingsOf({}, 'method-refused', { mode: 'read-only' });
    expect([...new Set(front.asked.map(({ method }) => method))].sort()).toEqual(['GET', 'HEAD']);
  });

  test.each([404, 405, 501, 401, 302])('a server that responds with %d passes', async (status) => {
    const findings = await findingsOf(
      {
        answer: ({ method }) =>
          method === 'PATCH'
            ? { status, headers: { 'content-type': 'text/html' }, body: Buffer.from('<p>No</p>') }
            : undefined,
      },
      'method-refused',
    );
    expect(findings).toEqual([]);
  });
});

describe('http-semantics', () => {
  const asGet: FrontOptions['rewrite'] = ({ method }) =>
    method === 'HEAD' ? { method: 'GET' } : {};
  const onHead = (change: (told: Told) => Partial<Told>): FrontOptions => ({
    rewrite: asGet,
    alter: (told, { method }) => (method === 'HEAD' ? change(told) : {}),
  });

  test.each<[string, FrontOptions, readonly string[]]>([
    [
      'HEAD has another type',
      onHead(({ headers }) => ({ headers: { ...headers, 'content-type': 'text/plain' } })),
      [
        'warning getBook: HEAD /books/{bookId} returns the Content-Type text/plain; GET ' +
          'returns application/json before and after it.',
        'warning getReports: HEAD /reports returns the Content-Type text/plain; GET returns ' +
          'application/json before and after it.',
        'warning listBooks: HEAD /books returns the Content-Type text/plain; GET returns ' +
          'application/json before and after it.',
      ],
    ],
    [
      'HEAD has no length to speak of',
      onHead(({ headers }) => ({ headers: { ...headers, 'content-length': '0' } })),
      [
        'warning getReports: HEAD /reports returns the Content-Length 0; GET returns 14 ' +
          'before and after it.',
      ],
    ],
    [
      'HEAD is another thing',
      onHead(() => ({ status: 204, body: Buffer.alloc(0) })),
      [
        'warning getBook: HEAD /books/{bookId} returns the status 204; GET returns 200 ' +
          'before and after it.',
        'warning getReports: HEAD /reports returns the status 204; GET returns 200 before ' +
          'and after it.',
        'warning listBooks: HEAD /books returns the status 204; GET returns 200 before and ' +
          'after it.',
      ],
    ],
    [
      'a create names another host',
      {
        rewrite: asGet,
        alter: ({ status, headers }) =>
          status === 201
            ? { headers: { ...headers, location: 'http://10.0.0.7:8080/books/1' } }
            : {},
      },
      [
        'note createBook: The header Location of a 201 response is ' +
          '"http://10.0.0.7:8080/books/1", which is not an address on 127.0.0.1:PORT.',
      ],
    ],
  ])('%s', async (_name, options, expected) => {
    const found = (await findingsOf(options, 'http-semantics'))
      .filter(({ message }) => !message.includes('without') && !message.startsWith('A 401'))
      .map(shown)
      .sort();
    expect(
      found
        .map((line) => line.replace(/127\.0\.0\.1:\d+/, '127.0.0.1:PORT'))
        .filter(
          (line) =>
            expected.length > 1 || !/Content-Length \d/.test(line) || line.includes('getReports'),
        ),
    ).toEqual(expected);
  });

  test('a fully conforming server has no finding', async () => {
    const manners: FrontOptions = {
      rewrite: asGet,
      alter: ({ status, headers }) => ({
        headers: {
          ...headers,
          ...(status === 401 ? { 'www-authenticate': 'Bearer realm="library"' } : {}),
          ...(status === 405 ? { allow: 'GET, PUT, DELETE' } : {}),
        },
      }),
    };
    expect((await findingsOf(manners, 'http-semantics')).map(shown)).toEqual([]);
  });

  test.each(['busy', 'random-order', 'gzip', 'chunked', 'empty-store'] as const)(
    'data that change between HEAD and GET are no finding: %s',
    async (variant) => {
      const found = await findingsOf({ variant, rewrite: asGet }, 'http-semantics');
      expect(found.filter(({ severity }) => severity !== 'note')).toEqual([]);
    },
  );
});

describe('deprecation-announced', () => {
  const deprecated = contractWith([
    '      operationId: getReports\n',
    '      operationId: getReports\n      deprecated: true\n      x-sunset: ' +
      '2099-12-05\n      x-deprecated-at: 2026-01-01\n',
  ]);
  const contract = parseContract(
    libraryText
      .replace(
        '      operationId: getReports\n',
        '      operationId: getReports\n      deprecated: true\n      x-sunset: ' +
          '2099-12-05\n      x-deprecated-at: 2026-01-01\n',
      )
      .replace(
        'default: { description: Not shown }',
        "'200': { description: Reports }\n        '401': { $ref: " +
          "'#/components/responses/Unauthorized' }",
      ),
    'library.yaml',
  );
  const announce = (headers: Record<string, string>): FrontOptions => ({
    alter: (told, { url }) =>
      url.endsWith('/reports') ? { headers: { ...told.headers, ...headers } } : {},
  });
  const right = { deprecation: '@1767225600', sunset: 'Sat, 05 Dec 2099 00:00:00 GMT' };

  test.each<[string, FrontOptions, readonly string[]]>([
    [
      'a Deprecation of an old draft',
      announce({ ...right, deprecation: 'true' }),
      [
        'warning getReports: The header Deprecation is "true", which is not a ' +
          'date such as @1688169599 (RFC 9745).',
      ],
    ],
    [
      'a Sunset that is no date',
      announce({ ...right, sunset: '2099-12-05' }),
      [
        'warning getReports: The header Sunset is "2099-12-05", which is not an ' +
          'HTTP date such as Thu, 05 Dec 2030 00:00:00 GMT (RFC 8594).',
      ],
    ],
    [
      'a Sunset of another day',
      announce({ ...right, sunset: 'Thu, 01 Jan 2099 00:00:00 GMT' }),
      ['warning getReports: The header Sunset says 2099-01-01, and the contract says 2099-12-05.'],
    ],
    [
      'a Deprecation of another day',
      announce({ ...right, deprecation: '@1577836800' }),
      [
        'warning getReports: The header Deprecation says 2020-01-01, and the ' +
          'contract says 2026-01-01.',
      ],
    ],
    [
      'not a word',
      {},
      [
        'note getReports: The operation is deprecated, but its responses have no header ' +
          'Deprecation and Sunset.',
      ],
    ],
    [
      'gone before its day',
      {
        answer: ({ url }) =>
          url.endsWith('/reports')
            ? {
                status: 410,
                headers: json,
                body: Buffer.from('{"code":"x","message":"x","status":410}'),
              }
            : undefined,
      },
      [
        'error getReports: The server answered 410 to a plain request; the ' +
          'contract keeps the operation until 2099-12-05.',
      ],
    ],
    ['as it should be', announce(right), []],
    ['to the second', announce({ ...right, sunset: 'Sat, 05 Dec 2099 23:59:59 GMT' }), []],
  ])('%s', async (_name, options, expected) => {
    expect(deprecated.operations.some((operation) => operation.deprecated)).toBe(true);
    expect((await findingsOf(options, 'deprecation-announced', { contract })).map(shown)).toEqual(
      expected,
    );
  });

  test('an undocumented header is a note for the author of the contract', async () => {
    const found = await findingsOf(
      announce({ deprecation: '@1767225600' }),
      'deprecation-announced',
    );
    expect(found.map((finding) => `${finding.blame} ${shown(finding)}`)).toEqual([
      'contract note getReports: The server announces that the operation is deprecated, but ' +
        'the contract does not.',
    ]);
  });

  test('after its sunset date it is not checked', async () => {
    const found = await findingsOf(
      { answer: ({ url }) => (url.endsWith('/reports') ? { status: 410 } : undefined) },
      'deprecation-announced',
      { contract: deprecated, clock: () => new Date('2100-01-01T00:00:00Z') },
    );
    expect(found).toEqual([]);
  });
});

describe('fields-documented', () => {
  test('each schema with undocumented fields is reported once without secrets', async () => {
    const more = (told: Told): Partial<Told> => {
      if (told.status !== 200 || told.body[0] !== 0x5b) return {};
      const books = (JSON.parse(told.body.toString()) as object[]).map((book, index) => ({
        ...book,
        addedAt: '2026-11-01T10:00:00Z',
        internalKey: 'hunter2',
        loans: index,
        notes: index === 0 ? null : 'none',
        tags: ['new'],
      }));
      return { body: Buffer.from(JSON.stringify(books)) };
    };
    const found = await findingsOf({ alter: more }, 'fields-documented');
    expect(
      found.map(({ severity, blame, pointer, message }) => ({
        severity,
        blame,
        pointer,
        message: message.replaceAll(/\d+ of \d+/g, 'n of m'),
      })),
    ).toMatchInlineSnapshot(`
        [
          {
            "blame": "contract",
            "message": "Responses have 5 fields that the contract does not document:
          ↳ addedAt (in n of m), internalKey (in n of m), loans (in n of
          ↳ m), notes (in n of m), tags (in n of m).",
            "pointer": "/components/schemas/Book",
            "severity": "note",
          },
        ]
      `);
    expect(found[0]?.overlayAction).toMatchInlineSnapshot(`
      {
        "target": "$['components']['schemas']['Book']",
        "update": {
          "properties": {
            "addedAt": {
              "examples": [
                "2026-11-01T10:00:00Z",
              ],
              "format": "date-time",
              "type": "string",
            },
            "internalKey": {
              "type": "string",
            },
            "loans": {
              "examples": [
                0,
              ],
              "type": "integer",
            },
            "notes": {
              "examples": [
                "none",
              ],
              "type": [
                "string",
                "null",
              ],
            },
            "tags": {
              "items": {
                "type": "string",
              },
              "type": "array",
            },
          },
        },
      }
    `);
    expect(found[0]?.expected).toMatchInlineSnapshot(
      `
        "only documented fields; the contract could add these properties: addedAt: { type:
          ↳ "string", format: "date-time", examples: ["2026-11-01T10:00:00Z"] }, internalKey: {
          ↳ type: "string" }, loans: { type: "integer", examples: [0] }, notes: { type:
          ↳ ["string", "null"], examples: ["none"] }, tags: { type: "array", items: { type:
          ↳ "string" } }"
      `,
    );
    expect(JSON.stringify(found)).not.toContain('"hunter2"');
  });

  test('open maps have no undocumented fields', async () => {
    const contract = contractWith([
      '            id: { type: integer, format: int64 }\n',
      '            id: { type: integer, format: int64 }\n          ' +
        'additionalProperties: { type: string }\n',
    ]);
    expect(
      await findingsOf({ variant: 'extra-fields' }, 'fields-documented', { contract }),
    ).toEqual([]);
    expect((await findingsOf({ variant: 'extra-fields' }, 'fields-documented')).length).toBe(1);
  });
});

describe('answers-in-time', () => {
  /** A whole run in which each answer is said to have taken so long: no clock is asked. */
  async function timed(
    takes: (target: string, index: number) => number,
    options: Partial<CheckOptions> = {},
  ): Promise<readonly string[]> {
    return (await findingsOf({ takes }, 'answers-in-time', options)).map(shown);
  }
  const isReport = (target: string): boolean => target.endsWith('/reports');

  test('a slow operation is reported with its figures', async () => {
    expect(await timed((target) => (isReport(target) ? 1_480 : 900))).toEqual([
      expect.stringMatching(
        /^warning getReports: GET \/reports is slow: 95% of its \d+ successful responses arrived within 1480 ms, the slowest in 1480 ms; the limit is 1000 ms\.$/,
      ),
    ]);
  });

  test('what counts as slow can be set', async () => {
    expect((await timed((target) => (isReport(target) ? 60 : 30), { slowMs: 50 })).length).toBe(1);
    expect(await timed(() => 1_480, { slowMs: 1_500 })).toEqual([]);
  });

  test('an operation far slower than its peers is a note without a configured time', async () => {
    expect(await timed((target) => (isReport(target) ? 280 : 4))).toEqual([
      expect.stringMatching(/^note .*half of the other operations respond within 4\.0 ms/),
    ]);
  });

  test('an operation that is sometimes slow is reported', async () => {
    let lists = 0;
    expect(
      await timed((target) => (/\/books(\?|$)/.test(target) && (lists += 1) % 4 === 0 ? 4_000 : 5)),
    ).toContainEqual(expect.stringMatching(/^warning listBooks/));
  });

  test.each([
    ['than its peers', 600],
    ['than a second', 3_000],
  ])('an operation that is slow only under load is not reported: %s', async (_name, loaded) => {
    // The phase of a request is known from the event of the one before it, so answers have to
    // come one after the other, as from a network.
    const library = await startLibrary();
    const transport = openTransport({ timeoutMs: 5_000, connections: 8 });
    let phase = '';
    const isBusy = (target: string): boolean =>
      isReport(target) && phase !== 'cleanup' && phase !== 'confirm';
    const found: string[] = [];
    for await (const event of runCheck({
      url: library.url,
      contract: libraryContract(),
      token: library.token,
      seed: 'rules',
      send: async (baseUrl, request, signal) => {
        const exchange = await transport.send(baseUrl, request, signal);
        return { ...exchange, durationMs: isBusy(request.target) ? loaded : 4 };
      },
      only: ['answers-in-time'],
    })) {
      if (event.type === 'exchange-recorded') phase = event.case.phase;
      if (event.type === 'finding-reported') found.push(shown(event.finding));
    }
    await transport.close();
    await library.close();
    expect(found).toEqual([]);
  });

  test.each<[string, (target: string, index: number) => number]>([
    ['as slow everywhere', () => 300],
    ['slower where more is to do, and not felt', (target) => (isReport(target) ? 200 : 2)],
    ['somewhat slower', (target) => (isReport(target) ? 900 : 100)],
    ['stumbles now and then', (_target, index) => (index % 97 === 0 ? 4_000 : 5)],
    ['warms up', (_target, index) => (index === 1 ? 6_000 : 5)],
  ])('a server is not slow that is %s', async (_name, durationOf) => {
    expect(await timed(durationOf)).toEqual([]);
  });
});

describe('the settings of checks', () => {
  test('the severity of a check can be lowered or off; a note stays a note', async () => {
    const { url, token, send } = openFront({
      alter: ({ status }) => (status === 401 ? { status: 200 } : {}),
    });
    const severityWith = async (
      severities: CheckOptions['severities'],
    ): Promise<readonly string[]> => {
      const { findings } = await checkTarget({
        url,
        contract: libraryContract(),
        token,
        send,
        seed: 'rules',
        ...(severities === undefined ? {} : { severities }),
      });
      return [
        ...new Set(
          findings
            .filter(({ check }) => check === 'credential-required')
            .map(({ severity }) => severity),
        ),
      ];
    };
    expect([
      await severityWith({}),
      await severityWith({ 'credential-required': 'warning' }),
      await severityWith({ 'credential-required': 'off' }),
    ]).toEqual([['error'], ['warning'], []]);
  });

  test('a skipped check is counted, and a skipped operation gets no request', async () => {
    front = openFront({
      answer: ({ method }) => (method === 'PATCH' ? { status: 200 } : undefined),
    });
    const { findings, summary, events } = await checkTarget({
      url: front.url,
      contract: libraryContract(),
      token: front.token,
      send: front.send,
      seed: 'rules',
      clock: () => new Date('2026-11-21T00:00:00Z'),
      skips: [
        {
          operation: 'getBook',
          check: 'method-refused',
          reason: 'the gateway answers PATCH itself, issue 12',
          until: '2026-12-31',
        },
        { operation: 'getReports', reason: 'it is being rebuilt.' },
        { operation: 'listBooks', reason: 'long ago', until: '2026-11-20' },
      ],
    });
    expect(findings.filter(({ check }) => check === 'method-refused')).toEqual([]);
    expect(summary.skippedFindings).toEqual([
      {
        check: 'method-refused',
        severity: 'warning',
        operation: 'getBook',
        message:
          'The server answered 200 to PATCH /books/{bookId}, which the contract does not declare.',
        count: 1,
        reason: 'the gateway answers PATCH itself, issue 12',
        until: '2026-12-31',
      },
    ]);
    expect(
      events.flatMap((event) =>
        event.type === 'operation-skipped' ? [`${event.operation.id}: ${event.reason}`] : [],
      ),
    ).toContain('getReports: the configuration skips it for good: it is being rebuilt.');
    expect(front.asked.filter(({ url }) => url.endsWith('/reports'))).toEqual([]);
    expect(summary.operations.find(({ id }) => id === 'listBooks')?.requests).toBeGreaterThan(0);
  });

  test.each<[string, Partial<CheckOptions>, string]>([
    [
      'a check that there is not',
      { skips: [{ check: 'status-documentd', reason: 'x' }] },
      'A skip names the check status-documentd, which does not exist.',
    ],
    [
      'an operation that there is not',
      { skips: [{ operation: 'getBok', reason: 'x' }] },
      'A skip names the operation getBok, which does not exist.',
    ],
    ['nothing', { skips: [{ reason: 'x' }] }, 'A skip names neither an operation nor a check.'],
    [
      'a severity of nothing',
      { severities: { 'body-parse': 'off' } },
      'There is no check body-parse.',
    ],
    ['a token for nothing', { tokens: { bearr: 'x' } }, 'There is no security scheme bearr.'],
    [
      'an example of nothing',
      { examples: { getBook: { bookid: 1 } } },
      'There is no parameter of getBook called bookid.',
    ],
  ])('%s is a usage error', async (_name, options, message) => {
    await expect(
      checkTarget({ url: 'http://127.0.0.1:1', contract: libraryContract(), ...options }),
    ).rejects.toMatchObject({ code: 'usage', message });
  });

  test('each scheme gets its own token, and no output shows either', async () => {
    const contract = contractWith(
      [
        'components:\n  securitySchemes:\n',
        'components:\n  securitySchemes:\n    house: { type: apiKey, in: header, name: X-House }\n',
      ],
      ['security: [{ bearer: [] }]', 'security: [{ bearer: [], house: [] }]'],
    );
    front = openFront({});
    const { events } = await checkTarget({
      url: front.url,
      contract,
      tokens: { bearer: front.token, house: 'house-key-0815' },
      send: front.send,
      seed: 'rules',
    });
    const list = front.asked.filter(
      ({ method, url }) => method === 'GET' && url.endsWith('/books'),
    );
    expect(
      list.some(
        ({ headers }) =>
          headers.authorization === `Bearer ${front.token}` &&
          headers['x-house'] === 'house-key-0815',
      ),
    ).toBe(true);
    expect(
      list.some(
        ({ headers }) =>
          headers.authorization !== undefined &&
          headers['x-house'] !== undefined &&
          headers['x-house'] !== 'house-key-0815',
      ),
    ).toBe(true);
    const text = JSON.stringify(events, (_key, value: unknown) =>
      value instanceof Uint8Array ? Buffer.from(value).toString('latin1') : value,
    );
    expect(text).toContain('$VOUCH_TOKEN_HOUSE');
    expect([text.includes('house-key-0815'), text.includes(front.token)]).toEqual([false, false]);
  });
});
