import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { cpus, platform, release, totalmem } from 'node:os';

/** On what, with what and when figures were measured. */
export interface Machine {
  readonly date: string;
  readonly processor: string;
  readonly cores: number;
  readonly memoryGiB: number;
  readonly system: string;
  readonly node: string;
  readonly vouch: string;
  readonly commit: string;
}

/** The machine that this process runs on, and the version that it measures. */
export function describeMachine(): Machine {
  const { version } = JSON.parse(
    readFileSync(new URL('../../package.json', import.meta.url), 'utf8'),
  ) as { version: string };
  return {
    date: new Date().toISOString().slice(0, 10),
    processor: cpus()[0]?.model ?? 'unknown',
    cores: cpus().length,
    memoryGiB: Math.round(totalmem() / 2 ** 30),
    system: `${platform()} ${release()}`,
    node: process.version,
    vouch: version,
    commit: commitOf(),
  };
}

/** The machine in one line, as it stands below a picture. */
export function writeMachine({ date, processor, cores, node, vouch, commit }: Machine): string {
  return (
    `${date}, ${processor}, ${String(cores)} cores, Node ` +
    `${node.replace('v', '')}, vouch ${vouch} (${commit})`
  );
}

function commitOf(): string {
  try {
    return execFileSync('git', ['rev-parse', '--short', 'HEAD'], {
      cwd: new URL('.', import.meta.url),
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    }).trim();
  } catch {
    return 'unknown';
  }
}
