import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';

const root = fileURLToPath(new URL('..', import.meta.url));
const source = join(root, 'src');

/**
 * What each folder may import besides itself, `errors` and `nearest-word`; type imports count.
 * `index` and `cli` may import everything.
 */
const allowed: Readonly<Record<string, readonly string[]>> = {
  errors: [],
  'nearest-word': [],
  json: [],
  http: ['json'],
  contract: ['json', 'http'],
  values: ['json', 'contract'],
  text: [],
  files: [],
  lint: ['json', 'contract', 'values', 'text'],
  store: ['json'],
  mock: ['json', 'http', 'contract', 'values', 'store'],
  config: ['json', 'contract', 'mock', 'store'],
  server: ['files', 'json', 'http', 'contract', 'mock', 'store'],
  prism: ['json', 'http', 'contract'],
  check: ['json', 'http', 'contract', 'values'],
  report: ['text', 'json', 'http', 'contract', 'check'],
  prove: ['json', 'http', 'contract', 'values', 'store', 'mock', 'check', 'library'],
  library: [
    'files',
    'json',
    'http',
    'contract',
    'lint',
    'store',
    'mock',
    'config',
    'server',
    'prism',
    'check',
  ],
  testing: ['text', 'json', 'http', 'contract', 'mock', 'check', 'library'],
};

const pure = [
  'errors',
  'nearest-word',
  'json',
  'http',
  'contract',
  'values',
  'mock',
  'text',
  'report',
];
const impure =
  /^(node:(fs|http|https|net|child_process|process|worker_threads|os|dns|tls)(\/.*)?|express|undici)$/;
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
  test.each(files.filter((file) => !['index', 'cli'].includes(folderOf(file))))(
    '%s imports only what its folder may',
    (file) => {
      const folder = folderOf(file);
      const may = allowed[folder];
      expect(may, `src/${folder} is not in the table`).toBeDefined();
      const reached = importsOf(file)
        .filter((name) => name.startsWith('.'))
        .map((name) => folderOf(relative(source, resolve(dirname(join(source, file)), name))));
      const wrong = reached.filter(
        (other) =>
          other !== folder && !['errors', 'nearest-word'].includes(other) && !may?.includes(other),
      );
      expect(wrong).toEqual([]);
    },
  );

  test.each(files.filter((file) => pure.includes(folderOf(file)) && !isException(file)))(
    '%s is pure',
    (file) => {
      expect(importsOf(file).filter((name) => impure.test(name))).toEqual([]);
    },
  );

  test('every folder of the table is there', () => {
    expect(
      Object.keys(allowed).filter((folder) => !files.some((file) => folderOf(file) === folder)),
    ).toEqual([]);
  });
});

describe('the pages', () => {
  const web = join(root, 'web');
  const scripts = readdirSync(web, { recursive: true, encoding: 'utf8' }).filter((file) =>
    /\.tsx?$/.test(file),
  );

  test.each(scripts)('web/%s takes nothing but types from the source', (file) => {
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
  test('no import goes round in a circle', () => {
    expect(findCircles()).toEqual([]);
  });

  test('only cli/bin.ts touches the process', () => {
    const touching = files.filter((file) =>
      /\bprocess\.(exit|exitCode|argv|stdout|stderr|stdin|on)\b/.test(
        readFileSync(join(source, file), 'utf8'),
      ),
    );
    expect(
      touching.filter(
        (file) => !['cli/bin.ts', 'prism/prism-child.ts', 'prism/watch-parent.ts'].includes(file),
      ),
    ).toEqual([]);
  });

  test('the engine knows nothing of pets', () => {
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

  test('names are kebab-case, and none is a drawer for odds and ends', () => {
    expect(
      files.filter(
        (file) =>
          !/^([a-z0-9-]+\/)*[a-z0-9-]+\.ts$/.test(file) ||
          /(^|\/)(utils?|helpers?|common|misc|manager)(\/|\.|-)/.test(file),
      ),
    ).toEqual([]);
  });
});

function stripComments(text: string): string {
  return text.replaceAll(/\/\*[\s\S]*?\*\//g, '').replaceAll(/\/\/.*$/gm, '');
}

/** Runtime imports only: a circle of types is erased. */
function findCircles(): string[][] {
  const graph = new Map(files.map((file) => [file, runtimeImportsOf(file)]));
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

function runtimeImportsOf(file: string): string[] {
  const text = readFileSync(join(source, file), 'utf8');
  const statements = [
    ...text.matchAll(/^(?:import|export)\s+(?!type\b)[^;]*?from\s+'(\.[^']+)'/gm),
  ];
  return statements.map((match) =>
    relative(source, resolve(dirname(join(source, file)), match[1] ?? '')).replaceAll('\\', '/'),
  );
}
