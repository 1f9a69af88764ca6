import { describe, expect, test } from 'vitest';
import { makeRouter } from '../../src/contract/route.ts';
import { makeContract } from './make-contract.ts';

const paths = [
  '/pets',
  '/pets/{id}',
  '/pets/mine',
  '/pets/{id}/toys',
  '/files/{name}.{ending}',
  '/files/{name}',
  '/',
];
const contract = makeContract({
  paths: Object.fromEntries(
    paths.map((path) => [path, { get: { operationId: path, responses: {} } }]),
  ),
});
const router = makeRouter(
  contract.operations.map((operation) => [operation.path, operation] as const),
);

describe('paths are routed to operations', () => {
  test.each<[string, string | undefined, Record<string, string>]>([
    ['/pets', '/pets', {}],
    ['/pets/7', '/pets/{id}', { id: '7' }],
    ['/pets/mine', '/pets/mine', {}],
    ['/pets/mine/toys', '/pets/{id}/toys', { id: 'mine' }],
    ['/files/a.b', '/files/{name}.{ending}', { name: 'a', ending: 'b' }],
    ['/files/a', '/files/{name}', { name: 'a' }],
    ['/', '/', {}],
    ['/pets/', undefined, {}],
    ['/PETS', undefined, {}],
    ['/pets/7/8', undefined, {}],
    ['//pets', undefined, {}],
    ['/__proto__', undefined, {}],
  ])('%s', (path, template, values) => {
    const result = router.route('GET', path.split('/').slice(1));
    expect(result.kind === 'operation' ? result.operation.path : undefined).toBe(template);
    if (result.kind === 'operation') expect(Object.fromEntries(result.path)).toEqual(values);
  });

  test('an escaped slash stays in its segment', () => {
    expect(router.route('GET', ['pets', 'a/b'])).toMatchObject({
      kind: 'operation',
      path: new Map([['id', 'a/b']]),
    });
  });

  test('a known path with another method has the list of its methods', () => {
    expect(router.route('DELETE', ['pets'])).toEqual({ kind: 'wrong-method', allow: ['GET'] });
  });
});

/** A router over paths that stand for themselves. */
function routerOf(...templates: string[]): ReturnType<typeof makeRouter> {
  const members = Object.fromEntries(
    templates.map((path) => [path, { get: { operationId: path, responses: {} } }]),
  );
  return makeRouter(
    makeContract({ paths: members }).operations.map(
      (operation) => [operation.path, operation] as const,
    ),
  );
}

describe('templates of every kind', () => {
  test.each<[string[], string, string | undefined, Record<string, string>]>([
    [['/a/{x}:verb', '/a/{x}'], '/a/7:verb', '/a/{x}:verb', { x: '7' }],
    [['/a/{x}:verb', '/a/{x}'], '/a/7:other', '/a/{x}', { x: '7:other' }],
    [['/a/{x}:verb'], '/a/:verb', undefined, {}],
    [['/a/{x}.{y}'], '/a/b.c.d', '/a/{x}.{y}', { x: 'b.c', y: 'd' }],
    [['/a/{x}.{y}'], '/a/b..', '/a/{x}.{y}', { x: 'b', y: '.' }],
    [['/a/{x}.{y}', '/a/{x}.tar.gz'], '/a/b.c.tar.gz', '/a/{x}.tar.gz', { x: 'b.c' }],
    [['/a/{x}-{y}.{z}'], '/a/1-2-3.4.5', '/a/{x}-{y}.{z}', { x: '1', y: '2-3.4', z: '5' }],
    [['/a/{x}-{y}.{z}'], '/a/1.2-3', undefined, {}],
    [['/a/v{x}.{y}.{z}'], '/a/v1.2.3.4', '/a/v{x}.{y}.{z}', { x: '1.2', y: '3', z: '4' }],
    [['/a/v{x}.{y}'], '/a/v.2', undefined, {}],
    [['/a/{x}.{y}'], '/a/.d', undefined, {}],
    [['/a/{x}.{y}'], '/a/b.', undefined, {}],
    [['/a/{x}{y}'], '/a/bcd', '/a/{x}{y}', { x: 'b', y: 'cd' }],
    [['/a/pre-{x}-{y}-post'], '/a/pre-1-2-post', '/a/pre-{x}-{y}-post', { x: '1', y: '2' }],
    [['/a/{x}', '/a/{y}'], '/a/1', '/a/{x}', { x: '1' }],
    [['/a/{x}/', '/a/{x}'], '/a/1/', '/a/{x}/', { x: '1' }],
    [['/a/', '/a'], '/a', '/a', {}],
    [['/a/{x}/c', '/a/b/{y}'], '/a/b/c', '/a/b/{y}', { y: 'c' }],
    [['/a/{x}/c', '/a/b/d'], '/a/b/c', '/a/{x}/c', { x: 'b' }],
    [['/a/{', '/a/b}'], '/a/{', '/a/{', {}],
    [['/{x}*.(y)'], '/1*.(y)', '/{x}*.(y)', { x: '1' }],
  ])('%j: %s', (templates, path, template, values) => {
    const result = routerOf(...templates).route('GET', path.split('/').slice(1));
    expect(result.kind === 'operation' ? result.operation.path : undefined).toBe(template);
    if (result.kind === 'operation') expect(Object.fromEntries(result.path)).toEqual(values);
  });

  test('a segment of 100,000 characters that does not fit has no route', () => {
    const crowded = routerOf('/{a}-{b}-{c}-{d}-{e}:end');
    expect(crowded.route('GET', ['-'.repeat(100_000)])).toEqual({ kind: 'no-path' });
  });
});

