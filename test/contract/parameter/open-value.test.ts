import { expect, test } from 'vitest';
import { decodeParameter } from '../../../src/contract/parameter/decode-parameter.ts';
import type { ParameterForm } from '../../../src/contract/parameter/parameter-form.ts';
import type { SchemaNode } from '../../../src/contract/model.ts';
import { makeParameter } from './make-parameter.ts';

const open: SchemaNode = {};
const either: SchemaNode = { type: ['string', 'array'], items: { type: 'string' } };

test.each<[SchemaNode, Partial<ParameterForm>, string, unknown]>([
  [open, { in: 'query' }, 'a,b', 'a,b'],
  [open, { in: 'query' }, 'a&color=b', ['a', 'b']],
  [open, { in: 'query', explode: false }, 'a,b', 'a,b'],
  [open, { in: 'header', explode: true }, 'a,b', 'a,b'],
  [open, { in: 'path', explode: true }, 'a,b', 'a,b'],
  [either, { in: 'query' }, 'a', 'a'],
  [either, { in: 'query' }, 'a&color=b', ['a', 'b']],
  [either, { in: 'query', explode: false }, 'a,b', ['a', 'b']],
  [either, { in: 'header' }, 'a,b', ['a', 'b']],
  [either, { in: 'path' }, 'a,b', ['a', 'b']],
])('%j, %j: %s is %j', (schema, changes, text, value) => {
  const form = makeParameter(schema, changes);
  const wire = {
    path: new Map(form.in === 'path' ? [['color', text]] : []),
    rawQuery: form.in === 'query' ? `color=${text}` : '',
    headers: form.in === 'header' ? [['color', text] as const] : [],
  };
  expect(decodeParameter(form, wire)).toEqual({ kind: 'value', value });
});

test('a repeated cookie without a type is a list', () => {
  const form = makeParameter(open, { in: 'cookie' });
  expect(
    decodeParameter(form, {
      path: new Map(),
      rawQuery: '',
      headers: [['Cookie', 'color=a; color=b']],
    }),
  ).toEqual({ kind: 'value', value: ['a', 'b'] });
});
