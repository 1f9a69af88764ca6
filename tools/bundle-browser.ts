import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { rolldown, type InputOptions, type Plugin } from 'rolldown';
import { writeLicenses } from './bundle-program.ts';

/** The folder of the joined modules for browsers, in `dist`. */
const browserFolder = 'browser';

/** What needs Node or serves the check alone, and what browsers have in its place, below `src`. */
const replaced: Readonly<Record<string, string>> = {
  'platform.ts': 'msw/browser-platform.ts',
  'contract/words/no-verbs.ts': 'msw/no-words.ts',
  'library/prepare-mock.ts': 'msw/prepare-given.ts',
};

/**
 * Packages that are loaded late. The bundler of the application takes them from the dependencies of
 * vouch: here they would be twice in the package.
 */
const latePackages = [
  '@faker-js/faker',
  '@marcbachmann/cel-js',
  '@rgrove/parse-xml',
  'jose',
  'js-yaml',
];

/**
 * How the handlers for MSW are bundled for browsers: without Node's modules, and with the packages
 * that they use.
 */
export function browserOptions(source: string): InputOptions {
  return {
    platform: 'browser',
    plugins: [replaceModules(source)],
    // `Buffer` is a global of Node that the mock uses for speed.
    transform: { inject: { Buffer: ['buffer', 'Buffer'] } },
    onLog(level, log, handler) {
      // An import of Node would fail in the browser of a user.
      handler(log.code === 'UNRESOLVED_IMPORT' ? 'error' : level, log);
    },
  };
}

/** Writes `dist/browser/msw.js`, and beside it what it loads late. */
export async function bundleBrowser(source: string, dist: string): Promise<void> {
  const bundle = await rolldown({
    ...browserOptions(source),
    // The application has MSW.
    external: (id) =>
      ['msw', ...latePackages].some((name) => id === name || id.startsWith(`${name}/`)),
    input: { msw: join(source, 'msw/msw.ts') },
  });
  const folder = join(dist, browserFolder);
  const { output } = await bundle.write({
    dir: folder,
    format: 'esm',
    minify: true,
    comments: false,
    charset: 'ascii',
    entryFileNames: '[name].js',
    chunkFileNames: '[name]-[hash].js',
  });
  await bundle.close();
  writeLicenses(output, folder);
}

function replaceModules(source: string): Plugin {
  return {
    name: 'replace-modules',
    resolveId(id, importer) {
      if (importer === undefined || !id.startsWith('.')) return undefined;
      const path = resolve(importer, '..', id);
      const [name] = Object.keys(replaced).filter((each) => path === join(source, each));
      const other = name === undefined ? undefined : replaced[name];
      if (other === undefined) return undefined;
      const file = join(source, other);
      if (!existsSync(file)) throw new Error(`There is no ${file}.`);
      return file;
    },
  };
}
