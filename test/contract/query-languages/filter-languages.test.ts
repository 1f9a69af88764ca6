import { describe, expect, test } from 'vitest';
import { filterLanguage, filterLanguages } from '../../../src/contract/query-languages/index.ts';
import {
  conjunction,
  leavesOf,
  mapLeaves,
} from '../../../src/contract/query-languages/conditions.ts';
import type {
  Comparison,
  Condition,
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
    ["tolower(Name) eq 'milk'", [{ ...is('Name', 'eq', 'milk'), by: 'lower' }]],
    [
      "contains(toupper(Address/City),'RED')",
      [{ ...is('Address.City', 'contains', 'RED'), by: 'upper' }],
    ],
    ['length(Name) gt 3', [{ ...is('Name', 'gt', 3), by: 'length' }]],
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

const [a1, b2, c3] = [is('a', 'eq', 1), is('b', 'eq', 2), is('c', 'eq', 3)];

/** Texts with what they select: which joint binds more tightly differs. */
const joined: Readonly<Record<string, readonly [text: string, condition: Condition][]>> = {
  'aip-160': [
    ['a = 1 OR b = 2', { any: [a1, b2] }],
    ['a = 1 AND b = 2 OR c = 3', { all: [a1, { any: [b2, c3] }] }],
    ['(a = 1 AND b = 2) OR c = 3', { any: [{ all: [a1, b2] }, c3] }],
    ['a = 1 AND (b = 2 AND c = 3)', { all: [a1, { all: [b2, c3] }] }],
    ['(a = 1)', a1],
    ['NOT a = 1', { not: a1 }],
    ['-a = 1 AND b = 2', { all: [{ not: a1, as: 1 }, b2] }],
    ['NOT (a = 1 OR b = 2)', { not: { any: [a1, b2] } }],
    ['NOT -a = 1', { not: { not: a1, as: 1 } }],
    ['a = "*.foo"', is('a', 'ends', '.foo')],
    ['a = "x*"', is('a', 'starts', 'x')],
  ],
  'odata-filter': [
    ['a eq 1 or b eq 2', { any: [a1, b2] }],
    ['a eq 1 or b eq 2 and c eq 3', { any: [a1, { all: [b2, c3] }] }],
    ['(a eq 1 or b eq 2) and c eq 3', { all: [{ any: [a1, b2] }, c3] }],
    ['( a eq 1 ) and b eq 2', { all: [a1, b2] }],
    ['not (a eq 1)', { not: a1 }],
    ["not contains(Name,'x')", { not: is('Name', 'contains', 'x') }],
    ["startswith(Name,'it''s')", is('Name', 'starts', "it's")],
    ["endswith(Owner/Name, 'x')", is('Owner.Name', 'ends', 'x')],
    ['a eq null', is('a', 'eq', null)],
    ['a ne null or b eq 2', { any: [is('a', 'ne', null), b2] }],
  ],
  rsql: [
    ['a==1,b==2', { any: [a1, b2] }],
    ['a==1,b==2;c==3', { any: [a1, { all: [b2, c3] }] }],
    ['(a==1,b==2);c==3', { all: [{ any: [a1, b2] }, c3] }],
    ['a==x*', is('a', 'starts', 'x')],
    ['a=="*x y*"', is('a', 'contains', 'x y')],
  ],
};

const left: Readonly<Record<string, readonly string[]>> = {
  'aip-160': [
    '',
    'word',
    'a = 1 AND',
    'a = AND',
    'a = 1 OR',
    '(a = 1',
    'a = 1)',
    'NOT',
    'tags = ("x")',
    'a = "x*y"',
    'a = "*"',
    'a != "x*"',
    'a eq 1',
    'a==1',
    '5',
    'f(a) = 1',
    '((((((((((a = 1))))))))))',
  ],
  'odata-filter': [
    '',
    'word',
    'not A eq 1',
    'A eq 1 or',
    '(A eq 1',
    'A eq 1)',
    "contains(trim(A),'x')",
    'contains(A,5)',
    'contains(A)',
    'A add 1 eq 2',
    "A in ('x')",
    "A/any(t: t ne 'x')",
    "A has 'x'",
    'A eq B',
    'A lt null',
    'A = 1',
    "A eq 'x",
    'A EQ 1',
  ],
  rsql: ['', 'word', '(a==1', 'a==1,', 'a=in=(1,2)', 'a=1', 'a==x*y', 'a==1;', 'a==', 'a eq 1'],
};

describe.each(filterLanguages)('the language $id', ({ id, write, read, invalid, nots }) => {
  test.each(understood[id] ?? [])('understands %s', (text, comparisons) => {
    const condition = read(text);
    expect(condition && conjunction(condition)).toEqual(comparisons);
  });

  test.each(joined[id] ?? [])('reads and writes %s', (text, condition) => {
    expect(read(text)).toEqual(condition);
    expect(read(write(condition) ?? '')).toEqual(condition);
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
      op: fc.constantFrom<Operator>(
        ...(['eq', 'ne', 'lt', 'le', 'gt', 'ge', 'has', 'contains', 'starts', 'ends'] as const),
      ),
      value,
    });
    const written = comparison.filter((one) => write(one) !== undefined);
    const { tree } = fc.letrec<{ tree: Condition; joint: Condition; not: Condition }>((tie) => ({
      tree: fc.oneof({ maxDepth: 3, depthIdentifier: 'tree' }, written, tie('joint'), tie('not')),
      joint: fc
        .tuple(fc.constantFrom('all', 'any'), tie('tree'), tie('tree'))
        .map(([joint, one, other]): Condition =>
          joint === 'all' ? { all: [one, other] } : { any: [one, other] },
        ),
      not: tie('tree').map((one): Condition => (nots.length === 0 ? one : { not: one })),
    }));
    fc.assert(
      fc.property(tree, (condition) => {
        fc.pre(leavesOf(condition).length <= 20);
        const back = read(write(condition) ?? '');
        expect(back && mapLeaves(back, spelled)).toEqual(mapLeaves(condition, spelled));
      }),
    );
  });

  test.each(invalid.map((text) => [text]))('does not take «%s» for an expression', (text) => {
    expect(read(text)).toBeUndefined();
  });
});

/** RSQL and AIP-160 write the text `5` and the number 5 alike where no quotes are needed. */
function spelled({ field, op, value }: Comparison): { readonly field: string } {
  return { field: `${field} ${op} ${String(value)}` };
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
