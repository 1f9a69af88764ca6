import { basename, dirname, extname } from 'node:path';
import type { Contract } from '../contract/model.ts';

/**
 * A word for each contract: its file's name, its folder's where two files have the same, numbered
 * where that is not enough.
 */
export function nameDocuments(contracts: readonly Contract[]): string[] {
  const byFile = contracts.map(({ file, title }) =>
    word(file === '<inline>' ? title : basename(file, extname(file))),
  );
  const told = byFile.map((name, index) =>
    isUnique(name, byFile)
      ? name
      : word(basename(dirname(contracts[index]?.files[0] ?? '')) || name),
  );
  return told.map((name, index) =>
    told.indexOf(name) === index
      ? name
      : `${name}-${String(told.slice(0, index).filter((other) => other === name).length + 1)}`,
  );
}

function isUnique(name: string, names: readonly string[]): boolean {
  return names.indexOf(name) === names.lastIndexOf(name);
}

/** Letters, digits, dots and hyphens, as a person would type them after `--base`. */
function word(text: string): string {
  return (
    text
      .replaceAll(/[^A-Za-z0-9._-]+/g, '-')
      .replaceAll(/^-+|-+$/g, '')
      .toLowerCase() || 'document'
  );
}
