import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { afterEach, describe, expect, test } from 'vitest';
import { checkTarget } from '../../src/check/engine/check-target.ts';
import type { Exchange, TransportFault } from '../../src/check/model/exchange.ts';
import type { HttpRequest } from '../../src/http/message.ts';
import { makeContract } from '../contract/make-contract.ts';
import { libraryContract } from './fixture/library-contract.ts';
import { type Library, startLibrary } from './fixture/library-server.ts';

let server: Server | undefined;
let library: Library | undefined;
afterEach(async () => {
  server?.close();
  await library?.close();
});

async function listen(behave: (socket: Socket) => void): Promise<string> {
  server = createServer((socket) => {
    socket.on('error', () => {});
    behave(socket);
  });
  await new Promise<void>((resolve) => server?.listen(0, '127.0.0.1', resolve));
  return `127.0.0.1:${String((server.address() as AddressInfo).port)}`;
}

const contract = libraryContract();

/** Sends a request on to the server that it is for. */
async function forward(baseUrl: string, request: HttpRequest): Promise<Exchange> {
  const response = await fetch(new URL(baseUrl).origin + request.target, {
    method: request.method,
    headers: request.headers.map(([name, value]): [string, string] => [name, value]),
    ...(request.body.length === 0 ? {} : { body: Uint8Array.from(request.body) }),
  });
  return {
    baseUrl,
    request,
    response: {
      status: response.status,
      headers: [...response.headers].filter(([name]) => name !== 'content-encoding'),
      body: new Uint8Array(await response.arrayBuffer()),
    },
    durationMs: 1,
  };
}

test('a run against a port where nothing listens ends after one request', async () => {
  const { summary, findings } = await checkTarget({
    url: 'http://127.0.0.1:1',
    contract,
    token: 'demo-key',
  });
  expect(summary).toMatchObject({
    verdict: 'inconclusive',
    reason: 'Nothing answers at http://127.0.0.1:1: connection refused.',
    requests: 1,
  });
  expect(findings).toEqual([]);
});

test('a server that never responds is reported', async () => {
  const host = await listen(() => {});
  const { summary } = await checkTarget({ url: `http://${host}`, contract, timeoutMs: 100 });
  expect(summary.reason.replace(host, 'HOST')).toBe(
    'http://HOST does not answer: no response within 100 ms.',
  );
  expect(summary.verdict).toBe('inconclusive');
  // Two other operations are asked before the target is given up.
  expect(summary.requests).toBe(5);
});

test('a server that does not speak HTTP is reported', async () => {
  const host = await listen((socket) => socket.end('SSH-2.0-OpenSSH\r\n'));
  const { summary, findings } = await checkTarget({ url: `http://${host}`, contract });
  expect(summary.verdict).toBe('inconclusive');
  expect(findings).toEqual([]);
  expect(summary.reason.replace(host, 'HOST')).toBe(
    'http://HOST gives no HTTP answer: the response is not HTTP/1.1: ' +
      String.raw`it begins with "SSH-2.0-OpenSSH\r\n".`,
  );
});

test('TLS to a server without TLS is reported', async () => {
  const host = await listen((socket) =>
    socket.end('HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\n\r\n'),
  );
  const { summary } = await checkTarget({ url: `https://${host}`, contract });
  expect(summary.verdict).toBe('inconclusive');
  expect(summary.reason.replaceAll(host, 'HOST')).toBe(
    'No secure connection to HOST could be made: the TLS handshake failed ' +
      '(ERR_SSL_WRONG_VERSION_NUMBER). Does it speak http? Try http://HOST.',
  );
});

describe('each reason of an unreachable target has its message', () => {
  const faults: readonly (readonly [TransportFault, string])[] = [
    ['dns.failed', 'The name nowhere.example is not known: no address could be found for it.'],
    ['tls.failed', 'No secure connection to nowhere.example could be made: as told.'],
    ['proxy.failed', 'The proxy leads to no connection with nowhere.example: as told.'],
    ['connection.refused', 'Nothing answers at https://nowhere.example: as told.'],
    ['connection.reset', 'https://nowhere.example gives no HTTP answer: as told.'],
    ['timeout', 'https://nowhere.example does not answer: as told.'],
  ];
  test.each(faults)('%s', async (kind, sentence) => {
    const { summary, findings } = await checkTarget({
      url: 'https://nowhere.example/v1',
      contract,
      send: async (baseUrl, request) => ({
        baseUrl,
        request,
        fault: { kind, message: 'as told.' },
        durationMs: 1,
      }),
    });
    expect(summary).toMatchObject({ verdict: 'inconclusive', reason: sentence });
    expect(findings).toEqual([]);
  });
});

