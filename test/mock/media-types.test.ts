import { describe, expect, test } from 'vitest';
import { parseContract } from '../../src/contract/load.ts';
import type { Contract } from '../../src/contract/model.ts';
import { headerValue } from '../../src/http/message.ts';
import { converse, mockOf, send, show, textOf } from './workshop.ts';

/** A contract whose `GET /thing` answers this content, in flow style YAML. */
function answering(content: string, more = ''): Contract {
  return parseContract(
    `
openapi: 3.2.0
info: { title: Media, version: '1' }
paths: { /thing: { get: { operationId: getThing, responses: { '200': { description: ok${more},
    content: ${content} } } } } }
components: { schemas: { Person: { type: object, required: [id, name], properties: { id: {
    type: integer, xml: { attribute: true } }, name: { type: string } } } } }
`,
    'media.yaml',
  );
}

const person =
  "{ schema: { $ref: '#/components/schemas/Person' }, example: { id: 7, name: Robin } }";

describe('the best media type that the client accepts', () => {
  const several = answering(
    `{ text/csv: ${person}, application/xml: ${person}, application/json: ` +
      `${person}, application/x-protobuf: ${person} }`,
  );
  test.each([
    [undefined, 'application/json'],
    ['*/*', 'application/json'],
    ['application/xml', 'application/xml'],
    ['text/csv;q=0.5, application/xml;q=0.9, application/json;q=0.1', 'application/xml'],
    ['application/*', 'application/json'],
    ['text/*', 'text/csv; charset=utf-8'],
    ['application/json;q=0, */*', 'text/csv; charset=utf-8'],
    ['text/html, application/xhtml+xml, */*;q=0.8', 'application/json'],
    ['application/x-protobuf', 'application/json'],
    ['nonsense', 'application/json'],
  ])('%s is %s', async (accept, type) => {
    const answer = await send(await mockOf({ contract: several }), 'GET /thing', {
      headers: accept === undefined ? [] : [['Accept', accept]],
    });
    expect([answer.status, headerValue(answer.headers, 'Content-Type')]).toEqual([200, type]);
  });

  test('is refused only if there is none', async () => {
    const mock = await mockOf({ contract: several });
    expect(
      await converse(mock, [['GET /thing', { headers: [['Accept', 'image/png']] }]]),
    ).toMatchInlineSnapshot(
      `
      "GET /thing → 406 {"type":"about:blank","title":"Not Acceptable","status":406,
        ↳"detail":"The header Accept allows none of the media types of this response:
        ↳ text/csv, application/xml, application/json, application/x-protobuf.",
        ↳"code":"not_acceptable"}"
    `,
    );
  });

  test('is the text of the contract, if that is not a media type', async () => {
    const answer = await send(
      await mockOf({ contract: answering("{ json: { example: 'x' } }") }),
      'GET /thing',
    );
    expect(show(answer, 'Content-Type')).toBe('200 json x');
  });

  test('of a range is the one that the client requests', async () => {
    const mock = await mockOf({
      contract: answering("{ 'image/*': { schema: { type: string, format: binary } } }"),
    });
    const types = await Promise.all(
      ['image/png', 'image/gif', 'image/*', 'image/tiff'].map(async (accept) =>
        headerValue(
          (await send(mock, 'GET /thing', { headers: [['Accept', accept]] })).headers,
          'content-type',
        ),
      ),
    );
    expect(types).toEqual(['image/png', 'image/gif', 'image/png', 'image/png']);
  });
});

describe('a response that is not JSON', () => {
  test.each([
    [
      'application/xml',
      person,
      '<?xml version="1.0" encoding="UTF-8"?>\n<Person id="7"><name>Robin</name></Person>',
    ],
    ['application/xml', '{ schema: { type: object }, example: "<own/>" }', '<own/>'],
    ['text/csv', person, 'id,name\r\n7,Robin\r\n'],
    ['text/csv', '{ schema: { type: string } }', 'id,name\r\n1,Robin\r\n2,Alex\r\n'],
    ['application/x-www-form-urlencoded', person, 'id=7&name=Robin'],
    [
      'text/event-stream',
      "{ schema: { type: array, items: { $ref: '#/components/schemas/Person' } " +
        '}, example: [{ id: 7, name: Robin }] }',
      'data: {"id":7,"name":"Robin"}\n\n',
    ],
    [
      'text/event-stream',
      '{ itemSchema: { type: object, required: [event, data], properties: { ' +
        'event: { const: added }, data: { const: hello } } } }',
      'event: added\ndata: hello\n\n'.repeat(3),
    ],
    [
      'application/x-ndjson',
      "{ schema: { $ref: '#/components/schemas/Person' }, example: [{ id: 7, " +
        'name: Robin }, { id: 8, name: Kim }] }',
      '{"id":7,"name":"Robin"}\n{"id":8,"name":"Kim"}\n',
    ],
    ['text/html', '{ schema: { type: string } }', /^<!doctype html>/],
    ['text/plain', '{}', 'A sample text.\n'],
    ['application/yaml', person, '{"id":7,"name":"Robin"}'],
    ['image/svg+xml', '{}', /^<svg /],
    [
      'application/pdf',
      '{ schema: { type: string, format: binary } }',
      /^%PDF-1\.4[\s\S]*%%EOF\n$/,
    ],
    [
      'application/octet-stream',
      '{ schema: { type: string, format: binary } }',
      'A sample file.\n',
    ],
    [
      'application/octet-stream',
      '{ schema: { type: string, format: binary, maxLength: 3 } }',
      /^[\s\S]{1,3}$/,
    ],
  ])('in %s %s', async (type, spec, body) => {
    const answer = await send(
      await mockOf({ contract: answering(`{ ${type}: ${spec} }`) }),
      'GET /thing',
    );
    expect(answer.status, show(answer)).toBe(200);
    if (typeof body === 'string') expect(textOf(answer)).toBe(body);
    else expect(textOf(answer)).toMatch(body);
  });

  test.each([
    ['image/png', '89504e470d0a1a0a'],
    ['image/jpeg', 'ffd8ffe0'],
    ['image/gif', '474946383961'],
    ['image/webp', '52494646'],
    ['application/zip', '504b0304'],
    ['application/gzip', '1f8b08'],
    ['audio/wav', '52494646'],
  ])('in %s has bytes of it', async (type, magic) => {
    const answer = await send(
      await mockOf({
        contract: answering(`{ ${type}: { schema: { type: string, format: binary } } }`),
      }),
      'GET /thing',
    );
    expect(Buffer.from(answer.body).toString('hex').startsWith(magic)).toBe(true);
  });

  test('has several generated items if it is a sequence', async () => {
    const mock = await mockOf({
      contract: answering(
        "{ application/x-ndjson: { schema: { $ref: '#/components/schemas/Person' } } }",
      ),
    });
    const lines = textOf(await send(mock, 'GET /thing'))
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as { id: number });
    expect(lines).toHaveLength(3);
    expect(textOf(await send(mock, 'GET /thing'))).toBe(textOf(await send(mock, 'GET /thing')));
  });
});

