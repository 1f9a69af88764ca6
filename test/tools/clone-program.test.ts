import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { bundleClone, cloneFolder } from '../../tools/clone-program.ts';

describe('bundleClone', () => {
  const folder = mkdtempSync(join(tmpdir(), 'vouch-clone-'));
  const write = (name: string, text: string): void => {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), text);
  };
  const start = async (): Promise<unknown> => {
    const url = await bundleClone(folder);
    return url === undefined ? undefined : ((await import(url)) as { readonly said: string }).said;
  };
  beforeAll(() => {
    write('package.json', '{ "type": "module" }');
    write('package-lock.json', '{}');
    write('src/word.ts', "export const word: string = 'one';");
    write('src/place.ts', 'export const place = import.meta.url;');
    write(
      'src/cli/bin.ts',
      "import { word } from '../word.ts';\nimport { place } from '../place.ts';\n" +
        'export const said = `${word} ${place}`;',
    );
  });
  afterAll(() => rmSync(folder, { recursive: true }));
  const place = pathToFileURL(join(folder, 'src/place.ts')).href;

  it('joins the modules, each of which finds files from where its source is', async () => {
    expect(await start()).toBe(`one ${place}`);
  });

  it('keeps the program as long as the source stays the same', async () => {
    const url = (await bundleClone(folder)) ?? '';
    expect(existsSync(fileURLToPath(url))).toBe(true);
    expect(await bundleClone(folder)).toBe(url);
  });

  it('has an edit of the same length, and a file that is added', async () => {
    write('src/word.ts', "export const word: string = 'two';");
    expect(await start()).toBe(`two ${place}`);
    write('src/other.ts', "export const word = 'three';");
    write('src/word.ts', "export { word } from './other.ts';");
    expect(await start()).toBe(`three ${place}`);
  });

  it('leaves a source that cannot be joined to Node, which says why', async () => {
    write('src/word.ts', 'export const word = ;');
    expect(await start()).toBeUndefined();
    unlinkSync(join(folder, 'src/other.ts'));
    write('src/word.ts', "export const word = 'four';");
    expect(await start()).toBe(`four ${place}`);
  });

  it('is made once where several processes start at the same time', async () => {
    write('src/word.ts', "export const word = 'five';");
    const urls = await Promise.all([bundleClone(folder), bundleClone(folder)]);
    expect(new Set(urls).size).toBe(1);
    expect(await start()).toBe(`five ${place}`);
  });

  it('removes the oldest programs, and leaves no drafts', async () => {
    for (let index = 0; index < 10; index += 1) {
      write('src/word.ts', `export const word = 'later ${String(index)}';`);
      expect(await start()).toBe(`later ${String(index)} ${place}`);
    }
    const programs = readdirSync(join(folder, 'dist', cloneFolder));
    expect(programs).toHaveLength(10);
    expect(programs.filter((name) => name.includes('.'))).toEqual([]);
  });
});
