import { describe, expect, test } from 'vitest';
import { bodyFragment, writeBody } from '../../src/report/body-text.ts';

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);

describe('a displayed fragment', () => {
  test.each([
    ['nothing', new Uint8Array(), []],
    ['short text', bytes('{"a":1}\n'), ['{"a":1}']],
    ['a long line', bytes('a'.repeat(1000)), ['a'.repeat(600), '… (400 bytes more)']],
    [
      'many lines',
      bytes('x\n'.repeat(10)),
      [...Array.from({ length: 8 }, () => 'x'), '… (5 bytes more)'],
    ],
    ['an image', Uint8Array.of(0x89, 0x50, 0x4e, 0x47), ['(4 bytes, not UTF-8)']],
    [
      'text that breaks later',
      Uint8Array.of(...bytes('{"name":"Biscuit",'), 0xff, 0x22),
      ['{"name":"Biscuit",', '… (2 bytes more, not UTF-8 from byte 18)'],
    ],
    ['control characters', bytes('\u001b[2J\u0000'), ['\\x1b[2J\\x00']],
  ])('%s', (_name, body, lines) => {
    expect(bodyFragment(body)).toEqual(lines);
  });

  test('does not cut an emoji in two', () => {
    expect(bodyFragment(bytes(`${'a'.repeat(599)}🐈`))).toEqual([
      'a'.repeat(599),
      '… (4 bytes more)',
    ]);
  });
});

test('a body for programs keeps every byte', () => {
  expect(writeBody(bytes('Zoë'))).toEqual({ encoding: 'utf8', text: 'Zoë' });
  const image = Uint8Array.of(0x89, 0xff, 0x00);
  const written = writeBody(image);
  expect(written).toEqual({ encoding: 'base64', text: 'if8A' });
  expect(Uint8Array.from(Buffer.from(written.text, 'base64'))).toEqual(image);
});
