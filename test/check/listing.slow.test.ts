import { describe, expect, test } from 'vitest';
import type { Finding } from '../../src/check/model/finding.ts';
import { separate } from '../../src/check/engine/judge/evidence.ts';
import { findingsOf } from './fixture/inline-service.ts';
import { listingContract, type ListingForm } from './fixture/listing-contract.ts';
import type { ListingDefect, ListingVariant } from './fixture/listing-quirks.ts';
import { type Listing, type ListingOptions, openListing } from './fixture/listing-server.ts';

/** The errors and warnings about a service of things, and the service as the run left it. */
async function check(
  options: ListingOptions,
  seed: string,
): Promise<Listing & { readonly alarms: readonly Finding[] }> {
  const listing = openListing(options);
  const findings = await findingsOf(listingContract(options), listing.service, {
    seed,
    skip: ['answers-in-time'],
  });
  return { ...listing, alarms: findings.filter(({ severity }) => severity !== 'note') };
}

const inBody: ListingForm = { paging: 'offset', total: 'body' };

describe('a conforming server has no error and no warning', () => {
  const forms: readonly ListingForm[] = [
    inBody,
    { paging: 'page', total: 'header' },
    { paging: 'cursor', total: 'none' },
    { paging: 'link', total: 'none' },
    { paging: 'none', total: 'none' },
  ];

  test.each(forms)('$paging pages, total in $total', async (form) => {
    const { alarms, own } = await check(form, 'forms');
    expect(alarms.map((alarm) => `${alarm.check}: ${alarm.message}`)).toEqual([]);
    expect(own()).toBe(0);
  });

  const variants: Record<ListingVariant, ListingForm['paging']> = {
    busy: 'offset',
    toggling: 'offset',
    'random-order': 'offset',
    'newest-first': 'page',
    'caps-at-5': 'offset',
    'empty-store': 'cursor',
    'slow-replica': 'offset',
    'slow-deletion': 'offset',
    'any-case': 'none',
    'searches-names': 'none',
    'snapshot-cursor': 'cursor',
    'last-page-404': 'page',
    'marks-deleted': 'none',
    'sorts-by-locale': 'none',
    'sets-defaults': 'none',
    'writes-zones': 'none',
    'empty-last-page': 'cursor',
    'polling-cursor': 'cursor',
    'links-in-full': 'link',
    'ties-in-any-order': 'offset',
  };

  // The keys of the table are variants, which Object.entries forgets.
  const runs = Object.entries(variants).map(([variant, paging]) => ({
    variant: variant as ListingVariant,
    paging,
  }));
  test.each(runs)('$variant ($paging pages)', async ({ variant, paging }) => {
    const total = paging === 'none' ? 'none' : 'body';
    const { alarms } = await check({ paging, total, variant }, 'one');
    expect(alarms.map((alarm) => `${alarm.check}: ${alarm.message}`)).toEqual([]);
  });
});

