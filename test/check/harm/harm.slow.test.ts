import { describe, expect, test } from 'vitest';
import {
  checkServer,
  contractOf,
  leftOf,
  Records,
  type Asked,
  type StrangersServer,
  type Told,
} from './strangers-server.ts';

const json = (schema: string): string => `content: { application/json: { schema: ${schema} } }`;
const ok = (schema: string): string => `'200': { description: ok, ${json(schema)} }`;
const made = (schema: string): string => `'201': { description: made, ${json(schema)} }`;
const none = "'404': { description: none }";
const noContent = "'204': { description: done }";

const thing =
  '{ type: object, required: [name], properties: { id: { type: integer, ' +
  'format: int64 }, name: { type: string }, status: { type: string, enum: ' +
  '[new, sold] } } }';
const serverNamed = thing.replace(
  'id: { type: integer, format: int64 }',
  'id: { type: integer, readOnly: true }',
);
const idParameter =
  '{ name: id, in: path, required: true, schema: { type: integer, format: int64 } }';

/** The paths of things: listed, created, read, replaced and deleted. */
function thingPaths(schema: string, example = ''): string {
  const body =
    'requestBody: { required: true, content: { application/json: { schema: ' +
    `${schema}${example} } } }`;
  return `
  /things:
    get: { operationId: listThings, responses: { ${ok(`{ type: array, items: ${schema} }`)} } }
    post: { operationId: addThing, ${body}, responses: { ${made(schema)}, '400': {
        description: bad } } }
  /things/{id}:
    parameters: [${idParameter}]
    get: { operationId: readThing, responses: { ${ok(schema)}, ${none} } }
    put: { operationId: replaceThing, ${body}, responses: { ${ok(schema)}, ${none} } }
    delete: { operationId: deleteThing, responses: { ${noContent}, ${none} } }`;
}

/** A lenient server of things: it reads numbers as JavaScript does, and trusts every body. */
class ThingServer implements StrangersServer {
  readonly records = new Records();
  /** Answers first, where it answers. */
  readonly #first: (asked: Asked, records: Records) => Told | undefined;

  constructor(first: (asked: Asked, records: Records) => Told | undefined = () => undefined) {
    this.#first = first;
    for (let id = 1; id <= 10; id += 1)
      this.records.seed('things', id, { id, name: `Thing of others ${String(id)}`, status: 'new' });
  }

  answer(asked: Asked): Told {
    const first = this.#first(asked, this.records);
    if (first !== undefined) return first;
    const [, id] = /^\/things\/([^/]+)$/.exec(asked.path) ?? [];
    if (id !== undefined) return this.#item(asked, Number.parseInt(id, 10));
    if (asked.path !== '/things') return { status: 404 };
    if (asked.method === 'GET') return { status: 200, body: this.records.all('things') };
    if (asked.method !== 'POST') return { status: 405, headers: { Allow: 'GET, POST' } };
    return this.#create(asked.json);
  }

  #create(body: unknown): Told {
    if (!isNamed(body)) return { status: 400 };
    const id = typeof body.id === 'number' ? body.id : this.records.newId();
    this.records.put('things', id, { ...body, id });
    return { status: 201, body: { ...body, id } };
  }

  #item({ method, json: body }: Asked, id: number): Told {
    const record = this.records.get('things', id);
    if (method === 'GET')
      return record === undefined ? { status: 404 } : { status: 200, body: record };
    if (method === 'DELETE') return { status: this.records.delete('things', id) ? 204 : 404 };
    if (method !== 'PUT') return { status: 405, headers: { Allow: 'GET, PUT, DELETE' } };
    if (!isNamed(body)) return { status: 400 };
    // The body decides which record is replaced, as in many services.
    const replaced = typeof body.id === 'number' ? body.id : id;
    if (this.records.get('things', replaced) === undefined) return { status: 404 };
    this.records.put('things', replaced, { ...body, id: replaced });
    return { status: 200, body: { ...body, id: replaced } };
  }

  lost(): readonly string[] {
    return this.records.lost();
  }
}

function isNamed(body: unknown): body is { readonly id?: unknown; readonly name: string } {
  return (
    typeof body === 'object' && body !== null && 'name' in body && typeof body.name === 'string'
  );
}

