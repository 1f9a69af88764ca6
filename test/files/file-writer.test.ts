import { execFileSync, spawn } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  linkSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import {
  openFileAppender,
  openFileWriter,
  removeUnfinishedFiles,
  writeWholeFile,
} from '../../src/files/file-writer.ts';

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'vouch-file-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

test('the file gets its name when it is complete, and missing folders are created', () => {
  const path = join(folder, 'reports', 'today', 'report.html');
  const writer = openFileWriter(path);
  writer.write('Zoë ');
  writer.write('x'.repeat(100_000));
  expect(readdirSync(join(folder, 'reports', 'today'))).not.toContain('report.html');
  writer.finish();
  expect(readFileSync(path, 'utf8')).toBe(`Zoë ${'x'.repeat(100_000)}`);
  expect(readdirSync(join(folder, 'reports', 'today'))).toEqual(['report.html']);
});

test('a long text is on disk before the end', () => {
  const writer = openFileWriter(join(folder, 'report.html'));
  writer.write('x'.repeat(100_000));
  const [part = ''] = readdirSync(folder);
  expect(readFileSync(join(folder, part)).length).toBe(100_000);
  writer.discard();
});

test('an existing file stays unchanged until then, and if the run is aborted', () => {
  const path = join(folder, 'report.xml');
  writeFileSync(path, 'of yesterday');
  const writer = openFileWriter(path);
  writer.write('x'.repeat(100_000));
  expect(readFileSync(path, 'utf8')).toBe('of yesterday');
  writer.discard();
  expect([readdirSync(folder), readFileSync(path, 'utf8')]).toEqual([
    ['report.xml'],
    'of yesterday',
  ]);
});

test('text is appended to an existing file', () => {
  const path = join(folder, 'summary.md');
  writeFileSync(path, 'of another step\n');
  const writer = openFileAppender(path);
  writer.write('of this one\n');
  writer.finish();
  expect(readFileSync(path, 'utf8')).toBe('of another step\nof this one\n');
});

const large = 'x'.repeat(100_000);
const isRoot = process.getuid?.() === 0;

describe.skipIf(process.platform !== 'linux')('a special file is written in place', () => {
  test('a FIFO is kept, and its reader gets the text', async () => {
    const fifo = join(folder, 'pipe');
    execFileSync('mkfifo', [fifo]);
    const reader = spawn('cat', [fifo]);
    writeWholeFile(fifo, large);
    expect([(await text(reader.stdout)).length, lstatSync(fifo).isFIFO()]).toEqual([100_000, true]);
    expect(readdirSync(folder)).toEqual(['pipe']);
  });

  test('a device is kept, also behind a symbolic link', () => {
    const link = join(folder, 'link');
    symlinkSync('/dev/null', link);
    for (const path of ['/dev/null', link]) writeWholeFile(path, large);
    expect(statSync('/dev/null').isCharacterDevice()).toBe(true);
    expect(readlinkSync(link)).toBe('/dev/null');
    expect(readdirSync('/dev').filter((name) => name.endsWith('.part'))).toEqual([]);
  });

  test('a device that is full is a usage error', () => {
    const full = expect.objectContaining({
      code: 'usage',
      message: '/dev/full cannot be written: ENOSPC.',
    });
    expect(() => writeWholeFile('/dev/full', 'x')).toThrow(full);
  });

  test('a descriptor that is not open is a usage error', () => {
    const closed = expect.objectContaining({
      code: 'usage',
      message: expect.stringContaining('EBADF'),
    });
    expect(() => writeWholeFile('/dev/fd/9876', 'x')).toThrow(closed);
  });
});

/** Runs a line of the shell in which `$write PATH` writes `text` with the writer under test. */
function shell(line: string): string {
  const module = join(import.meta.dirname, '../../src/files/file-writer.ts');
  const program = `import { writeWholeFile } from ${JSON.stringify(module)};
    writeWholeFile(process.argv[1], 'text');`;
  const env = { ...process.env, PROGRAM: program, NODE: process.execPath };
  const write = 'write() { "$NODE" --input-type=module -e "$PROGRAM" "$1"; }';
  return execFileSync('bash', ['-c', `${write}; ${line}`], { cwd: folder, env, encoding: 'utf8' });
}

describe.skipIf(process.platform !== 'linux')('a descriptor of the process', () => {
  test.each<[name: string, line: string, expected: string]>([
    [
      '/dev/stdout as a pipe',
      'echo before; write /dev/stdout; echo; echo after',
      'before\ntext\nafter\n',
    ],
    [
      '/dev/stdout as a file',
      '{ echo before; write /dev/stdout; echo; echo after; } > f; cat f',
      'before\ntext\nafter\n',
    ],
    [
      '/dev/stdout as a file that is added to',
      'echo old > f; write /dev/stdout >> f; cat f',
      'old\ntext',
    ],
    ['/dev/stderr', 'write /dev/stderr 2>&1', 'text'],
    ['/dev/fd/N', '{ write /dev/fd/3; echo more >&3; } 3> f; cat f', 'textmore\n'],
    ['/proc/self/fd/N', 'write /proc/self/fd/1', 'text'],
    ['a link to /dev/stdout', 'ln -s /dev/stdout l; write l; ls', 'textl\n'],
    ['a process substitution', 'write >(cat > f); while ! [ -s f ]; do :; done; cat f', 'text'],
  ])('%s', (_name, line, expected) => {
    expect(shell(line)).toBe(expected);
  });
});

