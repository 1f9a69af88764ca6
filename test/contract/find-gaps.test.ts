import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../src/json/value.ts';
import { jsonContent, makeContract } from './make-contract.ts';

const ok = { 200: { description: 'ok', ...jsonContent({ type: 'object' }) } };
const refused = { 400: { description: 'no', ...jsonContent({ type: 'object' }) } };

/** The gaps of one operation, by kind and identifier. */
function gapsOf(
  operation: JsonObject,
  { method = 'post', ...members }: JsonObject & { readonly method?: string } = {},
): string[] {
  return makeContract({
    ...members,
    paths: { '/a': { [method]: { operationId: 'do', ...operation } } },
  }).gaps.map(({ kind, id }) => `${kind} ${id}`);
}

const asks = (schema: JsonObject): JsonObject => ({
  responses: ok,
  parameters: [{ name: 'q', in: 'query', schema }],
});
const sends = (properties: JsonObject, more: JsonObject = {}): JsonObject => ({
  responses: { ...ok, ...refused },
  requestBody: jsonContent({ type: 'object', properties, ...more }),
});

describe('the gaps of a contract', () => {
  test.each<[string, string[], string[]]>([
    [
      'of a refusal, where it constrains',
      gapsOf(asks({ type: 'integer' })),
      ['refusal-undocumented do.refusal'],
    ],
    [
      'of a refusal, where a text has a pattern',
      gapsOf(asks({ type: 'string', pattern: 'a' })),
      ['refusal-undocumented do.refusal'],
    ],
    [
      'of a refusal of a body',
      gapsOf({ responses: ok, requestBody: jsonContent({ type: 'object' }) }),
      ['refusal-undocumented do.refusal'],
    ],
    ['of nothing, where any text will do', gapsOf(asks({ type: 'string' })), []],
    ['of nothing, where any value will do', gapsOf(asks({})), []],
    [
      'of nothing, where a refusal is named',
      gapsOf({ ...asks({ type: 'integer' }), responses: { ...ok, ...refused } }),
      [],
    ],
    ...['422', '4XX', 'default'].map((status): [string, string[], string[]] => [
      `of nothing, where a refusal is ${status}`,
      gapsOf({
        ...asks({ type: 'integer' }),
        responses: { ...ok, [status]: { description: 'no' } },
      }),
      [],
    ]),
    [
      'of a refusal, where 404 alone is named',
      gapsOf({ ...asks({ type: 'integer' }), responses: { ...ok, 404: { description: 'no' } } }),
      ['refusal-undocumented do.refusal'],
    ],
    [
      'of its success',
      gapsOf({ responses: { '2XX': { description: 'ok', ...jsonContent({ type: 'object' }) } } }),
      ['success-open do.success'],
    ],
    [
      'of what its success holds',
      gapsOf({ responses: { 200: { description: 'ok' } } }),
      ['payload-open do.200.payload'],
    ],
    [
      'of what its media type holds',
      gapsOf({ responses: { 200: { description: 'ok', content: { 'application/json': {} } } } }),
      ['payload-open do.200.payload'],
    ],
    [
      'of nothing, where nothing is held',
      gapsOf({ responses: { 204: { description: 'ok' } } }),
      [],
    ],
    [
      'of both, where it has a default alone',
      gapsOf({ responses: { default: { description: 'any' } } }),
      ['success-open do.success', 'payload-open do.default.payload'],
    ],
    [
      'of the default beside a success, which is told',
      gapsOf({ responses: { ...ok, default: { description: 'any' } } }),
      [],
    ],
    [
      'of those who are not let in',
      gapsOf(
        { responses: ok, security: [{ key: [] }] },
        { components: { securitySchemes: { key: { type: 'http', scheme: 'bearer' } } } },
      ),
      ['unauthorised-undocumented do.unauthorised'],
    ],
    [
      'of nothing, where a credential is optional',
      gapsOf(
        { responses: ok, security: [{ key: [] }, {}] },
        { components: { securitySchemes: { key: { type: 'http', scheme: 'bearer' } } } },
      ),
      [],
    ],
    [
      'of what is left out, and of how long a text may be',
      gapsOf(sends({ name: { type: 'string' } })),
      ['default-unknown do.body.name.default', 'text-unbounded do.body.name.length'],
    ],
    [
      'of nothing, where a field is required',
      gapsOf(sends({ size: { type: 'integer' } }, { required: ['size'] })),
      [],
    ],
    [
      'of nothing, where a field has a default',
      gapsOf(sends({ size: { type: 'integer', default: 1 } })),
      [],
    ],
    [
      'of nothing, where a field is the server’s',
      gapsOf(sends({ name: { type: 'string', readOnly: true } })),
      [],
    ],
    [
      'of nothing, where a body takes the entity tag that its answer shows (AIP-154)',
      gapsOf({
        ...sends({ etag: { type: 'string' } }),
        responses: {
          ...refused,
          200: {
            description: 'ok',
            ...jsonContent({ type: 'object', properties: { etag: { type: 'string' } } }),
          },
        },
      }),
      [],
    ],
    [
      'of nothing, where a change leaves out what it keeps',
      gapsOf(sends({ size: { type: 'integer' } }), { method: 'patch' }),
      [],
    ],
    ...['maxLength', 'pattern', 'format', 'enum', 'const'].map(
      (keyword): [string, string[], string[]] => [
        `of nothing, where a text has ${keyword}`,
        gapsOf(
          sends(
            { name: { type: 'string', [keyword]: { maxLength: 3, enum: ['a'] }[keyword] ?? 'a' } },
            { required: ['name'] },
          ),
        ),
        [],
      ],
    ),
  ])('%s', (_name, found, expected) => {
    expect(found).toEqual(expected);
  });

  test.each<[string, string[]]>([
    ['limit', ['paging-unknown list.paging']],
    ['page_number', []],
    ['page[number]', []],
    ['startingAfter', []],
    ['next', []],
    ['nextOne', ['paging-unknown list.paging']],
    ['limit offset', []],
  ])('of further pages, where a list has the parameters %s', (names, expected) => {
    const thing = { type: 'object', required: ['id'], properties: { id: { type: 'integer' } } };
    const typeOf = (name: string): string =>
      /limit|number|offset/.test(name) ? 'integer' : 'string';
    const answer = (schema: JsonObject): JsonObject => ({
      responses: { 200: { description: 'ok', ...jsonContent(schema) } },
    });
    const { gaps } = makeContract({
      paths: {
        '/things': {
          get: {
            operationId: 'list',
            parameters: names
              .split(' ')
              .map((name) => ({ name, in: 'query', schema: { type: typeOf(name) } })),
            ...answer({ type: 'array', items: thing }),
          },
        },
        '/things/{id}': {
          get: {
            operationId: 'read',
            parameters: [{ name: 'id', in: 'path', required: true, schema: { type: 'integer' } }],
            ...answer(thing),
          },
        },
      },
    });
    const open = gaps.filter(({ kind }) => kind === 'paging-unknown');
    expect(open.map(({ kind, id }) => `${kind} ${id}`)).toEqual(expected);
  });
});
