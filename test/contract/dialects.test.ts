import { describe, expect, test } from 'vitest';
import { parseContract } from '../../src/contract/load.ts';
import type { Contract, Operation, Schema } from '../../src/contract/model.ts';
import { decodeParameter } from '../../src/contract/parameter/decode-parameter.ts';
import { encodeParameter } from '../../src/contract/parameter/encode-parameter.ts';
import { headerForm } from '../../src/contract/parameter/parameter-form.ts';
import type { JsonObject, JsonValue } from '../../src/json/value.ts';
import { jsonContent, makeContract } from './make-contract.ts';

function firstOf(contract: Contract): Operation {
  const [operation] = contract.operations;
  if (operation === undefined) throw new Error('the test has no operation');
  return operation;
}

function bodySchema(schema: JsonValue, members: JsonObject = {}): Schema {
  const contract = makeContract({
    ...members,
    paths: {
      '/things': {
        post: { requestBody: jsonContent(schema), responses: { 200: { description: 'Fine' } } },
      },
    },
  });
  const found = firstOf(contract).requestBody?.content[0]?.schema;
  if (found === undefined) throw new Error('the test has no schema');
  return found;
}

describe('schemas with $id and anchors (JSON Schema 2020-12)', () => {
  const pet = {
    $id: 'https://example.com/schemas/pet',
    type: 'object',
    properties: { name: { $ref: '#/$defs/name' }, kind: { $ref: 'kind' }, tag: { $ref: '#tag' } },
    $defs: { name: { type: 'string' }, tag: { $anchor: 'tag', type: 'integer' } },
  };
  const kind = { $id: 'https://example.com/schemas/kind', enum: ['cat', 'dog'] };
  const members = {
    components: {
      schemas: {
        Pet: pet,
        Kind: kind,
        Plain: { $anchor: 'plain', type: 'boolean' },
        Tree: {
          $dynamicAnchor: 'node',
          type: 'object',
          properties: {
            children: { type: 'array', items: { $dynamicRef: '#node' } },
            n: { type: 'integer' },
          },
        },
      },
    },
  };

  test.each<[string, JsonValue, JsonValue, string[]]>([
    ['by $id', { $ref: 'https://example.com/schemas/kind' }, 'bird', [' must be one of cat, dog']],
    [
      'a pointer counts from the $id around it',
      { $ref: '#/components/schemas/Pet' },
      { name: 1 },
      ['/name must be a string, but is an integer'],
    ],
    [
      'a neighbour by its relative $id',
      { $ref: '#/components/schemas/Pet' },
      { kind: 'bird' },
      ['/kind must be one of cat, dog'],
    ],
    [
      'an anchor inside of a $id',
      { $ref: '#/components/schemas/Pet' },
      { tag: 'x' },
      ['/tag must be an integer, but is a string'],
    ],
    [
      'an anchor by $id and name',
      { $ref: 'https://example.com/schemas/pet#tag' },
      'x',
      [' must be an integer, but is a string'],
    ],
    [
      'a pointer behind a $id',
      { $ref: 'https://example.com/schemas/pet#/$defs/name' },
      1,
      [' must be a string, but is an integer'],
    ],
    ['an anchor of the document', { $ref: '#plain' }, 1, [' must be a boolean, but is an integer']],
    [
      'a dynamic reference',
      { $ref: '#/components/schemas/Tree' },
      { children: [{ n: 'x' }] },
      ['/children/0/n must be an integer, but is a string'],
    ],
    [
      '$defs beside the schema',
      { $defs: { n: { type: 'integer' } }, $ref: '#/components/schemas/Plain' },
      1,
      [' must be a boolean, but is an integer'],
    ],
  ])('%s', (_name, schema, value, expected) => {
    expect(
      bodySchema(schema, members)
        .validate(value, 'request')
        .map(({ at, message }) => `${at} ${message}`),
    ).toEqual(expected);
  });

  test(
    'a place that each user of a schema fills in takes what that user says, ' +
      'and whatever comes where none says it',
    () => {
      const list = {
        type: 'array',
        items: { $dynamicRef: '#item' },
        $defs: { item: { $dynamicAnchor: 'item', not: {} } },
      };
      const names = {
        $id: 'https://example.com/names',
        $ref: '#/components/schemas/List',
        $defs: { item: { $dynamicAnchor: 'item', type: 'string' } },
      };
      expect(
        bodySchema(
          { $ref: '#/components/schemas/Names' },
          { components: { schemas: { List: list, Names: names } } },
        ).validate(['x'], 'request'),
      ).toEqual([]);
      expect(
        bodySchema(
          { $ref: '#/components/schemas/Names' },
          { components: { schemas: { List: list, Names: names } } },
        )
          .validate([1], 'request')
          .map(({ at, message }) => `${at} ${message}`),
      ).toEqual(['/0 must be a string, but is an integer']);
      expect(
        bodySchema(
          { $ref: '#/components/schemas/List' },
          { components: { schemas: { List: list, Names: names } } },
        ).validate([1, 'x'], 'request'),
      ).toEqual([]);
    },
  );

  test('several users of a schema fill it in through intermediate schemas', () => {
    const schemas = {
      Page: {
        type: 'object',
        required: ['items'],
        properties: {
          items: { type: 'array', items: { $dynamicRef: '#item' } },
          next: { $ref: '#/components/schemas/Page' },
        },
        $defs: { item: { $dynamicAnchor: 'item', not: {} } },
      },
      Long: {
        $id: 'https://example.com/long',
        allOf: [
          { $ref: '#/components/schemas/Page' },
          { properties: { total: { type: 'integer' } } },
        ],
      },
      Names: {
        $id: 'https://example.com/names',
        $ref: '#/components/schemas/Long',
        $defs: { item: { $dynamicAnchor: 'item', type: 'string' } },
      },
      Numbers: {
        $id: 'https://example.com/numbers',
        $ref: '#/components/schemas/Page',
        $defs: { item: { $dynamicAnchor: 'item', $ref: '#/components/schemas/Number' } },
      },
      Number: { type: 'number' },
    };
    const judge = (name: string, value: JsonValue): string[] =>
      bodySchema({ $ref: `#/components/schemas/${name}` }, { components: { schemas } })
        .validate(value, 'request')
        .map(({ at }) => at);
    expect([
      judge('Names', { items: ['a', 1], total: 'x' }),
      judge('Numbers', { items: ['a', 1] }),
      judge('Numbers', {}),
    ]).toEqual([['/items/1', '/total'], ['/items/0'], ['']]);
  });

  test('keywords beside a dynamic reference count', () => {
    const list = {
      type: 'array',
      items: { $dynamicRef: '#item', allOf: [{ maxLength: 2 }] },
      $defs: { item: { $dynamicAnchor: 'item', not: {} } },
    };
    const names = {
      $id: 'https://example.com/names',
      $ref: '#/components/schemas/List',
      $defs: { item: { $dynamicAnchor: 'item', type: 'string' } },
    };
    const judge = (name: string): string[] =>
      bodySchema(
        { $ref: `#/components/schemas/${name}` },
        { components: { schemas: { List: list, Names: names } } },
      )
        .validate(['ab', 'abc'], 'request')
        .map(({ at }) => at);
    expect([judge('Names'), judge('List')]).toEqual([['/1'], ['/1']]);
  });

  test('members at a dynamic reference count as evaluated', () => {
    const page = {
      type: 'object',
      allOf: [{ $dynamicRef: '#extra' }],
      properties: { n: { type: 'integer' } },
      unevaluatedProperties: false,
      $defs: { extra: { $dynamicAnchor: 'extra' } },
    };
    const own = {
      $id: 'https://example.com/own',
      $ref: '#/components/schemas/Page',
      $defs: { extra: { $dynamicAnchor: 'extra', properties: { more: { type: 'string' } } } },
    };
    for (const name of ['Own', 'Page']) {
      const schema = bodySchema(
        { $ref: `#/components/schemas/${name}` },
        { components: { schemas: { Page: page, Own: own } } },
      );
      expect(schema.validate({ n: 1, more: 'x' }, 'request')).toEqual([]);
      expect(schema.validate({ n: 'x' }, 'request')).toHaveLength(1);
    }
  });

  test('the given document is not changed', () => {
    const before = JSON.stringify(members);
    bodySchema({ $ref: '#plain' }, members);
    expect(JSON.stringify(members)).toBe(before);
  });

  test('a reference to an unknown name accepts any value', () => {
    expect(bodySchema({ $ref: '#none' }).validate(1, 'request')).toEqual([]);
  });

  test('jsonSchemaDialect and $schema are accepted', () => {
    expect(
      bodySchema(
        { $schema: 'https://json-schema.org/draft/2020-12/schema', type: 'integer' },
        { jsonSchemaDialect: 'https://spec.openapis.org/oas/3.1/dialect/base' },
      ).validate('x', 'request'),
    ).toHaveLength(1);
  });
});