describe('an existing file', () => {
  test('keeps its mode', () => {
    const path = join(folder, 'report.json');
    writeFileSync(path, 'old');
    chmodSync(path, 0o604);
    writeWholeFile(path, 'new');
    expect([statSync(path).mode & 0o777, readFileSync(path, 'utf8')]).toEqual([0o604, 'new']);
  });

  test.skipIf(!isRoot)('keeps its owner and group', () => {
    const path = join(folder, 'report.json');
    writeFileSync(path, 'old');
    chownSync(path, 1234, 2345);
    writeWholeFile(path, 'new');
    const { uid, gid } = statSync(path);
    expect([uid, gid, readFileSync(path, 'utf8')]).toEqual([1234, 2345, 'new']);
  });

  test.each(['a much longer text than before', 'short'])('keeps its other names: %s', (next) => {
    const [path, other] = [join(folder, 'report.json'), join(folder, 'other.json')];
    writeFileSync(path, 'the text of before');
    linkSync(path, other);
    writeWholeFile(path, next);
    expect([readFileSync(path, 'utf8'), readFileSync(other, 'utf8')]).toEqual([next, next]);
    expect(readdirSync(folder)).toEqual(['other.json', 'report.json']);
  });

  test('behind a symbolic link is replaced, and the link stays', () => {
    mkdirSync(join(folder, 'far'));
    const [link, far] = [join(folder, 'report.json'), join(folder, 'far/real.json')];
    writeFileSync(far, 'old');
    symlinkSync('far/real.json', link);
    const writer = openFileWriter(link);
    writer.write(large);
    expect(readFileSync(far, 'utf8')).toBe('old');
    writer.finish();
    expect([readlinkSync(link), readFileSync(far, 'utf8')]).toEqual(['far/real.json', large]);
    expect([readdirSync(folder), readdirSync(join(folder, 'far'))]).toEqual([
      ['far', 'report.json'],
      ['real.json'],
    ]);
  });
});

test('a dangling symbolic link creates its target', () => {
  symlinkSync('new/real.json', join(folder, 'link'));
  writeWholeFile(join(folder, 'link'), 'text');
  expect(readFileSync(join(folder, 'new/real.json'), 'utf8')).toBe('text');
  expect(lstatSync(join(folder, 'link')).isSymbolicLink()).toBe(true);
});

test.each<[name: string, prepare: (path: string) => void, code: string]>([
  ['a directory', (path) => mkdirSync(path), 'EISDIR'],
  ['a loop of links', (path) => symlinkSync(path, path), 'ELOOP'],
  ['a name that is too long', () => {}, 'ENAMETOOLONG'],
])('%s is a usage error with its system code', (name, prepare, code) => {
  const path = join(folder, name.includes('too long') ? 'x'.repeat(300) : 'report.json');
  prepare(path);
  const message = `${path} cannot be written: ${code}.`;
  const error = expect.objectContaining({ code: 'usage', message, hint: expect.any(String) });
  expect(() => writeWholeFile(path, 'text')).toThrow(error);
  expect(readdirSync(folder).filter((file) => file.endsWith('.part'))).toEqual([]);
});

test('a name of the greatest length can be written', () => {
  const path = join(folder, 'ü'.repeat(127));
  writeWholeFile(path, 'text');
  expect(readFileSync(path, 'utf8')).toBe('text');
});

test('on a full disk, the old content stays and no temporary file is left', () => {
  writeFileSync(join(folder, 'report.json'), 'old');
  const module = join(import.meta.dirname, '../../src/files/file-writer.ts');
  const program = `import { writeWholeFile } from ${JSON.stringify(module)};
    process.on('SIGXFSZ', () => {});
    try { writeWholeFile('report.json', 'x'.repeat(100_000)) }
    catch (error) { console.log(error.message) }`;
  const line = `ulimit -f 8; exec "$NODE" --input-type=module -e "$PROGRAM"`;
  const env = { ...process.env, PROGRAM: program, NODE: process.execPath };
  const out = execFileSync('bash', ['-c', line], { cwd: folder, env, encoding: 'utf8' });
  expect(out).toBe('report.json cannot be written: EFBIG.\n');
  expect([readdirSync(folder), readFileSync(join(folder, 'report.json'), 'utf8')]).toEqual([
    ['report.json'],
    'old',
  ]);
});

test('unfinished files are removed at the end of the process', () => {
  const writer = openFileWriter(join(folder, 'report.json'));
  writer.write(large);
  expect(readdirSync(folder)).toHaveLength(1);
  removeUnfinishedFiles();
  expect(readdirSync(folder)).toEqual([]);
  writer.discard();
});

test('text is added through a symbolic link, and to a device', () => {
  writeFileSync(join(folder, 'real.md'), 'one\n');
  symlinkSync('real.md', join(folder, 'summary.md'));
  for (const path of [join(folder, 'summary.md'), '/dev/null']) {
    const writer = openFileAppender(path);
    writer.write('two\n');
    writer.finish();
  }
  expect(readFileSync(join(folder, 'real.md'), 'utf8')).toBe('one\ntwo\n');
  expect(statSync('/dev/null').isCharacterDevice()).toBe(true);
});