test('a path parameter in the query of a template is read from the query', () => {
  const stores = routerOf('/stores/{id}?since={from}&size=10&page={page}');
  const route = (query: [string, string][]): unknown => stores.route('GET', ['stores', '7'], query);
  expect(
    route([
      ['since', 'May'],
      ['page', '2'],
      ['from', 'x'],
    ]),
  ).toMatchObject({
    path: new Map([
      ['id', '7'],
      ['from', 'May'],
      ['page', '2'],
    ]),
  });
  expect(route([['page', '3']])).toMatchObject({
    path: new Map([
      ['id', '7'],
      ['page', '3'],
    ]),
  });
});

describe('templates with conditions on the query', () => {
  const services = routerOf(
    '/#Action=AddRole',
    '/#Action=DropRole',
    '/{Bucket}/{Key}',
    '/{Bucket}/{Key}#acl',
    '/{Bucket}/{Key}?partNumber={n}&uploadId={id}',
    '/{Bucket}?location',
  );
  test.each<[string, string, [string, string][], string]>([
    ['the value that is asked for', '/', [['Action', 'DropRole']], '/#Action=DropRole'],
    ['no value that is known', '/', [['Action', 'Other']], '/#Action=AddRole'],
    ['a name', '/b/k', [['acl', '']], '/{Bucket}/{Key}#acl'],
    [
      'several names',
      '/b/k',
      [
        ['uploadId', '1'],
        ['partNumber', '2'],
      ],
      '/{Bucket}/{Key}?partNumber={n}&uploadId={id}',
    ],
    ['one of several names', '/b/k', [['uploadId', '1']], '/{Bucket}/{Key}'],
    ['nothing', '/b/k', [], '/{Bucket}/{Key}'],
    ['nothing, where only one is there', '/b', [], '/{Bucket}?location'],
  ])('%s', (_name, path, query, template) => {
    expect(services.route('GET', path.split('/').slice(1), query)).toMatchObject({
      kind: 'operation',
      operation: { path: template },
    });
  });

  test.each<[string, string, [string, string][], string[] | undefined]>([
    ['the one that is asked for', '/', [['Action', 'DropRole']], undefined],
    ['the only one that there is', '/b', [], undefined],
    [
      'one of many, where nothing tells them apart',
      '/',
      [],
      ['/#Action=AddRole', '/#Action=DropRole'],
    ],
    [
      'the one that wants nothing, first',
      '/b/k',
      [],
      ['/{Bucket}/{Key}', '/{Bucket}/{Key}?partNumber={n}&uploadId={id}', '/{Bucket}/{Key}#acl'],
    ],
  ])('whether it is sure: %s', (_name, path, query, expected) => {
    const result = services.route('GET', path.split('/').slice(1), query);
    expect(
      result.kind === 'operation' ? result.rivals?.map(({ operation }) => operation.path) : [],
    ).toEqual(expected);
  });
});

test('the beginning of a path has no route', () => {
  const other = routerOf('/a/b', '/a/{x}/c');
  expect([['a'], ['a', 'z'], ['']].map((segments) => other.route('GET', segments))).toEqual([
    { kind: 'no-path' },
    { kind: 'no-path' },
    { kind: 'no-path' },
  ]);
  expect(other.route('PUT', ['a', 'b'])).toMatchObject({ kind: 'wrong-method' });
});