test('what the run changed is put back before it is deleted', async () => {
  const server = new ThingServer();
  const removed: string[] = [];
  const answer = (asked: Asked): Told => {
    const told = server.answer(asked);
    const id = asked.path.split('/')[2] ?? '';
    if (asked.method === 'DELETE' && told.status === 204) removed.push(id);
    return told;
  };
  const { events } = await checkServer(contractOf(thingPaths(serverNamed)), { answer });
  const puts = events.flatMap((event) =>
    event.type === 'exchange-recorded' && event.case.title.endsWith('before it is deleted')
      ? [event.exchange]
      : [],
  );
  expect(puts.length).toBeGreaterThan(0);
  for (const { request, response } of puts) {
    const id = request.target.split('/')[2] ?? '';
    expect(response?.status).toBe(200);
    expect(removed).toContain(id);
  }
});

test('a record that its deletion does not find, and a list shows, is left and named', async () => {
  const server = new ThingServer(({ method, path }) =>
    method === 'DELETE' && /^\/things\/\d*5$/.test(path) ? { status: 404 } : undefined,
  );
  const report = await checkServer(contractOf(thingPaths(serverNamed)), server);
  const added = server.records
    .all('things')
    .slice(10)
    .map(({ id }) => `id ${String(id)}`);
  expect(added.length).toBeGreaterThan(0);
  expect(leftOf(report).map(({ record }) => record)).toEqual(expect.arrayContaining(added));
});

describe('existing records are not changed', () => {
  test('if the example names an existing record and a create overwrites it', async () => {
    const server = new ThingServer();
    const example = ', example: { id: 10, name: Doggie }';
    const report = await checkServer(contractOf(thingPaths(thing, example)), server);
    const { asked } = report;
    expect(server.lost()).toEqual([]);
    expect(asked.filter((line) => line.startsWith('POST /things')).length).toBeGreaterThan(5);
    expect(asked.filter((line) => line.startsWith('PUT /things/')).length).toBeGreaterThan(0);
    const left = leftOf(report)
      .map(({ record }) => record)
      .join(', ');
    const added = server.records
      .all('things')
      .slice(10)
      .map(({ id }) => String(id));
    expect(added.filter((id) => !left.includes(id))).toEqual([]);
  });

  test('if every body of the contract may name one', async () => {
    const server = new ThingServer();
    await checkServer(contractOf(thingPaths(thing)), server, { mode: 'fuzz' });
    expect(server.lost()).toEqual([]);
  });

  test('if invalid identifiers are parsed as numbers', async () => {
    const server = new ThingServer();
    const { asked } = await checkServer(contractOf(thingPaths(serverNamed)), server);
    expect(server.lost()).toEqual([]);
    expect(asked).toContain('DELETE /things/abc');
  });

  test('if a create returns an existing record', async () => {
    const server = new ThingServer(({ method, path }, records) =>
      method === 'POST' && path === '/things'
        ? { status: 201, body: records.get('things', 3) }
        : undefined,
    );
    const report = await checkServer(contractOf(thingPaths(serverNamed)), server);
    expect(server.lost()).toEqual([]);
    expect(leftOf(report).map(({ record }) => record)).toEqual(['1 record of POST /things (3)']);
  });

  test('if a read shows nothing and the client chooses identifiers', async () => {
    const server = new ThingServer(({ method, path }) =>
      method === 'GET' && path.startsWith('/things/') ? { status: 403 } : undefined,
    );
    const int32 = thing.replace('int64', 'int32');
    await checkServer(contractOf(thingPaths(int32, ', example: { id: 10, name: Doggie }')), server);
    expect(server.lost()).toEqual([]);
  });
});

const sweeping: readonly (readonly [method: string, path: string, more: string])[] = [
  ['delete', '/things', ''],
  ['put', '/things', `requestBody: { ${json(`{ type: array, items: ${thing} }`)} },`],
  ['patch', '/things', `requestBody: { ${json(`{ type: object }`)} },`],
  ['post', '/things/remove-by-metadata', `requestBody: { ${json('{ type: object }')} },`],
  [
    'post',
    '/things/bulk_delete',
    `requestBody: { ${json('{ type: object, properties: { limit: { type: integer } } }')} },`,
  ],
  ['post', '/kv/deleterange', `requestBody: { ${json('{ type: object }')} },`],
  ['post', '/reset', ''],
  ['get', '/things/purge', ''],
  ['post', '/recorder/start', ''],
  ['post', '/recorder/stop', ''],
  ['post', '/shutdown', ''],
  ['post', '/cache/flush', ''],
  ['post', '/jobs', 'operationId: bulkDeleteJobs,'],
  ['post', '/clean', 'summary: Wipes the whole database,'],
  ['post', '/data', "tags: ['Import'],"],
  ['post', '/batch', `requestBody: { ${json('{ type: object }')} },`],
  ['put', '/features/disable', ''],
  ['get', '/createThing', ''],
  [
    'post',
    '/settings',
    `requestBody: { ${json('{ type: object, properties: { delay: { type: integer } } }')} },`,
  ],
];

