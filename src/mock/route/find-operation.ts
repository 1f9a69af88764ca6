import type { Contract, Method, Operation } from '../../contract/model.ts';
import type { MatchedOperation, Router, RouteResult } from '../../contract/route.ts';
import { disambiguate, makeRouter } from '../../contract/route.ts';
import { lazy } from '../../contract/lazy.ts';
import { type Framework, frameworkOf } from '../../contract/words/frameworks.ts';
import type { HttpRequest } from '../../http/message.ts';
import { encodePercent, parseTarget, type Target, type TargetReading } from '../../http/target.ts';
import { nearestWord } from '../../errors.ts';
import { cutText } from '../errors/visible-text.ts';
import { type Fault, makeFault } from '../model/reply.ts';
import type {
  AnsweredRequest,
  OperationPlan,
  OperationPlans,
  RoutedRequest,
  UnroutedRequest,
} from '../model/request.ts';
import { mountedPaths, type Mounting, routedPaths } from './mounted-paths.ts';

/** The operations of the contract at a path. */
export interface PathView {
  /** The methods of the path, including `HEAD` and `OPTIONS`. */
  readonly allow: string;
  readonly operations: readonly Operation[];
}

export interface OperationFinder {
  find(request: Omit<HttpRequest, 'body'>): RoutedRequest | UnroutedRequest | AnsweredRequest;
  /** All operations at a request target; undefined for an unknown path. */
  view(target: string): PathView | undefined;
}

/**
 * Mounts every operation under the base path of each of its servers, and routes requests to them.
 */
export function makeOperationFinder(
  contract: Contract,
  plans: OperationPlans,
  { base, neighbours }: Mounting = {},
): OperationFinder {
  const paths = (): string[] => [
    ...mountedPaths(contract, base).map(([path]) => path),
    ...(neighbours?.() ?? []),
  ];
  let hintPath: ((path: string) => PathHint) | undefined;
  return new ContractFinder(makeRouter(routedPaths(contract, base)), plans, {
    hintPath: (path) => (hintPath ??= makePathHint(paths()))(path),
    slashes: lazy(() => slashesOf(frameworkOf(contract))),
  });
}

/** What is done about a path that the contract does not have. */
interface UnknownPaths {
  readonly hintPath: (path: string) => PathHint;
  readonly slashes: () => Slashes;
}

/** Whether a path with another slash at the end is redirected, served alike, or unknown. */
type Slashes = 'redirected' | 'any' | 'exact';

/** As the routers of the frameworks have it by default. */
function slashesOf(framework: Framework | undefined): Slashes {
  if (framework === 'fastapi' || framework === 'django') return 'redirected';
  return framework === 'nest' || framework === 'litestar' ? 'any' : 'exact';
}

class ContractFinder implements OperationFinder {
  readonly #router: Router;
  readonly #plans: OperationPlans;
  readonly #unknown: UnknownPaths;
  /** The last request that its method and target route: clients repeat it to wait for a change. */
  #last:
    | {
        readonly method: string;
        readonly target: string;
        readonly found: RoutedRequest | UnroutedRequest;
      }
    | undefined;

  constructor(router: Router, plans: OperationPlans, unknown: UnknownPaths) {
    this.#router = router;
    this.#plans = plans;
    this.#unknown = unknown;
  }

