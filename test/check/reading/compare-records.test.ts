import { describe, expect, test } from 'vitest';
import { compareRecords } from '../../../src/check/reading/compare-records.ts';
import { parseContract } from '../../../src/contract/load.ts';
import { parseJson } from '../../../src/json/parse-json.ts';
import type { JsonObject } from '../../../src/json/value.ts';

describe('records are compared by value and format', () => {
  const text = `openapi: 3.1.0
info: { title: T, version: '1' }
paths:
  /things:
    post:
      operationId: create
      requestBody:
        content:
          application/json:
            schema:
              type: object
              properties:
                big: { type: integer, format: int64 }
                share: { type: number }
                deep: { type: object, properties: { bigs: { type: array, items: { type: integer,
                    format: int64 } } } }
                text: { type: string }
                mail: { type: string, format: email }
                at: { type: string, format: date-time }
                tags: { type: array, items: { type: string } }
                inner: { type: object, additionalProperties: true }
                password: { type: string, writeOnly: true }
                made: { type: string, readOnly: true }
                kind: { type: string, enum: [a, b] }
      responses: { '201': { description: ok } }
`;
  const schema = parseContract(text, 't.yaml').operations[0]?.requestBody?.content[0]?.schema;

  function differing(
    expected: JsonObject,
    got: JsonObject,
    absent: 'fine' | 'different' = 'fine',
  ): string[] {
    if (schema === undefined) throw new Error('The contract of the test has no schema.');
    return compareRecords(expected, got, { schema, absent, except: ['id'] }).map(
      ({ field }) => field,
    );
  }

  test.each([
    ['the same integer', { big: 9007199254740993n }, { big: 9007199254740993n }],
    [
      'an integer beyond a double where none is promised',
      { share: 9007199254740993n },
      { share: 9007199254740992n },
    ],
    ['a fraction in 32 bits', { share: 0.1 }, { share: 0.10000000149011612 }],
    ['blanks around a text', { text: ' a ' }, { text: 'a' }],
    ['another Unicode form', { text: 'e\u0301' }, { text: '\u00e9' }],
    ['an address in small letters', { mail: 'Robin@Example.com' }, { mail: 'robin@example.com' }],
    ['the same moment', { at: '2024-01-01T10:00:00+01:00' }, { at: '2024-01-01T09:00:00Z' }],
    ['a list in another order', { tags: ['a', 'b'] }, { tags: ['b', 'a'] }],
    ['more inside an object', { inner: { a: 1 } }, { inner: { a: 1, b: 2 } }],
    ['a password that is not shown', { password: 'x' }, { password: '***' }],
    ['what the server sets', { made: 'x' }, { made: 'y' }],
    ['a field that is left out', { text: 'a' }, {}],
    ['null for nothing', { text: null }, {}],
    ['what the contract does not know', { other: 1 }, { other: 2 }],
    ['the identifier', { id: 1 }, { id: 2 }],
    ['what is no such field at all', { kind: 'a' }, { kind: 'c' }],
  ] as const)('%s is no difference', (_name, expected, got) => {
    expect(differing(expected, got)).toEqual([]);
  });

  test.each([
    ['a rounded integer', { big: 9007199254740993n }, { big: 9007199254740992n }, ['big']],
    [
      'a rounded integer further down',
      { deep: { bigs: [9007199254740993n] } },
      { deep: { bigs: [9007199254740992n] } },
      ['deep'],
    ],
    ['another fraction', { share: 0.1 }, { share: 0.2 }, ['share']],
    ['another text', { text: 'é' }, { text: '?' }, ['text']],
    ['another case', { text: 'A' }, { text: 'a' }, ['text']],
    ['another moment', { at: '2024-01-01T10:00:00Z' }, { at: '2024-01-01T11:00:00Z' }, ['at']],
    ['a shorter list', { tags: ['a', 'b'] }, { tags: ['a'] }, ['tags']],
    ['less inside an object', { inner: { a: 1 } }, { inner: {} }, ['inner']],
    ['another enum value', { kind: 'a' }, { kind: 'b' }, ['kind']],
  ] as const)('%s is a difference', (_name, expected, got, fields) => {
    expect(differing(expected, got)).toEqual(fields);
  });

  test.each<[string, JsonObject, JsonObject, string]>([
    ['another case', { text: 'Robin B' }, { text: 'robin b' }, 'rewritten'],
    ['fewer blanks', { text: 'a  b' }, { text: 'a b' }, 'rewritten'],
    ['fewer decimals', { share: 0.123 }, { share: 0.12 }, 'rewritten'],
    ['the day of a moment', { text: '2024-01-01' }, { text: '2024-01-01T00:00:00Z' }, 'rewritten'],
    ['another number', { share: 3 }, { share: 3.001 }, 'other'],
    ['another moment of a day', { text: '2024-01-01' }, { text: '2024-01-01T10:00:00Z' }, 'other'],
    ['other letters', { text: 'é' }, { text: 'e' }, 'other'],
    ['blanks at the ends, which were asked about', { text: ' a ' }, { text: 'a' }, 'trimmed'],
    ['a blank at one end alone', { text: ' a ' }, { text: 'a ' }, 'none'],
    ['a text for a list', { tags: ['a'] }, { tags: 'a' }, 'none'],
    ['no blanks at all', { text: 'a' }, { text: 'a' }, 'none'],
    ['a number, whatever blanks there are', { share: 1 }, { share: 2 }, 'other'],
  ])('a difference is described: %s', (_name, wanted, got, expected) => {
    if (schema === undefined) throw new Error('The contract of the test has no schema.');
    const found = compareRecords(wanted, got, {
      schema,
      absent: 'fine',
      except: [],
      blanks: 'compared',
    });
    expect(
      found.map(({ rewritten, trimmed }) =>
        trimmed === true ? 'trimmed' : rewritten === true ? 'rewritten' : 'other',
      ),
    ).toEqual(expected === 'none' ? [] : [expected]);
  });

  test('an omitted field is a difference if it must be shown', () => {
    expect(differing({ text: 'a', kind: 'a' }, { kind: 'a' }, 'different')).toEqual(['text']);
  });
});