test('a target without responses is reported even if few requests could be sent', async () => {
  const thing = { type: 'object', properties: { id: { type: 'integer' } } };
  const answer = (schema: object): object => ({
    responses: { 200: { description: 'ok', content: { 'application/json': { schema } } } },
  });
  const things = makeContract({
    paths: {
      '/things': { get: { operationId: 'list', ...answer({ type: 'array', items: thing }) } },
      '/things/{id}': {
        get: {
          operationId: 'read',
          parameters: [{ name: 'id', in: 'path', required: true, schema: { type: 'integer' } }],
          ...answer(thing),
        },
      },
    },
  });
  const { summary, findings } = await checkTarget({
    url: 'https://nowhere.example',
    contract: things,
    send: async (baseUrl, request) => ({
      baseUrl,
      request,
      fault: { kind: 'connection.reset', message: 'as told.' },
      durationMs: 1,
    }),
  });
  expect(summary).toMatchObject({
    verdict: 'inconclusive',
    reason: 'https://nowhere.example gives no HTTP answer: as told.',
  });
  expect(findings).toEqual([]);
});

test('a target that stops during the run makes it inconclusive without findings', async () => {
  library = await startLibrary();
  const { url, token } = library;
  let sent = 0;
  const { events, summary, findings } = await checkTarget({
    url,
    contract,
    token,
    concurrency: 1,
    async send(baseUrl, request) {
      sent += 1;
      if (sent > 40)
        return {
          baseUrl,
          request,
          fault: { kind: 'connection.refused', message: 'connection refused.' },
          durationMs: 1,
        };
      return forward(baseUrl, request);
    },
  });
  expect(summary.verdict).toBe('inconclusive');
  expect(summary.reason).toBe(
    `Nothing answers at ${new URL(url).origin} any more: connection refused.`,
  );
  expect(findings.filter(({ check }) => check === 'operation-answers')).toEqual([]);
  const left = events.flatMap((event) => (event.type === 'record-left' ? [event] : []));
  expect(left).toContainEqual(
    expect.objectContaining({
      operation: 'createBook',
      reason: 'the service stopped answering before their deletion',
      code: 'delete-failed',
    }),
  );
  expect(left.map(({ reason }) => reason)).not.toContain('deleteBook is not part of the run');
});

test('three failing operations in a row do not end the run while another responds', async () => {
  library = await startLibrary();
  const { url, token } = library;
  const { summary, findings } = await checkTarget({
    url,
    contract,
    token,
    async send(baseUrl, request) {
      if (
        /^(POST .*\/books|(PUT|DELETE) .*\/books\/.+|.*\/reports)$/.test(
          `${request.method} ${request.target}`,
        )
      )
        return {
          baseUrl,
          request,
          fault: {
            kind: 'connection.reset',
            message: 'the server closed the connection without a response.',
          },
          durationMs: 1,
        };
      return forward(baseUrl, request);
    },
  });
  expect(summary.verdict).toBe('failed');
  expect(
    findings
      .filter(({ severity }) => severity === 'error')
      .map(({ check, operation }) => `${check} ${operation.id}`),
  ).toEqual([
    'operation-answers createBook',
    'operation-answers replaceBook',
    'operation-answers deleteBook',
    'operation-answers getReports',
  ]);
});

