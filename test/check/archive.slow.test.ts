import { afterEach, describe, expect, test } from 'vitest';
import { type CheckReport, checkTarget } from '../../src/check/engine/check-target.ts';
import { separate } from '../../src/check/engine/judge/evidence.ts';
import type { Mode } from '../../src/check/model/phase.ts';
import {
  type Archive,
  archiveContract,
  type ArchiveDefect,
  startArchive,
} from './fixture/archive.ts';
import { noticeEach } from './fixture/notice-each.ts';

let archive: Archive | undefined;
afterEach(() => archive?.close());

async function check(
  seed: string,
  mode: Mode,
  ...defects: readonly ArchiveDefect[]
): Promise<CheckReport> {
  archive = await startArchive(...defects);
  return checkTarget({
    url: archive.url,
    contract: archiveContract(),
    token: archive.token,
    seed,
    mode,
  });
}

describe('a conforming server with identifiers beyond 2^53 has no finding', () => {
  test.each<[Mode, string]>([
    ['read-write', 'one'],
    ['read-write', 'two'],
    ['read-only', 'one'],
    ['fuzz', 'one'],
  ])('%s, seed %s', async (mode, seed) => {
    const { findings, summary } = await check(seed, mode);
    expect(
      findings
        .filter(({ severity }) => severity !== 'note')
        .map(({ check: id, message }) => `${id}: ${message}`),
    ).toEqual([]);
    expect(summary.verdict).toBe('passed');
  });
});

describe('a server that rounds numbers or loses values fails', () => {
  noticeEach<ArchiveDefect>(
    '%s',
    [
      [
        ['rounds-on-read', /^created-is-readable$/],
        ['rounds-in-filter', /^filter-holds$/],
        ['shows-the-deleted', /^deleted-is-gone$/],
      ],
      [
        ['rounds-in-path', /^item-equals-entry$/],
        ['forgets-replacements', /^replaced-is-persisted$/],
      ],
      [
        ['rounds-on-create', /^created-is-readable$/],
        ['rounds-in-list', /^item-equals-entry$/],
      ],
    ],
    async (defects) => {
      const { findings } = await check('one', 'read-write', ...defects);
      return findings
        .flatMap(separate)
        .filter(({ severity }) => severity === 'error')
        .map((finding) => finding.check);
    },
  );
});
