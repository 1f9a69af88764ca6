import { request as send } from 'node:http';
import { key, type MockRival } from './mock-rival.ts';

/** What came of a request, or that nothing came. */
interface Answer {
  readonly status: number;
  readonly body: string;
}

/**
 * A question to a mock that is answered by sending requests: whether it does what the contract, or
 * a user, would have it do.
 */
export interface Behaviour {
  readonly name: string;
  /** The same in a word or two, for where there is no room. */
  readonly short: string;
  holds(ask: Ask): Promise<boolean>;
}

type Ask = (
  method: string,
  path: string,
  body?: string,
  headers?: Readonly<Record<string, string>>,
) => Promise<Answer>;

const nothing: Answer = { status: 0, body: '' };
const refused = ({ status }: Answer): boolean => status >= 400 && status < 500;

/** The order matters: what may end a process comes last. */
export const behaviours: readonly Behaviour[] = [
  {
    name: 'remembers what was posted',
    short: 'memory',
    async holds(ask) {
      const created = await ask(
        'POST',
        '/pets',
        JSON.stringify({ name: 'Remembered', categoryId: 3, status: 'sold' }),
      );
      const id = idIn(created.body);
      const read = id === undefined ? nothing : await ask('GET', `/pets/${id}`);
      return read.status === 200 && read.body.includes('"Remembered"');
    },
  },
  {
    name: 'refuses a bad query value',
    short: 'bad query',
    holds: async (ask) =>
      refused(await ask('GET', '/pets?limit=0')) &&
      refused(await ask('GET', '/pets?status=nonsense')),
  },
  {
    name: 'refuses a bad body',
    short: 'bad body',
    holds: async (ask) => refused(await ask('POST', '/pets', JSON.stringify({ name: 7 }))),
  },
  {
    name: 'requires a key',
    short: 'key',
    holds: async (ask) => (await ask('GET', '/pets', undefined, {})).status === 401,
  },
  {
    name: 'keeps the digits of an int64',
    short: 'int64',
    async holds(ask) {
      const created = await ask(
        'POST',
        '/pets',
        '{"name":"Methuselah","categoryId":9007199254740993}',
      );
      return created.status === 201 && created.body.includes('9007199254740993');
    },
  },
  {
    name: 'filters by status',
    short: 'filter',
    async holds(ask) {
      const lists = await Promise.all(
        ['sold', 'pending'].map(async (status) => ({
          status,
          found: statusesIn((await ask('GET', `/pets?status=${status}`)).body),
        })),
      );
      return lists.every(
        ({ status, found }) => found.length > 0 && found.every((other) => other === status),
      );
    },
  },
  {
    name: 'survives GET /pets/%zz',
    short: '%zz',
    async holds(ask) {
      const answered = await ask('GET', '/pets/%zz');
      return answered.status !== 0 && (await ask('GET', '/pets')).status === 200;
    },
  },
];

/** Asks a running mock for each of them, one after the other. */
export async function observe(
  url: string,
  { base }: MockRival,
): Promise<Readonly<Record<string, boolean>>> {
  const ask: Ask = (method, path, body, headers = key) =>
    exchange(
      url + base + path,
      {
        method,
        headers: {
          ...headers,
          ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
        },
      },
      body,
    );
  const seen: Record<string, boolean> = {};
  for (const behaviour of behaviours) seen[behaviour.name] = await behaviour.holds(ask);
  return seen;
}

/**
 * What answers nothing within five seconds answers nothing. The path goes out as it is written,
 * because no URL parser is asked.
 */
function exchange(
  url: string,
  { method, headers }: { method: string; headers: Readonly<Record<string, string>> },
  body?: string,
): Promise<Answer> {
  const { hostname, port, origin } = new URL(url.slice(0, url.indexOf('/', 8)));
  return new Promise((resolve) => {
    const sent = send(
      {
        hostname,
        port,
        path: url.slice(origin.length),
        method,
        headers,
        agent: false,
        timeout: 5_000,
      },
      (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.on('end', () =>
          resolve({ status: response.statusCode ?? 0, body: Buffer.concat(chunks).toString() }),
        );
        response.on('error', () => resolve(nothing));
      },
    );
    sent.on('timeout', () => sent.destroy());
    sent.on('error', () => resolve(nothing));
    sent.on('close', () => resolve(nothing));
    sent.end(body);
  });
}

/** The digits of the identifier, whatever a double would make of them. */
function idIn(body: string): string | undefined {
  return /"id"\s*:\s*"?([\w-]+)"?/.exec(body)?.[1];
}

function statusesIn(body: string): unknown[] {
  try {
    const list: unknown = JSON.parse(body);
    return Array.isArray(list) ? list.map((pet: { status?: unknown } | null) => pet?.status) : [];
  } catch {
    return [];
  }
}
