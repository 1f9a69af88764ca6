import { expect, test } from 'vitest';
import { lintBeforeServing } from '../../../src/cli/serve/lint-before-serving.ts';
import { makeFakeIo } from '../fake-io.ts';

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
