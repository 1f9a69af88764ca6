import { describe, expect, test } from 'vitest';
import { alarms, findingsOf } from './fixture/inline-service.ts';
import { linkList, numberedList, type PagedQuirk, tokenList } from './fixture/paged.ts';

const styles = { 'AIP-158': tokenList, OData: linkList, 'JSON:API': numberedList };

async function alarmsOf(style: keyof typeof styles, quirk?: PagedQuirk): Promise<string[]> {
  const { contract, service } = styles[style](quirk);
  return alarms(await findingsOf(contract, service));
}

describe('a list that leads from page to page', () => {
  test.each<keyof typeof styles>(['AIP-158', 'OData', 'JSON:API'])(
    'raises no alarm if it keeps %s',
    async (style) => {
      expect(await alarmsOf(style)).toEqual([]);
    },
  );

  test.each<readonly [keyof typeof styles, PagedQuirk, RegExp]>([
    ['AIP-158', 'takes any token', /error token-holds .*accepted.* is a token that no list gave/],
    ['AIP-158', 'takes the token of another filter', /warning token-holds .*list without kind/],
    ['AIP-158', 'shows nothing for a size of 0', /error token-holds .*page_size is 0.*0 records/],
    ['AIP-158', 'leads behind the last page', /error page-holds .*leads on/],
    ['OData', 'takes any token', /error token-holds .*accepted.* is a token that no list gave/],
    ['OData', 'leads behind the last page', /error page-holds .*leads on/],
    ['OData', 'names no next page', /error page-holds .*names no next page/],
    ['OData', 'begins again', /error page-holds .*a page before it has shown/],
    ['OData', 'overlaps', /error page-holds .*a page before it has shown/],
    ['OData', 'forgets the filter', /error page-holds .*the list without pages does not have/],
    ['OData', 'forgets the bound', /error page-holds .*the list without pages does not have/],
    ['OData', 'forgets the fields', /error page-holds .*which nobody asked for/],
    ['OData', 'shows removed records on later pages', /error page-holds .*does not have/],
    ['OData', 'shows all for a bound of 0', /error token-holds .*\$top is 0/],
    ['OData', 'counts the page', /error total-holds/],
    ['OData', 'counts what the filter leaves out', /error total-holds/],
    ['OData', 'shows no count', /error total-holds .*shows no number/],
    ['OData', 'counts all below the path', /error total-holds countBooks/],
    ['JSON:API', 'leads behind the last page', /error page-holds .*leads on/],
    ['JSON:API', 'links to the first page as the last', /error page-holds .*link to the last page/],
  ])('by %s is reported if it %s', async (style, quirk, expected) => {
    expect(await alarmsOf(style, quirk)).toContainEqual(expect.stringMatching(expected));
  });
});
