import { join, relative, sep } from 'node:path';
import { rolldown, type Plugin } from 'rolldown';

/** Where the joined modules stand, in the folder of the built ones. */
export const programFolder = 'program';

/**
 * Joins the modules of the command line under `dist` into a few in `dist/program`, which begins
 * with `vouch.js`: a start that reads hundreds of small files takes 1.4 times as long. What is
 * loaded lazily stays apart, dependencies stay packages, and no name is shortened, so that the
 * trace of a fault still names the functions that it went through. Comments stay behind, and all is
 * ASCII: V8 keeps the text of a module as long as it runs, in two bytes a character where a single
 * one of them does not fit into one.
 */
export async function bundleProgram(dist: string): Promise<void> {
  const folder = join(dist, programFolder);
  const bundle = await rolldown({
    input: { vouch: join(dist, 'cli/bin.js') },
    platform: 'node',
    external: (id) => !id.startsWith('.') && !id.startsWith(dist),
    plugins: [keepPlaces(folder)],
  });
  await bundle.write({
    dir: folder,
    format: 'esm',
    comments: false,
    charset: 'ascii',
    entryFileNames: '[name].js',
    chunkFileNames: '[name]-[hash].js',
  });
  await bundle.close();
}

/**
 * Modules find files beside them by their own URL: it stays the one that they had before they were
 * joined.
 */
function keepPlaces(folder: string): Plugin {
  return {
    name: 'keep-places',
    transform(code, id) {
      const own = relative(folder, id).split(sep).join('/');
      return code.replaceAll(
        'import.meta.url',
        `new URL(${JSON.stringify(own)}, import.meta.url).href`,
      );
    },
  };
}
