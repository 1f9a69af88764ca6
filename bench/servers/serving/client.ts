import { parseExactly } from '../exact-json.ts';
import type { Contract } from './read-contract.ts';

/** What a client received; a broken connection has status 0. */
export interface Got<Body> {
  readonly status: number;
  readonly headers: Headers;
  readonly body: Body;
  readonly bytes: Buffer;
  readonly text: string;
  /** What in the response is against the document. */
  readonly faults: readonly string[];
}

/** A request: `json` or `bytes`, and further headers. */
export interface Ask {
  readonly json?: unknown;
  readonly bytes?: Buffer | string;
  readonly type?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Whose credentials the request has. */
  readonly as?: string;
}

/** One person or program that reads the document and uses the service by fetch. */
export class Client {
  readonly #url: string;
  readonly #contract: Contract;
  readonly #credentials: Readonly<Record<string, Readonly<Record<string, string>>>>;
  /** What in all responses so far was against the document. */
  readonly faults: string[] = [];

  constructor(
    url: string,
    contract: Contract,
    credentials: Readonly<Record<string, Readonly<Record<string, string>>>>,
  ) {
    this.#url = url;
    this.#contract = contract;
    this.#credentials = credentials;
  }

  /** Sends the request; after a 429, again when `Retry-After` says so. */
  async ask<Body = Record<string, unknown>>(
    method: string,
    path: string,
    ask: Ask = {},
  ): Promise<Got<Body>> {
    const got = await this.#askOnce<Body>(method, path, ask);
    if (got.status !== 429) return got;
    const seconds = Number(got.headers.get('retry-after') ?? 0);
    await new Promise((resolve) => setTimeout(resolve, seconds * 1_000));
    return this.#askOnce<Body>(method, path, ask);
  }

  async #askOnce<Body>(method: string, path: string, ask: Ask = {}): Promise<Got<Body>> {
    const isJson = ask.json !== undefined;
    const body = isJson ? JSON.stringify(ask.json) : ask.bytes;
    const headers = {
      ...this.#credentials[ask.as ?? 'first'],
      ...(body === undefined ? {} : { 'Content-Type': ask.type ?? 'application/json' }),
      ...ask.headers,
    };
    try {
      const response = await fetch(this.#url + path, {
        method,
        headers,
        redirect: 'manual',
        ...(body === undefined
          ? {}
          : { body: typeof body === 'string' ? body : Uint8Array.from(body) }),
      });
      return this.#received(method, path, {
        response,
        bytes: Buffer.from(await response.arrayBuffer()),
      });
    } catch (error) {
      const faults = [`${method} ${path}: ${String(error)}`];
      const nothing = { status: 0, headers: new Headers(), body: {} as Body };
      return { ...nothing, bytes: Buffer.alloc(0), text: '', faults };
    }
  }

  #received<Body>(
    method: string,
    path: string,
    { response, bytes }: { response: Response; bytes: Buffer },
  ): Got<Body> {
    const { status, headers } = response;
    const text = bytes.toString('utf8');
    let body: unknown = bytes.length === 0 ? undefined : text;
    let judged = body;
    if (/json/i.test(headers.get('content-type') ?? '') && text !== '')
      try {
        body = parseExactly(text);
        judged = JSON.parse(text);
      } catch {
        body = judged = { notJson: text };
      }
    const [route = ''] = path.split('?');
    const faults = this.#contract.faultsIn(method, route, { status, headers, body: judged });
    this.faults.push(...faults);
    return { status, headers, body: (body ?? {}) as Body, bytes, text, faults };
  }
}
