import { expect, test } from 'vitest';
import { preparePath } from '../../../src/contract/path-template.ts';

const values = new Map([
  ['id', '7'],
  ['name', 'a/b c'],
  ['empty', ''],
]);

test.each([
  ['/things', '/things'],
  ['/things/{id}', '/things/7'],
  ['/things/{id}/parts/{name}', '/things/7/parts/a%2Fb%20c'],
  ['/things/{id}.{name}.json', '/things/7.a%2Fb%20c.json'],
  ['{id}{id}', '77'],
  ['/things/{empty}/parts', '/things//parts'],
  ['/things/{missing}', undefined],
  ['/things/{id}/{missing}/parts', undefined],
  ['/things/{}/{id}', '/things/{}/7'],
])('the path template %s is filled in as %s', (template, filled) => {
  const fill = preparePath(template);
  // Prepared once, it is used many times.
  for (let time = 0; time < 2; time += 1) expect(fill((name) => values.get(name))).toBe(filled);
});
