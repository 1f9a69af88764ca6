import { isUtf8 } from 'node:buffer';
import { hash } from 'node:crypto';
import { createRequire } from 'node:module';

/**
 * What the mock needs of Node and what a browser does not have. The build for browsers replaces
 * this module by `src/msw/browser-platform.ts`, which exports the same functions.
 */

export { isUtf8 };

/** A text that is equal for equal data and, in practice, different for different data. */
export function digest(data: string | Uint8Array): string {
  return hash('sha256', data, 'base64');
}

const load = createRequire(import.meta.url);

/** The packages that are loaded for the first document that needs them: they cost start time. */
export type LatePackage = '@marcbachmann/cel-js' | '@rgrove/parse-xml' | 'js-yaml';

/**
 * Loads a package synchronously. `require` is untyped: the caller states the type of the package.
 * Throws if the package is not available.
 */
export function loadPackage(name: LatePackage): unknown {
  return load(name);
}

/**
 * Loads what a text needs: a document, a scenario. Undefined if nothing is to be loaded; Node loads
 * it when it is used.
 */
export function loadLatePackages(_text: string): Promise<void> | undefined {
  return undefined;
}
