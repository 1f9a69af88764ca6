import { describe, expect, test } from 'vitest';
import { parseJson } from '../../src/json/parse-json.ts';
import { parseYaml, parseYamlBytes } from '../../src/json/parse-yaml.ts';
import { type JsonValue, stringifyJson } from '../../src/json/value.ts';
import { fc } from '../property.ts';
import { anyJson } from './json-arbitraries.ts';
import { accepted } from './json-grammar.ts';

const read: readonly (readonly [text: string, value: JsonValue])[] = [
  ['a: 1', { a: 1 }],
  ['- a\n- 2\n- true\n- null\n- ~\n-', ['a', 2, true, null, null, null]],
  ['date: 2030-12-05', { date: '2030-12-05' }],
  ['at: 2030-12-05T10:00:00Z', { at: '2030-12-05T10:00:00Z' }],
  ['at: 12:30:45', { at: '12:30:45' }],
  ['- yes\n- no\n- on\n- off\n- y\n- NO', ['yes', 'no', 'on', 'off', 'y', 'NO']],
  ['- True\n- FALSE\n- Null', [true, false, null]],
  ['- 0o14\n- 0x1F\n- +5\n- -5\n- 1_000\n- 0b11', [12, 31, 5, -5, '1_000', '0b11']],
  ['- 1.5\n- .5\n- 1.\n- 1e3\n- -1.5E-3', [1.5, 0.5, 1, 1000, -0.0015]],
  [
    '- 9007199254740991\n- 9007199254740992\n- -9007199254740993',
    [9007199254740991, 9007199254740992n, -9007199254740993n],
  ],
  ['id: 9223372036854775807', { id: 9223372036854775807n }],
  ['id: +12345678901234567890', { id: 12345678901234567890n }],
  ['id: 0xFFFFFFFFFFFFFFFF', { id: 18446744073709551615n }],
  ['n: 12345678901234567890.0', { n: 12345678901234567000 }],
  [
    '200: ok\n"404": gone\n1.10: x\nnull: n\ntrue: t\n0x10: h',
    { 200: 'ok', 404: 'gone', '1.10': 'x', null: 'n', true: 't', '0x10': 'h' },
  ],
  ['"1": quoted\n\'2\': single', { 1: 'quoted', 2: 'single' }],
  ['text: |\n  a\n  b\nfolded: >-\n  a\n  b', { text: 'a\nb\n', folded: 'a b' }],
  ['a: &x {b: 1}\nc: *x\nd: [*x]', { a: { b: 1 }, c: { b: 1 }, d: [{ b: 1 }] }],
  ['- &k name\n- {*k : 1}', ['name', { name: 1 }]],
  ['a: &x 1\nb: &x 2\nc: *x', { a: 1, b: 2, c: 2 }],
  [
    '- !!str 12\n- !!int 12\n- !!float 1\n- !!null null\n- !!bool true\n- ! ' +
      '12\n- !!seq [1]\n- !!map {a: 1}\n- !<tag:yaml.org,2002:str> 7',
    ['12', 12, 1, null, true, '12', [1], { a: 1 }, '7'],
  ],
  ['{a: 1, b: [x, y]}', { a: 1, b: ['x', 'y'] }],
  ['[a: 1, b]', [{ a: 1 }, 'b']],
  ['"<<": 1', { '<<': 1 }],
  ['--- # comment\na: 1\n...\n', { a: 1 }],
  ['%YAML 1.2\n---\na: 1', { a: 1 }],
  ['---\n', null],
  ['just text', 'just text'],
  ['\uFEFFa: 1', { a: 1 }],
  ['constructor: 1\ntoString: 2', { constructor: 1, toString: 2 }],
  ['$ref: "#/a"', { $ref: '#/a' }],
  ['pattern: ^\\d+$', { pattern: '^\\d+$' }],
  ['"\\ud83d\\ude00"', '😀'],
  ['a: "\x7f"', { a: '\x7f' }],
  ['{"a": 1,\n  "b": [1, 2],\n}', { a: 1, b: [1, 2] }],
];

test.each(read)('%j', (text, value) => {
  expect(parseYaml(text)).toEqual({ ok: true, value });
});

test('an own __proto__ stays an own key', () => {
  for (const text of ['__proto__: {polluted: true}', '{"__proto__": {"polluted": true}}']) {
    const reading = parseYaml(text);
    expect(reading.ok && Object.keys(reading.value ?? {})).toEqual(['__proto__']);
  }
  expect('polluted' in {}).toBe(false);
});

