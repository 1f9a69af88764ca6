import { resolve } from 'node:path';
import { VouchError } from '../../errors.ts';
import type { ReplaceableMock, Sweep } from '../../mock/replaceable-mock.ts';
import { carryOver, dropUnfit, makeReplaceable } from '../../mock/replaceable-mock.ts';
import { buildMock, type PreparedDocument, type PreparedMock } from '../build-mock.ts';
import { gatherDocuments, type MockChoice } from '../prepare-mock.ts';
import { configFilesOf, FileWatcher, type Followed } from './file-watcher.ts';

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
    this.mock = makeReplaceable(prepared.mock);
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
  return {
    files: [
      ...documents.flatMap(({ contract }) => contract.files),
      ...configFilesOf(choice.config, config),
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
