import { describe, expect, test } from 'vitest';
import { binaryText } from '../../../src/http/media-type.ts';
import { readMultipart } from '../../../src/contract/content/read-multipart.ts';
import type { FormSpec } from '../../../src/contract/content/form.ts';
import { writeMultipart } from '../../../src/contract/content/write-content.ts';
import { schemaOf } from './schema-of.ts';

const schema = schemaOf({
  type: 'object',
  properties: {
    title: { type: 'string' },
    count: { type: 'integer' },
    file: { type: 'string', format: 'binary' },
    files: { type: 'array', items: { type: 'string', format: 'binary' } },
    meta: { type: 'object', properties: { a: { type: 'integer' } } },
    tags: { type: 'array', items: { type: 'string' } },
  },
});
const spec: FormSpec = { schema };
const type = 'multipart/form-data; boundary=XX';
const bytes = (text: string): Uint8Array => new Uint8Array(Buffer.from(text, 'latin1'));
const part = (head: string, content: string): string => `--XX\r\n${head}\r\n\r\n${content}\r\n`;
const field = (name: string, content: string): string =>
  part(`Content-Disposition: form-data; name="${name}"`, content);
/** A part with a media type; the name may be followed by other parameters. */
const typed = (name: string, contentType: string, content: string): string =>
  part(`Content-Disposition: form-data; name=${name}\r\nContent-Type: ${contentType}`, content);

function read(body: string, contentType = type, given: FormSpec = spec): unknown {
  const result = readMultipart(bytes(body), contentType, given);
  return result.ok ? result.value : `${result.member ?? ''} ${result.message}`.trim();
}

describe('a multipart form is read by its schema:', () => {
  test.each<[name: string, body: string, value: unknown]>([
    [
      'texts',
      `${field('title', 'Hello')}${field('count', '5')}--XX--`,
      { title: 'Hello', count: 5 },
    ],
    [
      'a file',
      `${typed('"file"; filename="a.bin"', 'application/octet-stream', '\0\xff\r\n')}--XX--\r\n`,
      { file: '\0\xff\r\n' },
    ],
    [
      'a JSON file where a file is asked for',
      `${typed('"file"; filename="a.json"', 'application/json', '{"a":1}')}--XX--`,
      { file: '{"a":1}' },
    ],
    [
      'a file whose name is written in another way (RFC 8187)',
      `${typed('"file"; filename*=UTF-8\'\'a.json', 'application/json', '{"a":1}')}--XX--`,
      { file: '{"a":1}' },
    ],
    [
      'one file as a list',
      `${part('Content-Disposition: form-data; name="files"; filename="a"', 'a')}--XX--`,
      { files: ['a'] },
    ],
    [
      'several files',
      [
        part('Content-Disposition: form-data; name="files"; filename="a"', 'a'),
        part('Content-Disposition: form-data; name="files"; filename="b"', 'b'),
        '--XX--',
      ].join(''),
      { files: ['a', 'b'] },
    ],
    ['a JSON part', `${typed('"meta"', 'application/json', '{"a":1}')}--XX--`, { meta: { a: 1 } }],
    ['JSON without saying so', `${field('meta', '{"a":1}')}--XX--`, { meta: { a: 1 } }],
    [
      'members in brackets',
      `${field('meta[a]', '1')}${field('tags[]', 'x')}--XX--`,
      { meta: { a: 1 }, tags: ['x'] },
    ],
    [
      'a preamble, an epilogue and spaces behind a boundary',
      'before\r\n--XX \t\r\nContent-Disposition: form-data; ' +
        'name="title"\r\n\r\nx\r\n--XX--\r\nafter',
      { title: 'x' },
    ],
    ['names with escapes', `${field('ti%22tle', 'x')}--XX--`, { 'ti"tle': 'x' }],
    ['an empty text', `${field('title', '')}--XX--`, { title: '' }],
    ['no part at all', '--XX--', {}],
  ])('%s', (_name, body, value) => {
    expect(read(body)).toEqual(value);
  });

  test.each<[name: string, body: string, says: string, contentType?: string]>([
    [
      'no boundary',
      '',
      'The multipart body cannot be read. Its Content-Type names no boundary.',
      'multipart/form-data',
    ],
    [
      'a boundary that cannot be one',
      '',
      'The multipart body cannot be read. Its Content-Type names an invalid boundary.',
      `multipart/form-data; boundary=${'x'.repeat(71)}`,
    ],
    [
      'another boundary',
      '--YY\r\n\r\n--YY--',
      'The multipart body cannot be read. It does not hold the boundary that ' +
        'its Content-Type names.',
    ],
    [
      'cut off',
      field('title', 'Hello'),
      'The multipart body cannot be read. It ends before its last boundary.',
    ],
    [
      'cut off in a header',
      '--XX\r\nContent-Dispo\r\n--XX--',
      'The multipart body cannot be read. The headers do not end in part 1.',
    ],
    [
      'lines that end in LF',
      '--XX\nContent-Disposition: form-data; name="a"\n\nx\n--XX--',
      'The multipart body cannot be read. A boundary is not followed by a line break (CRLF).',
    ],
    [
      '10,000 parts',
      `${field('a', '').repeat(10_000)}--XX--`,
      'The multipart body cannot be read. It has more than 1000 parts.',
    ],
    [
      'a folded header',
      `${part('Content-Disposition: form-data;\r\n name="a"', 'x')}--XX--`,
      'The multipart body cannot be read. One line is not a header in part 1.',
    ],
    [
      'a header with a NUL',
      `${part('Content-Disposition: form-data; name="a\0b"', 'x')}--XX--`,
      'The multipart body cannot be read. One line is not a header in part 1.',
    ],
    [
      'too many headers',
      `${part(`${'X-A: 1\r\n'.repeat(40)}Content-Disposition: form-data; name="a"`, 'x')}--XX--`,
      'The multipart body cannot be read. There are more than 32 headers in part 1.',
    ],
    [
      'headers without end',
      `--XX\r\nX-A: ${'a'.repeat(20_000)}\r\n\r\nx\r\n--XX--`,
      'The multipart body cannot be read. The headers are too long in part 1.',
    ],
    [
      'two dispositions',
      `--XX\r\nContent-Disposition: form-data; name="a"\r\n${field('b', 'x').slice(6)}--XX--`,
      'The multipart body cannot be read. Part 1 has no header ' +
        'Content-Disposition that names its field.',
    ],
    [
      'no name',
      `${part('Content-Disposition: form-data', 'x')}--XX--`,
      'The multipart body cannot be read. Part 1 has no header ' +
        'Content-Disposition that names its field.',
    ],
    [
      'no headers',
      '--XX\r\n\r\nx\r\n--XX--',
      'The multipart body cannot be read. Part 1 has no header ' +
        'Content-Disposition that names its field.',
    ],
    [
      'the name __proto__',
      `${field('__proto__', 'x')}--XX--`,
      '__proto__ has a name that is not allowed',
    ],
    ['a text that is not UTF-8', `${field('title', '\xff')}--XX--`, 'title is not UTF-8'],
    [
      'a part that is not the JSON that it says',
      `${typed('"meta"', 'application/json', '{')}--XX--`,
      'meta must be JSON, but is not: expected a member name in double quotes ' +
        'or `}`, found the end of the text, at line 1, column 2',
    ],
    [
      'a number that is none',
      `${field('count', 'x')}--XX--`,
      'count must be an integer, but is `x`',
    ],
  ])('%s is refused', (_name, body, says, contentType = type) => {
    expect(read(body, contentType)).toBe(says);
  });

  test('a part without a type has the type of its encoding', () => {
    const encoding = new Map([
      ['file', { contentType: 'image/png' }],
      ['other', { contentType: 'application/json' }],
    ]);
    expect(
      read(
        part('Content-Disposition: form-data; name="file"; filename="a"', '\xc3\xa9') +
          `${field('other', '{"a":1}')}--XX--`,
        type,
        { schema, encoding },
      ),
    ).toEqual({ file: '\xc3\xa9', other: { a: 1 } });
  });

  test('a part with another type than its encoding is refused', () => {
    const encoding = new Map([['file', { contentType: 'image/png, image/jpeg' }]]);
    const body = (contentType: string): string =>
      `${typed('"file"; filename="a"', contentType, 'x')}--XX--`;
    expect(read(body('image/jpeg'), type, { schema, encoding })).toEqual({ file: 'x' });
    expect(read(body('text/plain'), type, { schema, encoding })).toBe(
      'file must be image/png or image/jpeg, but is `text/plain`',
    );
  });
});

