import { expect, test } from 'vitest';
import { keptBy } from '../check/fixture/kept-contract.ts';
import { converse, fixturesOf, mockOf } from './workshop.ts';

const fixtures = fixturesOf({
  customers: [
    { id: 1, name: 'Ada' },
    { id: 2, name: 'Ben' },
    { id: 3, name: 'Cleo' },
  ],
  invoices: [
    { id: 1, customerId: 1, status: 'open' },
    { id: 2, customerId: 2, status: 'draft' },
  ],
});

test.each([
  ['any that belong to it', 'The customer has invoices.', [409, 409, 204]],
  ['those in a state', 'The customer has open invoices.', [409, 204, 204]],
  ['what words leave open', 'The customer has unpaid invoices.', [204, 204, 204]],
  ['other reasons', 'Try again later.', [204, 204, 204]],
])('a deletion is refused for %s', async (_what, conflict, statuses) => {
  const mock = await mockOf({ contract: keptBy(conflict), fixtures });
  const said = await converse(mock, [
    ['DELETE /customers/1'],
    ['DELETE /customers/2'],
    ['DELETE /customers/3'],
  ]);
  expect([...said.matchAll(/→ (\d+)/g)].map(([, status]) => Number(status))).toEqual(statuses);
});

test('a deletion is refused for records below the record', async () => {
  const mock = await mockOf({ contract: keptBy('It has notes.'), fixtures });
  const said = await converse(mock, [
    ['POST /customers/3/notes', { body: { text: 'Call' } }],
    ['DELETE /customers/3'],
    ['DELETE /customers/2'],
  ]);
  expect(said).toContain('DELETE /customers/3 → 409');
  expect(said).toContain('DELETE /customers/2 → 204');
});
