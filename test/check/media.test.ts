import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, test } from 'vitest';
import { checkTarget } from '../../src/check/engine/check-target.ts';
import { whyNotXml } from '../../src/check/reading/read-content.ts';
import { parseContract } from '../../src/contract/load.ts';

let stop: (() => Promise<void>) | undefined;
afterEach(() => stop?.());

/**
 * The findings of a whole run against a server that answers the one operation of a contract with
 * one body.
 */
async function findingsFor(
  content: string,
  type: string,
  body: string | Uint8Array,
): Promise<readonly string[]> {
  const server = createServer((_request, response) => {
    response.writeHead(200, { 'Content-Type': type });
    response.end(body);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  stop = () =>
    new Promise((resolve) => {
      server.close(() => resolve());
      server.closeAllConnections();
    });
  const contract = parseContract(
    `openapi: 3.2.0\ninfo: { title: Feed, version: '1' }\npaths:\n  /feed:\n ` +
      `   get: { operationId: getFeed, responses: { '200': { description: ok, ` +
      `content: { ${content} } } } }\n`,
    'feed.yaml',
  );
  const { findings } = await checkTarget({
    url: `http://127.0.0.1:${String((server.address() as AddressInfo).port)}`,
    contract,
    seed: 'media',
    only: ['body-parses', 'body-matches-schema', 'content-type-documented'],
  });
  return findings.map(({ severity, check, message }) => `${severity} ${check}: ${message}`);
}

const entry = '{ type: object, required: [id], properties: { id: { type: integer } } }';
const lines = `application/x-ndjson: { itemSchema: ${entry} }`;
const old = `application/x-ndjson: { schema: ${entry} }`;
const events =
  'text/event-stream: { itemSchema: { type: object, required: [data], ' +
  'properties: { data: { type: string }, event: { type: string, enum: ' +
  '[made, gone] } } } }';
const typed =
  'text/event-stream: { itemSchema: { type: object, properties: { retry: { type: integer }, ' +
  `data: { type: string, contentMediaType: application/json, contentSchema: ${entry} } } } }`;
const word = 'text/plain: { schema: { type: string, enum: [up, down] } }';
const count = 'text/plain: { schema: { type: integer, minimum: 0 } }';
const form =
  'application/x-www-form-urlencoded: { schema: { type: object, required: ' +
  '[token], properties: { token: { type: string, minLength: 4 }, life: { ' +
  'type: integer } } } }';
const xml = `application/xml: { schema: ${entry} }`;

describe('a body that is not JSON is parsed by its media type', () => {
  test.each<[string, string, string, string | Uint8Array, readonly string[]]>([
    ['lines of JSON', lines, 'application/x-ndjson', '{"id":1}\n{"id":2}\n', []],
    ['lines of JSON, none of them', lines, 'application/x-ndjson', '', []],
    [
      'a line that is another thing',
      lines,
      'application/x-ndjson',
      '{"id":1}\n{"id":"2"}\n',
      [
        'error body-matches-schema: In item 2 of the 200 response, the value at /id must be ' +
          'an integer, but is a string.',
      ],
    ],
    [
      'a line that breaks off',
      lines,
      'application/x-ndjson',
      '{"id":1}\n{"id":',
      [
        'error body-parses: The body of the 200 response is labelled application/' +
          'x-ndjson, and its line 2 is not JSON: expected a value after the colon, ' +
          'found the end of the text, at line 1, column 7.',
      ],
    ],
    [
      'lines whose schema is that of an item',
      old,
      'application/x-ndjson',
      '{"id":1}\n{"id":2}\n',
      [],
    ],
    [
      'such a line without its field',
      old,
      'application/x-ndjson',
      '{"id":1}\n{}\n',
      [
        'error body-matches-schema: In item 2 of the 200 response, the item must have the ' +
          'property id.',
      ],
    ],
    [
      'events',
      events,
      'text/event-stream',
      'event: made\ndata: {"id":1}\n\n: a comment\n\ndata: x\ndata: y\n\n',
      [],
    ],
    [
      'an event of no known kind',
      events,
      'text/event-stream; charset=utf-8',
      'event: lost\ndata: 1\n\n',
      [
        'error body-matches-schema: In event 1 of the 200 response, the value at /event must ' +
          'be one of made, gone.',
      ],
    ],
    [
      'an event that nothing ends, which is none',
      events,
      'text/event-stream',
      'data: 1\n\nevent: lost\ndata: 1\n',
      [],
    ],
    [
      'a record that nothing ends, which is none',
      `application/json-seq: { itemSchema: ${entry} }`,
      'application/json-seq',
      '\u001e{"id":1}\n\u001e{"i',
      [],
    ],
    [
      'events with a time and data that are JSON',
      typed,
      'text/event-stream',
      'retry: 100\ndata: {"id":1}\n\n',
      [],
    ],
    [
      'an event whose data is another JSON',
      typed,
      'text/event-stream',
      'data: {"id":1}\n\ndata: {"id":"2"}\n\n',
      [
        'error body-matches-schema: In event 2 of the 200 response, the value at /data/id must ' +
          'be an integer, but is a string.',
      ],
    ],
    [
      'an event whose data is no JSON',
      typed,
      'text/event-stream',
      'data: one\n\n',
      [
        'error body-matches-schema: In event 1 of the 200 response, the value at /data must be ' +
          'JSON, and is not.',
      ],
    ],
    [
      'data by the kind of its event',
      'text/event-stream: { itemSchema: { type: object, required: [event], oneOf: [' +
        `{ properties: { event: { const: made }, data: { contentMediaType: application/json, ` +
        `contentSchema: ${entry} } } }, { properties: { event: { const: gone } } }] } }`,
      'text/event-stream',
      'event: gone\ndata: 5\n\nevent: made\ndata: {}\n\n',
      [
        'error body-matches-schema: In event 2 of the 200 response, the value at /data must ' +
          'have the property id.',
      ],
    ],
    [
      'events whose data the schema describes',
      `text/event-stream: { schema: ${entry} }`,
      'text/event-stream',
      'data: {"id":1}\n\ndata: [DONE]\n\n',
      [],
    ],
    [
      'events of which the schema may be that of the data',
      `text/event-stream: { schema: ${entry} }`,
      'text/event-stream',
      'data: {"id":"1"}\n\n',
      [
        'note body-matches-schema: What is in event 1 of the 200 response was not judged by its ' +
          'schema: it is not that of an event, and does not say that it is that of its data.',
      ],
    ],
    [
      'a PDF without bytes',
      'application/pdf: {}',
      'application/pdf',
      '',
      ['error body-parses: The 200 response has no body; the contract declares application/pdf.'],
    ],
    ['any file without bytes', 'application/octet-stream: {}', 'application/octet-stream', '', []],
    ['a table without bytes', 'text/csv: {}', 'text/csv', '', []],
    ['a word, with a line break', word, 'text/plain', 'up\n', []],
    [
      'another word',
      word,
      'text/plain;charset=utf-8',
      'sideways',
      ['error body-matches-schema: In the 200 response, the body must be one of up, down.'],
    ],
    [
      'a text that is not in its charset',
      word,
      'text/plain; charset=utf-8',
      Uint8Array.from([0xff, 0xfe]),
      [
        'error body-parses: The body of the 200 response is labelled text/plain, ' +
          'and its bytes are not UTF-8.',
      ],
    ],
    ['a count', count, 'text/plain', '42', []],
    [
      'a count below its bound',
      count,
      'text/plain',
      '-1',
      ['error body-matches-schema: In the 200 response, the body must be 0 or more.'],
    ],
    ['a form', form, 'application/x-www-form-urlencoded', 'token=abcd&life=60', []],
    [
      'a form whose field is too short',
      form,
      'application/x-www-form-urlencoded',
      'token=abc',
      [
        'error body-matches-schema: In the 200 response, the value at /token must ' +
          'have 4 characters or more.',
      ],
    ],
    [
      'XML',
      xml,
      'application/xml; charset=utf-8',
      '<?xml version="1.0"?><!-- one --><entry a="1>2"><id>1</id><x/><![CDATA[<]]></entry>',
      [],
    ],
    [
      'XML that breaks off',
      xml,
      'application/xml',
      '<entry><id>1</id>',
      [
        'error body-parses: The body of the 200 response is labelled application/' +
          'xml, and it is not XML: entry never ends.',
      ],
    ],
    [
      'XML with a wrong value, in the encoding that it names',
      xml,
      'application/xml',
      Buffer.from(
        '<?xml version="1.0" encoding="ISO-8859-1"?><entry><id>größer</id></entry>',
        'latin1',
      ),
      [
        'error body-matches-schema: In the 200 response, the value at /entry/id must be an ' +
          'integer, but is a string.',
      ],
    ],
    [
      'XML that its schema does not describe',
      xml,
      'application/xml',
      '<entry id="1"/>',
      [
        'note body-matches-schema: What is at /entry of the 200 response was not judged by its ' +
          'schema: the document has id, and the schema has the element id.',
      ],
    ],
    [
      'XML with a character that XML does not allow there',
      xml,
      'application/xml',
      '<entry><id>1</id><name>a & b</name></entry>',
      [
        'error body-parses: The body of the 200 response is labelled application/xml, and it ' +
          'is not XML: unterminated reference (a reference must end with `;`) (line 1, column 28).',
      ],
    ],
    [
      'XML with a document type',
      xml,
      'application/xml',
      '<!DOCTYPE entry [<!ENTITY one "1">]><entry><id>&one;</id></entry>',
      [
        'note body-matches-schema: The body of the 200 response was not judged by its schema: ' +
          'it has a document type.',
      ],
    ],
    [
      'no XML at all',
      xml,
      'text/xml',
      '{"id": 1}',
      [
        'error content-type-documented: The body of the 200 response is labelled ' +
          'text/xml; the contract declares application/xml.',
        'error body-parses: The body of the 200 response is labelled text/xml, and ' +
          'it is not XML: it does not begin with an element.',
      ],
    ],
    [
      'a file',
      'application/octet-stream: { schema: { type: string, format: binary } }',
      'application/octet-stream',
      Uint8Array.from([0, 255, 3]),
      [],
    ],
    ['whatever a range allows', "'image/*': {}", 'image/png', Uint8Array.from([137, 80]), []],
    [
      'a body where the contract says that there is none',
      '',
      'application/json',
      '{}',
      ['warning body-matches-schema: The 200 response has a body; the contract declares none.'],
    ],
  ])('%s', async (_name, content, type, body, expected) => {
    expect(await findingsFor(content, type, body)).toEqual(expected);
  });
});

test.each([
  ['<a/>', undefined],
  ['<!DOCTYPE a [<!ELEMENT a ANY>]><a><b>x</b></a>', undefined],
  ['<a><b></a></b>', 'b is ended by a'],
  ['<a/><b/>', 'it has 2 root elements'],
  ['<a>1 < 2</a>', 'a < is where no element begins, in a'],
  ['<a/> and more', 'text is after the root element'],
])('%s', (text, expected) => {
  expect(whyNotXml(text)).toBe(expected);
});
