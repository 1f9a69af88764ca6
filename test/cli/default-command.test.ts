import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, describe, expect, test } from 'vitest';
import { main } from '../../src/cli/main.ts';
import { makeFakeIo, type FakeIo } from './fake-io.ts';

const home = process.cwd();
const folder = mkdtempSync(join(tmpdir(), 'vouch-words-'));
const document = `openapi: 3.1.0
info: { title: Letters, version: "1" }
servers: [{ url: /v2 }]
paths: { /letters: { get: { responses: { '200': { description: all } } } } }`;
writeFileSync(join(folder, 'letters'), document);
const running: { readonly io: FakeIo; readonly ended: Promise<number> }[] = [];
afterEach(async () => {
  for (const { io, ended } of running.splice(0)) {
    io.stop();
    expect(await ended).toBe(0);
  }
  process.chdir(home);
});
afterAll(() => rmSync(folder, { recursive: true }));

async function serve(...words: readonly string[]): Promise<string> {
  const io = makeFakeIo({ NO_COLOR: '1', VOUCH_PORT: '0' });
  running.push({ io, ended: main(words, io) });
  await expect.poll(() => io.written.err, { timeout: 20_000 }).toContain('Stop with Ctrl-C');
  return io.written.err;
}

describe('a command line without a command serves', () => {
  test.each<[string, string[], string]>([
    ['a file', [join(home, 'openapi/petstore.v1.yaml')], 'Pet Store'],
    ['a file of the folder without an extension', ['letters'], 'Letters'],
    ['what a flag of mock says', ['--demo', '--auth', 'off'], 'Pet Store'],
    ['the bundled example where there is no document', [], 'the bundled example'],
  ])('%s', async (_what, words, expected) => {
    process.chdir(folder);
    expect(await serve(...words)).toContain(expected);
  });

  test('the document of the folder, without a word', async () => {
    expect(await serve()).toContain('openapi/petstore.v1.yaml');
  });

  test('a document by its URL', async () => {
    const server = createServer((_request, response) => response.end(document));
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
    const { port } = server.address() as AddressInfo;
    expect(await serve(`http://127.0.0.1:${String(port)}/openapi.yaml`)).toContain('Letters');
    await new Promise((done) => server.close(done));
  });
});

describe('a command line without a command', () => {
  test.each<[string, string[], RegExp]>([
    ['with a mistyped command', ['mcok'], /Unknown command 'mcok'\.\nDid you mean mock\?/],
    ['with a missing file', ['pets.yaml'], /pets\.yaml/],
    ['with a flag of another', ['--against', 'x'], /--against is a flag of vouch check/],
  ])('%s says what is wrong', async (_what, words, expected) => {
    const io = makeFakeIo();
    expect(await main(words, io)).toBe(2);
    expect(io.written.err).toMatch(expected);
  });

  test.each(['-h', '--help', '--version', '-V'])('with %s is about vouch', async (flag) => {
    const io = makeFakeIo();
    expect(await main([flag], io)).toBe(0);
    expect(io.written.out).toMatch(/^(?:Usage: vouch \[|\d+\.\d+)/);
  });
});