describe('numbers are compared by value, not by notation', () => {
  const thing = parseContract(
    "openapi: 3.1.0\ninfo: { title: T, version: '1' }\npaths: { /t: { post: " +
      '{ requestBody: { content: { application/json: { schema: { type: object, ' +
      "properties: { n: { type: number } } } } } }, responses: { '201': { " +
      'description: ok } } } } }',
    't.yaml',
  ).operations[0]?.requestBody?.content[0]?.schema;

  test.each([
    ['1e2', '100', []],
    ['-0', '0', []],
    ['1.0', '1', []],
    ['1.5e3', '1500.00', []],
    ['0.1234567890123456789', '0.12345678901234568', []],
    ['0.1234567890123456789', '0.1235', ['n']],
    // A `number` is as exact as a double; an integer is compared digit for digit.
    ['12345678901234567890', '12345678901234567000', []],
  ])('%s came back as %s', (sent, shown, expected) => {
    const [wanted, got] = [sent, shown].map((number) => parseJson(`{"n":${number}}`));
    if (thing === undefined || wanted?.ok !== true || got?.ok !== true)
      throw new Error('the test cannot be read');
    expect(
      compareRecords(wanted.value as JsonObject, got.value as JsonObject, {
        schema: thing,
        absent: 'fine',
        except: [],
      }).map(({ field }) => field),
    ).toEqual(expected);
  });
});

describe('records with several forms are compared in the form of the expected one', () => {
  const text = `openapi: 3.1.0
info: { title: T, version: '1' }
paths:
  /readings:
    post:
      requestBody: { content: { application/json: { schema: { oneOf: [{
          $ref: '#/components/schemas/Wind' }, { $ref: '#/components/schemas/Rain' }] } } } }
      responses: { '201': { description: ok } }
components:
  schemas:
    Wind: { type: object, required: [kind, speed], properties: { kind: { const: wind }, speed: {
        type: number }, takenAt: { type: string, format: date-time } } }
    Rain: { type: object, required: [kind, depth], properties: { kind: { const: rain }, depth: {
        type: number }, takenAt: { type: string, format: date-time } } }
`;
  const schema = parseContract(text, 't.yaml').operations[0]?.requestBody?.content[0]?.schema;

  test.each<[string, JsonObject, JsonObject, readonly string[]]>([
    ['the same', { kind: 'rain', depth: 3 }, { id: 1, kind: 'rain', depth: 3 }, []],
    ['another value', { kind: 'rain', depth: 3 }, { kind: 'rain', depth: 4 }, ['depth']],
    ['another form', { kind: 'rain', depth: 3 }, { kind: 'wind', speed: 3 }, ['kind']],
    [
      'the same moment',
      { kind: 'wind', speed: 3, takenAt: '2024-01-01T00:00:00Z' },
      { kind: 'wind', speed: 3, takenAt: '2024-01-01T02:00:00+02:00' },
      [],
    ],
    [
      'no form at all, which is found elsewhere',
      { kind: 'rain', depth: 3 },
      { kind: 'snow', depth: 4 },
      [],
    ],
  ])('%s', (_name, expected, got, fields) => {
    if (schema === undefined) throw new Error('The contract of the test has no schema.');
    expect(
      compareRecords(expected, got, { schema, absent: 'fine', except: ['id'] }).map(
        ({ field }) => field,
      ),
    ).toEqual(fields);
  });
});

describe('a field that the response alone calls read-only', () => {
  const contractOf = (shown: string): string => `openapi: 3.1.0
info: { title: T, version: '1' }
paths:
  /things:
    post:
      operationId: create
      requestBody: { content: { application/json: { schema: { type: object, properties: {
        owner: { type: integer }, text: { type: string } } } } } }
      responses: { '201': { description: ok, content: { application/json: { schema: { type: object,
        properties: { ${shown} } } } } } }
`;
  const differing = (shown: string): string[] => {
    const [operation] = parseContract(contractOf(shown), 't.yaml').operations;
    const schema = operation?.requestBody?.content[0]?.schema;
    const response = operation?.responses[0]?.content[0]?.schema;
    if (schema === undefined || response === undefined) throw new Error('There is no schema.');
    const given = { schema, shown: [response], absent: 'fine', except: [] } as const;
    return compareRecords({ owner: 5, text: 'a' }, { owner: 6, text: 'b' }, given).map(
      ({ field }) => field,
    );
  };

  test('is set by the service', () => {
    expect(differing('owner: { type: integer, readOnly: true }, text: { type: string }')).toEqual([
      'text',
    ]);
  });

  test('is compared where the response calls every field read-only', () => {
    expect(
      differing('owner: { type: integer, readOnly: true }, text: { type: string, readOnly: true }'),
    ).toEqual(['owner', 'text']);
  });
});