  find({
    method,
    target: text,
    headers,
  }: Omit<HttpRequest, 'body'>): RoutedRequest | UnroutedRequest | AnsweredRequest {
    const last = this.#last;
    if (last?.target === text && last.method === method) return last.found;
    const target = parseTarget(text);
    if (!target.ok) return this.#refuseTarget(method, text, target);
    const routed = this.#route(method, target.segments, target.query);
    const other = routed.kind === 'no-path' ? this.#withOtherSlash(text) : undefined;
    if (other !== undefined && this.#unknown.slashes() === 'any')
      return this.find({ method, target: other, headers });
    if (other !== undefined)
      return { kind: 'answered', status: 307, headers: [['Location', other]] };
    if (routed.kind !== 'operation') return this.#refuseRoute(method, routed, target);
    const meant = routed.rivals && disambiguate(routed.rivals, { query: target.query, headers });
    const found = this.#routeTo(meant ?? routed, target);
    if (routed.rivals === undefined) this.#last = { method, target: text, found };
    return found;
  }

  /** A target that differs in the slash at the end, if the contract has it and its framework knows. */
  #withOtherSlash(text: string): string | undefined {
    if (this.#unknown.slashes() === 'exact') return undefined;
    const [path = '', ...query] = text.split('?');
    const other = path.endsWith('/') ? path.slice(0, -1) : `${path}/`;
    const target = parseTarget(other);
    const isKnown = target.ok && this.#route('GET', target.segments).kind !== 'no-path';
    // Two slashes at the beginning would name another host.
    return isKnown && /^\/(?!\/)/.test(other) ? [other, ...query].join('?') : undefined;
  }

  #refuseRoute(
    method: string,
    routed: Exclude<RouteResult, { kind: 'operation' }>,
    { path }: Target,
  ): UnroutedRequest | AnsweredRequest {
    if (routed.kind === 'no-path') return this.#refusePath(path);
    const allow = allowOf(routed.allow);
    if (method === 'OPTIONS') return { kind: 'answered', status: 204, headers: [['Allow', allow]] };
    return unrouted(
      makeFault(
        'wrong-method',
        'method_not_allowed',
        `This path has no ${method.slice(0, 20)}. It has: ${allow}.`,
        { headers: [['Allow', allow]] },
      ),
      path,
    );
  }

  #refusePath(path: string): UnroutedRequest {
    const { message, meant } = this.#unknown.hintPath(path);
    return unrouted(
      makeFault('no-path', 'not_found', message, meant === undefined ? {} : { meant }),
      path,
    );
  }

  view(text: string): PathView | undefined {
    const target = parseTarget(text);
    if (!target.ok) return undefined;
    // An empty method matches no operation, so the result lists the existing ones.
    const found = this.#router.route('', target.segments);
    const declared = found.kind === 'wrong-method' ? found.allow : [];
    const routed = declared.map((method) => this.#router.route(method, target.segments));
    const operations = routed.flatMap((result) =>
      result.kind === 'operation' ? [result.operation] : [],
    );
    return operations.length === 0
      ? undefined
      : { allow: allowOf(operations.map(({ method }) => method)), operations };
  }

  /** HEAD is GET without the body (RFC 9110, section 9.3.2), unless the contract declares it. */
  #route(method: string, segments: readonly string[], query: Target['query'] = []): RouteResult {
    const routed = this.#router.route(method, segments, query);
    if (routed.kind !== 'wrong-method' || method !== 'HEAD') return routed;
    return this.#router.route('GET', segments, query);
  }

  #routeTo({ operation, path }: MatchedOperation, target: Target): RoutedRequest | UnroutedRequest {
    const plan = this.#plans.get(operation.id);
    if (plan === undefined)
      return unrouted(
        makeFault('internal', 'internal', `The operation ${operation.id} was never prepared.`),
        target.path,
      );
    const base = target.segments.length - plan.length;
    const basePath = base === 0 ? '' : `/${target.segments.slice(0, base).join('/')}`;
    const rawPath = rawValues(plan, path, { target, base });
    return {
      kind: 'routed',
      plan,
      target,
      basePath,
      path,
      rawPath,
    };
  }

  /**
   * An undecodable target is routed in its raw form, to report the error in the schema of its
   * operation. An undecodable path value is one that cannot exist.
   */
  #refuseTarget(
    method: string,
    text: string,
    { problem }: Extract<TargetReading, { ok: false }>,
  ): UnroutedRequest {
    const path = text.split('?', 1)[0] ?? '';
    const alone = parseTarget(
      problem.at === 'query' ? path : path.split('/').map(encodePercent).join('/'),
    );
    const routed = alone.ok ? this.#route(method, alone.segments) : undefined;
    const plan = routed?.kind === 'operation' ? this.#plans.get(routed.operation.id) : undefined;
    const cause = problem.at === 'path' && plan !== undefined ? 'path-value' : 'target';
    return {
      ...unrouted(makeFault(cause, 'invalid_request', `${capital(problem.message)}.`), path),
      plan,
    };
  }
}

