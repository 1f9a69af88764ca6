import type { Contract, Method, Operation } from '../../contract/model.ts';
import { makeRouter, type Router, type RouteResult, disambiguate } from '../../contract/route.ts';
import type { HttpRequest } from '../../http/message.ts';
import { encodePercent } from '../../http/percent.ts';
import { parseTarget, type Target, type TargetReading } from '../../http/target.ts';
import { type Fault, makeFault } from '../errors/fault.ts';
import type { OperationPlan } from '../plan/operation-plan.ts';
import { makePathHint, type PathHint } from './hint-path.ts';
import { mountedPaths, type Mounting } from './mounted-paths.ts';

/** An operation that a request reached. */
export interface Arrival {
  readonly kind: 'arrival';
  readonly plan: OperationPlan;
  readonly target: Target;
  /** The base path that the request named: `/v1`. */
  readonly basePath: string;
  /** Values of the path parameters, decoded; and as they stand on the wire. */
  readonly path: ReadonlyMap<string, string>;
  readonly rawPath: ReadonlyMap<string, string>;
}

/** A request that reached no operation, or not well; `path` is what it asked for. */
export interface Astray {
  readonly kind: 'astray';
  readonly fault: Fault;
  readonly plan: OperationPlan | undefined;
  readonly path: string;
}

/** A path's methods, for `OPTIONS` (RFC 9110, section 9.3.7). */
export interface Options {
  readonly kind: 'options';
  readonly allow: string;
}

/** What the contract has at a path. */
export interface PathView {
  /** The methods that are answered there, `HEAD` and `OPTIONS` among them. */
  readonly allow: string;
  readonly operations: readonly Operation[];
}

/** Finds what a request means. */
export interface FindOperation {
  find(request: Omit<HttpRequest, 'body'>): Arrival | Astray | Options;
  /** Everything that the contract has at a request target; undefined where it has no such path. */
  view(target: string): PathView | undefined;
}

/**
 * Mounts every operation under each of its servers' base paths, and finds the one that a request
 * means.
 */
export function makeFindOperation(
  contract: Contract,
  plans: ReadonlyMap<string, OperationPlan>,
  { base, neighbours }: Mounting = {},
): FindOperation {
  const mounted = mountedPaths(contract, base);
  const paths = (): string[] => [...mounted.map(([path]) => path), ...(neighbours?.() ?? [])];
  let hintPath: ((path: string) => PathHint) | undefined;
  return new OperationFinder(makeRouter(mounted), plans, (path) =>
    (hintPath ??= makePathHint(paths()))(path),
  );
}

/**
 * Clients ask for the same targets over and over: what so many of them lead to is remembered,
 * unless they are long.
 */
const mostRemembered = 1_000;
const longestRemembered = 200;

class OperationFinder implements FindOperation {
  readonly #remembered = new Map<string, Arrival>();
  readonly #router: Router;
  readonly #plans: ReadonlyMap<string, OperationPlan>;
  readonly #hintPath: (path: string) => PathHint;

  constructor(
    router: Router,
    plans: ReadonlyMap<string, OperationPlan>,
    hintPath: (path: string) => PathHint,
  ) {
    this.#router = router;
    this.#plans = plans;
    this.#hintPath = hintPath;
  }

  find(request: Omit<HttpRequest, 'body'>): Arrival | Astray | Options {
    const { method, target } = request;
    const line = `${method} ${target}`;
    const remembered = this.#remembered.get(line);
    if (remembered !== undefined) return remembered;
    const { found, isSure } = this.#find(request);
    if (found.kind === 'arrival' && isSure && line.length <= longestRemembered)
      this.#remember(line, found);
    return found;
  }

  #remember(line: string, arrival: Arrival): void {
    if (this.#remembered.size >= mostRemembered) this.#remembered.clear();
    this.#remembered.set(line, arrival);
  }

