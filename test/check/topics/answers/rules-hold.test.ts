import { describe, expect, test } from 'vitest';
import { rulesHold } from '../../../../src/check/topics/answers/rules-hold.ts';
import { readEffectRules } from '../../../../src/check/model/effect-rules.ts';
import type { Case } from '../../../../src/check/model/case.ts';
import { makePlan } from '../../../../src/check/engine/plan/plan-run.ts';
import type { Contract } from '../../../../src/contract/model.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../../../../src/json/value.ts';
import { jsonContent, makeContract } from '../../../contract/make-contract.ts';
import { talk, type Said } from '../../fixture/talk.ts';

const money = { type: 'string', pattern: '^\\d{1,3}\\.\\d{2}$' };
const ok = (schema: JsonValue): JsonObject => ({
  200: { description: 'ok', ...jsonContent(schema) },
});
const id = { name: 'id', in: 'path', required: true, schema: { type: 'string' } };

function ordersWith(rules: JsonValue, operationRules: JsonValue = []): Contract {
  const order = { $ref: '#/components/schemas/Order' };
  const customer = { type: 'object', properties: { id: { type: 'string' } } };
  return makeContract({
    paths: {
      '/orders': {
        get: { operationId: 'listOrders', responses: ok({ type: 'array', items: order }) },
        post: {
          operationId: 'createOrder',
          requestBody: { required: true, ...jsonContent(order) },
          responses: ok(order),
        },
      },
      '/orders/{id}': {
        parameters: [id],
        get: { operationId: 'getOrder', 'x-vouch-rules': operationRules, responses: ok(order) },
      },
      '/customers': {
        get: { operationId: 'listCustomers', responses: ok({ type: 'array', items: customer }) },
      },
      '/customers/{id}': {
        parameters: [id],
        get: { operationId: 'getCustomer', responses: ok(customer) },
      },
    },
    components: {
      schemas: {
        Order: {
          type: 'object',
          required: ['total', 'lines', 'from', 'to'],
          properties: {
            id: { type: 'string', readOnly: true },
            total: money,
            customer: { type: 'string' },
            from: { type: 'string', format: 'date' },
            to: { type: 'string', format: 'date' },
            lines: { type: 'array', maxItems: 3, items: { properties: { amount: money } } },
          },
          'x-vouch-rules': rules,
        },
      },
    },
  });
}

const sumRule = {
  rule: 'self.total == decimal_sum(self.lines.map(l, l.amount))',
  says: 'The total is the sum of the lines.',
};
const dateRule = { rule: 'date(self.from) <= date(self.to)' };

function told(contract: Contract, ...said: readonly Said[]): readonly string[] | undefined {
  return rulesHold
    .inspect(talk(contract, said))
    ?.map(({ at, message, actual }) => `${at} ${message} ${actual}`);
}

const sound = { id: 'a', total: '3.50', lines: [{ amount: '1.25' }, { amount: '2.25' }] };

describe('rules-hold', () => {
  const contract = ordersWith([sumRule]);

  test('names the rule, the place and both values', () => {
    expect(
      told(contract, { ask: 'GET /orders', answer: [sound, { ...sound, total: '3.51' }] }),
    ).toEqual([
      '/components/schemas/Order/x-vouch-rules/0 The value at /1 of the 200 response breaks the ' +
        'rule: The total is the sum of the lines. total is "3.51", but would be 3.5',
    ]);
  });

  test('reports nothing for values that conform, lack the members or are error responses', () => {
    expect(told(contract, { ask: 'GET /orders', answer: [sound] })).toEqual([]);
    expect(told(contract, { ask: 'GET /orders', answer: [{ total: '1.00' }] })).toEqual([]);
    expect(
      told(contract, { ask: 'GET /orders/a', status: 500, answer: { ...sound, total: '9.00' } }),
    ).toBeUndefined();
  });

  test('reports a rule once for a response with many invalid records', () => {
    const answer = Array.from({ length: 40 }, () => ({ ...sound, total: '0.00' }));
    expect(told(contract, { ask: 'GET /orders', answer })).toHaveLength(1);
  });

  test('does not apply to a contract without rules', () => {
    expect(told(ordersWith([]), { ask: 'GET /orders', answer: [sound] })).toBeUndefined();
  });

  test('compares a reference with the identifiers of a list that has no pages', () => {
    const references = ordersWith([{ rule: 'self.customer in ids("customers")' }]);
    const customers: Said = { ask: 'GET /customers', answer: [{ id: 'c1' }, { id: 'c2' }] };
    const order = (customer: string): Said => ({ ask: 'GET /orders/a', answer: { customer } });
    expect(told(references, customers, order('c2'))).toEqual([]);
    expect(told(references, customers, order('c3'))).toHaveLength(1);
    // Without the list nothing is known of the identifiers.
    expect(told(references, order('c3'))).toEqual([]);
  });

  test('judges an operation by its path and its response', () => {
    const reads = ordersWith([], [{ rule: 'response.body.id == request.path.id' }]);
    expect(told(reads, { ask: 'GET /orders/a', answer: sound })).toEqual([]);
    expect(told(reads, { ask: 'GET /orders/b', answer: sound })).toHaveLength(1);
  });
});

