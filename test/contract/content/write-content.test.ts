import { isInXml } from '../../../src/contract/content/write-xml.ts';
import { describe, expect, test } from 'vitest';
import { contentForm } from '../../../src/http/media-type.ts';
import { writeContent } from '../../../src/contract/content/write-content.ts';
import type { SchemaNode } from '../../../src/contract/model.ts';
import type { JsonValue } from '../../../src/json/value.ts';
import { schemaOf } from './schema-of.ts';

function write(mediaType: string, value: JsonValue, node?: SchemaNode): string {
  const { bytes } = writeContent(value, {
    mediaType,
    ...(node === undefined ? {} : { schema: schemaOf(node) }),
  });
  return Buffer.from(bytes).toString('latin1');
}

test.each([
  ['application/json', 'json'],
  ['application/vnd.a+json; charset=utf-8', 'json'],
  ['application/x-ndjson', 'json-lines'],
  ['text/event-stream', 'events'],
  ['text/csv', 'csv'],
  ['application/atom+xml', 'xml'],
  ['image/svg+xml', 'text'],
  ['application/yaml', 'text'],
  ['image/png', 'binary'],
  ['application/vnd.kubernetes.protobuf', 'binary'],
])('%s is written as %s', (mediaType, form) => {
  expect(contentForm(mediaType)).toBe(form);
});

describe('a value is written as', () => {
  test.each<[mediaType: string, value: JsonValue, text: string]>([
    ['text/plain', 'a', 'a'],
    ['text/plain', { a: 1 }, '{"a":1}'],
    ['application/x-ndjson', [{ a: 1 }, 2], '{"a":1}\n2\n'],
    ['application/json-seq', [1], '\u001e1\n'],
    ['application/x-ndjson', 'a', '"a"\n'],
    ['application/json-seq', 'a', '\u001e"a"\n'],
    [
      'text/csv',
      [
        { a: 1, b: 'x,"y"' },
        { a: 2, c: [1] },
      ],
      'a,b,c\r\n1,"x,""y""",\r\n2,,[1]\r\n',
    ],
    ['text/csv', ['a', 'b'], 'a\r\nb\r\n'],
    ['text/csv', 'a,b\r\n', 'a,b\r\n'],
    ['text/event-stream', [{ a: 1 }, 'two\nlines'], 'data: {"a":1}\n\ndata: two\ndata: lines\n\n'],
    [
      'text/event-stream',
      [{ id: '7', event: 'add\r\nx: y', data: { a: 1 } }],
      'id: 7\nevent: add  x: y\ndata: {"a":1}\n\n',
    ],
    ['text/event-stream', 'data: own\n\n', 'data: own\n\n'],
    ['application/x-www-form-urlencoded', { a: 'b c', d: [1, 2] }, 'a=b%20c&d=1&d=2'],
    ['image/png', '\x89PNG\xff', '\x89PNG\xff'],
    [
      'application/xml',
      { a: [1, { b: '<&>' }], c: null },
      '<?xml version="1.0" encoding="UTF-8"?>\n<root><a>1</a><a><b>&lt;&amp;&' +
        'gt;</b></a><c/></root>',
    ],
    ['application/xml', '<own/>', '<own/>'],
  ])('%s: %j', (mediaType, value, text) => {
    expect(write(mediaType, value)).toBe(text);
  });

  test('text beyond ASCII in UTF-8', () => {
    expect(write('application/octet-stream', '€')).toBe('\xe2\x82\xac');
  });
});

test.each([
  [{ a: ['tab\t', 'line\n', '😀'] }, true],
  [{ a: ['\r'] }, false],
  [['\u0007'], false],
  ['\ud800', false],
  [null, true],
])('whether XML shows every text of %j as it is', (value, expected) => {
  expect(isInXml(value)).toBe(expected);
});

describe('XML is written by the xml objects of the schema:', () => {
  const pet: SchemaNode = {
    type: 'object',
    xml: { name: 'animal', prefix: 'z', namespace: 'http://example.com/zoo' },
    properties: {
      id: { type: 'integer', xml: { attribute: true } },
      name: { type: 'string', xml: { name: 'called' } },
      photos: { type: 'array', xml: { name: 'photo', wrapped: true }, items: { type: 'string' } },
      tags: { type: 'array', items: { type: 'string', xml: { name: 'tag' } } },
      labels: {
        type: 'array',
        xml: { wrapped: true },
        items: { type: 'string', xml: { name: 'label' } },
      },
      note: { type: 'string', xml: { nodeType: 'text' } },
    },
  };
  test.each<[name: string, node: SchemaNode, value: JsonValue, text: string]>([
    [
      'names, prefixes and attributes',
      pet,
      { id: 7, name: 'A "b"' },
      '<z:animal xmlns:z="http://example.com/zoo" id="7"><called>A "b"</called></z:animal>',
    ],
    [
      'wrapped lists',
      pet,
      { photos: ['a', 'b'], labels: ['c'] },
      '<z:animal xmlns:z="http://example.com/zoo"><photo><photo>a</' +
        'photo><photo>b</photo></photo><labels><label>c</label></labels></' +
        'z:animal>',
    ],
    [
      'lists without a wrapper',
      pet,
      { tags: ['a', 'b'] },
      '<z:animal xmlns:z="http://example.com/zoo"><tag>a</tag><tag>b</tag></z:animal>',
    ],
    [
      'text of the element',
      pet,
      { note: 'hi' },
      '<z:animal xmlns:z="http://example.com/zoo">hi</z:animal>',
    ],
    [
      'text that is meant to be CDATA, written as text',
      { type: 'object', properties: { note: { type: 'string', xml: { nodeType: 'cdata' } } } },
      { note: 'a<b' },
      '<root>a&lt;b</root>',
    ],
    [
      'attributes with quotes and line breaks',
      { type: 'object', properties: { a: { type: 'string', xml: { attribute: true } } } },
      { a: '"<\n' },
      '<root a="&quot;&lt;&#10;"/>',
    ],
    [
      'lists at the top',
      { type: 'array', items: { type: 'object', xml: { name: 'thing' } } },
      [{}, {}],
      '<items><thing/><thing/></items>',
    ],
    [
      'members that no schema names',
      { type: 'object' },
      { '1 odd name': true },
      '<root><_1_odd_name>true</_1_odd_name></root>',
    ],
    [
      'characters that XML does not have',
      { type: 'string' },
      'a\u0000\u000b\ud800b',
      '<root>ab</root>',
    ],
  ])('%s', (_name, node, value, text) => {
    expect(write('application/xml', value, node)).toBe(
      `<?xml version="1.0" encoding="UTF-8"?>\n${text}`,
    );
  });
});
