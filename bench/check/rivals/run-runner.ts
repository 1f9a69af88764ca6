import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { withoutReports } from '../../rivals/install.ts';
import { key, type ServerUnderTest } from '../../servers/server-under-test.ts';
import { servers, type ServerName } from '../../servers/servers.ts';
import type { Command, Outcome, Runner, Target, Tool } from './runner.ts';

/** One run of one runner against one server. */
export interface RunnerRun {
  readonly findings: readonly string[];
  readonly requests: number;
  readonly seconds: number;
  /** How it ended: by itself, with its exit code, or because its time was over. */
  readonly ended: number | 'cut off';
}

const contract = fileURLToPath(new URL('../../servers/books.yaml', import.meta.url));

/**
 * Starts a fresh server with the defect, or a sound one, lets the runner loose on it, and stops
 * both.
 */
export async function runRunner(
  runner: Runner,
  tool: Tool,
  { server, defect }: { readonly server: ServerName; readonly defect?: string },
): Promise<RunnerRun> {
  return runOn(runner, tool, { service: await servers[server](defect), contract });
}

/** Runs the runner on a service with its contract, and stops both. */
export async function runOn(
  runner: Runner,
  tool: Tool,
  { service, ...subject }: Pick<Target, 'contract' | 'headers'> & { service: ServerUnderTest },
): Promise<RunnerRun> {
  const folder = mkdtempSync(join(tmpdir(), 'vouch-rival-'));
  try {
    const target = { url: service.url, key, folder, ...subject };
    const began = performance.now();
    const outcome = await runAll(runner.commands(target, tool), {
      folder,
      limitMs: runner.limitSeconds * 1_000,
    });
    const seconds = (performance.now() - began) / 1_000;
    const found = runner.findings(target, outcome);
    // A failed run without readable findings counts as one finding.
    const unread = outcome.exitCode !== undefined && outcome.exitCode !== 0 && found.length === 0;
    return {
      findings: [...new Set(unread ? [`exit ${String(outcome.exitCode)}`] : found)],
      requests: service.requests(),
      seconds,
      ended: outcome.exitCode ?? 'cut off',
    };
  } finally {
    await service.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

async function runAll(
  commands: readonly Command[],
  { folder, limitMs }: { readonly folder: string; readonly limitMs: number },
): Promise<Outcome> {
  const until = performance.now() + limitMs;
  let printed = '';
  let exitCode: number | undefined = 0;
  for (const command of commands) {
    const outcome = await runOne(command, folder, until - performance.now());
    printed += outcome.printed;
    exitCode = outcome.exitCode;
    if (exitCode === undefined) break;
  }
  return { printed, exitCode };
}

function runOne(
  { program, args, env }: Command,
  folder: string,
  limitMs: number,
): Promise<Outcome> {
  return new Promise((resolve, reject) => {
    // In a group of its own, so that its children end with it.
    const child = spawn(program, [...args], {
      cwd: folder,
      env: { ...withoutReports(), ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
      detached: true,
    });
    const parts: Buffer[] = [];
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (part: Buffer) => parts.push(part));
    let cutOff = false;
    const timer = setTimeout(
      () => {
        cutOff = true;
        if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL');
      },
      Math.max(1, limitMs),
    );
    child.once('error', (error) => {
      clearTimeout(timer);
      reject(error);
    });
    child.once('close', (code) => {
      clearTimeout(timer);
      resolve({
        exitCode: cutOff ? undefined : (code ?? -1),
        printed: Buffer.concat(parts).toString(),
      });
    });
  });
}
