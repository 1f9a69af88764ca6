import { fileURLToPath } from 'node:url';

/**
 * The folder of the package itself, in which the bundled contract, its fixtures, scenarios and
 * configuration lie.
 */
export const packageFolder: string = fileURLToPath(new URL('../../', import.meta.url));
