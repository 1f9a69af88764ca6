import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { afterEach, describe, expect, test } from 'vitest';
import { checkTarget } from '../../../src/check/engine/check-target.ts';
import { separate } from '../../../src/check/engine/judge/evidence.ts';
import { loadContract } from '../../../src/contract/load.ts';

const found = spawnSync('python3', ['-c', 'import sys; sys.exit(sys.version_info < (3, 9))']);
const why =
  found.error !== undefined || found.status !== 0
    ? ' (skipped: there is no python3 of 3.9 or later on this machine)'
    : '';

let server: ChildProcess | undefined;
afterEach(() => server?.kill());

/** What a check says of the Pet Store in Python: `severity check operation`, notes left out. */
async function checkPython(defect: string): Promise<string[]> {
  server = spawn('python3', [fileURLToPath(new URL('./pets.py', import.meta.url)), defect], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  if (server.stdout === null) throw new Error('the server has no output');
  const [port] = (await once(server.stdout, 'data')) as [Buffer];
  const url = `http://127.0.0.1:${String(port).trim()}/v1`;
  const contract = await loadContract(
    fileURLToPath(new URL('../../../openapi/petstore.v1.yaml', import.meta.url)),
  );
  const { findings, summary } = await checkTarget({
    url,
    contract,
    token: 'demo-key',
    servers: { messages: url },
    seed: 'python',
  });
  expect(summary.requests).toBeGreaterThan(200);
  return findings
    .filter(({ severity }) => severity !== 'note')
    .flatMap(separate)
    .map(({ severity, check, operation }) => `${severity} ${check} ${operation.id}`)
    .sort();
}

describe.skipIf(why !== '')(
  `a server in another language, that shares no line with the mock${why}`,
  () => {
    test.each([
      ['', []],
      ['passes-over-status', ['error filter-holds listPets']],
    ])('%s', async (defect, expected) => {
      expect(await checkPython(defect)).toEqual(expected);
    });
  },
);
