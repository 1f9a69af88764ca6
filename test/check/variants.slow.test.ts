import { afterEach, describe, expect, test } from 'vitest';
import { checkTarget } from '../../src/check/engine/check-target.ts';
import { libraryContract } from './fixture/library-contract.ts';
import { openShop, shopContract } from './fixture/shop.ts';
import { openLibrary, type Library, type Variant } from './fixture/library-server.ts';

let library: Library | undefined;
afterEach(() => library?.close());

async function check(variant: Variant | undefined, seed: string) {
  library = await openLibrary(variant === undefined ? {} : { variant });
  return checkTarget({ ...library.target, contract: libraryContract(), seed });
}

describe('a conforming server has no error and no warning', () => {
  const variants: Record<Variant, string> = {
    gzip: 'compresses its answers',
    chunked: 'names no length',
    'closes-connections': 'closes after each answer',
    'charset-parameter': 'writes Application/JSON; charset=utf-8',
    'lower-case-headers': 'writes header names in lower case',
    'extra-fields': 'shows fields that the contract does not name',
    'empty-store': 'has no records to begin with',
    'caps-pages-at-5': 'never gives more than five records at a time',
    'newest-first': 'lists the newest first',
    'random-order': 'lists in any order',
    'sparse-ids': 'gives identifiers that are far apart',
    'default-status-lent': 'has a default of its own',
    'default-status-absent': 'has no default',
    'refuses-with-404': 'answers 404 to bad input',
    'refuses-with-415': 'answers 415 to bad bodies',
    'validates-before-authenticating': 'looks at the body before the credential',
    'looks-up-before-authenticating': 'looks the record up before the credential',
    'limits-titles': 'refuses texts beyond a sensible length',
    'refuses-exotic-titles': 'refuses texts beyond ASCII',
    'refuses-unknown-shelves': 'refuses references to what it does not have',
    'forbids-wrong-keys': 'answers 403 to a wrong key',
    'rate-limited': 'answers every tenth request 429',
    slow: 'takes its time',
    'unique-titles': 'has no two records of one name',
    'empty-filter-is-none': 'takes an empty filter for none',
    'reports-404': 'answers 404 where the contract shows nothing',
    busy: 'serves other clients, who add, change and remove records all the time',
  };

  test.each(Object.entries(variants))('%s: it %s', async (variant) => {
    // The keys of the table are variants, which Object.entries forgets.
    const { summary, findings } = await check(variant as Variant, 'variants');
    expect(
      findings
        .filter(({ severity }) => severity !== 'note')
        .map(({ check: id, message }) => `${id}: ${message}`),
    ).toEqual([]);
    expect(summary.verdict).toBe('passed');
  });

  test('as it is', async () => {
    const { findings } = await check(undefined, 'one');
    expect(findings.filter(({ severity }) => severity !== 'note')).toEqual([]);
  });
});

test(
  'a shop of another kind raises none either: envelope, uuids, PATCH, a key in a header, no ' +
    'examples',
  async () => {
    const shop = openShop();
    const { summary, findings } = await checkTarget({
      ...shop.target,
      contract: shopContract(),
      seed: 'one',
    });
    const left = shop.size();
    expect(
      findings
        .filter(({ severity }) => severity !== 'note')
        .map(({ check: id, message }) => `${id}: ${message}`),
    ).toEqual([]);
    expect(summary.verdict).toBe('passed');
    expect(summary.operations.filter(({ requests }) => requests === 0)).toEqual([]);
    expect(left).toBe(0);
  },
);

test('a server that documents less than it does gets notes that blame the contract', async () => {
  const { findings } = await check(undefined, 'notes');
  expect(
    findings.map(
      ({ severity, blame, check: id, operation }) => `${severity} ${blame} ${id} ${operation.id}`,
    ),
  ).toEqual([
    'note contract status-documented listBooks',
    'note contract status-documented getBook',
    'note contract status-documented deleteBook',
    // The server has no HEAD, and its 401 names no challenge.
    'note server http-semantics listBooks',
    'note server http-semantics listBooks',
    'note server http-semantics getBook',
    'note server http-semantics getReports',
  ]);
});

test('a run is of moderate size, and cleans up after itself', async () => {
  const { summary } = await check(undefined, 'size');
  expect(summary.requests).toBeGreaterThan(150);
  expect(summary.requests).toBeLessThan(450);
  expect(library?.size()).toBe(12);
});
