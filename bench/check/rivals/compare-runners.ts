import { installRival } from '../../rivals/install.ts';
import { publishedPackage } from '../../measure/published.ts';
import type { ServerName } from '../../servers/servers.ts';
import { runRunner, type RunnerRun } from './run-runner.ts';
import type { Runner, Tool } from './runner.ts';

/** What a runner is tried on. */
export interface Trial {
  readonly servers: readonly ServerName[];
  readonly defects: readonly string[];
  /** The number of runs on each conforming server. */
  readonly soundRuns: number;
  /** A limit below that of the runner itself. */
  readonly limitSeconds?: number;
}

/** One run against a server with a defect. */
export interface Cell {
  readonly server: ServerName;
  readonly defect: string;
  /** Whether it reports a finding that it does not report for the conforming server. */
  readonly detected: boolean;
  readonly findings: readonly string[];
  readonly requests: number;
  readonly ended: RunnerRun['ended'];
}

/** What came of one runner. */
export interface Compared {
  readonly version: string;
  /** Against sound servers: one after the other, alone, so that their time counts. */
  readonly sound: readonly (RunnerRun & { readonly server: ServerName })[];
  readonly cells: readonly Cell[];
}

/** A runner on every server, first sound, then with each defect; or why it cannot be run here. */
export async function compareRunner(
  runner: Runner,
  trial: Trial,
  say: (line: string) => void,
): Promise<Compared | { readonly reason: string }> {
  const found = await findTool(runner);
  if ('reason' in found) return found;
  const limited = {
    ...runner,
    limitSeconds: Math.min(runner.limitSeconds, trial.limitSeconds ?? Infinity),
  };
  const sound: (RunnerRun & { server: ServerName })[] = [];
  for (const server of trial.servers) {
    for (let round = 0; round < trial.soundRuns; round += 1) {
      const run = await runRunner(limited, found.tool, { server });
      say(
        `${runner.title}, ${server}, sound: ${run.seconds.toFixed(1)} s, ` +
          `${String(run.requests)} requests, ${String(run.findings.length)} ` +
          `false positives${run.ended === 'cut off' ? ', cut off' : ''}`,
      );
      sound.push({ ...run, server });
    }
  }
  return {
    version: found.version,
    sound,
    cells: await tryDefects(limited, found.tool, { trial, sound, say }),
  };
}

async function findTool(
  runner: Runner,
): Promise<{ readonly tool: Tool; readonly version: string } | { readonly reason: string }> {
  if (runner.rival === undefined)
    return { tool: { folder: publishedPackage(), program: process.execPath }, version: '' };
  const installation = await installRival(runner.rival);
  if (installation.kind === 'missing') return { reason: installation.reason };
  return {
    tool: { folder: installation.folder, program: installation.node },
    version: installation.version,
  };
}

interface Trying {
  readonly trial: Trial;
  readonly sound: Compared['sound'];
  say(line: string): void;
}

/** Two at a time: no clock is read here. */
async function tryDefects(
  runner: Runner,
  tool: Tool,
  { trial, sound, say }: Trying,
): Promise<Cell[]> {
  const waiting = trial.servers.flatMap((server) =>
    trial.defects.map((defect) => ({ server, defect })),
  );
  const cells: Cell[] = [];
  const lane = async (): Promise<void> => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
      const { server } = next;
      const run = await runRunner(runner, tool, next);
      const known = new Set(
        sound.flatMap((other) => (other.server === server ? other.findings : [])),
      );
      const findings = run.findings.filter((finding) => !known.has(finding));
      const detected = run.ended !== 0 && findings.length > 0;
      cells.push({ ...next, detected, findings, requests: run.requests, ended: run.ended });
      say(
        `${runner.title}, ${server}, ${next.defect}: ` +
          (detected ? `detected, ${findings[0] ?? ''}` : 'not detected') +
          (run.ended === 'cut off' ? ' (cut off)' : ''),
      );
    }
  };
  await Promise.all([lane(), lane()]);
  return cells;
}
