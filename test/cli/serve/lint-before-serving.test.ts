import { join } from 'node:path';
import { expect, test } from 'vitest';
import { lintBeforeServing } from '../../../src/cli/serve/lint-before-serving.ts';
import { makeFakeIo } from '../fake-io.ts';
import { writeFiles } from '../../contract/write-files.ts';

const sound = [
  'lint  openapi/petstore.v1.yaml: no errors, no warnings, 8 gaps (list them with npx vouch gaps)',
  '',
];

test(
  'what is sound has one line in a log, and in a terminal as many as it ' +
    'takes, broken between words',
  async () => {
    const log = { ...makeFakeIo(), program: 'npx vouch' };
    const terminal = { ...makeFakeIo(), program: 'npx vouch', isTTY: { out: true, err: true } };
    expect([await lintBeforeServing(log, []), await lintBeforeServing(terminal, [])]).toEqual([
      0, 0,
    ]);
    expect(log.written.err.split('\n')).toEqual(sound);
    expect(terminal.written.err.split('\n')).toEqual([
      'lint  openapi/petstore.v1.yaml: no errors, no warnings, 8 gaps (list them with',
      '      npx vouch gaps)',
      '',
    ]);
  },
);

test('a document is served although its configuration makes style an error', async () => {
  const io = makeFakeIo();
  const folder = await writeFiles({
    'api.yaml':
      "openapi: 3.1.0\ninfo: { title: T, version: '1' }\npaths:\n  /t:\n    get: { responses: " +
      "{ '204': { description: Fine } } }\n",
    'redocly.yaml': 'rules: { operation-summary: error }',
  });
  expect(await lintBeforeServing(io, [join(folder, 'api.yaml')])).toBe(0);
  expect(io.written.err).toContain('no errors, 6 warnings');
});
