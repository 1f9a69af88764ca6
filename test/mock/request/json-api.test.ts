import { describe, expect, test } from 'vitest';
import type { HeaderList } from '../../../src/http/message.ts';
import { parseJson } from '../../../src/json/parse-json.ts';
import { judgeJsonApi } from '../../../src/mock/request/json-api.ts';
import { newsroom } from '../../check/fixture/newsroom.ts';

const { contract } = newsroom();

function codeOf(
  method: string,
  path: string,
  request: {
    readonly headers?: HeaderList;
    readonly query?: readonly string[];
    readonly body?: object;
  },
): string | undefined {
  const operation = contract.operations.find((one) => one.method === method && one.path === path);
  if (operation === undefined) throw new Error(`There is no ${method} ${path}.`);
  const { headers = [], query = [], body } = request;
  const reading = parseJson(JSON.stringify(body ?? {}));
  if (!reading.ok) throw new Error('The body is no JSON.');
  return judgeJsonApi({
    operation,
    headers,
    query,
    identifier: path.endsWith('}') ? '7' : undefined,
    body: body && {
      value: reading.value,
      schema: operation.requestBody?.content[0]?.schema,
    },
  })?.code;
}

describe('what JSON:API has refused beyond the schemas', () => {
  const type = 'application/vnd.api+json';

  test.each([
    [`${type}; charset=utf-8`, 'unsupported_media_type'],
    [`${type}; profile="https://example.com/p"`, undefined],
    [type, undefined],
  ])('a body labelled %s: %s', (label, code) => {
    expect(codeOf('POST', '/people', { headers: [['Content-Type', label]] })).toBe(code);
  });

  test.each([
    [`${type}; charset=utf-8`, 'not_acceptable'],
    [`${type}; charset=utf-8, ${type}`, undefined],
    ['*/*', undefined],
  ])('an Accept of %s: %s', (accept, code) => {
    expect(codeOf('GET', '/articles', { headers: [['Accept', accept]] })).toBe(code);
  });

  test('a filter that is not there', () => {
    expect(codeOf('GET', '/articles', { query: ['filter[colour]'] })).toBe('unknown_parameter');
    expect(codeOf('GET', '/articles', { query: ['filter[status]', 'sort'] })).toBeUndefined();
    expect(codeOf('GET', '/people', { query: ['filter[colour]'] })).toBeUndefined();
  });

  test('a parameter of small letters that is not there: such a name is of the standard', () => {
    expect(codeOf('GET', '/articles', { query: ['tree'] })).toBe('unknown_parameter');
    expect(codeOf('GET', '/articles', { query: ['sort', 'page[size]'] })).toBeUndefined();
    expect(codeOf('GET', '/articles', { query: ['ownTree', 'own_tree'] })).toBeUndefined();
  });

  test('a resource object of another type, or of another id than the path', () => {
    const change = (data: object): string | undefined =>
      codeOf('PATCH', '/people/{id}', { body: { data } });
    expect(change({ type: 'people', id: '7' })).toBeUndefined();
    expect(change({ type: 'tags', id: '7' })).toBe('other_type');
    expect(change({ type: 'people', id: '8' })).toBe('other_id');
  });
});
