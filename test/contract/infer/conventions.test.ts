import { describe, expect, test } from 'vitest';
import {
  pathConventions,
  pathStyles,
  plainPath,
  wholeParameters,
} from '../../../src/contract/infer/conventions/path-styles.ts';
import { verbStyles } from '../../../src/contract/infer/conventions/verb-styles.ts';
import { conventions } from '../../../tools/references/conventions.ts';

describe('every convention', () => {
  test.each(conventions.map((one) => [one.id, one] as const))(
    '%s has a reason and examples',
    (id, one) => {
      expect(id).toMatch(/^[a-z]+\.[a-z-]+$/);
      expect(one.reason).toMatch(/^[A-Z].*\.$/);
      expect(one.examples.length).toBeGreaterThan(0);
    },
  );

  test('has a unique id', () => {
    expect(new Set(conventions.map(({ id }) => id)).size).toBe(conventions.length);
  });
});

describe('path styles', () => {
  test.each(pathStyles.flatMap(({ id, examples }) => examples.map((path) => [path, id] as const)))(
    '%s is written by %s',
    (path, id) => {
      expect(pathConventions(path)).toContain(id);
      expect(plainPath(path)).toMatch(/^(\/([\w-]+|\{[^{}/]+\}))+$/);
    },
  );

  test.each([
    ['/', '/'],
    ['/things', '/things'],
    ['/things/', '/things'],
    ['/things/{id}.json', '/things/{id}'],
    ['/v1.2/things', '/v1.2/things'],
    ['/things/{name}.{version}', '/things/{name}.{version}'],
    ["/Sets('{key}')/Parts({part})", '/Sets/{key}/Parts/{part}'],
    ['/things/{id}:undelete', '/things/{id}/undelete'],
    ['/things:batchGet', '/things:batchGet'],
    ['/things?kind={kind}', '/things?kind={kind}'],
    ['/geo/{lat},{long}', '/geo/{lat},{long}'],
  ])('the plain form of %s is %s, and of that the same', (path, plain) => {
    expect(plainPath(path)).toBe(plain);
    expect(plainPath(plain)).toBe(plain);
  });

  test('a parameter with a suffix or in parentheses fills its segment', () => {
    expect(wholeParameters('/accounts/{Sid}/calls/{CallSid}.json')).toEqual([
      { name: 'Sid', segment: 1 },
      { name: 'CallSid', segment: 3 },
    ]);
    expect(wholeParameters('/Sets({key})')).toEqual([{ name: 'key', segment: 1 }]);
  });
});

describe('verb styles', () => {
  test.each(verbStyles.flatMap((style) => style.examples.map((path) => [path, style] as const)))(
    'of %s',
    (path, style) => {
      expect(style.split(path)).toBeDefined();
    },
  );

  test.each(['/v2/list', '/api/get/{id}', '/things', '/things/{id}', '/newsletters', '/settings'])(
    '%s has no verb',
    (path) => {
      expect(verbStyles.flatMap((style) => style.split(path) ?? [])).toEqual([]);
    },
  );
});
