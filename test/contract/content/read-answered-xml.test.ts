import { describe, expect, test } from 'vitest';
import { parseXml } from '../../../src/contract/content/parse-xml.ts';
import { doubtOf, readAnsweredXml } from '../../../src/contract/content/read-answered-xml.ts';
import { writeXml } from '../../../src/contract/content/write-xml.ts';
import type { JsonObject } from '../../../src/json/value.ts';
import { schemaOf } from './schema-of.ts';

const text = { type: 'string' };
const order: JsonObject = {
  type: 'object',
  xml: { name: 'order', prefix: 'o', namespace: 'urn:orders' },
  required: ['id', 'note'],
  additionalProperties: false,
  properties: {
    id: { type: 'integer', xml: { attribute: true } },
    paid: { type: 'boolean', xml: { attribute: true, name: 'is-paid' } },
    note: { type: 'string', minLength: 2 },
    state: { type: 'string', enum: ['open', 'done'] },
    total: { type: 'number', xml: { name: 'sum' } },
    due: { type: ['string', 'null'], format: 'date' },
    tags: {
      type: 'array',
      maxItems: 2,
      xml: { wrapped: true },
      items: { ...text, maxLength: 3, xml: { name: 'tag' } },
    },
    lines: {
      type: 'array',
      items: { type: 'object', required: ['sku'], properties: { sku: text } },
    },
    codes: { type: 'array', items: { type: 'integer' } },
    size: { type: 'object', xml: { nodeType: 'none' }, properties: { width: { type: 'integer' } } },
    price: {
      type: 'object',
      required: ['amount'],
      properties: {
        currency: { ...text, xml: { nodeType: 'attribute' } },
        amount: { type: 'number', xml: { nodeType: 'text' } },
      },
    },
  },
};

/** What is certainly wrong in a document, and behind a question mark what is not judged. */
function judged(written: string, node: JsonObject = order): string[] {
  const schema = schemaOf(node);
  const document = parseXml(written);
  if (!document.ok) return [document.message];
  const reading = readAnsweredXml(document.root, schema);
  return schema.validate(reading.value, 'response').map((issue) => {
    const doubt = doubtOf(issue, reading);
    const where = reading.pathOf(issue.at) ?? issue.at;
    return doubt === undefined ? `${where} ${issue.message}` : `? ${doubt}`;
  });
}

const inside = (members: string): string => `<order id="1"><note>ok</note>${members}</order>`;

test('what the mock writes conforms', () => {
  const value = {
    id: 7,
    paid: true,
    note: 'a < b',
    state: 'open',
    total: 1.5,
    due: '2030-01-02',
    tags: ['x', 'y'],
    lines: [{ sku: '1' }, { sku: '2' }],
    codes: [1, 2],
    size: { width: 3 },
    price: { currency: 'EUR', amount: 2 },
  };
  const written = writeXml(value, schemaOf(order));
  const document = parseXml(written);
  expect(written).toContain('<width>3</width>');
  expect(document.ok && readAnsweredXml(document.root, schemaOf(order)).value).toEqual(value);
  expect(judged(written)).toEqual([]);
});

describe('a document that conforms', () => {
  test.each([
    [
      'other prefixes',
      '<x:order xmlns:x="urn:o" id="1"><y:note xmlns:y="urn:o">ok</y:note></x:order>',
    ],
    ['numbers as XML Schema writes them', inside('<sum>+05.50</sum><codes>007</codes>')],
    ['a boolean as a number', '<order id="1" is-paid="1"><note>ok</note></order>'],
    ['white space around a word', inside('<state>\n  open\n</state>')],
    ['null', inside('<due xmlns:i="http://www.w3.org/2001/XMLSchema-instance" i:nil="true"/>')],
    ['nothing where nothing is needed', inside('<sum/>')],
    ['an attribute that nobody declared', '<order id="1" version="2"><note>ok</note></order>'],
    ['an element of another namespace', inside('<a:link xmlns:a="urn:atom">x</a:link>')],
    ['a wrapped list without items', inside('<tags/>')],
    ['one item of a list without a wrapper', inside('<lines><sku>1</sku></lines>')],
    ['text and attributes of one element', inside('<price currency="EUR">5</price>')],
  ])('%s', (_name, written) => {
    expect(judged(written)).toEqual([]);
  });
});

