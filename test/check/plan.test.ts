import { describe, expect, test } from 'vitest';
import { planCheck } from '../../src/check/engine/check-target.ts';
import { parseContract, loadContract } from '../../src/contract/load.ts';
import { libraryContract } from './fixture/library-contract.ts';

const url = 'http://127.0.0.1:4010/v1';
const contract = libraryContract();

describe('the same seed gives the same plan, byte for byte', () => {
  test('for contracts read at different times', () => {
    const first = JSON.stringify(
      planCheck({ url, contract: libraryContract(), token: 'demo-key', seed: 'a' }),
    );
    const second = JSON.stringify(
      planCheck({ url, contract: libraryContract(), token: 'demo-key', seed: 'a' }),
    );
    expect(first).toBe(second);
  });

  test('another seed gives another run with the same cases', () => {
    const [first, second] = ['a', 'b'].map((seed) =>
      planCheck({ url, contract, token: 'demo-key', seed }),
    );
    expect(first?.run).not.toBe(second?.run);
    const titles = (plan: typeof first): string[] | undefined =>
      plan?.requests
        .filter(({ phase }) => phase !== 'random')
        .map(({ title }) => title.replaceAll(/\d{6,}/g, 'N'));
    expect(titles(first)).toEqual(titles(second));
  });

  test('a request without a body shows none', () => {
    const { requests } = planCheck({ url, contract, token: 'demo-key', seed: 'a' });
    expect(
      new Set(requests.filter(({ method }) => method === 'GET').map(({ body }) => body)),
    ).toEqual(new Set([undefined]));
  });

  test('each request has a unique id', () => {
    const { requests } = planCheck({ url, contract, token: 'demo-key', seed: 'a' });
    const alike = Map.groupBy(requests, ({ id }) => id);
    expect(
      [...alike.values()].filter((group) => group.length > 1).map(([first]) => first?.title),
    ).toEqual([]);
  });
});

