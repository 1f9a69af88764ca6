import { describe, expect, test } from 'vitest';
import { makeLocator } from '../../src/contract/locate.ts';
import { joinPointer } from '../../src/json/pointer.ts';
import { stringifyJson } from '../../src/json/value.ts';
import { anyJson } from '../json/json-arbitraries.ts';
import { fc } from '../property.ts';

const json =
  '{\n  "a/b": { "c~d": [1, {"e": "]}"}] },\n  "a": "\\"{", "\\u0066": 2,' +
  '\n  "g": [ ],\n  "h": [[], [3]]\n}\n';
const yaml = '"a/b":\n  c~d:\n    - 1\n    - e: text\nf: 2\n';

describe('a pointer is found where it is written', () => {
  test.each<[string, string, string, number, number]>([
    ['JSON', json, '', 1, 1],
    ['JSON', json, '/a~1b', 2, 3],
    ['JSON', json, '/a~1b/c~0d', 2, 12],
    ['JSON', json, '/a~1b/c~0d/0', 2, 20],
    ['JSON', json, '/a~1b/c~0d/1/e', 2, 24],
    ['JSON', json, '/a~1b/c~0d/1/e/deeper', 2, 24],
    ['JSON', json, '/a~1b/c~0d/7', 2, 12],
    ['JSON', json, '/f', 3, 15],
    ['JSON', json, '/g/0', 4, 3],
    ['JSON', json, '/h/1/0', 5, 14],
    ['JSON', json, '/none', 1, 1],
    ['YAML', yaml, '/a~1b/c~0d/1/e', 4, 7],
    ['YAML', yaml, '/f', 5, 1],
    ['YAML that begins like JSON', '{ a: 1,\n  b: { c: 2 } }\n', '/b/c', 2, 8],
    ['lines that end in CRLF', '{\r\n  "a": 1\r\n}', '/a', 2, 3],
    ['nothing', '', '/a', 1, 1],
  ])('%s', (_name, text, pointer, line, column) => {
    expect(makeLocator('file', text).locate(pointer)).toEqual({ file: 'file', line, column });
  });

  test('every member of any JSON text', () => {
    fc.assert(
      fc.property(
        fc.dictionary(fc.string({ maxLength: 6 }), anyJson, { maxKeys: 5 }),
        fc.constantFrom(undefined, 2),
        (members, indent) => {
          const text = stringifyJson(members, indent);
          const locator = makeLocator('file', text);
          const lines = text.split('\n');
          for (const name of Object.keys(members)) {
            const { line, column } = locator.locate(joinPointer('', name));
            expect(lines[line - 1]?.slice(column - 1).startsWith(`${JSON.stringify(name)}:`)).toBe(
              true,
            );
          }
        },
      ),
      { numRuns: 300 },
    );
  });
});

test('the text is read once, for the first place', () => {
  let times = 0;
  const locator = makeLocator('file', () => ((times += 1), json));
  expect(times).toBe(0);
  locator.locate('/g');
  expect(locator.frame('/g')).toContain('> 4 |   "g": [ ],');
  expect(times).toBe(1);
});

test('if the text is no longer available, each place is the beginning of the file', () => {
  expect(makeLocator('file', () => undefined).locate('/a')).toEqual({
    file: 'file',
    line: 1,
    column: 1,
  });
});
