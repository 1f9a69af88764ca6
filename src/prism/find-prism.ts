import { createRequire } from 'node:module';
import { join } from 'node:path';
import { VouchError } from '../errors.ts';

/** The files that the two packages of Prism's core are loaded from. */
export interface PrismPackages {
  readonly http: string;
  readonly core: string;
}

/**
 * From the name of a package to the file of its entry, as `require.resolve`: throws where there is
 * none.
 */
export type Resolve = (name: string) => string;

/** The lowest Node that Prism 5.16 runs on (its `engines`). */
const neededNode = [24, 18, 0] as const;

/**
 * Fails with `prism-failed` where this version of Node, such as `24.21.0`, is too old for Prism
 * 5.16.
 */
export function requireNode(version: string): void {
  const parts = version.split('.').map(Number);
  const different = neededNode.findIndex((part, index) => parts[index] !== part);
  if (different === -1 || (parts[different] ?? 0) > (neededNode[different] ?? 0)) return;
  throw new VouchError(
    'prism-failed',
    `Prism 5.16 needs Node 24.18 or newer, and this is Node ${version}.`,
    {
      hint: 'Run vouch on Node 24.18 or newer, or leave Prism out.',
    },
  );
}

/**
 * Where Prism's core is installed; fails with `prism-missing` where it is not. Nothing is loaded.
 */
export function findPrism(resolve: Resolve): PrismPackages {
  try {
    return { http: resolve('@stoplight/prism-http'), core: resolve('@stoplight/prism-core') };
  } catch (cause) {
    throw new VouchError(
      'prism-missing',
      'Prism is not installed: vouch does not bring it along, because it takes 66 MB.',
      {
        hint: 'npm install --save-dev @stoplight/prism-http@5.16.0 @stoplight/prism-core@5.16.0',
        cause,
      },
    );
  }
}

/**
 * Looks beside vouch first and then in a project's folder, so that a vouch run by npx finds the
 * Prism of the project.
 */
export function resolveFrom(folder: string): Resolve {
  const own = createRequire(import.meta.url);
  const project = createRequire(join(folder, 'package.json'));
  return (name) => {
    try {
      return own.resolve(name);
    } catch {
      return project.resolve(name);
    }
  };
}
