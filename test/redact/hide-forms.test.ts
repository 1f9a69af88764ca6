import { describe, expect, test } from 'vitest';
import { codedWritings, escapedWriting } from '../../src/redact/hide-values.ts';

const secret = 'S3cr+t/Value~==';

describe('a secret inside a completely encoded text', () => {
  const found = (coded: string): boolean =>
    codedWritings(secret).some((writing) => coded.includes(writing));

  test.each([0, 1, 2, 3, 4])('base64 in which %i bytes stand before it', (before) => {
    const bytes = Buffer.from(`${'x'.repeat(before)}${secret}yz`);
    expect([found(bytes.toString('base64')), found(bytes.toString('base64url'))]).toEqual([
      true,
      true,
    ]);
  });

  test('hexadecimal and percent-encoding, in both cases', () => {
    const hex = Buffer.from(`x${secret}`).toString('hex');
    expect([hex, hex.toUpperCase(), hex.replaceAll(/../g, '%$&')].map(found)).toEqual([
      true,
      true,
      true,
    ]);
  });

  test('a short text has no encoded form, which harmless text could contain', () => {
    expect(codedWritings('ab12').filter((writing) => writing.length < 8)).toEqual([]);
    expect(found(Buffer.from('something else altogether').toString('base64'))).toBe(false);
  });
});

test.each([
  ['as it is', secret, true],
  ['percent-encoded', encodeURIComponent(secret), true],
  ['in lower case, and in part', 'S3cr%2bt/Value%7e=%3D', true],
  ['as a careful JSON writer has it', String.raw`S3cr\u002Bt\/Value\u007e==`, true],
  ['as HTML has it', 'S3cr&#43;t&#x2F;Value&#126;==', true],
  ['another text', 'S3cr+t/Valve~==', false],
])('a text of which some characters are escaped: %s', (_name, text, isFound) => {
  expect(escapedWriting(secret, true).test(text)).toBe(isFound);
});
