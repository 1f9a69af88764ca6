import prismCore from '@stoplight/prism-core';
import prismHttp from '@stoplight/prism-http';
import prismServer from '@stoplight/prism-http-server';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startPrism, type PrismProcess } from '../../src/prism/start-prism.ts';
import { library } from './contracts.ts';
import { credential } from './running.ts';

/** The server of `prism mock`, on the same contract, as the command starts it. */
async function startOriginal(): Promise<{ readonly url: string; close(): Promise<void> }> {
  const operations = await prismHttp.getHttpOperationsFromSpec(structuredClone(library));
  const server = prismServer.createServer(operations, {
    cors: true,
    components: { logger: prismCore.createLogger('PRISM', { level: 'silent' }) },
    config: {
      isProxy: false,
      checkSecurity: true,
      validateRequest: true,
      validateResponse: true,
      errors: false,
      upstreamProxy: undefined,
      mock: { dynamic: false },
    },
  });
  const url = await server.listen(0, '127.0.0.1');
  return { url, close: () => server.close() };
}

let original: Awaited<ReturnType<typeof startOriginal>>;
let ours: PrismProcess;

beforeAll(async () => {
  original = await startOriginal();
  ours = await startPrism({ document: library, port: 0 });
});

afterAll(async () => {
  await original.close();
  await ours.close();
});

const json = { ...credential, 'content-type': 'application/json' };
const cases: readonly (readonly [name: string, target: string, init: RequestInit])[] = [
  ['an example', '/books', { headers: credential }],
  ['no credential', '/books', {}],
  ['a lower-case scheme', '/books', { headers: { authorization: 'bearer x' } }],
  ['a generated record', '/books/1', { headers: credential }],
  [
    'a deprecated operation',
    '/books/2',
    { headers: { ...credential, accept: 'application/json' } },
  ],
  ['an answer without a body', '/books/1', { method: 'DELETE', headers: credential }],
  ['a path parameter of the wrong type', '/books/x', { headers: credential }],
  ['a query parameter out of bounds', '/books?limit=0', { headers: credential }],
  ['a query parameter given twice', '/books?limit=1&limit=2', { headers: credential }],
  ['an unknown path', '/shelves', { headers: credential }],
  ['an unknown method', '/books', { method: 'PATCH', headers: credential }],
  ['HEAD', '/books', { method: 'HEAD', headers: credential }],
  ['nothing acceptable', '/books', { headers: { ...credential, accept: 'image/png' } }],
  ['text', '/search?text=aa', { headers: { accept: 'text/plain' } }],
  ['XML', '/search?text=aa', { headers: { accept: 'application/xml' } }],
  ['an example that breaks its schema', '/misprint', {}],
  ['a record', '/books', { method: 'POST', headers: json, body: '{"id":1,"title":"Emma"}' }],
  ['a record that lacks a field', '/books', { method: 'POST', headers: json, body: '{"id":1}' }],
  ['no record', '/books', { method: 'POST', headers: credential }],
  [
    'the wrong media type',
    '/books',
    { method: 'POST', headers: { ...credential, 'content-type': 'text/csv' }, body: 'a,b' },
  ],
  ['a preferred status', '/books', { headers: { ...credential, prefer: 'code=404' } }],
  [
    'a preferred status that is not documented',
    '/books',
    { headers: { ...credential, prefer: 'code=418' } },
  ],
  [
    'a preferred example',
    '/books',
    { headers: { ...credential, prefer: 'code=200, example=none' } },
  ],
  ['a preferred example in the query', '/books?__example=none', { headers: credential }],
  ['an example that is not there', '/books', { headers: { ...credential, prefer: 'example=two' } }],
  ['a preference that cannot be read', '/books', { headers: { ...credential, prefer: 'code=4' } }],
];

test.each(cases)('%s gets the same response as from Prism itself', async (_, target, init) => {
  expect(await readAnswer(ours.url + target, init)).toEqual(
    await readAnswer(original.url + target, init),
  );
});

test('generated values differ, and their shape does not', async () => {
  const init = { headers: { ...credential, prefer: 'dynamic=true' } };
  const mine = await readAnswer(`${ours.url}/books/1`, init);
  const theirs = await readAnswer(`${original.url}/books/1`, init);
  expect(mine).toMatchObject({ status: theirs.status, contentType: theirs.contentType });
  expect(Object.keys(mine.body as object)).toEqual(Object.keys(theirs.body as object));
});

test('a Prism that generates every answer shows an example to those who prefer it', async () => {
  const generating = await startPrism({ document: library, port: 0, dynamic: true });
  try {
    const url = `${generating.url}/books`;
    const example = await readAnswer(`${original.url}/books`, { headers: credential });
    const generated = await readAnswer(url, { headers: credential });
    expect(generated).toEqual({ ...example, body: expect.anything() });
    expect(generated.body).not.toEqual(example.body);
    const headers = { ...credential, prefer: 'dynamic=false' };
    expect(await readAnswer(url, { headers })).toEqual(example);
  } finally {
    await generating.close();
  }
});

/** What a client acts on. The wording of an unreadable preference is each server's own. */
async function readAnswer(
  url: string,
  init: RequestInit,
): Promise<{
  status: number;
  contentType: string | null;
  challenge: string | null;
  deprecation: string | null;
  violations: string | null;
  body: unknown;
}> {
  const response = await fetch(url, init);
  const text = await response.text();
  return {
    status: response.status,
    contentType: response.headers.get('content-type'),
    challenge: response.headers.get('www-authenticate'),
    deprecation: response.headers.get('deprecation'),
    violations: response.headers.get('sl-violations'),
    body: readBody(text),
  };
}

function readBody(text: string): unknown {
  if (!text.startsWith('{') && !text.startsWith('[')) return text;
  // An object or an array, by its first character; `headers` is where Prism shows the challenge a
  // second time.
  const { headers: _, ...value } = JSON.parse(text) as {
    headers?: unknown;
    title?: string;
    detail?: string;
  };
  return value.title === 'Invalid request' && value.detail?.includes('code')
    ? { ...value, detail: '' }
    : value;
}
