import { describe, expect, test } from 'vitest';
import { parseContract } from '../../src/contract/load.ts';
import { bytes, converse, mockOf, send, show, type Sending } from './workshop.ts';

const contract = parseContract(
  `
openapi: 3.2.0
info: { title: Bodies, version: '1' }
paths:
  /form:
    post:
      requestBody:
        required: true
        content:
          application/x-www-form-urlencoded:
            schema: { type: object, required: [name], properties: { name: { type: string },
                tags: { type: array, items: { type: string }, maxItems: 2 }, item: { type: object,
                properties: { price: { type: integer } } } } }
            encoding: { item: { style: deepObject, explode: true }, tags: { explode: false } }
      responses: { '200': { description: ok, content: { application/json: { schema: {
          type: object, required: [name], properties: { name: { type: string }, tags: {
          type: array, items: { type: string } }, item: { type: object } } } } } } }
  /upload:
    post:
      requestBody:
        required: true
        content:
          multipart/form-data:
            schema: { type: object, required: [file], properties: { title: { type: string,
                minLength: 2 }, file: { type: string, format: binary, maxLength: 4 }, meta: {
                type: object, required: [a], properties: { a: { type: integer } } } } }
            encoding: { file: { contentType: 'image/png' } }
      responses: { '200': { description: ok, content: { application/json: { schema: {
          type: object, required: [title, meta], properties: { title: { type: string }, meta: {
          type: object } } } } } }, '400': { description: no, content: { application/json: {
          schema: { type: object, properties: { message: { type: string } } } } } } }
  /image:
    put: { requestBody: { required: true, content: { 'image/*': { schema: { type: string,
        format: binary, maxLength: 4 } } } }, responses: { '204': { description: ok } } }
  /encoded:
    put: { requestBody: { content: { application/octet-stream: { schema: { type: string,
        contentEncoding: base64 } } } }, responses: { '204': { description: ok } } }
  /anything:
    put: { requestBody: { content: { '*/*': {} } }, responses: { '204': { description: ok } } }
  /number:
    put: { requestBody: { content: { text/plain: { schema: { type: integer, maximum: 9 } } } },
        responses: { '204': { description: ok } } }
  /lines:
    post: { requestBody: { content: { application/x-ndjson: { schema: { type: object,
        required: [a], properties: { a: { type: integer } } } } } }, responses: { '204': {
        description: ok } } }
  /records:
    post: { requestBody: { content: { application/jsonl: { itemSchema: { type: object,
        required: [a] } } } }, responses: { '204': { description: ok } } }
  /xml:
    post: { requestBody: { content: { application/xml: { schema: { type: object,
        required: [a] } } } }, responses: { '204': { description: ok } } }
`,
  'bodies.yaml',
);
const mock = await mockOf({ contract });
const part = (head: string, content: string): string =>
  `--XX\r\nContent-Disposition: form-data; ${head}\r\n\r\n${content}\r\n`;
const upload = (...parts: string[]): Sending => ({
  body: bytes(`${parts.join('')}--XX--\r\n`),
  type: 'multipart/form-data; boundary=XX',
});
const text = (content: string, type: string): Sending => ({ body: bytes(content), type });

