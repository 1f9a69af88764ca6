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

let archive: Archive | undefined;
afterEach(() => archive?.close());

async function check(seed: string, mode: Mode, defect?: ArchiveDefect): Promise<CheckReport> {
  archive = await startArchive(defect);
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
    ['read-write', 'three'],
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
  test.each<[ArchiveDefect, string]>([
    ['rounds-on-create', 'created-is-readable'],
    ['rounds-on-read', 'created-is-readable'],
    ['rounds-in-list', 'item-equals-entry'],
    ['rounds-in-filter', 'filter-holds'],
    ['rounds-in-path', 'item-equals-entry'],
    ['forgets-replacements', 'replaced-is-persisted'],
    ['shows-the-deleted', 'deleted-is-gone'],
  ])('%s by %s', async (defect, id) => {
    const { findings } = await check('one', 'read-write', defect);
    expect(
      findings
        .flatMap(separate)
        .filter(({ severity }) => severity === 'error')
        .map((finding) => finding.check),
    ).toContain(id);
  });
});
