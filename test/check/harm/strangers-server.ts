import {
  checkTarget,
  type CheckOptions,
  type CheckReport,
} from '../../../src/check/engine/check-target.ts';
import type { Contract } from '../../../src/contract/model.ts';
import { parseContract } from '../../../src/contract/load.ts';
import type { HttpRequest } from '../../../src/http/message.ts';
import type { JsonObject } from '../../../src/json/value.ts';

/** An answer of a server in these tests. */
export interface Told {
  readonly status: number;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

/** A request as a handler reads it; `json` is undefined where the body is not JSON. */
export interface Asked {
  readonly method: string;
  readonly path: string;
  readonly query: URLSearchParams;
  readonly json: unknown;
  readonly headers: ReadonlyMap<string, string>;
}

/**
 * A server with records of others: it answers requests and knows which of those records it lost.
 */
export interface StrangersServer {
  answer(asked: Asked): Told;
  /** The records of others that are gone or changed. */
  lost(): readonly string[];
}

/** Records by kind and identifier, of which some belong to others. */
export class Records {
  readonly #records = new Map<string, JsonObject>();
  readonly #before = new Map<string, string>();
  #last = 1_000;

  /** Adds a record of somebody else. */
  seed(kind: string, id: string | number, record: JsonObject): void {
    this.#records.set(`${kind}/${String(id)}`, record);
    this.#before.set(`${kind}/${String(id)}`, JSON.stringify(record));
  }

  newId(): number {
    return (this.#last += 1);
  }

  get(kind: string, id: string | number): JsonObject | undefined {
    return this.#records.get(`${kind}/${String(id)}`);
  }

  put(kind: string, id: string | number, record: JsonObject): void {
    this.#records.set(`${kind}/${String(id)}`, record);
  }

  delete(kind: string, id: string | number): boolean {
    return this.#records.delete(`${kind}/${String(id)}`);
  }

  clear(kind: string): void {
    for (const key of [...this.#records.keys()])
      if (key.startsWith(`${kind}/`)) this.#records.delete(key);
  }

  all(kind: string): JsonObject[] {
    return [...this.#records].flatMap(([key, record]) =>
      key.startsWith(`${kind}/`) ? [record] : [],
    );
  }

  /** The records of others that are gone or changed. */
  lost(): string[] {
    return [...this.#before].flatMap(([key, before]) => {
      const now = this.#records.get(key);
      if (now === undefined) return [`${key} is gone`];
      return JSON.stringify(now) === before ? [] : [`${key} is changed`];
    });
  }

  /** How many records are there that nobody seeded. */
  get added(): number {
    return [...this.#records.keys()].filter((key) => !this.#before.has(key)).length;
  }
}

/** Checks a server in this process, read-write. */
export async function checkServer(
  contract: Contract,
  server: Pick<StrangersServer, 'answer'>,
  options: Partial<CheckOptions> = {},
): Promise<CheckReport & { readonly asked: readonly string[] }> {
  const asked: string[] = [];
  const report = await checkTarget({
    url: 'http://127.0.0.1:9',
    contract,
    mode: 'read-write',
    seed: 'harm',
    wait: async () => {},
    async send(baseUrl, request) {
      const read = readRequest(request);
      asked.push(`${read.method} ${request.target}`);
      const { status, body, headers = {} } = server.answer(read);
      const bytes =
        body === undefined ? new Uint8Array() : new TextEncoder().encode(JSON.stringify(body));
      const type = body === undefined ? {} : { 'Content-Type': 'application/json' };
      const response = { status, headers: Object.entries({ ...type, ...headers }), body: bytes };
      return { baseUrl, request, response, durationMs: 1 };
    },
    ...options,
  });
  return { ...report, asked };
}

function readRequest({ method, target, headers, body }: HttpRequest): Asked {
  const url = new URL(target, 'http://127.0.0.1:9');
  let json: unknown;
  try {
    json = JSON.parse(new TextDecoder().decode(body));
  } catch {
    json = undefined;
  }
  const fields = new Map(headers.map(([name, value]) => [name.toLowerCase(), value]));
  return { method, path: decoded(url.pathname), query: url.searchParams, json, headers: fields };
}

function decoded(path: string): string {
  try {
    return decodeURI(path);
  } catch {
    return path;
  }
}

/** A contract of the paths in YAML. */
export function contractOf(paths: string): Contract {
  return parseContract(
    `openapi: 3.1.0\ninfo: { title: Harm, version: '1' }\npaths:\n${paths}`,
    'harm.yaml',
  );
}

/** The records that a run says it left, with what it calls them. */
export function leftOf({
  events,
}: CheckReport): { readonly record: string; readonly count: number }[] {
  return events.flatMap((event) =>
    event.type === 'record-left' ? [{ record: event.record, count: event.count ?? 0 }] : [],
  );
}
