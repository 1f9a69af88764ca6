import type { TryStart } from './console-api.ts';
import type { Operation, Parameter, SecurityScheme } from '../../contract/model.ts';
import { encodeParameter } from '../../contract/parameter/encode-parameter.ts';
import { expectedValue } from '../../contract/parameter/expected-value.ts';
import { usage } from '../../errors.ts';
import { hostOf, isLoopbackHost, isMetadataHost } from '../../http/host.ts';
import type { HeaderList, HttpRequest, HttpResponse } from '../../http/message.ts';
import { emptyBody } from '../../http/message.ts';
import { parseJson } from '../../json/parse-json.ts';
import type { JsonValue } from '../../json/value.ts';
import type { Answer } from '../../mock/mock.ts';
import { mountedPaths } from '../../mock/route/mounted-paths.ts';
import { makeOutgoingClient, refuseUrl } from '../callbacks/outgoing-client.ts';
import type { ControlParts } from '../control/control-parts.ts';
import { inspectHead } from '../guard/guard.ts';
import { type OtherAddress, unknownService } from './console-services.ts';

const timeoutMs = 10_000;

export interface TryRequest {
  readonly operation: Operation;
  readonly request: ComposedRequest;
  /** A key of the mock; undefined sends no credential to any service. */
  readonly key: string | undefined;
}

/**
 * Passes a request to the mock without the network, and records the exchange in the journal.
 * Resolves to the response and the id of the exchange.
 */
export async function requestMock(
  { mock, journal }: ControlParts,
  { operation, request, key }: TryRequest,
): Promise<{ readonly answer: Answer; readonly exchange: number }> {
  const at = Date.now();
  const started = performance.now();
  const asked = writeRequest(mock, { operation, request, key });
  const refusal = inspectHead(
    { method: asked.method, target: asked.target, version: '1.1', headers: asked.headers },
    mock.options.contract,
  );
  const answer = refusal === undefined ? await mock.answer(asked) : { ...refusal, delayMs: 0 };
  const durationMs = performance.now() - started;
  return { answer, exchange: journal.add({ at, request: asked, answer, durationMs }) };
}

/** The request with the base path of the mock and the credential in their places. */
export function writeRequest(
  mock: ControlParts['mock'],
  { operation, request, key }: TryRequest,
): HttpRequest {
  const base =
    mountedPaths(
      { operations: [operation], servers: [] },
      mock.options.mounting?.base,
    )[0]?.[0].slice(0, -operation.path.length) ?? '';
  const placed = placeKey(operation, key);
  const target = addQuery(`${base}${request.path}`, [...request.query, ...placed.query]);
  const cookies = [...request.cookies, ...placed.cookies];
  const headers: HeaderList = [
    ['Host', 'localhost'],
    ...request.headers,
    ...placed.headers,
    ...(cookies.length === 0 ? [] : [['Cookie', cookies.join('; ')] as const]),
    ...(request.body.length === 0
      ? []
      : [['Content-Length', String(request.body.length)] as const]),
  ];
  return { method: operation.method, target, headers, body: request.body };
}

/**
 * Sends a request to another configured service. Rejects with an error that says why there is no
 * response.
 */
