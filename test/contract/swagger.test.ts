import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { describe, expect, test } from 'vitest';
import { loadContract, parseContract } from '../../src/contract/load.ts';
import type { Contract, Operation } from '../../src/contract/model.ts';
import { decodeParameter } from '../../src/contract/parameter/decode-parameter.ts';
import { encodeParameter } from '../../src/contract/parameter/encode-parameter.ts';
import type { HeaderList } from '../../src/http/message.ts';
import type { JsonValue } from '../../src/json/value.ts';

const head = "swagger: '2.0'\ninfo: { title: T, version: '1' }\n";

/** The one operation of a document, `POST /things`, and what else the document has. */
function operationOf(
  operation: string,
  members = '',
  path = '/things',
): { operation: Operation; contract: Contract } {
  const contract = parseContract(
    `${head}${members}paths:\n  ${path}:\n    post: { operationId: op, ${operation} }\n`,
    'api.yaml',
  );
  const [found] = contract.operations;
  if (found === undefined) throw new Error('the test has no operation');
  return { operation: found, contract };
}

const answers = "responses: { '200': { description: Fine } }";

describe('servers of a Swagger 2.0 document', () => {
  test.each<[string, string[], string]>([
    [
      'host: api.example.com\nbasePath: /v2\nschemes: [https, http]\n',
      ['https://api.example.com/v2', 'http://api.example.com/v2'],
      '/v2',
    ],
    ['host: api.example.com:8443\n', ['//api.example.com:8443'], ''],
    ['host: ""\nbasePath: /v2\nschemes: []\n', ['/v2'], '/v2'],
    ['host: api.example.com\nbasePath: /v2\nschemes: []\n', ['//api.example.com/v2'], '/v2'],
    ['host: ""\nschemes: []\n', ['/'], ''],
    ['basePath: /v2/\n', ['/v2/'], '/v2'],
    ['basePath: v2\nschemes: [https]\n', ['/v2'], '/v2'],
    ['', ['/'], ''],
  ])('%j', (members, urls, basePath) => {
    const { contract } = operationOf(answers, members);
    expect(contract.dialect).toBe('2.0');
    expect(contract.servers.map(({ url }) => url)).toEqual(urls);
    expect(contract.servers[0]?.basePath).toBe(basePath);
  });
});

