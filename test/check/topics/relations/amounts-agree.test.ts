import { expect, test } from 'vitest';
import { type Crud, crud, type Fields, shown, text } from '../../fixture/crud/crud.ts';

interface Line {
  readonly price: number;
}

/** What a service computes wrongly. */
type Quirk = 'leaves out the first line' | 'adds no tax';

const amount = { type: 'number' };
const line = { type: 'object', required: ['price'], properties: { price: amount } };

/** Orders with their lines, and amounts that the service computes with decimals. */
function orders(quirk?: Quirk): Crud {
  const lines = { type: 'array', items: line };
  const net = { ...amount, description: 'Sum of the lines' };
  const total = { ...amount, description: 'net + tax, what is to be paid' };
  const fields = { text, lines, tax: shown(amount), net: shown(net), total: shown(total) };
  const settle = (row: Fields): void => {
    const prices = ((row['lines'] ?? []) as readonly Line[]).map(({ price }) => price);
    const counted = quirk === 'leaves out the first line' ? prices.slice(1) : prices;
    const sum = counted.reduce((before, price) => before + price, 0);
    Object.assign(row, {
      net: sum,
      tax: sum / 4,
      total: sum * (quirk === 'adds no tax' ? 1 : 1.25),
    });
  };
  return crud({ Order: { fields, can: 'create read replace' } }, () => ({
    made: { orders: settle },
    changed: { orders: settle },
  }));
}

test('amounts that are computed as their descriptions say are no finding', async () => {
  expect(await orders().alarms(/amounts-agree/)).toEqual([]);
});

test.each<[Quirk, RegExp]>([
  [
    'leaves out the first line',
    /^error amounts-agree .*net of a record is .*sum of price in lines/,
  ],
  ['adds no tax', /^error amounts-agree .*total of a record is .*its net is .* and its tax is/],
])('a service that %s is found', async (quirk, expected) => {
  expect((await orders(quirk).alarms(/amounts-agree/)).join('\n')).toMatch(expected);
});
