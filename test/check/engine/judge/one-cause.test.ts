import { expect, test } from 'vitest';
import { crud, text } from '../../fixture/crud/crud.ts';

const names = ['Apple', 'Pear', 'Plum', 'Cherry', 'Quince', 'Olive', 'Fig', 'Grape'];

test('a header that every operation refuses alike is one finding', async () => {
  const kinds = names.map((name) => [
    name,
    { fields: { title: text }, headers: { 'X-Version': { type: 'string' } } },
  ]);
  const { alarms } = crud(Object.fromEntries(kinds), () => ({
    on: Object.fromEntries(
      names.map((name) => [
        `create${name}`,
        ({ call }) => {
          const isOdd = /[^0-9.]/.test(call.header('x-version') ?? '');
          return isOdd ? { status: 409, json: { detail: 'X-Version is invalid.' } } : undefined;
        },
      ]),
    ),
  }));
  const lines = await alarms(/valid-accepted/);
  expect(lines).toEqual([expect.stringMatching(/^error valid-accepted create\w+: .*X-Version/)]);
});
