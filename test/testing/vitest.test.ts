import axios from 'axios';
import supertest from 'supertest';
import { describe, vi } from 'vitest';
import { createMockApp, startMock } from '../../src/library/start-mock.ts';
import { expect, keepText, mockTest } from '../../src/testing/vitest.ts';

/** The entry as a user has it: `import { expect, mockTest } from 'vouch/vitest'`. */
const test = mockTest({ contract: 'openapi/petstore.v1.yaml', fixtures: 'fixtures' });
/** The tests know what they ask for. */
const read = async <Value>(answer: Response): Promise<Value> => (await answer.json()) as Value;
const key = { Authorization: 'Bearer demo-key' };

describe('responses of every client are validated by the contract', () => {
  test('fetch, by operation name and by the request', async ({ session, mock }) => {
    const answer = await session.fetch('/pets?limit=2');
    await expect(answer).toMatchContract('listPets');
    await expect(answer).toMatchContract();
    expect(await answer.json()).toHaveLength(2);
    const plain = await fetch(`${mock.url}/pets/1`, { headers: key });
    await expect(plain).toMatchContract('GET /pets/{petId}');
    await expect(plain).toMatchContract();
  });

  test('supertest', async ({ mock }) => {
    const answer = await supertest(mock.origin).get('/v1/pets/1').set(key);
    await expect(answer).toMatchContract();
    await expect(answer).toMatchContract('getPet');
    const app = await createMockApp({ contract: 'openapi/petstore.v1.yaml', fixtures: false });
    await expect(await supertest(app).get('/v1/pets').set(key)).toMatchContract('listPets');
    await app.close();
  });

  test('axios', async ({ mock }) => {
    const client = axios.create({ baseURL: mock.url, headers: key, validateStatus: () => true });
    await expect(await client.get('/pets/1')).toMatchContract();
    await expect(await client.get('/pets/4242')).toMatchContract('getPet');
    await expect(await client.post('/pets', { name: 'Rex' })).toMatchContract('createPet');
  });

  test('any object with a status', async () => {
    await expect({
      status: 200,
      headers: { 'content-type': 'application/json' },
      body: '[]',
    }).toMatchContract('listPets');
    await expect({
      statusCode: 200,
      headers: { 'content-type': 'application/json' },
      payload: '[]',
    }).toMatchContract('listPets');
  });
});

describe('integers of 64 bits', () => {
  const big = {
    id: 9007199254740993n,
    name: 'Ada',
    categoryId: 9223372036854775807n,
    status: 'available',
  } as const;

  test('are sent and validated exactly', async ({ session, mock }) => {
    const answer = await session.fetch('/pets', {
      method: 'POST',
      json: { name: big.name, categoryId: big.categoryId },
    });
    expect(await answer.clone().text()).toContain('9223372036854775807');
    await expect(answer).toMatchContract('createPet');
    const client = axios.create({
      baseURL: mock.url,
      headers: { ...key, ...session.headers },
      transformResponse: keepText,
    });
    const created = await read<{ id: number }>(answer);
    await expect(await client.get(`/pets/${String(created.id)}`)).toMatchContract('getPet');
  });

  test('beyond int64 violate the contract', async () => {
    const answer = {
      status: 200,
      headers: { 'content-type': 'application/json' },
      body: `{"id":1,"name":"Ada","categoryId":9223372036854775808,"status":"available"}`,
    };
    await expect(answer).not.toMatchContract('getPet');
  });

  test('that a client has rounded cannot be validated, and there is a hint', async () => {
    const answer = {
      status: 200,
      headers: { 'content-type': 'application/json' },
      body: { id: 1, categoryId: 2 ** 63 },
    };
    await expect(expect(answer).toMatchContract('getPet')).rejects.toThrow(
      /integer at \/categoryId is larger than JSON.parse can hold.*transformResponse: keepText/s,
    );
  });
});