describe('bodies of a Swagger 2.0 document', () => {
  test.each<[string, string, string, string[], boolean]>([
    [
      'a body in what the operation consumes',
      'consumes: [application/xml, application/json], parameters: [{ in: body, ' +
        'name: b, required: true, schema: { type: object } }]',
      '',
      ['application/xml', 'application/json'],
      true,
    ],
    [
      'a body in what the document consumes',
      'parameters: [{ in: body, name: b, schema: { type: object } }]',
      'consumes: [text/plain]\n',
      ['text/plain'],
      false,
    ],
    [
      'a body of which nothing is said',
      'parameters: [{ in: body, name: b, schema: { type: object } }]',
      '',
      ['application/json'],
      false,
    ],
    [
      'a shared body',
      "parameters: [{ $ref: '#/parameters/B' }]",
      'parameters: { B: { in: body, name: b, required: true, schema: { type: object } } }\n',
      ['application/json'],
      true,
    ],
    [
      'a form',
      'parameters: [{ in: formData, name: a, type: string, required: true }]',
      '',
      ['application/x-www-form-urlencoded'],
      true,
    ],
    [
      'a form in both ways',
      'consumes: [multipart/form-data, application/x-www-form-urlencoded], ' +
        'parameters: [{ in: formData, name: a, type: string }]',
      '',
      ['multipart/form-data', 'application/x-www-form-urlencoded'],
      false,
    ],
    [
      'a form whose media type has a parameter',
      'consumes: [application/x-www-form-urlencoded; charset=utf-8, multipart/' +
        'form-data; boundary=b], parameters: [{ in: formData, name: a, type: ' +
        'string }]',
      '',
      ['application/x-www-form-urlencoded; charset=utf-8', 'multipart/form-data; boundary=b'],
      false,
    ],
    [
      'a form with a file',
      'consumes: [multipart/form-data, application/x-www-form-urlencoded], ' +
        'parameters: [{ in: formData, name: a, type: file }]',
      '',
      ['multipart/form-data'],
      false,
    ],
    [
      'a form in parts, though it has no file',
      'consumes: [multipart/form-data], parameters: [{ in: formData, name: a, type: string }]',
      '',
      ['multipart/form-data'],
      false,
    ],
    [
      'a form with a file, where JSON is consumed',
      'consumes: [application/json], parameters: [{ in: formData, name: a, type: file }]',
      '',
      ['multipart/form-data'],
      false,
    ],
  ])('%s', (_name, operation, members, mediaTypes, required) => {
    const { requestBody } = operationOf(`${operation}, ${answers}`, members).operation;
    expect(requestBody?.content.map(({ mediaType }) => mediaType)).toEqual(mediaTypes);
    expect(requestBody?.required).toBe(required);
  });

  test('form fields are validated, and issues have their place', () => {
    const { operation, contract } = operationOf(
      'parameters: [{ in: formData, name: a, type: integer, maximum: 5 }, { ' +
        'in: formData, name: b, type: file, required: true }, { in: formData, ' +
        'name: c, type: array, items: { type: string }, collectionFormat: pipes ' +
        `}], ${answers}`,
    );
    const media = operation.requestBody?.content[0];
    expect(media?.schema?.validate({ a: 6 }, 'request').map(({ message }) => message)).toEqual([
      'must have the property b',
      'must be 5 or less',
    ]);
    expect(media?.schema?.flatten().properties.get('b')?.node).toMatchObject({
      $ref: expect.any(String) as string,
    });
    expect(media?.encoding?.get('c')).toEqual({ style: 'pipeDelimited', explode: false });
    const [issue] = media?.schema?.validate({ a: 6, b: '' }, 'request') ?? [];
    expect(issue?.pointer).toBe('/paths/~1things/post/parameters/0/maximum');
    expect(contract.locate(issue?.pointer ?? '').line).toBe(5);
  });

  test('an operation has the parameters of its path, except those that it overrides', () => {
    const contract = parseContract(
      `${head}paths:\n  /a/{id}:\n    parameters:\n      - { in: path, name: ` +
        'id, type: integer, required: true }\n      - { in: query, name: q, ' +
        'type: string }\n      - { in: body, name: x, schema: { type: string } ' +
        '}\n    put:\n      parameters: [{ in: query, name: q, type: integer }, ' +
        `{ in: body, name: y, schema: { type: object } }]\n      ${answers}\n    ` +
        `get: { ${answers} }\n`,
      'api.yaml',
    );
    const [get, put] = contract.operations;
    expect(
      put?.parameters.map((parameter) => [
        parameter.name,
        [...parameter.schema.flatten().types],
        parameter.pointer,
      ]),
    ).toEqual([
      ['id', ['integer'], '/paths/~1a~1{id}/parameters/0'],
      ['q', ['integer'], '/paths/~1a~1{id}/put/parameters/0'],
    ]);
    expect(put?.requestBody?.content[0]?.schema?.flatten().types).toEqual(['object']);
    expect(get?.requestBody?.content[0]?.schema?.flatten().types).toEqual(['string']);
  });
});

