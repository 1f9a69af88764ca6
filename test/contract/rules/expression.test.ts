import { describe, expect, test } from 'vitest';
import {
  ExpressionCompiler,
  type Evaluation,
  type ExpressionInput,
} from '../../../src/contract/rules/expression.ts';

const compiler = new ExpressionCompiler(['self']);

function evaluate(text: string, self: unknown, ids?: ExpressionInput['ids']): Evaluation {
  const expression = compiler.compile(text);
  if (!('text' in expression)) throw new Error(expression.message);
  return expression.evaluate({ variables: { self }, ...(ids === undefined ? {} : { ids }) });
}

const value = (of: unknown): Evaluation => ({ kind: 'value', value: of });

describe('a rule expression', () => {
  test('adds texts and numbers as exact decimals', () => {
    const self = { total: '0.30', lines: [{ amount: 0.1 }, { amount: '0.2' }] };
    expect(evaluate('self.total == decimal_sum(self.lines.map(l, l.amount))', self)).toEqual(
      value(true),
    );
    expect(evaluate('decimal_sum(self.lines.map(l, l.amount)) == 0.3', self)).toEqual(value(true));
    expect(evaluate('self.total != decimal_sum([0.1, 0.1])', self)).toEqual(value(true));
  });

  test('compares decimals by value, not by their text', () => {
    expect(evaluate('decimal(self.a) < decimal(self.b)', { a: '9.50', b: '10' })).toEqual(
      value(true),
    );
    expect(evaluate('self.a >= decimal(self.b)', { a: '-1', b: '1' })).toEqual(value(false));
  });

  test('keeps every digit of a 64-bit integer', () => {
    const self = { a: 9007199254740993n, b: 9007199254740992n };
    expect(evaluate('self.a == self.b + 1', self)).toEqual(value(true));
    expect(evaluate('self.a == self.b', self)).toEqual(value(false));
    expect(evaluate('sum([self.a, self.b]) == 18014398509481985', self)).toEqual(value(true));
  });

  test('adds doubles as JSON writes them', () => {
    expect(evaluate('sum([0.1, 0.2]) == 0.3', {})).toEqual(value(true));
  });

  test('mixes integers and doubles in arithmetic', () => {
    expect(evaluate('self.price * self.count == 7.5', { price: 2.5, count: 3n })).toEqual(
      value(true),
    );
  });

  test('counts days between dates, over the end of a month', () => {
    const self = { issued: '2026-01-15', due: '2026-02-14' };
    expect(evaluate('date(self.due) == date(self.issued) + days(30)', self)).toEqual(value(true));
  });

  test('reads the identifiers of a resource', () => {
    const ids = (name: string): readonly string[] | undefined =>
      name === 'customers' ? ['a'] : undefined;
    expect(evaluate('self.customer in ids("customers")', { customer: 'b' }, ids)).toEqual(
      value(false),
    );
    expect(evaluate('self.customer in ids("orders")', { customer: 'b' }, ids)).toMatchObject({
      kind: 'undecided',
    });
  });

  test.each([
    ['a member that is missing', 'self.total == 1', {}],
    ['null in arithmetic', 'self.total + 1 == 2', { total: null }],
    ['a text that is no decimal', 'decimal(self.total) == 1', { total: 'ten' }],
    ['a text that is no date', 'date(self.total) < date("2026-01-01")', { total: '2026-13-45' }],
    ['a division by zero', '1 / self.total == 1', { total: 0n }],
  ])('is undecided for %s', (_name, text, self) => {
    expect(evaluate(text, self)).toMatchObject({ kind: 'undecided' });
  });

  test('names the column of a fault', () => {
    expect(compiler.compile('self.total ==')).toMatchObject({ column: 13 });
    expect(compiler.compile('self.a == 1 && slef.b == 2')).toMatchObject({
      column: 15,
      message: 'Unknown variable: slef',
    });
    expect(compiler.compile('size(self.a)', 'bool')).toMatchObject({
      message: 'is int, not true or false',
    });
  });

  test('knows the members and resources that it reads', () => {
    const expression = compiler.compile('self.a.all(x, x in ids("things")) && self.b > 1');
    expect('text' in expression && [expression.membersOf('self'), expression.resources]).toEqual([
      ['a', 'b'],
      ['things'],
    ]);
  });
});
