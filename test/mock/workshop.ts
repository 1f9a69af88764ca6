import { readFileSync } from 'node:fs';
import { parseContract } from '../../src/contract/load.ts';
import type { Contract } from '../../src/contract/model.ts';
import { headerValue, type HeaderList } from '../../src/http/message.ts';
import { parseJson } from '../../src/json/parse-json.ts';
import { type JsonObject, type JsonValue, stringifyJson } from '../../src/json/value.ts';
import { makeMock } from '../../src/mock/contract-mock.ts';
import type { Answer, Mock, MockOptions } from '../../src/mock/mock.ts';
import { makeMemoryStore } from '../../src/store/local-store.ts';
import type { Fixtures } from '../../src/store/store.ts';

const file = new URL('contracts/workshop.yaml', import.meta.url);

/** The contract of the workshop, which asks much of a mock. */
export const workshop: Contract = parseContract(readFileSync(file, 'utf8'), 'workshop.yaml');

const made = '2029-05-05T05:05:05Z';

/** Five tools and three shelves. */
export const workshopFixtures: Fixtures = fixturesOf({
  tools: [
    {
      id: 1,
      name: 'Rip',
      kind: 'saw',
      weight: 700,
      tags: ['wood'],
      serial: 'SA-0001',
      createdAt: made,
    },
    {
      id: 2,
      name: 'Splitter',
      kind: 'axe',
      weight: 2500,
      tags: ['wood', 'heavy'],
      serial: 'AX-0001',
      createdAt: made,
    },
    {
      id: 3,
      name: 'Bastard',
      kind: 'file',
      weight: null,
      tags: ['metal'],
      serial: 'FI-0001',
      createdAt: made,
    },
    { id: 4, name: 'Coping', kind: 'saw', tags: [], serial: 'SA-0002', createdAt: made },
    {
      id: 9007199254740993n,
      name: 'Huge',
      kind: 'axe',
      weight: 9007199254740993n,
      serial: 'AX-0002',
      createdAt: made,
    },
  ],
  shelves: [{ code: 'A', room: 'north' }, { code: 'B' }, { code: 'C' }],
});

/** Records by resource, told apart by `id` or `code`. */
export function fixturesOf(records: Readonly<Record<string, readonly JsonObject[]>>): Fixtures {
  return new Map(
    Object.entries(records).map(([name, list]) => [
      name,
      list.map((record) => ({ id: String(record['id'] ?? record['code']), record })),
    ]),
  );
}

/** A mock with a fixed clock and counted identifiers; of the workshop, unless told otherwise. */
export function mockOf(options: Partial<MockOptions> = {}): Promise<Mock> {
  let count = 0;
  return makeMock({
    contract: workshop,
    store: makeMemoryStore(),
    fixtures: options.contract === undefined ? workshopFixtures : new Map(),
    scenarios: [],
    assumptions: [],
    keys: ['demo-key'],
    authentication: 'known',
    clock: () => new Date('2030-01-02T03:04:05Z'),
    seed: 'test',
    makeId: () => `made-${String((count += 1))}`,
    ...options,
  });
}

/** What a request may have beside its method and target. */
export interface Sending {
  readonly headers?: HeaderList;
  readonly body?: JsonValue | Uint8Array;
  /** Sent where there is a body: JSON unless told; false for none. */
  readonly type?: string | false;
  /** The credential of the workshop's is sent, unless told otherwise. */
  readonly key?: string | false;
}

/** Sends `GET /path` and the like; the body is a JSON value, or bytes. */
export async function send(
  mock: Mock,
  line: string,
  { headers = [], body, type = 'application/json', key = 'demo-key' }: Sending = {},
): Promise<Answer> {
  const [, method = '', target = ''] = /^(\S*) (.*)$/s.exec(line) ?? [];
  const fields: HeaderList = [
    ...(key === false ? [] : [['X-Key', key] as const]),
    ...(body === undefined || type === false ? [] : [['Content-Type', type] as const]),
    ...headers,
  ];
  return mock.answer({
    method,
    target,
    headers: fields,
    body: body instanceof Uint8Array ? body : encode(body),
  });
}

/** The bytes of a JSON value; none for undefined. */
export function encode(body: JsonValue | undefined): Uint8Array {
  return bytes(body === undefined ? '' : stringifyJson(body));
}

/** The bytes of a text, whatever it holds. */
export function bytes(text: string): Uint8Array {
  return new TextEncoder().encode(text);
}

export function textOf(answer: Answer): string {
  return new TextDecoder().decode(answer.body);
}

/** The body as a JSON value, integers exact. */
export function jsonOf(answer: Answer): JsonValue {
  const reading = parseJson(answer.body);
  if (!reading.ok) throw new Error(`${reading.problem.message}: ${textOf(answer)}`);
  return reading.value;
}

/** Requests in a row and what each got, a line for each: `GET /path → 200 …`. */
export async function converse(
  mock: Mock,
  requests: readonly (readonly [line: string, sending?: Sending, ...headers: string[]])[],
): Promise<string> {
  const lines: string[] = [];
  for (const [line, sending, ...names] of requests)
    lines.push(`${line} → ${show(await send(mock, line, sending), ...names)}`);
  return lines.join('\n');
}

/** An answer as a few words: status, the headers that were asked for, and the body. */
export function show(answer: Answer, ...names: string[]): string {
  const headers = names.flatMap((name) => headerValue(answer.headers, name) ?? []);
  return [String(answer.status), ...headers, textOf(answer)]
    .filter((word) => word !== '')
    .join(' ');
}