test('the requests to an operation with their intents', () => {
  const { requests } = planCheck({ url, contract, token: 'demo-key', seed: 'a' });
  const list = requests
    .filter(({ operation }) => operation.id === 'listBooks')
    .map(
      ({ phase, title, url: target }) =>
        `${phase}: ${title} <${target.replace('http://127.0.0.1:4010', '')}>`,
    );
  expect(list.join('\n')).toMatchInlineSnapshot(`
    "probe: a plain request </v1/books>
    read: a plain request </v1/books>
    read: the list is asked for again </v1/books>
    sequence: status is shelved, before any create </v1/books?status=shelved&limit=50>
    sequence: status is shelved, before any create, once more
      ↳ </v1/books?status=shelved&limit=50>
    sequence: status is lent, before any create </v1/books?status=lent&limit=50>
    sequence: status is lent, before any create, once more
      ↳ </v1/books?status=lent&limit=50>
    sequence: status is lost, before any create </v1/books?status=lost&limit=50>
    sequence: status is lost, before any create, once more
      ↳ </v1/books?status=lost&limit=50>
    sequence: the list is asked for after a record was created </v1/books?limit=50>
    sequence: the list is asked for again, with nothing done in between
      ↳ </v1/books?limit=50>
    sequence: the list is asked for again, with nothing done in between
      ↳ </v1/books?limit=50>
    sequence: the list is asked for again, with nothing done in between
      ↳ </v1/books?limit=50>
    sequence: the list is asked for after another record was created
      ↳ </v1/books?limit=50>
    sequence: the list is asked for </v1/books?limit=50>
    sequence: the list is asked for again </v1/books?limit=50>
    sequence: the list is asked for after a refused create </v1/books?limit=50>
    sequence: the list is asked for after another refused create </v1/books?limit=50>
    sequence: the list is asked for once more </v1/books?limit=50>
    sequence: the deleted record is looked for in the list
      ↳ </v1/books?limit=50&status={status}>
    boundary: limit is 10, the default </v1/books?limit=10>
    boundary: limit is 50, the maximum </v1/books?limit=50>
    boundary: limit is 49, one inside the maximum </v1/books?limit=49>
    boundary: limit is 1, the minimum </v1/books?limit=1>
    boundary: limit is 2, one inside the minimum </v1/books?limit=2>
    boundary: status is "shelved" </v1/books?status=shelved>
    boundary: status is "lent" </v1/books?status=lent>
    boundary: status is "lost" </v1/books?status=lost>
    boundary: a plain request, before a HEAD for the same </v1/books>
    boundary: a HEAD for what was just read </v1/books>
    boundary: a plain request, after a HEAD for the same </v1/books>
    negative: limit is 0, below the minimum of 1 </v1/books?limit=0>
    negative: limit is 51, above the maximum of 50 </v1/books?limit=51>
    negative: limit is "abc", not of type integer </v1/books?limit=abc>
    negative: limit is "NaN", not of type integer </v1/books?limit=NaN>
    negative: limit is "1.5", not of type integer </v1/books?limit=1.5>
    negative: limit is empty </v1/books?limit=>
    negative: limit is 99999999999999999999, which its schema excludes
      ↳ </v1/books?limit=99999999999999999999>
    negative: limit is -1, which its schema excludes </v1/books?limit=-1>
    negative: limit is %zz, a percent sign without two digits </v1/books?limit=%zz>
    negative: limit is %ff, a byte that is not UTF-8 </v1/books?limit=%ff>
    negative: limit is given twice </v1/books?limit=10&limit=10>
    negative: status is "unlisted", not one of "shelved", "lent", "lost"
      ↳ </v1/books?status=unlisted>
    negative: status is "SHELVED", not one of "shelved", "lent", "lost"
      ↳ </v1/books?status=SHELVED>
    negative: status is empty </v1/books?status=>
    negative: status is %zz, a percent sign without two digits </v1/books?status=%zz>
    negative: status is %ff, a byte that is not UTF-8 </v1/books?status=%ff>
    negative: status is given twice </v1/books?status=shelved&status=shelved>
    negative: If-None-Match is not-a-tag </v1/books>
    negative: If-Modified-Since is yesterday at noon </v1/books>
    negative: Range is lines=last </v1/books>
    negative: Accept is application/x-nothing </v1/books>
    negative: If-Match is " </v1/books>
    negative: a PROPFIND, which the contract does not declare for that path </v1/books>
    auth: a request without a credential </v1/books>
    auth: a request with an empty credential </v1/books>
    auth: a request with a well-formed credential that was never issued </v1/books>
    auth: a request with the credential short of its last character </v1/books>
    auth: a request with the credential and four characters behind it </v1/books>
    auth: a request with the credential, its capitals and small letters exchanged
      ↳ </v1/books>
    auth: a request with the credential under a scheme that the contract does not have
      ↳ </v1/books>
    auth: a request with a made-up credential under another scheme (Basic) </v1/books>
    sequence: the created record is looked for in the list
      ↳ </v1/books?limit=50&status=shelved>
    sequence: the created record is looked for in the list
      ↳ </v1/books?limit=50&status=shelved>
    sequence: the created record is looked for in the list
      ↳ </v1/books?limit=50&status=shelved>
    sequence: the created record is looked for in the list
      ↳ </v1/books?limit=50&status=shelved>
    sequence: the created record is looked for in the list
      ↳ </v1/books?limit=50&status=shelved>
    sequence: the created record is looked for in the list
      ↳ </v1/books?limit=50&status=lent>
    sequence: the created record is looked for in the list
      ↳ </v1/books?limit=50&status=lost>
    sequence: the created record is looked for in the list
      ↳ </v1/books?limit=50&status=shelved>
    sequence: the created record is looked for in the list
      ↳ </v1/books?limit=50&status=shelved>
    sequence: the created record is looked for in the list
      ↳ </v1/books?limit=50&status=shelved>
    sequence: the created record is looked for in the list
      ↳ </v1/books?limit=50&status=shelved>
    sequence: the created record is looked for in the list
      ↳ </v1/books?limit=50&status=shelved>
    sequence: the created record is looked for in the list
      ↳ </v1/books?limit=50&status=shelved>
    sequence: the created record is looked for in the list
      ↳ </v1/books?limit=50&status=shelved>
    sequence: the list is asked for its longest page </v1/books?limit=50>
    sequence: status is shelved </v1/books?status=shelved&limit=50>
    sequence: status is shelved and limit is 1 </v1/books?status=shelved&limit=1>
    sequence: status is shelved once more </v1/books?status=shelved&limit=50>
    sequence: the list is asked for again </v1/books?limit=50>
    sequence: the list is asked for its longest page </v1/books?limit=50>
    sequence: status is lent </v1/books?status=lent&limit=50>
    sequence: status is lent and limit is 1 </v1/books?status=lent&limit=1>
    sequence: status is lent once more </v1/books?status=lent&limit=50>
    sequence: the list is asked for again </v1/books?limit=50>
    sequence: the list is asked for its longest page </v1/books?limit=50>
    sequence: status is lost </v1/books?status=lost&limit=50>
    sequence: status is lost and limit is 1 </v1/books?status=lost&limit=1>
    sequence: status is lost once more </v1/books?status=lost&limit=50>
    sequence: the list is asked for again </v1/books?limit=50>
    sequence: the list is asked for its longest page </v1/books?limit=50>
    sequence: limit is 1 </v1/books?limit=1>
    sequence: the list is asked for again </v1/books?limit=50>
    sequence: the same request, 6 of 20 </v1/books>
    sequence: the same request, 7 of 20 </v1/books>
    sequence: the same request, 8 of 20 </v1/books>
    sequence: the same request, 9 of 20 </v1/books>
    sequence: the same request, 10 of 20 </v1/books>
    sequence: the same request, 11 of 20 </v1/books>
    sequence: the same request, 12 of 20 </v1/books>
    sequence: the same request, 13 of 20 </v1/books>
    sequence: the same request, 14 of 20 </v1/books>
    sequence: the same request, 15 of 20 </v1/books>
    sequence: the same request, 16 of 20 </v1/books>
    sequence: the same request, 17 of 20 </v1/books>
    sequence: the same request, 18 of 20 </v1/books>
    sequence: the same request, 19 of 20 </v1/books>
    sequence: the same request, 20 of 20 </v1/books>
    random: there are random values in limit and status </v1/books?limit=21&status=lent>
    random: limit is 0, below the minimum of 1 </v1/books?limit=0>
    random: there are random values in limit </v1/books?limit=5>
    random: status is "unlisted", not one of "shelved", "lent", "lost"
      ↳ </v1/books?limit=18&status=unlisted>
    random: there are random values in limit and status </v1/books?limit=31&status=lost>
    random: limit is "NaN", not of type integer </v1/books?status=lent&limit=NaN>"
  `);
});

