import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { performance } from 'node:perf_hooks';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { residentOf } from '../measure/server-process.ts';
import { installRival, withoutReports } from '../rivals/install.ts';
import { basePathOf } from './operations.ts';
import { type ForeignDocument, isNode } from './read-documents.ts';

/** A mock that answers, and how long it took to do so. */
export interface RunningServer {
  readonly url: string;
  readonly readyMs: number;
  /** Resident memory in MiB. */
  residentMiB(): number;
  stop(): Promise<void>;
}

/** The servers that can be asked. */
export const serverNames = ['vouch', 'prism', 'mockoon'] as const;
export type ServerName = (typeof serverNames)[number];

const program = fileURLToPath(new URL('../../bin/vouch.js', import.meta.url));
const withinMs = 30_000;

/** Starts a server on a document; throws with what it wrote where it does not start. */
export async function startOn(
  name: ServerName,
  { file, document }: ForeignDocument,
  root: string,
): Promise<RunningServer> {
  const port = await freePort();
  const base = basePathOf(document);
  if (name === 'vouch')
    return startProgram(
      [program, 'mock', file, '--quiet', '--auth', 'off', '--root', root, '-p', String(port)],
      { port, base },
    );
  if (name === 'mockoon')
    return startProgram(
      [await rivalProgram('mockoon', '@mockoon/cli/bin/run.js'), 'start', '-X', '-d', file].concat([
        '-l',
        '127.0.0.1',
        '-p',
        String(port),
      ]),
      { port, base },
    );
  // Prism has no switch for credentials, and serves paths without the base of the document.
  const open = join(mkdtempSync(join(tmpdir(), 'prism-')), 'document.json');
  writeFileSync(open, JSON.stringify(withoutSecurity(document)));
  return startProgram(
    [await rivalProgram('prism', '@stoplight/prism-cli/dist/index.js'), 'mock', open].concat([
      '-h',
      '127.0.0.1',
      '-p',
      String(port),
    ]),
    { port, base: '' },
  );
}

async function rivalProgram(name: 'mockoon' | 'prism', path: string): Promise<string> {
  const rival = await installRival(name);
  if (rival.kind === 'missing') throw new Error(`${name} could not be installed: ${rival.reason}`);
  return join(rival.folder, 'node_modules', path);
}

async function startProgram(
  words: readonly string[],
  { port, base }: { readonly port: number; readonly base: string },
): Promise<RunningServer> {
  const began = performance.now();
  const child = spawn(process.execPath, words, {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: withoutReports(),
  });
  let written = '';
  child.stdout.resume();
  child.stderr.setEncoding('utf8').on('data', (text: string) => (written += text));
  const ended = once(child, 'exit');
  let isOver = false;
  void ended.then(() => (isOver = true));
  while (!isOver && performance.now() - began < withinMs) {
    const isUp = await fetch(`http://127.0.0.1:${String(port)}/`).then(
      () => true,
      () => false,
    );
    if (isUp) {
      const readyMs = performance.now() - began;
      return {
        url: `http://127.0.0.1:${String(port)}${base}`,
        readyMs,
        residentMiB: () => residentOf(child.pid),
        async stop() {
          child.kill('SIGKILL');
          await ended;
        },
      };
    }
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  child.kill('SIGKILL');
  throw new Error(written.trim().split('\n').slice(0, 3).join(' ') || 'not ready in 30 s');
}

/** As `--auth off` for vouch: requests have no credentials. */
function withoutSecurity(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutSecurity);
  if (!isNode(value)) return value;
  const members = Object.entries(value).filter(
    ([name, member]) => name !== 'security' || !Array.isArray(member),
  );
  return Object.fromEntries(members.map(([name, member]) => [name, withoutSecurity(member)]));
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  return typeof address === 'object' && address !== null ? address.port : 0;
}
