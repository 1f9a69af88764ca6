import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';
import { proof, proveKinds } from './prove-kinds.ts';

const proofs: readonly (readonly [string, readonly string[]])[] = [
  [
    'plants.yaml',
    [
      'forgets-last-entry',
      'makes-half',
      'reads-all-but-last',
      'reads-in-other-order',
      'reads-without-missing',
    ],
  ],
  [
    'exports.yaml',
    [
      'never-ends',
      'begins-again',
      'table-without-last',
      'table-repeats-row',
      'table-without-column',
      'table-unquoted',
      'table-unfiltered',
    ],
  ],
  [
    'baskets.yaml',
    [
      'counts-without-last',
      'counts-twice',
      'counts-removed',
      'sums-without-last',
      'forgets-factor',
      'acts-in-any-state',
      'finds-below-any-parent',
      'lists-below-any-parent',
      'keeps-children',
    ],
  ],
  [
    'desks.yaml',
    [
      'locates-former',
      'links-former',
      'links-nowhere',
      'copies-otherwise',
      'damages-file',
      'keeps-first-file',
      'forgets-media-type',
      'takes-any-reference',
    ],
  ],
  ['folders.yaml', ['changes-closed']],
  ['stock.yaml', ['gives-nothing-back', 'gives-back-untaken']],
  ['comments.yaml', ['lists-parts-of-any', 'keeps-own-parts']],
  ['boards.yaml', ['names-first-as-last']],
  ['hal.yaml', ['links-other-parent', 'links-other-than-sent']],
];

test.each(proofs)(
  'a check kills the mutations of relations in %s',
  proof,
  async (document, kinds) => {
    const contract = fileURLToPath(new URL(`./${document}`, import.meta.url));
    const { summary } = await proveKinds(contract, kinds);
    expect(summary.kinds.planted).toBe(kinds.length);
  },
);

test('a check kills the mutation of a list that says what it leaves out', proof, async () => {
  const folder = mkdtempSync(join(tmpdir(), 'vouch-relations-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const comments = readFileSync(new URL('./comments.yaml', import.meta.url), 'utf8');
  const contract = join(folder, 'comments.yaml');
  writeFileSync(contract, comments.replace('All comments,', 'The comments without replies,'));
  const { summary } = await proveKinds(contract, ['lists-parts-among-all']);
  expect(summary.kinds.planted).toBe(1);
});
