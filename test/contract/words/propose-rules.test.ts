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
      'lineCount',
      { type: 'integer', description: 'The number of lines.' },
      'size(self.lines) == self.lineCount',
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
    ['a count of other things', { type: 'integer', description: 'Number of forks of tags.' }],
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