describe('lists in parameters are divided as collectionFormat says', () => {
  const headers = (value: string): HeaderList => [['L', value]];
  test.each<[string, string, string, string | undefined, JsonValue]>([
    ['query', 'csv', 'l=a,b', undefined, ['a', 'b']],
    ['query', 'none', 'l=a,b', undefined, ['a', 'b']],
    ['query', 'ssv', 'l=a%20b', undefined, ['a', 'b']],
    ['query', 'tsv', 'l=a%09b', undefined, ['a', 'b']],
    ['query', 'pipes', 'l=a%7Cb', undefined, ['a', 'b']],
    ['query', 'multi', 'l=a&l=b', undefined, ['a', 'b']],
    ['path', 'csv', 'a,b', undefined, ['a', 'b']],
    ['path', 'ssv', 'a%20b', undefined, ['a', 'b']],
    ['path', 'tsv', 'a%09b', undefined, ['a', 'b']],
    ['path', 'pipes', 'a%7Cb', undefined, ['a', 'b']],
    ['header', 'csv', 'a,b', undefined, ['a', 'b']],
    ['header', 'ssv', 'a b', undefined, ['a', 'b']],
    ['header', 'tsv', 'a\tb', undefined, ['a', 'b']],
    ['header', 'pipes', 'a|b', undefined, ['a', 'b']],
  ])('%s %s', (place, format, text, _none, value) => {
    const name = place === 'header' ? 'L' : 'l';
    const { operation } = operationOf(
      `parameters: [{ in: ${place}, name: ${name}, required: true, type: ` +
        'array, items: { type: string ' +
        `}${format === 'none' ? '' : `, collectionFormat: ${format}`} }], ` +
        answers,
      '',
      place === 'path' ? '/things/{l}' : '/things',
    );
    const [parameter] = operation.parameters;
    if (parameter === undefined) throw new Error('the test has no parameter');
    const wire = {
      path: new Map(place === 'path' ? [[name, text]] : []),
      rawQuery: place === 'query' ? text : '',
      headers: place === 'header' ? headers(text) : [],
    };
    expect(decodeParameter(parameter, wire)).toEqual({ kind: 'value', value });
    const written = encodeParameter(parameter, value);
    expect(
      written.in === 'query'
        ? written.pairs
        : written.in === 'path'
          ? written.text
          : written.in === 'header'
            ? written.value
            : '',
    ).toBe(text);
  });

  test('a parameter is validated by the keywords beside its name', () => {
    const { operation } = operationOf(
      'parameters: [{ in: query, name: n, required: true, type: integer, ' +
        `maximum: 5, exclusiveMaximum: true, default: 1 }], ${answers}`,
    );
    const schema = operation.parameters[0]?.schema;
    expect(schema?.node).not.toHaveProperty('name');
    expect(schema?.flatten().required.size).toBe(0);
    expect(
      schema?.validate(5, 'request').map(({ message, pointer }) => [message, pointer]),
    ).toEqual([['must be less than 5', '/paths/~1things/post/parameters/0/exclusiveMaximum']]);
  });
});

describe('responses of a Swagger 2.0 document', () => {
  const shown = (operation: string, members = ''): unknown =>
    operationOf(operation, members).operation.responses.map(({ status, content }) => [
      status,
      content.map(({ mediaType, schema, examples }) => [
        mediaType,
        schema?.pointer ?? '-',
        ...examples.map(({ value }) => value),
      ]),
    ]);

  test.each<[string, string, string, unknown]>([
    [
      'in what the operation produces',
      "produces: [application/xml], responses: { '200': { description: '', " +
        'schema: { type: object } } }',
      'produces: [application/json]\n',
      [['200', [['application/xml', '/paths/~1things/post/responses/200/schema']]]],
    ],
    [
      'in what the document produces',
      "responses: { default: { description: '', schema: { type: object } } }",
      'produces: [application/xml, application/json]\n',
      [
        [
          'default',
          [
            ['application/xml', '/paths/~1things/post/responses/default/schema'],
            ['application/json', '/paths/~1things/post/responses/default/schema'],
          ],
        ],
      ],
    ],
    ['of which nothing is said', answers, 'produces: [application/json]\n', [['200', []]]],
    [
      'that are files',
      "responses: { '200': { description: '', schema: { type: file } } }",
      '',
      [['200', [['application/octet-stream', '/paths/~1things/post/responses/200/schema']]]],
    ],
    [
      'with examples by media type',
      "responses: { '200': { description: '', schema: { type: object }, " +
        'examples: { application/json: { a: 1 }, text/plain: hello } } }',
      '',
      [
        [
          '200',
          [
            ['application/json', '/paths/~1things/post/responses/200/schema', { a: 1 }],
            ['text/plain', '/paths/~1things/post/responses/200/schema', 'hello'],
          ],
        ],
      ],
    ],
    [
      'that are shared',
      "responses: { '404': { $ref: '#/responses/Gone' } }",
      "responses: { Gone: { description: Gone, schema: { $ref: '#/definitions/" +
        "E' } } }\ndefinitions: { E: { type: object } }\n",
      [['404', [['application/json', '/responses/Gone/schema']]]],
    ],
  ])('%s', (_name, operation, members, expected) => {
    expect(shown(operation, members)).toEqual(expected);
  });

  test('headers', () => {
    const { operation } = operationOf(
      "responses: { '200': { description: '', headers: { X-Rate: { type: " +
        'integer, maximum: 3 }, X-Tags: { type: array, items: { type: string }, ' +
        'collectionFormat: ssv } } } }',
    );
    const [rate] = operation.responses[0]?.headers ?? [];
    expect(operation.responses[0]?.headers.map(({ name }) => name)).toEqual(['X-Rate', 'X-Tags']);
    expect(rate?.schema.validate(4, 'response')).toMatchObject([
      { pointer: '/paths/~1things/post/responses/200/headers/X-Rate/maximum' },
    ]);
  });
});

