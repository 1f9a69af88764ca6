import { describe, expect, test } from 'vitest';
import { alarms, findingsOf } from './fixture/inline-service.ts';
import { shelf, type ShelfQuirk } from './fixture/shelf.ts';

async function alarmsOf(quirk?: ShelfQuirk): Promise<string[]> {
  const { contract, service } = shelf(quirk);
  return alarms(await findingsOf(contract, service));
}

describe('a list with flags, kinds and the ends of a span', () => {
  test('raises no alarm if it is sound', async () => {
    expect(await alarmsOf()).toEqual([]);
  });

  test.each<readonly [ShelfQuirk, RegExp]>([
    ['shows what is lent', /error filter-holds .*exclude_lent is true, .*is_lent is true/],
    ['shows what is lent on later pages', /error page-holds .*does not have/],
    ['shows all types', /error filter-holds .*types is plain_book alone.*is_rare is true/],
    ['knows the first type only', /error filter-holds .*with all kinds it is not/],
    ['shows all types by default', /error filter-holds .*types is left out/],
    ['ignores latest', /error filter-holds .*latest.*outside the bound/],
    ['goes below oldest on later pages', /error page-holds /],
    ['always includes the bounds', /error filter-holds .*outside the bound/],
    ['loses the third of its pages', /error page-holds listBooks.*of all types/],
    ['loses the first tag of a later page', /error page-holds listTags.*blue/],
    ['shows no number of pages', /error projection-holds readBook.*no page_count/],
    ['begins with the oldest', /error sort-holds .*order that its description states/],
    ['always has more', /error page-holds .*says that there are more, and names no next/],
    ['never includes the bounds', /error filter-holds .*was to match too/],
  ])('is reported if it %s', async (quirk, expected) => {
    expect(await alarmsOf(quirk)).toContainEqual(expect.stringMatching(expected));
  });
});

test('a list of the tags of a book that does not exist is a warning', async () => {
  const { contract, service } = shelf();
  const findings = await findingsOf(contract, async (request) => {
    const answered = await service(request);
    const isMissing = request.path[2] === 'tags' && answered.status === 404;
    return isMissing ? { status: 200, json: { tags: [], next_cursor: '' } } : answered;
  });
  expect(
    findings.filter(({ severity }) => severity !== 'note').map((one) => [one.severity, one.check]),
  ).toEqual([['warning', 'missing-refused']]);
});
