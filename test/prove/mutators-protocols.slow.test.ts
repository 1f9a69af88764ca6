import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { depotDocument } from '../check/fixture/depots.ts';
import { inspectedDepots } from '../check/fixture/inspected-depots.ts';
import { magazineDocument } from '../check/fixture/magazine.ts';
import { newsroom } from '../check/fixture/newsroom.ts';
import { linkList, tokenList } from '../check/fixture/paged.ts';
import { shelfDocument } from '../check/fixture/shelf.ts';
import { vanDocument } from '../check/fixture/vans.ts';
import { workshopContract } from '../check/fixture/workshop-service.ts';
import { parseContract } from '../../src/contract/load.ts';
import { mutators } from '../../src/prove/mutators.ts';
import { variants } from '../../src/prove/variants.ts';
import { proof, proveKinds } from './prove-kinds.ts';

const folder = mkdtempSync(join(tmpdir(), 'vouch-protocols-'));
afterAll(() => {
  rmSync(folder, { recursive: true });
});

const { document: news } = newsroom().contract;
const { paths: newsPaths } = news as { readonly paths: Readonly<Record<string, object>> };

/** The newsroom with its articles alone, which have all that the mutations need. */
const articles: object = {
  ...news,
  paths: Object.fromEntries(['/articles', '/articles/{id}'].map((path) => [path, newsPaths[path]])),
};

const proofs: readonly (readonly [string, object, readonly string[]])[] = [
  [
    'depots',
    depotDocument,
    [
      'ignores-mask',
      'makes-trials',
      'names-otherwise',
      'lists-soft-deleted',
      'hides-soft-deleted',
      'restores-live',
      'deletes-again',
      'unmarks-deleted',
      'hides-deleted',
      'forgets-key',
    ],
  ],
  [
    'depots that are inspected',
    inspectedDepots,
    ['promises-for-ever', 'promises-again', 'ends-without-result', 'ends-with-both'],
  ],
  [
    'newsroom',
    articles,
    [
      'takes-media-parameters',
      'ignores-unknown-filter',
      'takes-another-type',
      'takes-another-id',
      'cuts-text',
      'repeats-ids',
      'entry-differs',
    ],
  ],
  ['vans', vanDocument, ['takes-unspecified', 'points-elsewhere']],
  [
    'tokens',
    tokenList().document,
    ['takes-any-token', 'size-zero-is-none', 'reads-another', 'filter-lets-one-through'],
  ],
  ['links', linkList().document, ['bound-zero-is-all', 'ignores-count-option']],
  ['shelf', shelfDocument, ['ignores-flag', 'ignores-kinds', 'ignores-inclusive']],
  [
    'workshop in OData',
    workshopContract('OData').document,
    [
      'order-ignores-descending',
      'sort-forgets-filter',
      'caps-pages',
      'newest-first',
      'random-order',
    ],
  ],
  ['magazine', magazineDocument, ['ignores-projection', 'projects-first']],
];

test.each(proofs)(
  'a check kills the mutations of the protocols of the %s, and accuses no conforming variant',
  proof,
  async (name, document, kinds) => {
    const contract = join(folder, `${name}.json`);
    writeFileSync(contract, JSON.stringify(document));
    const { summary } = await proveKinds(contract, kinds);
    const planted = kinds.filter((kind) => !variants.some(({ id }) => id === kind));
    expect(summary.kinds.planted).toBe(planted.length);
  },
);

test('an entity tag in a body is no field that a service may fail to empty', async () => {
  const contract = parseContract(JSON.stringify(depotDocument), 'depots.json');
  const found = await mutators.find(({ id }) => id === 'keeps-true')?.find(contract);
  expect(found?.map(({ title, hidden }) => [title, hidden])).toEqual([
    [
      'UpdateDepot ignores false, 0 and empty texts',
      'no field of the body may be false, 0 or empty',
    ],
  ]);
});

test('a read that shows what is deleted softly is no mutation, and hiding it is one', async () => {
  const contract = parseContract(JSON.stringify(depotDocument), 'depots.json');
  const places = async (id: string): Promise<readonly (string | undefined)[] | undefined> =>
    (await mutators.find((one) => one.id === id)?.find(contract))?.map((one) => one.operation);
  expect(await places('reads-deleted')).toEqual([]);
  expect(await places('hides-deleted')).toEqual(['GetDepot']);
});