describe('null in each dialect', () => {
  test.each<[string, string, JsonValue, boolean]>([
    ['3.0.3', 'a nullable type', { type: 'string', nullable: true }, true],
    ['3.0.3', 'nullable without a type', { nullable: true, allOf: [{ type: 'string' }] }, false],
    ['3.1.0', 'a list of types', { type: ['string', 'null'] }, true],
    ['3.1.0', 'nullable, which 3.1 does not know', { type: 'string', nullable: true }, false],
    ['3.1.0', 'a branch', { oneOf: [{ type: 'string' }, { type: 'null' }] }, true],
    ['3.2.0', 'a list of types', { type: ['string', 'null'] }, true],
  ])('%s: %s', (openapi, _name, schema, kept) => {
    expect(bodySchema(schema, { openapi }).validate(null, 'request').length === 0).toBe(kept);
  });
});

describe('OpenAPI 3.2', () => {
  const head = "openapi: 3.2.0\n$self: https://example.com/api\ninfo: { title: T, version: '1' }\n";
  const load = (rest: string): Contract => parseContract(head + rest, 'api.yaml');

  test('QUERY and additional methods are operations', () => {
    const contract = load(
      'paths:\n  /things:\n    query: { responses: {} }\n    ' +
        'additionalOperations:\n      COPY: { operationId: copy, responses: {} ' +
        '}\n',
    );
    expect(contract.operations.map(({ method, id, pointer }) => [method, id, pointer])).toEqual([
      ['QUERY', 'QUERY /things', '/paths/~1things/query'],
      ['COPY', 'copy', '/paths/~1things/additionalOperations/COPY'],
    ]);
  });

  test('a document may refer to itself by its $self', () => {
    const contract = load(
      "paths:\n  /things:\n    get: { responses: { '200': { $ref: 'https://" +
        "example.com/api#/components/responses/Fine' } } }\ncomponents: { " +
        'responses: { Fine: { description: Fine } } }\n',
    );
    expect(firstOf(contract).responses[0]?.description).toBe('Fine');
  });

  test('servers have names', () => {
    expect(
      load('servers: [{ url: https://example.com, name: staging }]\npaths: {}\n').servers[0]?.name,
    ).toBe('staging');
  });

  test.each<[string, string, string, JsonValue]>([
    [
      'a form',
      'application/x-www-form-urlencoded: { schema: { type: object, ' +
        'properties: { a: { type: integer }, b: { type: array, items: { type: ' +
        'string } } } } }',
      'a=1&b=x&b=y',
      { a: 1, b: ['x', 'y'] },
    ],
    ['JSON', 'application/json: { schema: { type: object } }', '%7B%22a%22%3A1%7D', { a: 1 }],
    ['text', 'text/plain: { schema: { type: string } }', 'hello%20there', 'hello there'],
  ])('a parameter may be the whole query: %s', (_name, content, rawQuery, value) => {
    const [parameter] = firstOf(
      load(
        'paths:\n  /things:\n    get: { parameters: [{ name: q, in: querystring, ' +
          `content: { ${content} } }], responses: {} }\n`,
      ),
    ).parameters;
    if (parameter === undefined) throw new Error('the test has no parameter');
    expect(parameter.in).toBe('query');
    expect(decodeParameter(parameter, { path: new Map(), rawQuery, headers: [] })).toEqual({
      kind: 'value',
      value,
    });
    expect(decodeParameter(parameter, { path: new Map(), rawQuery: '', headers: [] })).toEqual({
      kind: 'absent',
    });
    expect(encodeParameter(parameter, value)).toEqual({ in: 'query', pairs: rawQuery });
  });

  test('sequences, shared media types and every kind of example', () => {
    const { responses } = firstOf(
      load(`paths:
  /things:
    get:
      responses:
        '200':
          description: Fine
          content:
            application/jsonl:
              itemSchema: { type: integer }
            application/json: { $ref: '#/components/mediaTypes/Thing' }
components:
  mediaTypes:
    Thing:
      schema: { type: object }
      examples:
        data: { dataValue: { a: 1 } }
        sent: { serializedValue: '{"a":2}' }
        broken: { serializedValue: '{' }
        odd: { serializedValue: 5 }
        away: { externalValue: 'https://a.example' }
        both: { dataValue: { a: 3 }, serializedValue: '{"a":3}' }
        old: { value: { a: 4 } }
`),
    );
    const [lines, json] = responses[0]?.content ?? [];
    expect(lines?.itemSchema?.node).toEqual({ type: 'integer' });
    expect(lines?.schema).toBeUndefined();
    expect(json?.schema?.node).toEqual({ type: 'object' });
    expect(json?.examples.map(({ name, value }) => [name, value])).toEqual([
      ['data', { a: 1 }],
      ['sent', { a: 2 }],
      ['both', { a: 3 }],
      ['old', { a: 4 }],
    ]);
  });

  test('an unsupported OAuth flow is accepted', () => {
    const contract = load(
      'paths: {}\ncomponents: { securitySchemes: { device: { type: oauth2, ' +
        "flows: { deviceAuthorization: { deviceAuthorizationUrl: 'https://" +
        "a.example', tokenUrl: 'https://a.example', scopes: {} } } } } }\n",
    );
    expect([...contract.securitySchemes.keys()]).toEqual(['device']);
  });
});

