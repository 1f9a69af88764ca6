import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { decodeContent } from '../../../src/check/reading/decode-content.ts';

const headers = [['Content-Encoding', 'gzip']] as const;
const bomb = (filling: string): Uint8Array =>
  new Uint8Array(gzipSync(Buffer.alloc(9 * 1024 * 1024, filling)));

test('a decompression bomb is inflated once, however often it is sent and read', () => {
  const first = decodeContent({ headers, body: bomb('a') });
  expect(first).toMatchObject({ ok: false, kind: 'body.too-large', isBomb: true });
  expect(decodeContent({ headers, body: bomb('a') })).toBe(first);
  expect(decodeContent({ headers, body: bomb('b') })).not.toBe(first);
});

test('a body that only begins like a bomb is decoded', () => {
  decodeContent({ headers, body: bomb('c') });
  const sound = decodeContent({ headers, body: new Uint8Array(gzipSync('c'.repeat(1_000))) });
  expect(sound.ok && Buffer.from(sound.bytes).toString()).toBe('c'.repeat(1_000));
});
