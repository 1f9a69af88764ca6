import { describe, expect, test } from 'vitest';
import type { RequestTemplate, Source } from '../../../src/check/model/request-template.ts';
import { SharedFieldsCache } from '../../../src/check/request/shared-fields.ts';
import { writeRequest } from '../../../src/check/request/write-request.ts';
import { makeSecrets } from '../../../src/check/secrets/secrets.ts';
import type { HeaderList } from '../../../src/http/message.ts';
import type { JsonValue } from '../../../src/json/value.ts';
import { contractOf } from '../fixture/odd-contract.ts';

const contract = contractOf(`
paths:
  /issues/{number}:
    get:
      operationId: listIssues
      parameters:
        - { name: number, in: path, required: true, schema: { type: integer, maximum: 100 } }
        - { name: labels, in: query, schema: { type: string } }
        - { name: state, in: query, schema: { type: string, enum: [open, closed] } }
        - { name: points, in: query, schema: { type: integer } }
      responses: { '200': { description: all } }`);
const operation = contract.operations[0];

function write(name: string, source: Source, value: JsonValue): string {
  if (operation === undefined) throw new Error('the contract has no operation');
  const parameters = operation.parameters.filter(
    (parameter) => parameter.name === 'number' || parameter.name === name,
  );
  const template = {
    arguments: parameters.map((parameter) => ({
      parameter,
      source: parameter.name === name ? source : ({ kind: 'value', value: 7 } as const),
    })),
    credential: 'given' as const,
  };
  const written = writeRequest(operation, template, {
    baseUrl: 'http://127.0.0.1:1',
    secrets: makeSecrets({}, 'seed'),
    userAgent: 'test',
    resolve: (given) => (given.kind === 'value' ? given.value : value),
  });
  return written.ok ? written.request.target : `unknown: ${written.unknown}`;
}

describe('a value of a record is sent if the parameter accepts it', () => {
  const field: Source = { kind: 'field', resource: 'issues', field: 'labels' };

  test.each<[string, JsonValue, string]>([
    ['labels', 'bug', '/issues/7?labels=bug'],
    ['labels', 5, '/issues/7?labels=5'],
    ['labels', { id: 1, name: 'bug' }, 'unknown: labels'],
    ['state', 'open', '/issues/7?state=open'],
    ['state', 'merged', 'unknown: state'],
    ['points', 3, '/issues/7?points=3'],
    ['points', 'many', 'unknown: points'],
  ])('%s, where it is %j: %s', (name, value, target) => {
    expect(write(name, field, value)).toBe(target);
  });

  test('a planned value is sent unchanged, because it may be invalid on purpose', () => {
    expect(write('state', { kind: 'value', value: 'merged' }, null)).toBe('/issues/7?state=merged');
  });

  test.each<[string, JsonValue, string]>([
    ['state', null, '/issues/7'],
    ['labels', ['a', null, 'b'], '/issues/7?labels=a&labels=b'],
    ['labels', { a: 1, b: null }, '/issues/7?a=1'],
  ])('null is left out of a parameter: %s is %j', (name, value, target) => {
    expect(write(name, { kind: 'value', value }, null)).toBe(target);
  });

  test('an identifier that the path does not accept is not sent', () => {
    expect(write('number', { kind: 'listed', resource: 'issues' }, 101)).toBe('unknown: number');
    expect(write('number', { kind: 'listed', resource: 'issues' }, 100)).toBe('/issues/100');
  });
});

describe('headers of a written request', () => {
  const secured = contractOf(`
security: [{ key: [] }]
paths:
  /notes:
    post:
      operationId: createNote
      parameters:
        - { name: user-agent, in: header, schema: { type: string } }
      requestBody: { content: { application/json: { schema: { type: object } } } }
      responses: { '201': { description: made, content: { application/json: {} } } }
components:
  securitySchemes:
    key: { type: http, scheme: bearer }`);
  const create = secured.operations[0];
  const secrets = makeSecrets({ token: 'a-token-of-theirs', tokenFor: ['key'] }, 'seed');

  function headersOf(
    template: Partial<RequestTemplate>,
    runId: string | undefined = 'vouch-1',
    shared = new SharedFieldsCache(),
  ): HeaderList {
    if (create === undefined) throw new Error('the contract has no operation');
    const written = writeRequest(
      create,
      { arguments: [], credential: 'given', ...template },
      {
        baseUrl: 'http://127.0.0.1:1',
        secrets,
        userAgent: 'test',
        runId,
        shared,
        resolve: () => 'theirs',
      },
    );
    return written.ok ? written.request.headers : [];
  }

  const body = { kind: 'json', mediaType: 'application/json', value: {} } as const;
  const own = [
    ['Accept', 'application/json'],
    ['Accept-Encoding', 'gzip, deflate, br'],
    ['User-Agent', 'test'],
    ['Vouch-Run', 'vouch-1'],
  ];
  const given = ['Authorization', 'Bearer a-token-of-theirs'];

  test('is one list for all requests without other headers', () => {
    expect(headersOf({ body })).toEqual([...own, given, ['Content-Type', 'application/json']]);
    const shared = new SharedFieldsCache();
    const other = { ...body, value: { other: true } };
    expect(headersOf({ body }, 'vouch-1', shared)).toBe(
      headersOf({ body: other }, 'vouch-1', shared),
    );
    expect(headersOf({})).toEqual([...own, given]);
    expect(headersOf({ credential: 'none' })).toEqual(own);
    expect(headersOf({}, 'vouch-2')).toEqual([...own.slice(0, 3), ['Vouch-Run', 'vouch-2'], given]);
    expect(headersOf({})).toEqual([...own, given]);
  });

  test(
    'has what the template adds, and in the place of the run’s own what is ' +
      'given under the same name',
    () => {
      expect(
        headersOf({
          headers: [
            ['accept', 'text/html'],
            ['If-Match', '"1"'],
          ],
        }),
      ).toEqual([...own.slice(1), given, ['accept', 'text/html'], ['If-Match', '"1"']]);
      const [parameter] = create?.parameters ?? [];
      if (parameter === undefined) throw new Error('the operation has no parameter');
      expect(
        headersOf({ body, arguments: [{ parameter, source: { kind: 'text', text: 'theirs' } }] }),
      ).toEqual([
        ...own.filter(([name]) => name !== 'User-Agent'),
        given,
        ['user-agent', 'theirs'],
        ['Content-Type', 'application/json'],
      ]);
    },
  );
});
