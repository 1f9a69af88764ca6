import { setFlagsFromString } from 'node:v8';

/**
 * The first and the last V8 in which a flag was seen, as 100 times its major version and its minor
 * one: 12.4 is Node 22's, 13.6 Node 24's, 14.1 Node 25's, 14.6 Node 26's.
 */
const seen = {
  'expose-gc': [1204, 1406],
  'heap-growing-percent': [1204, 1406],
  'memory-reducer-favors-memory': [1306, 1401],
  'memory-saver-mode': [1306, 1406],
  'retain-maps-for-n-gc': [1204, 1406],
  'semi-space-growth-factor': [1204, 1406],
  // The compiler below it, Maglev, is on from here.
  turbofan: [1306, 1406],
} as const;

/** A flag of V8 about its heap, or about what it compiles. */
export type EngineFlag = keyof typeof seen;

/** Whether a V8 knows a flag, by its version: `13.6.233.17-node.28`. */
export function knowsFlag(flag: EngineFlag, version: string = process.versions.v8): boolean {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  const [first, last] = seen[flag];
  const at = 100 * major + minor;
  return at >= first && at <= last;
}

/**
 * Sets a flag of the whole process, true where V8 knows it. What it does not know it reports on
 * stderr, where nobody can catch it; so nothing is said to a V8 that has not been seen to know it.
 */
export function setEngineFlag(flag: EngineFlag, value: number | boolean): boolean {
  const known = knowsFlag(flag);
  if (known)
    setFlagsFromString(
      typeof value === 'number' ? `--${flag}=${String(value)}` : `--${value ? '' : 'no-'}${flag}`,
    );
  return known;
}
