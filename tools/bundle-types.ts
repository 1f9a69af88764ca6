import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { rolldown, type Plugin } from 'rolldown';

/** The part of the plugin that is used. */
interface TypesPlugin {
  dts(options: {
    /** The input is declarations. */
    dtsInput: true;
    /** Does not start a compiler. */
    generator: 'oxc';
    sourcemap: false;
    tsconfig: false;
  }): Plugin[];
}
/** Named here, and not imported: the type check of the project does without the plugin. */
const pluginName: string = 'rolldown-plugin-dts';

const root = fileURLToPath(new URL('..', import.meta.url));

/**
 * Writes the declarations of the package into `dist`: one file for each entry, named by its path
 * below `src` without extension, and what several entries share in `dist/types`. Shared, because
 * two declarations of one class with private members are two types.
 */
export async function bundleTypes(dist: string, entries: readonly string[]): Promise<void> {
  // Inside the project, where the packages that declarations name are found.
  const loose = mkdtempSync(join(dist, 'loose-types-'));
  try {
    const { dts } = (await import(pluginName)) as TypesPlugin;
    execFileSync(
      process.execPath,
      [
        join(root, 'node_modules/typescript/bin/tsc'),
        '--project',
        'tsconfig.build.json',
        // `npm run typecheck` has the types of all files checked: here they are only written.
        '--noCheck',
        '--outDir',
        loose,
      ],
      { cwd: root, stdio: 'inherit' },
    );
    const bundle = await rolldown({
      input: Object.fromEntries(entries.map((path) => [path, join(loose, `${path}.d.ts`)])),
      external: (id) => !/^(\.|\/|[A-Za-z]:[\\/])/.test(id),
      plugins: [dts({ dtsInput: true, generator: 'oxc', sourcemap: false, tsconfig: false })],
    });
    // The plugin takes `[name].ts` for the name of a module and writes `[name].d.ts`.
    await bundle.write({ dir: dist, format: 'esm', chunkFileNames: 'types/[name].ts' });
    await bundle.close();
  } finally {
    rmSync(loose, { recursive: true });
  }
}
