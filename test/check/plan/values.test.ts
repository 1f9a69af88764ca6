import { describe, expect, test } from 'vitest';
import { planCheck } from '../../../src/check/engine/check-target.ts';
import { parseContract } from '../../../src/contract/load.ts';

const url = 'http://127.0.0.1:4010';

/**
 * The titles of everything that is planned for one operation whose body is an object with a member
 * `field`.
 */
function bodyTitles(schema: string, required = true): string {
  return titles(
    `{ type: object, ${required ? 'required: [field], ' : ''}properties: { field: ${schema} } }`,
  );
}

function titles(schema: string): string {
  const text = `openapi: 3.1.0
info: { title: T, version: '1' }
paths:
  /things: { post: { operationId: send, requestBody: { required: true, content: {
      application/json: { schema: ${schema} } } }, responses: { '204': { description: ok } } } }
`;
  return planned(text);
}

function planned(text: string): string {
  return planCheck({ url, contract: parseContract(text, 't.yaml'), seed: 'a', mode: 'read-write' })
    .requests.filter(({ phase }) => phase === 'boundary' || phase === 'negative')
    .map(({ title }) => title)
    .join('\n');
}

describe('each class of values in bodies is planned if the schema allows it', () => {
  const classes: readonly (readonly [name: string, schema: string, titles: readonly string[]])[] = [
    [
      'each enum value',
      '{ type: string, enum: [a, b, c] }',
      [
        'field is "a"',
        'field is "b"',
        'field is "c"',
        'field is "unlisted", not one of "a", "b", "c"',
        'field is "A", not one of "a", "b", "c"',
      ],
    ],
    [
      'bounds of numbers, inside and just outside',
      '{ type: integer, minimum: 3, maximum: 9 }',
      [
        'field is 3, the minimum',
        'field is 4, one inside the minimum',
        'field is 9, the maximum',
        'field is 8, one inside the maximum',
        'field is 2, below the minimum of 3',
        'field is 10, above the maximum of 9',
      ],
    ],
    [
      'exclusive bounds',
      '{ type: integer, exclusiveMinimum: 3, exclusiveMaximum: 9 }',
      ['field is 4', 'field is 8', 'field is 3', 'field is 9'],
    ],
    ['multiples', '{ type: number, multipleOf: 0.5 }', ['not a multiple of 0.5']],
    [
      'lengths, inside and just outside',
      '{ type: string, minLength: 3, maxLength: 9 }',
      [
        'field has 3 characters, the fewest',
        'field has 4 characters',
        'field has 9 characters, the most',
        'field has 8 characters',
        'field has 2 characters',
        'field has 10 characters',
      ],
    ],
    [
      'the edges of int32',
      '{ type: integer, format: int32 }',
      ['2147483647', '-2147483648', '2147483648', '-2147483649'],
    ],
    [
      'the edges of int64, and 2^53+1',
      '{ type: integer, format: int64 }',
      ['9223372036854775807', '-9223372036854775808', '9223372036854775808', '9007199254740993'],
    ],
    [
      'Unicode',
      '{ type: string }',
      [
        'letters of two bytes',
        'letters of three bytes',
        'characters of four bytes',
        'combining marks',
        'from right to left',
        'field is empty',
        '10,000 characters',
      ],
    ],
    [
      'dates on edges',
      '{ type: string, format: date }',
      ['2024-02-29', 'another way to write date'],
    ],
    [
      'moments on edges',
      '{ type: string, format: date-time }',
      ['another way to write date-time', 'field is "'],
    ],
    ['null where it is allowed', '{ type: [string, "null"] }', ['field is null, of type null']],
    ['null where it is not', '{ type: string }', ['field is null']],
    ['missing', '{ type: string }', ['field is missing']],
    [
      'each branch of oneOf',
      '{ oneOf: [{ type: string }, { type: integer }] }',
      ['of branch 2 of oneOf'],
    ],
    [
      'each branch of anyOf',
      '{ anyOf: [{ type: boolean }, { type: integer, minimum: 5 }] }',
      ['of branch 2 of anyOf'],
    ],
    [
      'array sizes',
      '{ type: array, minItems: 1, maxItems: 3, items: { type: string } }',
      ['field has 1 item', 'field has 3 items', 'field has 0 items', 'field has 4 items'],
    ],
    [
      'items that are not unique',
      '{ type: array, uniqueItems: true, items: { type: integer } }',
      ['field has the same item twice'],
    ],
    ['a broken pattern', "{ type: string, pattern: '^[A-Z]{3}$' }", ['does not match']],
    ['a broken format', '{ type: string, format: email }', ['not a valid email']],
    [
      'wrong types',
      '{ type: integer }',
      [
        'field is "abc", not an integer',
        'field is true, not an integer',
        'field is {}, not an integer',
      ],
    ],
    ['both booleans', '{ type: boolean }', ['field is true', 'field is false']],
    [
      'members that the contract does not name, where it is closed',
      '{ type: object, additionalProperties: false, properties: { a: { type: integer } } }',
      ['field.unexpected is given, which the contract does not name'],
    ],
    [
      'values of a member of a member',
      '{ type: object, required: [inner], properties: { inner: { type: object, ' +
        'required: [deep], properties: { deep: { type: integer, minimum: 5 } } } ' +
        '} }',
      [
        'field.inner.deep is 5, the minimum',
        'field.inner.deep is 4, below the minimum of 5',
        'field.inner.deep is missing',
      ],
    ],
    [
      'values of an item',
      '{ type: array, items: { type: object, required: [n], properties: { n: { ' +
        'type: integer, maximum: 5 } } } }',
      ['field[0].n is 5, the maximum', 'field[0].n is 6, above the maximum of 5'],
    ],
  ];
  test.each(classes)('%s', (_name, schema, expected) => {
    const all = bodyTitles(schema);
    expect(expected.filter((title) => !all.includes(title))).toEqual([]);
  });

  test('branches with a discriminator', () => {
    const text = `openapi: 3.1.0
info: { title: T, version: '1' }
paths:
  /things: { post: { operationId: send, requestBody: { required: true, content: {
      application/json: { schema: { oneOf: [{ $ref: '#/components/schemas/Cat' }, {
      $ref: '#/components/schemas/Dog' }], discriminator: { propertyName: kind } } } } },
      responses: { '204': { description: ok } } } }
components:
  schemas:
    Cat: { type: object, required: [kind, lives], properties: { kind: { type: string, const: Cat },
        lives: { type: integer } } }
    Dog: { type: object, required: [kind, tricks], properties: { kind: { type: string, const: Dog },
        tricks: { type: array, items: { type: string } } } }
`;
    const bodies = planCheck({
      url,
      contract: parseContract(text, 't.yaml'),
      seed: 'a',
      mode: 'read-write',
    })
      .requests.filter(({ phase }) => phase === 'boundary')
      .map(({ body = '' }) => body);
    expect(bodies.some((body) => body.includes('"Cat"') && body.includes('lives'))).toBe(true);
    expect(bodies.some((body) => body.includes('"Dog"') && body.includes('tricks'))).toBe(true);
  });

  test('required members alone, and all; write-only members, and no read-only ones', () => {
    const text = `openapi: 3.1.0
info: { title: T, version: '1' }
paths:
  /things: { post: { operationId: send, requestBody: { required: true, content: {
      application/json: { schema: { type: object, required: [name, id], properties: { id: {
      type: integer, readOnly: true }, name: { type: string }, note: { type: string }, secret: {
      type: string, writeOnly: true } } }, example: { id: 5, name: Robin } } } }, responses: {
      '204': { description: ok } } } }
`;
    const requests = planCheck({
      url,
      contract: parseContract(text, 't.yaml'),
      seed: 'a',
      mode: 'read-write',
    }).requests.filter(({ phase }) => phase === 'boundary');
    const membersOf = (title: string): string[] =>
      Object.keys(
        JSON.parse(requests.find((request) => request.title === title)?.body ?? '{}') as object,
      );
    expect(membersOf('the body has required members only')).toEqual(['name']);
    expect(membersOf('the body has every optional member')).toEqual(['name', 'note', 'secret']);
    expect(
      requests.filter(({ body }) => body?.includes('"id"') === true).map(({ title }) => title),
    ).toEqual([]);
  });
});

