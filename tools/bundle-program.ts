import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, relative, sep } from 'node:path';
import { pathToFileURL } from 'node:url';
import { rolldown, type Plugin, type RolldownOutput } from 'rolldown';

/** Where the joined modules are, in `dist`. */
export const programFolder = 'program';

/** What is bundled, and where. */
export interface ProgramSource {
  /** The folder of the TypeScript modules. */
  readonly source: string;
  readonly dist: string;
  /**
   * The modules that users import or that another process starts, by the name of their file in
   * `dist/program`: paths below `source` without extension.
   */
  readonly entries: Readonly<Record<string, string>>;
  /**
   * Packages that become part of the program with what they depend on: large ones of which little
   * is used. All others stay packages.
   */
  readonly packages: readonly string[];
  /** What a command loads at its start, by the name of the command: paths as in `entries`. */
  readonly starts: Readonly<Record<string, readonly string[]>>;
  /**
   * For a clone: modules find files from their source, which stays where it is; lines are those of
   * people, and nothing else is written.
   */
  readonly inClone?: boolean;
}

/**
 * Joins the modules below `source` into a few in `dist/program`: a start that reads hundreds of
 * small files takes 1.4 times as long. What the same entries and commands load at their start is
 * one file. At the place of each entry in `dist` is a module that exports it. What is loaded lazily
 * stays apart, and names are not shortened, so that a stack trace names the functions. Comments are
 * removed, and all is ASCII, which V8 keeps in one byte a character. The licences of bundled
 * packages are in `dist/program/LICENSES.txt`.
 */
export async function bundleProgram({
  source,
  dist,
  entries,
  packages,
  starts,
  inClone = false,
}: ProgramSource): Promise<void> {
  const folder = join(dist, programFolder);
  const modules = new Map<string, ModuleFacts>();
  const single = Object.entries(entries).map(([name, path]) => [name, [path]] as const);
  const roots = new Map([...single, ...Object.entries(starts)]);
  let parts: ReadonlyMap<string, string> | undefined;
  const partOf = (module: string): string | null =>
    (parts ??= readParts(source, roots, modules)).get(module) ?? null;
  const bundle = await rolldown({
    input: Object.fromEntries(
      Object.entries(entries).map(([name, path]) => [name, sourceFile(source, path)]),
    ),
    platform: 'node',
    external: (id, importer) => isExternal(id, importer, packages),
    // What groups without their dependencies ask for. The file of an entry exports its names alone.
    preserveEntrySignatures: 'allow-extension',
    plugins: [keepPlaces(source, inClone ? undefined : dist), noteModules(modules)],
  });
  const { output } = await bundle.write({
    dir: folder,
    format: 'esm',
    comments: false,
    // Names stay, for stack traces; most of the text is that of packages.
    minify: !inClone && {
      mangle: false,
      compress: { keepNames: { function: true, class: true } },
      codegen: { removeWhitespace: true },
    },
    charset: 'ascii',
    entryFileNames: '[name].js',
    chunkFileNames: ({ name }) => `${commandsOf(name, starts)}-[hash].js`,
    codeSplitting: {
      includeDependenciesRecursively: false,
      groups: [{ name: partOf, debugName: 'starts' }],
    },
  });
  await bundle.close();
  if (inClone) return;
  for (const [name, path] of Object.entries(entries)) writeEntry({ dist, name, path });
  writeLicenses(output, folder);
}

/**
 * Writes the licences of the packages in a bundle into its folder, and those of modules of somebody
 * else: `words.LICENSE` beside `words.ts`.
 */
export function writeLicenses(output: RolldownOutput['output'], folder: string): void {
  const modules = output.flatMap((part) => (part.type === 'chunk' ? part.moduleIds : []));
  const licenses = [
    ...[...new Set(modules.flatMap(packageOf))].toSorted().map(describeLicense),
    ...modules.flatMap(licenseBeside),
  ];
  if (licenses.length > 0) writeFileSync(join(folder, 'LICENSES.txt'), licenses.join('\n'));
}

function sourceFile(source: string, path: string): string {
  const file = join(source, path);
  return existsSync(`${file}.ts`) ? `${file}.ts` : `${file}.js`;
}

/** Whether an import stays one: of Node, of a package that is not bundled, or of a page. */
function isExternal(
  id: string,
  importer: string | undefined,
  packages: readonly string[],
): boolean {
  if (/^(\.|\/|[A-Za-z]:[\\/]|\0)/.test(id)) return false;
  if (id.startsWith('node:')) return true;
  const isOfPackage = importer?.split(sep).includes('node_modules') ?? false;
  return !isOfPackage && !packages.some((name) => id === name || id.startsWith(`${name}/`));
}

/** A module at the place of an entry that exports the joined one. */
function writeEntry({
  dist,
  name,
  path,
}: {
  readonly dist: string;
  readonly name: string;
  readonly path: string;
}): void {
  const file = join(dist, `${path}.js`);
  const joined = relative(dirname(file), join(dist, programFolder, `${name}.js`));
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, `export * from '${toUrl(joined)}';\n`);
}

