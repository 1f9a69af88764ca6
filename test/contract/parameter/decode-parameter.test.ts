import { describe, expect, test } from 'vitest';
import { decodeParameter } from '../../../src/contract/parameter/decode-parameter.ts';
import type { ParameterForm } from '../../../src/contract/parameter/parameter-form.ts';
import type { SchemaNode } from '../../../src/contract/model.ts';
import type { JsonValue } from '../../../src/json/value.ts';
import { fc } from '../../property.ts';
import { makeParameter } from './make-parameter.ts';
import { wireOf } from './wire.ts';

type Changes = Partial<ParameterForm>;
const absent = Symbol('absent');

/** The value of a parameter, `absent`, or the message about it. */
function read(form: ParameterForm, wire: string): JsonValue | typeof absent {
  const reading = decodeParameter(form, wireOf(form, wire));
  if (reading.kind === 'absent') return absent;
  return reading.kind === 'value' ? reading.value : `unreadable: ${reading.message}`;
}

const integer: SchemaNode = { type: 'integer' };
const number: SchemaNode = { type: 'number' };
const boolean: SchemaNode = { type: 'boolean' };
const string: SchemaNode = { type: 'string' };

describe('a single value is read by its type', () => {
  const rows: readonly (readonly [schema: SchemaNode, text: string, value: JsonValue])[] = [
    [integer, '5', 5],
    [integer, '0', 0],
    [integer, '-5', -5],
    [integer, '%35', 5],
    [integer, '9007199254740991', 9007199254740991],
    [integer, '9007199254740992', 9007199254740992n],
    [integer, '-9223372036854775808', -9223372036854775808n],
    [integer, '1e2', 'unreadable: must be an integer, but is `1e2`'],
    [integer, '+5', 'unreadable: must be an integer, but is ` 5`'],
    [integer, '%2B5', 'unreadable: must be an integer, but is `+5`'],
    [integer, '05', 'unreadable: must be an integer, but is `05`'],
    [integer, '-0', 'unreadable: must be an integer, but is `-0`'],
    [integer, '1.0', 'unreadable: must be an integer, but is `1.0`'],
    [integer, '', 'unreadable: must be an integer, but is empty'],
    [integer, 'abc', 'unreadable: must be an integer, but is `abc`'],
    [integer, '0x10', 'unreadable: must be an integer, but is `0x10`'],
    [integer, '１', 'unreadable: must be an integer, but is `１`'],
    [integer, '5%0A', 'unreadable: must be an integer, but is `5U+000A`'],
    [number, '1.5', 1.5],
    [number, '1e2', 100],
    [number, '-0.5E-1', -0.05],
    [number, '7', 7],
    [number, '9007199254740993', 9007199254740993n],
    [number, '1e400', 'unreadable: must be a number, but is `1e400`'],
    [number, 'NaN', 'unreadable: must be a number, but is `NaN`'],
    [number, '.5', 'unreadable: must be a number, but is `.5`'],
    [number, '1.', 'unreadable: must be a number, but is `1.`'],
    [boolean, 'true', true],
    [boolean, 'false', false],
    [boolean, 'True', 'unreadable: must be `true` or `false`, but is `True`'],
    [boolean, '1', 'unreadable: must be `true` or `false`, but is `1`'],
    [boolean, '', 'unreadable: must be `true` or `false`, but is empty'],
    [string, '5', '5'],
    [string, '', ''],
    [string, 'a+b%20c%2B', 'a b c+'],
    [string, 'a,b', 'a,b'],
    [string, 'null', 'null'],
    [
      string,
      '%zz',
      'unreadable: holds `%zz`, which is not a valid percent-escape (write % as %25)',
    ],
    [string, '%ff', 'unreadable: holds percent-escapes that are not UTF-8'],
    [{ type: ['integer', 'null'] }, '5', 5],
    [{ type: ['integer', 'null'] }, '', null],
    [{ type: ['integer', 'null'] }, 'x', 'unreadable: must be an integer or empty, but is `x`'],
    [{ type: ['string', 'null'] }, '', ''],
    [{ type: ['integer', 'number'] }, 'x', 'unreadable: must be a number, but is `x`'],
    [
      { type: ['integer', 'boolean'] },
      'x',
      'unreadable: must be an integer or `true` or `false`, but is `x`',
    ],
    [{ type: ['string', 'integer'] }, '5', 5],
    [{ type: ['string', 'integer'] }, '05', '05'],
    [{ type: ['string', 'boolean'] }, 'true', true],
    [{ type: ['string', 'integer'], enum: ['5', '6'] }, '5', '5'],
    [{ type: ['string', 'number', 'boolean'], enum: ['none', 1] }, '2', 2],
    [{ anyOf: [integer, boolean] }, 'true', true],
    [
      { anyOf: [integer, boolean] },
      'x',
      'unreadable: must be an integer or `true` or `false`, but is `x`',
    ],
    [{ oneOf: [{ anyOf: [boolean] }, integer] }, '7', 7],
    [{ type: 'string', anyOf: [integer] }, '7', '7'],
    [true, '5', 5],
    [true, 'x', 'x'],
    [{}, '', ''],
  ];
  test.each(rows)('%o from %s', (schema, text, value) => {
    expect(read(makeParameter(schema), `color=${text}`)).toEqual(value);
  });
});

