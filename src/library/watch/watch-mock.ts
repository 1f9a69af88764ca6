import { type FSWatcher, watch } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { configFileNames } from '../../config/config.ts';
import { codeOf, VouchError } from '../../errors.ts';
import { defined } from '../../json/defined.ts';
import { carryOver, dropUnfit, type Sweep } from '../../mock/control/drop-unfit.ts';
import { ReplaceableMock } from '../../mock/replaceable-mock.ts';
import { filesOf, stampOf } from '../load-once.ts';
import {
  buildMock,
  gatherDocuments,
  type MockChoice,
  type PreparedDocument,
  type PreparedMock,
} from '../prepare-mock.ts';

/** What a mock was made from, since when it is followed, and who is told. */
export interface MockWatcherOptions {
  readonly choice: MockChoice;
  /** When the files began to be read for the first time: milliseconds since 1970. */
  readonly began: number;
  readonly onReload?: ((event: ReloadEvent) => void) | undefined;
  readonly stillMs?: number;
}

/**
 * A mock that follows its files: its contract with all that this refers to, fixtures, scenarios and
 * configuration.
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
      ...defined({ stillMs: options.stillMs }),
    });
  }

  /** What the mock is made from now. */
  get prepared(): PreparedMock {
    return this.#prepared;
  }

  async start(): Promise<void> {
    await this.#files.follow(followedOf(this.#prepared, this.#options.choice), this.#options.began);
  }

  /** Resolves once no reload is under way. */
  async close(): Promise<void> {
    this.#files.close();
    await this.#reloading;
  }

  #change(files: readonly string[]): void {
    this.#reloading = this.#reloading.then(async () => this.#tell(await this.#reload(files)));
  }

  async #reload(files: readonly string[]): Promise<ReloadEvent> {
    try {
      const documents = await gatherDocuments(this.#options.choice);
      const contractFiles = new Set(
        [...this.#prepared.documents, ...documents].flatMap(({ contract }) => contract.files),
      );
      const { dropped } = await this.#replace(documents);
      const mended = this.#broken;
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
        mended,
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
        await carryOver(before, next.mock);
        this.#prepared = { ...this.#prepared, ...next };
        return next.mock;
      } catch (error) {
        await store.seed(before.options.fixtures);
        throw error;
      }
    });
    return sweep;
  }

  /** A file that is at fault may be one that was not read before. */
  async #followError(error: unknown): Promise<void> {
    if (!(error instanceof VouchError) || error.place === undefined) return;
    const followed = followedOf(this.#prepared, this.#options.choice);
    await this.#files.follow({
      ...followed,
      files: [...followed.files, resolve(error.place.file)],
    });
  }

  #tell(event: ReloadEvent): void {
    try {
      this.#options.onReload?.(event);
    } catch {
      // A listener that fails must not end the watching.
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

/** What came of a change to the files that a mock was made from. */
export type ReloadEvent =
  | {
      readonly type: 'reloaded';
      /** The files that had changed, by their absolute paths. */
      readonly files: readonly string[];
      /** Whether one of them is a contract, or part of one. */
      readonly contractChanged: boolean;
      /** How many operations there are now. */
      readonly operations: number;
      /** How many records no longer fitted the contract, over all sessions, and were removed. */
      readonly dropped: number;
      /** Whether the edit before this one was broken. */
      readonly mended: boolean;
    }
  /** The last good state goes on. */
  | { readonly type: 'failed'; readonly files: readonly string[]; readonly error: unknown };

/** Files and folders of data files, by their absolute paths. */
interface Followed {
  readonly files: readonly string[];
  readonly folders: readonly string[];
}

/** Who is told of changes, and how patient the watcher is. */
interface FileWatcherOptions {
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
