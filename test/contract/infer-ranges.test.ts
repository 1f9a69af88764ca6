import { describe, expect, test } from 'vitest';
import { inferRanges } from '../../src/contract/infer/infer-filters.ts';
import { jsonContent, makeContract } from './make-contract.ts';

const record = {
  type: 'object',
  properties: {
    price: { type: 'number' },
    stock: { type: 'integer' },
    name: { type: 'string' },
    createdAt: { type: 'string', format: 'date-time' },
    shippedOn: { type: 'string' },
    birthDate: { type: 'string', format: 'date' },
    wakeTime: { type: 'string' },
    state: { type: 'string', enum: ['now', 'at'] },
  },
};

/** What a query parameter of that name and type is read as. */
function rangeOf(name: string, type: string): string {
  const parameters = [{ name, in: 'query', schema: { type } }];
  const contract = makeContract({
    paths: {
      '/things': {
        get: {
          operationId: 'list',
          parameters,
          responses: { '200': { description: 'ok', ...jsonContent(record) } },
        },
      },
    },
  });
  const [operation] = contract.operations;
  const schema = operation?.responses[0]?.content[0]?.schema;
  if (operation === undefined || schema === undefined)
    throw new Error('The contract has no such operation.');
  return inferRanges(operation.parameters, schema)
    .map(({ field, op }) => `${field} ${op}`)
    .join();
}

describe('a parameter that bounds a field', () => {
  test.each([
    ['minPrice', 'number', 'price gte'],
    ['price[lte]', 'number', 'price lte'],
    ['price_above', 'integer', 'price gt'],
    ['stockBelow', 'integer', 'stock lt'],
    ['max_stock', 'number', 'stock lte'],
    ['createdAfter', 'string', 'createdAt gt'],
    ['created_since', 'string', 'createdAt gte'],
    ['shippedBefore', 'string', 'shippedOn lt'],
    ['birthFrom', 'string', 'birthDate gte'],
    ['wakeUntil', 'string', 'wakeTime lte'],
  ])('%s of type %s: %s', (name, type, expected) => {
    expect(rangeOf(name, type)).toBe(expected);
  });

  test.each<[op: string, words: readonly string[]]>([
    ['gte', ['min', 'minimum', 'gte', 'ge', 'from', 'start', 'least']],
    ['lte', ['max', 'maximum', 'lte', 'le', 'to', 'end']],
    ['gt', ['gt', 'above', 'over']],
    ['lt', ['lt', 'below', 'under']],
  ])('means %s by any of %j, before or after the name', (op, words) => {
    expect(
      words.flatMap((word) => [
        rangeOf(`${word}_price`, 'number'),
        rangeOf(`price_${word}`, 'number'),
      ]),
    ).toEqual(words.flatMap(() => [`price ${op}`, `price ${op}`]));
  });

  test.each([
    ...['priceAfter', 'priceBefore', 'priceSince', 'priceUntil'].map(
      (name): [string, string, string] => [
        name,
        'number',
        'before and after are said of dates alone',
      ],
    ),
    ['minPrice', 'string', 'a text does not bound a number'],
    ['minName', 'string', 'a name has no order that people ask for'],
    ['stateAfter', 'string', 'one of a few words has no order'],
    ['min', 'number', 'it names no field'],
    ['price', 'number', 'it names no bound'],
  ])('%s of type %s is none: %s', (name, type) => {
    expect(rangeOf(name, type)).toBe('');
  });
});

test('a day without a field of its own is within the span that each record has', () => {
  const date = { type: 'string', format: 'date' };
  const shift = {
    type: 'object',
    properties: { id: { type: 'string' }, fromDate: date, toDate: date },
  };
  const parameters = ['date', 'day', 'since'].map((name) => ({ name, in: 'query', schema: date }));
  const [shifts] = makeContract({
    paths: {
      '/shifts': {
        get: {
          parameters,
          responses: {
            200: { description: 'All.', ...jsonContent({ type: 'array', items: shift }) },
          },
        },
      },
    },
  }).resources;
  const found = shifts?.list?.ranges.map(
    ({ parameter, field, op }) => `${parameter.name}: ${field} ${op}`,
  );
  expect(found).toEqual([
    'date: fromDate lte',
    'date: toDate gte',
    'day: fromDate lte',
    'day: toDate gte',
  ]);
});

test.each([
  ['from', 'Only with this `paid_on` or a later one.', 'paid_on gte'],
  ['until', 'Only those whose `paid_on` is before this day.', 'paid_on lte'],
  ['to', 'Only with this `note` or an earlier one.', ''],
  ['list_id', 'Only those of this list.', 'target.list_id'],
  ['person_id', 'Only those with this person.', 'people.id'],
  ['kind', 'Only those of this kind.', ''],
])('%s, described as %j, selects by %j', (name, description, expected) => {
  const text = { type: 'string' };
  const date = { ...text, format: 'date' };
  const nested = { type: 'object', properties: { list_id: text, kind: text } };
  const person = { type: 'object', properties: { id: text } };
  const payment = {
    type: 'object',
    properties: {
      id: text,
      note: text,
      paid_on: date,
      sent_on: date,
      target: nested,
      people: { type: 'array', items: person },
    },
  };
  const schema = /^(?:from|until|to)$/.test(name) ? date : text;
  const [payments] = makeContract({
    paths: {
      '/payments': {
        get: {
          parameters: [{ name, in: 'query', description, schema }],
          responses: {
            200: { description: 'All.', ...jsonContent({ type: 'array', items: payment }) },
          },
        },
      },
    },
  }).resources;
  const { ranges = [], filters = [] } = payments?.list ?? {};
  const found = [
    ...ranges.map(({ field, op }) => `${field} ${op}`),
    ...filters.map(({ field }) => field),
  ];
  expect(found.join()).toBe(expected);
});