test('values that only the run knows are shown in braces, and the credential by its name', () => {
  const { requests } = planCheck({ url, contract, token: 'demo-key', seed: 'a' });
  expect(
    requests.find(({ title }) => title === 'the first record of the list is read'),
  ).toMatchObject({
    url: 'http://127.0.0.1:4010/v1/books/{bookId}',
    headers: expect.arrayContaining([['Authorization', 'Bearer $VOUCH_TOKEN']]),
  });
});

test(
  'a body bears the name of the run where it has a free text, and is the ' +
    'contract’s own example otherwise',
  () => {
    const { requests, run } = planCheck({ url, contract, token: 'demo-key', seed: 'a' });
    const first = requests.find(
      ({ operation, title }) => operation.id === 'createBook' && title === 'a plain request',
    );
    expect(first?.body?.replace(run, 'RUN').replace(/RUN-\w+/, 'RUN-MARK')).toBe(
      '{"title":"The Long Road RUN-MARK","shelfId":7,"status":"shelved","pages":320}',
    );
    const shelves = requests
      .filter(
        ({ operation, title, phase }) =>
          operation.id === 'createBook' && phase !== 'random' && !title.startsWith('shelfId'),
      )
      .flatMap(({ body }) =>
        body?.startsWith('{') === true ? (/"shelfId":([^,}]*)/.exec(body)?.[1] ?? []) : [],
      );
    expect(new Set(shelves)).toEqual(new Set(['7']));
  },
);