describe('response headers', () => {
  test.each<[string, JsonObject, string, JsonValue]>([
    ['a list', { schema: { type: 'array', items: { type: 'integer' } } }, '1, 2', [1, 2]],
    [
      'an object',
      { schema: { type: 'object', properties: { a: { type: 'integer' } } } },
      'a,1',
      { a: 1 },
    ],
    [
      'an exploded object',
      { explode: true, schema: { type: 'object', properties: { a: { type: 'integer' } } } },
      'a=1',
      { a: 1 },
    ],
    [
      'content',
      { content: { 'application/json': { schema: { type: 'object' } } } },
      '{"a":1}',
      { a: 1 },
    ],
  ])('%s', (_name, header, text, value) => {
    const [found] =
      firstOf(
        makeContract({
          paths: {
            '/a': {
              get: { responses: { 200: { description: 'Fine', headers: { 'X-A': header } } } },
            },
          },
        }),
      ).responses[0]?.headers ?? [];
    if (found === undefined) throw new Error('the test has no header');
    expect(
      decodeParameter(headerForm(found), {
        path: new Map(),
        rawQuery: '',
        headers: [['X-A', text]],
      }),
    ).toEqual({ kind: 'value', value });
  });
});

function messagesOf({ faults }: Contract): string[] {
  return faults.map(({ message }) => message);
}

