import { describe, expect, test } from 'vitest';
import type { Contract } from '../../../src/contract/model.ts';
import { headerValue } from '../../../src/http/message.ts';
import { parseJson } from '../../../src/json/parse-json.ts';
import { type JsonObject, type JsonValue, stringifyJson } from '../../../src/json/value.ts';
import { joinMocks, type JoinedDocument } from '../../../src/mock/join/join-mocks.ts';
import { readSnapshot } from '../../../src/mock/control/snapshot.ts';
import { parseScenario } from '../../../src/mock/scenarios/parse/parse-scenario.ts';
import type { Scenario } from '../../../src/mock/scenarios/scenario.ts';
import type { Answer, Mock } from '../../../src/mock/mock.ts';
import { makeMemoryStore } from '../../../src/store/local-store.ts';
import { buildContract } from '../../../src/contract/build.ts';
import { jsonContent } from '../../contract/make-contract.ts';

const thing = (extra: JsonObject): JsonObject => ({
  type: 'object',
  required: ['id', ...Object.keys(extra)],
  properties: { id: { type: 'integer', readOnly: true }, ...extra },
});

/** A contract of things under a base path; `extra` tells its things apart from other contracts'. */
function contractOf(
  file: string,
  base: string,
  extra: JsonObject,
  paths: JsonObject = {},
): Contract {
  const record = thing(extra);
  const document = {
    openapi: '3.1.0',
    info: { title: file, version: '1' },
    servers: [{ url: base }],
    paths: {
      '/things': {
        get: {
          operationId: 'listThings',
          responses: {
            200: { description: 'all', ...jsonContent({ type: 'array', items: record }) },
          },
        },
        post: {
          operationId: 'addThing',
          requestBody: { required: true, ...jsonContent(record) },
          responses: { 201: { description: 'made', ...jsonContent(record) } },
        },
      },
      '/things/{thingId}': {
        parameters: [{ name: 'thingId', in: 'path', required: true, schema: { type: 'integer' } }],
        get: {
          operationId: `read-${file}`,
          responses: {
            200: { description: 'one', ...jsonContent(record) },
            404: { description: 'none' },
          },
        },
      },
      ...paths,
    },
  };
  return buildContract({ file, text: () => stringifyJson(document, 2), value: document });
}

const left = contractOf('left.yaml', '/left', { name: { type: 'string' } });
const right = contractOf('right.yaml', '/right', { size: { type: 'integer' } });

function documentOf(
  name: string,
  contract: Contract,
  more: Partial<JoinedDocument> = {},
  fixtures: readonly JsonObject[] = [],
): JoinedDocument {
  const records = fixtures.map((record) => ({ id: String(record['id']), record }));
  let count = 0;
  return {
    name,
    contract,
    options: {
      fixtures: new Map(records.length === 0 ? [] : [['things', records]]),
      scenarios: [],
      assumptions: [],
      keys: ['demo-key'],
      authentication: 'known',
      seed: 'test',
      makeId: () => `made-${String((count += 1))}`,
    },
    ...more,
  };
}

const join = (...documents: readonly JoinedDocument[]): Promise<Mock> =>
  joinMocks(documents, { store: makeMemoryStore(), clock: () => new Date('2030-01-02T03:04:05Z') });
const both = (): Promise<Mock> =>
  join(
    documentOf('left', left, {}, [{ id: 1, name: 'first' }]),
    documentOf('right', right, {}, [{ id: 7, size: 3 }]),
  );

async function send(mock: Mock, line: string, body?: JsonValue): Promise<Answer> {
  const [method = '', target = ''] = line.split(' ');
  return mock.answer({
    method,
    target,
    headers: body === undefined ? [] : [['Content-Type', 'application/json']],
    body: new TextEncoder().encode(body === undefined ? '' : stringifyJson(body)),
  });
}

