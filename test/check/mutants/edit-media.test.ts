import { expect, test } from 'vitest';
import { readValue, withValue } from '../../../src/check/mutants/edit-service.ts';
import { parseContract } from '../../../src/contract/load.ts';
import type { HttpResponse } from '../../../src/http/message.ts';
import { isJsonObject, type JsonValue } from '../../../src/json/value.ts';

const tick =
  '{ type: object, required: [count], properties: { count: { type: integer }, kind: { type: ' +
  'string } } }';

const contents: Readonly<Record<string, string>> = {
  'application/xml': `{ schema: ${tick} }`,
  'text/event-stream':
    '{ itemSchema: { type: object, properties: { data: { type: string }, event: { type: ' +
    'string } } } }',
  'application/jsonl': `{ itemSchema: ${tick} }`,
};

/** A response with a body of one of these media types, after a change of its value. */
function changed(mediaType: string, body: string, change: (value: JsonValue) => JsonValue): string {
  const contract = parseContract(
    "{ openapi: 3.2.0, info: { title: One, version: '1' }, paths: { /one: { get: { " +
      "responses: { '200': { description: ok, content: { " +
      `${mediaType}: ${contents[mediaType] ?? ''} } } } } } } }`,
    'one.yaml',
  );
  const operation = contract.operations[0];
  const response: HttpResponse = {
    status: 200,
    headers: [['Content-Type', mediaType]],
    body: new TextEncoder().encode(body),
  };
  const value = readValue(response, operation);
  const edited = value === undefined ? undefined : withValue(response, operation, change(value));
  return edited === undefined ? 'unchanged' : new TextDecoder().decode(edited.body);
}

const having = (members: Record<string, JsonValue>) => (value: JsonValue) =>
  isJsonObject(value) ? { ...value, ...members } : value;

test.each<[string, string, string, (value: JsonValue) => JsonValue, string | RegExp]>([
  [
    'a wrong value in XML',
    'application/xml',
    '<root><count>1</count></root>',
    having({ count: 'many' }),
    /<count>many<\/count>/,
  ],
  [
    'a number for a text in XML is the same text',
    'application/xml',
    '<root><count>1</count><kind>7</kind></root>',
    having({ kind: 7 }),
    'unchanged',
  ],
  [
    'another event',
    'text/event-stream',
    'event: made\ndata: 1\n\n',
    () => [{ event: 'gone', data: '1' }],
    'event: gone\ndata: 1\n\n',
  ],
  [
    'null for a text of an event is a text',
    'text/event-stream',
    'event: made\ndata: 1\n\n',
    () => [{ event: null, data: '1' }],
    'unchanged',
  ],
  [
    'a wrong line',
    'application/jsonl',
    '{"count":1}\n',
    () => [{ count: 'many' }],
    '{"count":"many"}\n',
  ],
])('%s', (_name, mediaType, body, change, expected) => {
  expect(changed(mediaType, body, change)).toEqual(
    typeof expected === 'string' ? expected : expect.stringMatching(expected),
  );
});
