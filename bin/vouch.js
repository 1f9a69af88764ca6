#!/usr/bin/env node
// Starts vouch on a Node that can run it. In a clone that is the source as it stands, on the Node that `npm ci`
// brought; in an installed package it is `dist/`, on the user's own Node.
import { existsSync } from 'node:fs';
import * as modules from 'node:module';

// Compiled code is kept from start to start, where this Node can (22.8): a fifth off the time to the first word.
modules.enableCompileCache?.();

const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
const source = new URL('../src/cli/bin.ts', import.meta.url);
const finder = new URL('../tools/node/find.js', import.meta.url);

if (!existsSync(source)) {
  if (major > 22 || (major === 22 && minor >= 19)) await import('../dist/program/vouch.js');
  else
    refuse(
      `vouch needs Node 22.19 or newer; this is Node ${process.versions.node}. Install a newer one, from nodejs.org or with a version manager such as nvm.`,
    );
} else {
  const { findNode, needed } = await import(finder.href);
  const node = findNode();
  if (node === process.execPath) await runSource();
  else if (node === undefined)
    refuse(
      `A clone of vouch runs on Node ${needed.join('.')} or newer; this is Node ${process.versions.node}.\nRun \`npm ci\` without --omit=optional: it brings one along.`,
    );
  else await restart(node);
}

/** Pages and program are bundled anew where a source of theirs has changed. */
async function runSource() {
  const { buildPages } = await import('../tools/build-pages.ts');
  const { bundleClone } = await import('../tools/clone-program.ts');
  const [program] = await Promise.all([bundleClone(), buildPages()]);
  await import(program ?? source.href);
}

function refuse(message) {
  console.error(message);
  process.exitCode = 2;
}

async function restart(node) {
  const { spawn } = await import('node:child_process');
  const { fileURLToPath } = await import('node:url');
  const child = spawn(node, [fileURLToPath(import.meta.url), ...process.argv.slice(2)], {
    stdio: 'inherit',
  });
  // A terminal sends Ctrl-C to both processes; the child decides, and this one only waits for its answer.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'])
    process.on(signal, () => signal !== 'SIGINT' && child.kill(signal));
  child.on('exit', (code) => process.exit(code ?? 1));
}
