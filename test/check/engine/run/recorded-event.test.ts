import { expect, test } from 'vitest';
import { recordedEvent } from '../../../../src/check/engine/send/event-queue.ts';
import { libraryContract } from '../../fixture/library-contract.ts';
import { talk } from '../../fixture/talk.ts';

const { case: tried, exchange } = talk(libraryContract(), [
  { ask: 'GET /books/3', answer: { id: 3, title: 'secret', shelfId: 4 } },
]);

/** The event, and what its redactor was asked to hide. */
function told(): { readonly event: ReturnType<typeof recordedEvent>; readonly hidden: string[] } {
  const hidden: string[] = [];
  const redactor = {
    text: (text: string) => (hidden.push('title'), text.toUpperCase()),
    name: (text: string) => text,
    exchange: (shown: typeof exchange) => (
      hidden.push('exchange'),
      { ...shown, baseUrl: 'hidden' }
    ),
  };
  return {
    event: recordedEvent({ case: tried, phase: 'read', exchange }, { redactor, elapsedMs: 7 }),
    hidden,
  };
}

const whole = {
  type: 'exchange-recorded',
  case: {
    id: tried.id,
    title: tried.title.toUpperCase(),
    phase: 'read',
    operation: tried.operation.id,
  },
  exchange: { ...exchange, baseUrl: 'hidden' },
  elapsedMs: 7,
};

test('secrets are redacted when an event is read, once', () => {
  const { event, hidden } = told();
  expect(event.elapsedMs).toBe(7);
  expect(hidden).toEqual([]);
  expect(event.exchange).toBe(event.exchange);
  expect(event.case).toBe(event.case);
  expect(hidden).toEqual(['exchange', 'title']);
});

test('an event can be listed, copied and written as JSON like any other', () => {
  expect(Object.keys(told().event)).toEqual(Object.keys(whole));
  expect({ ...told().event }).toEqual(whole);
  expect(JSON.stringify(told().event)).toBe(JSON.stringify(whole));
});
