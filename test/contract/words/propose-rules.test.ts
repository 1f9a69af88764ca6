import { describe, expect, test } from 'vitest';
import { proposeRules } from '../../../src/contract/words/propose-rules.ts';
import { jsonContent, makeContract } from '../make-contract.ts';
import type { JsonObject } from '../../../src/json/value.ts';

const money = { type: 'string', pattern: '^\\d+\\.\\d{2}$' };
const others: JsonObject = {
  lines: { type: 'array', items: { type: 'object', properties: { amount: money } } },
  tags: { type: 'array', items: { type: 'string' } },
  issuedOn: { type: 'string', format: 'date' },
  startsAt: { type: 'string', format: 'date-time' },
};

function proposalsFor(name: string, member: JsonObject): readonly string[] {
  const properties: JsonObject = { ...others, [name]: member };
  const contract = makeContract({
    paths: {
      '/orders': {
        get: { responses: { 200: { ...jsonContent({ type: 'object', properties }) } } },
      },
    },
  });
  const schema = contract.operations[0]?.responses[0]?.content[0]?.schema;
  return schema === undefined ? [] : proposeRules(schema, schema).map(({ rule }) => rule);
}

describe('a rule is proposed', () => {
  test.each<[name: string, member: JsonObject, rule: string]>([
    [
      'total',
      { ...money, description: 'The sum of the amounts of the lines.' },
      'self.total == decimal_sum(self.lines.map(x, x.amount))',
    ],
    [
      'lineCount',
      { type: 'integer', description: 'The number of lines.' },
      'size(self.lines) == self.lineCount',
    ],
    [
      'dueOn',
      { type: 'string', format: 'date', description: 'Always 30 days after issuedOn.' },
      'date(self.dueOn) == date(self.issuedOn) + days(30)',
    ],
    [
      'endsAt',
      { type: 'string', format: 'date-time', description: 'Always after startsAt.' },
      'timestamp(self.endsAt) > timestamp(self.startsAt)',
    ],
    [
      'paidOn',
      { type: 'string', format: 'date', description: 'Not before issuedOn.' },
      'date(self.paidOn) >= date(self.issuedOn)',
    ],
  ])('for %s', (name, member, rule) => {
    expect(proposalsFor(name, member)).toEqual([rule]);
  });
});

describe('no rule is proposed', () => {
  test.each<[what: string, member: JsonObject]>([
    ['a text without numbers', { type: 'string', description: 'The sum of the lines.' }],
    ['a sum of what the object does not have', { ...money, description: 'The sum of all fees.' }],
    ['a count of what the object does not have', { type: 'integer', description: 'Number of x.' }],
    ['a count that is a text', { type: 'string', description: 'The number of lines.' }],
    ['a date after an event', { type: 'string', format: 'date', description: 'After payment.' }],
    [
      'a date and a date-time',
      { type: 'string', format: 'date', description: 'Not before startsAt.' },
    ],
    ['a member without a description', { ...money }],
  ])('for %s', (_what, member) => {
    expect(proposalsFor('value', member)).toEqual([]);
  });
});