const laughs = [
  'a: &a [lol, lol, lol, lol, lol, lol, lol, lol, lol]',
  ...'bcdefghi'
    .split('')
    .map(
      (name, index) => `${name}: &${name} [${Array(9).fill(`*${'abcdefgh'[index]}`).join(', ')}]`,
    ),
].join('\n');
const deepByAlias = [
  'a: &a [x]',
  ...Array.from(
    { length: 120 },
    (_, index) => `k${index}: &k${index} [*${index === 0 ? 'a' : `k${index - 1}`}]`,
  ),
].join('\n');

test('a byte order mark is skipped in YAML and in JSON of any size', () => {
  const value = { a: 'x'.repeat(1_100_000) };
  expect([parseYaml('\uFEFFa: 1'), parseYaml('\uFEFF{ "a": 1 }')]).toEqual([
    { ok: true, value: { a: 1 } },
    { ok: true, value: { a: 1 } },
  ]);
  expect(parseYamlBytes(Buffer.from(`\uFEFF${JSON.stringify(value)}`))).toEqual({
    ok: true,
    value,
  });
});

test('a merge key adds members; own members and earlier sources override it', () => {
  const text =
    'a: &a { x: 1, y: 1 }\nb: &b { y: 2, z: 2 }\nsame: { <<: *a }\nboth: { ' +
    'y: 0, <<: [*b, *a] }\nplain: { "<<": *a }\nlater: { <<: *b, w: { <<: ' +
    '*a, x: 3 } }';
  expect(parseYaml(text)).toMatchObject({
    ok: true,
    value: {
      same: { x: 1, y: 1 },
      both: { x: 1, y: 0, z: 2 },
      plain: { '<<': { x: 1, y: 1 } },
      later: { y: 2, z: 2, w: { x: 3, y: 1 } },
    },
  });
});

test('invalid YAML is refused with message and place', () => {
  const texts: readonly (readonly [name: string, text: string])[] = [
    ['empty', ''],
    ['comment only', '# nothing\n'],
    ['two documents', 'a: 1\n---\nb: 2'],
    ['duplicate key', 'a: 1\nb: 2\na: 3'],
    ['duplicate key, quoted once', "200: a\n'200': b"],
    ['duplicate key in JSON', '{\n  "a": 1,\n  "a": 2\n}'],
    ['a merge key with a text', 'other:\n  <<: text'],
    ['two merge keys', 'a: &a {}\nb:\n  <<: *a\n  <<: *a'],
    ['billion laughs', laughs],
    ['deep by aliases', deepByAlias],
    ['recursive alias', 'a: &a\n  b: *a'],
    ['unknown alias', 'a: *nothing'],
    ['unknown tag', 'a: !secret x'],
    ['unknown tag on a list', 'a: !!set {x}'],
    ['binary', 'a: !!binary aGVsbG8='],
    ['timestamp tag', 'a: !!timestamp 2030-12-05'],
    ['JavaScript', 'a: !!js/function x'],
    ['tag directive', '%TAG !! tag:example.com,2000:\n---\na: !!str b'],
    ['a tag that lies', 'a: !!int 1.5'],
    ['not a number', 'a: .nan'],
    ['infinity', 'a: -.inf'],
    ['too large', 'a: 1e400'],
    ['a list as a key', '? [a]\n: b'],
    ['a missing key', ': b'],
    ['bad indentation', 'a:\n  b: 1\n c: 2'],
    ['tab', 'a:\n\tb: 1'],
    ['unclosed quote', 'a: "b'],
    ['unclosed flow', 'a: [1, 2\nb: 3'],
    ['colon in plain text', 'a: b: c'],
    ['half a surrogate pair', 'a: "\\ud800"'],
    ['a null byte', 'a: b\0'],
    ['broken JSON', '{\n  "a": 1\n  "b": 2\n}'],
    ['JSON cut off', '{"a": [1, 2'],
    ['deep', '['.repeat(101) + ']'.repeat(101)],
    ['very deep', '['.repeat(100_000)],
    [
      'very deep blocks',
      Array.from({ length: 300 }, (_, level) => `${' '.repeat(level)}a:`).join('\n'),
    ],
    ['deep and not JSON', '[a, '.repeat(150)],
  ];
  const problems = texts.map(([name, text]) => {
    const reading = parseYaml(text);
    return reading.ok
      ? `${name}: taken`
      : `${name} ${reading.problem.line}:${reading.problem.column} ${reading.problem.message}`;
  });
  expect(problems.join('\n')).toMatchInlineSnapshot(`
    "empty 1:1 expected a document, found nothing
    comment only 1:1 expected a document, found nothing
    two documents 1:1 expected one document, found another after it
    duplicate key 3:1 the key \`a\` is written twice in one mapping, first on line 1
    duplicate key, quoted once 2:2 the key \`200\` is written twice in one mapping,
      ↳ first on line 1
    duplicate key in JSON 3:3 the member \`a\` is given twice in one object
    a merge key with a text 2:7 the merge key \`<<\` must be a mapping or a list of
      ↳ mappings
    two merge keys 4:3 the key \`<<\` is written twice in one mapping, first on line 3
    billion laughs 6:8 the aliases repeat more than 100,000 values
    deep by aliases 100:12 lists and mappings are nested more than 100 levels deep
    recursive alias 2:6 the alias \`*a\` is inside the value that it refers to
    unknown alias 1:4 the alias \`*nothing\` refers to an anchor that is not defined
      ↳ before it
    unknown tag 1:12 the tag \`!secret\` has no meaning in JSON; remove it
    unknown tag on a list 1:10 the tag \`!!set\` has no meaning in JSON; remove it
    binary 1:13 the tag \`!!binary\` has no meaning in JSON; remove it
    timestamp tag 1:16 the tag \`!!timestamp\` has no meaning in JSON; remove it
    JavaScript 1:18 the tag \`!!js/function\` has no meaning in JSON; remove it
    tag directive 1:1 a \`%TAG\` directive has no meaning in JSON; remove it
    a tag that lies 1:10 \`1.5\` is not what the tag \`!!int\` says
    not a number 1:4 \`.nan\` is not a JSON value (quote it if it is text)
    infinity 1:4 \`-.inf\` is not a JSON value (quote it if it is text)
    too large 1:4 the number \`1e400\` is beyond what a double can hold (quote it if it
      ↳ is text)
    a list as a key 1:3 a key must be text, but is a list or a mapping
    a missing key 1:1 a key is missing before \`:\`
    bad indentation 3:2 bad indentation of a mapping entry, or text with \`: \` in it
      ↳ that is not quoted
    tab 2:1 tab characters must not be used in indentation
    unclosed quote 1:6 unexpected end of the stream within a double quoted scalar
    unclosed flow 2:1 deficient indentation
    colon in plain text 1:5 bad indentation of a mapping entry, or text with \`: \` in
      ↳ it that is not quoted
    half a surrogate pair 1:5 the text holds a lone surrogate
    a null byte 1:5 null byte is not allowed in input
    broken JSON 3:6 missed comma between flow collection entries
    JSON cut off 1:12 expected \`,\` or \`]\`, found the end of the text (the array that
      ↳ begins at line 1, column 7 is not closed)
    deep 1:101 arrays and objects are nested more than 100 levels deep
    very deep 1:101 arrays and objects are nested more than 100 levels deep
    very deep blocks 200:200 lists and mappings are nested more than 100 levels deep
    deep and not JSON 1:601 unexpected end of the stream within a flow collection"
  `);
});

