import { expect, test } from 'vitest';
import type { Respond } from '../../src/check/mutants/mutant.ts';
import { keptBy } from './fixture/kept-contract.ts';
import { alarmsOf } from './fixture/odd-contract.ts';

/** Deletes every customer, whatever it has. */
const deletesAny =
  (respond: Respond): Respond =>
  async (request) => {
    const reply = await respond(request);
    return request.method === 'DELETE' && reply.response?.status === 409
      ? { response: { status: 204, headers: [], body: new Uint8Array() } }
      : reply;
  };

test.each([
  ['of a record that others keep is an error', 'The customer has invoices.', ['errors']],
  ['that words may allow is a warning', 'The customer has unpaid invoices.', ['alarms']],
  ['that other reasons refuse is nothing', 'Try again later.', []],
])('a deletion %s', async (_what, conflict, found) => {
  const { alarms, errors } = await alarmsOf(keptBy(conflict), deletesAny);
  const isAbout = (line: string): boolean => line.startsWith('parent-holds');
  expect([alarms, errors].map((lines) => lines.some(isAbout))).toEqual([
    found.length > 0,
    found.includes('errors'),
  ]);
});

test('a deletion that only records in another state keep is judged by their state', async () => {
  const { alarms } = await alarmsOf(
    keptBy('The customer has open invoices.'),
    (respond) => async (request) => {
      const reply = await respond(request);
      const text = new TextDecoder().decode(reply.response?.body);
      // The service makes drafts of all invoices.
      return reply.response === undefined || !request.target.startsWith('/invoices')
        ? reply
        : {
            response: {
              ...reply.response,
              body: new TextEncoder().encode(text.replaceAll('"open"', '"draft"')),
            },
          };
    },
  );
  expect(alarms.filter((line) => line.startsWith('parent-holds'))).toEqual([]);
});
