import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** The version of this package, from its manifest. */
export function readVersion(): string {
  const manifest: unknown = JSON.parse(
    readFileSync(new URL('../../package.json', import.meta.url), 'utf8'),
  );
  return typeof manifest === 'object' && manifest !== null && 'version' in manifest
    ? String(manifest.version)
    : '0.0.0';
}

/**
 * The folder of this package, which contains the bundled contract, fixtures, scenarios and
 * configuration.
 */
export const packageFolder: string = fileURLToPath(new URL('../../', import.meta.url));
