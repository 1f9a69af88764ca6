import type { RunEvent } from '../model/event.ts';
import type { Redactor } from './redact.ts';

/**
 * The same event without secrets in what comes from the document: names, titles, paths, files and
 * code frames. An exchange is redacted when it is recorded.
 */
export function redactEvent(event: RunEvent, { name }: Redactor): RunEvent {
  if (event.type === 'exchange-recorded') return event;
  if (event.type !== 'gap-observed') return redactPlain(event, name);
  const { gap } = event;
  return { ...event, gap: { ...gap, id: name(gap.id), message: name(gap.message) } };
}

/** The same plain data with every text in it hidden, names of members included. Bytes stay. */
export function redactPlain<Value>(value: Value, hide: (text: string) => string): Value {
  // Texts stay texts, and so the type stays.
  return redactAny(value, hide) as Value;
}

function redactAny(value: unknown, hide: (text: string) => string): unknown {
  if (typeof value === 'string') return hide(value);
  if (Array.isArray(value)) return value.map((item) => redactAny(item, hide));
  if (!isPlain(value)) return value;
  const members = Object.entries(value).map(([name, member]) => [
    hide(name),
    redactAny(member, hide),
  ]);
  return Object.fromEntries(members);
}

function isPlain(value: unknown): value is object {
  return (
    typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype
  );
}
