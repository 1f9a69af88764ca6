import { type FSWatcher, watch } from 'node:fs';
import { dirname } from 'node:path';
import { codeOf } from '../../errors.ts';
import { filesOf, stampOf } from '../load-once.ts';

/** Files and folders of data files, by their absolute paths. */
export interface Followed {
  readonly files: readonly string[];
  readonly folders: readonly string[];
}

/** Who is told of changes, and how patient the watcher is. */
export interface FileWatcherOptions {
  /** Told which files have changed, once they have been still for a while. */
  readonly onChange: (changed: readonly string[]) => void;
  /** How long they must be still. */
  readonly stillMs?: number;
}

const longestBurstMs = 1_000;
const pollMs = 1_000;

/**
 * Watches files by way of the folders that they are in, since editors replace a file rather than
 * write it, and a file that was replaced is no longer the one that is watched. What an event says
 * is not trusted: whatever happens, the files are looked at. Where the system cannot watch, they
 * are looked at every second. Keeps no process alive.
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
   * Watches these from now on, and no others. Those that are new are taken as they stand now; with
   * `since` (milliseconds since 1970), a change after that moment counts as one that is still to be
   * told.
   */
  async follow(followed: Followed, since?: number): Promise<void> {
    this.#followed = followed;
    this.#open();
    const now = await this.#read();
    const before = this.#stamps;
    this.#stamps = new Map([...now].map(([file, stamp]) => [file, before.get(file) ?? stamp]));
    if (since !== undefined && (await stampOf([...now.keys()])).newest > since)
      this.#stamps = new Map();
    // What changed between the last look and this one is found by one more.
    this.touch();
  }

  /** Looks at the files as if an event had come. */
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
    // A folder that was replaced is watched by its old self only, so every folder is opened anew,
    // before it is looked at.
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
      // A folder that is gone comes back as an event of its parent.
      if (codeOf(error) !== 'ENOENT')
        this.#polling ??= setInterval(() => this.touch(), pollMs).unref();
    }
  }
}