describe('a failed test', () => {
  test('has the violation, its place in the contract, and the response', async () => {
    const answer = {
      status: 200,
      headers: { 'content-type': 'application/json' },
      body: '{"id":1,"name":"Ada","categoryId":1,"status":"gone"}',
    };
    const failure = expect(answer).toMatchContract('getPet');
    expect(await failure.catch((error: Error) => error.message)).toMatchInlineSnapshot(`
      "The 200 answer of GET /pets/{petId} (getPet) breaks the contract in 1 place:

        1) In the 200 response, the value at /status must be one of available, pending,
        ↳ sold. (body-matches-schema)
           actual    "gone"

           openapi/petstore.v1.yaml:368:7
               366 |       description: The state of an animal. The list operation filters
        ↳ animals by these states.
               367 |       type: string
             > 368 |       enum: [available, pending, sold]
                   |       ^
               369 |       x-enumDescriptions:
               370 |         available: Animal is available

        The body that came:
        {"id":1,"name":"Ada","categoryId":1,"status":"gone"}"
    `);
  });

  test('shows lines of the contract once for all violations there', async () => {
    const answer = {
      status: 200,
      headers: { 'content-type': 'application/json' },
      body: '{"id":"one","status":"sold"}',
    };
    const failure = expect(answer).toMatchContract('getPet');
    const message = await failure.catch((error: Error) => error.message);
    const lines = String(message).split('\n');
    expect(lines.filter((line) => /^ {2}\d\) /.test(line))).toEqual([
      expect.stringMatching(/^ {2}1\) .* must have the property name\. /),
      expect.stringMatching(/^ {2}2\) .* must have the property categoryId\. /),
      expect.stringMatching(/^ {2}3\) .* \/id must be an integer/),
    ]);
    const places = lines.filter((line) => /openapi\/petstore\.v1\.yaml:\d+:\d+$/.test(line));
    expect([places.length, new Set(places).size]).toEqual([2, 2]);
  });

  test('lists the documented statuses', async () => {
    await expect(
      expect({
        status: 418,
        headers: { 'content-type': 'application/json' },
        body: '{}',
      }).toMatchContract('getPet'),
    ).rejects.toThrow(/418.*does not document that status/s);
  });

  test('names the declared media type', async () => {
    await expect(
      expect({
        status: 200,
        headers: { 'content-type': 'text/html' },
        body: '<p>',
      }).toMatchContract('getPet'),
    ).rejects.toThrow(/labelled text\/html; the contract declares application\/json/);
  });

  test('with .not states that the response conforms', async ({ session }) => {
    await expect(
      expect(await session.fetch('/pets/1')).not.toMatchContract('getPet'),
    ).rejects.toThrow(
      'The 200 answer of GET /pets/{petId} (getPet) keeps the contract, and ' +
        'was expected to break it.',
    );
  });
});

describe('usage errors', () => {
  test('carry no empty member and no cause; their stack begins with the test', async () => {
    const error = (await expect({ status: 200 })
      .toMatchContract('getPets')
      .catch((thrown: unknown) => thrown)) as Error;
    expect(Object.getOwnPropertyNames(error).toSorted()).toEqual([
      'code',
      'hint',
      'message',
      'name',
      'stack',
    ]);
    const frames = error.stack?.split('\n').filter((line) => line.startsWith('    at '));
    expect(frames?.filter((line) => line.includes('/src/'))).toEqual([]);
    expect(frames?.join('\n')).toContain('vitest.test.ts');
  });

  test.for<[string, unknown, string | undefined, RegExp]>([
    [
      'an operation that is not there',
      { status: 200 },
      'getPets',
      /has no operation getPets\. Did you mean getPet\?/,
    ],
    [
      'no answer at all',
      'hello',
      undefined,
      /no answer that vouch can read: string\. It reads responses of fetch, Playwright, supertest, axios/,
    ],
    ['a promise', Promise.resolve(), undefined, /a promise of a response.*Await it first/],
    [
      'a response without its request',
      { status: 200 },
      undefined,
      /does not include its request\. Name it: toMatchContract\('listPets'\)/,
    ],
    [
      'an address that the contract has not',
      { status: 200, url: 'http://127.0.0.1/v1/cats', method: 'GET' },
      undefined,
      /has no operation for GET http:\/\/127\.0\.0\.1\/v1\/cats/,
    ],
    [
      'an address with several operations',
      { status: 200, url: 'http://127.0.0.1/v1/pets' },
      undefined,
      /does not say its method, and the contract has GET and POST there/,
    ],
  ])('%s', async ([, answer, operation, message]) => {
    await expect(expect(answer).toMatchContract(operation)).rejects.toThrow(message);
  });

  test('a body that was already read, unless the session sent the request', async ({
    session,
    mock,
  }) => {
    const plain = await fetch(`${mock.url}/pets/1`, { headers: key });
    await plain.text();
    await expect(expect(plain).toMatchContract('getPet')).rejects.toThrow(
      /was already read.*match response\.clone\(\)/,
    );
    const own = await session.fetch('/pets/1');
    await own.text();
    await expect(own).toMatchContract();
    await expect(expect(own).toMatchContract('createPet')).rejects.toThrow(/200/);
  });
});

