import { expect, test } from 'vitest';
import { VouchError } from '../../src/errors.ts';
import { printError } from '../../src/cli/print-error.ts';
import { makeFakeIo } from './fake-io.ts';

const error = new VouchError('usage', 'The blob shard-2.blob is damaged: line 17 is not a JSON', {
  place: { file: 'a-folder-with-a-long-name/openapi.yaml', line: 3, column: 5 },
  frame: '> 3 | a line of the file, which stands as it is',
  hint: 'Take it again from the job that wrote it, or run vouch check again.',
});

test('on a terminal, prose is wrapped between words; places and frames are not', () => {
  const io = makeFakeIo();
  expect(
    printError(error, {
      ...io,
      isTTY: { out: true, err: true },
      width: 36,
      env: { NO_COLOR: '1' },
      program: 'npx vouch',
    }),
  ).toBe(2);
  expect(io.written.err).toBe(`error The blob shard-2.blob is
damaged: line 17 is not a JSON
  a-folder-with-a-long-name/openapi.yaml:3:5
  > 3 | a line of the file, which stands as it is
Take it again from the job that
wrote it, or run npx vouch check
again.
`);
});

test('an error outside a terminal has one line per sentence', () => {
  const io = makeFakeIo();
  printError(error, { ...io, width: 36 });
  expect(io.written.err.split('\n')).toEqual([
    'error The blob shard-2.blob is damaged: line 17 is not a JSON',
    '  a-folder-with-a-long-name/openapi.yaml:3:5',
    '  > 3 | a line of the file, which stands as it is',
    'Take it again from the job that wrote it, or run vouch check again.',
    '',
  ]);
});

test('names of files cannot send commands to the terminal', () => {
  const io = makeFakeIo();
  printError(
    new VouchError('usage', 'There are 2 documents here:\n  a\u001b[31m.yaml\n  b.yaml', {
      place: { file: 'c\u0007.yaml', line: 1, column: 1 },
      frame: '> 1 | \u001b]0;title\u0007',
      hint: 'Pass one: a\u001b[31m.yaml',
    }),
    io,
  );
  expect(io.written.err.split('\n')).toEqual([
    'error There are 2 documents here:',
    String.raw`  a\x1b[31m.yaml`,
    '  b.yaml',
    String.raw`  c\x07.yaml:1:1`,
    String.raw`  > 1 | \x1b]0;title\x07`,
    String.raw`Pass one: a\x1b[31m.yaml`,
    '',
  ]);
});
