import { describe, expect, test } from 'vitest';
import { alarms, findingsOf } from './fixture/inline-service.ts';
import { noticeEach } from './fixture/notice-each.ts';
import { type PermitDefect, permitsContract, permitsService } from './fixture/permits.ts';

async function alarmsOf(defects: readonly PermitDefect[]): Promise<string[]> {
  return alarms(await findingsOf(permitsContract(), permitsService(...defects)));
}

describe('a service in HAL whose links show what a state allows', () => {
  test('has no finding', async () => {
    expect(await alarmsOf([])).toEqual([]);
  });

  noticeEach<PermitDefect>(
    'is accused of %s',
    [
      [
        ['approves-drafts', /error links-hold approvePermit: The server accepted \(200\)/],
        ['entry-leads-nowhere', /shown-twice-agrees listPermits: The server answered 404/],
        ['sheet-of-another', /links-hold addSheet: The link permit of a record below permit/],
        ['embeds-first', /links-hold \w+: The record "\d+" embeds 1 of sheets; its sheetCount/],
        [
          'sums-first-sheet',
          /error amounts-agree readPermit: The cost .* is \d+; the sum of price/,
        ],
        ['freezes-price', /amounts-agree \w+: The price of a record is \d+; its cost is \d+/],
      ],
      [
        ['changes-submitted', /links-hold changePermit: The server accepted \(200\)/],
        ['embeds-others', /links-hold \w+: The record "\d+" embeds one of sheets whose own link/],
      ],
      [['sheet-leads-nowhere', /shown-twice-agrees readSheet: The server answered 404/]],
      [['offers-approval', /links-hold approvePermit: The server answered 409 to approvePermit/]],
      [['offers-changes', /links-hold changePermit: The server answered 409 to changePermit/]],
    ],
    alarmsOf,
  );
});
