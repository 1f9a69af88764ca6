import { describe, expect, test } from 'vitest';
import { type FormSpec, readForm, writeForm } from '../../../src/contract/content/form.ts';
import type { MemberEncoding } from '../../../src/contract/model.ts';
import type { JsonObject } from '../../../src/json/value.ts';
import { schemaOf } from './schema-of.ts';

const schema = schemaOf({
  type: 'object',
  properties: {
    name: { type: 'string' },
    age: { type: 'integer' },
    big: { type: 'integer', format: 'int64' },
    tags: { type: 'array', items: { type: 'string' } },
    sizes: { type: 'array', items: { type: 'integer' } },
    address: {
      type: 'object',
      properties: {
        city: { type: 'string' },
        floors: { type: 'array', items: { type: 'integer' } },
      },
    },
    items: {
      type: 'array',
      items: {
        type: 'object',
        properties: { price: { type: 'string' }, quantity: { type: 'integer' } },
      },
    },
    metadata: {
      anyOf: [
        { type: 'object', additionalProperties: { type: 'string' } },
        { type: 'string', enum: [''] },
      ],
    },
    ok: { type: 'boolean' },
    'a[b]': { type: 'string' },
  },
});

function read(text: string, encoding: Record<string, MemberEncoding> = {}): unknown {
  const result = readForm(text, { schema, encoding: new Map(Object.entries(encoding)) });
  return result.ok ? result.value : `${result.member ?? ''} ${result.message}`.trim();
}

describe('a form is read by its schema:', () => {
  test.each<[text: string, value: unknown]>([
    ['name=A+b%26c&age=5&ok=true', { name: 'A b&c', age: 5, ok: true }],
    ['big=9007199254740993', { big: 9007199254740993n }],
    ['tags=a&tags=b', { tags: ['a', 'b'] }],
    ['tags=a', { tags: ['a'] }],
    ['tags[]=a&tags[]=b', { tags: ['a', 'b'] }],
    ['sizes[1]=2&sizes[0]=1', { sizes: [1, 2] }],
    ['sizes=[1,2]', { sizes: [1, 2] }],
    ['address[city]=Graz&address[floors][]=1', { address: { city: 'Graz', floors: [1] } }],
    ['address={"city":"Graz"}', { address: { city: 'Graz' } }],
    [
      'items[0][price]=p1&items[0][quantity]=2&items[1][price]=p2',
      { items: [{ price: 'p1', quantity: 2 }, { price: 'p2' }] },
    ],
    ['metadata[a]=1&metadata[b]=', { metadata: { a: '1', b: '' } }],
    ['metadata=', { metadata: '' }],
    ['a[b]=1', { 'a[b]': '1' }],
    ['other=5&more=a&more=b', { other: '5', more: ['a', 'b'] }],
    ['other[x]=5', { other: { x: '5' } }],
    ['constructor=1&toString=2', { constructor: '1', toString: '2' }],
    ['', {}],
  ])('%s', (text, value) => {
    expect(read(text)).toEqual(value);
  });

  test.each<[text: string, says: string]>([
    ['age=abc', 'age must be an integer, but is `abc`'],
    ['age=1&age=2', 'age is given 2 times'],
    ['sizes=1&sizes=x', 'sizes holds item 2, which must be an integer, but is `x`'],
    [
      'items[0][quantity]=x',
      'items holds item 1, which holds `quantity`, which must be an integer, but is `x`',
    ],
    ['name[a]=1', 'name has members in brackets, but is not an object'],
    ['address=x&address[city]=y', 'address is given both as a value and by its members'],
    ['__proto__=1', '__proto__ has a name that is not allowed'],
    ['address[__proto__][x]=1', 'address[__proto__][x] has a name that is not allowed'],
    [
      `address${'[a]'.repeat(40)}=1`,
      `address${'[a]'.repeat(40)} has unbalanced or too many brackets`,
    ],
    ['address[city=1', 'address[city has unbalanced or too many brackets'],
    ['name=%zz', 'The form in the body holds a broken percent-escape.'],
    ['x&'.repeat(10_001), 'The form in the body has 10001 fields; more than 10000 are not read.'],
  ])('%s is refused', (text, says) => {
    expect(read(text)).toBe(says);
  });

  test.each<[text: string, encoding: MemberEncoding, value: unknown]>([
    ['tags=a,b', { explode: false }, { tags: ['a', 'b'] }],
    ['tags=a%20b', { style: 'spaceDelimited' }, { tags: ['a', 'b'] }],
    ['tags=a|b', { style: 'pipeDelimited', explode: false }, { tags: ['a', 'b'] }],
    ['tags=', { explode: false }, { tags: [] }],
    ['tags=["a","b"]', { contentType: 'application/json' }, { tags: ['a', 'b'] }],
  ])('%s as its encoding has it', (text, encoding, value) => {
    expect(read(text, { tags: encoding })).toEqual(value);
  });

  test.each<[text: string, encoding: Record<string, MemberEncoding>, value: unknown]>([
    [
      'address={"city":"Graz"}',
      { address: { style: 'deepObject', explode: true } },
      { address: { city: 'Graz' } },
    ],
    ['sizes=[1,2]', { sizes: { style: 'form' } }, { sizes: [1, 2] }],
    ['sizes=[1,2]', { sizes: { style: 'form', explode: true } }, { sizes: [1, 2] }],
  ])(
    '%s as plainly as without an encoding, where that says nothing else',
    (text, encoding, value) => {
      expect(read(text, encoding)).toEqual(value);
    },
  );
});

describe('a written form is parsed back to the same value', () => {
  const value: JsonObject = {
    name: 'A b&c=d',
    age: 5,
    tags: ['x,y', 'z|'],
    address: { city: 'Graz', floors: [1, 2] },
    items: [
      { price: 'p', quantity: 1 },
      { price: 'q', quantity: 2 },
    ],
  };
  const deep: Record<string, MemberEncoding> = {
    address: { style: 'deepObject', explode: true },
    items: { style: 'deepObject', explode: true },
  };
  test.each<[name: string, encoding: Record<string, MemberEncoding>]>([
    ['plain', {}],
    ['nested in brackets', deep],
    [
      'as JSON',
      { address: { contentType: 'application/json' }, items: { contentType: 'application/json' } },
    ],
    ['with commas', { tags: { explode: false } }],
  ])('%s', (_name, encoding) => {
    const spec: FormSpec = { schema, encoding: new Map(Object.entries(encoding)) };
    expect(readForm(writeForm(value, spec), spec)).toEqual({ ok: true, value });
  });
});
