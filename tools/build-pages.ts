// Writes the pages into `dist/pages`, unless the files there are newer than their sources: the
// console, the documentation, the start page and the HTML report, each as a module with one script
// and one style sheet.
import {
  existsSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  renameSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const web = join(root, 'web');

/** Each page: the entry of its script, and the parts of its style sheet. Both are below `web/`. */
const pages = {
  console: {
    entry: 'console/main.tsx',
    styles: ['shared/base.css', 'shared/inter.css', 'shared/json.css', 'console/console.css'],
  },
  docs: {
    entry: 'docs/main.tsx',
    styles: [
      'shared/base.css',
      'shared/inter.css',
      'shared/json.css',
      'console/console.css',
      'docs/docs.css',
    ],
  },
  start: {
    entry: 'start/main.tsx',
    styles: ['shared/base.css', 'shared/inter.css', 'console/console.css', 'start/start.css'],
  },
  report: {
    entry: 'report/main.tsx',
    styles: ['shared/base.css', 'shared/inter.css', 'shared/json.css', 'report/report.css'],
  },
} as const;

/** The folder of the pages below `dist/`; `#pages/…` in package.json leads there. */
export const pagesFolder = 'pages';

type PageName = keyof typeof pages;
const names = Object.keys(pages) as PageName[];

/** Writes the pages that are older than a source of theirs, or that are missing. */
export async function buildPages(folder: string = join(root, 'dist', pagesFolder)): Promise<void> {
  const fileOf = (name: PageName): string => join(folder, `${name}.js`);
  const changed = Math.max(...sources().map(modifiedAt));
  const stale = names.filter((name) => modifiedAt(fileOf(name)) < changed);
  if (stale.length === 0) return;
  mkdirSync(folder, { recursive: true });
  await Promise.all(stale.map(async (name) => replaceFile(fileOf(name), await writePage(name))));
}

/** Vitest calls this before the first test. */
export const setup = (): Promise<void> => buildPages();

/** Everything that a page is made of, this file and the lock of the dependencies included. */
function sources(): string[] {
  return [fileURLToPath(import.meta.url), join(root, 'package-lock.json'), ...filesBelow(web)];
}

/** All files below a folder: half the time of a recursive `readdirSync` with its folders. */
export function filesBelow(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = `${folder}/${entry.name}`;
    return entry.isDirectory() ? filesBelow(path) : path;
  });
}

function modifiedAt(file: string): number {
  return statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0;
}

async function writePage(name: PageName): Promise<string> {
  const { entry, styles } = pages[name];
  const style = styles.map(readStyle).join('');
  const license = style.includes('data:font/') ? fontLicense() : '';
  return license + writeModule(await bundleScript(join(web, entry)), style);
}

/** The font of all pages, with its licence: the documentation has it too. */
export function fontStyle(): string {
  return fontLicense() + readStyle('shared/inter.css');
}

/** The licence of the font as a comment; '' in a clone without the package. */
function fontLicense(): string {
  const file = join(root, 'node_modules', '@fontsource', 'inter', 'LICENSE');
  return existsSync(file) ? `/*! Inter, OFL-1.1:\n${readFileSync(file, 'utf8')}*/\n` : '';
}

function writeModule(script: string, style: string): string {
  return (
    `export const script = ${JSON.stringify(script)};\n` +
    `export const style = ${JSON.stringify(style)};\n`
  );
}

/**
 * A style sheet without comments and without blanks around its lines. Fonts of packages become
 * part of it, so that a page requests none; in a clone without them, the system's font is used.
 */
function readStyle(file: string): string {
  return readFileSync(join(web, file), 'utf8')
    .replaceAll(/\/\*[^]*?\*\//g, '')
    .replaceAll(/(?<=[;{},]) *\n\s*|(?<=^)\s+/g, '')
    .replaceAll(/\s*\n\s*/g, ' ')
    .replaceAll(/url\('(@[^']+\.woff2)'\)/g, (_url, font: string) => {
      const path = join(root, 'node_modules', font);
      const bytes = existsSync(path) ? readFileSync(path) : Buffer.of();
      return `url('data:font/woff2;base64,${bytes.toString('base64')}')`;
    });
}

/** A script that stands in a page: nothing in it ends the element that holds it. */
async function bundleScript(entry: string): Promise<string> {
  const { rolldown } = await import('rolldown').catch((cause: unknown) => {
    throw new Error(
      'The pages of a clone are bundled by rolldown: run `npm ci` without --omit=dev.',
      { cause },
    );
  });
  const bundle = await rolldown({
    input: entry,
    platform: 'browser',
    tsconfig: join(web, 'tsconfig.json'),
  });
  const { output } = await bundle.generate({ format: 'iife', minify: true, comments: false });
  await bundle.close();
  return output[0].code.replaceAll('</script', '<\\/script').replaceAll('<!--', '<\\!--');
}

/** Another process may read the file meanwhile: it sees the old text or the new one. */
function replaceFile(file: string, text: string): void {
  const draft = `${file}.${String(process.pid)}`;
  writeFileSync(draft, text);
  renameSync(draft, file);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await buildPages();
