import { describe, expect, it } from 'vitest';
import { decodeUtf8 } from '../../src/json/parse-json.ts';
import { fc } from '../property.ts';

const utf8 = new TextEncoder();

describe('decodeUtf8', () => {
  it.each([
    ['ASCII', 'name'],
    ['nothing', ''],
    ['two to four bytes a character', 'ü€🐕'],
    ['U+FFFD that was sent as such', 'a\uFFFDb'],
    ['a byte order mark, which is kept', '\uFEFFa'],
    ['U+0000', 'a\u0000b'],
  ])('reads %s', (_what, text) => {
    expect(decodeUtf8(utf8.encode(text))).toEqual({ ok: true, text });
  });

  it.each<readonly [what: string, bytes: readonly number[], before: string]>([
    ['a byte that begins nothing', [0x61, 0xff], 'a'],
    ['an overlong form', [0x61, 0xc0, 0xaf], 'a'],
    ['half of a surrogate pair', [0xed, 0xa0, 0x80], ''],
    ['a character that is cut', [0x61, 0x62, 0xe2, 0x82], 'ab'],
    ['what lies beyond U+10FFFF', [0xf4, 0x90, 0x80, 0x80], ''],
    ['what is broken behind U+FFFD that was sent as such', [0xef, 0xbf, 0xbd, 0x80], '\uFFFD'],
  ])('refuses %s, and says where it is', (_what, bytes, before) => {
    expect(decodeUtf8(Uint8Array.from(bytes))).toEqual({
      ok: false,
      before,
      offset: before.length,
    });
  });

  it('reads a part of a larger stretch of memory, as an array or as a buffer', () => {
    const whole = utf8.encode('xxüxx');
    expect(decodeUtf8(whole.subarray(2, 4))).toEqual({ ok: true, text: 'ü' });
    expect(decodeUtf8(Buffer.from(whole.buffer, 2, 2))).toEqual({ ok: true, text: 'ü' });
  });

  it('accepts the same bytes as a strict decoder, with the same result', () => {
    // Bytes as they come are seldom UTF-8 for long; pieces of it are.
    const piece = fc.oneof(
      fc.string({ unit: 'binary' }).map((text) => utf8.encode(text)),
      fc.uint8Array({ maxLength: 3 }),
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 6 }), (pieces) => {
        const bytes = Uint8Array.from(pieces.flatMap((some) => [...some]));
        expect(decodeUtf8(bytes).ok ? decodeUtf8(bytes) : undefined).toEqual(readStrictly(bytes));
      }),
      { numRuns: 1_000 },
    );
  });
});

const strict = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

function readStrictly(bytes: Uint8Array): { readonly ok: true; readonly text: string } | undefined {
  try {
    return { ok: true, text: strict.decode(bytes) };
  } catch {
    return undefined;
  }
}