describe('the location of a parameter', () => {
  const list: SchemaNode = { type: 'array', items: integer };
  const rows: readonly (readonly [
    name: string,
    schema: SchemaNode,
    changes: Changes,
    wire: string,
    value: JsonValue | typeof absent,
  ])[] = [
    ['not there', integer, {}, 'size=1', absent],
    ['no query', integer, {}, '', absent],
    ['a longer name', integer, {}, 'colors=1&Color=2', absent],
    ['among others', integer, {}, 'a=1&color=2&b=3', 2],
    ['a name alone', string, {}, 'color', ''],
    ['an encoded name', integer, {}, 'c%6Flor=2', 2],
    ['a name with brackets', integer, { name: 'page[size]' }, 'page[size]=2', 2],
    ['a name with encoded brackets', integer, { name: 'page[size]' }, 'page%5Bsize%5D=2', 2],
    ['a broken name is another one', integer, {}, '%zz=1&color=2', 2],
    ['given twice', integer, {}, 'color=1&color=2', 'unreadable: is given 2 times'],
    [
      'given three times, the same',
      integer,
      {},
      'color=1&color=1&color=1',
      'unreadable: is given 3 times',
    ],
    ['empty and allowed to be', integer, { allowEmptyValue: true }, 'color=', absent],
    ['empty text and allowed to be', string, { allowEmptyValue: true }, 'color', absent],
    ['allowed to be empty and not', integer, { allowEmptyValue: true }, 'color=5', 5],
    ['a list given once', list, {}, 'color=1', [1]],
    [
      'a list with an empty item',
      { type: 'array', items: string },
      {},
      'color=&color=a',
      ['', 'a'],
    ],
    [
      'a list with a broken item',
      list,
      {},
      'color=1&color=x',
      'unreadable: holds item 2, which must be an integer, but is `x`',
    ],
    [
      'a list with a broken escape',
      list,
      {},
      'color=1&color=%zz',
      'unreadable: holds item 2, which holds `%zz`, which is not a valid ' +
        'percent-escape (write % as %25)',
    ],
    ['a delimited list', list, { explode: false }, 'color=1,2', [1, 2]],
    ['a delimited list, empty', list, { explode: false }, 'color=', []],
    [
      'a delimited list, one hole',
      list,
      { explode: false },
      'color=1,,2',
      'unreadable: holds item 2, which must be an integer, but is empty',
    ],
    [
      'a delimited list given twice',
      list,
      { explode: false },
      'color=1&color=2',
      'unreadable: is given 2 times',
    ],
    [
      'an encoded comma is no delimiter',
      { type: 'array', items: string },
      { explode: false },
      'color=a%2Cb,c',
      ['a,b', 'c'],
    ],
    [
      'a comma is no delimiter where names repeat',
      { type: 'array', items: string },
      {},
      'color=a,b',
      ['a,b'],
    ],
    [
      'items of several types',
      { type: 'array', items: { type: ['integer', 'boolean'] } },
      {},
      'color=1&color=true',
      [1, true],
    ],
    [
      'items in a row',
      { type: 'array', prefixItems: [integer, boolean], items: string },
      {},
      'color=1&color=true&color=2',
      [1, true, '2'],
    ],
    ['items of any type', { type: 'array' }, {}, 'color=1&color=x', [1, 'x']],
    [
      'spaces as they come',
      list,
      { style: 'spaceDelimited', explode: false },
      'color=1%202+3',
      [1, 2, 3],
    ],
    [
      'pipes as they come',
      list,
      { style: 'pipeDelimited', explode: false },
      'color=1|2%7C3%7c4',
      [1, 2, 3, 4],
    ],
    [
      'one value or a list: one',
      { oneOf: [string, { type: 'array', items: string }] },
      {},
      'color=a',
      'a',
    ],
    [
      'one value or a list: two',
      { oneOf: [string, { type: 'array', items: string }] },
      {},
      'color=a&color=b',
      ['a', 'b'],
    ],
    [
      'one value or a list, delimited',
      { type: ['string', 'array'], items: string },
      { explode: false },
      'color=a,b',
      ['a', 'b'],
    ],
    ['anything, twice', {}, {}, 'color=1&color=b', [1, 'b']],
    ['anything with a comma', {}, { explode: false }, 'color=a,b', 'a,b'],
    [
      'content is JSON',
      { type: 'object' },
      { mediaType: 'application/json' },
      'color=%7B%22id%22:9007199254740993%7D',
      { id: 9007199254740993n },
    ],
    ['content is a list', list, { mediaType: 'application/json' }, 'color=[1,2]', [1, 2]],
    [
      'content is broken JSON',
      list,
      { mediaType: 'application/json' },
      'color=[1,',
      'unreadable: must be JSON, but at character 4: expected a value after ' +
        'the comma, found the end of the text',
    ],
    [
      'content twice',
      list,
      { mediaType: 'application/json' },
      'color=1&color=2',
      'unreadable: is given 2 times',
    ],
    ['content is text', string, { mediaType: 'text/plain' }, 'color=1', '1'],
    [
      'content with a broken escape',
      list,
      { mediaType: 'application/json' },
      'color=%zz',
      'unreadable: holds `%zz`, which is not a valid percent-escape (write % as %25)',
    ],
  ];
  test.each(rows)('%s', (_name, schema, changes, wire, value) => {
    expect(read(makeParameter(schema, changes), wire)).toEqual(value);
  });
});

