import { stat } from 'node:fs/promises';
import { RecentMap } from '../store/recent-map.ts';

/**
 * What was made from files, and which files these were: absolute paths, folders among them where
 * their entries count.
 */
export interface MadeFromFiles<Made> {
  readonly value: Made;
  readonly files: readonly string[];
}

interface Remembered<Made> extends MadeFromFiles<Made> {
  readonly stamp: string;
}

/**
 * Remembers what was made from files for as long as these are as they were: by time of change, size
 * and inode. Tests start many mocks of the same contract in one process, and only the first has to
 * read it.
 */
export class FileMemory<Made> {
  readonly #known: RecentMap<string, Remembered<Made>>;

  constructor(capacity: number) {
    this.#known = new RecentMap(capacity);
  }

  async recall(key: string, make: () => Promise<MadeFromFiles<Made>>): Promise<Made> {
    const known = this.#known.get(key);
    if (known !== undefined && known.stamp === (await stampOf(known.files)).stamp)
      return known.value;
    const began = Date.now();
    const made = await make();
    const { stamp, newest } = await stampOf(made.files);
    // What changed while it was read, or in the same tick of the file system's clock before, may
    // have been read half.
    if (newest < began - tickMs) this.#known.set(key, { ...made, stamp });
    else this.#known.delete(key);
    return made.value;
  }
}

const tickMs = 20;

/**
 * How files stand: two stamps are the same where nothing was changed between them. A file that is
 * not there has a stamp too.
 */
export async function stampOf(
  files: readonly string[],
): Promise<{ readonly stamp: string; readonly newest: number }> {
  const stats = await Promise.all(files.map(async (file) => stat(file).catch(() => undefined)));
  const stamp = stats
    .map((each) =>
      each === undefined ? '-' : `${String(each.mtimeMs)} ${String(each.size)} ${String(each.ino)}`,
    )
    .join('\n');
  return { stamp, newest: Math.max(0, ...stats.map((each) => each?.mtimeMs ?? 0)) };
}
