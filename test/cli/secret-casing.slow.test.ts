import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { main } from '../../src/cli/main.ts';
import { reporters } from '../../src/report/reporters.ts';
import { unpackReport } from '../report/report-of.ts';
import { makeFakeIo, type FakeIo } from './fake-io.ts';

/** A secret that may be part of a header name, and whose letters are of both cases. */
const secret = 'SeNtInEl-xY.9q_ToKeN';

/** What a server may do with a credential, in every part of a response. */
const leaks: Readonly<Record<string, (response: ServerResponse, key: string) => void>> = {
  contentType: (response, key) =>
    send(response, { type: `application/vnd.${key}+json`, body: '{}' }),
  headerName: (response, key) => send(response, { headers: { [`X-${key}`]: '1' } }),
  headerValue: (response, key) => send(response, { headers: { 'X-Debug': `key=${key}` } }),
  location: (response, key) =>
    send(response, { status: 302, headers: { Location: `/login/${key}?key=${key}` } }),
  statusText: (response, key) => {
    response.writeHead(500, `No permission for ${key}`, { 'Content-Type': 'application/json' });
    response.end(JSON.stringify({ key }));
  },
  propertyName: (response, key) =>
    send(response, { body: JSON.stringify({ [key]: { [`deep ${key}`]: 1 } }) }),
  propertyValue: (response, key) =>
    send(response, { body: JSON.stringify({ ok: key, error: `no ${key}` }) }),
  invalidJson: (response, key) => send(response, { body: `{"key": ${key}` }),
  text: (response, key) =>
    send(response, { type: 'text/plain', body: `Authorization: Bearer ${key}` }),
  percent: (response, key) =>
    send(response, { body: JSON.stringify([percentOf(key), percentOf(key).toUpperCase()]) }),
  hex: (response, key) =>
    send(response, { body: JSON.stringify([hexOf(key), hexOf(key).toUpperCase()]) }),
  base64: (response, key) =>
    send(response, { body: JSON.stringify(Buffer.from(`a:${key}`).toString('base64')) }),
  stack: (response, key) =>
    send(response, { status: 500, body: `Error: ${key}\n    at /srv/${key}.js:1` }),
  brokenHeader: (response, key) => {
    response.socket?.end(`HTTP/1.1 200 OK\r\nbroken ${key} header\r\n\r\n${key}`);
  },
  brokenStart: (response, key) => {
    response.socket?.end(`${key} HTTP/9.1 200 OK\r\n\r\n${key}`);
  },
};

interface Sent {
  readonly status?: number;
  readonly type?: string;
  readonly body?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

function send(
  response: ServerResponse,
  { status = 200, type = 'application/json', body = '{}', headers }: Sent,
): void {
  response.writeHead(status, { 'Content-Type': type, ...headers });
  response.end(body);
}

function hexOf(text: string): string {
  return Buffer.from(text).toString('hex');
}

function percentOf(text: string): string {
  return hexOf(text).replaceAll(/../g, '%$&');
}

const casings: readonly [name: string, change: (key: string) => string][] = [
  ['as it is', (key) => key],
  ['in upper case', (key) => key.toUpperCase()],
  ['in lower case', (key) => key.toLowerCase()],
  [
    'in the other case',
    (key) =>
      [...key]
        .map((letter) =>
          letter === letter.toLowerCase() ? letter.toUpperCase() : letter.toLowerCase(),
        )
        .join(''),
  ],
];

/** What shows the secret, in lower case; of base64 the part that begins with the secret. */
const traces = [
  secret,
  ...casings.flatMap(([, change]) => {
    const cased = change(secret);
    return [
      hexOf(cased),
      percentOf(cased),
      Buffer.from(`a:${cased}`).toString('base64').slice(3, 24),
    ];
  }),
].map((text) => text.toLowerCase());

function tracesIn(text: string): string[] {
  const folded = text.toLowerCase();
  return traces.filter((trace) => folded.includes(trace));
}

/** Each answer is wrong, so that each is shown; the document has the secret in its texts. */
function contractText(): string {
  const properties = '{ ok: { type: integer } }';
  const schema =
    `{ type: object, title: '${secret}', required: [ok, '${secret}'], ` +
    `properties: ${properties} }`;
  const content = `{ application/json: { schema: ${schema} } }`;
  const headers = '{ X-Need: { required: true, schema: { type: integer } } }';
  const response = `{ description: '${secret}', headers: ${headers}, content: ${content} }`;
  const paths = Object.keys(leaks).map(
    (leak) => `  /${leak}:
    get:
      operationId: '${leak}-${secret}'
      summary: 'summary ${secret}'
      responses: { '200': ${response} }
    post:
      operationId: 'write-${leak}'
      requestBody: { content: ${content} }
      responses: { '200': ${response} }`,
  );
  return `openapi: 3.1.0
info: { title: 'API ${secret}', version: 1.0.0 }
security: [{ it: [] }]
components: { securitySchemes: { it: { type: http, scheme: bearer } } }
paths:
${paths.join('\n')}
`;
}

let folder = '';
const servers: Server[] = [];
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'vouch-casing-'));
  writeFileSync(join(folder, 'api.yaml'), contractText());
});
afterEach(() => {
  for (const server of servers.splice(0)) {
    server.close();
    server.closeAllConnections();
  }
  rmSync(folder, { recursive: true });
});

