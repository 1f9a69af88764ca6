import { readFileSync } from 'node:fs';

/**
 * Whether this process is in the foreground of its terminal: `vouch mock &` is not, and would be
 * stopped for touching it.
 */
export function isForeground(platform: string = process.platform): boolean {
  if (platform === 'win32') return true;
  try {
    return platform === 'linux' ? isForegroundOf(readFileSync('/proc/self/stat', 'utf8')) : askPs();
  } catch {
    return false;
  }
}

/**
 * Of proc(5): the process group is the third field after the name, which may hold anything, and
 * that of the terminal the sixth.
 */
export function isForegroundOf(stat: string): boolean {
  const [, , group, , , foreground] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return group !== undefined && group === foreground;
}

/**
 * POSIX leaves the letters of `stat` open; the `+` for the foreground is the same on macOS and the
 * BSDs.
 */
function askPs(): boolean {
  return process
    .getBuiltinModule('node:child_process')
    .execFileSync('ps', ['-o', 'stat=', '-p', String(process.pid)], {
      encoding: 'utf8',
      timeout: 2_000,
    })
    .includes('+');
}
