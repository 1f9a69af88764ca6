import { mkdir, readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { codeOf } from '../../errors.ts';
import { writeWholeFile } from '../../files/file-writer.ts';

/** Stores which page was written last, for `vouch report open`; a failure loses no more than that. */
export async function rememberPage(folder: string, path: string): Promise<void> {
  const file = placeIn(folder);
  try {
    await mkdir(dirname(file), { recursive: true, mode: 0o700 });
    writeWholeFile(file, path);
  } catch (error) {
    if (codeOf(error) === undefined) throw error;
  }
}

/** The absolute path of the page that was written last; undefined if none is known. */
export async function readLastPage(folder: string): Promise<string | undefined> {
  try {
    return await readFile(placeIn(folder), 'utf8');
  } catch (error) {
    if (codeOf(error) === undefined) throw error;
    return undefined;
  }
}

function placeIn(folder: string): string {
  return join(folder, 'last-report');
}
