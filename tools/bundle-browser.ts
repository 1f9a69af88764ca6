import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { rolldown, type InputOptions, type Plugin } from 'rolldown';
import { writeLicenses } from './bundle-program.ts';

/** The folder of the joined modules for browsers, in `dist`. */
const browserFolder = 'browser';

/** What needs Node or serves other commands, and what browsers have in its place, below `src`. */
const replaced: Readonly<Record<string, string>> = {
  'platform.ts': 'msw/browser-platform.ts',
  'contract/effect/safe-methods.ts': 'msw/left-out.ts',
  'contract/find-gaps.ts': 'msw/left-out.ts',
  'contract/infer/explain-parameters.ts': 'msw/left-out.ts',
  'contract/infer/explain-relations.ts': 'msw/left-out.ts',
  'contract/infer/explain-resource.ts': 'msw/left-out.ts',
  'contract/infer/open-batches.ts': 'msw/left-out.ts',
  'contract/words/acting-parameters.ts': 'msw/left-out.ts',
  'contract/words/explain-facts.ts': 'msw/left-out.ts',
  'contract/words/own-credential.ts': 'msw/left-out.ts',
  'contract/words/phrases/checked.ts': 'msw/left-out.ts',
  'contract/words/read-logout.ts': 'msw/left-out.ts',
  'contract/words/read-moves.ts': 'msw/left-out.ts',
  'contract/words/read-unasked.ts': 'msw/left-out.ts',
  'contract/words/state-counts.ts': 'msw/left-out.ts',
  'contract/words/verbs.ts': 'msw/left-out.ts',
  'mock/answer/chosen-error.ts': 'msw/left-out.ts',
  'mock/control/near-miss.ts': 'msw/left-out.ts',
  'mock/join/join-mocks.ts': 'msw/left-out.ts',
  'library/prepare-mock.ts': 'msw/prepare-given.ts',
  'contract/rules/expression.ts': 'msw/late-expressions.ts',
  'contract/content/read-xml.ts': 'msw/late-xml.ts',
  'contract/content/write-xml.ts': 'msw/late-xml.ts',
  'contract/swagger/convert-swagger.ts': 'msw/late-swagger.ts',
};

/** What loads parts of vouch late: the parts themselves, and not what is there before. */
const loader = 'msw/browser-platform.ts';

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
    plugins: [replaceModules(source), leaveOutOfAjv(), leaveOutSentences(source)],
    // `Buffer` is a global of Node that the mock uses for speed.
    transform: { inject: { Buffer: [join(source, 'msw/bytes.ts'), 'Buffer'] } },
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
      if (other === undefined || importer === join(source, loader)) return undefined;
      const file = join(source, other);
      if (!existsSync(file)) throw new Error(`There is no ${file}.`);
      return file;
    },
  };
}

/** What Ajv imports for options that vouch does not set. */
const unusedInAjv = /(^fast-uri|\/refs\/(data\.json|json-schema-2020-12)|\/discriminator)$/;

function leaveOutOfAjv(): Plugin {
  return {
    name: 'leave-out-of-ajv',
    resolveId: (id, importer = '') =>
      /[\\/]ajv[\\/]dist[\\/]/.test(importer) && unusedInAjv.test(id) ? '\0unused' : undefined,
    load: (id) => (id === '\0unused' ? 'module.exports = {};' : undefined),
  };
}

/** The sentences of phrases and conventions are for their tests, and for the reference. */
function leaveOutSentences(source: string): Plugin {
  // A list, and a text, in the forms that Prettier gives them.
  const lists = (names: string): RegExp =>
    new RegExp(`^( +)(?:${names}): \\[(?:.+|$[^]*?^\\1)\\],$`, 'gm');
  const left: readonly (readonly [string, readonly RegExp[]])[] = [
    ['contract/words/phrases', [lists('states|not')]],
    ['contract/infer/conventions', [lists('examples'), /^ +reason:\s+'[^]*?',$/gm]],
  ];
  return {
    name: 'leave-out-sentences',
    transform(code, id) {
      const [, patterns] = left.find(([folder]) => id.startsWith(join(source, folder))) ?? [];
      return patterns?.reduce((rest, pattern) => rest.replaceAll(pattern, ''), code);
    },
  };
}