/** What stands beside a path in its contract. */
const companions: Readonly<Record<string, string>> = {
  '/recorder/start': `
  /recorder/stop: { post: { responses: { '200': { description: done } } } }`,
  '/settings':
    '\n    get: { responses: { ' +
    `${ok('{ type: object, properties: { delay: { type: integer } } }')} } }`,
};

describe('an operation that may affect unnamed records is not sent', () => {
  test.each(sweeping)('%s %s', async (method, path, more) => {
    let sent = 0;
    const server = new ThingServer((asked, records) => {
      if (asked.path !== path || asked.method !== method.toUpperCase()) return undefined;
      sent += 1;
      records.clear('things');
      return { status: 200, body: {} };
    });
    const own = `${method}: { ${more} responses: { '200': { description: done } } }`;
    const beside = companions[path] ?? '';
    const paths =
      path === '/things'
        ? thingPaths(serverNamed).replace(
            '    get: { operationId: listThings',
            `    ${own}\n    get: { operationId: listThings`,
          )
        : `${thingPaths(serverNamed)}\n  ${path}:\n    ${own}${beside}`;
    for (const mode of ['read-only', 'read-write'] as const) {
      const { events } = await checkServer(contractOf(paths), server, { mode });
      const skipped = events.flatMap((event) =>
        event.type === 'operation-skipped' ? [event] : [],
      );
      const ofPath = skipped.filter(({ operation }) => operation.path === path);
      expect(ofPath.map(({ operation }) => operation.method)).toContain(method.toUpperCase());
      if (mode !== 'read-only')
        expect(ofPath.map(({ reason }) => reason).join(' ')).toContain('--allow');
    }
    expect([sent, server.lost()]).toEqual([0, []]);
  });

  test('even as a credential probe', async () => {
    let sent = 0;
    const server: StrangersServer = {
      answer: ({ path }) => {
        if (path === '/reset') sent += 1;
        return { status: 200, body: [] };
      },
      lost: () => [],
    };
    const contract = contractOf(`
  /things: { get: { security: [{ key: [] }], responses: { '200': { description: ok } } } }
  /reset: { post: { security: [{ key: [] }], responses: { '200': { description: ok } } } }
components: { securitySchemes: { key: { type: http, scheme: bearer } } }`);
    await checkServer(contract, server, { token: 'secret-token-of-tests' });
    expect(sent).toBe(0);
  });

  test('unless it is named with --allow', async () => {
    const server = new ThingServer(({ path }) => (path === '/reset' ? { status: 200 } : undefined));
    const paths =
      `${thingPaths(serverNamed)}\n  /reset: { post: { operationId: reset, ` +
      `responses: { '200': { description: done } } } }`;
    const { asked } = await checkServer(contractOf(paths), server, { allow: ['reset'] });
    expect(asked).toContain('POST /reset');
    await expect(checkServer(contractOf(paths), server, { allow: ['rest'] })).rejects.toMatchObject(
      { code: 'usage' },
    );
  });

  test('an effect in the contract or the configuration overrides the inferred one', async () => {
    const server = new ThingServer(({ path }) =>
      path === '/search' ? { status: 200 } : undefined,
    );
    const paths = (effect: string): string => `${thingPaths(serverNamed)}
  /search: { post: { operationId: search, ${effect} requestBody: { ${json('{ type: object }')} },
      responses: { '200': { description: found } } } }`;
    const readOnly = await checkServer(contractOf(paths("x-vouch-effect: 'reads',")), server, {
      mode: 'read-only',
    });
    expect(readOnly.asked).toContain('POST /search');
    const withheld = await checkServer(contractOf(paths('')), server, {
      effects: { search: 'sweeps' },
    });
    expect(withheld.asked).not.toContain('POST /search');
    expect(() => contractOf(paths('x-vouch-effect: swept,')).effects).toThrow(/x-vouch-effect/);
  });
});

