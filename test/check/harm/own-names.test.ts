import { describe, expect, test } from 'vitest';
import type { CheckReport } from '../../../src/check/engine/check-target.ts';
import {
  type Asked,
  checkServer,
  contractOf,
  leftOf,
  Records,
  type StrangersServer,
  type Told,
} from './strangers-server.ts';

const json = (schema: string): string => `content: { application/json: { schema: ${schema} } }`;
const takes = (schema: string): string => `requestBody: { required: true, ${json(schema)} },`;
const ok = (schema: string): string => `'200': { description: ok, ${json(schema)} }`;
const made = (schema: string): string => `'201': { description: made, ${json(schema)} }`;
const gone = "'204': { description: done }";
const none = "'404': { description: none }";
const bad = "'400': { description: bad }";
const inPath = (...names: readonly string[]): string =>
  `parameters: [${names
    .map((name) => `{ name: ${name}, in: path, required: true, schema: { type: string } }`)
    .join(', ')}]`;

/** The operations of a contract that were answered with a success. */
function reachedBy({ summary }: CheckReport): string[] {
  return summary.operations.flatMap(({ method, path, statuses }) =>
    Object.keys(statuses).some((status) => status.startsWith('2')) ? [`${method} ${path}`] : [],
  );
}

const text = (value: unknown): string | undefined =>
  typeof value === 'string' ? value : undefined;

function member(body: unknown, name: string): unknown {
  return typeof body === 'object' && body !== null && !Array.isArray(body)
    ? (body as Readonly<Record<string, unknown>>)[name]
    : undefined;
}

/** How the boats of others are shown: in a list, in a map by their names, or only one by one. */
type Shown = 'list' | 'map' | 'nothing';

/** Boats are keyed by a member that the contract does not call the identifier. */
class BoatServer implements StrangersServer {
  readonly records = new Records();
  readonly #shown: Shown;
  readonly #key: string;

  constructor(shown: Shown, { key, example }: { readonly key: string; readonly example: string }) {
    this.#shown = shown;
    this.#key = key;
    this.records.seed('boats', example, { [key]: example, owner: 'Somebody' });
  }

  answer({ method, path, json: body }: Asked): Told {
    const [, shown] = /^\/boats\/(.+)$/s.exec(path) ?? [];
    if (path === '/boats') return this.#ofAll(method, body);
    const id = shown?.replaceAll(/%[0-9a-f]{2}/gi, decodeURIComponent);
    const boat = id === undefined ? undefined : this.records.get('boats', id);
    if (id === undefined || boat === undefined) return { status: 404 };
    if (method === 'GET') return { status: 200, body: boat };
    if (method !== 'DELETE') return { status: 405, headers: { Allow: 'GET, DELETE' } };
    this.records.delete('boats', id);
    return { status: 204 };
  }

