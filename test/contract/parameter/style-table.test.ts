import { describe, expect, test } from 'vitest';
import { decodeParameter } from '../../../src/contract/parameter/decode-parameter.ts';
import { encodeParameter } from '../../../src/contract/parameter/encode-parameter.ts';
import type { ParameterPlace, ParameterStyle, SchemaNode } from '../../../src/contract/model.ts';
import type { JsonValue } from '../../../src/json/value.ts';
import { makeParameter } from './make-parameter.ts';
import { textOf, wireOf } from './wire.ts';

const text: SchemaNode = { type: 'string' };
const list: SchemaNode = { type: 'array', items: { type: 'string' } };
const members: SchemaNode = {
  type: 'object',
  properties: { R: { type: 'integer' }, G: { type: 'integer' }, B: { type: 'integer' } },
};

const blue = 'blue';
const colors = ['blue', 'black', 'brown'];
const mix = { R: 100, G: 200, B: 150 };

/**
 * OpenAPI 3.1, section 4.8.12.4.1 (Style Examples), row by row; `cookie` as its Appendix D and RFC
 * 6265 have it.
 */
const table: readonly (readonly [
  place: ParameterPlace,
  style: ParameterStyle,
  explode: boolean,
  schema: SchemaNode,
  value: JsonValue,
  wire: string,
])[] = [
  ['path', 'matrix', false, text, '', ';color'],
  ['path', 'matrix', false, text, blue, ';color=blue'],
  ['path', 'matrix', false, list, colors, ';color=blue,black,brown'],
  ['path', 'matrix', false, members, mix, ';color=R,100,G,200,B,150'],
  ['path', 'matrix', true, text, '', ';color'],
  ['path', 'matrix', true, text, blue, ';color=blue'],
  ['path', 'matrix', true, list, colors, ';color=blue;color=black;color=brown'],
  ['path', 'matrix', true, members, mix, ';R=100;G=200;B=150'],
  ['path', 'label', false, text, blue, '.blue'],
  ['path', 'label', false, list, colors, '.blue,black,brown'],
  ['path', 'label', false, members, mix, '.R,100,G,200,B,150'],
  ['path', 'label', true, text, blue, '.blue'],
  ['path', 'label', true, list, colors, '.blue.black.brown'],
  ['path', 'label', true, members, mix, '.R=100.G=200.B=150'],
  ['path', 'simple', false, text, '', ''],
  ['path', 'simple', false, text, blue, 'blue'],
  ['path', 'simple', false, list, colors, 'blue,black,brown'],
  ['path', 'simple', false, members, mix, 'R,100,G,200,B,150'],
  ['path', 'simple', true, text, blue, 'blue'],
  ['path', 'simple', true, list, colors, 'blue,black,brown'],
  ['path', 'simple', true, members, mix, 'R=100,G=200,B=150'],
  ['header', 'simple', false, text, '', ''],
  ['header', 'simple', false, text, blue, 'blue'],
  ['header', 'simple', false, list, colors, 'blue,black,brown'],
  ['header', 'simple', false, members, mix, 'R,100,G,200,B,150'],
  ['header', 'simple', true, text, blue, 'blue'],
  ['header', 'simple', true, list, colors, 'blue,black,brown'],
  ['header', 'simple', true, members, mix, 'R=100,G=200,B=150'],
  ['query', 'form', false, text, '', 'color='],
  ['query', 'form', false, text, blue, 'color=blue'],
  ['query', 'form', false, list, colors, 'color=blue,black,brown'],
  ['query', 'form', false, members, mix, 'color=R,100,G,200,B,150'],
  ['query', 'form', true, text, '', 'color='],
  ['query', 'form', true, text, blue, 'color=blue'],
  ['query', 'form', true, list, colors, 'color=blue&color=black&color=brown'],
  ['query', 'form', true, members, mix, 'R=100&G=200&B=150'],
  ['cookie', 'form', false, text, blue, 'color=blue'],
  ['cookie', 'form', false, list, colors, 'color=blue,black,brown'],
  ['cookie', 'form', false, members, mix, 'color=R,100,G,200,B,150'],
  ['cookie', 'form', true, text, blue, 'color=blue'],
  ['cookie', 'form', true, list, colors, 'color=blue; color=black; color=brown'],
  ['cookie', 'form', true, members, mix, 'R=100; G=200; B=150'],
  ['query', 'spaceDelimited', false, list, colors, 'color=blue%20black%20brown'],
  ['query', 'spaceDelimited', false, members, mix, 'color=R%20100%20G%20200%20B%20150'],
  ['query', 'spaceDelimited', true, list, colors, 'color=blue&color=black&color=brown'],
  ['query', 'pipeDelimited', false, list, colors, 'color=blue%7Cblack%7Cbrown'],
  ['query', 'pipeDelimited', false, members, mix, 'color=R%7C100%7CG%7C200%7CB%7C150'],
  ['query', 'pipeDelimited', true, list, colors, 'color=blue&color=black&color=brown'],
  ['query', 'deepObject', true, members, mix, 'color%5BR%5D=100&color%5BG%5D=200&color%5BB%5D=150'],
  [
    'query',
    'deepObject',
    false,
    members,
    mix,
    'color%5BR%5D=100&color%5BG%5D=200&color%5BB%5D=150',
  ],
];

describe.each(table)('%s, %s, explode %s', (location, style, explode, schema, value, wire) => {
  const form = makeParameter(schema, { in: location, style, explode });

  test(`${JSON.stringify(value)} is written ${wire}`, () => {
    expect(textOf(encodeParameter(form, value))).toBe(wire);
  });

  test(`${wire} is read as ${JSON.stringify(value)}`, () => {
    expect(decodeParameter(form, wireOf(form, wire))).toEqual({ kind: 'value', value });
  });
});

test('an empty value in label style is an encoded dot', () => {
  const form = makeParameter(text, { in: 'path', style: 'label' });
  expect(encodeParameter(form, '')).toEqual({ in: 'path', text: '%2E' });
  expect(decodeParameter(form, wireOf(form, '.'))).toEqual({ kind: 'value', value: '' });
  expect(decodeParameter(form, wireOf(form, '%2E'))).toEqual({ kind: 'value', value: '' });
});