describe('every created record is deleted or reported', () => {
  const create = (response: string): string => `
  /boxes:
    post: { operationId: addBox, requestBody: { required: true,
        ${json('{ type: object, required: [name], properties: { name: { type: string } } }')} },
        responses: { ${response}, '400': { description: bad } } }`;

  test('if the response shows no identifier', async () => {
    let boxes = 0;
    const server = {
      answer({ method, json: body }: Asked): Told {
        if (method !== 'POST') return { status: 405, headers: { Allow: 'POST' } };
        if (!isNamed(body)) return { status: 400 };
        boxes += 1;
        return { status: 204 };
      },
    };
    const report = await checkServer(contractOf(create(noContent)), server);
    const [left] = leftOf(report);
    expect(boxes).toBeGreaterThan(3);
    expect(left).toEqual({
      record: expect.stringContaining('of POST /boxes, identifiers unknown'),
      count: boxes,
    });
    const [start] = report.events;
    expect(start?.type === 'run-started' && start.run.effects).toMatchObject({
      undeletable: ['POST /boxes'],
    });
  });

  test('if a request creates several: each of them is counted', async () => {
    let boxes = 0;
    let lists = 0;
    const server = {
      answer({ method, json: body }: Asked): Told {
        if (method !== 'POST') return { status: 405, headers: { Allow: 'POST' } };
        if (!Array.isArray(body) || !body.every(isNamed)) return { status: 400 };
        boxes += body.length;
        lists += 1;
        return { status: 204 };
      },
    };
    const box = '{ type: object, required: [name], properties: { name: { type: string } } }';
    const paths = create(noContent).replace(box, `{ type: array, items: ${box} }`);
    const report = await checkServer(contractOf(paths), server);
    expect(boxes).toBeGreaterThan(lists);
    const count = leftOf(report).reduce((sum, entry) => sum + entry.count, 0);
    expect(count).toBe(boxes);
  });

  test('each record is reported if no operation deletes it', async () => {
    const server = new ThingServer(({ method }) =>
      method === 'DELETE' ? { status: 405, headers: { Allow: 'GET' } } : undefined,
    );
    const report = await checkServer(contractOf(thingPaths(serverNamed)), server);
    const count = leftOf(report).reduce((sum, entry) => sum + entry.count, 0);
    expect(count).toBe(server.records.added);
  });
});

describe('a census reports changes of existing records', () => {
  /** Deletes a record of others with the third request, though no word says so. */
  function careless(at: number, step = 1): ThingServer {
    let requests = 0;
    let id = 0;
    return new ThingServer(({ method, path }, records) => {
      if (method !== 'POST' || path !== '/notes') return undefined;
      requests += 1;
      if (requests >= at) records.delete('things', (id += step));
      return { status: 202 };
    });
  }
  const paths = `${thingPaths(serverNamed)}
  /notes: { post: { operationId: sendNote, requestBody: { required: true,
      ${json('{ type: object, required: [text], properties: { text: { type: string } } }')} },
      responses: { '202': { description: taken } } } }`;

  test('none if all records still exist', async () => {
    const { summary } = await checkServer(contractOf(thingPaths(serverNamed)), new ThingServer());
    expect(summary.census).toEqual({
      lists: 1,
      records: 10,
      gone: [],
      changed: [],
      appeared: [],
      isBusy: false,
    });
  });

  test('missing records stop all requests that may change something', async () => {
    const server = careless(3);
    const { summary, asked } = await checkServer(contractOf(paths), server);
    const notes = asked.filter((line) => line === 'POST /notes').length;
    expect(summary.census?.gone.length).toBe(server.lost().length);
    expect(summary.census?.gone.length).toBeGreaterThan(0);
    expect(notes).toBeLessThan(60);
    expect(summary.verdict).not.toBe('passed');
    expect(summary.code).toBe('findings');
  });

  test('missing records fail a run without other findings', async () => {
    const server = careless(3, 0);
    server.records.seed('things', 0, { id: 0, name: 'First', status: 'new' });
    const listed = paths.replace(/ {4}post: \{ operationId: addThing[^]*?(?=\n {2}\/notes)/, '');
    const { summary } = await checkServer(contractOf(listed), server);
    expect([summary.verdict, summary.code]).toEqual(['inconclusive', 'others-changed']);
    expect(summary.reason).toContain('1 record gone; the run did not create them');
    expect(summary.census?.gone).toEqual([{ resource: 'things', identifier: '0' }]);
  });

  test('records that other clients change lead to no finding', async () => {
    const server = new ThingServer(({ method, path }, records) => {
      if (method === 'GET' && path === '/things') {
        const id = records.newId() + 100_000;
        records.put('things', id, { id, name: 'Of a neighbour' });
      }
      return undefined;
    });
    const { summary } = await checkServer(contractOf(paths), server);
    expect(summary.census?.isBusy).toBe(true);
  });
});
