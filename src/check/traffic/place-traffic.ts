import type { Contract, Operation, Parameter } from '../../contract/model.ts';
import { decodeParameter } from '../../contract/parameter/decode-parameter.ts';
import { makeRouter } from '../../contract/route.ts';
import { tellApart } from '../../contract/route/tell-apart.ts';
import { selectMediaType } from '../../contract/select-response.ts';
import { isJsonMediaType } from '../../http/media-type.ts';
import { headerValue, type HttpRequest } from '../../http/message.ts';
import { decodePercent } from '../../http/percent.ts';
import { parseTarget, splitTarget } from '../../http/query.ts';
import { parseJson } from '../../json/parse-json.ts';
import { joinPointer } from '../../json/pointer.ts';
import type { JsonValue } from '../../json/value.ts';
import { type Intent, makeCase } from '../case.ts';
import { readAnswer } from '../evidence/answer/read-answer.ts';
import { findRequestFault } from '../evidence/request/find-request-fault.ts';
import { readPath } from '../evidence/request/read-path.ts';
import type { Sent, Step } from '../subject.ts';
import type { RecordedTraffic } from './read-har.ts';

/** A recorded exchange with the operation that it belongs to; its `baseUrl` is whole. */
export interface PlacedTraffic extends RecordedTraffic {
  readonly operation: Operation;
  /** The values of the path's parameters, still percent-encoded. */
  readonly path: ReadonlyMap<string, string>;
}

/** Where recorded exchanges belong, and what belongs nowhere. */
export interface Placement {
  readonly placed: readonly PlacedTraffic[];
  /**
   * Requests under the base URL that the contract has no operation for: `GET /v1/things`, with how
   * often they came.
   */
  readonly undocumented: ReadonlyMap<string, number>;
  /** How many went to other hosts or paths. */
  readonly elsewhere: number;
}

type Route = (
  exchange: RecordedTraffic['exchange'],
) => PlacedRequest | 'undocumented' | 'elsewhere';

interface PlacedRequest {
  readonly operation: Operation;
  readonly path: ReadonlyMap<string, string>;
  readonly baseUrl: string;
}

/**
 * Finds the operation of each exchange. With a base URL, only what went there counts; without one,
 * every host does at the base paths of the contract's servers, because a recording is seldom made
 * where the contract says.
 */
export function placeTraffic(
  contract: Contract,
  traffic: readonly RecordedTraffic[],
  url: string | undefined,
): Placement {
  const route = makeRoute(contract, url);
  const placed: PlacedTraffic[] = [];
  const undocumented = new Map<string, number>();
  let elsewhere = 0;
  for (const recorded of traffic) {
    const found = route(recorded.exchange);
    if (found === 'elsewhere') elsewhere += 1;
    else if (found !== 'undocumented')
      placed.push({
        ...recorded,
        operation: found.operation,
        path: found.path,
        exchange: { ...recorded.exchange, baseUrl: found.baseUrl },
      });
    else count(undocumented, recorded.exchange.request);
  }
  return { placed, undocumented, elsewhere };
}

function count(counts: Map<string, number>, { method, target }: HttpRequest): void {
  const name = `${method} ${target.replace(/\?.*$/s, '')}`;
  counts.set(name, (counts.get(name) ?? 0) + 1);
}

function makeRoute({ operations }: Contract, url: string | undefined): Route {
  const router = makeRouter(operations.map((operation) => [operation.path, operation]));
  const basesOf =
    url === undefined ? anywhere(operations) : () => [new URL(url).pathname.replace(/\/+$/, '')];
  const origin = url === undefined ? undefined : new URL(url).origin;
  return ({ baseUrl, request }) => {
    if (origin !== undefined && baseUrl !== origin) return 'elsewhere';
    const { path } = splitTarget(request.target);
    const asked = parseTarget(request.target);
    const query = asked.ok ? asked.query : [];
    const bases = basesOf().filter((base) => path === base || path.startsWith(`${base}/`));
    for (const base of bases) {
      const segments = path.slice(base.length).split('/').slice(1);
      const result = router.route(
        request.method,
        segments.map((segment) => decodePercent(segment) ?? segment),
        query,
      );
      if (result.kind === 'operation') {
        const { operation } =
          (result.rivals && tellApart(result.rivals, { query, headers: request.headers })) ??
          result;
        return {
          operation,
          path: readPath(operation.path, path.slice(base.length)) ?? new Map(),
          baseUrl: `${baseUrl}${base}`,
        };
      }
      // Browsers ask before they send; nobody documents that.
      if (result.kind === 'wrong-method' && request.method !== 'OPTIONS') return 'undocumented';
    }
    return bases.length > 0 && request.method !== 'OPTIONS' && isUnder(bases, origin)
      ? 'undocumented'
      : 'elsewhere';
  };
}