describe('schemas mean what Swagger 2.0 says', () => {
  const members =
    'definitions:\n  Animal: { type: object, discriminator: kind, required: ' +
    '[kind], properties: { kind: { type: string } } }\n  Cat: { allOf: [{ ' +
    "$ref: '#/definitions/Animal' }, { type: object, required: [lives] }] }\n";
  test.each<[string, string, JsonValue, boolean]>([
    ['x-nullable', '{ type: string, x-nullable: true }', null, true],
    ['nullable of OpenAPI 3.0, which many write', '{ type: string, nullable: true }', null, true],
    ['no null', '{ type: string }', null, false],
    [
      'a boolean exclusiveMinimum',
      '{ type: integer, minimum: 1, exclusiveMinimum: true }',
      1,
      false,
    ],
    ['inheritance', "{ $ref: '#/definitions/Cat' }", { kind: 'Cat' }, false],
    ['inheritance, kept', "{ $ref: '#/definitions/Cat' }", { kind: 'Cat', lives: 9 }, true],
    [
      'what is read only is not asked for',
      '{ type: object, required: [id], properties: { id: { type: integer, readOnly: true } } }',
      {},
      true,
    ],
    [
      'a place that only the original has',
      "{ $ref: '#/paths/~1things/post/parameters/1' }",
      'x',
      false,
    ],
  ])('%s', (_name, schema, value, kept) => {
    const { operation } = operationOf(
      `parameters: [{ in: body, name: b, schema: ${schema} }, { in: query, ` +
        `name: n, type: integer }], ${answers}`,
      members,
    );
    expect(
      (operation.requestBody?.content[0]?.schema?.validate(value, 'request') ?? []).length === 0,
    ).toBe(kept);
  });

  test('a discriminator is a property name', () => {
    const { operation } = operationOf(
      `parameters: [{ in: body, name: b, schema: { $ref: '#/definitions/Animal' } }], ${answers}`,
      members,
    );
    const schema = operation.requestBody?.content[0]?.schema;
    expect(schema?.flatten().node).toMatchObject({ discriminator: { propertyName: 'kind' } });
  });
});

test('extensions of an operation are kept', () => {
  expect(operationOf(`x-sunset: '2030-12-05', x-own: [1], ${answers}`).operation).toMatchObject({
    sunset: '2030-12-05',
    extensions: { 'x-own': [1] },
  });
});