function unrouted(fault: Fault, path: string): UnroutedRequest {
  return { kind: 'unrouted', fault, plan: undefined, path };
}

/** The path values as sent, if they fill a segment; others are encoded again. */
function rawValues(
  plan: OperationPlan,
  path: ReadonlyMap<string, string>,
  { target, base }: { readonly target: Target; readonly base: number },
): ReadonlyMap<string, string> {
  const { wholeSegments } = plan;
  // Without an escape, a segment as sent is the decoded one.
  if (wholeSegments.length === path.size && !target.path.includes('%')) return path;
  const segments = target.path.slice(1).split('/');
  const whole = wholeSegments.map(([name, index]) => [name, segments[base + index] ?? ''] as const);
  const encoded = [...path].map(([name, value]) => [name, encodePercent(value)] as const);
  return new Map([...encoded, ...whole]);
}

function allowOf(methods: readonly Method[]): string {
  const head = methods.includes('GET') ? ['HEAD'] : [];
  return [...new Set([...methods, ...head, 'OPTIONS'])].join(', ');
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

const longestPath = 200;
const maxCandidates = 60;

/** The message for an unknown path, and the path that was probably meant. */
export interface PathHint {
  readonly message: string;
  readonly meant: string | undefined;
}

/** Makes the message for an unknown path, with the path that was probably meant. */
function makePathHint(templates: readonly string[]): (path: string) => PathHint {
  const known = [...new Set(templates)].map((template) => template.split('/').slice(1));
  return (path) => {
    const named = `There is no path \`${cutText(path, 120)}\`.`;
    if (path.length > longestPath) return { message: named, meant: undefined };
    const meant = probablyMeant(path, known);
    return {
      message:
        meant === undefined ? named : `${named} Did you mean \`${meant}\`?${reason(path, meant)}`,
      meant,
    };
  };
}

function probablyMeant(
  path: string,
  templates: readonly (readonly string[])[],
): string | undefined {
  const segments = path.replace(/\/+$/, '').split('/').slice(1);
  const likened = templates.flatMap((template) => liken(template, segments) ?? []);
  const ending = likened.flatMap(({ path: candidate, isNamed }) =>
    isNamed && candidate.endsWith(`/${segments.join('/')}`) ? [candidate] : [],
  );
  const near = likened
    .map((each) => each.path)
    .filter((candidate) => Math.abs(candidate.length - path.length) <= 1 + path.length / 3);
  // The requested path itself is not a hint.
  const [meant] = ending
    .filter((candidate) => candidate !== path)
    .sort((left, right) => left.length - right.length);
  return (
    meant ??
    nearestWord(path, near.filter((candidate) => candidate !== path).slice(0, maxCandidates))
  );
}

interface Likeness {
  readonly path: string;
  /** Whether the request contains a literal segment of the template. */
  readonly isNamed: boolean;
}

/**
 * A template with segments of the request in place of its parameters, aligned at the end, because
 * the beginning is usually missing.
 */
function liken(template: readonly string[], segments: readonly string[]): Likeness | undefined {
  const offset = template.length - segments.length;
  if (segments.length === 0 || Math.abs(offset) > 2) return undefined;
  const filled = template.map((segment, index) => {
    const given = segments[index - offset];
    return segment.includes('{') ? given : segment;
  });
  // If the path is too long, all remaining segments must match.
  const fits =
    offset >= 0 || filled.every((segment, index) => segment === segments[index - offset]);
  if (filled.includes(undefined) || !fits) return undefined;
  return {
    path: `/${filled.join('/')}`,
    isNamed: template.some((segment, index) => segment === segments[index - offset]),
  };
}

function reason(path: string, meant: string): string {
  if (meant.endsWith(path) && meant !== path)
    return ` ${meant.slice(0, meant.length - path.length)} is missing.`;
  if (path.replace(/\/+$/, '') === meant) return ' The slash at the end is too many.';
  return meant.toLowerCase() === path.toLowerCase() ? ' Case counts.' : '';
}
