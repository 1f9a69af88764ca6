import { describe, expect, test } from 'vitest';
import type { SchemaNode } from '../../src/contract/model.ts';
import { invalidTexts, readText } from '../../src/values/invalid-texts.ts';
import { makeSchema } from './make-schema.ts';

function texts(node: SchemaNode): string[] {
  return invalidTexts(makeSchema(node)).map(({ text }) => text);
}

describe('the texts that a parameter must refuse', () => {
  test.each<[string, SchemaNode, readonly string[]]>([
    [
      'integer',
      { type: 'integer', minimum: 1, maximum: 100 },
      ['0', '101', 'abc', 'NaN', '1.5', ''],
    ],
    [
      'int64',
      { type: 'integer', format: 'int64' },
      ['-9223372036854775809', '9223372036854775808', 'abc', 'NaN', '1.5', ''],
    ],
    ['number', { type: 'number', maximum: 1 }, ['1.01', 'abc', 'NaN', '']],
    ['boolean', { type: 'boolean' }, ['maybe', '']],
    ['enum', { type: 'string', enum: ['available', 'sold'] }, ['unlisted', 'AVAILABLE', '']],
    ['enum of numbers', { type: 'integer', enum: [1, 2] }, ['3', 'abc', 'NaN', '1.5', '']],
    ['format', { type: 'string', format: 'date' }, ['not-a-date', '2024-02-30', '2023-02-29', '']],
    [
      'array of an enum',
      { type: 'array', items: { type: 'string', enum: ['a', 'b'] } },
      ['unlisted', 'A'],
    ],
    [
      'array of integers',
      { type: 'array', minItems: 1, items: { type: 'integer' } },
      ['abc', 'NaN', '1.5', ''],
    ],
    ['any text', { type: 'string' }, []],
    ['text or number', { type: ['integer', 'string'] }, []],
    ['object', { type: 'object', properties: { a: { type: 'integer' } } }, []],
  ])('%s', (_what, node, expected) => {
    expect(texts(node)).toEqual(expected);
  });

  test('each has a label with its violation', () => {
    expect(invalidTexts(makeSchema({ type: 'integer', minimum: 1, maximum: 100 })))
      .toMatchInlineSnapshot(`
      [
        {
          "label": "is 0, below the minimum of 1",
          "pointer": "/minimum",
          "text": "0",
          "valueClass": "below-minimum",
        },
        {
          "label": "is 101, above the maximum of 100",
          "pointer": "/maximum",
          "text": "101",
          "valueClass": "above-maximum",
        },
        {
          "label": "is "abc", not of type integer",
          "pointer": "/type",
          "text": "abc",
          "valueClass": "wrong-type",
        },
        {
          "label": "is "NaN", not of type integer",
          "pointer": "/type",
          "text": "NaN",
          "valueClass": "wrong-type",
        },
        {
          "label": "is "1.5", not of type integer",
          "pointer": "/type",
          "text": "1.5",
          "valueClass": "fraction-for-integer",
        },
        {
          "label": "is empty",
          "pointer": "/type",
          "text": "",
          "valueClass": "empty-text",
        },
      ]
    `);
  });
});

test('a text is read as leniently as possible', () => {
  expect(['42', '+5', '1.0', '9007199254740993', 'yes', '', 'abc'].map(readText))
    .toMatchInlineSnapshot(`
    [
      [
        "42",
        42,
      ],
      [
        "+5",
        5,
      ],
      [
        "1.0",
        1,
      ],
      [
        "9007199254740993",
        9007199254740993n,
      ],
      [
        "yes",
        true,
      ],
      [
        "",
        null,
      ],
      [
        "abc",
      ],
    ]
  `);
});
