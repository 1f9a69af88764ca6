import { expect, test } from 'vitest';
import { codesIn } from '../../../src/check/plan/codes.ts';
import { inFormOf } from '../../../src/check/reading/identifiers.ts';
import { schemaOf } from '../../contract/content/schema-of.ts';

const texts = { coded: ['amount', 'number'], unique: [] };
const schema = schemaOf({
  type: 'object',
  properties: {
    amount: { type: 'string', pattern: String.raw`^(0|[1-9]\d*)\.\d{2}$` },
    number: { type: 'string', pattern: String.raw`^[1-9]\d{3}-[A-Z]{2}$` },
  },
});

test('an amount is no code: with other digits it may be too much', () => {
  const body = { schema, makesRecord: true, texts };
  expect(codesIn(body, { amount: '20.00', number: '2026-AB' }, undefined)).toEqual(['number']);
});

test('a text in the form of another one begins with no zero, unless that one does', () => {
  const none = '0'.repeat(64);
  expect(inFormOf('2026-AB', none)).toBe('1000-AA');
  expect(inFormOf('0026-ab', none)).toBe('0000-aa');
  expect(inFormOf('-15.00', none)).toBe('-10.00');
});