describe('documented headers', () => {
  const headers = `, headers: {
    X-Required: { required: true, schema: { type: integer, minimum: 5, maximum: 5 } },
    X-Shown: { required: true, schema: { type: integer }, example: '60' },
    X-Lied: { required: true, schema: { type: integer, maximum: 3 }, example: 60 },
    X-Optional: { schema: { type: string } },
    X-RateLimit-Limit: { schema: { type: integer } },
        X-RateLimit-Reset: { schema: { type: string, format: date-time } },
    Content-Length: { required: true, schema: { type: integer } },
        Content-Encoding: { required: true, schema: { type: string } },
    ETag: { required: true, schema: { type: string } }, Last-Modified: { required: true,
        schema: { type: string } } }`;

  test(
    'are there where they are required or known, keep their schemas, and ' +
      'never frame the message',
    async () => {
      const answer = await send(
        await mockOf({ contract: answering('{ application/json: {} }', headers) }),
        'GET /thing',
      );
      const {
        'x-lied': lied,
        etag,
        ...rest
      } = Object.fromEntries(answer.headers.map(([name, value]) => [name.toLowerCase(), value]));
      expect(rest).toEqual({
        'content-type': 'application/json',
        'x-required': '5',
        'x-shown': '60',
        'x-ratelimit-limit': '60',
        'x-ratelimit-reset': '2030-01-02T04:04:05.000Z',
        'last-modified': 'Wed, 02 Jan 2030 03:04:05 GMT',
      });
      expect(Number(lied)).toBeLessThanOrEqual(3);
      expect(etag).toMatch(/^"[0-9a-f]+"$/);
    },
  );

  test('are present in errors too', async () => {
    const contract = parseContract(
      `
openapi: 3.1.0
info: { title: Limits, version: '1' }
paths: { /thing: { get: { responses: { '200': { description: ok }, '429': {
    description: slow down, headers: { Retry-After: { required: true, schema: {
    type: integer } } } } } } } }
`,
      'limits.yaml',
    );
    const answer = await send(await mockOf({ contract }), 'GET /thing', {
      headers: [['Prefer', 'code=429']],
    });
    expect([answer.status, headerValue(answer.headers, 'Retry-After')]).toEqual([429, '1']);
  });
});

describe('a range with a suffix, such as application/*+json,', () => {
  const suffixed = (range: string): Contract => answering(`{ '${range}': ${person} }`);

  test.each([
    ['application/*+json', undefined, [200, 'application/vnd.example+json']],
    ['*/*+json', '*/*', [200, 'application/vnd.example+json']],
    ['application/*+json', 'application/ld+json', [200, 'application/ld+json']],
    ['application/*+json', 'application/*', [200, 'application/vnd.example+json']],
    ['application/*+xml', 'application/atom+xml', [200, 'application/atom+xml']],
    ['application/*+json', 'text/csv', [406, 'application/problem+json']],
    ['application/*', 'application/vnd.pet+json', [200, 'application/vnd.pet+json']],
  ])('%s is answered to %s in a type of it: %j', async (range, accept, expected) => {
    const answer = await send(await mockOf({ contract: suffixed(range) }), 'GET /thing', {
      headers: accept === undefined ? [] : [['Accept', accept]],
    });
    expect([answer.status, headerValue(answer.headers, 'Content-Type')]).toEqual(expected);
    if (answer.status === 200) expect(textOf(answer)).toContain('Robin');
  });

  test('accepts bodies of its types only', async () => {
    const contract = parseContract(
      `
openapi: 3.1.0
info: { title: Media, version: '1' }
paths: { /people: { post: { operationId: addPerson, requestBody: { required: true, content: {
    application/*+json: { schema: { type: object, required: [name] } } } },
    responses: { '204': { description: ok }, '415': { description: no } } } } }
`,
      'media.yaml',
    );
    const mock = await mockOf({ contract });
    const types = [
      'application/vnd.person+json',
      'application/ld+json',
      'application/json',
      'text/csv',
    ];
    const answers = await Promise.all(
      types.map((type) => send(mock, 'POST /people', { type, body: { name: 'Robin' } })),
    );
    expect(answers.map(({ status }) => status)).toEqual([204, 204, 415, 415]);
  });
});