/** What is known of a module. */
interface ModuleFacts {
  /** What it imports, apart from what it imports lazily. */
  readonly imports: readonly string[];
  /** Whether it waits for something before it is there. */
  readonly waits: boolean;
}

function noteModules(modules: Map<string, ModuleFacts>): Plugin {
  return {
    name: 'note-modules',
    moduleParsed({ id, importedIds, code }) {
      const mayWait = code !== null && /\bawait\b/.test(code);
      const waits = mayWait && waitsAtTop(this.parse(code, { lang: 'ts' }));
      modules.set(id, { imports: importedIds, waits });
    },
  };
}

/** Whether a part of a module awaits something outside of functions (ECMAScript, section 16.2). */
function waitsAtTop(part: unknown): boolean {
  if (Array.isArray(part)) return part.some(waitsAtTop);
  if (typeof part !== 'object' || part === null) return false;
  const { type, await: isAwaited } = part as { readonly type?: unknown; readonly await?: unknown };
  if (typeof type === 'string' && /Function|MethodDefinition/.test(type)) return false;
  return type === 'AwaitExpression' || isAwaited === true || Object.values(part).some(waitsAtTop);
}

const between = '_';

/**
 * The file that a module goes into, named by the entries and starts that load it: what the same
 * ones load is one file, so that a start reads few, and nothing that it does not need. Modules that
 * are only loaded lazily have none, nor has one that waits for something, itself or in what it
 * imports: what is loaded meanwhile may need what would stand beside it.
 */
function readParts(
  source: string,
  roots: ReadonlyMap<string, readonly string[]>,
  modules: ReadonlyMap<string, ModuleFacts>,
): ReadonlyMap<string, string> {
  const loadedBy = new Map<string, Set<string>>();
  const load = (module: string, root: string): void => {
    const facts = modules.get(module);
    const known = loadedBy.get(module) ?? new Set();
    if (facts === undefined || known.has(root)) return;
    loadedBy.set(module, known.add(root));
    for (const each of facts.imports) load(each, root);
  };
  for (const [root, paths] of roots) for (const path of paths) load(sourceFile(source, path), root);
  const waiting = waitingIn(modules);
  return new Map(
    [...loadedBy].flatMap(([module, by]) =>
      waiting.has(module) ? [] : [[module, [...by].join(between)] as const],
    ),
  );
}

/** The modules that wait for something, and all that import one of them. */
function waitingIn(modules: ReadonlyMap<string, ModuleFacts>): ReadonlySet<string> {
  const waiting = new Set([...modules].flatMap(([id, { waits }]) => (waits ? [id] : [])));
  for (let before = -1; before !== waiting.size;) {
    before = waiting.size;
    for (const [id, { imports }] of modules)
      if (imports.some((each) => waiting.has(each))) waiting.add(id);
  }
  return waiting;
}

/** The commands of a file's name; the whole name if there are none. */
function commandsOf(name: string, starts: ProgramSource['starts']): string {
  const loading = name.split(between);
  const commands = loading.filter((one) => Object.hasOwn(starts, one));
  return (commands.length === 0 ? loading : commands).join('-');
}

/**
 * Modules find files beside them by their own URL: each keeps the one that it would have in `dist`
 * without bundling, or that of its source if there is no `dist`.
 */
function keepPlaces(source: string, dist: string | undefined): Plugin {
  return {
    name: 'keep-places',
    transform(code, id) {
      if (!id.startsWith(source) || !code.includes('import.meta.url')) return undefined;
      if (dist === undefined)
        return code.replaceAll('import.meta.url', JSON.stringify(pathToFileURL(id).href));
      const own = join(dist, relative(source, id)).replace(/\.ts$/, '.js');
      const url = toUrl(relative(join(dist, programFolder), own));
      return code.replaceAll(
        'import.meta.url',
        `new URL(${JSON.stringify(url)}, import.meta.url).href`,
      );
    },
  };
}

function toUrl(path: string): string {
  const url = path.split(sep).join('/');
  return url.startsWith('.') ? url : `./${url}`;
}

/** The folder of the package that a module belongs to; none for a module of the source. */
function packageOf(module: string): string[] {
  const folder = /^(.*[\\/]node_modules[\\/](?:@[^\\/]+[\\/])?[^\\/]+)[\\/]/.exec(module)?.[1];
  return folder === undefined ? [] : [folder.replace(/^\0/, '')];
}

function licenseBeside(module: string): string[] {
  const file = module.replace(/\.ts$/, '.LICENSE');
  return file !== module && existsSync(file) ? [readFileSync(file, 'utf8')] : [];
}

function describeLicense(folder: string): string {
  const manifest: unknown = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  const { name, version, license } = manifest as Record<string, string>;
  const files = readdirSync(folder).filter((file) => /^(licen[cs]e|notice)/i.test(file));
  const texts = files.map((file) => readFileSync(join(folder, file), 'utf8').trim());
  return [`${name} ${version} (${license})`, '', ...texts, ''].join('\n');
}
