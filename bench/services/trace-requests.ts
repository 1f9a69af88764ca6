import {
  createServer,
  request as sendOn,
  type IncomingMessage,
  type ServerResponse,
} from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import type { Api } from './api.ts';
import { compareCensus, keyOf, type CensusDifference } from './compare-census.ts';
import type { CensusRecord, Kind, Service } from './service.ts';

/** A request after which records of others were gone or changed, or new records were there. */
export interface TracedRequest extends Omit<CensusDifference, 'left'> {
  readonly method: string;
  readonly path: string;
  readonly body: string;
  readonly status: number;
  /** The new records that it made, by kind and identifier. */
  readonly made: readonly string[];
}

/** A proxy before a service that takes a census after each request. */
export interface Tracer {
  readonly origin: string;
  requests(): readonly TracedRequest[];
  close(): Promise<void>;
}

/**
 * Starts a proxy that sends requests on one at a time, and reads the whole service after each that
 * was not refused. It shows which request did what; it is slow, and malformed requests do not pass
 * it, so that figures are taken without it.
 */
export async function traceRequests(
  service: Service,
  api: Api,
  before: readonly CensusRecord[],
): Promise<Tracer> {
  const traced: TracedRequest[] = [];
  const others = new Set(before.map(keyOf));
  let last = before;
  let queue: Promise<void> = Promise.resolve();
  const handle = async (incoming: IncomingMessage, response: ServerResponse): Promise<void> => {
    const body = await buffer(incoming);
    const status = await pass(api.origin, incoming, body, response);
    // A refused request is one that the service says it did nothing for.
    if (status >= 400) return;
    const now = await service.census(api).catch(() => []);
    const { gone, changed, left } = differenceFor(others, { last, now, kinds: service.kinds });
    last = now;
    if (gone.length + changed.length + left.length === 0) return;
    const made = left.map(({ kind, id }) => `${kind} ${id}`);
    traced.push({
      method: incoming.method ?? '',
      path: incoming.url ?? '',
      body: body.toString('utf8').slice(0, 2_000),
      status,
      gone,
      changed,
      made,
    });
  };
  const server = createServer((incoming, response) => {
    queue = queue.then(() => handle(incoming, response)).catch(() => void response.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    origin: `http://127.0.0.1:${String(port)}`,
    requests: () => traced,
    close: () =>
      new Promise((resolve) => void (server.closeAllConnections(), server.close(() => resolve()))),
  };
}

interface Readings {
  readonly last: readonly CensusRecord[];
  readonly now: readonly CensusRecord[];
  readonly kinds: readonly Kind[];
}

/** What is gone or changed of the records of others, and what is new. */
function differenceFor(
  others: ReadonlySet<string>,
  { last, now, kinds }: Readings,
): CensusDifference {
  const { gone, changed, left } = compareCensus(last, now, kinds);
  const isOfOthers = (record: Pick<CensusRecord, 'kind' | 'id'>): boolean =>
    others.has(keyOf(record));
  return { gone: gone.filter(isOfOthers), changed: changed.filter(isOfOthers), left };
}

function pass(
  origin: string,
  incoming: IncomingMessage,
  body: Buffer,
  response: ServerResponse,
): Promise<number> {
  return new Promise((resolve, reject) => {
    const { hostname, port } = new URL(origin);
    const outgoing = sendOn(
      {
        hostname,
        port,
        method: incoming.method,
        path: incoming.url,
        headers: incoming.rawHeaders,
        agent: false,
      },
      (answer) => {
        response.writeHead(answer.statusCode ?? 502, answer.rawHeaders);
        answer.pipe(response);
        answer.once('error', reject);
        response.once('close', () => resolve(answer.statusCode ?? 0));
      },
    );
    outgoing.setTimeout(60_000, () => outgoing.destroy(new Error('no response')));
    outgoing.once('error', reject);
    outgoing.end(body);
  });
}
