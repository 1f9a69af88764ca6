import { describe, expect, test } from 'vitest';
import type { HeaderList, HttpRequest } from '../../src/http/message.ts';
import type { Answer } from '../../src/mock/mock.ts';
import { parseScenario } from '../../src/mock/scenarios/parse/parse-scenario.ts';
import { makeMemoryStore } from '../../src/store/local-store.ts';
import { fc } from '../property.ts';
import { expectKept } from './keeps-contract.ts';
import { bytes, mockOf, workshop } from './workshop.ts';

const methods = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.constantFrom('GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS'),
  },
  { weight: 1, arbitrary: fc.string() },
);

const texts = fc.oneof(
  fc.string(),
  fc.string({ unit: 'binary' }),
  fc.constantFrom(
    '',
    '0',
    '1',
    '-1',
    '9007199254740993',
    '99999999999999999999999',
    '1e400',
    'NaN',
    'null',
    '__proto__',
    'constructor',
    'toString',
    '../..',
    '%',
    '%zz',
    '%ff',
    '%00',
    'saw',
    'offset-1',
    'offset-99999999999999999999',
    '-name',
    ':desc',
    'A',
  ),
);
const encoded = texts.map((text) => encodeURIComponent(text.toWellFormed()));
const segments = fc.oneof(
  encoded,
  texts,
  fc.constantFrom(
    'v2',
    'api',
    'tools',
    'shelves',
    'reports',
    'repairs',
    'doors',
    'lock',
    '1',
    '2',
    'A',
  ),
);
const names = fc.oneof(
  fc.constantFrom(
    'limit',
    'offset',
    'kind',
    'tags',
    'weight',
    'sort',
    'order',
    'cursor',
    'page_size',
    'token',
    'X-Trace',
  ),
  encoded,
);
const queries = fc
  .array(fc.tuple(names, fc.oneof(encoded, texts)), { maxLength: 4 })
  .map((pairs) =>
    pairs.length === 0 ? '' : `?${pairs.map(([name, value]) => `${name}=${value}`).join('&')}`,
  );
const knownPaths = fc.oneof(
  fc.constantFrom(
    '/v2/tools',
    '/api/v2/tools',
    '/v2/shelves',
    '/v2/reports',
    '/v2/repairs',
    '/v2/doors/1/lock',
  ),
  fc
    .tuple(fc.constantFrom('/v2/tools/', '/v2/shelves/', '/v2/doors/'), encoded)
    .map((parts) => parts.join('')),
);
const paths = fc.oneof(
  { weight: 4, arbitrary: knownPaths },
  {
    weight: 1,
    arbitrary: fc.array(segments, { maxLength: 5 }).map((parts) => `/${parts.join('/')}`),
  },
  { weight: 1, arbitrary: texts },
);
const targets = fc.tuple(paths, queries).map((parts) => parts.join(''));

const fieldNames = fc.oneof(
  fc.constantFrom(
    'Accept',
    'Content-Type',
    'Authorization',
    'X-Key',
    'Prefer',
    'Vouch-Session',
    'Cookie',
    'X-Trace',
  ),
  fc.string(),
);
const fieldValues = fc.oneof(
  texts,
  fc.constantFrom(
    'demo-key',
    'Bearer demo-key',
    `Basic ${btoa('me:demo-key')}`,
    'application/json',
    'application/json-patch+json',
    'application/merge-patch+json',
    'application/x-www-form-urlencoded',
    'text/csv',
    '*/*',
    'code=404',
    'code=200',
    'code=999',
    'dynamic=true',
    'dynamic=true, code=422',
    'example=x',
    'scenario=odd',
    'scenario=even',
    'delay=1ms',
    'session=demo-key; a',
  ),
);
const headers: fc.Arbitrary<HeaderList> = fc
  .array(fc.tuple(fieldNames, fieldValues), { maxLength: 5 })
  .chain((fields) =>
    // Most requests should come further than to the door.
    fc
      .constantFrom<HeaderList>(
        [],
        [['X-Key', 'demo-key']],
        [
          ['X-Key', 'demo-key'],
          ['Content-Type', 'application/json'],
        ],
      )
      .map((more) => [...more, ...fields]),
  );

const members = fc.record(
  {
    id: fc.jsonValue(),
    name: fc.oneof(fc.string(), fc.jsonValue()),
    kind: fc.oneof(fc.constantFrom('saw', 'axe'), fc.jsonValue()),
    weight: fc.oneof(fc.maxSafeNat(), fc.jsonValue()),
    tags: fc.oneof(fc.array(fc.string()), fc.jsonValue()),
    code: fc.oneof(fc.constantFrom('A', 'Z'), fc.jsonValue()),
    toolId: fc.oneof(fc.nat(), fc.jsonValue()),
    ['__proto__']: fc.jsonValue(),
  },
  { requiredKeys: [] },
);
const steps = fc.array(
  fc.record(
    {
      op: fc.oneof(
        fc.constantFrom('add', 'remove', 'replace', 'move', 'copy', 'test'),
        fc.string(),
      ),
      path: fc.oneof(
        fc.constantFrom('', '/name', '/tags/0', '/tags/-', '/id', '/weight'),
        fc.string(),
      ),
      from: fc.constantFrom('', '/name', '/tags'),
      value: fc.jsonValue(),
    },
    { requiredKeys: [] },
  ),
);
const bodies = fc.oneof(
  {
    weight: 4,
    arbitrary: fc
      .oneof(members, steps, fc.jsonValue())
      .map((value) => bytes(JSON.stringify(value))),
  },
  { weight: 1, arbitrary: fc.uint8Array() },
  { weight: 1, arbitrary: fc.string({ unit: 'binary' }).map(bytes) },
  { weight: 1, arbitrary: fc.constant(new Uint8Array()) },
);

