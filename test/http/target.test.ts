import { describe, expect, test } from 'vitest';
import { encodePercent, parseTarget, splitQuery } from '../../src/http/target.ts';
import { fc } from '../property.ts';

const paths: readonly (readonly [target: string, path: string, segments: readonly string[]])[] = [
  ['/', '/', ['']],
  ['/pets', '/pets', ['pets']],
  ['/pets/', '/pets/', ['pets', '']],
  ['/pets/7', '/pets/7', ['pets', '7']],
  ['/p%65ts', '/p%65ts', ['pets']],
  ['/pets/a%2Fb', '/pets/a%2Fb', ['pets', 'a/b']],
  ['/pets/a%2fb/c', '/pets/a%2fb/c', ['pets', 'a/b', 'c']],
  ['//pets', '//pets', ['', 'pets']],
  ['/PETS', '/PETS', ['PETS']],
  ['/a+b', '/a+b', ['a+b']],
  ['/a%2Bb', '/a%2Bb', ['a+b']],
  ['/%C3%A9', '/%C3%A9', ['é']],
  ['/%F0%9F%98%80', '/%F0%9F%98%80', ['😀']],
  ['/a%00b', '/a%00b', ['a\0b']],
  ['/a;b=c,d', '/a;b=c,d', ['a;b=c,d']],
  ['/../x', '/../x', ['..', 'x']],
  ['/%2e%2e/x', '/%2e%2e/x', ['..', 'x']],
  ['/a:b@c', '/a:b@c', ['a:b@c']],
  ['/a|b{c}', '/a|b{c}', ['a|b{c}']],
  ['http://example.com/pets', '/pets', ['pets']],
  ['HTTPS://user@example.com:8443/pets/7', '/pets/7', ['pets', '7']],
  ['http://[::1]:80/pets', '/pets', ['pets']],
  ['http://example.com', '/', ['']],
  ['http://example.com?limit=1', '/', ['']],
  ['/http://example.com/pets', '/http://example.com/pets', ['http:', '', 'example.com', 'pets']],
];

const queries: readonly (readonly [
  rawQuery: string,
  query: readonly (readonly [string, string])[],
])[] = [
  ['', []],
  ['limit=1', [['limit', '1']]],
  [
    'a=1&a=2&b=3',
    [
      ['a', '1'],
      ['a', '2'],
      ['b', '3'],
    ],
  ],
  [
    'b=1&a=2',
    [
      ['b', '1'],
      ['a', '2'],
    ],
  ],
  ['a', [['a', '']]],
  ['a=', [['a', '']]],
  ['=1', [['', '1']]],
  ['a=b=c', [['a', 'b=c']]],
  [
    'a=1&&b=2&',
    [
      ['a', '1'],
      ['b', '2'],
    ],
  ],
  ['a=x+y', [['a', 'x y']]],
  ['a=x%20y', [['a', 'x y']]],
  ['a=x%2By', [['a', 'x+y']]],
  ['a+b=1', [['a b', '1']]],
  ['a=1%262', [['a', '1&2']]],
  ['%61=1', [['a', '1']]],
  ['a=1,2,3', [['a', '1,2,3']]],
  ['a[b]=1', [['a[b]', '1']]],
  ['a%5Bb%5D=1', [['a[b]', '1']]],
  ['a=1?b=2', [['a', '1?b=2']]],
  ['a=1;b=2', [['a', '1;b=2']]],
  ['a=%C3%A9', [['a', 'é']]],
];

