import type { RunEvent } from '../event.ts';
import type { Exchange } from '../finding.ts';
import type { Redactor } from '../secrets/redact.ts';
import type { RecordedExchange } from './execute-sequence.ts';

type ExchangeRecorded = Extract<RunEvent, { readonly type: 'exchange-recorded' }>;

/** The event that tells of an exchange. Most are looked at by nobody: what is secret in one is hidden when the first reader asks for it. */
export function tellExchange({ case: { id, title, operation }, phase, exchange }: RecordedExchange, { redactor, elapsedMs }: { readonly redactor: Redactor; readonly elapsedMs: number }): ExchangeRecorded {
  let tried: ExchangeRecorded['case'] | undefined;
  let shown: Exchange | undefined;
  return {
    type: 'exchange-recorded',
    get case() {
      return (tried ??= { id, title: redactor.text(title), phase, operation: operation.id });
    },
    get exchange() {
      return (shown ??= redactor.exchange(exchange));
    },
    elapsedMs,
  };
}
