import { openBody } from '../../contract/infer/open-envelopes.ts';
import type { Contract, Operation, Parameter } from '../../contract/model.ts';
import { decodeParameter } from '../../contract/parameter/decode-parameter.ts';
import type { Router, MatchedOperation } from '../../contract/route.ts';
import { disambiguate, makeRouter } from '../../contract/route.ts';
import { selectMediaType } from '../../contract/select-response.ts';
import { isJsonMediaType } from '../../http/media-type.ts';
import { headerValue, type HttpRequest } from '../../http/message.ts';
import { decodePercent, parseTarget, splitTarget } from '../../http/target.ts';
import { parseJson } from '../../json/parse-json.ts';
import { joinPointer } from '../../json/pointer.ts';
import type { JsonValue } from '../../json/value.ts';
import { readAnswer } from '../reading/read-answer.ts';
import { findRequestFault } from '../reading/find-request-fault.ts';
import { readPath } from '../reading/read-body.ts';
import { type Intent, makeCase } from '../model/case.ts';
import type { Sent, Step } from '../model/step.ts';
import type { RecordedTraffic } from './read-har.ts';

/**
 * A recorded exchange with its operation; its `baseUrl` is complete, and the values of its path are
 * still percent-encoded.
 */
export type PlacedTraffic = RecordedTraffic & MatchedOperation;

/** The exchanges that belong to an operation, and how many do not. */
export interface Placement {
  readonly placed: readonly PlacedTraffic[];
  /** Requests under the base URL without an operation, and their count: `GET /v1/things`. */
  readonly undocumented: ReadonlyMap<string, number>;
  /** How many went to other hosts or paths. */
  readonly elsewhere: number;
}

/**
 * Finds the operation of each exchange. With a base URL, only exchanges with that URL count;
 * without one, every host counts at the base paths of the contract's servers, because most
 * recordings are made on another host.
 */
export function placeTraffic(
  contract: Contract,
  traffic: readonly RecordedTraffic[],
  url: string | undefined,
): Placement {
  const findOperation = makeTrafficFinder(contract, url === undefined ? undefined : [url]);
  const placed: PlacedTraffic[] = [];
  const undocumented = new Map<string, number>();
  let elsewhere = 0;
  for (const recorded of traffic) {
    const found = findOperation(recorded.exchange);
    if (found === 'elsewhere') elsewhere += 1;
    else if (found === 'undocumented') count(undocumented, recorded.exchange.request);
    else {
      const { operation, path, baseUrl } = found;
      placed.push({ ...recorded, operation, path, exchange: { ...recorded.exchange, baseUrl } });
    }
  }
  return { placed, undocumented, elsewhere };
}

function count(counts: Map<string, number>, { method, target }: HttpRequest): void {
  const name = `${method} ${target.replace(/\?.*$/s, '')}`;
  counts.set(name, (counts.get(name) ?? 0) + 1);
}

interface FoundOperation extends Pick<PlacedTraffic, 'operation' | 'path'> {
  readonly baseUrl: string;
}

/** Finds the operation of an exchange, and its complete base URL. */
export type FindOperation = (
  exchange: RecordedTraffic['exchange'],
) => FoundOperation | 'undocumented' | 'elsewhere';

/** Makes a finder for traffic with base URLs of one origin, or of any host without them. */
export function makeTrafficFinder(
  { operations }: Contract,
  urls: readonly string[] | undefined,
): FindOperation {
  const router = makeRouter(operations.map((operation) => [operation.path, operation]));
  const known = urls === undefined ? serverPaths(operations) : urls.map(basePath);
  const origin = urls?.[0] === undefined ? undefined : new URL(urls[0]).origin;
  return ({ baseUrl, request }) => {
    if (origin !== undefined && baseUrl !== origin) return 'elsewhere';
    const { path } = splitTarget(request.target);
    const bases = known.filter((base) => path === base || path.startsWith(`${base}/`));
    for (const base of bases) {
      const found = routeBelow(router, request, base);
      if (found === 'wrong-method') return 'undocumented';
      if (found !== undefined) return { ...found, baseUrl: `${baseUrl}${base}` };
    }
    // Without a base URL, only paths below a base path of the contract belong to the service.
    const isOfService = origin !== undefined || bases.some((base) => base !== '');
    return bases.length > 0 && request.method !== 'OPTIONS' && isOfService
      ? 'undocumented'
      : 'elsewhere';
  };
}

function basePath(url: string): string {
  return new URL(url).pathname.replace(/\/+$/, '');
}

