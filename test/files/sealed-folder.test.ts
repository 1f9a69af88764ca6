import {
  existsSync,
  linkSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { SealedFolder } from '../../src/files/sealed-folder.ts';

let base = '';
let outside = '';
let at = '';
beforeEach(() => {
  base = mkdtempSync(join(tmpdir(), 'vouch-sealed-'));
  outside = join(base, 'outside');
  at = join(base, 'inside');
  mkdirSync(outside);
  writeFileSync(join(outside, 'a.txt'), 'theirs');
});
afterEach(() => rmSync(base, { recursive: true }));

/** Writes as a recording does: a file that is open for long, and others at the end. */
function write(during: () => void = () => {}): void {
  const root = new SealedFolder(at);
  const below = root.folder('below');
  const open = root.openFile('long.txt');
  during();
  open.write('ours');
  open.finish();
  root.writeFile('a.txt', 'ours');
  below.writeFile('a.txt', 'ours');
  root.close();
}

function expectUntouched(): void {
  expect(readdirSync(outside)).toEqual(['a.txt']);
  expect(readFileSync(join(outside, 'a.txt'), 'utf8')).toBe('theirs');
}

test('files are written, and replaced, and nothing else is left', () => {
  write();
  write();
  expect(readdirSync(at).sort()).toEqual(['a.txt', 'below', 'long.txt']);
  expect(readFileSync(join(at, 'below', 'a.txt'), 'utf8')).toBe('ours');
});

test('a folder that a link leads to from above is fine', () => {
  symlinkSync(outside, join(base, 'link'));
  at = join(base, 'link', 'new', 'inside');
  write();
  expect(readFileSync(join(outside, 'new', 'inside', 'a.txt'), 'utf8')).toBe('ours');
});

describe('a link that is there from the start is refused, by its path', () => {
  test.each<readonly [string, string, () => void]>([
    ['the folder itself', '', () => symlinkSync(outside, at)],
    ['the folder itself, to nothing', '', () => symlinkSync(join(outside, 'no'), at)],
    ['a folder in it', 'below', () => symlinkSync(outside, join(at, 'below'))],
    ['a folder in it, to nothing', 'below', () => symlinkSync('no', join(at, 'below'))],
    ['a file', 'a.txt', () => symlinkSync(join(outside, 'a.txt'), join(at, 'a.txt'))],
    ['a file, to nothing', 'a.txt', () => symlinkSync(join(outside, 'b'), join(at, 'a.txt'))],
    ['a file that is open for long', 'long.txt', () => symlinkSync('a', join(at, 'long.txt'))],
    ['a loop', 'a.txt', () => symlinkSync('a.txt', join(at, 'a.txt'))],
    [
      'a file in a folder in it',
      'below/a.txt',
      () => {
        mkdirSync(join(at, 'below'));
        symlinkSync(join(outside, 'a.txt'), join(at, 'below', 'a.txt'));
      },
    ],
    ['a file in place of a folder', 'below', () => writeFileSync(join(at, 'below'), '')],
  ])('%s', (_name, place, make) => {
    if (place !== '') mkdirSync(at);
    make();
    expect(() => write()).toThrow(`${join(at, place)} is a symbolic link`);
    expectUntouched();
  });
});

describe('a link that appears later is not followed', () => {
  test('in place of the folder', () => {
    write(() => {
      renameSync(at, `${at}-moved`);
      symlinkSync(outside, at);
    });
    expectUntouched();
    expect(readFileSync(`${at}-moved/a.txt`, 'utf8')).toBe('ours');
  });

  test('in place of a folder in it that was removed: that is an error', () => {
    const make = (): void => {
      rmSync(join(at, 'below'), { recursive: true });
      symlinkSync(outside, join(at, 'below'));
    };
    expect(() => write(make)).toThrow(`${join(at, 'below', 'a.txt')} cannot be written`);
    expectUntouched();
  });

  test('in place of a folder in it that was moved', () => {
    write(() => {
      renameSync(join(at, 'below'), join(at, 'moved'));
      symlinkSync(outside, join(at, 'below'));
    });
    expectUntouched();
    expect(readFileSync(join(at, 'moved', 'a.txt'), 'utf8')).toBe('ours');
  });

  test('in place of the file that is open for long', () => {
    write(() => symlinkSync(join(outside, 'a.txt'), join(at, 'long.txt')));
    expectUntouched();
    expect(readFileSync(join(at, 'long.txt'), 'utf8')).toBe('ours');
  });

  test('in place of another file, which is refused', () => {
    const make = (): void => symlinkSync(join(outside, 'a.txt'), join(at, 'a.txt'));
    expect(() => write(make)).toThrow('is a symbolic link');
    expectUntouched();
  });
});

test('another name of the same file keeps its content', () => {
  mkdirSync(at);
  linkSync(join(outside, 'a.txt'), join(at, 'a.txt'));
  write();
  expectUntouched();
  expect(readFileSync(join(at, 'a.txt'), 'utf8')).toBe('ours');
});

test('a folder that cannot be made is named with the reason', () => {
  writeFileSync(join(base, 'file'), '');
  at = join(base, 'file', 'inside');
  expect(() => write()).toThrow(at);
  expect(existsSync(at)).toBe(false);
});
