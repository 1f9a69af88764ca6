import { VouchError } from '../../errors.ts';
import { baseOf, type RunningMock } from '../../library/start-mock.ts';
import type { PrismEvent, PrismProcess } from '../../prism/start-prism.ts';
import type { Io } from '../io.ts';

/** Where Prism is to listen. */
export interface PrismWords {
  readonly host: string;
  readonly prismPort?: number;
}

/**
 * Prism on the mock's contract; of several, on the first. It is a guest: where it cannot be had,
 * the mock goes on without it, and says why.
 */
export class PrismBeside {
  readonly #io: Io;
  readonly #mock: RunningMock;
  readonly #words: PrismWords;
  #prism: PrismProcess | undefined;
  #port: number;
  /** Starts and restarts happen one after the other. */
  #turn: Promise<void> = Promise.resolve();

  constructor(io: Io, mock: RunningMock, words: PrismWords) {
    this.#io = io;
    this.#mock = mock;
    this.#words = words;
    this.#port = words.prismPort ?? (mock.requestedPort === 0 ? 0 : mock.port + 1);
  }

  /** Where Prism answers; undefined where it does not run. */
  get url(): string | undefined {
    return this.#prism?.url;
  }

  /**
   * Starts it, or starts it again with the contract as it is now. Never rejects for a Prism that
   * cannot be had.
   */
  restart(): Promise<void> {
    return this.#next(async () => {
      await this.#prism?.close();
      this.#prism = await this.#start();
      this.#port = this.#prism?.port ?? this.#port;
    });
  }

  close(): Promise<void> {
    return this.#next(async () => this.#prism?.close());
  }

  #next(act: () => Promise<void>): Promise<void> {
    const turn = this.#turn.then(act);
    this.#turn = turn.catch(() => undefined);
    return turn;
  }

  async #start(): Promise<PrismProcess | undefined> {
    const [document] = this.#mock.prepared.documents;
    // Most mocks run without Prism, and start sooner for not reading this.
    const { startPrism } = await import('../../prism/start-prism.ts');
    try {
      return await startPrism({
        document: this.#mock.contract.document,
        port: this.#port,
        host: this.#words.host,
        basePath: document === undefined ? '' : baseOf(document),
        onEvent: (event) => this.#io.err(prismLine(event)),
      });
    } catch (error) {
      if (!(error instanceof VouchError)) throw error;
      this.#io.err(`prism ${error.message} ${error.hint ?? ''}\n`);
      return undefined;
    }
  }
}

/** A start is told by the banner; the rest is told when it happens. */
function prismLine(event: PrismEvent): string {
  switch (event.type) {
    case 'started':
      return '';
    case 'died':
      return `prism ${event.reason}; restarting\n`;
    case 'restarted':
      return `prism restarted after ${event.millis.toFixed(0)} ms\n`;
    case 'gave-up':
      return (
        `prism stopped ${String(event.deaths)} times in a row (last: ` +
        `${event.reason}) and is not restarted; the mock keeps running\n`
      );
  }
}
