import { type FSWatcher, watch } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { configFileNames } from '../../config/config.ts';
import { codeOf, VouchError } from '../../errors.ts';
import { carryOver, dropUnfit, type Sweep, ReplaceableMock } from '../../mock/replaceable-mock.ts';
import { buildMock, type PreparedDocument, type PreparedMock } from '../build-mock.ts';
import { filesOf, stampOf } from '../load-once.ts';
import { gatherDocuments, type MockChoice } from '../prepare-mock.ts';

/** The sources of a mock, the start of the watch, and its listener. */
export interface MockWatcherOptions {
  readonly choice: MockChoice;
  /** When the first read of the files began, in milliseconds since 1970. */
  readonly began: number;
  readonly onReload?: ((event: ReloadEvent) => void) | undefined;
  readonly stillMs?: number;
}

/**
 * Reloads a mock when its files change: the contract with all referenced files, fixtures, scenarios
 * and configuration.
 */
export class MockWatcher {
  readonly mock: ReplaceableMock;
  readonly #options: MockWatcherOptions;
  readonly #files: FileWatcher;
  #prepared: PreparedMock;
  #broken = false;
  #reloading: Promise<void> = Promise.resolve();

  constructor(prepared: PreparedMock, options: MockWatcherOptions) {
    this.#options = options;
    this.#prepared = prepared;
    this.mock = new ReplaceableMock(prepared.mock);
    this.#files = new FileWatcher({
      onChange: (changed) => this.#change(changed),
      stillMs: options.stillMs,
    });
  }

  /** The current sources of the mock. */
  get prepared(): PreparedMock {
    return this.#prepared;
  }

  async start(): Promise<void> {
    await this.#files.follow(followedOf(this.#prepared, this.#options.choice), this.#options.began);
  }

  /** Resolves after any reload in progress. */
  async close(): Promise<void> {
    this.#files.close();
    await this.#reloading;
  }

  #change(files: readonly string[]): void {
    this.#reloading = this.#reloading.then(async () => this.#report(await this.#reload(files)));
  }

  async #reload(files: readonly string[]): Promise<ReloadEvent> {
    try {
      const documents = await gatherDocuments(this.#options.choice);
      const contractFiles = new Set(
        [...this.#prepared.documents, ...documents].flatMap(({ contract }) => contract.files),
      );
      const { dropped } = await this.#replace(documents);
      const isFixed = this.#broken;
      this.#broken = false;
      await this.#files.follow(followedOf(this.#prepared, this.#options.choice));
      const operations = documents.reduce(
        (sum, { contract }) => sum + contract.operations.length,
        0,
      );
      return {
        type: 'reloaded',
        files,
        contractChanged: files.some((file) => contractFiles.has(file)),
        operations,
        dropped,
        isFixed,
      };
    } catch (error) {
      this.#broken = true;
      await this.#followError(error);
      return { type: 'failed', files, error };
    }
  }

  async #replace(documents: readonly PreparedDocument[]): Promise<Sweep> {
    const { store, mock: before } = this.#prepared;
    let sweep: Sweep = { kept: 0, dropped: 0 };
    await this.mock.replace(async () => {
      try {
        const next = await buildMock(documents, this.#options.choice, store);
        sweep = await dropUnfit(store, next.mock.options.contract);
        carryOver(before, next.mock);
        this.#prepared = { ...this.#prepared, ...next };
        return next.mock;
      } catch (error) {
        await store.seed(before.options.fixtures);
        throw error;
      }
    });
    return sweep;
  }

  /** The file with the error may be one that was not watched yet. */
  async #followError(error: unknown): Promise<void> {
    if (!(error instanceof VouchError) || error.place === undefined) return;
    const followed = followedOf(this.#prepared, this.#options.choice);
    await this.#files.follow({
      ...followed,
      files: [...followed.files, resolve(error.place.file)],
    });
  }

  #report(event: ReloadEvent): void {
    try {
      this.#options.onReload?.(event);
    } catch {
      // An error of a listener does not end the watch.
    }
  }
}

function followedOf({ documents, config }: PreparedMock, choice: MockChoice): Followed {
  const configs =
    choice.config === false
      ? []
      : choice.config === undefined
        ? configFileNames.map((name) => resolve(name))
        : [resolve(choice.config)];
  return {
    files: [
      ...documents.flatMap(({ contract }) => contract.files),
      ...configs,
      ...(config.file === undefined ? [] : [config.file]),
    ],
    folders: [...new Set(documents.flatMap(({ folders }) => folders))],
  };
}

/** The result of a reload. */
export type ReloadEvent =
  | {
      readonly type: 'reloaded';
      /** The absolute paths of the changed files. */
      readonly files: readonly string[];
      /** Whether a changed file is part of a contract. */
      readonly contractChanged: boolean;
      /** The number of operations after the reload. */
      readonly operations: number;
      /**
       * The number of records in all sessions that were removed because they no longer match the
       * contract.
       */
      readonly dropped: number;
      /** Whether the previous reload failed. */
      readonly isFixed: boolean;
    }
  /** The mock continues with the last valid state. */
  | { readonly type: 'failed'; readonly files: readonly string[]; readonly error: unknown };

/** The absolute paths of files, and of folders with data files. */
interface Followed {
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
class FileWatcher {
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
