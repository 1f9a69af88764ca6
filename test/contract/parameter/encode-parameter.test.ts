import { describe, expect, test } from 'vitest';
import { decodeParameter } from '../../../src/contract/parameter/decode-parameter.ts';
import { encodeParameter } from '../../../src/contract/parameter/encode-parameter.ts';
import type { ParameterForm } from '../../../src/contract/parameter/parameter-form.ts';
import type { ParameterPlace, ParameterStyle, SchemaNode } from '../../../src/contract/model.ts';
import { parseTarget } from '../../../src/http/target.ts';
import { equalJson } from '../../../src/json/equal-json.ts';
import type { JsonValue } from '../../../src/json/value.ts';
import { anyJson } from '../../json/json-arbitraries.ts';
import { fc } from '../../property.ts';
import { makeParameter } from './make-parameter.ts';
import { textOf, wireOf } from './wire.ts';

describe('the encoded text', () => {
  const rows: readonly (readonly [
    name: string,
    changes: Partial<ParameterForm>,
    value: JsonValue,
    wire: string,
  ])[] = [
    [
      'everything but unreserved characters',
      {},
      'a b&c=d+e/f?g~h',
      'color=a%20b%26c%3Dd%2Be%2Ff%3Fg~h',
    ],
    ['the name', { name: 'page[size]' }, 1, 'page%5Bsize%5D=1'],
    [
      'reserved characters are kept on request',
      { allowReserved: true },
      "a:/?@!$'()*,;b",
      "color=a:/?@!$'()*,;b",
    ],
    [
      'but not those that mean something',
      { allowReserved: true },
      'a&b=c+d#e[f]%20',
      'color=a%26b%3Dc%2Bd%23e%5Bf%5D%2520',
    ],
    [
      'nor a comma in a list',
      { allowReserved: true, explode: false },
      ['a,b', 'c:d'],
      'color=a%2Cb,c:d',
    ],
    ['Unicode', {}, 'é😀', 'color=%C3%A9%F0%9F%98%80'],
    ['half of a surrogate pair', {}, '\ud800', 'color=%EF%BF%BD'],
    ['a big integer', {}, 9007199254740993n, 'color=9007199254740993'],
    ['a whole number without exponent', {}, 1e21, 'color=1000000000000000000000'],
    ['a fraction', {}, 1e-7, 'color=1e-7'],
    ['zero has no sign', {}, -0, 'color=0'],
    ['a boolean', {}, false, 'color=false'],
    ['null is nothing', {}, null, 'color='],
    ['an empty list, exploded', {}, [], ''],
    ['an empty list, delimited', { explode: false }, [], 'color='],
    ['an empty object, exploded', {}, {}, ''],
    ['a list in an object', {}, { tags: ['a', 'b'], n: 1 }, 'tags=a&tags=b&n=1'],
    [
      'a list in a deep object',
      { style: 'deepObject' },
      { tags: ['a', 'b'] },
      'color%5Btags%5D=a&color%5Btags%5D=b',
    ],
    [
      'an object in a deep object',
      { style: 'deepObject' },
      { a: { b: 1n } },
      'color%5Ba%5D=%7B%22b%22%3A1%7D',
    ],
    ['a list in a list', {}, [['a'], 1], 'color=%5B%22a%22%5D&color=1'],
    ['a word in a deep object', { style: 'deepObject' }, 'x', 'color=x'],
    ['a list for one value: twice', {}, [1, 2], 'color=1&color=2'],
    [
      'content',
      { mediaType: 'application/json' },
      { id: 9007199254740993n },
      'color=%7B%22id%22%3A9007199254740993%7D',
    ],
    ['content that is no JSON', { mediaType: 'text/plain' }, 'a b', 'color=a%20b'],
    ['a slash in a path', { in: 'path' }, 'a/b', 'a%2Fb'],
    ['a dot alone in a path', { in: 'path' }, '.', '%2E'],
    ['two dots alone in a path', { in: 'path' }, '..', '%2E%2E'],
    ['three dots in a path', { in: 'path' }, '...', '...'],
    ['a dot in a path', { in: 'path' }, 'a.b', 'a.b'],
    [
      'dots in an exploded label',
      { in: 'path', style: 'label', explode: true },
      [1.5, 2],
      '.1%2E5.2',
    ],
    ['dots in a label', { in: 'path', style: 'label' }, 1.5, '.1.5'],
    ['a semicolon in a matrix', { in: 'path', style: 'matrix' }, 'a;b=c', ';color=a%3Bb%3Dc'],
    [
      'content in a path',
      { in: 'path', style: 'label', mediaType: 'application/json' },
      [1],
      '%5B1%5D',
    ],
    ['a header travels unchanged', { in: 'header' }, 'W/"a%20b", 100% é', 'W/"a%20b", 100% %C3%A9'],
    ['no header breaks its line', { in: 'header' }, 'a\r\nSet-Cookie: b', 'a%0D%0ASet-Cookie: b'],
    ['spaces around a header', { in: 'header' }, ' a b ', '%20a b%20'],
    ['a comma in a header list', { in: 'header' }, ['a,b', 'c'], 'a%2Cb,c'],
    [
      'content in a header',
      { in: 'header', mediaType: 'application/json' },
      { a: 'é😀' },
      '{"a":"\\u00e9\\ud83d\\ude00"}',
    ],
    ['a cookie', { in: 'cookie', name: 'a_b*' }, 'x; y', 'a_b*=x%3B%20y'],
    ['an odd cookie name', { in: 'cookie', name: 'a;b' }, 1, 'a%3Bb=1'],
  ];
  test.each(rows)('%s', (_name, changes, value, wire) => {
    expect(textOf(encodeParameter(makeParameter({}, changes), value))).toBe(wire);
  });

  test('a header has its name', () => {
    expect(encodeParameter(makeParameter({}, { in: 'header', name: 'X-Color' }), 1)).toEqual({
      in: 'header',
      name: 'X-Color',
      value: '1',
    });
  });
});