describe('a target that responds', () => {
  const reset = {
    kind: 'connection.reset',
    message: 'the server closed the connection without a response.',
  } as const;
  const late = {
    kind: 'timeout',
    message: 'no response within 10000 ms.',
  } as const;
  const cut = {
    kind: 'connection.truncated',
    message: 'the response ended early, after status 200 and 17 bytes of the body.',
  } as const;

  test.each([reset, late, cut])(
    'though the list that is asked first ends in $kind every time: that is a ' +
      'finding, and the run goes on',
    async (fault) => {
      library = await startLibrary();
      const { url, token } = library;
      const { summary, findings } = await checkTarget({
        url,
        contract,
        token,
        async send(baseUrl, request) {
          if (/^(GET|HEAD) .*\/books(\?|$)/.test(`${request.method} ${request.target}`))
            return { baseUrl, request, fault, durationMs: 1 };
          return forward(baseUrl, request);
        },
      });
      expect(summary.verdict).toBe('failed');
      expect(
        findings
          .filter(({ severity }) => severity === 'error')
          .map(({ check, operation }) => `${check} ${operation.id}`),
      ).toEqual(['operation-answers listBooks']);
      expect(summary.requests).toBeGreaterThan(50);
    },
  );

  test('even if no response can be read: the target is faulty, not unreachable', async () => {
    const host = await listen(
      (socket) =>
        void socket.on('data', () =>
          socket.end(
            'HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: ' +
              '2\r\nContent-Length: 7\r\n\r\n{}',
          ),
        ),
    );
    const { summary, findings } = await checkTarget({ url: `http://${host}`, contract });
    expect(summary.verdict).toBe('failed');
    expect([
      ...new Set(findings.filter(({ severity }) => severity === 'error').map(({ check }) => check)),
    ]).toEqual(['transport-sound']);
  });

  test(
    'and it refuses the credential on the list that is asked first alone: ' +
      'that is a finding, and the run goes on',
    async () => {
      library = await startLibrary();
      const { url, token } = library;
      const { summary, findings } = await checkTarget({
        url,
        contract,
        token,
        async send(baseUrl, request) {
          const shutOut = /^(GET|HEAD) .*\/books(\?|$)/.test(`${request.method} ${request.target}`);
          const headers = request.headers
            .filter(([name]) => !shutOut || name.toLowerCase() !== 'authorization')
            .map(([name, value]): [string, string] => [name, value]);
          const response = await fetch(new URL(baseUrl).origin + request.target, {
            method: request.method,
            headers,
            ...(request.body.length === 0 ? {} : { body: Uint8Array.from(request.body) }),
          });
          return {
            baseUrl,
            request,
            response: {
              status: response.status,
              headers: [...response.headers].filter(([name]) => name !== 'content-encoding'),
              body: new Uint8Array(await response.arrayBuffer()),
            },
            durationMs: 1,
          };
        },
      });
      expect(summary.verdict).toBe('failed');
      expect(
        findings
          .filter(({ severity }) => severity === 'error')
          .map(({ check, operation }) => `${check} ${operation.id}`),
      ).toEqual(['credential-accepted listBooks']);
    },
  );
});

test('an unreachable server of one operation does not end the run', async () => {
  library = await startLibrary();
  const { summary } = await checkTarget({
    url: library.url,
    contract,
    token: library.token,
    servers: { notes: 'http://127.0.0.1:1' },
  });
  expect(summary.verdict).toBe('passed');
  expect(summary.operations.find(({ id }) => id === 'sendNote')?.statuses).toHaveProperty(
    'connection.refused',
  );
});

test('a target that redirects everything is at another address', async () => {
  const { summary, findings } = await checkTarget({
    url: 'http://old.example/v1',
    contract,
    mode: 'read-write',
    send: async (baseUrl, request) => ({
      baseUrl,
      request,
      response: {
        status: 301,
        headers: [['Location', 'https://new.example/v1/books']],
        body: new Uint8Array(),
      },
      durationMs: 1,
    }),
  });
  expect(summary).toMatchObject({
    verdict: 'inconclusive',
    reason:
      'Nothing was tested: every valid request was redirected (to https://' +
      'new.example/v1/books). Is http://old.example/v1 the right base URL?',
  });
  expect(findings).toEqual([]);
});

describe('an inconclusive run says why, and what to do', () => {
  test.each([
    [
      'a wrong credential',
      { token: 'some-other-key' },
      'Nothing was tested: the target refused the credential on every request (401).',
      2,
    ],
    [
      'no credential',
      {},
      'Nothing was tested: the target requires a credential, and none was given. Set ' +
        'VOUCH_TOKEN, or name the variable with --auth env:NAME.',
      60,
    ],
    [
      'a wrong base URL',
      { path: '/v2', token: 'right' },
      'Nothing was tested: every valid request was answered 404. Is URL the right base URL? ' +
        "The contract's servers end in /v1.",
      12,
    ],
    [
      'a wrong base URL, read only',
      { path: '/v2', token: 'right', mode: 'read-only' },
      'Nothing was tested: every valid request was answered 404. Is URL the right base URL? ' +
        "The contract's servers end in /v1.",
      5,
    ],
  ] as const)('%s', async (_name, given, reason, max) => {
    library = await startLibrary();
    const options = { path: '/v1', ...given };
    const url = library.url.replace('/v1', options.path);
    const token =
      'token' in given ? { token: given.token === 'right' ? library.token : given.token } : {};
    const { summary, findings } = await checkTarget({
      url,
      contract,
      ...token,
      ...('mode' in given ? { mode: given.mode } : {}),
    });
    expect(summary.reason.replace(url, 'URL')).toBe(reason);
    expect(summary.verdict).toBe('inconclusive');
    expect(summary.requests).toBeLessThanOrEqual(max);
    expect(findings).toEqual([]);
  });
});

interface Run {
  readonly answer: (path: string) => { readonly mediaType: string; readonly text: string };
  /** The answer of one operation, if it differs. */
  readonly odd?: Run['answer'];
  /** The media type that the contract documents. */
  readonly documents?: string | undefined;
}

