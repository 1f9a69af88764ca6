import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { performance } from 'node:perf_hooks';
import { fileURLToPath } from 'node:url';
import { startPrism } from '../../src/prism/start-prism.ts';
import type { JsonObject } from '../../src/json/value.ts';
import { basePathOf } from './operations.ts';
import { type ForeignDocument, isNode } from './read-documents.ts';

/** A mock that answers, and how long it took to do so. */
export interface RunningServer {
  readonly url: string;
  readonly readyMs: number;
  stop(): Promise<void>;
}

const program = fileURLToPath(new URL('../../bin/vouch.js', import.meta.url));

/** Starts `vouch mock` by its command line; throws with what it wrote where it does not start. */
export async function startVouch(
  { file, document }: ForeignDocument,
  root: string,
): Promise<RunningServer> {
  const port = await freePort();
  const began = performance.now();
  const words = ['mock', file, '-p', String(port), '--quiet', '--auth', 'off', '--root', root];
  const child = spawn(process.execPath, [program, ...words], {
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let written = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => (written += text));
  const ended = once(child, 'exit');
  let isOver = false;
  void ended.then(() => (isOver = true));
  while (!isOver && performance.now() - began < 30_000) {
    const isUp = await fetch(`http://127.0.0.1:${String(port)}/`).then(
      () => true,
      () => false,
    );
    if (isUp) {
      const readyMs = performance.now() - began;
      return {
        url: `http://127.0.0.1:${String(port)}${basePathOf(document)}`,
        readyMs,
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

/** Starts Prism, in a child process, on the document as the bench reads it. */
export async function startRival({ document }: ForeignDocument): Promise<RunningServer> {
  const began = performance.now();
  const base = basePathOf(document);
  // Parsed from JSON or YAML.
  const open = withoutSecurity(document) as JsonObject;
  const prism = await startPrism({ document: open, port: 0, basePath: base });
  return { url: prism.url, readyMs: performance.now() - began, stop: () => prism.close() };
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
