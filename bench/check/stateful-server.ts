import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';

/**
 * A service that keeps any contract of `generated-contract.ts`, written apart from vouch: plain
 * `node:http` over one map for each resource.
 */
type RecordFields = Record<string, unknown>;

const key = 'bench-key';
const statuses = ['draft', 'open', 'closed'];
const stores = new Map<string, Map<number, RecordFields>>();
let lastId = 0;

class Refusal extends Error {
  readonly status: number;
  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

function storeOf(name: string): Map<number, RecordFields> {
  const store = stores.get(name) ?? new Map<number, RecordFields>();
  stores.set(name, store);
  return store;
}

function send(
  response: ServerResponse,
  status: number,
  value?: unknown,
  headers: Record<string, string> = {},
): void {
  if (value === undefined) return void response.writeHead(status, headers).end();
  const body = JSON.stringify(value);
  response
    .writeHead(status, {
      'Content-Type': 'application/json',
      'Content-Length': Buffer.byteLength(body),
      ...headers,
    })
    .end(body);
}

const rules: Record<string, (value: unknown) => boolean> = {
  name: (value) => typeof value === 'string' && [...value].length >= 1 && [...value].length <= 200,
  status: (value) => typeof value === 'string' && statuses.includes(value),
  amount: (value) => Number.isInteger(value) && Number(value) >= 0 && Number(value) <= 100_000,
  due: (value) =>
    typeof value === 'string' &&
    /^\d{4}-\d\d-\d\d$/.test(value) &&
    new Date(`${value}T00:00:00Z`).toISOString().startsWith(value),
  labels: (value) =>
    Array.isArray(value) && value.length <= 5 && value.every((item) => typeof item === 'string'),
};

function holds(rule: (value: unknown) => boolean, value: unknown): boolean {
  try {
    return rule(value);
  } catch {
    return false;
  }
}

const utf8 = new TextDecoder('utf-8', { fatal: true });

function readFields(
  request: IncomingMessage,
  body: Buffer,
  required: readonly string[],
): RecordFields {
  const [type = ''] = (request.headers['content-type'] ?? '').split(';');
  if (type.trim().toLowerCase() !== 'application/json')
    throw new Refusal(415, 'The body must be application/json.');
  let value: unknown;
  try {
    value = JSON.parse(utf8.decode(body));
  } catch {
    throw new Refusal(400, 'The body is not JSON.');
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new Refusal(400, 'The body is not an object.');
  if (Object.keys(value).length === 0) throw new Refusal(400, 'The body is empty.');
  const fields = value as RecordFields;
  const lacking = required.find((name) => !Object.hasOwn(fields, name));
  if (lacking !== undefined) throw new Refusal(400, `${lacking} is missing.`);
  for (const [name, rule] of Object.entries(rules)) {
    if (Object.hasOwn(fields, name) && !holds(rule, fields[name]))
      throw new Refusal(400, `${name} is not valid.`);
  }
  return fields;
}

function list(url: URL, store: Map<number, RecordFields>): RecordFields[] {
  const [limit, ...more] = url.searchParams.getAll('limit');
  const status = url.searchParams.get('status');
  if (
    limit !== undefined &&
    (more.length > 0 || !/^\d{1,3}$/.test(limit) || Number(limit) < 1 || Number(limit) > 100)
  )
    throw new Refusal(400, 'limit is not a number from 1 to 100.');
  if (status !== null && !statuses.includes(status))
    throw new Refusal(400, 'status is not one of draft, open, closed.');
  const found: RecordFields[] = [];
  for (const record of store.values()) {
    if (found.length >= Number(limit ?? 20)) break;
    if (status === null || record['status'] === status) found.push(record);
  }
  return found;
}

function answer(request: IncomingMessage, body: Buffer, response: ServerResponse): void {
  const url = new URL(request.url ?? '/', 'http://localhost');
  const [version, name = '', id, ...rest] = url.pathname.slice(1).split('/');
  if (version !== 'v1' || rest.length > 0 || !/^kind\d{3}$/.test(name))
    throw new Refusal(404, 'There is no such path.');
  const known = id === undefined ? ['GET', 'POST'] : ['GET', 'PUT', 'PATCH', 'DELETE'];
  const method = request.method === 'HEAD' ? 'GET' : (request.method ?? '');
  if (!known.includes(method))
    return send(
      response,
      405,
      { code: 'method', message: 'There is no such method.', status: 405 },
      { Allow: known.join(', ') },
    );
  if (request.headers.authorization !== `Bearer ${key}`)
    return send(
      response,
      401,
      { code: 'key', message: 'The key is not valid.', status: 401 },
      { 'WWW-Authenticate': 'Bearer' },
    );
  const store = storeOf(name);
  if (id === undefined && method === 'GET') return send(response, 200, list(url, store));
  if (id === undefined) {
    const record = { ...readFields(request, body, ['name', 'status']), id: (lastId += 1) };
    store.set(record.id, record);
    return send(response, 201, record, { Location: `/v1/${name}/${String(record.id)}` });
  }
  const old = /^[1-9]\d{0,14}$/.test(id) ? store.get(Number(id)) : undefined;
  if (old === undefined) throw new Refusal(404, 'There is no such record.');
  if (method === 'GET') return send(response, 200, old);
  if (method === 'DELETE') {
    store.delete(Number(id));
    return send(response, 204);
  }
  const record =
    method === 'PUT'
      ? { ...readFields(request, body, ['name', 'status']), id: Number(id) }
      : { ...old, ...readFields(request, body, []), id: Number(id) };
  store.set(Number(id), record);
  send(response, 200, record);
}

const server = createServer((request, response) => {
  const parts: Buffer[] = [];
  request.on('data', (part: Buffer) => parts.push(part));
  request.on('end', () => {
    try {
      answer(request, Buffer.concat(parts), response);
    } catch (error) {
      const status = error instanceof Refusal ? error.status : 500;
      send(response, status, {
        code: `error-${String(status)}`,
        message: error instanceof Error ? error.message : 'A fault.',
        status,
      });
    }
  });
});

server.listen(0, '127.0.0.1', () => {
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : '';
  console.log(`http://127.0.0.1:${String(port)}/v1`);
});
process.once('SIGTERM', () => process.exit(0));
