import { existsSync, readdirSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import pinned from './pinned.json' with { type: 'json' };

/** Somebody else's contract, and the file that it is read from. */
export interface CorpusContract {
  readonly name: string;
  readonly file: string;
}

/**
 * One file of a package of an exact version; `integrity` is that of the tarball (Subresource
 * Integrity, sha512).
 */
export interface PinnedFile {
  readonly name: string;
  readonly package: string;
  readonly version: string;
  readonly file: string;
  readonly as: string;
  readonly integrity: string;
}

export const pinnedFiles: readonly PinnedFile[] = pinned;

/** Where fetched documents are kept; git does not see it. */
export const cacheFolder: string = fileURLToPath(new URL('../.cache/', import.meta.url));

/**
 * The documents of @readme/oas-examples: every JSON and YAML document in its folders of versions.
 */
export function smallContracts(): CorpusContract[] {
  const root = dirname(createRequire(import.meta.url).resolve('@readme/oas-examples/package.json'));
  const files = ['2.0', '3.0', '3.1'].flatMap((version) =>
    readdirSync(join(root, version), { recursive: true, encoding: 'utf8' }).map((file) =>
      join(root, version, file),
    ),
  );
  const documents = files.filter((file) => /\.(json|ya?ml)$/.test(file)).sort();
  return documents.map((file) => ({ name: relative(root, file), file }));
}

/** The large documents, as far as `fetch.ts` has brought them. */
export function largeContracts(): CorpusContract[] {
  return pinnedFiles
    .map(({ name, as }) => ({ name, file: join(cacheFolder, as) }))
    .filter(({ file }) => existsSync(file));
}