describe('no harmful request is planned', () => {
  test('replacements and deletions name only what the run created', () => {
    const { requests } = planCheck({ url, contract, token: 'demo-key', seed: 'a' });
    const changing = requests.filter(
      ({ method, title }) =>
        (method === 'PUT' || method === 'DELETE') && !title.startsWith('bookId'),
    );
    expect(changing.length).toBeGreaterThan(20);
    expect(new Set(changing.map(({ url: target }) => target))).toEqual(
      new Set(['http://127.0.0.1:4010/v1/books/{bookId}']),
    );
  });

  test('operations that change many records at once are left out', () => {
    const bulk = { responses: { 204: { description: 'done' } } };
    const body = (schema: object): object => ({ content: { 'application/json': { schema } } });
    const thing = {
      type: 'object',
      properties: { id: { type: 'string' }, name: { type: 'string' } },
    };
    const things = {
      get: {
        operationId: 'listThings',
        responses: { 200: { description: 'all', ...body({ type: 'array', items: thing }) } },
      },
      post: {
        operationId: 'addThing',
        requestBody: body(thing),
        responses: { 201: { description: 'made', ...body(thing) } },
      },
      put: { operationId: 'putAll', requestBody: body({ type: 'array', items: thing }), ...bulk },
      delete: { operationId: 'clear', ...bulk },
    };
    const read = {
      parameters: [{ name: 'id', in: 'path', required: true, schema: { type: 'string' } }],
      get: { operationId: 'readThing', responses: { 200: { description: 'one', ...body(thing) } } },
    };
    const text = JSON.stringify({
      openapi: '3.1.0',
      info: { title: 'T', version: '1' },
      paths: { '/things': things, '/things/{id}': read },
    });
    const { skipped, requests } = planCheck({
      url,
      contract: parseContract(text, 't.json'),
      mode: 'fuzz',
      seed: 'a',
    });
    expect(
      requests.filter(({ operation }) => operation.id === 'putAll' || operation.id === 'clear'),
    ).toEqual([]);
    expect(requests.length).toBeGreaterThan(20);
    expect(skipped.map(({ operation, reason }) => `${operation.id}: ${reason}`)).toEqual([
      'putAll: it may touch records that the request does not name: its ' +
        'operationId is putAll; --allow putAll sends it.',
      'clear: it may touch records that the request does not name: it is a ' +
        'DELETE on a collection; --allow clear sends it.',
    ]);
  });

  test('operations that change records without a create are left out', () => {
    const text = `openapi: 3.1.0
info: { title: T, version: '1' }
paths:
  /settings: { put: { operationId: putSettings, responses: { '200': { description: ok } } },
      delete: { operationId: dropSettings, responses: { '204': { description: ok } } } }
  /users/{userId}: { get: { operationId: getUser, parameters: [{ name: userId, in: path,
      required: true, schema: { type: string } }], responses: { '200': { description: ok } } } }
  /old: { get: { operationId: getOld, deprecated: true, x-sunset: '2020-01-01', responses: {
      '200': { description: ok } } } }
  /switch: { get: { operationId: getSwitch, responses: { '100': { description: go on }, '101': {
      description: other protocol } } } }
  /locked: { get: { operationId: getLocked, security: [{ mutual: [] }], responses: { '200': {
      description: ok } } } }
  /upload: { post: { operationId: upload, requestBody: { required: true, content: {} },
      responses: { '200': { description: ok } } } }
  /impossible: { get: { operationId: getImpossible, parameters: [{ name: q, in: query,
      required: true, schema: { type: integer, minimum: 2, maximum: 1 } }], responses: { '200': {
      description: ok } } } }
components: { securitySchemes: { mutual: { type: mutualTLS } } }
`;
    const { skipped, requests } = planCheck({
      url,
      contract: parseContract(text, 't.yaml'),
      seed: 'a',
    });
    expect(requests).toEqual([]);
    expect(skipped.map(({ operation, reason }) => `${operation.id}: ${reason}`).join('\n'))
      .toMatchInlineSnapshot(`
        "putSettings: it changes a record, and no operation of the contract creates one that
          ↳ the run might change.
        dropSettings: it may touch records that the request does not name: it is a DELETE on
          ↳ a path that names no record; --allow dropSettings sends it.
        getUser: nothing in the contract shows which values {userId} has; give one with
          ↳ targets.NAME.examples.getUser.userId.
        getOld: the contract says that it was removed on 2020-01-01.
        getSwitch: the contract documents 100, 101 alone, and interim responses end no
          ↳ exchange.
        getLocked: it requires a security scheme for which vouch cannot send a token
          ↳ (mutual: mutualTLS).
        upload: its body is required, and the contract names no media type for it.
        getImpossible: no valid q could be made: no value was found that keeps
          ↳ #/paths/~1impossible/get/parameters/0/schema/minimum: its bounds leave no number."
      `);
  });
});