describe('a written parameter is decoded to the same value', () => {
  const combinations: readonly (readonly [place: ParameterPlace, style: ParameterStyle])[] = [
    ['path', 'simple'],
    ['path', 'label'],
    ['path', 'matrix'],
    ['query', 'form'],
    ['query', 'spaceDelimited'],
    ['query', 'pipeDelimited'],
    ['query', 'deepObject'],
    ['header', 'simple'],
    ['cookie', 'form'],
  ];

  describe.each(combinations)('%s, %s', (location, style) => {
    test.each([true, false])('explode %s', (explode) => {
      fc.assert(
        fc.property(typedValue(location, style), fc.boolean(), ([schema, value], allowReserved) => {
          const form = makeParameter(schema, { in: location, style, explode, allowReserved });
          const reading = decodeParameter(form, wireOf(form, textOf(encodeParameter(form, value))));
          expect(reading.kind).toBe('value');
          if (reading.kind === 'value')
            expect({ equal: equalJson(reading.value, value), read: reading.value }).toEqual({
              equal: true,
              read: reading.value,
            });
        }),
        { numRuns: 300 },
      );
    });

    test('content', () => {
      fc.assert(
        fc.property(anyJson, (value) => {
          const form = makeParameter({}, { in: location, style, mediaType: 'application/json' });
          const reading = decodeParameter(form, wireOf(form, textOf(encodeParameter(form, value))));
          // An own __proto__ is refused, as in every body.
          if (reading.kind === 'unreadable')
            expect(reading.message).toContain('`__proto__` is not allowed');
          else expect(reading.kind === 'value' && equalJson(reading.value, value)).toBe(true);
        }),
      );
    });
  });
});

test('any path or query is a valid target, and no header contains a line break', () => {
  const forms = fc.record({
    in: fc.constantFrom('path', 'query', 'header', 'cookie'),
    explode: fc.boolean(),
    allowReserved: fc.boolean(),
    name: fc.string({ unit: 'grapheme', minLength: 1, maxLength: 5 }),
  });
  fc.assert(
    fc.property(forms, anyJson, (changes, value) => {
      const text = textOf(encodeParameter(makeParameter({}, changes), value));
      if (changes.in === 'path')
        expect(parseTarget(`/${text}`)).toMatchObject({ ok: true, segments: [expect.any(String)] });
      else if (changes.in === 'query') expect(parseTarget(`/?${text}`).ok).toBe(true);
      else expect(text).toMatch(/^[\x20-\x7e]*$/);
    }),
    { numRuns: 1000 },
  );
});

/** A schema and a value of it that the style can carry without doubt. */
function typedValue(
  location: ParameterPlace,
  style: ParameterStyle,
): fc.Arbitrary<[SchemaNode, JsonValue]> {
  const text = textFor(location, style);
  const kinds: [SchemaNode, fc.Arbitrary<JsonValue>][] = [
    [{ type: 'string' }, text],
    [
      { type: 'integer' },
      fc.oneof(fc.maxSafeInteger(), fc.bigInt({ min: 2n ** 53n, max: 2n ** 64n })),
    ],
    [{ type: 'number' }, fc.double({ noNaN: true, noDefaultInfinity: true })],
    [{ type: 'boolean' }, fc.boolean()],
    [{ type: ['integer', 'null'] }, fc.option(fc.integer())],
    [{ type: ['integer', 'boolean'] }, fc.oneof(fc.integer(), fc.boolean())],
  ];
  const scalar = fc
    .constantFrom(...kinds)
    .chain(([schema, values]) => values.map((value): [SchemaNode, JsonValue] => [schema, value]));
  const list = fc.constantFrom(...kinds).chain(([items, values]) =>
    fc
      .array(values, { minLength: 1, maxLength: 4 })
      .filter((value) => value.length > 1 || (value[0] !== '' && value[0] !== null))
      .map((value): [SchemaNode, JsonValue] => [{ type: 'array', items }, value]),
  );
  const members = fc
    .uniqueArray(fc.tuple(nameFor(location, style), scalar), {
      minLength: 1,
      maxLength: 4,
      selector: ([name]) => name,
    })
    .map((entries): [SchemaNode, JsonValue] => [
      {
        type: 'object',
        properties: Object.fromEntries(entries.map(([name, [schema]]) => [name, schema])),
      },
      Object.fromEntries(entries.map(([name, [, value]]) => [name, value])),
    ]);
  return style === 'deepObject' ? members : fc.oneof(scalar, list, members);
}

/**
 * Text that survives: a header keeps to visible ASCII, a delimiter that travels encoded cannot be
 * told from the same in an item.
 */
function textFor(location: ParameterPlace, style: ParameterStyle): fc.Arbitrary<string> {
  const any = fc.string({ unit: 'grapheme', maxLength: 8 });
  if (location === 'header')
    return fc
      .string({ unit: 'grapheme-ascii', maxLength: 8 })
      .map((text) => text.replaceAll(/[,=%]/g, '').trim());
  if (style === 'spaceDelimited') return any.map((text) => text.replaceAll(' ', ''));
  return style === 'pipeDelimited' ? any.map((text) => text.replaceAll('|', '')) : any;
}

function nameFor(location: ParameterPlace, style: ParameterStyle): fc.Arbitrary<string> {
  const names = textFor(location, style).filter((name) => name !== '' && name !== '__proto__');
  return style === 'deepObject' ? names.map((name) => `${name.replaceAll(/[[\]]/g, '')}x`) : names;
}