describe('parseTarget', () => {
  test.each(paths)('the path of %s', (target, path, segments) => {
    expect(parseTarget(target)).toMatchObject({ ok: true, path, segments });
  });

  test.each(queries)('the query %s', (rawQuery, query) => {
    expect(parseTarget(`/pets?${rawQuery}`)).toEqual({
      ok: true,
      path: '/pets',
      segments: ['pets'],
      query,
      rawQuery,
    });
    expect(parseTarget(`http://example.com?${rawQuery}`)).toMatchObject({
      ok: true,
      path: '/',
      query,
      rawQuery,
    });
  });

  test('invalid targets are refused', () => {
    const targets = [
      '/pets/%zz',
      '/pets/%',
      '/pets/%4',
      '/%ff',
      '/%C3',
      '/%C0%AF',
      '/%ED%A0%80',
      '/é',
      '/a b',
      '/a\nb',
      '/a#b',
      '/pets?a=%zz',
      '/pets?%=1',
      '/pets?a=%ff',
      '/pets?a=é',
      '/pets?a=1#b',
      '*',
      '',
      'pets',
      '?a=1',
      'example.com:443',
      'ftp://example.com/pets',
      '/%zz?a=%zz',
    ];
    const messages = targets.map((target) => {
      const reading = parseTarget(target);
      return (
        `${target}: ` + (reading.ok ? 'taken' : `${reading.problem.at}: ${reading.problem.message}`)
      );
    });
    expect(messages.join('\n')).toMatchInlineSnapshot(`
      "/pets/%zz: path: the path holds \`%zz\`, which is not a valid percent-escape (write
        ↳ % as %25)
      /pets/%: path: the path holds \`%\`, which is not a valid percent-escape (write % as
        ↳ %25)
      /pets/%4: path: the path holds \`%4\`, which is not a valid percent-escape (write %
        ↳ as %25)
      /%ff: path: the path holds percent-escapes that are not UTF-8
      /%C3: path: the path holds percent-escapes that are not UTF-8
      /%C0%AF: path: the path holds percent-escapes that are not UTF-8
      /%ED%A0%80: path: the path holds percent-escapes that are not UTF-8
      /é: path: the path holds the character U+00E9, which must be percent-encoded
      /a b: path: the path holds the character U+0020, which must be percent-encoded
      /a
      b: path: the path holds the character U+000A, which must be percent-encoded
      /a#b: path: the path holds \`#\`: a fragment is not sent (write a plain # as %23)
      /pets?a=%zz: query: the query holds \`%zz\`, which is not a valid percent-escape
        ↳ (write % as %25)
      /pets?%=1: query: the query holds \`%=1\`, which is not a valid percent-escape
        ↳ (write % as %25)
      /pets?a=%ff: query: the query holds percent-escapes that are not UTF-8
      /pets?a=é: query: the query holds the character U+00E9, which must be
        ↳ percent-encoded
      /pets?a=1#b: query: the query holds \`#\`: a fragment is not sent (write a plain #
        ↳ as %23)
      *: path: the path must begin with \`/\`, but is \`*\`
      : path: the path must begin with \`/\`, but is \`\`
      pets: path: the path must begin with \`/\`, but is \`pets\`
      ?a=1: path: the path must begin with \`/\`, but is \`\`
      example.com:443: path: the path must begin with \`/\`, but is \`example.com:443\`
      ftp://example.com/pets: path: the path must begin with \`/\`, but is
        ↳ \`ftp://example.com/pets\`
      /%zz?a=%zz: path: the path holds \`%zz\`, which is not a valid percent-escape (write
        ↳ % as %25)"
    `);
  });

  test('splitQuery does not decode names and values', () => {
    expect(splitQuery('a=1%2C2,3&b=x+y&c&%61=')).toEqual([
      ['a', '1%2C2,3'],
      ['b', 'x+y'],
      ['c', ''],
      ['%61', ''],
    ]);
  });

  test('any encoded text is decoded to itself', () => {
    const text = fc.string({ unit: 'binary' });
    fc.assert(
      fc.property(
        fc.array(text, { minLength: 1 }),
        fc.array(
          fc.tuple(
            text.filter((name) => name !== ''),
            text,
          ),
        ),
        (segments, query) => {
          const path = segments.map(encodePercent).join('/');
          const pairs = query.map((pair) => pair.map(encodePercent).join('='));
          const target = `/${path}?${pairs.join('&')}`;
          expect(parseTarget(target)).toMatchObject({ ok: true, segments, query });
        },
      ),
    );
  });

  test('no text makes it throw', () => {
    const piece = fc.constantFrom(
      '/',
      '?',
      '&',
      '=',
      '%',
      '%2',
      '%41',
      '%ff',
      '+',
      '#',
      'a',
      'http://',
      '\ud800',
      ' ',
      '*',
    );
    fc.assert(
      fc.property(
        fc.array(piece).map((pieces) => pieces.join('')),
        (target) => typeof parseTarget(target).ok === 'boolean',
      ),
    );
  });
});

test('encodePercent leaves only unreserved characters', () => {
  expect(encodePercent('AZaz09-._~ !"#$%&\'()*+,/:;<=>?@[\\]^`{|}é😀\ud800')).toBe(
    'AZaz09-._~%20%21%22%23%24%25%26%27%28%29%2A%2B%2C%2F%3A%3B%3C%3D%3E%3F%40%5B%5C%5D%5E%' +
      '60%7B%7C%7D%C3%A9%F0%9F%98%80%EF%BF%BD',
  );
});