export async function requestOther(
  name: string,
  { operation, request, key }: TryRequest,
  { services }: Pick<ControlParts, 'services'>,
): Promise<HttpResponse> {
  const other = services.others?.().find((each) => each.name === name);
  if (other === undefined) throw unknownService(name, services);
  const address = other.addressOf(operation);
  if (address === undefined)
    throw usage(`The configuration does not say where ${operation.id} stands on ${name}.`, {
      hint: `It has a separate server: name it under targets.${name}.servers.`,
    });
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
    addQuery(`${url}${request.path}`, [
      ...request.query,
      ...query.map(([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(value)}`),
    ]),
  );
  const rules = { allow: [hostOf(target)] };
  // Host names are checked after they are resolved; addresses are checked here.
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

/** Reads a base URL from the page; it must be on this machine. Throws `usage`. */
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
    throw usage('This is no base URL.', {
      hint: 'Write one such as http://127.0.0.1:8080/v1.',
    });
  if (isLoopbackHost(hostOf(url)) && !isMetadataHost(hostOf(url)))
    return `${url.origin}${url.pathname}`.replace(/\/+$/, '');
  throw usage('A page can only name services of this machine.', {
    hint: 'Name any other one under targets in vouch.config.yaml, and choose it here.',
  });
}

function addQuery(path: string, pieces: readonly string[]): string {
  return pieces.length === 0 ? path : `${path}?${pieces.join('&')}`;
}

/** The input of the form: parameters as texts, by location and name. */
export interface FilledRequest {
  readonly operation: Operation;
  readonly parameters: readonly FilledParameter[];
  readonly headers: HeaderList;
  /** Undefined without a body. */
  readonly body: string | undefined;
  readonly mediaType: string | undefined;
}

/** The input for a parameter. */
export type FilledParameter = TryStart['parameters'][number];

/** A request without the address of a service. */
export interface ComposedRequest {
  /** The path below the base path, percent-encoded. */
  readonly path: string;
  /** The parts of the query, each encoded. */
  readonly query: readonly string[];
  readonly headers: HeaderList;
  readonly cookies: readonly string[];
  readonly body: Uint8Array;
}

/**
 * Serializes the input in the styles of the contract. Invalid values are sent unchanged; empty ones
 * are left out.
 */
export function composeRequest({
  operation,
  parameters,
  headers,
  body,
  mediaType,
}: FilledRequest): ComposedRequest {
  const pieces = parameters.flatMap((filled) => encodeFilled(operation, filled));
  const type = body === undefined || mediaType === undefined ? [] : [mediaType];
  return {
    path: pieces.reduce(
      (path, { name, piece }) =>
        piece.in === 'path' ? path.replace(`{${name}}`, () => piece.text) : path,
      operation.path,
    ),
    query: pieces.flatMap(({ piece }) =>
      piece.in === 'query' && piece.pairs !== '' ? [piece.pairs] : [],
    ),
    headers: [
      ...type.map((value) => ['Content-Type', value] as const),
      ...pieces.flatMap(({ piece }) =>
        piece.in === 'header' ? [[piece.name, piece.value] as const] : [],
      ),
      ...headers,
    ],
    cookies: pieces.flatMap(({ piece }) => (piece.in === 'cookie' ? [piece.pair] : [])),
    body: new TextEncoder().encode(body ?? ''),
  };
}

/** Undefined if the operation has no such parameter, or if it is empty. */
function encodeFilled(
  { parameters }: Operation,
  { in: place, name, value }: FilledParameter,
): { readonly name: string; readonly piece: ReturnType<typeof encodeParameter> }[] {
  const parameter = parameters.find((each) => each.in === place && each.name === name);
  if (parameter === undefined || (value === '' && parameter.in !== 'path')) return [];
  return [{ name, piece: encodeParameter(parameter, valueOf(parameter, value)) }];
}

/** A list is comma-separated or JSON, an object is JSON; other values are the text. */
function valueOf({ schema }: Parameter, text: string): JsonValue {
  const { layout } = expectedValue(schema);
  if (layout === 'text' || layout === 'open') return text;
  const reading = /^\s*[[{]/.test(text) ? parseJson(new TextEncoder().encode(text)) : undefined;
  if (reading?.ok === true) return reading.value;
  return layout === 'list' || text.includes(',') ? text.split(',') : text;
}

/** The location of a credential in a request. */
type PlacedKey = Pick<ComposedRequest, 'headers' | 'query' | 'cookies'>;

/**
 * Adds a key of the mock according to the first security requirement of an operation, if there is
 * one.
 */
function placeKey(operation: Operation, key: string | undefined): PlacedKey {
  const none = { headers: [], query: [], cookies: [] };
  const open = operation.security.some((requirement) => requirement.length === 0);
  if (key === undefined || open) return none;
  const schemes = (
    operation.security.find((requirement) =>
      requirement.every(({ scheme }) => placeable.has(scheme.kind)),
    ) ?? []
  ).map(({ scheme }) => scheme);
  return {
    headers: schemes.flatMap((scheme) => headerOf(scheme, key)),
    query: schemes.flatMap((scheme) =>
      scheme.kind === 'apiKey' && scheme.in === 'query'
        ? [`${encodeURIComponent(scheme.key)}=${encodeURIComponent(key)}`]
        : [],
    ),
    cookies: schemes.flatMap((scheme) =>
      scheme.kind === 'apiKey' && scheme.in === 'cookie' ? [`${scheme.key}=${key}`] : [],
    ),
  };
}

const placeable: ReadonlySet<SecurityScheme['kind']> = new Set<SecurityScheme['kind']>([
  'bearer',
  'basic',
  'apiKey',
]);

/** RFC 6750, section 2.1; RFC 7617, section 2: a key without a colon is used as the password. */
function headerOf(scheme: SecurityScheme, key: string): HeaderList {
  if (scheme.kind === 'bearer') return [['Authorization', `Bearer ${key}`]];
  if (scheme.kind === 'basic')
    return [
      [
        'Authorization',
        `Basic ${Buffer.from(key.includes(':') ? key : `user:${key}`, 'utf8').toString('base64')}`,
      ],
    ];
  return scheme.kind === 'apiKey' && scheme.in === 'header' ? [[scheme.key, key]] : [];
}