describe('decoded objects', () => {
  const object: SchemaNode = {
    type: 'object',
    properties: {
      a: integer,
      b: string,
      tags: { type: 'array', items: string },
      deep: { type: 'object' },
    },
  };
  const free: SchemaNode = { type: 'object', additionalProperties: integer };
  const rows: readonly (readonly [
    name: string,
    schema: SchemaNode,
    changes: Changes,
    wire: string,
    value: JsonValue | typeof absent,
  ])[] = [
    ['own members', object, {}, 'a=1&other=2&b=x', { a: 1, b: 'x' }],
    ['no member', object, {}, 'other=2', absent],
    ['a member twice', object, {}, 'a=1&a=2', 'unreadable: holds `a`, which is given 2 times'],
    ['a member that is a list', object, {}, 'tags=x&tags=y', { tags: ['x', 'y'] }],
    ['a member that is a list of one', object, {}, 'tags=x', { tags: ['x'] }],
    [
      'a member of the wrong type',
      object,
      {},
      'a=x',
      'unreadable: holds `a`, which must be an integer, but is `x`',
    ],
    ['any name', free, {}, 'x=1&y=2', { x: 1, y: 2 }],
    ['no name at all', { type: 'object', additionalProperties: false }, {}, 'x=1', absent],
    ['in turn', object, { explode: false }, 'color=a,1,b,x', { a: 1, b: 'x' }],
    [
      'in turn, odd',
      object,
      { explode: false },
      'color=a,1,b',
      'unreadable: must alternate names and values, but the last name has no value',
    ],
    [
      'in turn, twice',
      object,
      { explode: false },
      'color=a,1,a,2',
      'unreadable: holds `a`, which is given 2 times',
    ],
    [
      'in turn, a list inside as JSON',
      object,
      { explode: false },
      'color=tags,%5B%22x%22%5D',
      { tags: ['x'] },
    ],
    [
      'in turn, a list inside that is none',
      object,
      { explode: false },
      'color=tags,x',
      'unreadable: holds `tags`, which must be a JSON array, but is `x`',
    ],
    [
      'in turn, an object inside that is a list',
      object,
      { explode: false },
      'color=deep,%5B%5D',
      'unreadable: holds `deep`, which must be a JSON object, but is `[]`',
    ],
    [
      'deep',
      object,
      { style: 'deepObject', explode: true },
      'color[a]=1&color%5Bb%5D=x&colors[a]=3',
      { a: 1, b: 'x' },
    ],
    [
      'deep, explode not said',
      object,
      { style: 'deepObject', explode: false },
      'color[tags]=x&color[tags]=y',
      { tags: ['x', 'y'] },
    ],
    [
      'deep, a list of one',
      object,
      { style: 'deepObject', explode: false },
      'color[tags]=x',
      { tags: ['x'] },
    ],
    ['deep, absent', object, { style: 'deepObject', explode: true }, 'a=1', absent],
    ['deep, any name', free, { style: 'deepObject', explode: true }, 'color[x]=1', { x: 1 }],
    [
      'deep, twice',
      object,
      { style: 'deepObject', explode: true },
      'color[a]=1&color[a]=2',
      'unreadable: holds `a`, which is given 2 times',
    ],
    [
      'deep, too deep',
      object,
      { style: 'deepObject', explode: true },
      'color[a][b]=1',
      'unreadable: must have one level of members, but has `color[a][b]`',
    ],
    [
      'deep, no member named',
      object,
      { style: 'deepObject', explode: true },
      'color=1',
      'unreadable: must name its members, as in `color[name]=value`',
    ],
    [
      'deep, an odd name',
      free,
      { style: 'deepObject', explode: true },
      'color[x%26%25y]=1',
      { 'x&%y': 1 },
    ],
    [
      'deep or a word',
      { anyOf: [string, free] },
      { style: 'deepObject', explode: true },
      'color[x]=1',
      { x: 1 },
    ],
    [
      'deep or a word: the word',
      { anyOf: [string, free] },
      { style: 'deepObject', explode: true },
      'color=x',
      'x',
    ],
    ['__proto__ is a name like others', free, {}, '__proto__=1', JSON.parse('{"__proto__":1}')],
  ];
  test.each(rows)('%s', (_name, schema, changes, wire, value) => {
    const found = read(makeParameter(schema, changes), wire);
    expect(found).toEqual(value);
    if (typeof found === 'object' && found !== null && typeof value === 'object')
      expect(Object.keys(found)).toEqual(Object.keys(value ?? {}));
  });
});

