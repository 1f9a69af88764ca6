import { describe, expect, test } from 'vitest';
import { judgeCriterion } from '../../src/arazzo/criterion.ts';
import { emptyScope, type Scope } from '../../src/arazzo/expression.ts';
import type { Criterion } from '../../src/arazzo/model.ts';
import { readCriterion } from '../../src/arazzo/read-step.ts';
import { VouchError } from '../../src/errors.ts';
import type { JsonValue } from '../../src/json/value.ts';

const body: JsonValue = {
  id: 7,
  name: 'Rex',
  state: 'SOLD',
  price: '12.5',
  none: null,
  zero: 0,
  big: 9007199254740993n,
  tags: ['a', 'b'],
  items: [{ sku: 'x', count: 2 }],
};

const scope: Scope = {
  ...emptyScope,
  inputs: new Map([
    ['limit', { value: 5 }],
    ['state', { value: 'SOLD' }],
    ['pattern', { value: '(a+)+$' }],
  ]),
  steps: new Map([['create', new Map([['id', { value: 7 }]])]]),
  facts: {
    url: 'http://127.0.0.1/items/7?q=1',
    method: 'GET',
    request: { headers: [], query: [['q', '1']], path: new Map([['id', '7']]), body: undefined },
    response: { status: 200, headers: [['Content-Type', 'application/json']], body },
  },
};

function criterion(given: Record<string, JsonValue>): Criterion {
  return readCriterion(given, '', (_at, message) => new VouchError('workflow-invalid', message));
}

describe('simple conditions', () => {
  test.each([
    ['$statusCode == 200', true],
    ['$statusCode != 200', false],
    ["$statusCode == '200'", true],
    ['$statusCode >= 200 && $statusCode < 300', true],
    ['$statusCode == 404 || $statusCode == 200', true],
    ['!($statusCode == 404)', true],
    ["$response.body#/name == 'rex'", true],
    ["$response.body#/name == 'it''s'", false],
    ['$response.body#/price > 12', true],
    ['$response.body.items[0].count == 2', true],
    ['$response.body.tags.length == 2', true],
    ["$response.body.items[0]['sku'] == 'x'", true],
    ['$response.body#/none == null', true],
    ['$response.body#/missing == null', true],
    ['$response.body#/zero == null', false],
    ['$response.body#/missing != null', false],
    ['$response.body#/name > 5', false],
    ['$response.body#/zero', false],
    ['$response.body#/big == 9007199254740992', false],
    ['$steps.create.outputs.id == $response.body#/id', true],
    ['$inputs.limit > $statusCode', false],
    ["$response.header.content-type == 'application/json'", true],
    ["$method == 'get'", true],
    ['1 == 1 || ($statusCode == 1 && !true)', true],
    ['$response.body#/__proto__ == null', true],
  ])('%s is %s', (condition, expected) => {
    expect(judgeCriterion(criterion({ condition }), scope).holds).toBe(expected);
  });

  test('a condition that fails shows the values of its expressions', () => {
    const failed = criterion({ condition: '$statusCode == 404 && $response.body#/nope == 1' });
    expect(judgeCriterion(failed, scope)).toEqual({
      holds: false,
      seen: '$statusCode is 200 and $response.body#/nope has no value',
    });
  });
});

describe('patterns and queries', () => {
  test.each([
    ['regex', '$statusCode', '^2\\d{2}$', true],
    ['regex', '$response.body#/state', '^({$inputs.state})$', true],
    ['regex', '$response.body#/missing', '.*', false],
    ['jsonpath', '$response.body', '$.items[?@.count > 1]', true],
    ['jsonpath', '$response.body', '$.items[?@.count > 2]', false],
    ['jsonpath', '$response.body', "$[?@ == '{$inputs.state}']", true],
    ['jsonpath', '$response.body', "$.state == 'SOLD'", true],
    ['jsonpath', '$response.body', '$.state == null', false],
    ['jsonpath', '$response.body#/tags', '$[1]', true],
    ['jsonpath', '$response.body#/missing', '$', false],
    ['xpath', '$response.body', 'count(/items) > 0', false],
  ])('%s on %s: %s is %s', (type, context, condition, expected) => {
    expect(judgeCriterion(criterion({ type, context, condition }), scope).holds).toBe(expected);
  });

  const long: Scope = {
    ...scope,
    facts: {
      ...(scope.facts as NonNullable<Scope['facts']>),
      response: {
        status: 200,
        headers: [],
        body: { text: `${'a'.repeat(60)}!`, list: Array.from({ length: 5_000 }, () => [[]]) },
      },
    },
  };

  test('a pattern that backtracks without end is decided all the same', () => {
    const pattern = criterion({
      type: 'regex',
      context: '$response.body#/text',
      condition: '^{$inputs.pattern}',
    });
    expect(judgeCriterion(pattern, long).holds).toBe(false);
  });

  test.each([
    ["$[?search(@, '^(a+)+$')]", 'selects nothing'],
    [`$.list${'[*,*,*,*,*,*]'.repeat(12)}`, 'selects nothing'],
    [`$.list[${'*,'.repeat(900)}*][*,*,*,*]`, 'is too much work for this value'],
    ['$..[?$..[?@ == 1]]', 'is too much work for this value'],
    ['$..[?$..[?$ == @]]', 'is too much work for this value'],
  ])('the query %s ends within its budget, and does not hold', (condition, reason) => {
    const query = criterion({ type: 'jsonpath', context: '$response.body', condition });
    const { holds, seen } = judgeCriterion(query, long);
    expect(holds).toBe(false);
    expect(seen).toContain(reason);
  });

  test('a pattern of a query with a look-ahead is refused as it is read', () => {
    const condition = "$[?search(@, '(?=a)a')]";
    expect(() => criterion({ type: 'jsonpath', context: '$response.body', condition })).toThrow(
      'which is not an I-Regexp (RFC 9485)',
    );
  });

  test('a pattern that only backtracking decides does not hold for a long text', () => {
    const pattern = criterion({
      type: 'regex',
      context: '$response.body#/text',
      condition: '^(?=(a|aa)+$)(a+)+$',
    });
    const { holds, seen } = judgeCriterion(pattern, long);
    expect(holds).toBe(false);
    expect(seen).toContain('is too much work for a text of this length');
  });
});
