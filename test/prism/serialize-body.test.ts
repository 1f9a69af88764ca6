import { describe, expect, test } from 'vitest';
import { serializeBody } from '../../src/prism/write-answer.ts';

describe('the text of a body', () => {
  test.each([
    ['application/json', { id: 1 }, '{"id":1}'],
    ['application/json; charset=utf-8', 'text', '"text"'],
    ['application/problem+json', null, 'null'],
    ['text/plain', 'text', 'text'],
    ['application/json', undefined, ''],
    [undefined, undefined, ''],
    ['application/xml', '<book/>', '<book/>'],
    [
      'application/xml',
      { id: 1, tags: ['a', 'b & c'], note: null },
      '<xml><id>1</id><tags>a</tags><tags>b &amp; c</tags><note></note></xml>',
    ],
    ['application/atom+xml', { id: true }, '<xml><id>true</id></xml>'],
  ])('%s of %j', (mediaType, value, text) => {
    expect(serializeBody(value, mediaType)).toBe(text);
  });

  test('a value without a text is refused', () => {
    expect(() => serializeBody({ id: 1 }, 'text/plain')).toThrowErrorMatchingInlineSnapshot(
      `[Error: Prism made a value that has no text as text/plain: {"id":1}]`,
    );
  });
});
