import { describe, expect, test } from 'vitest';
import { parseContract } from '../../src/contract/load.ts';
import type { Contract } from '../../src/contract/model.ts';
import { chooseStatus } from '../../src/mock/errors/write-error-response.ts';
import type { FaultCause } from '../../src/mock/model/reply.ts';
import {
  cutText,
  headerText,
  joinSentences,
  quoteHeaderText,
  showMessage,
} from '../../src/mock/errors/visible-text.ts';
import { converse, mockOf, send, show } from './workshop.ts';

/** A contract with one operation, whose 400 has this content. */
function contractOf(content: string, more = ''): Contract {
  return parseContract(
    `
openapi: 3.1.0
info: { title: Errors, version: '1' }
paths:
  /nuts:
    post:
      operationId: crack
      requestBody: { content: { application/json: { schema: { type: object, required: [size],
          properties: { size: { type: integer, minimum: 1 } } } } } }
      responses:
        '200': { description: Cracked }
        '400': { description: Not a nut, content: ${content} }
${more}`,
    'errors.yaml',
  );
}

async function refusalOf(contract: Contract): Promise<string> {
  const mock = await mockOf({ contract });
  return show(await send(mock, 'POST /nuts?x=1', { body: { size: 0 } }), 'Content-Type');
}

const json = (schema: string, more = ''): string =>
  `{ application/json: { schema: ${schema}${more} } }`;

