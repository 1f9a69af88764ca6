import { describe, expect, test } from 'vitest';
import { parseXml } from '../../../src/contract/content/parse-xml.ts';
import { readXml } from '../../../src/contract/content/read-xml.ts';
import { writeXml } from '../../../src/contract/content/write-xml.ts';
import type { JsonObject, JsonValue } from '../../../src/json/value.ts';
import { schemaOf } from './schema-of.ts';

const order: JsonObject = {
  type: 'object',
  xml: { name: 'order', prefix: 'o', namespace: 'urn:orders' },
  required: ['lines'],
  properties: {
    id: { type: 'integer', xml: { attribute: true } },
    paid: { type: 'boolean', xml: { attribute: true, name: 'is-paid' } },
    note: { type: ['string', 'null'] },
    total: { type: 'number', xml: { name: 'sum', prefix: 'o' } },
    tags: {
      type: 'array',
      xml: { wrapped: true },
      items: { type: 'string', xml: { name: 'tag' } },
    },
    lines: {
      type: 'array',
      items: {
        type: 'object',
        xml: { name: 'line' },
        properties: { sku: { type: 'string' }, count: { type: 'integer' } },
      },
    },
    codes: { type: 'array', items: { type: 'integer' } },
    buyer: { type: 'object', properties: { name: { type: 'string' }, age: { type: 'integer' } } },
  },
};

describe('written XML is parsed back to the same value', () => {
  test.each<[string, JsonObject, JsonValue]>([
    [
      'an object with everything in it',
      order,
      {
        id: 7,
        paid: true,
        note: 'a < b & "c"',
        total: 1.5,
        tags: ['x', 'y'],
        lines: [
          { sku: '1', count: 2 },
          { sku: '2', count: 3 },
        ],
        codes: [1, 2],
        buyer: { name: ' Ada ', age: 36 },
      },
    ],
    ['an array with nothing in it', order, { tags: [], lines: [] }],
    ['integers that no double holds', order, { id: 9007199254740993n, lines: [] }],
    [
      'the text of an element',
      {
        type: 'object',
        properties: {
          id: { type: 'integer', xml: { attribute: true } },
          text: { type: 'string', xml: { nodeType: 'text' } },
        },
      },
      { id: 1, text: 'says this' },
    ],
    [
      'an array',
      { type: 'array', items: { type: 'object', properties: { a: { type: 'integer' } } } },
      [{ a: 1 }, { a: 2 }],
    ],
    ['a number', { type: 'number', xml: { name: 'price' } }, 3.5],
    ['a map', { type: 'object', additionalProperties: { type: 'integer' } }, { a: 1, b: 2 }],
  ])('%s', (_name, node, value) => {
    const schema = schemaOf(node);
    expect(readXml(writeXml(value, schema), schema)).toEqual({ ok: true, value, sure: true });
  });
});

describe('a document of another author', () => {
  const read = (text: string): unknown => {
    const reading = readXml(text, schemaOf(order));
    return reading.ok
      ? reading.value
      : [reading.member, reading.message].filter((part) => part !== undefined).join(' ');
  };

  test.each<[string, string, unknown]>([
    [
      'other prefixes',
      '<order xmlns="urn:orders" id="1"><x:sum xmlns:x="urn:orders">2</x:sum></order>',
      { id: 1, total: 2, lines: [] },
    ],
    [
      'comments, instructions and CDATA',
      '<?xml version="1.0"?><!-- a --><order><?go?><note>a<![CDATA[<b>&' +
        'amp;]]>c<!-- d --></note></order>\n',
      { note: 'a<b>&amp;c', lines: [] },
    ],
    [
      'characters by number and by name',
      '<order><note>&#65;&#x1F600;&lt;&apos;</note></order>',
      { note: "A😀<'", lines: [] },
    ],
    [
      'white space around what is no text',
      "<order id = '5' ><sum>\n 2 </sum></order>",
      { id: 5, total: 2, lines: [] },
    ],
    [
      'null',
      '<order xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance"><note xsi:nil="true"/></order>',
      { note: null, lines: [] },
    ],
    [
      'members that nobody declared',
      '<order extra="1"><more><a>1</a><a>2</a></more></order>',
      { extra: '1', more: { a: ['1', '2'] }, lines: [] },
    ],
    [
      'a wrong number',
      '<order><line><count>many</count></line></order>',
      'lines[0].count must be an integer, but is `many`',
    ],
    [
      'a member twice',
      '<order><sum>1</sum><sum>2</sum></order>',
      'total must occur once, but occurs 2 times',
    ],
    ['another root', '<invoice/>', 'must have the root element `order`, but has `invoice`'],
    [
      'no end',
      '<order>\n<note>',
      'is not well-formed XML: missing end tag for element note (line 2, column 7)',
    ],
    [
      'an end of something else',
      '<order><note></order>',
      'is not well-formed XML: missing end tag for element note (line 1, column 14)',
    ],
    [
      'an entity of its own',
      '<order>&nbsp;</order>',
      "is not well-formed XML: named entity isn't defined: &nbsp; (line 1, column 8)",
    ],
    [
      'a document type',
      '<!DOCTYPE order><order/>',
      'is not well-formed XML: a document type is not accepted',
    ],
    [
      'a document type with entities',
      '<!DOCTYPE order [<!ENTITY a "aaaa">]><order>&a;</order>',
      "is not well-formed XML: named entity isn't defined: &a; (line 1, column 45)",
    ],
    [
      'an attribute twice',
      '<order id="1" id="2"/>',
      'is not well-formed XML: duplicate attribute: id (line 1, column 21)',
    ],
    [
      'an attribute without quotes',
      '<order id=1/>',
      'is not well-formed XML: attribute value expected (line 1, column 11)',
    ],
    [
      'two roots',
      '<order/><order/>',
      'is not well-formed XML: extra content at the end of the document (line 1, column 9)',
    ],
    [
      'text behind the root',
      '<order/>more',
      'is not well-formed XML: extra content at the end of the document (line 1, column 9)',
    ],
    [
      'nothing',
      '<!-- -->',
      'is not well-formed XML: root element is missing or invalid (line 1, column 9)',
    ],
    [
      'a character that XML has not',
      '<order><note>&#0;</note></order>',
      'is not well-formed XML: character reference resolves to an invalid ' +
        'character (line 1, column 18)',
    ],
  ])('may have %s', (_name, text, expected) => {
    expect(read(text)).toEqual(expected);
  });

  test('is uncertain if the schema is incomplete', () => {
    expect(readXml('<root><a>1</a></root>', schemaOf({ type: 'object' }))).toEqual({
      ok: true,
      value: { a: '1' },
      sure: false,
    });
  });

  test('may be hostile', () => {
    for (const depth of [201, 100_000])
      expect(parseXml('<a>'.repeat(depth) + '</a>'.repeat(depth))).toMatchObject({
        ok: false,
        message: 'elements are nested more than 200 levels deep',
      });
    expect(parseXml('<a>'.repeat(200) + '</a>'.repeat(200)).ok).toBe(true);
    expect(parseXml(`<${'x'.repeat(5_000)}`)).toMatchObject({
      message: expect.stringMatching(/^unclosed start tag for element `x{1,200}…$/),
    });
    expect(
      readXml('<__proto__><__proto__>1</__proto__></__proto__>', schemaOf({ type: 'object' })),
    ).toMatchObject({ ok: true });
    const many = parseXml(`<a>${'<b c="&amp;">&lt;</b>'.repeat(10_000)}</a>`);
    expect(many.ok && many.root.children).toHaveLength(10_000);
  });
});