describe('a contract is read lazily', () => {
  test('but a reference without a target is reported at once', () => {
    const paths = {
      '/a': { get: { responses: { 200: { $ref: '#/components/responses/None' } } } },
    };
    expect(messagesOf(makeContract({ paths }))).toEqual([
      'The reference #/components/responses/None does not resolve; ' +
        'anything is valid in its place.',
    ]);
  });

  test('through other references too, which may be circular', () => {
    const refer = (to: string): JsonObject => ({
      '/a': { get: { responses: { 200: { $ref: `#/components/responses/${to}` } } } },
    });
    const components = {
      responses: { Shelf: { $ref: '#/components/x-shelf' } },
      'x-shelf': { book: { description: 'Found' } },
    };
    const round = { responses: { Round: { $ref: '#/components/responses/Round/again' } } };
    expect(
      firstOf(makeContract({ paths: refer('Shelf/book'), components })).responses[0]?.description,
    ).toBe('Found');
    expect(messagesOf(makeContract({ paths: refer('Shelf/pen'), components }))).toEqual([
      'The reference #/components/responses/Shelf/pen does not resolve; ' +
        'anything is valid in its place.',
    ]);
    expect(messagesOf(makeContract({ paths: refer('Round/x'), components: round }))).toHaveLength(
      2,
    );
  });

  test('each part is read once', () => {
    const contract = makeContract({
      paths: {
        '/a': {
          get: {
            parameters: [{ name: 'a', in: 'query', schema: {} }],
            responses: { 200: { description: 'Fine' } },
          },
        },
      },
    });
    const operation = firstOf(contract);
    expect(operation.parameters).toBe(operation.parameters);
    expect(operation.responses).toBe(operation.responses);
    expect(contract.resources).toBe(contract.resources);
    expect(contract.gaps).toBe(contract.gaps);
  });
});
