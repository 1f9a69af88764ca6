import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { main } from '../../src/cli/main.ts';
import { openFileWriter } from '../../src/files/file-writer.ts';
import { libraryText } from '../check/fixture/library-contract.ts';
import { startLibrary, type Defect, type Library } from '../check/fixture/library-server.ts';
import { makeFakeIo, type FakeIo } from './fake-io.ts';

let folder = '';
let baseline = '';
const open: Library[] = [];
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'vouch-baseline-'));
  baseline = join(folder, 'known.json');
  await writeFile(join(folder, 'library.yaml'), libraryText);
});
afterEach(async () => {
  await Promise.all(open.splice(0).map((library) => library.close()));
  await rm(folder, { recursive: true });
});

async function check(
  defect: Defect | undefined,
  ...words: readonly string[]
): Promise<{ code: number; io: FakeIo; err: string }> {
  const library = await startLibrary(defect === undefined ? {} : { defect });
  open.push(library);
  const io = makeFakeIo({ VOUCH_TOKEN: library.token });
  const code = await main(['check', library.url, join(folder, 'library.yaml'), ...words], io);
  for (const [file, text] of io.files) await writeFile(file, text);
  return {
    code,
    io,
    err: io.written.err.replaceAll(folder, '…').replaceAll(/[0-9a-f]{10}/g, 'ID'),
  };
}

describe('a baseline', () => {
  test('contains the findings of a run in a stable order', async () => {
    const { code, err } = await check(
      'accepts-limit-0',
      '--baseline',
      baseline,
      '--update-baseline',
    );
    expect([code, err]).toEqual([0, '…/known.json now accepts 1 finding.\n']);
    expect((await readFile(baseline, 'utf8')).replaceAll(/[0-9a-f]{10}/g, 'ID'))
      .toMatchInlineSnapshot(`
        "{
          "version": 1,
          "findings": [
            {
              "id": "ID",
              "check": "invalid-refused",
              "operation": "GET /books",
              "message": "The server accepted (200) a request in which limit is 0, below the
          ↳ minimum of 1."
            }
          ]
        }
        "
      `);
  });

  test('accepts known findings with any seed and host, and reports that', async () => {
    await check('accepts-limit-0', '--baseline', baseline, '--update-baseline', '--seed', 'one');
    const { code, err, io } = await check(
      'accepts-limit-0',
      '--baseline',
      baseline,
      '--seed',
      'two',
      '--reporter',
      'json',
    );
    expect([code, err]).toEqual([0, '…/known.json accepts 1 finding.\n']);
    const { findings } = JSON.parse(io.written.out) as {
      findings: { accepted?: string; severity: string; evidence: string }[];
    };
    expect(findings.filter(({ accepted }) => accepted !== undefined)).toMatchObject([
      {
        severity: 'note',
        accepted: 'error',
        evidence: expect.stringMatching(/ The baseline accepts it; without it, it is an error\.$/),
      },
    ]);
  });

  test('fails on a new finding', async () => {
    await check('accepts-limit-0', '--baseline', baseline, '--update-baseline');
    expect((await check('any-token', '--baseline', baseline)).code).toBe(1);
  });

  test('reports fixed findings, and drops them when it is updated', async () => {
    await check('accepts-limit-0', '--baseline', baseline, '--update-baseline');
    const { code, err } = await check(undefined, '--baseline', baseline);
    expect([code, err]).toEqual([
      0,
      '1 finding of the baseline is fixed; remove with --update-baseline:\n  ' +
        'ID  invalid-refused  GET /books\n',
    ]);
    await check(undefined, '--baseline', baseline, '--update-baseline');
    expect(JSON.parse(await readFile(baseline, 'utf8'))).toEqual({ version: 1, findings: [] });
  });

  test('keeps entries that a run could not test', async () => {
    await check('accepts-limit-0', '--baseline', baseline, '--update-baseline');
    const before = await readFile(baseline, 'utf8');
    expect((await check(undefined, '--baseline', baseline, '--include', 'getReports')).err).toBe(
      '',
    );
    await check(undefined, '--baseline', baseline, '--update-baseline', '--include', 'getReports');
    expect(await readFile(baseline, 'utf8')).toBe(before);
  });

  test('that cannot be written is reported before the first request', async () => {
    const library = await startLibrary();
    open.push(library);
    const io = { ...makeFakeIo({ VOUCH_TOKEN: library.token }), openFile: openFileWriter };
    const words = ['--baseline', folder, '--update-baseline', '-r', 'json'];
    expect(await main(['check', library.url, join(folder, 'library.yaml'), ...words], io)).toBe(2);
    expect(io.written).toMatchObject({ out: '', err: expect.stringContaining('EISDIR') });
    expect(library.log).toEqual([]);
  });

  test('can be written to a device', async () => {
    const library = await startLibrary();
    open.push(library);
    const io = { ...makeFakeIo({ VOUCH_TOKEN: library.token }), openFile: openFileWriter };
    const words = ['--baseline', '/dev/null', '--update-baseline', '--include', 'getReports'];
    expect(await main(['check', library.url, join(folder, 'library.yaml'), ...words], io)).toBe(0);
    expect((await stat('/dev/null')).isCharacterDevice()).toBe(true);
  });

  test.each([
    [
      'is not there',
      undefined,
      'error Cannot read the baseline …/known.json (ENOENT).\nCreate it with ' +
        'the same command and --update-baseline.\n',
    ],
    [
      'is something else',
      '{}',
      'error …/known.json is not a vouch baseline.\nWrite a baseline with ' +
        'vouch check --update-baseline. Use another file, or delete this one.\n',
    ],
  ])('that %s is a usage error', async (_name, text, message) => {
    if (text !== undefined) await writeFile(baseline, text);
    const { code, err } = await check(undefined, '--baseline', baseline);
    expect([code, err]).toEqual([2, message]);
  });
});