function bodyOf({ body }: Answer): JsonValue {
  const reading = parseJson(body);
  return reading.ok ? reading.value : new TextDecoder().decode(body);
}

describe('several contracts on one port', () => {
  test('have separate base paths and records', async () => {
    const mock = await both();
    const made = await send(mock, 'POST /left/things', { name: 'second' });
    expect([made.status, headerValue(made.headers, 'location')]).toEqual([201, '/left/things/2']);
    expect(bodyOf(await send(mock, 'GET /left/things'))).toEqual([
      { id: 1, name: 'first' },
      { id: 2, name: 'second' },
    ]);
    expect(bodyOf(await send(mock, 'GET /right/things'))).toEqual([{ id: 7, size: 3 }]);
  });

  test('validate each request by its own contract', async () => {
    const mock = await both();
    expect((await send(mock, 'POST /right/things', { name: 'second' })).status).toBe(400);
    expect((await send(mock, 'POST /right/things', { size: 4 })).status).toBe(201);
  });

  test(
    'tell operations and records apart by the contract where they are called ' +
      'the same, and only there',
    async () => {
      const mock = await both();
      expect((await send(mock, 'GET /right/things')).operation).toBe('right:listThings');
      expect((await send(mock, 'GET /left/things/1')).operation).toBe('read-left.yaml');
      expect(mock.options.contract.operations.map(({ id }) => id)).toEqual([
        'left:listThings',
        'left:addThing',
        'read-left.yaml',
        'right:listThings',
        'right:addThing',
        'read-right.yaml',
      ]);
      expect(mock.records.kinds.map(({ name }) => name)).toEqual(['left:things', 'right:things']);
      expect(
        (
          await mock.records.list(
            { session: 'default', resource: 'right:things' },
            { offset: 0, limit: 10 },
          )
        )?.records.map(({ record }) => record),
      ).toEqual([{ id: 7, size: 3 }]);
      expect(
        await mock.records.put(
          { session: 'default', resource: 'left:things' },
          { id: '5', record: { name: 'put' } },
        ),
      ).toMatchObject({ kind: 'created' });
      expect((await send(mock, 'GET /left/things/5')).status).toBe(200);
      expect(
        await mock.records.get({ session: 'default', resource: 'right:things' }, '5'),
      ).toBeUndefined();
      expect(await mock.records.remove({ session: 'default', resource: 'left:things' }, '5')).toBe(
        true,
      );
      expect(
        await mock.records.put(
          { session: 'default', resource: 'things' },
          { id: '5', record: { name: 'put' } },
        ),
      ).toEqual({ kind: 'broken', issues: [] });
    },
  );

  test('share snapshots, resets and the clock', async () => {
    const mock = await both();
    await send(mock, 'POST /left/things', { name: 'second' });
    await send(mock, 'POST /right/things', { size: 4 });
    const snapshot = await mock.snapshot();
    await mock.reset();
    expect([
      bodyOf(await send(mock, 'GET /left/things')),
      bodyOf(await send(mock, 'GET /right/things')),
    ]).toEqual([[{ id: 1, name: 'first' }], [{ id: 7, size: 3 }]]);
    await mock.restore(snapshot);
    expect(await mock.sessions()).toEqual(['default']);
    expect([
      bodyOf(await send(mock, 'GET /left/things')),
      bodyOf(await send(mock, 'GET /right/things')),
    ]).toMatchObject([
      [{ id: 1 }, { id: 2 }],
      [{ id: 7 }, { id: 8 }],
    ]);
    mock.clock.fix(new Date('2031-01-01T00:00:00Z'));
    expect(mock.options.clock().toISOString()).toBe('2031-01-01T00:00:00.000Z');
  });

  test('reset the records of scenarios with their session', async () => {
    const shop = parseScenario('shop', {
      description: 'Records of its own',
      state: { things: [{ id: 3, name: 'third' }] },
    });
    const mock = await join(
      documentOf('left', left, {
        options: { ...documentOf('left', left).options, scenarios: [shop], scenario: 'shop' },
      }),
      documentOf('right', right),
    );
    const names = async (): Promise<JsonValue> => bodyOf(await send(mock, 'GET /left/things'));
    const before = await names();
    for (const back of [() => mock.reset('default'), () => mock.reset()]) {
      expect((await send(mock, 'POST /left/things', { name: 'fourth' })).status).toBe(201);
      expect(await names()).not.toEqual(before);
      await back();
      expect(await names()).toEqual(before);
    }
  });

  test('restores a snapshot that was written as JSON, with generated records', async () => {
    const seeded = (name: string, contract: Contract): JoinedDocument =>
      documentOf(name, contract, {
        options: { ...documentOf(name, contract).options, seedRecords: 2 },
      });
    const mock = await join(seeded('left', left), seeded('right', right));
    await send(mock, 'POST /left/things', { name: 'mine' });
    const before = bodyOf(await send(mock, 'GET /left/things'));
    const document = parseJson(
      new TextEncoder().encode(
        stringifyJson(JSON.parse(JSON.stringify(await mock.snapshot())) as JsonObject),
      ),
    );
    await mock.reset();
    await mock.restore(readSnapshot(document.ok ? document.value : null, mock.options.contract));
    expect(bodyOf(await send(mock, 'GET /left/things'))).toEqual(before);
    expect(before).toHaveLength(3);
  });

  test('refuse an unknown path with the nearest path of all contracts', async () => {
    const mock = await both();
    expect(bodyOf(await send(mock, 'GET /rihgt/things'))).toMatchObject({
      status: 404,
      detail: 'There is no path `/rihgt/things`. Did you mean `/right/things`?',
    });
    expect(bodyOf(await send(mock, 'GET /right/thing'))).toMatchObject({
      detail: 'There is no path `/right/thing`. Did you mean `/right/things`?',
    });
  });

  test('name the methods of a path', async () => {
    const mock = await both();
    expect(headerValue((await send(mock, 'OPTIONS /right/things')).headers, 'allow')).toBe(
      'GET, POST, HEAD, OPTIONS',
    );
    expect((await send(mock, 'DELETE /right/things')).status).toBe(405);
    expect((await send(mock, 'HEAD /right/things')).status).toBe(200);
    expect(mock.view('/right/things')?.allow).toBe('GET, POST, HEAD, OPTIONS');
    expect(mock.view('/nowhere')).toBeUndefined();
  });

  test('can share a path with different methods', async () => {
    const ping = (method: string, operationId: string): JsonObject => ({
      '/ping': { [method]: { operationId, responses: { 204: { description: 'done' } } } },
    });
    const mock = await join(
      documentOf('left', contractOf('left.yaml', '/a', {}, ping('get', 'look')), { base: '/same' }),
      documentOf(
        'right',
        contractOf('right.yaml', '/b', { size: { type: 'integer' } }, ping('put', 'set')),
      ),
      documentOf('third', makePing('/same', 'put')),
    );
    expect([
      (await send(mock, 'GET /same/ping')).operation,
      (await send(mock, 'PUT /same/ping')).operation,
    ]).toEqual(['look', 'third']);
    const refused = await send(mock, 'DELETE /same/ping');
    expect([refused.status, headerValue(refused.headers, 'allow')]).toEqual([
      405,
      'GET, PUT, HEAD, OPTIONS',
    ]);
    expect(bodyOf(refused)).toMatchObject({ status: 405, code: 'method_not_allowed' });
    expect(headerValue((await send(mock, 'OPTIONS /same/ping')).headers, 'allow')).toBe(
      'GET, PUT, HEAD, OPTIONS',
    );
  });

  test('can have another base path', async () => {
    const mock = await join(
      documentOf('left', left, { base: '/v2/left' }, [{ id: 1, name: 'first' }]),
      documentOf('copy', left, { base: '' }),
    );
    const made = await send(mock, 'POST /v2/left/things', { name: 'second' });
    expect([made.status, headerValue(made.headers, 'location')]).toEqual([
      201,
      '/v2/left/things/2',
    ]);
    expect((await send(mock, 'GET /left/things')).status).toBe(404);
    expect(bodyOf(await send(mock, 'GET /things'))).toEqual([]);
  });

  test('activate scenarios in the contracts that have them', async () => {
    const scenario = { name: 'slow', description: '', rules: [] };
    const mock = await join(
      documentOf('left', left),
      documentOf('right', right, {
        options: { ...documentOf('right', right).options, scenarios: [scenario] },
      }),
    );
    expect(mock.scenarios.names).toEqual(['slow']);
    mock.scenarios.activate('slow');
    expect(mock.scenarios.active()).toEqual(['slow']);
    mock.scenarios.deactivate('slow');
    expect(mock.scenarios.active()).toEqual([]);
    expect(() => mock.scenarios.activate('slwo')).toThrow('There is no scenario slwo.');
  });

  test('have a scenario where it fits, also after it is replaced', async () => {
    const mock = await both();
    const gone = (operation: string): Scenario =>
      parseScenario('gone', {
        description: 'It is gone.',
        rules: [{ operation, answers: [{ status: 410, offContract: true }] }],
      });
    const statuses = async (): Promise<number[]> =>
      Promise.all(
        ['/left/things/1', '/right/things/7'].map(
          async (path) => (await send(mock, `GET ${path}`)).status,
        ),
      );
    mock.putScenario(gone('*'));
    mock.scenarios.activate('gone');
    expect(await statuses()).toEqual([410, 410]);
    expect(mock.faultsOf(gone('read-left.yaml'))).toEqual([]);
    mock.putScenario(gone('read-left.yaml'));
    expect(await statuses()).toEqual([410, 200]);
    expect(mock.faultsOf(gone('nothing'))).toHaveLength(1);
    expect(() => mock.putScenario(gone('nothing'))).toThrow('has no operation nothing');
    mock.removeScenario('gone');
    expect([mock.scenarios.names, mock.scenarios.active()]).toEqual([[], []]);
  });

  test('are refused at the start if two have the same method and path', async () => {
    const error = await join(
      documentOf('left', left),
      documentOf('other', contractOf('other.yaml', '/left', {})),
    ).catch((caught: unknown) => caught);
    expect(error).toMatchObject({
      code: 'config-invalid',
      message: expect.stringMatching(
        /^left and other both have GET \/left\/things: at left\.yaml:\d+:\d+ and at other\.yaml:\d+:\d+\.$/,
      ),
      hint:
        'Give one of them another base path: --base other=/other, or base ' +
        'in documents of vouch.config.yaml.',
    });
  });

  test('are refused if a path differs only in parameter names', async () => {
    const other = contractOf(
      'other.yaml',
      '/x',
      {},
      { '/{thing}': { get: { operationId: 'any', responses: { 204: { description: 'ok' } } } } },
    );
    const third = contractOf(
      'third.yaml',
      '/y',
      {},
      { '/{other}': { get: { operationId: 'some', responses: { 204: { description: 'ok' } } } } },
    );
    await expect(
      join(documentOf('other', other, { base: '/z' }), documentOf('third', third, { base: '/z' })),
    ).rejects.toThrow('other and third both have GET /z/things');
  });
});

function makePing(base: string, method: string): Contract {
  const document = {
    openapi: '3.1.0',
    info: { title: 'ping', version: '1' },
    servers: [{ url: base }],
    paths: {
      '/ping': { [method]: { operationId: 'third', responses: { 204: { description: 'done' } } } },
    },
  };
  return buildContract({
    file: 'third.yaml',
    text: () => stringifyJson(document, 2),
    value: document,
  });
}
