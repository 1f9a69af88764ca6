import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { suggestOwnDocument } from '../../src/cli/find-contract.ts';
import { packageFolder } from '../../src/library/package-files.ts';
import { makeFakeIo } from './fake-io.ts';

let [own, empty] = ['', ''];
beforeAll(() => {
  [own, empty] = [
    mkdtempSync(join(tmpdir(), 'vouch-own-')),
    mkdtempSync(join(tmpdir(), 'vouch-empty-')),
  ];
  writeFileSync(join(own, 'openapi.yaml'), 'openapi: 3.1.0\n');
});
afterAll(() => [own, empty].forEach((folder) => rmSync(folder, { recursive: true, force: true })));

const bundled = join(packageFolder, 'openapi/petstore.v1.yaml');
const said =
  'No document given: using the bundled contract. To use openapi.yaml, ' +
  'run: vouch check http://127.0.0.1:1 openapi.yaml\n';

test.each<[name: string, file: string, folder: () => string, said: string]>([
  ['a document lies here', bundled, () => own, said],
  ['none lies here', bundled, () => empty, ''],
  ['the configuration names another contract', '/srv/openapi.yaml', () => own, ''],
  ['the folder of vouch itself', bundled, () => packageFolder, ''],
])('%s', async (_name, file, folder, text) => {
  const io = makeFakeIo();
  await suggestOwnDocument(io, {
    file,
    folder: folder(),
    command: 'vouch check http://127.0.0.1:1',
  });
  expect(io.written).toEqual({ out: '', err: text });
});

test('in a terminal it is broken between words, as it is called there', async () => {
  const io = { ...makeFakeIo(), program: 'npx vouch', isTTY: { out: true, err: true } };
  await suggestOwnDocument(io, { file: bundled, folder: own, command: 'vouch mock' });
  expect(io.written.err.split('\n')).toEqual([
    'No document given: using the bundled contract. To use openapi.yaml, run: npx',
    '  vouch mock openapi.yaml',
    '',
  ]);
});
