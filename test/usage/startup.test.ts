import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { packageFolder } from '../../src/library/package-files.ts';

/**
 * Runs inside the program before anything of it: writes down every module that is loaded, and tells
 * them at the end.
 */
const noteModules = `
  import { registerHooks } from 'node:module';
  import { writeSync } from 'node:fs';
  const loaded = new Set();
  registerHooks({ load(url, context, next) { loaded.add(url); return next(url, context); } });
  process.on('exit', () => writeSync(1, '\\nLOADED ' + JSON.stringify([...loaded]) + '\\n'));
`;

/**
 * Starts the mock, asks it for one record, stops it, and returns the URLs of the modules that were
 * loaded on the way.
 */
async function modulesOfStart(program: string): Promise<readonly string[]> {
  const hook = `data:text/javascript,${encodeURIComponent(noteModules)}`;
  const child = spawn(
    process.execPath,
    ['--import', hook, join(packageFolder, program), 'mock', '--port', '0'],
    { cwd: packageFolder, env: { ...process.env, NO_COLOR: '1' } },
  );
  let [out, err] = ['', ''];
  child.stdout.on('data', (chunk: Buffer) => (out += chunk.toString()));
  const ready = new Promise<string>((resolve, reject) => {
    child.stderr.on('data', (chunk: Buffer) => {
      err += chunk.toString();
      const url = err.includes('Stop with') ? / at (http:\S+)/.exec(err)?.[1] : undefined;
      if (url !== undefined) resolve(url);
    });
    child.on('exit', () => reject(new Error(`it ended: ${err}`)));
  });
  const closed = once(child, 'close');
  const answer = await fetch(`${await ready}/pets/1`, {
    headers: { Authorization: 'Bearer demo-key' },
  });
  expect(answer.status).toBe(200);
  child.kill('SIGTERM');
  await closed;
  // The hook writes a list of texts.
  return JSON.parse(/LOADED (.*)/.exec(out)?.[1] ?? '[]') as string[];
}

/**
 * What a start may need of other people's: who parses words, who serves, who reads YAML, who judges
 * by schemas.
 */
const needed = ['ajv', 'ajv-formats', 'commander', 'express', 'js-yaml'];

/**
 * Packages of package.json that only some starts need, and modules of Node that take long to load.
 */
const lazy = [
  '@faker-js/faker',
  '@fastify/busboy',
  '@redocly/openapi-core',
  'jose',
  'redis',
  'selfsigned',
  'undici',
];

/** The files of `src/`, so that a place that was renamed is not looked for in vain. */
const sources = readdirSync(join(packageFolder, 'src'), { recursive: true, encoding: 'utf8' });

describe('the start of the mock loads only what it needs', () => {
  let loaded: readonly string[];
  beforeAll(async () => {
    loaded = await modulesOfStart('src/cli/bin.ts');
  });

  test.each(needed)('%s is loaded, so the list is meaningful', (name) => {
    expect(loaded.filter((url) => url.includes(`/node_modules/${name}/`))).not.toEqual([]);
  });

  test.each(lazy)('%s is not loaded', (name) => {
    expect(loaded.filter((url) => url.includes(`/node_modules/${name}/`))).toEqual([]);
  });

  test.each(['node:sqlite', 'node:worker_threads', 'node:readline'])('%s is not loaded', (name) => {
    expect(loaded).not.toContain(name);
  });

  test.each([
    'prism/',
    'report/',
    'lint/format-lint',
    'lint/lint-contract',
    'lint/rules/',
    'store/redis/',
    'store/sqlite',
    'library/watch/',
    'check/engine/run/',
    'check/topics/',
    'mock/tokens/token-endpoints',
  ])('nothing of src/%s is loaded', (place) => {
    expect(sources.filter((file) => file.startsWith(place))).not.toEqual([]);
    expect(loaded.filter((url) => url.includes(`/src/${place}`))).toEqual([]);
  });
});

test('a clone starts from a few joined files, not from the modules of its source', async () => {
  const loaded = await modulesOfStart('bin/vouch.js');
  const files = loaded.filter((url) => url.startsWith('file:'));
  expect(files.filter((url) => url.includes('/src/'))).toEqual([]);
  expect(files.filter((url) => url.includes('/dist/clone/'))).not.toEqual([]);
  expect(files.length).toBeLessThan(30);
});