/**
 * A page has much besides the service: without a base URL, only what lies under a base path of the
 * contract's own is its matter.
 */
function isUnder(bases: readonly string[], origin: string | undefined): boolean {
  return origin !== undefined || bases.some((base) => base !== '');
}

/** The base paths of all servers, the longest first. */
function anywhere(operations: readonly Operation[]): () => readonly string[] {
  const paths = new Set(
    operations.flatMap(({ servers }) =>
      servers.length === 0 ? [''] : servers.map(({ basePath }) => basePath),
    ),
  );
  const bases = [...paths].sort(
    (left, right) => right.length - left.length || (left < right ? -1 : 1),
  );
  return () => bases;
}

/**
 * A recorded exchange as a step of a run. What the client meant is not known: a valid request may
 * have asked for what is not there, so a documented refusal of it proves nothing.
 */
export function toStep({ label, exchange, operation, path }: PlacedTraffic): Step {
  const intent = intentOf(operation, exchange.request, path);
  // Recordings hide credentials, so that another one looks like the same: whoever was not let in
  // had none that is known to be good.
  const isLetIn = exchange.response?.status !== 401 && exchange.response?.status !== 403;
  const credential =
    isLetIn && headerValue(exchange.request.headers, 'authorization') !== undefined
      ? 'given'
      : 'none';
  const title = `a recorded request (${label})${intent.kind === 'invalid' ? ` that the contract forbids (${intent.rule})` : ''}`;
  const recorded = makeCase({
    title,
    phase: 'read',
    operation,
    request: { arguments: [], credential },
    intent,
  });
  return {
    case: { ...recorded, id: `${recorded.id}-${label.replaceAll(/\D/g, '')}` },
    sent: sentBy(operation, exchange.request, path),
    exchange,
    answer: exchange.response === undefined ? { kind: 'empty' } : readAnswer(exchange.response),
  };
}

function intentOf(
  operation: Operation,
  request: HttpRequest,
  path: ReadonlyMap<string, string>,
): Intent {
  const fault = findRequestFault(operation, request, path);
  if (fault === undefined || (fault.part === 'body' && isLossy(operation, request)))
    return { kind: 'valid', rigour: 'invented', at: joinPointer(operation.pointer, 'responses') };
  // Nobody can send the request again without the fault, so that its acceptance is a warning at
  // most. A parameter that is given twice is what servers take as they like.
  return {
    kind: 'invalid',
    ...fault,
    accepted: /is given \d+ times$/.test(fault.rule) ? 'fine' : 'warning',
  };
}

/** Forms and files are recorded with loss: what is wrong with them may be the recording. */
function isLossy({ requestBody }: Operation, { headers, body }: HttpRequest): boolean {
  const media = selectMediaType(
    requestBody?.content ?? [],
    headerValue(headers, 'content-type') ?? '',
  );
  return body.length > 0 && media !== undefined && !isJsonMediaType(media.mediaType);
}

function sentBy(
  { parameters }: Operation,
  { target, headers, body }: HttpRequest,
  path: ReadonlyMap<string, string>,
): Sent {
  const wire = { path, rawQuery: splitTarget(target).rawQuery, headers };
  const values = new Map<Parameter, JsonValue>();
  for (const parameter of parameters) {
    const reading = decodeParameter(parameter, wire);
    if (reading.kind === 'value') values.set(parameter, reading.value);
  }
  const reading =
    body.length > 0 && isJsonMediaType(headerValue(headers, 'content-type') ?? '')
      ? parseJson(body)
      : undefined;
  return { arguments: values, ...(reading?.ok === true ? { body: reading.value } : {}) };
}
