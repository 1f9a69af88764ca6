import { afterEach, describe, expect, test } from 'vitest';
import { defectsTogether } from '../fixture/defects-together.ts';
import { checkTarget } from '../../../src/check/engine/check-target.ts';
import type { Finding } from '../../../src/check/model/finding.ts';
import { replayFindings, type ReplayResult } from '../../../src/check/replay/replay-findings.ts';
import { parseContract } from '../../../src/contract/load.ts';
import { libraryContract, libraryText } from '../fixture/library-contract.ts';
import { openLibrary, type Defect, type Library } from '../fixture/library-server.ts';
import { shared } from '../fixture/notice-each.ts';

const open: Library[] = [];
afterEach(async () => {
  await Promise.all(open.splice(0).map((library) => library.close()));
});

async function start(options: Parameters<typeof openLibrary>[0] = {}): Promise<Library> {
  const library = await openLibrary(options);
  open.push(library);
  return library;
}

const contract = libraryContract();

async function findingsOf(...defects: readonly Defect[]): Promise<readonly Finding[]> {
  const { target } = await start({ defect: defects });
  // Only who hangs is waited for: whatever else takes long is the machine.
  const timeoutMs = defects.includes('hangs-on-reports') ? 1_000 : 20_000;
  const { findings } = await checkTarget({ ...target, contract, seed: 'replay', timeoutMs });
  // As a report keeps them: what is no JSON would not come back.
  return (
    JSON.parse(
      JSON.stringify(findings.map(({ exchange: _exchange, ...finding }) => finding)),
    ) as Finding[]
  ).filter(({ severity }) => severity === 'error');
}

async function collect(results: AsyncIterable<ReplayResult>): Promise<ReplayResult[]> {
  const all: ReplayResult[] = [];
  for await (const result of results) all.push(result);
  return all;
}

async function replay(
  findings: readonly Finding[],
  library: Library,
  options: Partial<Parameters<typeof replayFindings>[1]> = {},
): Promise<ReplayResult[]> {
  return collect(
    replayFindings(findings, {
      ...library.target,
      contract,
      seed: 'again',
      timeoutMs: 1_000,
      ...options,
    }),
  );
}

const outcomes = (results: readonly ReplayResult[]): string[] => [
  ...new Set(results.map(({ outcome }) => outcome)),
];

/**
 * One defect of every kind that can be shown by its own requests. One server has those of a group:
 * none of them hides another.
 */
const servers: readonly (readonly Defect[])[] = [
  ...defectsTogether,
  ['truncated-json', 'prefix-token', 'missing-is-400'],
  ['wrong-type'],
  ['enum-left'],
  ['field-missing'],
  ['status-not-repeated'],
  ['refuses-limit-50'],
  ['keeps-deleted'],
  ['loses-writes'],
  ['list-lacks-created'],
  ['ignores-limit'],
  ['limits-before-filtering'],
  ['reads-another'],
  ['hangs-on-reports'],
  ['resets-on-replace'],
  ['replace-not-kept'],
];

describe('a replayed finding', () => {
  test.each(servers.map((defects) => ({ name: defects.join(', '), defects })))(
    '$name: still fails on a server with the defect, and is fixed on one without it',
    async ({ defects }) => {
      const findings = await findingsOf(...defects);
      expect(findings.length).toBeGreaterThanOrEqual(defects.length);
      const alone = new Set(
        findings.flatMap(({ id, replay: form }) => (form?.alone === true ? [id] : [])),
      );
      expect(
        (await replay(findings, await start({ defect: defects }))).filter(
          ({ id, outcome }) =>
            outcome !== 'still failing' && (alone.has(id) || outcome === 'fixed'),
        ),
      ).toEqual([]);
      // What shows only beside the rest of a run is not called fixed because a few requests do not
      // show it.
      const expected = new Map(
        findings.map(({ id, replay: form }) => [
          id,
          form?.alone === true ? 'fixed' : 'cannot tell',
        ]),
      );
      expect(
        (await replay(findings, await start())).filter(
          ({ id, outcome }) => outcome !== expected.get(id),
        ),
      ).toEqual([]);
    },
  );

  test('leaves no record', async () => {
    const findings = await findingsOf('rounds-integers');
    const library = await start({ defect: 'rounds-integers' });
    const before = library.size();
    await replay(findings, library);
    expect(library.log.some(({ method }) => method === 'POST')).toBe(true);
    expect(library.size()).toBe(before);
  });
});

describe('the outcome is "cannot tell"', () => {
  const found = shared(() => findingsOf('accepts-missing-title'));

  test.each<
    [string, (findings: readonly Finding[], library: Library) => Promise<ReplayResult[]>, RegExp]
  >([
    [
      'if the target does not respond',
      (findings, library) => library.close().then(() => replay(findings, library)),
      /^No response: /,
    ],
    [
      'without a credential',
      (findings, { url }) => collect(replayFindings(findings, { url, contract, seed: 'again' })),
      /requires a credential for bearer, and none is given; give one with --auth bearer=env:NAME\.$/,
    ],
    [
      'where the credential is refused',
      (findings, library) => replay(findings, library, { token: 'another-key' }),
      /refused \(401\)|answered 401/,
    ],
    [
      'where the replay may not write',
      (findings, library) => replay(findings, library, { mode: 'read-only' }),
      /^It needs a POST, but the replay is read-only; allow it with --mode read-write\.$/,
    ],
    [
      'where the operation is gone',
      (findings, library) =>
        replay(findings, library, {
          contract: parseContract(libraryText.replace('createBook', 'addBook'), 'library.yaml'),
        }),
      /^The contract no longer has the operation createBook\.$/,
    ],
    [
      'where the place is gone',
      (findings, library) =>
        replay(findings, library, {
          contract: parseContract(libraryText.replaceAll('NewBook', 'FreshBook'), 'library.yaml'),
        }),
      /^The contract no longer has the place \/components\/schemas\/NewBook\/required\.$/,
    ],
    [
      'if the report does not contain the requests',
      (findings, library) =>
        replay(
          findings.map(({ replay: _replay, ...finding }) => finding),
          library,
        ),
      /^The report does not contain its requests\.$/,
    ],
  ])('%s', async (_name, ask, reason) => {
    const findings = await found();
    const library = await start({ defect: 'accepts-missing-title' });
    const results = await ask(findings, library);
    expect(outcomes(results)).toEqual(['cannot tell']);
    expect(results[0]?.reason).toMatch(reason);
  });
});