describe('each class of values in parameters of every style is planned if allowed', () => {
  const parameter = (place: string): string =>
    planned(`openapi: 3.1.0
info: { title: T, version: '1' }
paths:
  /things: { get: { operationId: ask, parameters: [{ name: p, ${place} }], responses: { '204': {
      description: ok } } } }
`);
  test.each([
    [
      'a bounded number',
      'in: query, schema: { type: integer, minimum: 3, maximum: 9 }',
      [
        'p is 3, the minimum',
        'p is 4',
        'p is 9, the maximum',
        'p is 8',
        'p is 2, below',
        'p is 10, above',
        'p is "abc"',
        'p is "1.5"',
        'p is empty',
        'p is given twice',
        'p is %zz',
      ],
    ],
    ['a required one', 'in: query, required: true, schema: { type: integer }', ['p is missing']],
    [
      'a list with commas',
      'in: query, explode: false, schema: { type: array, maxItems: 2, uniqueItems: true, ' +
        'items: { type: string, enum: [a, b, c] } }',
      ['p has 2 items', 'p has 3 items', 'p has the same item twice', 'p is "unlisted"'],
    ],
    [
      'a list of repeated names',
      'in: query, schema: { type: array, minItems: 2, items: { type: integer, minimum: 5 } }',
      ['p has 1 item', 'p[0] is 5, the minimum'],
    ],
    [
      'an object of brackets',
      'in: query, style: deepObject, schema: { type: object, required: [x], ' +
        'additionalProperties: false, properties: { x: { type: integer, minimum: 5 }, y: { ' +
        'type: string } } }',
      ['p.x is 5, the minimum', 'p.x is 4, below', 'p.x is missing', 'p.unexpected is given'],
    ],
    [
      'a header',
      'in: header, schema: { type: integer, maximum: 5 }',
      ['p is 5, the maximum', 'p is 6, above'],
    ],
    [
      'a cookie',
      'in: cookie, schema: { type: boolean }',
      ['p is true', 'p is false', 'p is "maybe"'],
    ],
    [
      'a text',
      'in: query, schema: { type: string, maxLength: 12 }',
      ['p has 12 characters, the most', 'p has 13 characters'],
    ],
  ] as const)('%s', (_name, place, expected) => {
    const all = parameter(place);
    expect(expected.filter((title) => !all.includes(title))).toEqual([]);
  });

  test('an example with an identifier beyond 2^53', () => {
    const text = `openapi: 3.1.0
info: { title: T, version: '1' }
paths:
  /things: { get: { operationId: list, responses: { '200': { description: ok, content: {
      application/json: { schema: { type: array, items: {
      $ref: '#/components/schemas/Thing' } } } } } } } }
  /things/{id}: { get: { operationId: read, parameters: [{ name: id, in: path, required: true,
      schema: { type: integer, format: int64 }, example: 9007199254740993 }], responses: { '200': {
      description: ok, content: { application/json: { schema: {
      $ref: '#/components/schemas/Thing' } } } } } } }
components: { schemas: { Thing: { type: object, required: [id], properties: { id: { type: integer,
    format: int64 } } } } }
`;
    const requests = planCheck({
      url,
      contract: parseContract(text, 't.yaml'),
      seed: 'a',
      mode: 'read-only',
    }).requests.filter(({ operation }) => operation.id === 'read');
    expect(requests.length).toBeGreaterThan(5);
  });

  test('a path segment with listed values', () => {
    const all = planned(`openapi: 3.1.0
info: { title: T, version: '1' }
paths:
  /regions/{region}/report: { get: { operationId: getReport, parameters: [{ name: region, in: path,
      required: true, schema: { type: string, enum: [north, south] } }], responses: { '204': {
      description: ok } } } }
`);
    expect(all).toContain('region is "south"');
    expect(all).toContain('region is "unlisted"');
  });
});