describe('a rule that cannot judge', () => {
  const unfit = (contract: Contract, answer: JsonValue) =>
    rulesHold
      .inspect(talk(contract, [{ ask: 'GET /orders', answer }]))
      ?.map(({ at, severity, blame, message }) => [at, severity, blame, message]);
  const place = '/components/schemas/Order/x-vouch-rules/0';

  test('is a note at its place, once, if it is too much work, and accuses no server', () => {
    const pairs = 'self.lines.all(a, self.lines.all(b, self.lines.all(c, a.amount == "1.00")))';
    const lines = Array.from({ length: 500 }, () => ({ amount: '1.00' }));
    expect(unfit(ordersWith([{ rule: pairs }, sumRule]), [{ ...sound, lines }, sound])).toEqual([
      [`${place.slice(0, -1)}1`, undefined, undefined, expect.stringContaining('The total is')],
      [place, 'note', 'contract', expect.stringContaining('is more work than one body may cause')],
    ]);
  });

  test('is an error at its place if it is neither true nor false', () => {
    expect(unfit(ordersWith([{ rule: 'self.lines[0].amount' }]), [sound, sound])).toEqual([
      [place, 'error', 'contract', expect.stringContaining('is neither true nor false')],
    ]);
  });
});

describe('the plan of a contract with rules', () => {
  const contract = ordersWith([sumRule, dateRule]);
  const plan = makePlan({
    contract,
    mode: 'read-write',
    seed: 'rules',
    runId: 'vouch-rules',
    today: '2026-01-01',
    rules: readEffectRules(contract, {}),
    skips: [],
    missingServer: () => undefined,
  });
  const creates = plan.stages
    .flatMap(({ sequences }) => sequences)
    .flatMap(({ cases }) => cases)
    .filter(({ operation }) => operation.id === 'createOrder');
  const bodyOf = ({ request: { body } }: Case): JsonValue =>
    body?.kind === 'json' ? body.value : null;
  const isSound = (body: JsonValue): boolean =>
    isJsonObject(body) &&
    body['total'] !== undefined &&
    String(body['from']) <= String(body['to']) &&
    Math.round(Number(body['total']) * 100) ===
      [body['lines'] ?? []]
        .flat()
        .reduce(
          (sum: number, line) =>
            sum + Math.round(Number(isJsonObject(line) ? line['amount'] : Number.NaN) * 100),
          0,
        );

  test('sends plain bodies that keep every rule', () => {
    const plain = creates.filter(
      ({ intent }) => intent.kind === 'valid' && intent.rigour === 'plain',
    );
    expect(plain.length).toBeGreaterThan(3);
    for (const one of plain) {
      const judged = contract.rules.judgeBody(
        contract.operations[1]?.requestBody?.content[0]?.schema as never,
        bodyOf(one),
      );
      expect(judged.filter(({ outcome }) => outcome === 'broken')).toEqual([]);
    }
    expect(plain.some((one) => isSound(bodyOf(one)))).toBe(true);
  });

  test('expects a refusal for a body that varies one member and so breaks a rule', () => {
    const broken = creates.filter(({ request: { body }, phase }) => {
      const value = body?.kind === 'json' ? body.value : null;
      return (
        phase !== 'negative' &&
        isJsonObject(value) &&
        /^\d{4}-/.test(String(value['from'])) &&
        /^\d{4}-/.test(String(value['to'])) &&
        String(value['from']) > String(value['to'])
      );
    });
    expect(broken.length).toBeGreaterThan(0);
    expect(broken.map(({ intent }) => intent.kind)).not.toContain('valid');
  });
});
