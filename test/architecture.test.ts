import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';

const root = fileURLToPath(new URL('..', import.meta.url));
const source = join(root, 'src');

/** A folder of the table, and the others that it may import; undefined: all of them. */
interface Row {
  readonly folder: string;
  readonly imports: readonly string[] | undefined;
}

/** The import table of ARCHITECTURE.md: the only place where it stands. */
const rows: readonly Row[] = readFileSync(join(root, 'ARCHITECTURE.md'), 'utf8')
  .split('\n')
  .filter((line) => line.startsWith('| `src/'))
  .flatMap((line) => {
    const [, first = '', , last = ''] = line.split('|').map((cell) => cell.trim());
    const imports = last === 'everything' ? undefined : last.replace('nothing else', '').split(',');
    return [...first.matchAll(/`src\/([a-z-]+)(?:\.ts|\/)`/g)].map((match) => ({
      folder: match[1] ?? '',
      imports: imports?.map((name) => name.trim()).filter((name) => name !== ''),
    }));
  });

/** The modules that every folder may import; `index` may import everything. */
const shared = ['errors', 'nearest-word', 'platform'];
const allowed = new Map(rows.map(({ folder, imports }) => [folder, imports]));

const pure = [
  'errors',
  'nearest-word',
  'platform',
  'json',
  'http',
  'contract',
  'values',
  'mock',
  'text',
  'report',
];
const impureModules = 'fs|http|https|net|child_process|process|worker_threads|os|dns|tls';
const impure = new RegExp(`^(node:(${impureModules})(/.*)?|express|undici)$`);
/** The one place where a pure folder reads files, and addresses where it is told to. */
const isException = (file: string): boolean =>
  file === 'contract/load.ts' || file.startsWith('contract/load/');

