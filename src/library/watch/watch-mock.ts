import { resolve } from 'node:path';
import { configFileNames } from '../../config/read-config.ts';
import { VouchError } from '../../errors.ts';
import { defined } from '../../json/defined.ts';
import { carryOver, dropUnfit, type Sweep } from '../../mock/control/drop-unfit.ts';
import { ReplaceableMock } from '../../mock/replaceable-mock.ts';
import {
  bringToLife,
  gatherDocuments,
  type MockChoice,
  type PreparedDocument,
  type PreparedMock,
} from '../prepare-mock.ts';
import { FileWatcher, type Followed } from './watch-files.ts';

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
        const next = await bringToLife(documents, this.#options.choice, store);
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