describe('a body is validated by the contract', () => {
  test('as a form, in the styles of its encoding', async () => {
    const form = (content: string): Sending => text(content, 'application/x-www-form-urlencoded');
    expect(
      await converse(mock, [
        ['POST /form', form('name=A+b&tags=x,y&item[price]=5')],
        ['POST /form', form('name=A&tags=x,y,z')],
        ['POST /form', form('name=A&item[price]=x')],
        ['POST /form', form('tags=x')],
        ['POST /form', form('name=A&__proto__[x]=1')],
      ]),
    ).toMatchInlineSnapshot(`
      "POST /form → 200 {"name":"A b","tags":["x","y"],"item":{"price":5}}
      POST /form → 400 {"message":"\`tags\` in the body must have 2 items or fewer."}
      POST /form → 400 {"message":"\`item\` in the body holds \`price\`, which must be an
        ↳ integer, but is \`x\`."}
      POST /form → 400 {"message":"The body must have the property name."}
      POST /form → 400 {"message":"\`__proto__[x]\` in the body has a name that is not
        ↳ allowed."}"
    `);
  });

  test('as a multipart form, files and JSON parts included', async () => {
    const file = part('name="file"; filename="a.png"\r\nContent-Type: image/png', 'abcd');
    expect(
      await converse(mock, [
        [
          'POST /upload',
          upload(
            part('name="title"', 'Hi'),
            file,
            part('name="meta"\r\nContent-Type: application/json', '{"a":1}'),
          ),
        ],
        ['POST /upload', upload(part('name="title"', 'x'), file, part('name="meta"', '{"a":"1"}'))],
        [
          'POST /upload',
          upload(part('name="file"; filename="a.txt"\r\nContent-Type: text/plain', 'abcd')),
        ],
        [
          'POST /upload',
          upload(part('name="file"; filename="a.png"\r\nContent-Type: image/png', 'abcde')),
        ],
        ['POST /upload', upload(part('name="title"', 'Hi'))],
        ['POST /upload', upload(part('name="__proto__"', 'Hi'))],
        [
          'POST /upload',
          { body: bytes(part('name="title"', 'Hi')), type: 'multipart/form-data; boundary=XX' },
        ],
        ['POST /upload', { body: bytes('x'), type: 'multipart/form-data' }],
      ]),
    ).toMatchInlineSnapshot(`
      "POST /upload → 200 {"title":"Hi","meta":{"a":1}}
      POST /upload → 400 {"message":"\`title\` in the body must have 2 characters or more,
        ↳ but is \`x\`. \`meta.a\` in the body must be an integer, but is a string."}
      POST /upload → 400 {"message":"\`file\` in the body must be image/png, but is
        ↳ \`text/plain\`."}
      POST /upload → 400 {"message":"\`file\` in the body must have 4 characters or fewer,
        ↳ but is \`abcde\`."}
      POST /upload → 400 {"message":"The body must have the property file."}
      POST /upload → 400 {"message":"\`__proto__\` in the body has a name that is not
        ↳ allowed."}
      POST /upload → 400 {"message":"The multipart body cannot be read. It ends before its
        ↳ last boundary."}
      POST /upload → 400 {"message":"The multipart body cannot be read. Its Content-Type
        ↳ names no boundary."}"
    `);
  });

  test('as bytes, if the contract restricts them', async () => {
    expect(
      await converse(mock, [
        ['PUT /image', text('abcd', 'image/png')],
        ['PUT /image', text('abcde', 'image/gif')],
        ['PUT /image', text('abcd', 'text/plain'), 'Accept'],
        ['PUT /encoded', text('aGk=', 'application/octet-stream')],
        ['PUT /encoded', text('no base64!', 'application/octet-stream')],
        ['PUT /anything', text('\u0000', 'application/x-anything')],
      ]),
    ).toMatchInlineSnapshot(`
      "PUT /image → 204
      PUT /image → 400 {"message":"The body must have 4 characters or fewer, but is
        ↳ \`abcde\`."}
      PUT /image → 415 image/* {"message":"The header Content-Type must be image/*, but is
        ↳ \`text/plain\`."}
      PUT /encoded → 204
      PUT /encoded → 400 {"message":"The body must be base64 text, and is not."}
      PUT /anything → 204"
    `);
  });

  test('as text, in any known charset', async () => {
    expect(
      await converse(mock, [
        ['PUT /number', text('7', 'text/plain')],
        ['PUT /number', text('10', 'text/plain')],
        ['PUT /number', text('x', 'text/plain; charset=latin1')],
        ['PUT /number', text('7', 'text/plain; charset=klingon'), 'Accept'],
        [
          'PUT /number',
          { body: Uint8Array.of(0xff, 0xfe, 0x37, 0x00), type: 'text/plain; charset=utf-16le' },
        ],
      ]),
    ).toMatchInlineSnapshot(`
      "PUT /number → 204
      PUT /number → 400 {"message":"The body must be 9 or less, but is \`10\`."}
      PUT /number → 400 {"message":"The body must be an integer, but is \`x\`."}
      PUT /number → 415 text/plain {"message":"The charset of the body must be utf-8, but
        ↳ is \`klingon\`."}
      PUT /number → 204"
    `);
  });

  test('as lines of JSON, one by one', async () => {
    expect(
      await converse(mock, [
        ['POST /lines', text('{"a":1}\n\n{"a":2}\n', 'application/x-ndjson')],
        ['POST /lines', text('{"a":1}\n{"a":"x"}\n{}', 'application/x-ndjson')],
        ['POST /lines', text('{"a":1}\n{', 'application/x-ndjson')],
      ]),
    ).toMatchInlineSnapshot(`
      "POST /lines → 204
      POST /lines → 400 {"message":"\`[1].a\` in the body must be an integer, but is a
        ↳ string. \`[2]\` in the body must have the property a."}
      POST /lines → 400 {"message":"Line 2 of the body is not valid JSON: expected a
        ↳ member name in double quotes or \`}\`, found the end of the text, at column 2."}"
    `);
  });

  test('as items, if the contract has itemSchema (OpenAPI 3.2)', async () => {
    expect(
      show(await send(mock, 'POST /records', text('{"a":1}\n{"a":2}', 'application/jsonl'))),
    ).toBe('204');
    expect(show(await send(mock, 'POST /records', text('{"a":1}\n{}', 'application/jsonl')))).toBe(
      '400 {"message":"`[1]` in the body must have the property a."}',
    );
  });

  test('as XML, by its schema', async () => {
    expect(
      await converse(mock, [
        ['POST /xml', text('<?xml version="1.0"?><root><a>1</a></root>', 'application/xml')],
        ['POST /xml', text('<root/>', 'application/xml')],
        ['POST /xml', text('<root>', 'application/xml')],
        ['POST /xml', text('{"a":1}', 'application/xml')],
        ['POST /xml', { body: Uint8Array.of(0x3c, 0xff), type: 'application/xml' }],
      ]),
    ).toMatchInlineSnapshot(`
      "POST /xml → 204
      POST /xml → 400 {"message":"The body must have the property a."}
      POST /xml → 400 {"message":"The body is not well-formed XML: missing end tag for
        ↳ element root (line 1, column 7)."}
      POST /xml → 400 {"message":"The body is not XML: it begins with \`{\\"a\\":1}\`."}
      POST /xml → 400 {"message":"The body is not UTF-8."}"
    `);
  });

  test('without a crash for any multipart body', async () => {
    const picture = 'name="file"; filename="a.png"\r\nContent-Type: image/png';
    const whole = `${part('name="title"', 'Hi')}${part(picture, 'abcd')}--XX--\r\n`;
    for (let length = 1; length < whole.length; length += 7) {
      const answer = await send(mock, 'POST /upload', {
        body: bytes(whole.slice(0, length)),
        type: 'multipart/form-data; boundary=XX',
      });
      expect(show(answer)).toMatch(/^(200|400) /);
    }
  });
});
