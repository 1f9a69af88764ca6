import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { bundleProgram, programFolder } from '../../tools/bundle-program.ts';

/**
 * A program: modules in folders, one of them loaded lazily, one with a file beside it in `dist`, a
 * package that becomes part of it and one that does not.
 */
const modules = {
  'package.json': '{ "type": "module" }',
  'src/cli/bin.ts':
    "import { greet } from '../words/greet.ts';\nconst { place } = await " +
    "import('../places/place.ts');\nconsole.log(greet('bundle'), place);\n" +
    "if (process.argv.includes('serve')) console.log((await import('../serve/serve.ts')).told);\n" +
    "if (process.argv.includes('list')) console.log((await import('../serve/list.ts')).list);\n" +
    "if (process.argv.includes('port')) console.log((await import('../serve/port.ts')).port);",
  'src/serve/serve.ts':
    "import { host } from './host.ts';\nimport { port } from './port.ts';\n" +
    'export const told = `${host}:${port}`;',
  'src/serve/host.ts': "export const host = 'here';",
  'src/serve/port.ts': 'export const port = 80;',
  // What it loads while it waits needs what the same start loads.
  'src/serve/all.ts': "const { far } = await import('./far.ts');\nexport const all = [far];",
  'src/serve/far.ts': "import { host } from './host.ts';\nexport const far = `far from ${host}`;",
  'src/serve/list.ts':
    "import { all } from './all.ts';\nimport { host } from './host.ts';\n" +
    'export const list = [...all, host].join();',
  'src/library.ts': "export { greet } from './words/greet.ts';",
  'src/words/greet.ts':
    "import { sign } from './sign.ts';\nimport { inner } from 'inside/part.js';\n" +
    "import { outer } from 'outside';\n/** Says hello – to anyone. */" +
    '\nexport function greet(name: string): string {\n  return `hello ${name}${sign} · ${/…/' +
    ".test('…')} ${inner}${outer}`;\n}",
  'src/words/greet.LICENSE': 'The licence of the greeting.\n',
  'src/words/sign.ts': "export const sign: string = '!';",
  'src/places/place.ts':
    "import { readFileSync } from 'node:fs';\nexport const place = " +
    "readFileSync(new URL('./beside.txt', import.meta.url), 'utf8');",
  'dist/places/beside.txt': 'beside',
  'node_modules/inside/package.json':
    '{ "name": "inside", "version": "1.2.3", "license": "MIT", "type": "module" }',
  'node_modules/inside/LICENSE': 'The text of the licence.',
  'node_modules/inside/part.js': "import { deep } from 'deep';\nexport const inner = 'in' + deep;",
  'node_modules/deep/package.json':
    '{ "name": "deep", "version": "2.0.0", "license": "ISC", "main": "deep.js", "type": "module" }',
  'node_modules/deep/deep.js': "export const deep = '-deep';",
  'node_modules/outside/package.json':
    '{ "name": "outside", "version": "1.0.0", "main": "outside.js", "type": "module" }',
  'node_modules/outside/outside.js': "export const outer = ' out';",
};

describe('bundleProgram', () => {
  const folder = mkdtempSync(join(tmpdir(), 'vouch-bundle-'));
  const dist = join(folder, 'dist');
  beforeAll(async () => {
    for (const [name, text] of Object.entries(modules)) {
      mkdirSync(dirname(join(folder, name)), { recursive: true });
      writeFileSync(join(folder, name), text);
    }
    await bundleProgram({
      source: join(folder, 'src'),
      dist,
      entries: { vouch: 'cli/bin', library: 'library' },
      packages: ['inside'],
      starts: { mock: ['serve/serve', 'serve/list'] },
    });
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  it('joins what is loaded together, and leaves apart what is loaded lazily', () => {
    expect(
      readdirSync(join(dist, programFolder))
        .map((name) => name.replace(/-[\w-]{8}\.js$/, '-HASH.js'))
        .sort(),
    ).toEqual([
      'LICENSES.txt',
      'far-HASH.js',
      'library-HASH.js',
      'library.js',
      'list-HASH.js',
      'mock-HASH.js',
      'place-HASH.js',
      'port-HASH.js',
      'serve-HASH.js',
      'vouch-library-HASH.js',
      'vouch.js',
    ]);
  });

  it('joins what a command loads at its start, which others may load in part', () => {
    const mock = readdirSync(join(dist, programFolder)).filter((name) => name.startsWith('mock-'));
    const [text] = mock.map((name) => readFileSync(join(dist, programFolder, name), 'utf8'));
    expect(mock).toHaveLength(1);
    expect(text).toContain('here');
    expect(text).toContain('80');
    const run = (...words: readonly string[]): string =>
      execFileSync(process.execPath, [join(dist, programFolder, 'vouch.js'), ...words], {
        encoding: 'utf8',
      });
    expect(run('serve')).toContain('here:80');
    expect(run('port')).toMatch(/80\n$/);
    expect(run('list')).toContain('far from here,here');
  });

  it('does what the modules did, each of which finds the files that lie beside it', () => {
    expect(
      execFileSync(process.execPath, [join(dist, programFolder, 'vouch.js')], { encoding: 'utf8' }),
    ).toBe('hello bundle! · true in-deep out beside\n');
  });

  it('has a module at the place of each entry', async () => {
    const program =
      `import * as library from ${JSON.stringify(join(dist, 'library.js'))}; ` +
      "console.log(Object.keys(library).join(), library.greet('you'));";
    const file = join(folder, 'use.mjs');
    writeFileSync(file, program);
    expect(execFileSync(process.execPath, [file], { encoding: 'utf8' })).toContain(
      'greet hello you!',
    );
  });

  it('leaves packages out that are not named, and keeps the licences of the others', () => {
    const written = readdirSync(join(dist, programFolder))
      .filter((name) => name.endsWith('.js'))
      .map((name) => readFileSync(join(dist, programFolder, name), 'utf8'))
      .join('\n');
    expect(written).toMatch(/from ?"outside"/);
    expect(written).not.toMatch(/from ?"(inside|deep)/);
    expect(readFileSync(join(dist, programFolder, 'LICENSES.txt'), 'utf8')).toBe(
      'deep 2.0.0 (ISC)\n\n\ninside 1.2.3 (MIT)\n\nThe text of the licence.\n\n' +
        'The licence of the greeting.\n',
    );
  });

  it('leaves the promises above functions behind, and writes what is not ASCII as escapes', () => {
    const chunk = readdirSync(join(dist, programFolder)).find((name) =>
      name.startsWith('vouch-library'),
    );
    const text = readFileSync(join(dist, programFolder, chunk ?? ''), 'utf8');
    expect(text).toContain('function greet(');
    expect(text).not.toContain('Says hello');
    expect(text).toMatch(/^[\0-\x7f]*$/);
  });
});