describe('each defect is reported by its check', () => {
  const cursor: ListingForm = { paging: 'cursor', total: 'none' };
  const link: ListingForm = { paging: 'link', total: 'none' };
  // What is refused now and then may be refused again when it is replayed; and what a page should
  // not hold may be more than the total.
  const besides: Partial<Record<ListingDefect, string>> = {
    'refuses-one-in-15': 'error valid-accepted',
    'later-pages-forget-filter': 'error total-holds',
    'sort-forgets-filter': 'error total-holds',
  };
  const forms: Partial<Record<ListingDefect, ListingForm>> = {
    'next-is-itself': cursor,
    'next-is-the-first': cursor,
    'next-never-ends': cursor,
    'next-ends-early': cursor,
    'next-loses-filter': link,
    'next-is-elsewhere': link,
  };
  const table: Record<ListingDefect, readonly string[]> = {
    'ignores-page': ['error page-holds', 'error sort-holds'],
    'overlaps-pages': ['error page-holds', 'error sort-holds'],
    'skips-between-pages': ['error page-holds'],
    'repeats-the-end': ['error page-holds'],
    'total-of-page': ['error total-holds'],
    'total-ignores-filter': ['error total-holds'],
    'total-off-by-one': ['error total-holds'],
    'third-page-overlaps': ['error page-holds', 'error sort-holds'],
    'last-page-lacks-one': ['error page-holds'],
    'later-pages-forget-filter': ['error filter-holds', 'error page-holds'],
    'sort-forgets-filter': ['error filter-holds'],
    'filter-forgets-sort': ['error sort-holds'],
    'later-pages-forget-sort': ['error sort-holds'],
    'sorts-each-page': ['error sort-holds'],
    'total-shrinks': ['error total-holds'],
    'next-is-itself': ['error page-holds', 'error sort-holds'],
    'next-is-the-first': ['error page-holds'],
    'next-never-ends': ['warning page-holds'],
    'next-ends-early': ['error page-holds'],
    'next-loses-filter': ['error page-holds'],
    'next-is-elsewhere': ['warning page-holds'],
    'ignores-sort': ['error sort-holds'],
    'ignores-direction': ['error sort-holds'],
    'sorts-as-text': ['error sort-holds'],
    'cuts-before-sorting': ['error sort-holds'],
    'ignores-status': ['error filter-holds'],
    'ignores-urgent': ['error filter-holds'],
    'ignores-name': ['error filter-holds'],
    'ignores-tags': ['error filter-holds'],
    'ignores-second-filter': ['error filter-holds'],
    'loses-matches': ['error filter-holds'],
    'ignores-minimum': ['error filter-holds'],
    'reverses-before': ['error filter-holds'],
    'ignores-search': ['warning filter-holds'],
    'ignores-limit': ['error limit-holds'],
    'cuts-before-filtering': [
      'error created-is-readable',
      'error filter-holds',
      'error limit-holds',
      'error page-holds',
      'error total-holds',
    ],
    'lists-deleted': ['error deleted-is-gone'],
    'reads-deleted': ['error deleted-is-gone'],
    'update-resets': ['error replaced-is-persisted'],
    'update-is-lost': ['error replaced-is-persisted'],
    'replacement-merges': ['error replaced-is-persisted'],
    'keeps-refused': ['error refusal-is-harmless'],
    'keeps-bare-refused': ['error refusal-is-harmless'],
    'repeats-ids-at-once': ['error ids-are-unique'],
    'fails-one-in-20': ['error no-server-error'],
    'refuses-one-in-15': ['error stable-under-repeat'],
    flickers: ['warning stable-under-repeat'],
    'mangles-unicode': ['error created-is-returned'],
    'trims-names': ['error created-is-returned'],
  };

  // One server has those of a group: other checks report each, so that none is taken for another.
  const together: readonly (readonly ListingDefect[])[] = [
    ['next-loses-filter', 'next-is-elsewhere'],
    [
      'ignores-page',
      'total-of-page',
      'ignores-status',
      'ignores-search',
      'lists-deleted',
      'keeps-refused',
      'mangles-unicode',
    ],
    [
      'overlaps-pages',
      'total-ignores-filter',
      'ignores-urgent',
      'ignores-limit',
      'reads-deleted',
      'update-is-lost',
    ],
    [
      'skips-between-pages',
      'total-off-by-one',
      'filter-forgets-sort',
      'ignores-name',
      'replacement-merges',
      'trims-names',
    ],
    [
      'repeats-the-end',
      'later-pages-forget-sort',
      'total-shrinks',
      'ignores-tags',
      'keeps-bare-refused',
    ],
    ['third-page-overlaps', 'ignores-second-filter'],
    ['last-page-lacks-one', 'sorts-each-page', 'loses-matches'],
    ['ignores-sort', 'ignores-minimum'],
    ['ignores-direction', 'reverses-before'],
    ['sorts-as-text', 'cuts-before-filtering'],
  ];
  const grouped = new Set(together.flat());
  // The keys of the table are defects, which Object.keys forgets.
  const alone = (Object.keys(table) as ListingDefect[]).filter((one) => !grouped.has(one));

  test.each(
    [...together, ...alone.map((defect) => [defect])].map((defects) => ({
      name: defects.join(', '),
      defects,
    })),
  )('$name', async ({ defects }) => {
    const { alarms } = await check(
      { ...(forms[defects[0] ?? 'flickers'] ?? inBody), defects },
      'defects',
    );
    const told = new Set(
      alarms.flatMap(separate).map((alarm) => `${alarm.severity} ${alarm.check}`),
    );
    for (const defect of defects) told.delete(besides[defect] ?? '');
    expect([...told].sort()).toEqual(defects.flatMap((defect) => table[defect]).sort());
  });
});