describe('a document that breaks its schema', () => {
  test.each([
    ['a text for a number', inside('<sum>much</sum>'), '/order/sum must be a number'],
    ['a missing element', '<order id="1"/>', '/order must have the property note'],
    ['a missing attribute', '<order><note>ok</note></order>', '/order must have the property id'],
    ['a word that is not listed', inside('<state>lost</state>'), '/order/state must be one of'],
    ['an attribute', '<order id="x"><note>ok</note></order>', '/order/@id must be an integer'],
    ['too many items', inside('<tags><tag>a</tag><tag>b</tag><tag>c</tag></tags>'), '/order/tags'],
    ['an item', inside('<tags><tag>a</tag><tag>long</tag></tags>'), '/order/tags/tag[2] must'],
    ['a member of an item', inside('<lines><sku>1</sku></lines><lines/>'), '/order/lines[2] must'],
    ['an element twice', inside('<sum>1</sum><sum>2</sum>'), '/order/sum must be a number'],
    [
      'an element that is not in a closed schema',
      inside('<lines><sku>1</sku></lines><codes>1</codes><other>1</other>'),
      '/order must not',
    ],
    ['a member without an element of its own', inside('<width>w</width>'), '/order/width must be'],
    ['the text of an element', inside('<price>x</price>'), '/order/price must be a number'],
  ])('%s', (_name, written, expected) => {
    expect(judged(written).join('\n')).toContain(expected);
    expect(judged(written).join('\n')).not.toContain('?');
  });
});

describe('what a schema leaves open is not judged', () => {
  const list = (items: JsonObject): JsonObject => ({
    type: 'object',
    required: ['tags'],
    additionalProperties: false,
    properties: { tags: { type: 'array', minItems: 1, items } },
  });
  test.each<[string, JsonObject, string, string]>([
    ['another root', order, '<answer><order/></answer>', '? its root element is answer'],
    [
      'a list in a wrapper',
      list({ type: 'integer' }),
      '<a><tags><t>x</t></tags></a>',
      '? the schema does not say',
    ],
    ['a list under another name', list(text), '<a><tag>x</tag></a>', '? the document has tag'],
    ['a list without its wrapper', order, inside('<tag>long</tag>'), '? it is not inside tags'],
    ['an attribute for an element', order, '<order id="1" note="ok"/>', '? the document has note'],
    ['another case', order, '<order id="1"><Note>ok</Note></order>', '? the document has Note'],
    ['an empty element', order, inside('<due/>'), '? an empty element may stand for'],
    [
      'mixed content',
      { type: 'object', properties: { a: { type: 'string', maxLength: 1 } } },
      '<x>so <a>it</a> is</x>',
      '? it has text beside',
    ],
    [
      'items of which two schemas say a part each',
      {
        type: 'object',
        allOf: [
          { properties: { a: { type: 'array', items: { type: 'object' } } } },
          { properties: { a: { items: { properties: { b: { type: 'boolean' } } } } } },
        ],
      },
      '<x><a><b>true</b></a><a><b>false</b></a></x>',
      '? the schema does not say of which type it is',
    ],
    [
      'markup in a text',
      { type: 'object', properties: { a: text } },
      '<x><a><b>1</b></a></x>',
      '? it has elements',
    ],
  ])('%s', (_name, node, written, expected) => {
    const lines = judged(written, node);
    expect(lines.join('\n')).toContain(expected);
    expect(lines.filter((line) => !line.startsWith('?'))).toEqual([]);
  });
});

describe('a document can be compared with other answers', () => {
  test.each([
    ['if its schema describes all of it', inside('<sum>1</sum>'), true],
    ['with an empty text, which is no null', '<order id="1"><note>ok</note><state/></order>', true],
    ['not with an empty element that may be null', inside('<due/>'), false],
    ['not with an element that no schema declares', inside('<other>5</other>'), false],
    ['not with an element that may be another one', '<order note="ok"/>', false],
  ])('%s', (_name, written, expected) => {
    const document = parseXml(written);
    expect(document.ok && readAnsweredXml(document.root, schemaOf(order)).isClear).toBe(expected);
  });
});