describe('compared with the platform’s own multipart', () => {
  test('a form written by a browser is parsed', async () => {
    const form = new FormData();
    form.append('title', 'Grüße "an" alle\nund mehr');
    form.append('files', new File([Uint8Array.of(0, 255, 13, 10, 45, 45)], 'größe.bin'));
    form.append('files', new File(['b'], 'b"c.txt', { type: 'text/plain' }));
    form.append('meta', new Blob(['{"a":1}'], { type: 'application/json' }), 'blob');
    const response = new Response(form);
    const result = readMultipart(
      new Uint8Array(await response.arrayBuffer()),
      response.headers.get('content-type') ?? '',
      spec,
    );
    expect(result).toEqual({
      ok: true,
      value: {
        title: 'Grüße "an" alle\r\nund mehr',
        files: [binaryText(Uint8Array.of(0, 255, 13, 10, 45, 45)), 'b'],
        meta: { a: 1 },
      },
    });
  });

  test.each([
    [undefined, 'application/octet-stream'],
    ['image/jpeg, image/png', 'image/jpeg'],
    ['image/*', 'image/png'],
    ['text/*', 'text/plain'],
  ])('a file whose encoding names %s is written as %s', async (contentType, expected) => {
    const { mediaType, bytes: written } = writeMultipart(
      { file: 'x' },
      {
        schema,
        ...(contentType === undefined ? {} : { encoding: new Map([['file', { contentType }]]) }),
      },
    );
    const form = await new Response(new Uint8Array(written), {
      headers: { 'content-type': mediaType },
      // oxlint-disable-next-line typescript/no-deprecated -- the forms of the test are small
    }).formData();
    expect((form.get('file') as File).type).toBe(expected);
  });

  test('a written form is parsed by vouch and by the platform', async () => {
    const value = {
      title: 'vouch-boundary',
      count: 3,
      file: '\0\xff',
      files: ['a', 'b'],
      meta: { a: 1 },
      tags: ['x', 'y'],
    };
    const { mediaType, bytes: written } = writeMultipart(value, spec);
    expect(readMultipart(written, mediaType, spec)).toEqual({ ok: true, value });
    const form = await new Response(new Uint8Array(written), {
      headers: { 'content-type': mediaType },
      // oxlint-disable-next-line typescript/no-deprecated -- the forms of the test are small
    }).formData();
    expect([
      form.get('title'),
      form.get('count'),
      form.getAll('tags'),
      form.getAll('files').length,
      form.get('meta'),
    ]).toEqual(['vouch-boundary', '3', ['x', 'y'], 2, '{"a":1}']);
    expect(new Uint8Array(await (form.get('file') as File).arrayBuffer())).toEqual(
      Uint8Array.of(0, 255),
    );
  });
});
