import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Why there is no Redis to test with; undefined where there is one. */
export const noRedis =
  spawnSync('redis-server', ['--version']).status === 0
    ? undefined
    : 'there is no redis-server here (Debian: apt-get install redis-server)';

/** A Redis of our own, on a socket in a temporary folder. */
export interface RedisServer {
  readonly url: string;
  readonly socket: string;
  /** Ends it as a crash would. */
  kill(): Promise<void>;
  /** Starts it again, empty. */
  restart(): Promise<void>;
  stop(): Promise<void>;
}

/** Starts a Redis that nobody else sees; `args` are added to its own. */
export async function startRedis(args: readonly string[] = []): Promise<RedisServer> {
  const folder = mkdtempSync(join(tmpdir(), 'vouch-redis-'));
  const socket = join(folder, 'redis.sock');
  let child = await launch(folder, socket, args);
  const kill = async (): Promise<void> => {
    const ended = new Promise((resolve) => child.once('exit', resolve));
    if (child.exitCode === null && child.signalCode === null && child.kill('SIGKILL')) await ended;
  };
  return {
    url: `unix://${socket}`,
    socket,
    kill,
    restart: async () => {
      child = await launch(folder, socket, args);
    },
    stop: async () => {
      await kill();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

async function launch(
  folder: string,
  socket: string,
  args: readonly string[],
): Promise<ChildProcess> {
  rmSync(socket, { force: true });
  const child = spawn(
    'redis-server',
    [
      '--port',
      '0',
      '--unixsocket',
      socket,
      '--dir',
      folder,
      '--save',
      '',
      '--appendonly',
      'no',
      ...args,
    ],
    { stdio: ['ignore', 'pipe', 'ignore'] },
  );
  let said = '';
  await new Promise<void>((resolve, reject) => {
    child.once('error', reject);
    child.once('exit', () => reject(new Error(`redis-server did not start: ${said}`)));
    child.stdout.on('data', (chunk: Buffer) => {
      said = said.slice(-2000) + chunk.toString();
      if (/ready to accept connections/i.test(said)) resolve();
    });
  });
  return child;
}
