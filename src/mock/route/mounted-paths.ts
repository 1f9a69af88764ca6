import type { Contract, Operation } from '../../contract/model.ts';

/** The location of a contract's operations, if it differs from its servers. */
export interface Mounting {
  /**
   * The base path that replaces the document's: `/orders`. Servers of operations are mounted below
   * it.
   */
  readonly base?: string | undefined;
  /** Whole paths of other contracts on the same port, for hints. */
  readonly neighbours?: () => readonly string[];
}

/** The base paths of an operation, that of its first server first. */
export function basePathsOf(
  { servers, ownServers }: Pick<Operation, 'servers' | 'ownServers'>,
  base: string | undefined,
): string[] {
  const declared = servers.flatMap(({ basePaths }) => basePaths);
  if (base === undefined) return declared;
  return ownServers ? declared.map((path) => base + path) : [base];
}

/**
 * Every operation of a contract with each of its whole paths, including base paths. An operation
 * with the same servers as the document is served under all base paths: clients have one base URL.
 */
export function mountedPaths(
  contract: Pick<Contract, 'operations' | 'servers'>,
  base?: string,
): (readonly [path: string, operation: Operation])[] {
  const shared = contract.servers.flatMap(({ basePaths }) => basePaths);
  return contract.operations.flatMap((operation) => {
    const own = basePathsOf(operation, base);
    const all = base === undefined && !operation.ownServers ? [...own, ...shared] : own;
    return [...new Set(all)].map((path) => [path + operation.path, operation] as const);
  });
}

/** The same for routing: also with any other value of a server's variable without an enumeration. */
export function routedPaths(
  contract: Pick<Contract, 'operations' | 'servers'>,
  base?: string,
): (readonly [path: string, operation: Operation])[] {
  const open = contract.operations.flatMap((operation) =>
    operation.servers.flatMap(({ openPaths }) =>
      openPaths.map((path) => [path + operation.path, operation] as const),
    ),
  );
  return [...mountedPaths(contract, base), ...(base === undefined ? open : [])];
}
