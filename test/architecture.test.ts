import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseAst } from 'rolldown/parseAst';
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
const shared = ['errors', 'words-in', 'remember', 'platform'];
const allowed = new Map(rows.map(({ folder, imports }) => [folder, imports]));

const pure = [
  'errors',
  'words-in',
  'remember',
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

describe('the rooms of the check', () => {
  /** The shape of a check, which every topic imports, and the table, which the engine imports. */
  const topicRoot = ['check/topics/check.ts', 'check/topics/index.ts'];
  const inside = files.filter((file) => file.startsWith('check/') && file.split('/').length > 2);
  const rooms = new Map(
    readFileSync(join(root, 'ARCHITECTURE.md'), 'utf8')
      .split('\n')
      .filter((line) => line.startsWith('| `check/'))
      .flatMap((line) => {
        const [, named = '', , may = ''] = line.split('|').map((cell) => cell.trim());
        return [...named.matchAll(/`check\/([a-z]+)\/`/g)].map(
          ([, room = '']) => [room, may.split(', ')] as const,
        );
      }),
  );

  test('are those of the table', () => {
    expect([...new Set(inside.map(roomOf))].sort()).toEqual([...rooms.keys()].sort());
  });

  test.each(inside)('%s imports only what its room may', (file) => {
    const wrong = sourceImportsOf(file).filter((other) => {
      if (!other.startsWith('check/') || roomOf(other) === roomOf(file)) return false;
      const isInside = roomOf(other) === 'topics' && !topicRoot.includes(other);
      return isInside || rooms.get(roomOf(file))?.includes(roomOf(other)) !== true;
    });
    expect(wrong).toEqual([]);
  });

  test('no topic imports another', () => {
    const topicOf = (file: string): string => file.split('/').slice(0, 3).join('/');
    const wrong = inside
      .filter((file) => roomOf(file) === 'topics' && !topicRoot.includes(file))
      .flatMap((file) =>
        sourceImportsOf(file)
          .filter((other) => roomOf(other) === 'topics' && other !== topicRoot[0])
          .filter((other) => topicOf(other) !== topicOf(file))
          .map((other) => `${file} → ${other}`),
      );
    expect(wrong).toEqual([]);
  });

  test('the engine knows no check by name', () => {
    const ids = inside.flatMap((file) =>
      roomOf(file) === 'topics' ? (/^ {2}id: '([a-z-]+)',$/m.exec(textOf(file))?.[1] ?? []) : [],
    );
    expect(ids.length).toBeGreaterThan(40);
    const naming = inside
      .filter((file) => roomOf(file) !== 'topics')
      .flatMap((file) =>
        ids.filter((id) => textOf(file).includes(`'${id}'`)).map((id) => [file, id]),
      );
    expect(naming).toEqual([]);
  });

  test('no folders import each other, directly or around a corner', () => {
    const folders = new Set(inside.flatMap((file) => parentsOf(file)));
    expect([...folders].flatMap((folder) => folderCircles(folder, inside))).toEqual([]);
  });
});

describe('the pages', () => {
  const web = join(root, 'web');
  const scripts = readdirSync(web, { recursive: true, encoding: 'utf8' }).filter((file) =>
    /\.tsx?$/.test(file),
  );

  test.each(scripts)(
    'web/%s imports only types from the source, and the libraries of pages',
    (file) => {
      const text = readFileSync(join(web, file), 'utf8');
      const taken = [...text.matchAll(/^import (?!type\b)[^;]*?from '([^']+)'/gm)].map(
        (match) => match[1] ?? '',
      );
      const folders = /^(\.\/|\.\.\/shared\/|preact$|preact\/hooks$|marked$)/;
      expect(taken.filter((name) => !folders.test(name))).toEqual([]);
    },
  );

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
    // What English has is generated.
    const written = files.filter((file) => file !== 'contract/words/verbs.ts');
    const knowing = written.filter((file) =>
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

/** A part of a syntax tree, as far as these tests read it. */
interface SyntaxNode {
  readonly type: string;
  readonly [member: string]: unknown;
}

function isNode(value: unknown): value is SyntaxNode {
  return typeof value === 'object' && value !== null && 'type' in value;
}

function* nodesIn(value: unknown): Generator<SyntaxNode> {
  if (Array.isArray(value)) for (const item of value) yield* nodesIn(item);
  else if (isNode(value)) {
    yield value;
    for (const member of Object.values(value))
      if (typeof member === 'object') yield* nodesIn(member);
  }
}

function textsIn(value: unknown): string[] {
  return [...nodesIn(value)].flatMap(({ type, value: text }) =>
    type === 'Literal' && typeof text === 'string' ? [text] : [],
  );
}

/** The sources of the regular expressions of a file: literals, and texts given to `RegExp`. */
function patternsIn(tree: unknown): string[] {
  return [...nodesIn(tree)].flatMap((node) => {
    const { type, regex, callee } = node;
    if (type === 'Literal' && typeof regex === 'object' && regex !== null && 'pattern' in regex)
      return [String(regex.pattern)];
    const isMade = isNode(callee) && callee['name'] === 'RegExp';
    return isMade ? [textsIn(node['arguments']).join(' ')] : [];
  });
}

/** Whether a pattern looks for words within sentences: at their bounds, or beside each other. */
function readsProse(pattern: string): boolean {
  return /\\b\(?[a-z]{3,}|[a-z]{3,}\\b|[a-z]{3,}\)? \(?[a-z]{3,}/i.test(pattern);
}

/** Whether a file reads the member `description` of anything. */
function readsDescription(tree: unknown): boolean {
  return [...nodesIn(tree)].some(
    ({ type, property, properties }) =>
      (type === 'MemberExpression' && isNode(property) && property['name'] === 'description') ||
      (type === 'ObjectPattern' &&
        [...nodesIn(properties)].some(
          ({ type: kind, key }) =>
            kind === 'Property' && isNode(key) && key['name'] === 'description',
        )),
  );
}

describe('English is read in contract/words alone', () => {
  const readers = /^(contract|check|mock|prove|values)\//;
  const trees = new Map(
    files
      .filter((file) => readers.test(file) && !file.startsWith('contract/words/'))
      .map((file) => [
        file,
        parseAst(readFileSync(join(source, file), 'utf8'), { lang: 'ts' }) as unknown,
      ]),
  );

  /** Files whose patterns look like prose, and what they read. */
  const ofOtherTexts: Readonly<Record<string, string>> = {
    'check/topics/records/created-is-readable.ts': 'names of secrets',
    'check/topics/records/unique-is-kept.ts': 'titles of planned requests',
    'check/plan/refused-change.ts': 'titles of planned requests',
    'check/plan/make-create.ts': 'titles of boundary values',
    'check/transport/wire/answer/response-reader.ts': 'the fields Connection and Keep-Alive',
    'contract/schema/work-meter.ts': 'generated code',
    'mock/control/example-request.ts': 'media types',
  };

  test('no regular expression elsewhere reads sentences', () => {
    const reading = [...trees]
      .filter(([, tree]) => patternsIn(tree).some(readsProse))
      .map(([file]) => file);
    expect(reading.toSorted()).toEqual(Object.keys(ofOtherTexts).toSorted());
  });

  /** Files that read another member of that name, and which it is. */
  const ofOthers: Readonly<Record<string, string>> = {
    'mock/security/authenticate.ts': 'error_description of OAuth',
    'mock/tokens/login/authorize.ts': 'error_description of OAuth',
    'mock/tokens/oauth-refusal.ts': 'error_description of OAuth',
    'mock/tokens/token-endpoints.ts': 'error_description of OAuth',
  };

  test('nothing else reads a description of the contract', () => {
    const reading = [...trees].filter(([, tree]) => readsDescription(tree)).map(([file]) => file);
    expect(reading.toSorted()).toEqual(Object.keys(ofOthers).toSorted());
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
  return circlesOf(new Map(files.map((file) => [file, sourceImportsOf(file)])));
}

function circlesOf(graph: ReadonlyMap<string, Iterable<string>>): string[][] {
  const circles: string[][] = [];
  const done = new Set<string>();
  const visit = (file: string, trail: readonly string[]): void => {
    if (trail.includes(file)) circles.push([...trail.slice(trail.indexOf(file)), file]);
    if (done.has(file) || trail.includes(file)) return;
    for (const next of graph.get(file) ?? []) visit(next, [...trail, file]);
    done.add(file);
  };
  for (const file of graph.keys()) visit(file, []);
  return circles;
}

function textOf(file: string): string {
  return readFileSync(join(source, file), 'utf8');
}

/** The room of a file of the check: `topics` of `check/topics/lists/page-holds.ts`. */
function roomOf(file: string): string {
  return file.split('/')[1] ?? '';
}

/** The folders around a file, without `src` itself. */
function parentsOf(file: string): string[] {
  const parts = file.split('/').slice(0, -1);
  return parts.map((_part, index) => `${parts.slice(0, index + 1).join('/')}/`);
}

/** Circles of imports between what stands side by side in a folder. */
function folderCircles(folder: string, among: readonly string[]): string[][] {
  const partOf = (file: string): string | undefined =>
    file.startsWith(folder) ? file.slice(folder.length).split('/')[0] : undefined;
  const graph = new Map<string, Set<string>>();
  for (const file of among) {
    const part = partOf(file);
    if (part === undefined) continue;
    const others = sourceImportsOf(file).flatMap((other) => partOf(other) ?? []);
    graph.set(part, new Set([...(graph.get(part) ?? []), ...others.filter((one) => one !== part)]));
  }
  return circlesOf(graph);
}

function sourceImportsOf(file: string): string[] {
  return importsOf(file)
    .filter((name) => name.startsWith('.'))
    .map((name) =>
      relative(source, resolve(dirname(join(source, file)), name)).replaceAll('\\', '/'),
    );
}
