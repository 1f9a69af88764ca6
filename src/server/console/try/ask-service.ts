import { VouchError } from '../../../errors.ts';
import { hostOf, isLoopbackHost, isMetadataHost } from '../../../http/host.ts';
import { emptyBody, type HttpRequest, type HttpResponse } from '../../../http/message.ts';
import type { Operation } from '../../../contract/model.ts';
import type { Answer } from '../../../mock/mock.ts';
import { mountedPaths } from '../../../mock/route/mounted-paths.ts';
import { refuseUrl } from '../../callbacks/allowed-host.ts';
import { makeOutgoingClient } from '../../callbacks/outgoing-client.ts';
import type { ControlParts } from '../../control/control-parts.ts';
import { unknownService } from '../find-service.ts';
import { inspectHead } from '../../guard/guard.ts';
import type { OtherAddress } from '../outside.ts';
import type { ComposedRequest } from './compose-request.ts';
import { placeKey } from './place-key.ts';

const timeoutMs = 10_000;

/** A request that a person filled in, and who is to answer it. */
export interface Asking {
  readonly operation: Operation;
  readonly request: ComposedRequest;
  /** One of the mock's keys; undefined sends none to any service. */
  readonly key: string | undefined;
}

/** Has the mock itself answer, past the network, and writes the exchange down as any other. */
export async function askOurselves(
  { mock, journal }: ControlParts,
  { operation, request, key }: Asking,
): Promise<Answer> {
  const at = Date.now();
  const started = performance.now();
  const base =
    mountedPaths({ operations: [operation] }, mock.options.mounting?.base)[0]?.[0].slice(
      0,
      -operation.path.length,
    ) ?? '';
  const placed = placeKey(operation, key);
  const target = withQuery(`${base}${request.path}`, [...request.query, ...placed.query]);
  const cookies = [...request.cookies, ...placed.cookies];
  const headers = [
    ['Host', 'localhost'],
    ...request.headers,
    ...placed.headers,
    ...(cookies.length === 0 ? [] : [['Cookie', cookies.join('; ')]]),
    ...(request.body.length === 0 ? [] : [['Content-Length', String(request.body.length)]]),
  ] as HttpRequest['headers'];
  const asked = { method: operation.method, target, headers, body: request.body };
  const refusal = inspectHead(
    { method: asked.method, target, version: '1.1', headers },
    mock.options.contract,
  );
  const answer = refusal === undefined ? await mock.answer(asked) : { ...refusal, delayMs: 0 };
  journal.add({ at, request: asked, answer, durationMs: performance.now() - started });
  return answer;
}

/**
 * Sends a request to another service that its owner has named. Rejects with an error that says why
 * nothing came.
 */
export async function askOther(
  name: string,
  { operation, request, key }: Asking,
  { outside }: Pick<ControlParts, 'outside'>,
): Promise<HttpResponse> {
  const other = outside.others?.().find((each) => each.name === name);
  if (other === undefined) throw unknownService(name, outside);
  const address = other.addressOf(operation);
  if (address === undefined)
    throw new VouchError(
      'usage',
      `The configuration does not say where ${operation.id} stands on ${name}.`,
      { hint: `It has a server of its own: name it under targets.${name}.servers.` },
    );
  return send(
    { ...address, ...(key === undefined ? { headers: [], query: [] } : {}) },
    operation,
    request,
  );
}

async function send(
  { url, headers, query }: OtherAddress,
  { method }: Operation,
  request: ComposedRequest,
): Promise<HttpResponse> {
  const target = new URL(
    withQuery(`${url}${request.path}`, [
      ...request.query,
      ...query.map(([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(value)}`),
    ]),
  );
  const rules = { allow: [hostOf(target)] };
  // Only names are looked up, and judged then; an address is judged here.
  const refusal = refuseUrl(target, rules);
  if (refusal !== undefined) throw new Error(`is not sent: it ${refusal.reason}`);
  const client = makeOutgoingClient({ ...rules, timeoutMs });
  const cookies: [string, string][] =
    request.cookies.length === 0 ? [] : [['Cookie', request.cookies.join('; ')]];
  try {
    return await client.send(
      {
        kind: 'sendable',
        name: 'try',
        method,
        url: target.href,
        headers: [...request.headers, ...headers, ...cookies],
        body: method === 'GET' || method === 'HEAD' ? emptyBody : request.body,
      },
      new AbortController().signal,
    );
  } finally {
    await client.close();
  }
}

/** A base URL that a person typed: of this machine, or nothing. Throws `usage`. */
export function readLoopbackUrl(written: string): string {
  const url = URL.canParse(written) ? new URL(written) : undefined;
  if (
    url === undefined ||
    !/^https?:$/.test(url.protocol) ||
    url.username !== '' ||
    url.password !== '' ||
    url.search !== '' ||
    url.hash !== ''
  )
    throw new VouchError('usage', 'This is no base URL.', {
      hint: 'Write one such as http://127.0.0.1:8080/v1.',
    });
  if (isLoopbackHost(hostOf(url)) && !isMetadataHost(hostOf(url)))
    return `${url.origin}${url.pathname}`.replace(/\/+$/, '');
  throw new VouchError('usage', 'A page can only name services of this machine.', {
    hint: 'Name any other one under targets in vouch.config.yaml, and choose it here.',
  });
}

function withQuery(path: string, pieces: readonly string[]): string {
  return pieces.length === 0 ? path : `${path}?${pieces.join('&')}`;
}
