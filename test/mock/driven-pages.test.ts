import { describe, expect, test } from 'vitest';
import type { HeaderList } from '../../src/http/message.ts';
import type { JsonObject } from '../../src/json/value.ts';
import { linkList } from '../check/fixture/paged.ts';
import { jsonOf, mockOf, send } from './workshop.ts';

/** The identifiers on each page, from a target by its links to the last. */
async function follow(target: string, size?: number): Promise<string[]> {
  const mock = await mockOf({ contract: linkList().contract, seedRecords: 6 });
  const pages: string[] = [];
  for (let next: unknown = target; typeof next === 'string' && pages.length < 9;) {
    const headers: HeaderList =
      size === undefined ? [] : [['Prefer', `odata.maxpagesize=${String(size)}`]];
    const page = jsonOf(await send(mock, `GET ${next}`, { headers })) as JsonObject;
    const records = page['value'] as readonly JsonObject[];
    pages.push(records.map(({ id }) => String(id)).join(' '));
    next = page['@odata.nextLink'];
  }
  return pages;
}

describe('pages that the service decides about (OData)', () => {
  test.each<readonly [string, string, number | undefined, readonly string[]]>([
    ['are one without a preference', '/books', undefined, ['1 2 3 4 5 6']],
    ['have the size that a client prefers', '/books', 4, ['1 2 3 4', '5 6']],
    ['keep the order', '/books?%24orderby=id%20desc', 5, ['6 5 4 3 2', '1']],
    ['are bounded by $top together', '/books?%24top=3', 2, ['1 2', '3']],
    ['begin behind $skip', '/books?%24skip=3', 2, ['4 5', '6']],
    ['keep the filter', '/books?%24filter=id%20gt%202', 3, ['3 4 5', '6']],
  ])('%s', async (_what, target, size, pages) => {
    expect(await follow(target, size)).toEqual(pages);
  });

  test('are not led to by a made-up token', async () => {
    const mock = await mockOf({ contract: linkList().contract, seedRecords: 6 });
    const refused = await send(mock, 'GET /books?%24skiptoken=mine');
    expect([refused.status, jsonOf(refused)]).toEqual([
      400,
      expect.objectContaining({ message: expect.stringContaining('`$skiptoken`') as string }),
    ]);
  });
});
