import type { RunEvent } from '../model/event.ts';
import type { Exchange } from '../model/exchange.ts';
import type { Redactor } from '../secrets/redact.ts';
import type { RecordedExchange } from './execute-sequence.ts';

type ExchangeRecorded = Extract<RunEvent, { readonly type: 'exchange-recorded' }>;

/**
 * The event that tells of an exchange. Most are looked at by nobody: what is secret in one is
 * hidden when the first reader asks for it.
 */
export function tellExchange(
  recorded: RecordedExchange,
  { redactor, elapsedMs }: { readonly redactor: Redactor; readonly elapsedMs: number },
): ExchangeRecorded {
  return new ToldExchange(recorded, redactor, elapsedMs);
}

/**
 * The members of an event can be listed and copied, and so its getters are its own. They are the
 * same two functions for all events: getters that are made for one alone cost more than all else
 * that is told of it.
 */
class ToldExchange implements ExchangeRecorded {
  static readonly #caseGetter = {
    enumerable: true,
    get(this: ToldExchange) {
      return this.#showCase();
    },
  };
  static readonly #exchangeGetter = {
    enumerable: true,
    get(this: ToldExchange) {
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
    Object.defineProperty(this, 'case', ToldExchange.#caseGetter);
    Object.defineProperty(this, 'exchange', ToldExchange.#exchangeGetter);
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
