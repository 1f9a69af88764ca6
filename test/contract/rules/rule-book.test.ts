import { describe, expect, test } from 'vitest';
import { parseContract } from '../../../src/contract/load.ts';
import type { Contract, Schema } from '../../../src/contract/model.ts';
import { VouchError } from '../../../src/errors.ts';

/** A contract of orders with lines; `rules` stand in the schema Order. */
function orders(rules: string, others = ''): Contract {
  return parse(`
openapi: 3.1.0
info: { title: Orders, version: '1' }
paths:
  /orders:
    get:
      operationId: listOrders
      parameters: [{ name: max, in: query, schema: { type: integer } }]
${others}
      responses:
        '200':
          description: ok
          content: { application/json: { schema: { $ref: '#/components/schemas/Page' } } }
components:
  schemas:
    Page:
      type: object
      properties:
        orders: { type: array, items: { $ref: '#/components/schemas/Special' } }
    Special:
      allOf: [{ $ref: '#/components/schemas/Order' }, { properties: { gift: { type: boolean } } }]
    Order:
      type: object
      properties:
        total: { type: string }
        count: { type: integer }
        ratio: { type: number }
        note: { type: string }
        lines: { type: array, items: { $ref: '#/components/schemas/Line' } }
${rules}
    Line:
      type: object
      properties: { amount: { type: string } }
`);
}

const totals = `
      x-vouch-rules:
        - { rule: 'self.total == decimal_sum(self.lines.map(l, l.amount))', says: The total. }
        - { rule: 'size(self.lines) == self.count' }`;

const parse = (text: string): Contract => parseContract(text, 'orders.yaml');

function pageOf(contract: Contract): Schema {
  const schema = contract.operations[0]?.responses[0]?.content[0]?.schema;
  if (schema === undefined) throw new Error('no schema');
  return schema;
}

const sound = { total: '3.00', count: 2, lines: [{ amount: '1' }, { amount: '2.0' }] };

function faultOf(make: () => unknown): VouchError {
  try {
    make();
  } catch (error) {
    if (error instanceof VouchError) return error;
    throw error;
  }
  throw new Error('nothing was thrown');
}

