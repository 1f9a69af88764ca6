import { spawn, type ChildProcess } from 'node:child_process';
import { createWriteStream, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { stop } from '../measure/server-process.ts';
import { withoutReports } from '../rivals/install.ts';
import { apiAt, type Api } from './api.ts';
import type { Place, Service } from './service.ts';

/** A service that runs. */
export interface RunningService {
  readonly api: Api;
  /** Whether its process is still there. */
  isRunning(): boolean;
  stop(): Promise<void>;
}

const withinMs = 180_000;

/**
 * Starts a service in its data folder, and waits until it is ready. Throws, with what it printed
 * last, where it does not start.
 */
export async function startService(service: Service, place: Place): Promise<RunningService> {
  const { program, args, env } = await service.start(place);
  const log = join(place.data, 'service.log');
  const child = spawn(program, [...args], {
    cwd: place.data,
    env: { ...withoutReports(), ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const file = createWriteStream(log, { flags: 'a' });
  for (const stream of [child.stdout, child.stderr]) stream.pipe(file, { end: false });
  // Nothing runs on when the benchmark is ended.
  const end = (): void => void child.kill();
  process.once('exit', end);
  child.once('exit', () => process.off('exit', end));
  const api = apiAt(`http://127.0.0.1:${String(place.ports[0])}`, service.auth.headers);
  try {
    await untilReady(child, api, service);
  } catch (error) {
    await stop(child);
    const reason = error instanceof Error ? error.message : String(error);
    throw new Error(`${service.title} did not start: ${reason}\n${lastOf(log)}`, { cause: error });
  }
  const isRunning = (): boolean => child.exitCode === null && child.signalCode === null;
  return { api, isRunning, stop: () => stop(child).then(() => void file.end()) };
}

async function untilReady(child: ChildProcess, api: Api, { ready }: Service): Promise<void> {
  const failed = new Promise<never>((_resolve, reject) => {
    child.once('error', reject);
    child.once('exit', (code) => reject(new Error(`it ended with ${String(code)}`)));
  });
  failed.catch(() => undefined);
  const deadline = performance.now() + withinMs;
  while (performance.now() < deadline) {
    const status = await Promise.race([
      api.send(ready.method ?? 'GET', ready.path).then(
        (reply) => reply.status,
        () => 0,
      ),
      failed,
    ]);
    if (status >= 200 && status < 300) return;
    await Promise.race([wait(100), failed]);
  }
  throw new Error(`it was not ready after ${String(withinMs / 1_000)} s`);
}

function lastOf(log: string): string {
  return readFileSync(log, 'utf8').split('\n').slice(-6).join('\n').slice(-1_000);
}
