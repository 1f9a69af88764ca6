import { describe, expect, test } from 'vitest';
import { alarms, findingsOf } from './fixture/inline-service.ts';
import { type PermitDefect, permitsContract, permitsService } from './fixture/permits.ts';

describe('a service in HAL whose links show what a state allows', () => {
  test('has no finding', async () => {
    expect(alarms(await findingsOf(permitsContract(), permitsService()))).toEqual([]);
  });

  test.each<[PermitDefect, RegExp]>([
    ['approves-drafts', /error links-hold approvePermit: The server accepted \(200\)/],
    ['changes-submitted', /links-hold changePermit: The server accepted \(200\)/],
    ['offers-approval', /links-hold approvePermit: The server answered 409 to approvePermit/],
    ['offers-changes', /links-hold changePermit: The server answered 409 to changePermit/],
    ['entry-leads-nowhere', /shown-twice-agrees listPermits: The server answered 404/],
    ['sheet-leads-nowhere', /shown-twice-agrees readSheet: The server answered 404/],
    ['sheet-of-another', /links-hold addSheet: The link permit of a record below permit/],
    ['embeds-others', /links-hold \w+: The record "\d+" embeds one of sheets whose own link/],
    ['embeds-first', /links-hold \w+: The record "\d+" embeds 1 of sheets; its sheetCount/],
    ['sums-first-sheet', /error amounts-agree readPermit: The cost .* is \d+; the sum of price/],
    ['freezes-price', /amounts-agree \w+: The price of a record is \d+; its cost is \d+/],
  ])('is accused of %s', async (defect, expected) => {
    expect(alarms(await findingsOf(permitsContract(), permitsService(defect)))).toContainEqual(
      expect.stringMatching(expected),
    );
  });
});
