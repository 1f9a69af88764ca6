import { expect, test } from 'vitest';
import { isMultipartItems } from '../../../src/http/media-type.ts';
import {
  readMultipartItems,
  writeMultipartItems,
} from '../../../src/contract/content/read-multipart.ts';
import type { JsonValue } from '../../../src/json/value.ts';
import { parseContract } from '../../../src/contract/load.ts';
import { converse, jsonOf, mockOf, send } from '../../mock/workshop.ts';

test.each<[string, JsonValue[]]>([
  ['nothing but one text', ['a\nb']],
  ['values of every kind', [{ a: 1 }, [1, 2], 9007199254740993n, true, null, 'text', '']],
  ['the boundary itself', ['--vouch-boundary--', 'vouch-boundary-1']],
])('multipart parts hold %s', (_name, items) => {
  const { mediaType, bytes } = writeMultipartItems(items, 'multipart/mixed');
  expect(readMultipartItems(bytes, mediaType)).toEqual({ ok: true, items });
});

test('unreadable parts are reported', () => {
  const read = (text: string, type = 'multipart/mixed; boundary=x'): unknown =>
    readMultipartItems(new TextEncoder().encode(text), type);
  expect(read('--x\r\nContent-Type: application/json\r\n\r\n{\r\n--x--\r\n')).toEqual({
    ok: false,
    message: 'Part 1 of the body is not valid JSON, as its Content-Type says.',
  });
  expect(read('', 'multipart/mixed')).toEqual({
    ok: false,
    message: 'The multipart body cannot be read. Its Content-Type names no boundary.',
  });
});

test('media types with named parts are not sequences', () => {
  expect(
    ['multipart/mixed', 'multipart/related; type=a', 'multipart/form-data', 'application/json'].map(
      isMultipartItems,
    ),
  ).toEqual([true, true, false, false]);
});

test('the mock writes and reads items as parts (OpenAPI 3.2)', async () => {
  const item = '{ type: object, required: [a], properties: { a: { type: integer } } }';
  const contract = parseContract(
    `{ openapi: 3.2.0, info: { title: Parts, version: '1' }, paths: { /` +
      `parts: { get: { responses: { '200': { description: ok, content: { ` +
      `multipart/mixed: { itemSchema: ${item} } } } } }, post: { requestBody: ` +
      `{ content: { multipart/mixed: { itemSchema: ${item} } } }, responses: { ` +
      `'204': { description: ok } } } } } }`,
    'parts.yaml',
  );
  const mock = await mockOf({ contract });
  const answer = await send(mock, 'GET /parts');
  const [, type = ''] = answer.headers.find(([name]) => name === 'Content-Type') ?? [];
  const reading = readMultipartItems(answer.body, type);
  expect(
    reading.ok && reading.items.every((each) => Number.isInteger((each as { a: unknown }).a)),
  ).toBe(true);
  expect(reading.ok && reading.items.length).toBe(3);
  expect(await converse(mock, [['POST /parts', { body: answer.body, type }]])).toBe(
    'POST /parts → 204',
  );
  const wrong = writeMultipartItems([{ a: 1 }, { a: 'x' }], 'multipart/mixed');
  expect(
    jsonOf(await send(mock, 'POST /parts', { body: wrong.bytes, type: wrong.mediaType })),
  ).toMatchObject({
    status: 400,
    detail: '`[1].a` in the body must be an integer, but is a string.',
  });
});
