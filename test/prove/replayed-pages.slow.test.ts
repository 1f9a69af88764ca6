import { fileURLToPath } from 'node:url';
import { beforeAll, expect, test } from 'vitest';
import { prove } from '../../src/prove/prove.ts';

const kinds = {
  pages: ['last-page-lacks-record', 'last-page-repeats'],
  refusals: ['refuses-maximum-of-body', 'refuses-longest-of-body'],
  missing: ['missing-is-400'],
};

/** The mutations that a proof of all kinds planted, by kind, and those of them that it missed. */
const planted = new Set<string>();
let missed: readonly { readonly mutator: string; readonly title: string }[] = [];

beforeAll(async () => {
  const contract = fileURLToPath(new URL('documents.yaml', import.meta.url));
  for await (const event of prove({
    choice: { contract, config: false },
    settings: { seed: 'bench' },
    kinds: Object.values(kinds).flat(),
    workers: 1,
  })) {
    if (event.type === 'task-done' && event.kind === 'mutation') planted.add(event.result.mutator);
    if (event.type === 'proof-finished') missed = event.summary.survived;
  }
}, 60_000);

test.each([
  ['a replay reads a list to its end, although the run has made it longer', kinds.pages],
  ['what a JSON Patch needs does not excuse refusals of a merge patch', kinds.refusals],
  ['a 400 that quotes a missing UUID is a finding: the contract states that form', kinds.missing],
])('%s', (_title, own) => {
  expect(own.filter((kind) => !planted.has(kind))).toEqual([]);
  expect(missed.filter(({ mutator }) => own.includes(mutator))).toEqual([]);
});