/** Requests that are right but for a thing or two. */
const likely: fc.Arbitrary<HttpRequest> = fc
  .record({
    line: fc.constantFrom(
      'GET /v2/tools',
      'POST /v2/tools',
      'GET /v2/tools/1',
      'PUT /v2/tools/2',
      'PATCH /v2/tools/3',
      'DELETE /v2/tools/4',
      'GET /v2/shelves',
      'POST /v2/shelves',
      'GET /v2/shelves/A',
      'GET /v2/reports',
      'POST /v2/repairs',
      'POST /v2/doors/1/lock',
    ),
    query: fc.oneof({ weight: 3, arbitrary: fc.constant('') }, { weight: 1, arbitrary: queries }),
    more: fc.oneof(
      { weight: 3, arbitrary: fc.constant<HeaderList>([]) },
      { weight: 1, arbitrary: headers },
    ),
    deviation: fc.oneof(
      { weight: 3, arbitrary: fc.constant({}) },
      { weight: 1, arbitrary: members },
    ),
    type: fc.constantFrom('application/json', 'application/json', 'application/merge-patch+json'),
  })
  .map(({ line, query, more, deviation, type }) => {
    const [method = '', path = ''] = line.split(' ');
    const right = path.startsWith('/v2/tools')
      ? { name: 'x', kind: 'saw' }
      : path.startsWith('/v2/shelves')
        ? { code: 'Q' }
        : { toolId: 1 };
    const fields: HeaderList = [
      ['X-Key', 'demo-key'],
      ['Authorization', `Basic ${btoa('me:demo-key')}`],
      ['Content-Type', type],
      ...more,
    ];
    return {
      method,
      target: path + query,
      headers: fields,
      body: bytes(JSON.stringify({ ...right, ...deviation })),
    };
  });

const wild: fc.Arbitrary<HttpRequest> = fc.record({
  method: methods,
  target: targets,
  headers,
  body: bodies,
});
const requests = fc.oneof(wild, likely);

const scenarios = [
  parseScenario('odd', {
    description: 'Every second one fails',
    rules: [
      {
        operation: '*',
        match: { parameters: { limit: 1 }, body: { name: 'x' } },
        answers: [{ status: 503, offContract: true }],
      },
      { operation: 'getTool', answers: [{ status: 404 }, { pass: true }] },
    ],
  }),
];

function expectSound({ status, headers: fields, body }: Answer): void {
  expect(status === 204 || (status >= 200 && status < 500)).toBe(true);
  expect(body).toBeInstanceOf(Uint8Array);
  for (const [name, value] of fields) {
    expect(name).toMatch(/^[\w-]+$/);
    expect(value).toMatch(/^[\t\x20-\x7e]*$/);
  }
}

describe('any request', () => {
  test('gets a well-formed response that conforms to the contract and is no 5xx', async () => {
    const mock = await mockOf({ scenarios });
    await fc.assert(
      fc.asyncProperty(requests, async (request) => {
        await mock.reset();
        const answer = await mock.answer(request);
        expectSound(answer);
        expectKept(workshop, answer);
      }),
      { numRuns: 3000 },
    );
  });

  test('changes nothing if it is refused or safe', async () => {
    const store = makeMemoryStore();
    const mock = await mockOf({ store, scenarios });
    const state = async (): Promise<unknown> =>
      Promise.all(
        ['tools', 'shelves'].map((collection) =>
          store.list({ session: 'default', name: collection }),
        ),
      );
    await fc.assert(
      fc.asyncProperty(requests, async (request) => {
        await mock.reset();
        const before = await state();
        const { status } = await mock.answer(request);
        if (status >= 400 || ['GET', 'HEAD', 'OPTIONS'].includes(request.method))
          expect(await state()).toEqual(before);
      }),
      { numRuns: 1000 },
    );
  });

  test('gets the same response without a body for HEAD', async () => {
    const mock = await mockOf();
    await fc.assert(
      fc.asyncProperty(requests, async (request) => {
        const [get, head] = await Promise.all([
          mock.answer({ ...request, method: 'GET' }),
          mock.answer({ ...request, method: 'HEAD' }),
        ]);
        expect(head.status).toBe(get.status);
        expect(head.body).toHaveLength(0);
        if (get.status !== 405)
          expect(head.headers.filter(([name]) => name !== 'Content-Length')).toEqual(get.headers);
      }),
      { numRuns: 500 },
    );
  });
});
