import { describe, expect, test } from 'vitest';
import { parseFaultyYaml, parseYaml } from '../../src/json/parse-yaml.ts';
import type { JsonValue } from '../../src/json/value.ts';

/** What a text is read as, and on which lines it is repaired. */
function repaired(text: string): { value: JsonValue; lines: number[] } | undefined {
  expect(parseYaml(text).ok).toBe(false);
  const reading = parseFaultyYaml(text);
  return reading && { value: reading.value, lines: reading.repairs.map(({ line }) => line) };
}

describe('YAML that a strict parser refuses is repaired', () => {
  test.each<[string, string, JsonValue, number[]]>([
    [
      'a closing bracket at the indentation of its key',
      'a:\n  required: [\n    x, y\n  ]\n  enum: {\n    z: 1\n}\n',
      { a: { required: ['x', 'y'], enum: { z: 1 } } },
      [4, 7],
    ],
    [
      'items of a list in brackets at the indentation of its key',
      'a:\n  required: [x, "y]",\n  z] # done\n  b: 1\n',
      { a: { required: ['x', 'y]', 'z'], b: 1 } },
      [3],
    ],
    [
      'quoted text that is folded with less indentation',
      "a:\n  b: \"one\n\n two\nthree\"\n  c: 'it''s\nhere'\n",
      { a: { b: 'one\ntwo three', c: "it's here" } },
      [4, 5, 7],
    ],
    [
      'plain text that is folded with less indentation',
      'a:\n  b: one\n  two\nthree\n  c: 1\n',
      { a: { b: 'one two three', c: 1 } },
      [3, 4],
    ],
    [
      'lines of a block that are less indented than its first',
      'a:\n  b: |\n    one\n   two\nand three\n  c: 1\n',
      { a: { b: 'one\ntwo\nand three\n', c: 1 } },
      [4, 5],
    ],
    ['tabs', 'a:\n\tb:\n\t\tc: 1\n\td: 2\n', { a: { b: { c: 1 }, d: 2 } }, [2, 3, 4]],
    [
      'text with a colon',
      'a:\n  b: Note: this is text\n    that goes on\n  c: 1\n',
      { a: { b: 'Note: this is text that goes on', c: 1 } },
      [2],
    ],
    [
      'a sentence that goes on with a colon',
      'a:\n  b: This is what it says\n    of one: two\n',
      { a: { b: 'This is what it says of one: two' } },
      [2],
    ],
    [
      'text that begins like an alias',
      'a: **bold** text\nb: *.json\n',
      { a: '**bold** text', b: '*.json' },
      [1, 2],
    ],
    [
      'reserved characters',
      "a: @name\nb: `code` it's\nc: %d\n",
      { a: '@name', b: "`code` it's", c: '%d' },
      [1, 2, 3],
    ],
    [
      'text behind a bracket',
      'a: [old] text\nb: {id} of it\n',
      { a: '[old] text', b: '{id} of it' },
      [1, 2],
    ],
    ['an escape without a meaning', 'a: "\\d+\\\\w\\n\\.x"\n', { a: '\\d+\\w\n\\.x' }, [1]],
    ['a key twice, with a value', 'a: 1\nb: 2\na: 3\n', { a: 3, b: 2 }, [3]],
    [
      'a key twice, with different members',
      'p:\n  /a:\n    get: 1\n  /a:\n    post: 2\n',
      { p: { '/a': { get: 1, post: 2 } } },
      [4],
    ],
    [
      'a key twice, with the same members',
      'p:\n  x: { type: a, n: 1 }\n  x: { type: b }\n',
      { p: { x: { type: 'b' } } },
      [3],
    ],
    ['an unknown tag', 'a: !Sub "x"\nb: !Join [1]\n', { a: 'x', b: [1] }, [1, 2]],
    ['an alias of nothing', 'a: *none\n', { a: '*none' }, [1]],
    ['a merge key of a list', 'x: &x [1]\ny:\n  <<: *x\n  b: 2\n', { x: [1], y: { b: 2 } }, [3]],
    ['infinity', 'a: .inf\n', { a: '.inf' }, [1]],
    ['a second document', 'a: 1\n---\nb: 2\n', { a: 1 }, [1]],
  ])('%s', (_name, text, value, lines) => {
    expect(repaired(text)).toEqual({ value, lines });
  });
});

describe('ambiguous YAML is not repaired', () => {
  test.each([
    ['an open quote', 'a: "one\nb: 1\n'],
    ['an open quote before another', 'a: "one\nb: "two"\nc: 1\n'],
    ['an open bracket', 'a: [1, 2\nb: 1\n'],
    ['a key with a wrong indentation', 'a:\n   b: 1\n  c: 2\n'],
    ['a key that is too far in', 'a:\n  type: object\n   properties: 2\n'],
    ['a key that is a list', '? [a]\n: 1\n'],
    ['nothing', ''],
  ])('%s', (_name, text) => {
    expect(repaired(text)).toBeUndefined();
  });
});

test('valid parts beside a fault do not change', () => {
  const valid = [
    'plain: it is "quoted" and [bracketed], it\'s so # not this',
    'url: https://a.example/x?y=[1]',
    "quoted: 'a: b'",
    'folded: one',
    '  two',
    'block: |',
    '  key: [',
    '    {',
    '  # no comment',
    'flow: { a: "x: y", b: [1, 2], c: it\'s }',
    'anchor: &a { b: 1 }',
    'alias: *a',
    '200: text key',
  ];
  const text = `${valid.join('\n')}\n`;
  const clean = parseYaml(text);
  const faulty = parseFaultyYaml(`${text}tail: [\n]\n`);
  expect(clean.ok && faulty?.value).toEqual({
    ...(clean.ok ? (clean.value as object) : {}),
    tail: [],
  });
  expect(faulty?.repairs.map(({ line }) => line)).toEqual([valid.length + 2]);
});
