import { join } from 'node:path';
import { expect, test } from 'vitest';
import { main } from '../../src/cli/main.ts';
import { writeFiles } from '../contract/write-files.ts';
import { makeFakeIo } from './fake-io.ts';

const paths = Array.from(
  { length: 30 },
  (_, index) => `  /t${String(index)}:\n    get: { responses: { '200': { description: Fine } } }\n`,
);
const document = `openapi: 3.1.0\ninfo: { title: Many, version: '1' }\npaths:\n${paths.join('')}`;

async function lint(...flags: string[]): Promise<string> {
  const folder = await writeFiles({ 'api.yaml': document });
  const io = makeFakeIo();
  expect(await main(['lint', join(folder, 'api.yaml'), ...flags], io)).toBe(0);
  return io.written.out;
}

test('vouch lint shows five problems of a rule, and says how to see the others', async () => {
  expect(await lint()).toContain(
    '… and 25 more of operation-summary; vouch lint --all shows them.',
  );
});

test('vouch lint --all shows every problem', async () => {
  const out = await lint('--all');
  expect(out).not.toContain('more of');
  expect(out).toContain(`api.yaml:${String(3 + 2 * 30)}:5`);
});
