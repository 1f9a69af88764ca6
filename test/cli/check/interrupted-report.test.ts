import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { libraryText } from '../../check/fixture/library-contract.ts';
import { startLibrary, type Library } from '../../check/fixture/library-server.ts';

const bin = fileURLToPath(new URL('../../../src/cli/bin.ts', import.meta.url));

let folder = '';
let library: Library;
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'vouch-interrupted-'));
  writeFileSync(join(folder, 'library.yaml'), libraryText);
  library = await startLibrary({ variant: 'slow' });
});
afterEach(async () => {
  await library.close();
  rmSync(folder, { recursive: true });
});

test('a run that is stopped at once leaves no temporary file of a report', async () => {
  const reports = ['blob', 'html', 'json'].flatMap((id) => ['-r', `${id}=${join(folder, id)}`]);
  const words = ['check', library.url, join(folder, 'library.yaml'), ...reports];
  const env = {
    PATH: process.env['PATH'],
    VOUCH_TOKEN: library.token,
    VOUCH_STATE_DIR: join(folder, 'state'),
  };
  const child = spawn(process.execPath, [bin, ...words], { env, stdio: 'ignore' });
  const before = library.size();
  const seen = new Set<string>();
  // The first signal asks for an orderly end, the following ones for one at once.
  const watch = setInterval(() => {
    for (const name of readdirSync(folder)) seen.add(name);
    if (library.size() > before) child.kill('SIGTERM');
  }, 2);
  await once(child, 'exit');
  clearInterval(watch);
  expect([...seen].filter((name) => name.endsWith('.part'))).toHaveLength(3);
  expect(readdirSync(folder).filter((name) => name.endsWith('.part'))).toEqual([]);
});
