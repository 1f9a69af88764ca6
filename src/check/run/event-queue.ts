import type { RunEvent } from '../model/event.ts';
import type { Exchange } from '../model/exchange.ts';
import type { Redactor } from '../secrets/redact.ts';
import type { RecordedExchange } from './execute-sequence.ts';

/** So many values wait for the reader before whoever makes them is asked to wait. */
const full = 256;

/**
 * Stands between work that puts values in as they come, and a reader who takes them in his own
 * time.
 */
export class EventQueue<Value> {
  #values: Value[] = [];
  #wake = (): void => {};
  #emptied: PromiseWithResolvers<void> | undefined;
  #closed = false;

  /**
   * Puts a value in. Answers what to wait for before there is another one; undefined where the
   * reader is not far behind.
   */
  put(value: Value): Promise<void> | undefined {
    if (this.#closed) return undefined;
    this.#values.push(value);
    // What comes in one turn of the loop is handed on together: to wake the reader takes longer
    // than to hand him a value.
    if (this.#values.length === 1) setImmediate(() => this.#wake());
    if (this.#values.length < full) return undefined;
    this.#emptied ??= Promise.withResolvers();
    return this.#emptied.promise;
  }

  /**
   * The values that are put in while work goes on, some at a time, as they come; its error behind
   * them, where it throws. Where the reader stops, `abandon` is called, so that the work can be cut
   * short, and he is let go when it has ended.
   */
  async *during(
    work: () => Promise<void>,
    abandon: () => void,
  ): AsyncGenerator<readonly Value[], void> {
    let isOver = false;
    const end = (): void => {
      isOver = true;
      this.#wake();
    };
    const working = work();
    const ended = working.then(end, end);
    try {
      while (!isOver || this.#values.length > 0) {
        if (this.#values.length > 0) yield this.#take();
        if (!isOver && this.#values.length === 0)
          await new Promise<void>((resolve) => (this.#wake = resolve));
      }
    } finally {
      if (!isOver) {
        this.close();
        abandon();
        await ended;
      }
    }
    await working;
  }

  /** Nobody reads any more: what is put in from now on is dropped, and nobody waits. */
  close(): void {
    this.#closed = true;
    this.#take();
  }

  #take(): Value[] {
    const values = this.#values;
    this.#values = [];
    this.#emptied?.resolve();
    this.#emptied = undefined;
    return values;
  }
}

type ExchangeRecorded = Extract<RunEvent, { readonly type: 'exchange-recorded' }>;

/**
 * The event that tells of an exchange. Most are looked at by nobody: what is secret in one is
 * hidden when the first reader asks for it.
 */
export function recordedEvent(
  recorded: RecordedExchange,
  { redactor, elapsedMs }: { readonly redactor: Redactor; readonly elapsedMs: number },
): ExchangeRecorded {
  return new RecordedExchangeEvent(recorded, redactor, elapsedMs);
}

/**
 * The members of an event can be listed and copied, and so its getters are its own. They are the
 * same two functions for all events: getters that are made for one alone cost more than all else
 * that is told of it.
 */
class RecordedExchangeEvent implements ExchangeRecorded {
  static readonly #caseGetter = {
    enumerable: true,
    get(this: RecordedExchangeEvent) {
      return this.#showCase();
    },
  };
  static readonly #exchangeGetter = {
    enumerable: true,
    get(this: RecordedExchangeEvent) {
      return this.#showExchange();
    },
  };

  readonly type = 'exchange-recorded';
  declare readonly case: ExchangeRecorded['case'];
  declare readonly exchange: Exchange;
  declare readonly elapsedMs: number;
  readonly #recorded: RecordedExchange;
  readonly #redactor: Redactor;
  #case: ExchangeRecorded['case'] | undefined;
  #exchange: Exchange | undefined;

  constructor(recorded: RecordedExchange, redactor: Redactor, elapsedMs: number) {
    this.#recorded = recorded;
    this.#redactor = redactor;
    Object.defineProperty(this, 'case', RecordedExchangeEvent.#caseGetter);
    Object.defineProperty(this, 'exchange', RecordedExchangeEvent.#exchangeGetter);
    this.elapsedMs = elapsedMs;
  }

  #showCase(): ExchangeRecorded['case'] {
    const {
      case: { id, title, operation },
      phase,
    } = this.#recorded;
    return (this.#case ??= {
      id: this.#redactor.name(id),
      title: this.#redactor.text(title),
      phase,
      operation: this.#redactor.name(operation.id),
    });
  }

  #showExchange(): Exchange {
    return (this.#exchange ??= this.#redactor.exchange(this.#recorded.exchange));
  }
}
