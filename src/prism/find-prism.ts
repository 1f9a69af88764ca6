import { createRequire } from 'node:module';
import { join } from 'node:path';
import { VouchError } from '../errors.ts';

/** The entry files of the two packages of Prism's core. */
export interface PrismPackages {
  readonly http: string;
  readonly core: string;
}

/**
 * Resolves a package name to its entry file like `require.resolve`; throws if the package is
 * missing.
 */
export type Resolve = (name: string) => string;

/** The lowest Node version that Prism 5.16 supports (its `engines`). */
const neededNode = [24, 18, 0] as const;

/** Throws `prism-failed` if this Node version, such as `24.21.0`, is too old for Prism 5.16. */
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

/** Finds Prism's core without loading it; throws `prism-missing` if it is not installed. */
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
 * Resolves packages beside vouch, then in the folder of the project, so that vouch under npx finds
 * the Prism of the project.
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