const files = readdirSync(source, { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.ts'))
  .map((file) => file.replaceAll('\\', '/'));

function importsOf(file: string): string[] {
  const text = readFileSync(join(source, file), 'utf8');
  return [...text.matchAll(/(?:from|import\(|require\()\s*'([^']+)'/g)].map(
    (match) => match[1] ?? '',
  );
}

function folderOf(file: string): string {
  return (file.split('/')[0] ?? '').replace(/\.ts$/, '');
}

describe('the import table', () => {
  test.each(files.filter((file) => folderOf(file) !== 'index'))(
    '%s imports only what its folder may',
    (file) => {
      const folder = folderOf(file);
      expect(allowed.has(folder), `src/${folder} is not in the table`).toBe(true);
      const may = allowed.get(folder);
      const wrong = importsOf(file)
        .filter((name) => name.startsWith('.'))
        .map((name) => folderOf(relative(source, resolve(dirname(join(source, file)), name))))
        .filter((other) => other !== folder && !shared.includes(other))
        .filter((other) => may !== undefined && !may.includes(other));
      expect(wrong).toEqual([]);
    },
  );

  test.each(files.filter((file) => pure.includes(folderOf(file)) && !isException(file)))(
    '%s is pure',
    (file) => {
      expect(importsOf(file).filter((name) => impure.test(name))).toEqual([]);
    },
  );

  test('every folder of the table exists, and only cli may import everything', () => {
    expect(
      [...allowed.keys()].filter((folder) => !files.some((file) => folderOf(file) === folder)),
    ).toEqual([]);
    expect(rows.filter(({ imports }) => imports === undefined)).toEqual([
      { folder: 'cli', imports: undefined },
    ]);
  });
});

describe('the pages', () => {
  const web = join(root, 'web');
  const scripts = readdirSync(web, { recursive: true, encoding: 'utf8' }).filter((file) =>
    /\.tsx?$/.test(file),
  );

  test.each(scripts)('web/%s imports only types from the source', (file) => {
    const text = readFileSync(join(web, file), 'utf8');
    const taken = [...text.matchAll(/^import (?!type\b)[^;]*?from '([^']+)'/gm)].map(
      (match) => match[1] ?? '',
    );
    const folders = /^(\.\/|\.\.\/shared\/|preact$|preact\/hooks$)/;
    expect(taken.filter((name) => !folders.test(name))).toEqual([]);
  });

  test.each(scripts)('web/%s is no longer than 500 lines', (file) => {
    expect(readFileSync(join(web, file), 'utf8').split('\n').length).toBeLessThanOrEqual(501);
  });
});

describe('the shape of the source', () => {
  test('there is no import cycle', () => {
    expect(findCircles()).toEqual([]);
  });

  test('only cli/bin.ts uses the process', () => {
    const touching = files.filter((file) =>
      /\bprocess\.(exit|exitCode|argv|stdout|stderr|stdin|on)\b/.test(
        readFileSync(join(source, file), 'utf8'),
      ),
    );
    expect(
      touching.filter((file) => !['cli/bin.ts', 'prism/prism-child.ts'].includes(file)),
    ).toEqual([]);
  });

  test('src/ has no words of the Pet Store', () => {
    const knowing = files.filter((file) =>
      /\b(pets?|orders?Id|petstore|categoryId)\b/i.test(
        stripComments(readFileSync(join(source, file), 'utf8')),
      ),
    );
    expect(knowing).toEqual([]);
  });

  test('no file is longer than 500 lines', () => {
    expect(
      files.filter((file) => readFileSync(join(source, file), 'utf8').split('\n').length > 501),
    ).toEqual([]);
  });

  test('file names are kebab-case, and no file is called utils, helpers or misc', () => {
    expect(
      files.filter(
        (file) =>
          !/^([a-z0-9-]+\/)*[a-z0-9-]+\.ts$/.test(file) ||
          /(^|\/)(utils?|helpers?|common|misc|manager)(\/|\.|-)/.test(file),
      ),
    ).toEqual([]);
  });
});

describe('the width of lines', () => {
  /** The folders that hold the bound of 100 characters. */
  const folders = ['src', 'web', 'test', 'bench', 'tools'];
  /** What cannot be broken: a line that consists of one regular expression or one URL. */
  const unbreakable = /^\s*(: )?(\/.+\/[a-z]*|.{0,6}https?:\/\/\S+)[,;)]*( \+)?$/;

  test.each(folders)('no line in %s exceeds 100 characters', (folder) => {
    const names = readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' }).filter(
      (name) => /\.(tsx?|js|css)$/.test(name) && !/(^|\/)(node_modules|\.[^/]+)\//.test(name),
    );
    const long = names.flatMap((name) =>
      readFileSync(join(root, folder, name), 'utf8')
        .split('\n')
        .flatMap((line, index) =>
          [...line].length > 100 && !unbreakable.test(line) ? `${name}:${String(index + 1)}` : [],
        ),
    );
    expect(long).toEqual([]);
  });
});

function stripComments(text: string): string {
  return text.replaceAll(/\/\*[\s\S]*?\*\//g, '').replaceAll(/\/\/.*$/gm, '');
}

/** Circles of imports, those of types included. */
function findCircles(): string[][] {
  const graph = new Map(files.map((file) => [file, sourceImportsOf(file)]));
  const circles: string[][] = [];
  const done = new Set<string>();
  const visit = (file: string, trail: readonly string[]): void => {
    if (trail.includes(file)) circles.push([...trail.slice(trail.indexOf(file)), file]);
    if (done.has(file) || trail.includes(file)) return;
    for (const next of graph.get(file) ?? []) visit(next, [...trail, file]);
    done.add(file);
  };
  for (const file of files) visit(file, []);
  return circles;
}

function sourceImportsOf(file: string): string[] {
  return importsOf(file)
    .filter((name) => name.startsWith('.'))
    .map((name) =>
      relative(source, resolve(dirname(join(source, file)), name)).replaceAll('\\', '/'),
    );
}
