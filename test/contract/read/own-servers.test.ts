import { expect, test } from 'vitest';
import { makeContract } from '../make-contract.ts';

const shared = ['https://a.example/v1', 'https://b.example/v1'];

test('an operation has its own servers, otherwise those of the document', () => {
  const own = [{ url: 'https://mail.example' }];
  const contract = makeContract({
    servers: shared.map((url) => ({ url })),
    paths: { '/a': { get: { responses: {} }, put: { servers: own, responses: {} } } },
  });
  expect(contract.operations.map(({ servers }) => servers.map(({ url }) => url))).toEqual([
    shared,
    ['https://mail.example'],
  ]);
});

test.each<[string, readonly string[], readonly string[], boolean]>([
  ['no servers', shared, [], false],
  ['no servers, where the document has none', [], [], false],
  ['another server', shared, ['https://mail.example'], true],
  ['several others', shared, ['https://mail.example', 'https://post.example'], true],
  ['the first of the document', shared, ['https://a.example/v1'], false],
  ['the second of the document', shared, ['https://b.example/v1'], false],
  [
    'another beside one of the document',
    shared,
    ['https://mail.example', 'https://b.example/v1'],
    false,
  ],
])(
  'an operation that names %s stands on a server of its own, or not',
  (_name, around, own, expected) => {
    const servers = own.map((url) => ({ url }));
    const contract = makeContract({
      servers: around.map((url) => ({ url })),
      paths: { '/a': { get: { ...(own.length === 0 ? {} : { servers }), responses: {} } } },
    });
    expect(contract.operations[0]?.ownServers).toBe(expected);
  },
);
