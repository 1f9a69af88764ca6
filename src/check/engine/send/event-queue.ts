import type { RunEvent } from '../../model/event.ts';
import type { Exchange } from '../../model/exchange.ts';
import type { Redactor } from '../../secrets/redact.ts';
import type { RecordedExchange } from './execute-sequence.ts';

/** With this many values in the queue, the producer has to wait. */
const full = 256;

/** A queue between a producer and a slower reader. */
export class EventQueue<Value> {
  #values: Value[] = [];
  #wake = (): void => {};
  #emptied: PromiseWithResolvers<void> | undefined;
  #idle: PromiseWithResolvers<void> | undefined;
  #closed = false;

  /**
   * Adds a value. Returns a promise to await before the next one; undefined if the queue is not
   * full.
   */
  put(value: Value): Promise<void> | undefined {
    if (this.#closed) return undefined;
    this.#values.push(value);
    // Values of one turn of the event loop are read together: waking the reader costs more than
    // reading a value.
    if (this.#values.length === 1) setImmediate(() => this.#wake());
    if (this.#values.length < full) return undefined;
    this.#emptied ??= Promise.withResolvers();
    return this.#emptied.promise;
  }

  /**
   * The values that `work` adds, in batches, as they come; afterwards its error, if it throws. If
   * the reader stops, `abandon` is called so that the work can end early, and the generator returns
   * when it has.
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
        if (this.#values.length === 0) this.#idle?.resolve();
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

  /** Resolves when the reader has asked for more after all values so far, or has stopped. */
  async whenRead(): Promise<void> {
    if (this.#closed) return;
    this.#idle = Promise.withResolvers();
    this.#wake();
    await this.#idle.promise;
  }

  /** Drops all values from now on; the producer no longer waits. */
  close(): void {
    this.#closed = true;
    this.#idle?.resolve();
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

type EventRedactor = Pick<Redactor, 'text' | 'name' | 'exchange'>;
type ExchangeRecorded = Extract<RunEvent, { readonly type: 'exchange-recorded' }>;

/** The event of an exchange. Few readers look into it, so it is redacted on first access. */
export function recordedEvent(
  recorded: RecordedExchange,
  { redactor, elapsedMs }: { readonly redactor: EventRedactor; readonly elapsedMs: number },
): ExchangeRecorded {
  return new RecordedExchangeEvent(recorded, redactor, elapsedMs);
}

/**
 * The members of an event can be listed and copied, so its getters are own properties. All events
 * share the same two functions: a closure for each event would cost more than the rest of it.
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
  readonly #redactor: EventRedactor;
  #case: ExchangeRecorded['case'] | undefined;
  #exchange: Exchange | undefined;

  constructor(recorded: RecordedExchange, redactor: EventRedactor, elapsedMs: number) {
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
