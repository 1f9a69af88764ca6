import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { bundleProgram, programFolder } from '../../tools/bundle-program.ts';

/**
 * A program as the compiler leaves it: modules in folders, one of them loaded lazily, one that a
 * file lies beside.
 */
const modules = {
  'package.json': '{ "type": "module" }',
  'dist/cli/bin.js':
    "import { greet } from '../words/greet.js';\nconst { place } = await " +
    "import('../places/place.js');\nconsole.log(greet('bundle'), place);",
  'dist/words/greet.js':
    "import { sign } from './sign.js';\n/** Says hello – to anyone. */" +
    '\nexport function greet(name) {\n  return `hello ${name}${sign} · ${/…/' +
    ".test('…')}`;\n}",
  'dist/words/sign.js': "export const sign = '!';",
  'dist/places/place.js':
    "import { readFileSync } from 'node:fs';\nexport const place = " +
    "readFileSync(new URL('./beside.txt', import.meta.url), 'utf8');",
  'dist/places/beside.txt': 'beside',
};

describe('bundleProgram', () => {
  const folder = mkdtempSync(join(tmpdir(), 'vouch-bundle-'));
  const dist = join(folder, 'dist');
  beforeAll(async () => {
    for (const [name, text] of Object.entries(modules)) {
      mkdirSync(dirname(join(folder, name)), { recursive: true });
      writeFileSync(join(folder, name), text);
    }
    await bundleProgram(dist);
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  it('joins what is loaded together, and leaves apart what is loaded lazily', () => {
    expect(
      readdirSync(join(dist, programFolder))
        .map((name) => name.replace(/-[\w-]{8}\.js$/, '-HASH.js'))
        .sort(),
    ).toEqual(['place-HASH.js', 'vouch.js']);
  });

  it('does what the modules did, each of which finds the files that lie beside it', () => {
    expect(
      execFileSync(process.execPath, [join(dist, programFolder, 'vouch.js')], { encoding: 'utf8' }),
    ).toBe('hello bundle! · true beside\n');
  });

  it('leaves the promises above functions behind, and writes what is not ASCII as escapes', () => {
    const text = readFileSync(join(dist, programFolder, 'vouch.js'), 'utf8');
    expect(text).toContain('function greet(');
    expect(text).not.toContain('Says hello');
    expect(text).toMatch(/^[\0-\x7f]*$/);
  });
});