  /** What a request means, and whether method and target alone say so. */
  #find({ method, target: text, headers }: Omit<HttpRequest, 'body'>): {
    readonly found: Arrival | Astray | Options;
    readonly isSure: boolean;
  } {
    const target = parseTarget(text);
    if (!target.ok) return { found: this.#refuseTarget(method, text, target), isSure: true };
    const routed = this.#route(method, target.segments, target.query);
    if (routed.kind !== 'operation')
      return { found: this.#refuseRoute(method, routed, target), isSure: true };
    const meant = routed.rivals && disambiguate(routed.rivals, { query: target.query, headers });
    return {
      found: this.#arrive(meant === undefined ? routed : { ...routed, ...meant }, target),
      isSure: routed.rivals === undefined,
    };
  }

  #refuseRoute(
    method: string,
    routed: Exclude<RouteResult, { kind: 'operation' }>,
    { path }: Target,
  ): Astray | Options {
    if (routed.kind === 'no-path') return this.#refusePath(path);
    const allow = allowOf(routed.allow);
    if (method === 'OPTIONS') return { kind: 'options', allow };
    return astray(
      makeFault(
        'wrong-method',
        'method_not_allowed',
        `${method.slice(0, 20)} is no method of this path. It has: ${allow}.`,
        { headers: [['Allow', allow]] },
      ),
      path,
    );
  }

  #refusePath(path: string): Astray {
    const { message, meant } = this.#hintPath(path);
    return astray(
      makeFault('no-path', 'not_found', message, meant === undefined ? {} : { meant }),
      path,
    );
  }

  view(text: string): PathView | undefined {
    const target = parseTarget(text);
    if (!target.ok) return undefined;
    // No operation has no method, so that what comes back is which ones there are.
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

  #arrive(
    { operation, path }: Extract<RouteResult, { kind: 'operation' }>,
    target: Target,
  ): Arrival | Astray {
    const plan = this.#plans.get(operation.id);
    if (plan === undefined)
      return astray(
        makeFault('internal', 'internal', `The operation ${operation.id} was never prepared.`),
        target.path,
      );
    const base = target.segments.length - plan.length;
    const basePath = target.segments
      .slice(0, base)
      .map((segment) => `/${segment}`)
      .join('');
    return {
      kind: 'arrival',
      plan,
      target,
      basePath,
      path,
      rawPath: rawValues(plan, path, { target, base }),
    };
  }

  /**
   * What nobody can read still leads somewhere as it stands: to an operation in whose words the
   * refusal is written. A path value that nobody can read is one that cannot exist.
   */
  #refuseTarget(
    method: string,
    text: string,
    { problem }: Extract<TargetReading, { ok: false }>,
  ): Astray {
    const path = text.split('?', 1)[0] ?? '';
    const alone = parseTarget(
      problem.at === 'query' ? path : path.split('/').map(encodePercent).join('/'),
    );
    const routed = alone.ok ? this.#route(method, alone.segments) : undefined;
    const plan = routed?.kind === 'operation' ? this.#plans.get(routed.operation.id) : undefined;
    const cause = problem.at === 'path' && plan !== undefined ? 'path-value' : 'target';
    return {
      ...astray(makeFault(cause, 'invalid_request', `${capital(problem.message)}.`), path),
      plan,
    };
  }
}

function astray(fault: Fault, path: string): Astray {
  return { kind: 'astray', fault, plan: undefined, path };
}

/** Path values as they stand on the wire, where they fill a segment; others are encoded again. */
function rawValues(
  plan: OperationPlan,
  path: ReadonlyMap<string, string>,
  { target, base }: { readonly target: Target; readonly base: number },
): ReadonlyMap<string, string> {
  if (path.size === 0) return path;
  const segments = target.path.slice(1).split('/');
  const whole = plan.wholeSegments.map(
    ([name, index]) => [name, segments[base + index] ?? ''] as const,
  );
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
