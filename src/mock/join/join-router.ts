import type { Operation } from '../../contract/model.ts';
import { makeRouter, type Router } from '../../contract/route.ts';
import { parseTarget } from '../../http/target.ts';
import { basePathsOf, mountedPaths } from '../route/mounted-paths.ts';
import type { NamedContract } from './join-contracts.ts';

/** Finds the contract of a request, by index. */
export interface JoinRouter {
  /** Undefined if several contracts have the path, but none of them the method. */
  find(method: string, target: string): number | undefined;
}

/**
 * Routes over all contracts: to the one with the operation, otherwise with the path, otherwise with
 * the nearest base path.
 */
export function makeJoinRouter(documents: readonly NamedContract[]): JoinRouter {
  const owners = new Map<Operation, number>();
  const mounted = documents.flatMap(({ contract, base }, index) =>
    mountedPaths(contract, base).map(([path, operation]) => {
      // One contract can be served under two base paths: each gets its own operation objects, whose
      // prototypes are the contract's.
      const own = Object.create(operation) as Operation;
      owners.set(own, index);
      return [path, own] as const;
    }),
  );
  const routers = documents.map(({ contract, base }) => makeRouter(mountedPaths(contract, base)));
  return new OwnerFinder(makeRouter(mounted), owners, { routers, bases: basesOf(documents) });
}

interface Neighbourhood {
  readonly routers: readonly Router[];
  /** Base paths with their contract, longest first. */
  readonly bases: readonly (readonly [base: string, owner: number])[];
}

class OwnerFinder implements JoinRouter {
  readonly #router: Router;
  readonly #owners: ReadonlyMap<Operation, number>;
  readonly #around: Neighbourhood;

  constructor(router: Router, owners: ReadonlyMap<Operation, number>, around: Neighbourhood) {
    this.#router = router;
    this.#owners = owners;
    this.#around = around;
  }

  find(method: string, text: string): number | undefined {
    const target = parseTarget(text);
    if (!target.ok) return this.#nearest(text);
    const { segments } = target;
    for (const wanted of method === 'HEAD' ? ['HEAD', 'GET'] : [method]) {
      const routed = this.#router.route(wanted, segments);
      if (routed.kind === 'operation') return this.#owners.get(routed.operation);
    }
    const having = this.#around.routers.flatMap((router, index) =>
      router.route(method, segments).kind === 'no-path' ? [] : [index],
    );
    if (having.length > 1) return undefined;
    return having[0] ?? this.#nearest(target.path);
  }

  #nearest(path: string): number {
    return (
      this.#around.bases.find(
        ([base]) =>
          base === '' ||
          path === base ||
          path.startsWith(`${base}/`) ||
          path.startsWith(`${base}?`),
      )?.[1] ?? 0
    );
  }
}

function basesOf(documents: readonly NamedContract[]): [string, number][] {
  const bases = documents.flatMap(({ contract, base }, index) =>
    [...new Set(contract.operations.flatMap((operation) => basePathsOf(operation, base)))].map(
      (path): [string, number] => [path, index],
    ),
  );
  return bases.sort(([left], [right]) => right.length - left.length);
}
