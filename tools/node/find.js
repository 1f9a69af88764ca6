import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

/**
 * The lowest Node that runs vouch's TypeScript without a build, and every development dependency
 * (Prism 5.16 needs it).
 */
export const needed = [24, 18, 0];

/** Whether a version such as `24.21.0` is at least `needed`. */
export function isEnough(version) {
  const parts = version.split('.').map(Number);
  const different = needed.findIndex((part, index) => parts[index] !== part);
  return different === -1 || parts[different] > needed[different];
}

/**
 * The path of the Node to use: that of this process if it is new enough, else the one that
 * `npm ci` installed, else undefined.
 */
export function findNode() {
  if (isEnough(process.versions.node)) return process.execPath;
  const folder = findInstalled();
  const program = process.platform === 'win32' ? 'node.exe' : 'node';
  return folder === undefined ? undefined : join(folder, 'bin', program);
}

/** The folder of the Node that `npm ci` installed; undefined if it installed none. */
export function findInstalled() {
  const platform = process.platform === 'win32' ? 'win' : process.platform;
  const name = `node-${platform}-${process.arch}`;
  try {
    return dirname(createRequire(import.meta.url).resolve(`${name}/package.json`));
  } catch {
    return undefined;
  }
}