test('a billion-laughs document is refused', () => {
  expect(parseYaml(laughs).ok).toBe(false);
});

test('100 levels are allowed', () => {
  expect(parseYaml(`${'[a, '.repeat(99)}[]${']'.repeat(99)}`).ok).toBe(true);
});

test('a shared anchor is not an expansion attack', () => {
  const text = `common: &common {type: string}\nlist:\n${'- *common\n'.repeat(5000)}`;
  expect(parseYaml(text).ok).toBe(true);
});

describe('JSON is YAML', () => {
  test.each(accepted.filter(([, value]) => typeof value === 'object' && value !== null))(
    '%s',
    (text, value) => {
      expect(parseYaml(text)).toEqual({ ok: true, value });
    },
  );

  test('any value written as JSON is parsed back', () => {
    fc.assert(
      fc.property(anyJson, fc.constantFrom(undefined, 2), (value, indent) => {
        expect(parseYaml(stringifyJson([value], indent))).toEqual({ ok: true, value: [value] });
      }),
    );
  });
});

describe('laws of parseYaml', () => {
  const pieces = [
    'a',
    ': ',
    '- ',
    '\n',
    '  ',
    '[',
    ']',
    '{',
    '}',
    ', ',
    '"',
    "'",
    '&x ',
    '*x',
    '!!str ',
    '!',
    '? ',
    '|',
    '>',
    '#',
    '---',
    '1',
    '9007199254740993',
    '%',
    '\t',
    '<<',
    '\r',
    '\0',
    '\ud800',
    '...',
  ];

  test('no text makes it throw another error, and the result is JSON', () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...pieces), { maxLength: 20 }), (parts) => {
        const reading = parseYaml(parts.join(''));
        if (reading.ok)
          expect(parseJson(stringifyJson(reading.value), { forbiddenKeys: [] }).ok).toBe(true);
        else expect(reading.problem.line * reading.problem.column).toBeGreaterThan(0);
      }),
      { numRuns: 3000 },
    );
  });
});
