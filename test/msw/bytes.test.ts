import { Buffer as OfNode } from 'node:buffer';
import { fc } from '../property.ts';
import { describe, expect, test } from 'vitest';
import { Buffer } from '../../src/msw/bytes.ts';

const bytes = fc.uint8Array({ maxLength: 40 });
const text = fc.string({ unit: 'binary', maxLength: 20 });
const plain = (value: Uint8Array): number[] => [...value];
const ours = (given: Uint8Array<ArrayBuffer>): ReturnType<typeof Buffer.from> =>
  Buffer.from(given.buffer, given.byteOffset, given.byteLength);

describe('what browsers have of Buffer is what Node has', () => {
  test.each(['latin1', 'utf8', 'base64'] as const)('bytes as a text in %s', (encoding) => {
    fc.assert(
      fc.property(bytes, fc.nat(45), fc.nat(45), (given, start, end) => {
        const [copy, node] = [new Uint8Array(given), OfNode.from(given)];
        expect(ours(copy).toString(encoding)).toBe(node.toString(encoding));
        const [from, to] = [Math.min(start, end), Math.max(start, end)];
        expect(ours(copy).toString(encoding, from, to)).toBe(node.toString(encoding, from, to));
      }),
    );
  });

  test('a text as bytes', () => {
    fc.assert(
      fc.property(text, (given) => {
        expect(plain(Buffer.from(given))).toEqual(plain(OfNode.from(given)));
        const narrow = given.replaceAll(/[^\0-\xff]/gu, '');
        expect(plain(Buffer.from(narrow, 'latin1'))).toEqual(plain(OfNode.from(narrow, 'latin1')));
        const [page, node] = [Buffer.allocUnsafeSlow(100), OfNode.alloc(100)];
        expect([page.write(given, 3), plain(page)]).toEqual([node.write(given, 3), plain(node)]);
      }),
    );
  });

  test('a part is found, and parts are joined', () => {
    const few = fc.array(fc.constantFrom(1, 2, 3), { maxLength: 12 });
    fc.assert(
      fc.property(few, few, fc.nat(5), (whole, part, from) => {
        const [mine, node] = [Buffer.concat([new Uint8Array(whole)]), OfNode.from(whole)];
        const wanted = new Uint8Array(part);
        expect(mine.indexOf(wanted, from)).toBe(node.indexOf(wanted, from));
        expect(mine.includes(String.fromCharCode(2, 3))).toBe(node.includes('\u0002\u0003'));
        expect(mine.equals(wanted)).toBe(node.equals(wanted));
        expect(plain(Buffer.concat([mine, wanted]))).toEqual([...whole, ...part]);
        expect(Buffer.isBuffer(mine.subarray(1))).toBe(true);
      }),
    );
  });
});
