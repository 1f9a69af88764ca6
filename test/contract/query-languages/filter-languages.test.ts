import { describe, expect, test } from 'vitest';
import { filterLanguage, filterLanguages } from '../../../src/contract/query-languages/index.ts';
import type {
  Comparison,
  FilterLanguage,
  Operator,
} from '../../../src/contract/query-languages/language.ts';
import { fc } from '../../property.ts';

function language(id: string): FilterLanguage {
  const found = filterLanguage(id);
  if (found === undefined) throw new Error(`no language ${id}`);
  return found;
}

const is = (field: string, op: Operator, value: Comparison['value']): Comparison => ({
  field,
  op,
  value,
});

const understood: Readonly<
  Record<string, readonly [text: string, comparisons: readonly Comparison[]][]>
> = {
  'aip-160': [
    ['state = "ACTIVE"', [is('state', 'eq', 'ACTIVE')]],
    ['tags:"new"', [is('tags', 'has', 'new')]],
    ['tags: new AND size > 1', [is('tags', 'has', 'new'), is('size', 'gt', 1)]],
    ['state=ACTIVE', [is('state', 'eq', 'ACTIVE')]],
    ["state = 'ACTIVE'", [is('state', 'eq', 'ACTIVE')]],
    ['state != "ACTIVE"', [is('state', 'ne', 'ACTIVE')]],
    ['size < 10', [is('size', 'lt', 10)]],
    ['size <= 2.5', [is('size', 'le', 2.5)]],
    ['size > -30', [is('size', 'gt', -30)]],
    ['size>=9007199254740993', [is('size', 'ge', 9007199254740993n)]],
    ['open = true', [is('open', 'eq', true)]],
    ['owner.name = "Ann Lee"', [is('owner.name', 'eq', 'Ann Lee')]],
    [
      'create_time > "2012-04-21T11:30:00-04:00"',
      [is('create_time', 'gt', '2012-04-21T11:30:00-04:00')],
    ],
    ['a = "say \\"no\\""', [is('a', 'eq', 'say "no"')]],
    ['a = 1 AND b != "x" AND c < 3', [is('a', 'eq', 1), is('b', 'ne', 'x'), is('c', 'lt', 3)]],
  ],
  'odata-filter': [
    ["Name eq 'Milk'", [is('Name', 'eq', 'Milk')]],
    ["Name ne 'O''Neil'", [is('Name', 'ne', "O'Neil")]],
    ["Tags/any(t: t eq 'it''s new')", [is('Tags', 'has', "it's new")]],
    ['Tags/any(x:x eq 5) and Price lt 2', [is('Tags', 'has', 5), is('Price', 'lt', 2)]],
    ['Price lt 2.55', [is('Price', 'lt', 2.55)]],
    ['Price le -1', [is('Price', 'le', -1)]],
    ['Price gt 20', [is('Price', 'gt', 20)]],
    ['Price ge 9007199254740993', [is('Price', 'ge', 9007199254740993n)]],
    ['Open eq true', [is('Open', 'eq', true)]],
    ["Address/City eq 'Redmond'", [is('Address.City', 'eq', 'Redmond')]],
    ['Day eq 2012-12-03', [is('Day', 'eq', '2012-12-03')]],
    ['At gt 2012-12-03T07:16:23Z', [is('At', 'gt', '2012-12-03T07:16:23Z')]],
    [
      'Id eq 01234567-89ab-cdef-0123-456789abcdef',
      [is('Id', 'eq', '01234567-89ab-cdef-0123-456789abcdef')],
    ],
    ["Name eq 'Milk' and Price lt 2", [is('Name', 'eq', 'Milk'), is('Price', 'lt', 2)]],
    ["Name eq 'this and that'", [is('Name', 'eq', 'this and that')]],
  ],
  rsql: [
    ['name==Milk', [is('name', 'eq', 'Milk')]],
    ['name=="Kill Bill"', [is('name', 'eq', 'Kill Bill')]],
    ["name!='Kill Bill'", [is('name', 'ne', 'Kill Bill')]],
    ['size=lt=10', [is('size', 'lt', 10)]],
    ['size=le=2.5', [is('size', 'le', 2.5)]],
    ['size=gt=-3', [is('size', 'gt', -3)]],
    ['size=ge=9007199254740993', [is('size', 'ge', 9007199254740993n)]],
    ['open==false', [is('open', 'eq', false)]],
    ['owner.name==Ann', [is('owner.name', 'eq', 'Ann')]],
    ['updated=gt=2003-12-13T00:00:00Z', [is('updated', 'gt', '2003-12-13T00:00:00Z')]],
    ['day==2003-12-13', [is('day', 'eq', '2003-12-13')]],
    ['name==a;size=lt=3', [is('name', 'eq', 'a'), is('size', 'lt', 3)]],
  ],
};