/** The base paths of all servers, the longest first. */
export function serverPaths(operations: readonly Operation[]): readonly string[] {
  const paths = new Set(
    operations.flatMap(({ servers }) =>
      servers.length === 0 ? [''] : servers.map((server) => server.basePath),
    ),
  );
  return [...paths].sort((left, right) => right.length - left.length || (left < right ? -1 : 1));
}

/** The operation of a request below a base path. */
function routeBelow(
  router: Router,
  { method, target, headers }: HttpRequest,
  base: string,
): Pick<FoundOperation, 'operation' | 'path'> | 'wrong-method' | undefined {
  const path = splitTarget(target).path.slice(base.length);
  const asked = parseTarget(target);
  const query = asked.ok ? asked.query : [];
  const segments = path.split('/').slice(1);
  const result = router.route(
    method,
    segments.map((segment) => decodePercent(segment) ?? segment),
    query,
  );
  if (result.kind === 'operation') {
    const { operation } =
      (result.rivals && disambiguate(result.rivals, { query, headers })) ?? result;
    return { operation, path: readPath(operation.path, path) ?? new Map() };
  }
  // Browsers send OPTIONS before other requests; no contract documents that.
  return result.kind === 'wrong-method' && method !== 'OPTIONS' ? 'wrong-method' : undefined;
}

/**
 * A recorded exchange as a step of a run. The intent of the client is unknown: a valid request may
 * be for a missing record, so a documented refusal proves nothing.
 */
export function toStep(placed: PlacedTraffic): Step {
  const { label, exchange, operation, path } = placed;
  const { request, response } = exchange;
  const intent = intentOf(placed);
  const rule = intent.kind === 'invalid' ? ` that the contract forbids (${intent.rule})` : '';
  const recorded = makeCase({
    title: `a recorded request (${label})${rule}`,
    phase: 'read',
    operation,
    request: { arguments: [], credential: credentialOf(exchange) },
    intent,
  });
  return {
    case: { ...recorded, id: `${recorded.id}-${label.replaceAll(/\D/g, '')}` },
    sent: sentBy(operation, request, path),
    exchange,
    answer: response === undefined ? { kind: 'empty' } : readAnswer(response, operation),
  };
}

/**
 * Recordings hide credentials, so that all look alike: only a request that was not refused had one
 * that is known to be good.
 */
function credentialOf({ request, response }: PlacedTraffic['exchange']): 'given' | 'none' {
  const isRefused = response?.status === 401 || response?.status === 403;
  const hasCredential = headerValue(request.headers, 'authorization') !== undefined;
  return hasCredential && !isRefused ? 'given' : 'none';
}

function intentOf({
  operation,
  exchange: { request },
  path,
  isExact = false,
}: PlacedTraffic): Intent {
  const fault = findRequestFault(operation, request, path);
  if (fault === undefined || (fault.part === 'body' && !isExact && isLossy(operation, request)))
    return { kind: 'valid', rigour: 'invented', at: joinPointer(operation.pointer, 'responses') };
  // There is no control request without the fault, so accepting it is a warning at most. Servers
  // differ in how they read a parameter that is given twice.
  const isDoubled = /is given \d+ times$/.test(fault.rule);
  return { kind: 'invalid', ...fault, accepted: isDoubled ? 'fine' : 'warning' };
}

/** Forms and files are recorded incompletely: a fault in them may be one of the recording. */
function isLossy({ requestBody }: Operation, { headers, body }: HttpRequest): boolean {
  const media = selectMediaType(
    requestBody?.content ?? [],
    headerValue(headers, 'content-type') ?? '',
  );
  return body.length > 0 && media !== undefined && !isJsonMediaType(media.mediaType);
}

function sentBy(
  operation: Operation,
  { target, headers, body }: HttpRequest,
  path: ReadonlyMap<string, string>,
): Sent {
  const wire = { path, rawQuery: splitTarget(target).rawQuery, headers };
  const values = new Map<Parameter, JsonValue>();
  for (const parameter of operation.parameters) {
    const reading = decodeParameter(parameter, wire);
    if (reading.kind === 'value') values.set(parameter, reading.value);
  }
  const mediaType = headerValue(headers, 'content-type') ?? '';
  const reading = body.length > 0 && isJsonMediaType(mediaType) ? parseJson(body) : undefined;
  if (reading?.ok !== true) return { arguments: values };
  const media = selectMediaType(operation.requestBody?.content ?? [], mediaType);
  const fields = media?.envelope && openBody(media.envelope, reading.value);
  return { arguments: values, body: fields ?? reading.value };
}