  #ofAll(method: string, body: unknown): Told {
    const boats = this.records.all('boats');
    if (method === 'GET' && this.#shown === 'list') return { status: 200, body: boats };
    if (method === 'GET' && this.#shown === 'map')
      return {
        status: 200,
        body: Object.fromEntries(boats.map((boat) => [boat[this.#key], boat])),
      };
    if (method !== 'POST') return { status: 404 };
    const owner = text(member(body, 'owner'));
    const given = member(body, this.#key);
    const isOdd = given !== undefined && typeof given !== 'string' && typeof given !== 'number';
    if (owner === undefined || isOdd) return { status: 400 };
    const id = given === undefined ? `made-${String(this.records.newId())}` : String(given);
    this.records.put('boats', id, { [this.#key]: id, owner });
    return { status: 201, body: { id } };
  }

  lost(): readonly string[] {
    return this.records.lost();
  }
}

function boatPaths(key: string, schema: string, shown: Shown): string {
  const boat =
    `{ type: object, required: [owner], properties: { ${key}: ${schema}, ` +
    'owner: { type: string, example: Somebody Else } } }';
  const all =
    shown === 'map'
      ? `{ type: object, additionalProperties: ${boat} }`
      : `{ type: array, items: ${boat} }`;
  return `
  /boats:
    get: { responses: { ${ok(all)} } }
    post: { ${takes(boat)} responses: { ${made(
      '{ type: object, required: [id], properties: { id: { type: string } } }',
    )}, ${bad} } }
  /boats/{id}:
    ${inPath('id')}
    get: { responses: { ${ok(boat)}, ${none} } }
    delete: { responses: { ${gone}, ${none} } }`;
}

describe('a key that the contract does not call the identifier', () => {
  test.each<[key: string, schema: string, example: string, shown: Shown]>([
    ['hull', '{ type: string, example: DE-4711 }', 'DE-4711', 'list'],
    ['hull', '{ type: string, example: DE-4711 }', 'DE-4711', 'map'],
    ['hull', '{ type: string, example: DE-4711 }', 'DE-4711', 'nothing'],
    ['sail', '{ type: string, default: main }', 'main', 'list'],
    ['sail', '{ type: string, default: main }', 'main', 'nothing'],
    ['callsign', '{ type: string, enum: [alpha, bravo] }', 'alpha', 'nothing'],
    [
      'mark',
      "{ type: string, pattern: '^[A-Z]{2}-\\d{3}$', example: GB-100 }",
      'GB-100',
      'nothing',
    ],
  ])('%s, %s: %s in %s', async (key, schema, example, shown) => {
    const server = new BoatServer(shown, { key, example });
    const report = await checkServer(contractOf(boatPaths(key, schema, shown)), server);
    expect(server.lost()).toEqual([]);
    expect(reachedBy(report)).toContain('GET /boats/{id}');
  });

  test('gets names of the run, whose records are deleted', async () => {
    const server = new BoatServer('list', { key: 'hull', example: 'DE-4711' });
    const schema = '{ type: string, example: DE-4711 }';
    const report = await checkServer(contractOf(boatPaths('hull', schema, 'list')), server);
    expect(reachedBy(report)).toHaveLength(4);
    expect(leftOf(report)).toEqual([]);
    expect(server.records.added).toBe(0);
  });
});

/** Each request acts on a text; the names of the methods stand in the paths. */
function verbalServer(): StrangersServer & { readonly records: Records } {
  const records = new Records();
  for (const id of ['pad-1', 'pad-2']) records.seed('pads', id, { id, text: `of others ${id}` });
  return {
    records,
    lost: () => records.lost(),
    answer({ path, query }) {
      const id = query.get('padID') ?? '';
      const pad = records.get('pads', id);
      switch (path.slice(1)) {
        case 'listPads':
          return { status: 200, body: { padIDs: records.all('pads').map((one) => one['id']) } };
        case 'getText':
          return { status: 200, body: { text: pad?.['text'] ?? null } };
        case 'setText':
        case 'appendText':
        case 'frobnicateText':
          records.put('pads', id, { id, text: query.get('text') ?? '' });
          return { status: 200, body: {} };
        default:
          return { status: 404 };
      }
    },
  };
}

const verbalPaths = ['listPads', 'getText', 'setText', 'appendText', 'frobnicateText']
  .map(
    (name) => `
  /${name}: { get: { operationId: ${name}, parameters: [{ name: padID, in: query, required: true,
      schema: { type: string, example: pad-1 } }, { name: text, in: query, schema: {
      type: string } }], responses: { ${ok('{ type: object }')} } } }`,
  )
  .join('');

test.each(['read-only', 'read-write', 'fuzz'] as const)(
  'a GET whose verb is not known to read is not sent: %s',
  async (mode) => {
    const server = verbalServer();
    const report = await checkServer(contractOf(verbalPaths), server, { mode });
    expect(server.lost()).toEqual([]);
    expect(server.records.added).toBe(0);
    expect(reachedBy(report)).toEqual(['GET /listPads', 'GET /getText']);
    const left = report.events.flatMap((event) =>
      event.type === 'operation-skipped' ? [`${event.operation.path}: ${event.reason}`] : [],
    );
    expect(left).toHaveLength(3);
    expect(left[2]).toContain('/frobnicateText: it may do more than read');
  },
);

/** Desks with drawers, and what the run does below a desk of its own. */
class DeskServer implements StrangersServer {
  readonly records = new Records();

  constructor() {
    this.records.seed('desks', 'theirs', { id: 'theirs', name: 'Of others', drawers: ['pens'] });
  }

  answer({ method, path, json: body }: Asked): Told {
    const [, kind, id = '', part, name] = path.split('/');
    if (kind === 'desks' && method === 'POST') return this.#create(body);
    if (kind === 'desks' && id === '') return { status: 200, body: this.records.all('desks') };
    const desk = this.records.get('desks', id);
    if (kind !== 'desk' || desk === undefined) return { status: 404 };
    if (part === undefined && method === 'GET') return { status: 200, body: desk };
    if (part === undefined && method === 'DELETE') {
      this.records.delete('desks', id);
      return { status: 204 };
    }
    if (part === 'drawers' && method === 'DELETE') {
      this.records.put('desks', id, { ...desk, drawers: [] });
      return { status: 204 };
    }
    if (part === 'lamps' && method === 'PUT' && (name === 'left' || name === 'right')) {
      this.records.put('desks', id, { ...desk, lamp: name });
      return { status: 204 };
    }
    if (part === 'polish' && method === 'POST') {
      this.records.put('desks', id, { ...desk, polished: true });
      return { status: 204 };
    }
    return { status: 405 };
  }

  #create(body: unknown): Told {
    const name = text(member(body, 'name'));
    if (name === undefined) return { status: 400 };
    const id = `desk-${String(this.records.newId())}-a`;
    this.records.put('desks', id, { id, name, drawers: [] });
    return { status: 200, body: { deskID: id } };
  }

  lost(): readonly string[] {
    return this.records.lost();
  }
}

const desk =
  '{ type: object, required: [id], properties: { id: { type: string }, name: { type: string } } }';
const deskPaths = `
  /desks:
    get: { responses: { ${ok(`{ type: array, items: ${desk} }`)} } }
    post: { ${takes('{ type: object, required: [name], properties: { name: { type: string } } }')}
      responses: { ${ok('{ type: object, properties: { deskID: { type: string } } }')}, ${bad} } }
  /desk/{deskID}:
    ${inPath('deskID')}
    get: { responses: { ${ok(desk)}, ${none} } }
    delete: { responses: { ${gone}, ${none} } }
  /desk/{deskID}/drawers:
    ${inPath('deskID')}
    delete: { summary: Delete all drawers, responses: { ${gone}, ${none} } }
  /desk/{deskID}/lamps/{side}:
    parameters: [{ name: deskID, in: path, required: true, schema: { type: string } }, {
        name: side, in: path, required: true, schema: { type: string, enum: [left, right] } }]
    put: { ${takes('{ type: object }')} responses: { ${gone}, ${none} } }
  /desk/{deskID}/polish:
    ${inPath('deskID')}
    post: { responses: { ${gone}, ${none} } }`;

describe('what stands below a record of the run', () => {
  test('is changed, and nothing else is; the record is found under another name', async () => {
    const server = new DeskServer();
    const report = await checkServer(contractOf(deskPaths), server);
    expect(server.lost()).toEqual([]);
    expect(reachedBy(report)).toHaveLength(7);
    expect(leftOf(report)).toEqual([]);
    expect(server.records.added).toBe(0);
  });

  test('is not changed below a record that a person names', async () => {
    const server = new DeskServer();
    const examples = { '*': { deskID: 'theirs' } };
    await checkServer(contractOf(deskPaths), server, { examples });
    expect(server.lost()).toEqual([]);
  });
});

/** Tenants are known by the name that the client sends; a create answers nothing. */
class TenantServer implements StrangersServer {
  readonly records = new Records();

  constructor() {
    this.records.seed('tenants', 'default', { name: 'default' });
  }

  answer({ method, path, json: body }: Asked): Told {
    const [, kind, id = '', part] = path.split('/');
    if (kind !== 'tenants') return { status: 404 };
    const name = text(member(body, 'name'));
    const tenant = this.records.get('tenants', id);
    if (id === '' && method === 'POST') {
      if (name === undefined || name === '') return { status: 422 };
      if (this.records.get('tenants', name) !== undefined) return { status: 409 };
      this.records.put('tenants', name, { name });
      return { status: 200, body: {} };
    }
    if (tenant === undefined) return { status: 404 };
    if (part === undefined && method === 'GET') return { status: 200, body: tenant };
    if (part !== 'things') return { status: 405 };
    if (method === 'GET') return { status: 200, body: tenant['things'] ?? [] };
    if (method !== 'POST') return { status: 405 };
    if (name === undefined || name === '') return { status: 422 };
    this.records.put('tenants', id, { ...tenant, things: [{ name }] });
    return { status: 200, body: {} };
  }

  lost(): readonly string[] {
    return this.records.lost();
  }
}

test('a name that the run sends is the key, where a create answers nothing', async () => {
  const named = '{ type: object, required: [name], properties: { name: { type: string } } }';
  const refusals = `'409': { description: taken }, '422': { description: bad }, ${bad}`;
  const empty = ok('{ type: object }');
  const paths = `
  /tenants:
    post: { ${takes(named)} responses: { ${empty}, ${refusals} } }
  /tenants/{tenant_name}:
    ${inPath('tenant_name')}
    get: { responses: { ${ok(named)}, ${none} } }
  /tenants/{tenant}/things:
    ${inPath('tenant')}
    get: { responses: { ${ok(`{ type: array, items: ${named} }`)}, ${none} } }
    post: { ${takes(named)} responses: { ${empty}, ${none}, ${refusals} } }`;
  const server = new TenantServer();
  const report = await checkServer(contractOf(paths), server);
  expect(server.lost()).toEqual([]);
  expect(reachedBy(report)).toHaveLength(4);
});

test('an action without a record in its path names none of others in its body', async () => {
  const records = new Records();
  for (const id of [1, 2]) records.seed('orders', id, { id, state: 'new' });
  const server = {
    lost: () => records.lost(),
    answer({ method, path, json: body }: Asked): Told {
      if (path === '/orders' && method === 'GET')
        return { status: 200, body: records.all('orders') };
      const id = member(body, 'orderId');
      const order = typeof id === 'number' ? records.get('orders', id) : undefined;
      if (path !== '/orders/ship' || method !== 'POST') return { status: 405 };
      if (typeof id !== 'number' || order === undefined) return { status: 404 };
      records.put('orders', id, { ...order, state: 'shipped' });
      return { status: 200, body: {} };
    },
  };
  const order =
    '{ type: object, required: [id], properties: { id: { type: integer }, ' +
    'state: { type: string } } }';
  const paths = `
  /orders:
    get: { responses: { ${ok(`{ type: array, items: ${order} }`)} } }
  /orders/{orderId}:
    parameters: [{ name: orderId, in: path, required: true, schema: { type: integer } }]
    get: { responses: { ${ok(order)}, ${none} } }
  /orders/ship:
    post: { ${takes(
      '{ type: object, required: [orderId], properties: { orderId: { type: integer, ' +
        'example: 2 } } }',
    )} responses: { ${ok('{ type: object }')}, ${none} } }`;
  await checkServer(contractOf(paths), server);
  expect(server.lost()).toEqual([]);
});
