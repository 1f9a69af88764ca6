import { describe, expect, test } from 'vitest';
import {
  ExpressionCompiler,
  type Evaluation,
  type ExpressionInput,
} from '../../../src/contract/rules/expression.ts';
import { WorkBudget } from '../../../src/json/work-budget.ts';

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
      message: 'it is int, not true or false',
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

describe('an expression that would take all time or memory', () => {
  const numbers = Array.from({ length: 60 }, (_, index) => BigInt(index));
  const self = {
    text: `${'a'.repeat(40)}!`,
    long: 'ab'.repeat(50_000),
    needle: `b${'a'.repeat(40_000)}`,
    hay: 'a'.repeat(90_000),
    digits: '1'.repeat(50_000),
    moment: '2026-01-01T00:00:00Z',
    numbers,
    names: Array.from({ length: 20_000 }, (_, index) => `name-${String(index)}`),
    objects: Array.from({ length: 2_000 }, (_, index) => ({ id: BigInt(index), tags: ['a'] })),
  };

  /** `self.numbers.all(a, self.numbers.all(b, …))` */
  function nested(macro: string, depth: number, inner: string): string {
    const names = Array.from({ length: depth }, (_, index) => `v${String(index)}`);
    return names.reduceRight((text, name) => `self.numbers.${macro}(${name}, ${text})`, inner);
  }

  /** Binds a name to what is made of the one before, many times. */
  function bound(first: string, step: (name: string) => string, last: string): string {
    const names = Array.from({ length: 32 }, (_, index) => `x${String(index)}`);
    return names.reduceRight(
      (text, name, index) =>
        `cel.bind(${name}, ${index === 0 ? first : step(`x${String(index - 1)}`)}, ${text})`,
      last,
    );
  }

  test.each([
    nested('all', 8, 'v0 + v7 >= 0'),
    nested('exists', 8, 'v0 + v7 > 1000'),
    nested('exists_one', 6, 'v5 == 1'),
    nested('all', 6, 'v0.missing == 1'),
    `${nested('all', 6, 'v0 > -1')} || true`,
    `size(${nested('map', 5, 'v4 + v0')}) > 0`,
    `size(self.numbers.filter(a, ${nested('all', 6, 'v5 > -1')})) > 0`,
    nested('exists', 5, 'self.text.matches("(a|b)*c")'),
    nested('all', 4, 'size(self.long) > 0'),
    nested('all', 4, 'self.long.contains("abc") == false'),
    nested('all', 4, 'timestamp(self.moment).getHours("Europe/Berlin") >= 0'),
    'self.names.all(x, x in self.names)',
    'self.names.all(x, self.names.exists(y, y == x))',
    'self.objects.all(x, self.objects.filter(y, y == x).size() == 1)',
    'self.objects.all(x, self.objects == self.objects)',
    'self.hay.contains(self.needle)',
    'self.hay.indexOf(self.needle) == -1',
    'self.names.join(self.long) != ""',
    'duration(self.digits) > duration("1s")',
    bound('self.numbers', (x) => `${x} + ${x}`, 'size(x31) > 0'),
    bound('self.long', (x) => `${x} + ${x}`, 'size(x31) > 0'),
    bound('self.numbers', (x) => `[${x}, ${x}]`, 'x31 == [x30, x30]'),
  ])('is stopped by its budget: %s', (text) => {
    const expression = compiler.compile(text, 'bool');
    if (!('text' in expression)) throw new Error(expression.message);
    const budget = new WorkBudget(20_000_000);
    expect(expression.evaluate({ variables: { self }, budget })).toEqual({ kind: 'exceeded' });
    // The next evaluation is not affected.
    expect(evaluate('self.text != ""', self)).toEqual(value(true));
  });

  test.each([
    ['self.text.matches("^(a+)+$")', false],
    ['self.text.matches("(a|aa)+!")', true],
    ['self.long.matches("(.{0,30}){0,30}#")', false],
    ['self.text.matches("(?i)^A+!$")', true],
    ['self.hay.matches("^(a*)*$")', true],
    ['self.numbers.all(x, x in self.numbers)', true],
    ['self.names.exists(x, x == "name-19999")', true],
    ['unique(self.names)', true],
  ])('is decided, because its work is linear: %s', (text, expected) => {
    expect(evaluate(text, self)).toEqual(value(expected));
  });

  test('is refused for a pattern that CEL does not have', () => {
    const fault = compiler.compile('self.a == 1 && self.text.matches("(?=a)a")', 'bool');
    expect(fault).toEqual({ message: '(?=a)a is not a pattern of RE2', column: 33 });
    expect(evaluate('self.text.matches(self.pattern)', { text: 'a', pattern: '(a)\\1' })).toEqual({
      kind: 'undecided',
      reason: 'matches() has the pattern (a)\\1, which is none of RE2',
    });
  });

  test('is refused with more nodes than anybody writes', () => {
    const sum = Array.from({ length: 6_000 }, () => 'self.a').join(' + ');
    expect(compiler.compile(`${sum} == 1`)).toMatchObject({
      message: 'Exceeded maxAstNodes (5000)',
    });
  });

  test('is undecided for a decimal with more than a thousand digits', () => {
    const power = bound('decimal(3)', (x) => `${x} * ${x}`, 'x31 > 0');
    expect(evaluate(power, {})).toMatchObject({ kind: 'undecided' });
  });
});

describe('a rule that is never true or false', () => {
  test.each([
    ['self.a + 1', 'it is a number, not true or false'],
    ['self.a * self.b', 'it is a number, not true or false'],
    ['self.a == 1 ? self.b - self.c : true', 'it is a number, not true or false'],
    ['-self.a', 'it is a number, not true or false'],
    ['"yes"', 'it is string, not true or false'],
    ['self.list.map(x, x)', 'it is list, not true or false'],
    ['{"a": 1}', 'it is map<string, int>, not true or false'],
    ['null', 'it is null, not true or false'],
    ['size(self.list)', 'it is int, not true or false'],
    ['decimal(self.a)', 'it is Decimal, not true or false'],
    ['string(self.a)', 'it is string, not true or false'],
  ])('%s', (text, message) => {
    expect(compiler.compile(text, 'bool')).toMatchObject({ message });
  });
});