test('security definitions', () => {
  const flows = ['implicit', 'password', 'application', 'accessCode']
    .map(
      (flow) =>
        `  ${flow}: { type: oauth2, flow: ${flow}, authorizationUrl: 'https://` +
        `a.example/a', tokenUrl: 'https://a.example/t', scopes: { read: Reading ` +
        '} }\n',
    )
    .join('');
  const { contract, operation } = operationOf(
    `security: [{ key: [], implicit: [read] }, { basic: [] }], ${answers}`,
    'securityDefinitions:\n  basic: { type: basic }\n  key: { type: apiKey, ' +
      `in: header, name: X-Key }\n${flows}`,
  );
  expect(
    [...contract.securitySchemes.values()].map((scheme) => [
      scheme.kind,
      scheme.name,
      scheme.pointer,
      'flows' in scheme
        ? scheme.flows?.map(({ grant, scopes }) => [grant, ...scopes.keys()])
        : undefined,
    ]),
  ).toEqual([
    ['basic', 'basic', '/securityDefinitions/basic', undefined],
    ['apiKey', 'key', '/securityDefinitions/key', undefined],
    ['bearer', 'implicit', '/securityDefinitions/implicit', [['implicit', 'read']]],
    ['bearer', 'password', '/securityDefinitions/password', [['password', 'read']]],
    ['bearer', 'application', '/securityDefinitions/application', [['clientCredentials', 'read']]],
    ['bearer', 'accessCode', '/securityDefinitions/accessCode', [['authorizationCode', 'read']]],
  ]);
  expect(
    operation.security.map((all) => all.map(({ scheme, scopes }) => [scheme.name, ...scopes])),
  ).toEqual([[['key'], ['implicit', 'read']], [['basic']]]);
});

test.each([
  "swagger: '2.0'\npaths: null\n",
  'swagger: 2.0\npaths: {}\n',
  "swagger: '2.0'\npaths: { /a: 1, /b: { get: 1 }, x-c: 1 }\n",
  "swagger: '2.0'\npaths: { /a: { get: { parameters: 1, responses: 1 } } }\n",
  "swagger: '2.0'\npaths: { /a: { get: { parameters: [1, {}], responses: { " +
    "'200': 1 } } } }\nsecurityDefinitions: { a: 1, b: null }\n",
])('what makes little sense is read as far as it goes: %j', (text) => {
  const contract = parseContract(text, 'api.yaml');
  expect(contract.operations.flatMap(({ parameters }) => parameters)).toEqual([]);
});

describe('a document is equivalent to its version in OpenAPI 3.0', () => {
  const require = createRequire(import.meta.url);
  const read = (version: string, name: string): Promise<Contract> =>
    loadContract(require.resolve(`@readme/oas-examples/${version}/json/${name}.json`));
  const summary = ({ operations, securitySchemes, title }: Contract): unknown => ({
    title,
    schemes: [...securitySchemes.values()].map(({ pointer: _, ...scheme }) =>
      JSON.stringify(scheme, (key, value: unknown) => (key === 'pointer' ? undefined : value)),
    ),
    operations: operations.map((operation) => ({
      id: operation.id,
      tags: operation.tags,
      parameters: operation.parameters.map(({ in: location, name, required, schema }) => [
        location,
        name,
        required,
        ...schema.flatten().types,
      ]),
      body: operation.requestBody?.content.map(({ mediaType, schema }) => [
        mediaType,
        ...(schema?.flatten().properties.keys() ?? []),
      ]),
      // The 3.0 document has added a response here and there.
      responses: operation.responses
        .filter(({ status }) => status !== 'default')
        .map(({ status, description, headers, content }) => [
          status,
          description,
          headers.map(({ name }) => name),
          content.map(({ mediaType, schema }) => [
            mediaType,
            ...(schema?.flatten().properties.keys() ?? []),
          ]),
        ]),
      security: operation.security.map((all) =>
        all.map(({ scheme, scopes }) => [scheme.name, ...scopes]),
      ),
    })),
  });

  test.each(['petstore', 'petstore-expanded'])('%s', async (name) => {
    expect(summary(await read('2.0', name))).toEqual(summary(await read('3.0', name)));
  });

  test.each([
    'api-with-examples',
    'petstore-expanded',
    'petstore-minimal',
    'petstore-simple',
    'petstore-with-external-docs',
    'petstore',
    'schema-circular',
  ])('%s: YAML and JSON make the same operations', async (name) => {
    const yaml = parseContract(
      readFileSync(require.resolve(`@readme/oas-examples/2.0/yaml/${name}.yaml`), 'utf8'),
      'api.yaml',
    );
    const json = await read('2.0', name);
    expect(summary(yaml)).toEqual(summary(json));
    expect(json.operations.length).toBeGreaterThan(0);
  });
});