describe('path, header and cookie', () => {
  const list: SchemaNode = { type: 'array', items: integer };
  const rows: readonly (readonly [
    name: string,
    schema: SchemaNode,
    changes: Changes,
    wire: string,
    value: JsonValue | typeof absent,
  ])[] = [
    ['path: an integer', integer, { in: 'path' }, '7', 7],
    ['path: + is no space', string, { in: 'path' }, 'a+b', 'a+b'],
    ['path: an encoded slash', string, { in: 'path' }, 'a%2Fb', 'a/b'],
    [
      'path: broken',
      string,
      { in: 'path' },
      '%zz',
      'unreadable: holds `%zz`, which is not a valid percent-escape (write % as %25)',
    ],
    ['path: JSON', list, { in: 'path', mediaType: 'application/json' }, '%5B1%5D', [1]],
    [
      'label without its dot',
      integer,
      { in: 'path', style: 'label' },
      '7',
      'unreadable: must begin with `.`, but is `7`',
    ],
    ['label, a decimal', number, { in: 'path', style: 'label' }, '.1.5', 1.5],
    [
      'label, exploded decimals',
      { type: 'array', items: number },
      { in: 'path', style: 'label', explode: true },
      '.1%2E5.2',
      [1.5, 2],
    ],
    [
      'matrix without its name',
      integer,
      { in: 'path', style: 'matrix' },
      '7',
      'unreadable: must begin with `;color`, but is `7`',
    ],
    [
      'matrix with another name',
      integer,
      { in: 'path', style: 'matrix' },
      ';size=7',
      'unreadable: must begin with `;color`, but is `;size=7`',
    ],
    [
      'matrix twice',
      integer,
      { in: 'path', style: 'matrix' },
      ';color=1;color=2',
      'unreadable: is given 2 times',
    ],
    [
      'matrix object without its semicolon',
      { type: 'object' },
      { in: 'path', style: 'matrix', explode: true },
      'R=1',
      'unreadable: must begin with `;`, but is `R=1`',
    ],
    ['header: name in any case', integer, { in: 'header', name: 'COLOR' }, '7', 7],
    ['header: percent signs are themselves', string, { in: 'header' }, '100%', '100%'],
    ['header: no decoding', string, { in: 'header' }, 'a%20b', 'a%20b'],
    ['header: + is no space', string, { in: 'header' }, 'a+b', 'a+b'],
    ['header: a comma in text', string, { in: 'header' }, 'Mon, 01 Jan', 'Mon, 01 Jan'],
    ['header: anything with a comma', {}, { in: 'header' }, 'Mon, 01 Jan', 'Mon, 01 Jan'],
    ['header: a list with spaces', list, { in: 'header' }, '1, 2 ,3', [1, 2, 3]],
    ['header: an empty list', list, { in: 'header' }, '', []],
    ['header: JSON', list, { in: 'header', mediaType: 'application/json' }, '[1, 2]', [1, 2]],
    ['cookie: among others', integer, { in: 'cookie' }, 'a=1; color=7; b=2', 7],
    ['cookie: without spaces', integer, { in: 'cookie' }, 'a=1;color=7', 7],
    ['cookie: absent', integer, { in: 'cookie' }, 'a=1', absent],
    [
      'cookie: twice',
      integer,
      { in: 'cookie' },
      'color=1; color=2',
      'unreadable: is given 2 times',
    ],
    ['cookie: encoded', string, { in: 'cookie' }, 'color=a%3Bb', 'a;b'],
    ['cookie: + is no space', string, { in: 'cookie' }, 'color=a+b', 'a+b'],
    ['cookie: an equals sign in the value', string, { in: 'cookie' }, 'color=a=b', 'a=b'],
    [
      'cookie: an empty list',
      { type: 'array', items: integer },
      { in: 'cookie', explode: false },
      'color=',
      [],
    ],
  ];
  test.each(rows)('%s', (_name, schema, changes, wire, value) => {
    expect(read(makeParameter(schema, changes), wire)).toEqual(value);
  });

  test('several header fields are one list, and a fault where one value is expected', () => {
    const wire = {
      path: new Map(),
      rawQuery: '',
      headers: [
        ['X-Color', '1'],
        ['x-color', '2, 3'],
      ] as const,
    };
    expect(decodeParameter(makeParameter(list, { in: 'header', name: 'X-Color' }), wire)).toEqual({
      kind: 'value',
      value: [1, 2, 3],
    });
    expect(
      decodeParameter(makeParameter(integer, { in: 'header', name: 'X-Color' }), wire),
    ).toEqual({ kind: 'unreadable', message: 'is given 2 times' });
  });

  test('several Cookie fields are read as one', () => {
    const wire = {
      path: new Map(),
      rawQuery: '',
      headers: [
        ['Cookie', 'a=1'],
        ['cookie', 'color=2'],
      ] as const,
    };
    expect(decodeParameter(makeParameter(integer, { in: 'cookie' }), wire)).toEqual({
      kind: 'value',
      value: 2,
    });
  });

  test.each(['path', 'header', 'cookie', 'query'] as const)('%s: not given', (location) => {
    const wire = { path: new Map(), rawQuery: '', headers: [] };
    expect(decodeParameter(makeParameter(integer, { in: location }), wire)).toEqual({
      kind: 'absent',
    });
    expect(decodeParameter(makeParameter(list, { in: location }), wire)).toEqual({
      kind: 'absent',
    });
    expect(decodeParameter(makeParameter({ type: 'object' }, { in: location }), wire)).toEqual({
      kind: 'absent',
    });
  });
});