test('required parameters are always present, except in the case that omits one', () => {
  const text = `openapi: 3.1.0
info: { title: T, version: '1' }
paths:
  /search:
    get:
      operationId: search
      parameters:
        - { name: q, in: query, required: true, schema: { type: string, minLength: 2 },
            example: amber }
        - { name: X-Client, in: header, required: true, schema: { type: string, enum: [web, app] } }
        - { name: sid, in: cookie, schema: { type: integer } }
      responses: { '200': { description: ok } }
`;
  const { requests } = planCheck({ url, contract: parseContract(text, 't.yaml'), seed: 'a' });
  const lacking = requests.filter(
    ({ url: target, headers }) =>
      !target.includes('q=') || !headers.some(([name]) => name === 'X-Client'),
  );
  expect(lacking.map(({ title }) => title)).toEqual(['q is missing', 'X-Client is missing']);
  expect(requests[0]).toMatchObject({
    url: 'http://127.0.0.1:4010/v1/search?q=amber',
    headers: expect.arrayContaining([['X-Client', 'web']]),
  });
  expect(
    requests.some(({ headers }) =>
      headers.some(([name, value]) => name === 'Cookie' && value === '[redacted]'),
    ),
  ).toBe(true);
});

test('the bundled contract: a plan of moderate size', async () => {
  const bundled = await loadContract('openapi/petstore.v1.yaml');
  const size = (mode: 'read-only' | 'read-write'): number =>
    planCheck({
      url,
      contract: bundled,
      token: 'demo-key',
      seed: 'a',
      mode,
      servers: { messages: 'http://127.0.0.1:4011' },
    }).requests.length;
  expect(size('read-write')).toBeGreaterThan(150);
  expect(size('read-write')).toBeLessThan(350);
  expect(size('read-only')).toBeLessThan(110);
});

describe('invalid options are refused with a sentence', () => {
  test.each([
    [{ url: 'petstore' }, 'The URL to check is petstore, which is no URL.'],
    [{ url: 'ftp://x' }, 'The URL to check begins with ftp:, but vouch uses HTTP.'],
    [{ url: 'http://robin:secret@127.0.0.1' }, 'The URL to check holds a user name or a password.'],
    [{ url: 'http://127.0.0.1/?key=1' }, 'The URL to check has a query or a fragment.'],
    [{ include: ['listBook'] }, 'There is no operation listBook.'],
    [{ exclude: ['x'] }, 'There is no operation x.'],
    [{ only: ['no-such-check'] }, 'There is no check no-such-check.'],
    [{ rate: 0 }, 'rate is 0, and must be 0.001 or more.'],
    [{ concurrency: Number.NaN }, 'concurrency is NaN, and must be 1 or more.'],
    [{ servers: { notes: 'nowhere' } }, 'The URL of the server notes is nowhere, which is no URL.'],
  ])('%j', (given, message) => {
    expect(() => planCheck({ url, contract, ...given })).toThrow(
      expect.objectContaining({ name: 'VouchError', code: 'usage', message }),
    );
  });
});
