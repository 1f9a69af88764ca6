import { describe, expect, test } from 'vitest';
import { changedOperations } from '../../../../src/check/engine/choose/changed-operations.ts';
import { parseContract } from '../../../../src/contract/load.ts';
import { libraryText } from '../../fixture/library-contract.ts';

const before = parseContract(libraryText, 'library.yaml');
const all = before.operations.map(({ id }) => id);

function changedBy(from: string, to: string): string[] {
  const text = libraryText.replace(from, to);
  expect(text).not.toBe(libraryText);
  return changedOperations(before, parseContract(text, 'library.yaml'));
}

describe('an operation has changed if something that it references has', () => {
  test.each<[string, string, string, readonly string[]]>([
    ['a parameter of its own', 'maximum: 50', 'maximum: 40', ['listBooks']],
    [
      'a parameter of its path',
      'schema: { type: integer, format: int64 }\n    get',
      'schema: { type: string }\n    get',
      ['getBook', 'replaceBook', 'deleteBook'],
    ],
    [
      'a schema far below',
      '[shelved, lent, lost]',
      '[shelved, lent]',
      ['listBooks', 'createBook', 'getBook', 'replaceBook'],
    ],
    [
      'a shared answer',
      'description: No such book, content: { application/json: {',
      'description: No such book, content: { application/problem+json: {',
      ['getBook', 'replaceBook', 'deleteBook'],
    ],
    [
      'a status',
      "'204': { description: Deleted }",
      "'202': { description: Deleted }",
      ['deleteBook'],
    ],
    [
      'a required header',
      'X-Total:\n              required: true',
      'X-Total:\n              required: false',
      ['listBooks'],
    ],
    ['security of the whole document', 'security: [{ bearer: [] }]', 'security: []', all],
    [
      'the kind of a scheme',
      '{ type: http, scheme: bearer }',
      '{ type: http, scheme: basic }',
      all,
    ],
    ['its own server', 'https://notes.example,', 'https://other.example,', ['sendNote']],
    [
      'a new operation',
      '  /reports:\n',
      '  /more:\n    get: { operationId: getMore, responses: { default: { ' +
        'description: x } } }\n  /reports:\n',
      ['getMore'],
    ],
  ])('%s', (_what, from, to, ids) => {
    expect(changedBy(from, to)).toEqual(ids);
  });
});

describe('an operation has not changed if a client sees no difference', () => {
  test.each<[string, string, string]>([
    ['prose', 'description: A page of books', 'description: Some books'],
    ['the title', 'title: Library', 'title: The library'],
    ['examples of a value', 'code: { type: string }', 'code: { type: string, examples: [full] }'],
    ['the document’s servers', 'https://library.example/v1', 'https://books.example/v2'],
    ['the order of required names', 'required: [title, shelfId]', 'required: [shelfId, title]'],
    [
      'an operation that is gone',
      '  /reports:\n    get:\n      operationId: getReports\n      ' +
        'responses:\n        default: { description: Not shown }\n',
      '',
    ],
    ['its name', 'operationId: getReports', 'operationId: readReports'],
  ])('%s', (_what, from, to) => {
    expect(changedBy(from, to)).toEqual([]);
  });

  test('if only the place of a schema differs', () => {
    const inline = libraryText.replace(
      "schema: { $ref: '#/components/schemas/Status' }",
      'schema: { type: string, enum: [shelved, lent, lost] }',
    );
    const named = libraryText
      .replaceAll('schemas/Error', 'schemas/Fault')
      .replace('    Error:\n', '    Fault:\n');
    expect(changedOperations(before, parseContract(named, 'library.yaml'))).toEqual([]);
    expect(changedOperations(before, parseContract(inline, 'library.yaml'))).toEqual([]);
  });

  test('with a schema that refers to itself', () => {
    const tree = (extra: string): string => `openapi: 3.1.0
info: { title: T, version: '1' }
paths:
  /tree: { get: { operationId: getTree, responses: { '200': { description: ok, content: {
      application/json: { schema: { $ref: '#/components/schemas/Node' } } } } } } }
components: { schemas: { Node: { type: object, properties: { next: {
    $ref: '#/components/schemas/Node' }, leaf: { $ref: '#/components/schemas/Leaf' } } }, Leaf: {
    type: string${extra} } } }
`;
    const plain = parseContract(tree(''), 't.yaml');
    expect(changedOperations(plain, parseContract(tree(''), 't.yaml'))).toEqual([]);
    expect(changedOperations(plain, parseContract(tree(', minLength: 2'), 't.yaml'))).toEqual([
      'getTree',
    ]);
  });
});
