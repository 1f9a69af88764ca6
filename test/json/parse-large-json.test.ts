import { describe, expect, test } from 'vitest';
import { completeLimits, parseJson } from '../../src/json/parse-json.ts';
import { parseLargeJson } from '../../src/json/parse-yaml.ts';
import { stringifyJson } from '../../src/json/value.ts';
import { fc } from '../property.ts';
import { anyJson, jsonLikeText } from './json-arbitraries.ts';

const limits = completeLimits({ forbiddenKeys: [] });
const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text);
const pieceSizes = fc.constantFrom(0, 8, 64);

describe('a large text is read piece by piece', () => {
  test.each<[string, unknown]>([
    ['{}', {}],
    [' [ ] ', []],
    ['{"a":{"b":[{"c":[1,2,{"d":null}]}]}}', { a: { b: [{ c: [1, 2, { d: null }] }] } }],
    ['[[[]],[{}],"[{\\"]",{"}":"]"}]', [[[]], [{}], '[{"]', { '}': ']' }]],
    ['{"\\u0061":[[1]],"__proto__":[[2]]}', JSON.parse('{"a":[[1]],"__proto__":[[2]]}')],
    ['{"é😀":[["ü"]]}', { 'é😀': [['ü']] }],
  ])('%s', (text, value) => {
    for (const pieceSize of [0, 8, 64])
      expect(parseLargeJson(bytesOf(text), limits, pieceSize)).toEqual(value);
  });

  test.each([
    ['a name that is given twice', '{"a":[[1]],"a":[[2]]}'],
    ['a name that is given twice, inside of a piece', '[[[{"a":1,"a":2}]]]'],
    ['an integer beyond 2^53', '[[9007199254740993]]'],
    ['an escaped surrogate', '[["\\ud800"]]'],
    ['too many levels', `${'['.repeat(65)}${']'.repeat(65)}`],
    ['a comma too many', '[[1],]'],
    ['a comma too few', '[[1][2]]'],
    ['more after the end', '[[1]] x'],
    ['no end', '[[1]'],
    ['a bracket that closes nothing', '[[1]]]'],
    ['a name without quotes', '{a:[[1]]}'],
    ['no colon', '{"a"[[1]]}'],
    ['another closing bracket', '[[1]}'],
  ])('what needs more care is left to others: %s', (_name, text) => {
    for (const pieceSize of [0, 8, 64])
      expect(parseLargeJson(bytesOf(text), limits, pieceSize)).toBeUndefined();
  });

  test('bytes that are not UTF-8 are not parsed', () => {
    expect(parseLargeJson(Uint8Array.from([0x22, 0xff, 0x22]), limits)).toBeUndefined();
  });
});

describe('laws of parsing large JSON', () => {
  test('written JSON is parsed back, for any split', () => {
    fc.assert(
      fc.property(anyJson, pieceSizes, (value, pieceSize) => {
        const text = stringifyJson(value);
        const read = parseLargeJson(bytesOf(text), limits, pieceSize);
        if (/\d{16}|e[+-]?\d|\\ud/i.test(text)) expect([undefined, value]).toContainEqual(read);
        else expect(read).toEqual(value);
      }),
      { numRuns: 1000 },
    );
  });

  test('the result equals that of the complete scan', () => {
    fc.assert(
      fc.property(jsonLikeText, pieceSizes, (text, pieceSize) => {
        const read = parseLargeJson(bytesOf(text), limits, pieceSize);
        if (read !== undefined)
          expect(parseJson(bytesOf(text), { forbiddenKeys: [] })).toEqual({
            ok: true,
            value: read,
          });
      }),
      { numRuns: 2000 },
    );
  });
});
