import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { main } from '../../src/cli/main.ts';
import { leaks, schemes, startLeaky } from '../report/leaky-server.ts';
import { makeFakeIo } from './fake-io.ts';

/** Every answer is wrong, and every operation writes, so that everything is kept that can be. */
function contractText(scheme: string): string {
  const answers =
    `'201': { description: never, content: { application/json: { schema: { ` +
    `type: array } } } }\n        '200': { description: nearly, content: { ` +
    'application/json: { schema: { type: object, required: [ok] } } } }';
  const body =
    'requestBody: { content: { application/json: { schema: { type: object, ' +
    'required: [title], properties: { title: { type: string } } } } } }';
  const paths = Object.keys(leaks).map(
    (leak) =>
      `  /${leak}:\n    get:\n      operationId: ${leak}\n      responses:\n   ` +
      `     ${answers}\n    post:\n      operationId: write-${leak}\n      ` +
      `${body}\n      responses:\n        ${answers}`,
  );
  return (
    'openapi: 3.1.0\ninfo: { title: Leaks, version: 1.0.0 }\nsecurity: [{ ' +
    'it: [] }]\ncomponents:\n  securitySchemes:\n    it: ' +
    `${scheme}\npaths:\n${paths.join('\n')}\n`
  );
}

/**
 * What shows a secret, or the half of one: plain, percent-encoded, in base64 and base64url wherever
 * it begins, in hexadecimal.
 */
function tracesOf(secret: string): string[] {
  const bytes = Buffer.from(secret);
  const inBase64 = [0, 1, 2].map((blanks) =>
    Buffer.concat([Buffer.alloc(blanks), bytes])
      .toString('base64')
      .slice(blanks === 0 ? 0 : 4, 20),
  );
  return ['Sentinel', 'ken~42Qx', encodeURIComponent(secret), bytes.toString('hex'), ...inBase64];
}

let folder = '';
let target: Awaited<ReturnType<typeof startLeaky>>;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'vouch-secrets-'));
  target = await startLeaky();
});
afterAll(async () => {
  await target.close();
  await rm(folder, { recursive: true });
});

describe.each(schemes)('%s', (name, scheme, secret) => {
  test(
    'is in nothing that is kept or printed after a run: findings, ledger, ' +
      'baseline, Overlay, replay',
    async () => {
      const state = join(folder, name);
      const document = join(folder, `${name}.yaml`);
      await writeFile(document, contractText(scheme));
      const checking = makeFakeIo({ VOUCH_TOKEN: secret, VOUCH_STATE_DIR: state });
      await main(
        [
          'check',
          target.url,
          document,
          '--timeout',
          '1',
          '--update-baseline',
          '--baseline',
          'baseline',
          '--write-overlay',
          'overlay',
          '--reporter',
          'json',
          '--max-requests',
          '600',
        ],
        checking,
      );
      const replaying = makeFakeIo({ VOUCH_TOKEN: secret, VOUCH_STATE_DIR: state });
      await main(['replay'], replaying);
      const kept = await Promise.all(
        (await readdir(state, { recursive: true, withFileTypes: true }))
          .filter((entry) => entry.isFile())
          .map((entry) => readFile(join(entry.parentPath, entry.name), 'utf8')),
      );
      expect(kept.length).toBeGreaterThan(0);
      expect(replaying.written.out).toMatch(/still failing/);
      const everything = [
        ...kept,
        ...checking.files.values(),
        checking.written.out,
        checking.written.err,
        replaying.written.out,
        replaying.written.err,
      ].join('\n');
      expect(everything).toContain('$VOUCH_TOKEN');
      expect(tracesOf(secret).filter((trace) => everything.includes(trace))).toEqual([]);
    },
  );
});
