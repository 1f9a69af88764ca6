import type { Contract, Operation } from '../../contract/model.ts';

/** Where the operations of a contract stand, when that is not where its servers say. */
export interface Mounting {
  /**
   * The base path in the place of the document's own: `/orders`. Servers that an operation names
   * for itself stand below it.
   */
  readonly base?: string;
  /**
   * Whole paths that other contracts have on the same port, for the hint of a path that nobody has.
   */
  readonly neighbours?: () => readonly string[];
}

/** The base paths of an operation, the first one being that of its first server. */
export function basePathsOf(
  { servers, ownServers }: Pick<Operation, 'servers' | 'ownServers'>,
  base: string | undefined,
): string[] {
  const declared = servers.flatMap(({ basePaths }) => basePaths);
  if (base === undefined) return declared;
  return ownServers ? declared.map((path) => base + path) : [base];
}

/** Every operation of a contract with each of its whole paths, base path included. */
export function mountedPaths(
  contract: Pick<Contract, 'operations'>,
  base?: string,
): (readonly [path: string, operation: Operation])[] {
  return contract.operations.flatMap((operation) =>
    basePathsOf(operation, base).map((basePath) => [basePath + operation.path, operation] as const),
  );
}