describe('the rules of a contract', () => {
  test('apply to every object of their schema, also through allOf', () => {
    const contract = orders(totals);
    const body = { orders: [sound, { ...sound, total: '4', count: 1 }] };
    const broken = contract.rules
      .judgeBody(pageOf(contract), body)
      .filter(({ outcome }) => outcome === 'broken');
    expect(broken.map(({ at, detail, rule }) => [at, detail, rule.says])).toEqual([
      ['/orders/1', 'total is "4", but would be 3', 'The total.'],
      ['/orders/1', 'count is 1, but would be 2', undefined],
    ]);
    expect(broken[0]?.rule.at).toBe('/components/schemas/Order/x-vouch-rules/0');
    expect(broken[0]?.rule.place.line).toBeGreaterThan(1);
  });

  test('are undecided for an object without the members that they read', () => {
    const contract = orders(totals);
    const judged = contract.rules.judgeBody(pageOf(contract), { orders: [{ total: '1' }] });
    expect(judged.map(({ outcome }) => outcome)).toEqual(['undecided', 'undecided']);
  });

  test('treat a number as a double and an integer as an integer', () => {
    const contract = orders(`
      x-vouch-rules: [{ rule: 'self.ratio / 2 == 1.5' }, { rule: 'self.count / 2 == 1' }]`);
    const judged = contract.rules.judgeBody(pageOf(contract), { orders: [{ ratio: 3, count: 3 }] });
    expect(judged.map(({ outcome }) => outcome)).toEqual(['kept', 'kept']);
  });

  test('compute members in the type of the member', () => {
    const contract = orders(totals);
    const { value, broken } = contract.rules.settle(pageOf(contract), {
      orders: [{ total: 'x', lines: [{ amount: '1.5' }, { amount: '1.75' }] }],
    });
    expect(value).toEqual({
      orders: [{ total: '3.25', count: 2, lines: [{ amount: '1.5' }, { amount: '1.75' }] }],
    });
    expect(broken).toEqual([]);
  });

  test('do not change the client’s values, and report the violation', () => {
    const contract = orders(totals);
    const schema = pageOf(contract);
    const body = { orders: [{ ...sound, total: '9' }] };
    const { value, broken } = contract.rules.settle(schema, body, { given: new Set(['orders']) });
    expect(value).toEqual(body);
    expect(broken.map(({ detail }) => detail)).toEqual(['total is "9", but would be 3']);
  });

  test('judge the successful exchanges of an operation', () => {
    const contract = orders(
      '',
      `      x-vouch-rules: [{ rule: 'size(response.body.orders) <= request.query.max' }]`,
    );
    const judge = (max: number, count: number): string | undefined =>
      contract.rules.judgeExchange(contract.operations[0] as never, {
        path: {},
        query: { max },
        requestBody: undefined,
        status: 200,
        body: { orders: Array.from({ length: count }, () => sound) },
        schema: pageOf(contract),
      })[0]?.outcome;
    expect([judge(2, 2), judge(1, 2)]).toEqual(['kept', 'broken']);
  });

  test.each([
    ['text that is no CEL', `[{ rule: 'self.total ==' }]`, /not valid CEL: Unexpected token/],
    ['a variable that does not exist', `[{ rule: 'order.total == 1' }]`, /Unknown variable: order/],
    ['a member that the schema lacks', `[{ rule: 'self.totl == "1"' }]`, /reads self\.totl/],
    ['a value that is no list', `{ rule: 'true' }`, /not a list/],
    ['an entry without a rule', `[{ says: 'x' }]`, /no text "rule"/],
    ['an expression that is a number', `[{ rule: '1 + 1' }]`, /is int, not true or false/],
  ])('are refused with their place for %s', (_name, rules, message) => {
    const contract = orders(`      x-vouch-rules: ${rules}`);
    const error = faultOf(() => contract.rules);
    expect(error.message).toMatch(message);
    expect(error.code).toBe('contract-invalid');
    expect(error.place?.line).toBeGreaterThan(20);
    expect(error.frame).toContain('x-vouch-rules');
    expect(error.hint).toBeTruthy();
  });

  test('suggest the intended member', () => {
    const contract = orders(`      x-vouch-rules: [{ rule: 'self.totl == "1"' }]`);
    expect(faultOf(() => contract.rules).hint).toContain('total');
  });

  test('may come from a configuration that names a schema or an operation', () => {
    const contract = orders('');
    const fault = (pointer: string, message: string, hint?: string): VouchError =>
      new VouchError('config-invalid', `${pointer} ${message}`, hint === undefined ? {} : { hint });
    const withRules = (name: string) =>
      contract.rules.with({ statements: { [name]: [{ rule: '1 == 2' }] }, fault });
    expect(withRules('#/components/schemas/Order').all).toHaveLength(1);
    expect(withRules('GET /orders').all[0]?.operation?.id).toBe('listOrders');
    expect(withRules('listOrders').all[0]?.operation?.id).toBe('listOrders');
    expect(faultOf(() => withRules('#/components/schemas/Ordr')).hint).toBe(
      'Did you mean #/components/schemas/Order?',
    );
    expect(faultOf(() => withRules('GET /order')).hint).toContain('GET /orders');
  });

  test('are not evaluated for very large bodies', () => {
    const contract = orders(`
      x-vouch-rules: [{ rule: 'self.lines.all(a, self.lines.all(b, a.amount == b.amount))' }]`);
    const lines = Array.from({ length: 30_000 }, (_, index) => ({ amount: String(index) }));
    const [judged] = contract.rules.judgeBody(pageOf(contract), { orders: [{ lines }] });
    expect(judged).toMatchObject({ outcome: 'undecided', detail: 'the value is too large' });
  });

  test('share a budget for a body; a rule beyond it leaves the others their part', () => {
    const pairs = 'self.lines.all(a, self.lines.all(b, self.lines.all(c, a.amount != "x")))';
    const contract = orders(`
      x-vouch-rules:
        - { rule: '${pairs}' }
        - { rule: 'size(self.lines) == self.count' }`);
    const lines = Array.from({ length: 1_000 }, (_, index) => ({ amount: String(index) }));
    const body = { orders: [{ lines, count: 1_000 }, { lines, count: 1 }, sound] };
    const judged = contract.rules.judgeBody(pageOf(contract), body);
    expect(judged.map(({ at, outcome }) => `${at} ${outcome}`)).toEqual([
      '/orders/0 exceeded',
      '/orders/0 kept',
      '/orders/1 exceeded',
      '/orders/1 broken',
      '/orders/2 exceeded',
      '/orders/2 kept',
    ]);
    expect(judged[0]?.detail).toContain('is more work than one body may cause');
  });

  test('compute no member with more work than a body may cause', () => {
    const contract = orders(`
      x-vouch-rules:
        - rule: 'self.count == size(self.lines.map(a, self.lines.map(b, self.lines.map(c, 1))))'`);
    const lines = Array.from({ length: 1_000 }, (_, index) => ({ amount: String(index) }));
    const body = { orders: [{ lines, count: 7 }] };
    expect(contract.rules.settle(pageOf(contract), body)).toEqual({ value: body, broken: [] });
  });

  test.each([
    ['self.total', 'The rule is self.total, which is string, and not true or false.'],
    ['self.lines', 'The rule is self.lines, which is array, and not true or false.'],
    ['has(self.note) ? self.count : true', 'The rule is self.count, which is integer'],
    ['self.count + 1', 'it is a number, not true or false'],
  ])('are refused if they are never true or false: %s', (rule, message) => {
    const contract = orders(`      x-vouch-rules: [{ rule: '${rule}' }]`);
    const error = faultOf(() => contract.rules);
    expect(error.message).toContain(message);
    expect(error.place).toMatchObject({ file: 'orders.yaml', line: 30 });
  });

  test('are unfit if they are neither true nor false for a value', () => {
    const contract = orders(`      x-vouch-rules: [{ rule: 'self.lines[0].amount' }]`);
    const [judged] = contract.rules.judgeBody(pageOf(contract), { orders: [sound] });
    expect(judged).toMatchObject({ outcome: 'unfit', detail: 'is neither true nor false' });
  });
});