describe('a refusal has the error schema of the contract', () => {
  test('for many forms of errors', async () => {
    const schemas: readonly (readonly [name: string, schema: string])[] = [
      [
        'code, message, status',
        '{ type: object, required: [code, message, status], properties: { code: ' +
          '{ type: string }, message: { type: string }, status: { type: integer } ' +
          '} }',
      ],
      [
        'number as code',
        '{ type: object, required: [code, message], properties: { code: { type: ' +
          'integer, format: int32 }, message: { type: string } } }',
      ],
      [
        'problem details',
        '{ type: object, properties: { type: { type: string, format: ' +
          'uri-reference }, title: { type: string }, status: { type: integer }, ' +
          'detail: { type: string }, instance: { type: string } } }',
      ],
      [
        'OAuth',
        '{ type: object, required: [error], properties: { error: { type: string ' +
          '}, error_description: { type: string } } }',
      ],
      ['one word', '{ type: object, required: [error], properties: { error: { type: string } } }'],
      [
        'Spring',
        '{ type: object, properties: { timestamp: { type: string, format: ' +
          'date-time }, status: { type: integer }, error: { type: string }, ' +
          'message: { type: string }, path: { type: string } } }',
      ],
      [
        'JSON:API',
        '{ type: object, required: [errors], properties: { errors: { type: ' +
          'array, minItems: 1, items: { type: object, properties: { status: { ' +
          'type: string }, code: { type: string }, title: { type: string }, ' +
          'detail: { type: string }, source: { type: object, properties: { ' +
          'pointer: { type: string, format: json-pointer } } } } } } } }',
      ],
      [
        'Google',
        '{ type: object, properties: { error: { type: object, properties: { ' +
          'code: { type: integer }, message: { type: string }, status: { type: ' +
          'string }, details: { type: array, items: { type: object } } } } } }',
      ],
      [
        'Google, with the fields',
        '{ type: object, properties: { error: { type: object, properties: { ' +
          'code: { type: integer }, message: { type: string }, details: { type: array, ' +
          'items: { type: object, properties: { field_violations: { type: array, items: { ' +
          'type: object, required: [field], properties: { field: { type: string }, ' +
          'description: { type: string } } } } } } } } } } }',
      ],
      [
        'a list of texts',
        '{ type: object, required: [messages], properties: { messages: { type: ' +
          'array, items: { type: string } } } }',
      ],
      [
        'a bare list',
        '{ type: array, items: { type: object, required: [field, message], ' +
          'properties: { field: { type: string }, message: { type: string }, rule: ' +
          '{ type: string } } } }',
      ],
      ['a bare text', '{ type: string }'],
      [
        'a short text',
        '{ type: object, required: [message], properties: { message: { type: ' +
          'string, maxLength: 20 } } }',
      ],
      [
        'what nobody could guess',
        '{ type: object, required: [message, severity, trace, retry], ' +
          'properties: { message: { type: string }, severity: { type: string, ' +
          'enum: [low, high] }, trace: { type: string, format: uuid }, retry: { ' +
          'type: boolean }, hint: { type: string } } }',
      ],
      [
        'success: false',
        '{ type: object, required: [success, msg], properties: { success: { ' +
          'type: boolean }, msg: { type: string }, data: { type: object } } }',
      ],
      [
        'a choice',
        '{ oneOf: [{ type: object, additionalProperties: false, required: [odd], ' +
          'properties: { odd: { type: string, enum: [x] }, even: { type: integer } ' +
          '} }, { type: object, required: [message], properties: { message: { ' +
          'type: string } } }] }',
      ],
      [
        'parts together',
        '{ allOf: [{ type: object, required: [code], properties: { code: { type: ' +
          'string, enum: [E_NOT_FOUND, E_VALIDATION] } } }, { type: object, ' +
          'properties: { message: { type: string } } }] }',
      ],
      [
        'codes with a number in front',
        '{ type: object, required: [code], properties: { code: { type: string, ' +
          'enum: [E1_AUTH, E2_UNKNOWN] } } }',
      ],
    ];
    const lines = await Promise.all(
      schemas.map(async ([name, schema]) => {
        const refusal = await refusalOf(contractOf(json(schema)));
        return `${name}: ${refusal.replace('400 application/json ', '')}`;
      }),
    );
    expect(lines.join('\n')).toMatchInlineSnapshot(`
      "code, message, status: {"code":"invalid_value","message":"\`size\` in the body must
        ↳ be 1 or more, but is \`0\`.","status":400}
      number as code: {"code":400,"message":"\`size\` in the body must be 1 or more, but
        ↳ is \`0\`."}
      problem details: {"type":"about:blank","title":"Bad Request","status":400,
        ↳"detail":"\`size\` in the body must be 1 or more, but is \`0\`.","instance":"/nuts"}
      OAuth: {"error":"invalid_value","error_description":"\`size\` in the body must be 1
        ↳ or more, but is \`0\`."}
      one word: {"error":"\`size\` in the body must be 1 or more, but is \`0\`."}
      Spring: {"timestamp":"2030-01-02T03:04:05.000Z","status":400,"error":"Bad Request",
        ↳"message":"\`size\` in the body must be 1 or more, but is \`0\`.","path":"/nuts"}
      JSON:API: {"errors":[{"status":"400","code":"minimum","title":"Bad Request",
        ↳"detail":"\`size\` in the body must be 1 or more, but is \`0\`.",
        ↳"source":{"pointer":"/size"}}]}
      Google: {"error":{"code":400,"message":"\`size\` in the body must be 1 or more, but
        ↳ is \`0\`.","status":"INVALID_ARGUMENT"}}
      Google, with the fields: {"error":{"code":400,"message":"\`size\` in the body must
        ↳ be 1 or more, but is \`0\`.","details":[{"field_violations":[{"field":"size",
        ↳"description":"\`size\` in the body must be 1 or more, but is \`0\`."}]}]}}
      a list of texts: {"messages":["\`size\` in the body must be 1 or more, but is
        ↳ \`0\`."]}
      a bare list: [{"field":"size","message":"\`size\` in the body must be 1 or more, but
        ↳ is \`0\`.","rule":"minimum"}]
      a bare text: "\`size\` in the body must be 1 or more, but is \`0\`."
      a short text: {"message":"\`size\` in the body …"}
      what nobody could guess: {"message":"\`size\` in the body must be 1 or more, but is
        ↳ \`0\`.","severity":"low","trace":"dee74af6-9af9-4050-9ec1-27b4ecbe35f4",
        ↳"retry":true}
      success: false: {"success":false,"msg":"\`size\` in the body must be 1 or more, but
        ↳ is \`0\`."}
      a choice: {"message":"\`size\` in the body must be 1 or more, but is \`0\`."}
      parts together: {"code":"E_VALIDATION","message":"\`size\` in the body must be 1 or
        ↳ more, but is \`0\`."}
      codes with a number in front: {"code":"E2_UNKNOWN"}"
    `);
  });

  test('uses the example if there is no room for the facts', async () => {
    const schema =
      '{ type: object, additionalProperties: false, required: [message], ' +
      "properties: { message: { type: string, pattern: '^No$' } } }";
    expect(await refusalOf(contractOf(json(schema, ', example: { message: "No" }')))).toBe(
      '400 application/json {"message":"No"}',
    );
    expect(await refusalOf(contractOf(json(schema)))).toBe('400 application/json {"message":"No"}');
  });

  test('shows the example if no field has room for the facts', async () => {
    const schema =
      '{ type: object, required: [severity, retry], properties: { severity: { ' +
      'type: string, enum: [low, high] }, retry: { type: boolean }, hint: { ' +
      'type: string } } }';
    expect(
      await refusalOf(
        contractOf(json(schema, ', example: { severity: high, retry: false, hint: Smaller }')),
      ),
    ).toBe('400 application/json {"severity":"high","retry":false,"hint":"Smaller"}');
    expect(await refusalOf(contractOf(json(schema)))).toBe(
      '400 application/json {"severity":"low","retry":true}',
    );
    const told =
      '{ type: object, required: [severity, message], properties: { severity: ' +
      '{ type: string, enum: [low, high] }, message: { type: string } } }';
    expect(
      await refusalOf(contractOf(json(told, ', example: { severity: high, message: No }'))),
    ).toBe(
      '400 application/json {"severity":"low","message":"`size` in the body ' +
        'must be 1 or more, but is `0`."}',
    );
  });

  test('uses the first valid example', async () => {
    const schema =
      '{ type: object, additionalProperties: false, minProperties: 1, ' +
      'properties: { mood: { enum: [glum, grim, gruff] }, secret: { type: ' +
      'string, writeOnly: true } } }';
    const examples =
      '{ broken: { value: { mood: glad } }, sent: { value: { mood: grim, ' +
      'secret: x } }, fine: { value: { mood: gruff } } }';
    expect(await refusalOf(contractOf(json(schema, `, examples: ${examples}`)))).toBe(
      '400 application/json {"mood":"gruff"}',
    );
  });

  test('has no message if the contract has no room for one', async () => {
    expect(await refusalOf(contractOf('{}'))).toBe('400');
    expect(
      await refusalOf(contractOf('{ image/png: { schema: { type: string, format: binary } } }')),
    ).toMatch(/^400 image\/png .PNG/);
    expect(
      await refusalOf(contractOf('{ audio/mp3: { schema: { type: string, format: binary } } }')),
    ).toMatch(/^400 audio\/mp3 `size` in the body/);
    expect(await refusalOf(contractOf('{ application/octet-stream: {} }'))).toBe(
      '400 application/octet-stream `size` in the body must be 1 or more, but is `0`.\n',
    );
  });

  test('is problem details (RFC 9457) if no value conforms to the contract’s schema', async () => {
    expect(await refusalOf(contractOf(json('{ type: integer, minimum: 2, maximum: 1 }')))).toMatch(
      /^400 application\/problem\+json \{"type":"about:blank","title":"Bad Request","status":400,"detail":"`size` in the body must be 1 or more, but is `0`\."/,
    );
  });

  test('is a text if the contract declares one', async () => {
    expect(await refusalOf(contractOf('{ text/plain: { schema: { type: string } } }'))).toBe(
      '400 text/plain; charset=utf-8 `size` in the body must be 1 or more, but is `0`.\n',
    );
  });

  test('is XML if the contract declares it', async () => {
    const schema =
      '{ type: object, xml: { name: fault }, properties: { message: { type: ' +
      'string }, code: { type: string, xml: { attribute: true } } } }';
    expect(await refusalOf(contractOf(`{ application/xml: { schema: ${schema} } }`))).toBe(
      '400 application/xml <?xml version="1.0" encoding="UTF-8"?>\n<fault ' +
        'code="invalid_value"><message>`size` in the body must be 1 or more, but ' +
        'is `0`.</message></fault>',
    );
    expect(
      await refusalOf(contractOf('{ application/xml: { schema: { type: object } } }')),
    ).toMatch(/<root><code>invalid_value<\/code><message>`size` in the body/);
  });

  test('keeps the media type of a payload that is left open', async () => {
    expect(await refusalOf(contractOf('{ application/vnd.nut+json: {} }'))).toMatch(
      /^400 application\/vnd\.nut\+json \{"type":"about:blank"/,
    );
  });

  test(
    'is in the form of the operation’s other errors, or of the contract’s, ' +
      'where it is not documented',
    async () => {
      const schema =
        '{ type: object, required: [message], properties: { message: { type: string } } }';
      const mock = await mockOf({
        contract: contractOf(
          json(schema),
          "  /shells:\n    get: { operationId: listShells, responses: { '200': { " +
            'description: Fine } } }',
        ),
      });
      expect(
        await converse(mock, [
          ['POST /nuts', { body: {}, type: 'text/html' }, 'Content-Type'],
          ['POST /nuts', { body: { size: 1 }, headers: [['Prefer', 'code=404']] }, 'Content-Type'],
          ['DELETE /shells', {}, 'Content-Type'],
          ['GET /elsewhere', {}, 'Content-Type'],
          ['GET /shells', { headers: [['Prefer', 'dynamic=perhaps']] }, 'Content-Type'],
        ]),
      ).toMatchInlineSnapshot(`
        "POST /nuts → 400 application/json {"message":"The header Content-Type must be
          ↳ application/json, but is \`text/html\`."}
        POST /nuts → 400 application/json {"message":"Prefer requests the status 404, which
          ↳ crack does not document. It documents 200, 400."}
        DELETE /shells → 405 application/json {"message":"This path has no DELETE. It has:
          ↳ GET, HEAD, OPTIONS."}
        GET /elsewhere → 404 application/json {"message":"There is no path \`/elsewhere\`."}
        GET /shells → 400 application/json {"message":"\`dynamic\` in the header Prefer must
          ↳ be true or false, but is \`perhaps\`."}"
      `);
    },
  );
});

describe('the status of a fault', () => {
  const operationWith = (...statuses: string[]) => {
    const responses = statuses.map((status) => `'${status}': { description: x }`).join(', ');
    return parseContract(
      `{ openapi: 3.1.0, info: { title: x, version: '1' }, paths: { /x: { get: ` +
        `{ operationId: x, responses: { ${responses} } } } } }`,
      'x.yaml',
    ).operations[0];
  };

  test.each([
    ['parameter-value', ['200'], 400],
    ['parameter-value', ['200', '400', '422'], 400],
    ['parameter-value', ['200', '422'], 422],
    ['parameter-value', ['200', '4XX', 'default'], 400],
    ['body-value', ['201'], 400],
    ['body-value', ['201', '400'], 400],
    ['body-value', ['201', '400', '422'], 422],
    ['body-unreadable', ['201', '400', '422'], 400],
    ['body-unreadable', ['201', '422'], 422],
    ['body-missing', ['201', '422'], 422],
    ['media-type', ['201'], 415],
    ['media-type', ['201', '400'], 400],
    ['media-type', ['201', '400', '415'], 415],
    ['path-value', ['200'], 400],
    ['path-value', ['200', '404'], 404],
    // The path is all that can be invalid.
    ['path-value', ['200', '400', '404'], 400],
    ['path-value', ['200', '422'], 422],
    ['credential', ['200'], 401],
    ['credential', ['200', '403'], 403],
    ['credential', ['200', '401', '403'], 401],
    ['credential-malformed', ['200', '400'], 400],
    ['credential-malformed', ['200', '400', '401'], 401],
    ['not-found', ['200', '400'], 404],
    ['conflict', ['201'], 409],
    ['conflict', ['201', '400'], 400],
    ['conflict', ['201', '400', '409'], 409],
    ['not-acceptable', ['200', '400'], 406],
    ['gone', ['200', '404'], 410],
    ['wrong-method', ['200', '400'], 405],
    ['impossible', ['200', '500'], 501],
  ] satisfies [FaultCause, string[], number][])(
    '%s with %j documented is %d',
    (cause, documented, status) => {
      expect(chooseStatus(cause, operationWith(...documented))).toBe(status);
    },
  );

  test('is the 404 of an invalid path where a documented 400 may be that of the query', () => {
    const { operations } = parseContract(
      `{ openapi: 3.1.0, info: { title: x, version: '1' }, paths: { '/x/{id}': { get: ` +
        `{ operationId: x, parameters: [{ name: id, in: path, required: true, schema: {} }, ` +
        `{ name: size, in: query, schema: {} }], responses: { '200': { description: x }, ` +
        `'400': { description: x }, '404': { description: x } } } } } }`,
      'x.yaml',
    );
    expect(chooseStatus('path-value', operations[0])).toBe(404);
  });

  test('without an operation is the one of HTTP', () => {
    expect(chooseStatus('no-path', undefined)).toBe(404);
  });
});

describe('a displayed text', () => {
  test('is cut between characters', () => {
    expect(cutText('short', 5)).toBe('short');
    expect(cutText('longer', 5)).toBe('long…');
    expect(cutText('😀😀😀', 3)).toBe('😀😀😀');
    expect(cutText('😀😀😀', 2)).toBe('😀…');
    expect(cutText('abc', 0)).toBe('…');
  });

  test('escapes invisible characters', () => {
    expect(showMessage('a\u0000b\u202Ec\u2028d')).toBe('aU+0000bU+202EcU+2028d');
    expect(showMessage('x'.repeat(900))).toHaveLength(500);
  });

  test('holds as many sentences as fit', () => {
    expect(joinSentences(['One.', 'Two.'])).toBe('One. Two.');
    const many = Array.from({ length: 100 }, (_, index) => `Sentence ${String(index)} is here.`);
    expect(joinSentences(many)).toMatch(/^Sentence 0 is here\. .* \(\d+ more\)$/);
    expect(joinSentences(many).length).toBeLessThanOrEqual(500);
    expect(joinSentences([])).toBe('');
  });

  test('in a header is ASCII, and one line', () => {
    expect(headerText('a\r\nb: ü😀')).toBe('a??b: ??');
    expect(quoteHeaderText('a"b\\c')).toBe('"a\\"b\\\\c"');
  });
});