describe('a wrong base URL', () => {
  const post = { requestBody: { content: { 'application/json': { schema: { type: 'object' } } } } };
  const responses = { 200: { description: 'ok' }, 404: { description: 'no' } };
  const paths = Object.fromEntries(
    Array.from({ length: 60 }, (_unused, index) => [
      `/things${String(index)}`,
      {
        get: { operationId: `list${String(index)}`, responses },
        post: { operationId: `add${String(index)}`, ...post, responses },
      },
    ]),
  );
  const large = makeContract({ paths });

  test.each(['read-only', 'read-write', 'fuzz'] as const)(
    'of a large contract ends the run after about a dozen requests, %s',
    async (mode) => {
      const response = { status: 404, headers: [], body: new Uint8Array() };
      const { summary } = await checkTarget({
        url: 'http://127.0.0.1:9/wrong',
        contract: large,
        mode,
        send: async (baseUrl, request) => ({ baseUrl, request, response, durationMs: 1 }),
      });
      expect(summary).toMatchObject({
        verdict: 'inconclusive',
        code: 'nothing-tested',
        reason:
          'Nothing was tested: every valid request was answered 404. Is ' +
          'http://127.0.0.1:9/wrong the right base URL?',
        stop: { code: 'wrong-base-url', baseUrl: 'http://127.0.0.1:9/wrong', answers: 'not-found' },
      });
      expect(summary.requests).toBeLessThanOrEqual(16);
    },
  );

  const page = (path: string): { mediaType: string; text: string } => ({
    mediaType: 'text/html; charset=utf-8',
    text: `<!doctype html><title>${path}</title>`,
  });
  const data = { mediaType: 'application/json', text: '[]' };

  test.each<[string, Run, number]>([
    ['nothing was tested where pages answer', { answer: page }, 0],
    ['a page of one operation is its fault', { answer: () => data, odd: page }, 1],
    ['a page is an answer where it is documented', { answer: page, documents: 'text/html' }, 0],
    ['a page may be what is not documented', { answer: page, documents: undefined }, 0],
  ])('%s', async (name, { answer, odd = answer, ...told }, errors) => {
    const { documents } = { documents: 'application/json', ...told };
    const content = documents === undefined ? {} : { content: { [documents]: {} } };
    const documented = { 200: { description: 'ok', ...content } };
    const kinds = ['cats', 'dogs', 'owls'];
    const sent: string[] = [];
    const { summary, findings } = await checkTarget({
      url: 'http://127.0.0.1:9/site',
      contract: makeContract({
        paths: Object.fromEntries(
          kinds.map((kind) => [
            `/${kind}`,
            { get: { responses: documented }, post: { ...post, responses: documented } },
          ]),
        ),
      }),
      send: async (baseUrl, request) => {
        sent.push(request.method);
        const { mediaType, text } = (request.target.includes('owls') ? odd : answer)(
          request.target,
        );
        const body = new TextEncoder().encode(request.method === 'HEAD' ? '' : text);
        const headers = [['Content-Type', mediaType] as const];
        return { baseUrl, request, response: { status: 200, headers, body }, durationMs: 1 };
      },
    });
    const isSite = name.startsWith('nothing');
    expect(summary.stop?.code).toBe(isSite ? 'wrong-base-url' : undefined);
    expect(sent.includes('POST')).toBe(!isSite);
    const labels = findings.filter(({ check }) => check === 'content-type-documented');
    expect(labels.length > 0).toBe(errors > 0);
    if (isSite)
      expect(summary.reason).toBe(
        'Nothing was tested: every valid request was answered with a web page, and no operation ' +
          'documents a page. Is http://127.0.0.1:9/site the right base URL?',
      );
  });

  const get = { responses: { 200: { description: 'ok' } } };
  const old = Object.fromEntries(
    Array.from({ length: 20 }, (_unused, index) => [`/old/${String(index)}`, { get }]),
  );
  const add = { ...post, responses: { 200: { description: 'ok' } } };

  test.each([
    [
      'only of those below another path',
      makeContract({ paths: { ...old, '/new/a': { get }, '/new/b': { get } } }),
      '/new/',
    ],
    [
      'only of those with another method',
      makeContract({ paths: { '/a': { get }, '/b': { get }, '/c': { post: add } } }),
      '/c',
    ],
  ])('is not what is wrong where an answer comes, though %s', async (_name, partly, found) => {
    const { summary } = await checkTarget({
      url: 'http://127.0.0.1:9',
      contract: partly,
      mode: 'read-write',
      send: async (baseUrl, request) => ({
        baseUrl,
        request,
        response: {
          status: request.target.startsWith(found) ? 200 : 404,
          headers: [],
          body: new Uint8Array(),
        },
        durationMs: 1,
      }),
    });
    expect(summary.stop).toBeUndefined();
    expect(summary.verdict).toBe('failed');
  });
});