describe.concurrent('parallel tests do not affect each other', () => {
  for (const name of ['Ada', 'Grace', 'Edsger']) {
    test(`${name} is alone`, async ({ session }) => {
      const before = await read<unknown[]>(await session.fetch('/pets?limit=100'));
      await session.fetch('/pets', { method: 'POST', json: { name, categoryId: 1 } });
      const after = await read<{ name: string }[]>(await session.fetch('/pets?limit=100'));
      expect(after).toHaveLength(before.length + 1);
      expect(session.verify({ operation: 'createPet', count: 1, body: { name } })).toBe(1);
    });
  }
});

describe('a session', () => {
  test('has its own scenario', async ({ session, mock }) => {
    session.activate('missing-pet');
    expect((await session.fetch('/pets/1')).status).toBe(404);
    expect((await fetch(`${mock.url}/pets/1`, { headers: key })).status).toBe(200);
    session.deactivate('missing-pet');
    expect((await session.fetch('/pets/1')).status).toBe(200);
    expect(session.journal({ operation: 'getPet' }).map(({ status }) => status)).toEqual([
      404, 200,
    ]);
  });

  test('adds a credential only if the test does not', async ({ session }) => {
    const statuses = await Promise.all([
      session.fetch('/pets'),
      session.fetch('/pets', { credential: false }),
      session.fetch('/pets', { credential: 'wrong' }),
      session.fetch('/pets', { headers: { Authorization: 'Bearer no' } }),
    ]);
    expect(statuses.map(({ status }) => status)).toEqual([200, 401, 401, 401]);
  });

  test('fetch accepts a text, a URL and a Request', async ({ session, mock }) => {
    const standard: typeof globalThis.fetch = session.fetch;
    const body = JSON.stringify({ name: 'Req', categoryId: 1 });
    const headers = { 'Content-Type': 'application/json', 'X-Trace': 'request' };
    const request = new Request(`${mock.url}/pets`, { method: 'POST', headers, body });
    const created = await standard(request);
    expect(created.status).toBe(201);
    await expect(created).toMatchContract();
    expect((await standard(new URL(`${mock.url}/pets?limit=1`))).status).toBe(200);
    expect((await standard('pets?limit=1')).status).toBe(200);
    const [first] = session.journal({ method: 'POST' });
    const names = first?.request.headers.map(([name, value]) => [name.toLowerCase(), value]);
    expect(names).toContainEqual(['x-trace', 'request']);
    expect(first?.session).toBe(session.name);
  });

  test('fetch can replace the global fetch', async ({ session }) => {
    vi.stubGlobal('fetch', session.fetch);
    const { status } = await fetch(`${session.url}/pets`);
    vi.unstubAllGlobals();
    expect(status).toBe(200);
  });

  test('options beside a Request override its members, as in fetch', async ({ session }) => {
    const request = new Request(`${session.url}/pets`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: '{}',
    });
    const { status } = await session.fetch(request, { json: { name: 'Init', categoryId: 1 } });
    expect(status).toBe(201);
    const listed = await session.fetch(new Request(`${session.url}/pets`), { credential: false });
    expect(listed.status).toBe(401);
    const stop = new AbortController();
    stop.abort();
    const aborted = new Request(`${session.url}/pets`, { signal: stop.signal });
    await expect(session.fetch(aborted)).rejects.toThrow(/abort/i);
  });

  test('an unknown scenario is an error with a hint', async ({ session }) => {
    expect(() => session.activate('slow-lists')).toThrow(
      'There is no scenario slow-lists. Did you mean slow-list?',
    );
    const { url, close, activate } = await startMock({
      contract: 'test/prove/notes.yaml',
      config: false,
      port: 0,
    });
    expect(url).toContain('http://');
    expect(() => activate('slow-list')).toThrow(
      'There is no scenario slow-list. None is loaded. Name the folder of their files: ' +
        "mock.scenarios in vouch.config.yaml, or scenarios: './scenarios' in code.",
    );
    await close();
  });

  test('resets to the fixtures', async ({ session }) => {
    await session.fetch('/pets', { method: 'POST', json: { name: 'Zzyzx', categoryId: 1 } });
    await session.reset();
    const names = await read<{ name: string }[]>(await session.fetch('/pets?limit=100'));
    expect(names.some(({ name }) => name === 'Zzyzx')).toBe(false);
  });
});
