import { type FSWatcher, watch } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { type Config, configFileNames } from '../../config/config.ts';
import { codeOf } from '../../errors.ts';
import { filesOf, stampOf } from '../load-once.ts';

/** The absolute paths of the configuration, also of one that does not exist yet. */
export function configFilesOf(
  named: string | false | undefined,
  { file }: Pick<Config, 'file'>,
): readonly string[] {
  if (named === false) return file === undefined ? [] : [file];
  const names = named === undefined ? configFileNames : [named];
  return [...names.map((name) => resolve(name)), ...(file === undefined ? [] : [file])];
}

/** The absolute paths of files, and of folders with data files. */
export interface Followed {
  readonly files: readonly string[];
  readonly folders: readonly string[];
}

/** The listener and the timing of a watcher. */
interface FileWatcherOptions {
  /** Called with the changed files after a quiet period. */
  readonly onChange: (changed: readonly string[]) => void;
  /** The quiet period in milliseconds. */
  readonly stillMs?: number | undefined;
}

const longestBurstMs = 1_000;
const pollMs = 1_000;

/**
 * Watches files through their folders, because editors replace a file rather than write it, and a
 * watch on a replaced file ends. Events only trigger a comparison of the files; their content is
 * ignored. Where the system cannot watch, compares every second. Does not keep the process alive.
 */
export class FileWatcher {
  readonly #options: FileWatcherOptions;
  readonly #watchers = new Map<string, FSWatcher>();
  #followed: Followed = { files: [], folders: [] };
  #stamps: ReadonlyMap<string, string> = new Map();
  #timer: NodeJS.Timeout | undefined;
  #polling: NodeJS.Timeout | undefined;
  #burstBegan: number | undefined;
  #looking: Promise<void> = Promise.resolve();
  #closed = false;

  constructor(options: FileWatcherOptions) {
    this.#options = options;
  }

  /**
   * Watches these files and no others. New files are compared with their current state; with
   * `since` (milliseconds since 1970), a change after that moment is reported.
   */
  async follow(followed: Followed, since?: number): Promise<void> {
    this.#followed = followed;
    this.#open();
    const now = await this.#read();
    const before = this.#stamps;
    this.#stamps = new Map([...now].map(([file, stamp]) => [file, before.get(file) ?? stamp]));
    if (since !== undefined && (await stampOf([...now.keys()])).newest > since)
      this.#stamps = new Map();
    // Finds changes between the last comparison and this one.
    this.touch();
  }

  /** Compares the files as after an event. */
  touch(): void {
    if (this.#closed) return;
    this.#burstBegan ??= performance.now();
    const left = Math.max(0, longestBurstMs - (performance.now() - this.#burstBegan));
    clearTimeout(this.#timer);
    this.#timer = setTimeout(
      () => this.#look(),
      Math.min(this.#options.stillMs ?? 80, left),
    ).unref();
  }

  close(): void {
    this.#closed = true;
    clearTimeout(this.#timer);
    clearInterval(this.#polling);
    for (const watcher of this.#watchers.values()) watcher.close();
    this.#watchers.clear();
  }

  #look(): void {
    this.#burstBegan = undefined;
    this.#looking = this.#looking.then(() => this.#compare());
  }

  async #compare(): Promise<void> {
    // A watch on a replaced folder ends, so every folder is opened again before the comparison.
    this.#open();
    const before = this.#stamps;
    const now = await this.#read();
    if (this.#closed) return;
    this.#stamps = now;
    const changed = [...new Set([...before.keys(), ...now.keys()])].filter(
      (file) => before.get(file) !== now.get(file),
    );
    const named = changed.filter((file) => !this.#followed.folders.includes(file));
    if (named.length > 0) this.#options.onChange(named);
  }

  async #read(): Promise<ReadonlyMap<string, string>> {
    const inFolders = await Promise.all(this.#followed.folders.map(filesOf));
    const files = [...new Set([...this.#followed.files, ...inFolders.flat()])];
    return new Map(
      await Promise.all(files.map(async (file) => [file, (await stampOf([file])).stamp] as const)),
    );
  }

  #open(): void {
    if (this.#closed) return;
    const { files, folders } = this.#followed;
    const wanted = new Set([...files.map(dirname), ...folders, ...folders.map(dirname)]);
    const old = [...this.#watchers.values()];
    this.#watchers.clear();
    for (const folder of wanted) this.#openFolder(folder);
    for (const watcher of old) watcher.close();
  }

  #openFolder(folder: string): void {
    try {
      const watcher = watch(folder, { persistent: false }, () => this.touch());
      watcher.on('error', () => this.touch());
      this.#watchers.set(folder, watcher);
    } catch (error) {
      // A deleted folder that returns is an event of its parent.
      if (codeOf(error) !== 'ENOENT')
        this.#polling ??= setInterval(() => this.touch(), pollMs).unref();
    }
  }
}