test('no input makes it throw', () => {
  const schemas: SchemaNode[] = [
    integer,
    string,
    {},
    { type: 'array', items: integer },
    { type: 'object', properties: { a: integer } },
    { type: ['array', 'string'] },
  ];
  const styles = [
    'form',
    'simple',
    'label',
    'matrix',
    'spaceDelimited',
    'pipeDelimited',
    'deepObject',
  ] as const;
  const pieces = [
    'color',
    '=',
    '&',
    ';',
    ',',
    '.',
    '%',
    '%2',
    '%zz',
    '%41',
    '[',
    ']',
    'a',
    '1',
    '+',
    '|',
    ' ',
    '\ud800',
    '__proto__',
  ];
  const forms = fc.record({
    in: fc.constantFrom('path', 'query', 'header', 'cookie'),
    style: fc.constantFrom(...styles),
    explode: fc.boolean(),
  });
  fc.assert(
    fc.property(
      fc.constantFrom(...schemas),
      forms,
      fc.array(fc.constantFrom(...pieces), { maxLength: 12 }),
      (schema, changes, parts) => {
        const form = makeParameter(schema, changes);
        return ['absent', 'value', 'unreadable'].includes(
          decodeParameter(form, wireOf(form, parts.join(''))).kind,
        );
      },
    ),
    { numRuns: 2000 },
  );
});
