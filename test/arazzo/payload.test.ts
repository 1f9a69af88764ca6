import { describe, expect, test } from 'vitest';
import { emptyScope, type Scope } from '../../src/arazzo/expression.ts';
import { fillBody, fillValue } from '../../src/arazzo/payload.ts';
import type { JsonValue } from '../../src/json/value.ts';

const origin = { step: 'one/create', expression: '$response.body' };
const scope: Scope = {
  ...emptyScope,
  inputs: new Map<string, { value: JsonValue }>([
    ['id', { value: 5 }],
    ['name', { value: 'Rex "the" dog' }],
    ['list', { value: [1, 2] }],
    ['customer.vip', { value: true }],
    ['customer', { value: { name: 'Ann' } }],
  ]),
  steps: new Map([['create', new Map([['pet', { value: { id: 7, tags: ['a'] }, origin }]])]]),
};

describe('values with expressions', () => {
  test.each([
    ['$inputs.id', 5],
    ['$inputs.customer.name', 'Ann'],
    ['$inputs.customer.vip', true],
    ['$inputs.customer#/name', 'Ann'],
    ['id-{$inputs.id}-{$inputs.list}', 'id-5-[1,2]'],
    ['$5.00', '$5.00'],
    ['{not an expression}', '{not an expression}'],
    [{ a: ['$inputs.id', { b: '$steps.create.outputs.pet#/id' }] }, { a: [5, { b: 7 }] }],
    [{ context: '$steps.create.outputs.pet', selector: '$.tags[0]', type: 'jsonpath' }, 'a'],
    [
      {
        context: '$steps.create.outputs.pet',
        selector: '/id',
        type: { type: 'jsonpointer', version: 'rfc6901' },
      },
      7,
    ],
  ] as const)('%j becomes %j', (value, expected) => {
    expect(fillValue(value, scope)).toMatchObject({ kind: 'filled', filled: { value: expected } });
  });

  test('the origin of a value is the place in the exchange that showed it', () => {
    expect(fillValue({ pet: '$steps.create.outputs.pet#/id' }, scope)).toMatchObject({
      filled: {
        traces: [{ at: '/pet', origin: { step: 'one/create', expression: '$response.body#/id' } }],
      },
    });
  });

  test('a member for an input that was not given is left out', () => {
    expect(fillValue({ id: '$inputs.id', coupon: '$inputs.coupon' }, scope)).toMatchObject({
      filled: { value: { id: 5 } },
    });
  });

  test('an output that its step did not have is missing', () => {
    expect(fillValue({ id: '$steps.create.outputs.order' }, scope)).toEqual({
      kind: 'missing',
      expression: '$steps.create.outputs.order',
    });
  });
});

describe('bodies', () => {
  const body = { replacements: [], pointer: '' };

  test('in a JSON text, an expression that is a whole text keeps its type', () => {
    const payload = '{ "id": "{$inputs.id}", "list": "{$inputs.list}", "name": "{$inputs.name}" }';
    expect(fillBody({ ...body, payload }, 'application/json', scope)).toMatchObject({
      filled: { value: { id: 5, list: [1, 2], name: 'Rex "the" dog' } },
    });
  });

  test('another text is filled in as it is', () => {
    const payload = '<pet><id>{$inputs.id}</id></pet>';
    expect(fillBody({ ...body, payload }, 'application/xml', scope)).toMatchObject({
      filled: { value: '<pet><id>5</id></pet>' },
    });
  });

  test('replacements set values at pointers and queries, also new members', () => {
    const replacements = [
      { target: '/a/b', by: 'jsonpointer', value: '$inputs.id', pointer: '' },
      { target: '/list/-', by: 'jsonpointer', value: 3, pointer: '' },
      { target: '$.items[?@.sku == "x"].count', by: 'jsonpath', value: 9, pointer: '' },
      { target: '/__proto__', by: 'jsonpointer', value: 1, pointer: '' },
    ] as const;
    const payload = {
      a: {},
      list: [1],
      items: [
        { sku: 'x', count: 1 },
        { sku: 'y', count: 1 },
      ],
    };
    const filled = fillBody({ replacements, payload, pointer: '' }, 'application/json', scope);
    const { value } = (filled as Extract<typeof filled, { kind: 'filled' }>).filled;
    expect(JSON.stringify(value)).toBe(
      '{"a":{"b":5},"list":[1,3],"items":[{"sku":"x","count":9},{"sku":"y","count":1}],' +
        '"__proto__":1}',
    );
    expect(({} as Record<string, unknown>)['a']).toBeUndefined();
  });

  test('a replacement whose target selects nothing is missing', () => {
    const replacements = [{ target: '$.x', by: 'jsonpath', value: 1, pointer: '' }] as const;
    expect(fillBody({ replacements, payload: {}, pointer: '' }, 'application/json', scope)).toEqual(
      {
        kind: 'missing',
        expression: 'the target $.x of a replacement',
      },
    );
  });
});
