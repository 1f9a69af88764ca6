import { describe, expect, test } from 'vitest';
import { readRetryAfter } from '../../../src/check/transport/retry-send.ts';

describe('Retry-After', () => {
  const now = new Date('2030-01-01T00:00:00Z');
  test.each([
    ['0', 0],
    ['120', 120_000],
    ['Tue, 01 Jan 2030 00:00:30 GMT', 30_000],
    ['Tue, 01 Jan 2019 00:00:30 GMT', 0],
    ['soon', undefined],
    ['', undefined],
    ['-5', undefined],
  ])('%s', (written, expected) => {
    expect(
      readRetryAfter(
        { status: 429, headers: [['Retry-After', written]], body: new Uint8Array() },
        now,
      ),
    ).toBe(expected);
  });
});