async function serve(change: (key: string) => string): Promise<string> {
  const server = createServer((request, response) => {
    request.resume();
    request.on('end', () => answer(request, response, change));
  });
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${String((server.address() as AddressInfo).port)}`;
}

function answer(
  request: IncomingMessage,
  response: ServerResponse,
  change: (key: string) => string,
): void {
  const leak = leaks[(request.url ?? '').split(/[/?]/)[1] ?? ''];
  const key = /^\S+ ([\w.~-]+)$/.exec(request.headers.authorization ?? '')?.[1];
  if (leak === undefined || key === undefined)
    send(response, { status: leak === undefined ? 404 : 401 });
  else leak(response, change(key));
}

function filesOf(place: string): string[] {
  return readdirSync(place, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => `${entry.name}\n${readFileSync(join(entry.parentPath, entry.name), 'utf8')}`);
}

describe.each(casings)('a secret that the server repeats %s', (_name, change) => {
  test('is in no report, and in no file of the state folder', async () => {
    const url = await serve(change);
    const state = join(folder, 'state');
    const io = makeFakeIo({ VOUCH_TOKEN: secret, VOUCH_STATE_DIR: state });
    const reports = reporters.flatMap(({ id }) => ['-r', `${id}=report.${id}`]);
    const more = [
      '--update-baseline',
      '--baseline',
      'baseline',
      '--write-overlay',
      'overlay',
      '--verbose',
    ];
    const limits = ['--timeout', '1', '--max-requests', '500'];
    await main(['check', url, join(folder, 'api.yaml'), ...reports, ...more, ...limits], io);
    const replaying = makeFakeIo({ VOUCH_TOKEN: secret, VOUCH_STATE_DIR: state });
    await main(['replay'], replaying);
    const kept = filesOf(state);
    expect(kept.length).toBeGreaterThan(0);
    for (const id of ['json', 'html', 'har', 'blob', 'ndjson']) {
      expect(unpackReport(io.files.get(`report.${id}`) ?? '')).toContain('$VOUCH_TOKEN');
    }
    const report = io.files.get('report.json') ?? '';
    for (const leak of Object.keys(leaks)) expect(report).toContain(`write-${leak}`);
    for (const [name, text] of io.files)
      expect([name, tracesIn(unpackReport(text))]).toEqual([name, []]);
    expect(kept.flatMap(tracesIn)).toEqual([]);
    expect([io, replaying].flatMap(({ written }) => tracesIn(written.out + written.err))).toEqual(
      [],
    );
  });
});

test('a plan does not show a secret in the document', async () => {
  for (const words of [['--plan'], ['--plan', '-r', 'json']]) {
    const io = makeFakeIo({ VOUCH_TOKEN: secret });
    await main(['check', 'http://127.0.0.1:1', join(folder, 'api.yaml'), ...words], io);
    expect([io.written.out.length > 1_000, tracesIn(io.written.out)]).toEqual([true, []]);
  }
});

test('an internal error does not show a secret in its message, cause or stack', async () => {
  const io: FakeIo = {
    ...makeFakeIo({ MINE: secret }),
    openFile: () => {
      throw new Error(`no ${secret.toUpperCase()}`, { cause: new Error(secret.toLowerCase()) });
    },
  };
  const words = [
    'http://127.0.0.1:1',
    join(folder, 'api.yaml'),
    '--auth',
    'env:MINE',
    '-r',
    'json=x',
  ];
  expect(await main(['check', ...words], io)).toBe(70);
  expect(io.written.err).toContain('no $VOUCH_TOKEN');
  expect(tracesIn(io.written.err)).toEqual([]);
});