const left: Readonly<Record<string, readonly string[]>> = {
  'aip-160': [
    '',
    'word',
    'a = 1 OR b = 2',
    'a = 1 AND',
    'a = AND',
    'NOT a = 1',
    '-a = 1',
    'tags = ("x")',
    'a = "x*"',
    '(a = 1)',
    'a eq 1',
    'a==1',
    '5',
    'f(a) = 1',
  ],
  'odata-filter': [
    '',
    'word',
    'A eq 1 or B eq 2',
    'not (A eq 1)',
    "startswith(A,'x')",
    'A add 1 eq 2',
    "A in ('x')",
    "A/any(t: t ne 'x')",
    "A has 'x'",
    'A eq B',
    'A eq null',
    'A = 1',
    "A eq 'x",
    'A EQ 1',
  ],
  rsql: ['', 'word', 'a==1,b==2', '(a==1)', 'a=in=(1,2)', 'a=1', 'a==x*', 'a==1;', 'a==', 'a eq 1'],
};

describe.each(filterLanguages)('the language $id', ({ id, write, both, read, invalid }) => {
  test.each(understood[id] ?? [])('understands %s', (text, comparisons) => {
    expect(read(text)).toEqual(comparisons);
  });

  test.each((left[id] ?? []).map((text) => [text]))('leaves «%s» alone', (text) => {
    expect(read(text)).toBeUndefined();
  });

  test('reads what it writes', () => {
    const value = fc.oneof(
      fc.string({ unit: 'grapheme' }),
      fc.constantFrom(
        "O'Neil",
        'a"b',
        'x AND y',
        'a,b;c',
        '(x)',
        'a==b',
        '5',
        'true',
        '2026-01-01',
      ),
      fc.integer(),
      fc.double({ noNaN: true }),
      fc.bigInt(),
      fc.boolean(),
    );
    const comparison = fc.record({
      field: fc.constantFrom('a', 'owner.name', 'created_at'),
      op: fc.constantFrom<Operator>('eq', 'ne', 'lt', 'le', 'gt', 'ge', 'has'),
      value,
    });
    fc.assert(
      fc.property(comparison, comparison, (one, other) => {
        const texts = [one, other].map((each) => write(each));
        const [first, second] = texts;
        if (first === undefined || second === undefined) return;
        expect(read(both(first, second))?.map(spelled)).toEqual([one, other].map(spelled));
      }),
    );
  });

  test.each(invalid.map((text) => [text]))('does not take «%s» for an expression', (text) => {
    expect(read(text)).toBeUndefined();
  });
});

/** RSQL and AIP-160 write the text `5` and the number 5 alike where no quotes are needed. */
function spelled({ field, op, value }: Comparison): string {
  return `${field} ${op} ${String(value)}`;
}

describe('a value', () => {
  test.each([
    ['a moment without quotes in OData', 'odata-filter', 'date-time', '2026-01-02T03:04:05Z'],
    ['a day without quotes in OData', 'odata-filter', 'date', '2026-01-02'],
    ['a text that looks like a day in quotes in OData', 'odata-filter', '', "'2026-01-02'"],
    ['a moment in quotes in AIP-160', 'aip-160', 'date-time', '"2026-01-02T03:04:05Z"'],
  ])('is written: %s', (_, id, format, written) => {
    const value = written.replaceAll(/["']/g, '');
    expect(
      language(id).write({ field: 'a', op: 'eq', value, format })?.slice(-written.length),
    ).toBe(written);
  });

  test.each([
    ['aip-160', 'x*'],
    ['aip-160', 'say "no"'],
    ['rsql', 'x*'],
    ['odata-filter', 'line\nbreak'],
    ['odata-filter', ''],
    ['rsql', null],
    ['aip-160', ['x']],
    ['odata-filter', 1e300],
  ] as const)('in %s is not written: %j', (id, value) => {
    expect(language(id).write({ field: 'a', op: 'eq', value })).toBeUndefined();
  });

  test('of a field with an odd name is not written', () => {
    for (const { write } of filterLanguages)
      expect(write({ field: 'a b', op: 'eq', value: 1 })).toBeUndefined();
  });
});
