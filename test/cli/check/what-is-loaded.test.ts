import { readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const source = fileURLToPath(new URL('../../../src', import.meta.url));

/**
 * Every file that is loaded with one, by the imports that stand at the beginnings of files. Those
 * of types alone are erased.
 */
function loadedWith(file: string, loaded = new Set<string>()): Set<string> {
  if (loaded.has(file)) return loaded;
  loaded.add(file);
  const text = readFileSync(join(source, file), 'utf8');
  for (const [, name = ''] of text.matchAll(
    /^(?:import|export) (?!type\b)[^;]*?from '(\.[^']+)';$/gm,
  ))
    loadedWith(
      relative(source, resolve(dirname(join(source, file)), name)).replaceAll('\\', '/'),
      loaded,
    );
  return loaded;
}

test(
  'a check of a deployment loads neither the mock’s server, nor a proof, ' +
    'nor what only other ways to check need',
  () => {
    const loaded = [...loadedWith('cli/check/run-check-command.ts')];
    expect(loaded).toContain('check/engine/run/run-events.ts');
    expect(
      loaded.filter((file) =>
        /^(server|prove|prism|lint|mock\/behaviours|check\/(against|traffic))\//.test(file),
      ),
    ).toEqual([]);
    expect(loaded.filter((file) => file.startsWith('check/engine/overlay/'))).toEqual([]);
  },
);
