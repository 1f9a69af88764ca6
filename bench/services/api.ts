import type { Json } from './json.ts';

/** A response, read whole. */
export interface Reply {
  readonly status: number;
  readonly text: string;
  /** The body as JSON, or null where it is not JSON. */
  readonly json: Json;
}

/** Sends plain requests to one service, with its credentials. Shares no code with vouch. */
export interface Api {
  readonly origin: string;
  /**
   * Sends a request; a string is sent as it is, anything else as JSON. Answers whatever the status
   * is.
   */
  send(
    method: string,
    path: string,
    body?: Json,
    headers?: Readonly<Record<string, string>>,
  ): Promise<Reply>;
  /** The same, and throws where the status is not 2xx. Answers the body as JSON. */
  ask(method: string, path: string, body?: Json): Promise<Json>;
}

/** The requests of the benchmark itself to the service at `origin`. */
export function apiAt(origin: string, credentials: Readonly<Record<string, string>>): Api {
  const send: Api['send'] = async (method, path, body, headers = {}) => {
    const type: Record<string, string> =
      body === undefined ? {} : { 'content-type': 'application/json' };
    const response = await fetch(origin + path, {
      method,
      headers: { ...type, ...credentials, ...headers },
      ...(body === undefined
        ? {}
        : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
      redirect: 'manual',
      signal: AbortSignal.timeout(60_000),
    });
    const text = await response.text();
    return { status: response.status, text, json: parse(text) };
  };
  const ask: Api['ask'] = async (method, path, body) => {
    const { status, text, json } = await send(method, path, body);
    if (status >= 200 && status < 300) return json;
    throw new Error(`${method} ${path} was answered ${String(status)}: ${text.slice(0, 300)}`);
  };
  return { origin, send, ask };
}

function parse(text: string): Json {
  try {
    return JSON.parse(text) as Json;
  } catch {
    return null;
  }
}
