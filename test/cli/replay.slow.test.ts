import { mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { main } from '../../src/cli/main.ts';
import { libraryText } from '../check/fixture/library-contract.ts';
import { startLibrary, type Defect, type Library } from '../check/fixture/library-server.ts';
import { makeFakeIo, type FakeIo } from './fake-io.ts';

let folder = '';
let document = '';
const open: Library[] = [];
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'vouch-replay-'));
  document = join(folder, 'library.yaml');
  await writeFile(document, libraryText);
});
afterEach(async () => {
  await Promise.all(open.splice(0).map((library) => library.close()));
  await rm(folder, { recursive: true });
});

async function start(defect?: Defect): Promise<Library> {
  const library = await startLibrary(defect === undefined ? {} : { defect });
  open.push(library);
  return library;
}

async function vouch(
  token: string,
  ...words: readonly string[]
): Promise<{ code: number; io: FakeIo }> {
  const io = makeFakeIo({ VOUCH_TOKEN: token, VOUCH_STATE_DIR: join(folder, 'state') });
  return { code: await main(words, io), io };
}

/** What stands on stderr, without the line that says which run is replayed. */
const withoutRun = ({ written }: FakeIo): string => written.err.replace(/^Replaying .*\n/m, '');

/** What stands on stdout, with what differs from run to run taken out. */
const printed = ({ written }: FakeIo): string => written.out.replaceAll(/[0-9a-f]{10}/g, 'ID');

describe('findings of the last run', () => {
  test('still fail if nothing was fixed, and are fixed otherwise', async () => {
    const broken = await start('accepts-limit-0');
    await vouch(broken.token, 'check', broken.url, document, '--only', 'invalid-refused');
    const again = await vouch(broken.token, 'replay');
    const of = /^Replaying 1 finding of run vouch-\w+ \(http:\S+, less than a minute ago\)/;
    expect([again.code, again.io.written.err.replace(of, 'OF')]).toEqual([1, 'OF.\n']);
    expect(printed(again.io)).toMatchInlineSnapshot(`
      "still failing  ID  GET /books
                     The server accepted (200) a request in which limit is 0, below the
        ↳ minimum of 1.
      "
    `);
    const repaired = await start();
    const fixed = await vouch(repaired.token, 'replay', '--url', repaired.url);
    expect([fixed.code, fixed.io.written.err.replace(of, 'OF')]).toEqual([
      0,
      `OF, now against ${repaired.url}.\n`,
    ]);
    expect(printed(fixed.io)).toMatchInlineSnapshot(`
      "fixed          ID  GET /books
                     GET /books was answered 400, which conforms to the contract.
      "
    `);
  });

  test('that are notes do not fail the replay, unless they are named by id', async () => {
    const broken = await start('accepts-limit-0');
    const check = [
      'check',
      broken.url,
      document,
      '--only',
      'invalid-refused',
      '--reporter',
      `json=${join(folder, 'report.json')}`,
    ];
    const replay = (report: string): Promise<{ code: number; io: FakeIo }> =>
      vouch(broken.token, 'replay', report);
    const text =
      (await vouch(broken.token, ...check)).io.files.get(join(folder, 'report.json')) ?? '';
    const told = async (
      name: string,
      change: (report: {
        run: Record<string, unknown>;
        findings: { id: string; severity: string }[];
      }) => void,
    ): Promise<string> => {
      const report = JSON.parse(text);
      change(report);
      await writeFile(join(folder, name), JSON.stringify(report));
      return join(folder, name);
    };
    const soften = ({ findings }: { findings: { severity: string }[] }): void =>
      findings.forEach((finding) => (finding.severity = 'note'));
    const mild = await told('mild.json', soften);
    const kept = await replay(mild);
    expect([kept.code, withoutRun(kept.io)]).toEqual([
      0,
      'Still failing, but not failing the run: 1 note.\n',
    ]);
    expect(kept.io.written.out).toMatch(/^still failing/);
    expect((await vouch(broken.token, 'replay', mild, JSON.parse(text).findings[0].id)).code).toBe(
      1,
    );
    const strict = await replay(
      await told('strict.json', (report) => {
        soften(report);
        report.run['failOn'] = 'note';
      }),
    );
    expect([strict.code, withoutRun(strict.io)]).toEqual([1, '']);
  });

  test('are undecided if the target does not respond', async () => {
    const broken = await start('accepts-limit-0');
    await vouch(broken.token, 'check', broken.url, document, '--only', 'invalid-refused');
    await broken.close();
    open.pop();
    const { code, io } = await vouch(broken.token, 'replay');
    expect(code).toBe(3);
    expect(io.written.out).toMatch(
      /^cannot tell {4}[0-9a-f]{10} {2}GET \/books\n {15}No response: /,
    );
  });

  test('are those of the last run that was started in this folder', async () => {
    const broken = await start('accepts-limit-0');
    await vouch(broken.token, 'check', broken.url, document, '--only', 'invalid-refused');
    const runs = join(folder, 'state', 'runs');
    const [name = ''] = await readdir(runs);
    const run = JSON.parse(await readFile(join(runs, name), 'utf8'));
    run.run = { ...run.run, folder: '/srv/other', target: 'http://other', id: 'vouch-other' };
    await writeFile(join(runs, '99990101000000000-vouch-other.json'), JSON.stringify(run));
    const here = await vouch(broken.token, 'replay');
    expect([here.code, here.io.written.err]).toEqual([1, expect.stringContaining(broken.url)]);
    await rm(join(runs, name));
    const { code, io } = await vouch(broken.token, 'replay');
    expect(code).toBe(2);
    expect(io.written.err).toBe(
      'error No recent run was started in this folder.\n' +
        'The last one was of http://other, less than a minute ago in /srv/other. ' +
        'Run vouch replay there, or pass a report or ids of findings.\n',
    );
    const named = await vouch(broken.token, 'replay', run.findings[0].id, '--url', broken.url);
    expect(named.code).toBe(1);
  });

  test('come with how many records the run left', async () => {
    const broken = await start('accepts-everything');
    await vouch(broken.token, 'check', broken.url, document, '--only', 'invalid-refused');
    const runs = join(folder, 'state', 'runs');
    const [name = ''] = await readdir(runs);
    const { run } = JSON.parse(await readFile(join(runs, name), 'utf8'));
    await mkdir(join(folder, 'state', 'ledgers'), { recursive: true });
    const record = { resource: 'books', identifier: '"7"', parents: [] };
    await writeFile(
      join(folder, 'state', 'ledgers', 'one.ndjson'),
      [{ type: 'run', run, pid: 1 }, { type: 'created', record }, { type: 'finished' }]
        .map((line) => `${JSON.stringify(line)}\n`)
        .join(''),
    );
    const { io } = await vouch(broken.token, 'replay');
    expect(io.written.err).toContain(
      `That run left 1 record behind: vouch cleanup ${run.id} deletes what can be deleted.\n`,
    );
  });

  test('are absent if the run passed, and unknown if it was inconclusive', async () => {
    const sound = await start();
    await vouch(
      sound.token,
      'check',
      sound.url,
      document,
      '--only',
      'invalid-refused',
      '--include',
      'listBooks',
    );
    const none = await vouch(sound.token, 'replay');
    expect([none.code, none.io.written.err]).toEqual([
      0,
      'Nothing to replay: the run had no findings.\n',
    ]);
    await sound.close();
    open.pop();
    expect((await vouch(sound.token, 'check', sound.url, document)).code).toBe(3);
    const { code, io } = await vouch(sound.token, 'replay');
    expect(code).toBe(3);
    expect(io.written.err).toMatch(
      /^Nothing to replay: the run had no findings, but it was inconclusive\. .+\nRun vouch check again\.\n$/,
    );
  });

  test('are reported as findings of another contract if it has changed', async () => {
    const broken = await start('accepts-limit-0');
    await vouch(broken.token, 'check', broken.url, document, '--only', 'invalid-refused');
    await writeFile(document, libraryText.replace('A page of books', 'Some books'));
    const { io } = await vouch(broken.token, 'replay');
    expect(withoutRun(io)).toMatch(
      /^The contract .*library\.yaml has changed since these findings were recorded\.\n$/,
    );
  });

  test('are kept of 20 runs, private to the user and without secrets', async () => {
    const broken = await start('accepts-limit-0');
    for (let run = 0; run < 22; run += 1)
      await vouch(
        broken.token,
        'check',
        broken.url,
        document,
        '--only',
        'invalid-refused',
        '--include',
        'listBooks',
      );
    const runs = join(folder, 'state', 'runs');
    const names = await readdir(runs);
    expect(names).toHaveLength(20);
    const file = join(runs, names[0] ?? '');
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    expect(await readFile(file, 'utf8')).not.toContain(broken.token);
  });
});

describe('findings of a report', () => {
  test('are all replayed, or by id', async () => {
    const broken = await start('accepts-everything');
    const report = join(folder, 'report.json');
    const checked = await vouch(
      broken.token,
      'check',
      broken.url,
      document,
      '--reporter',
      'json',
      '--only',
      'invalid-refused',
    );
    await writeFile(report, checked.io.written.out);
    const all = await vouch(broken.token, 'replay', report);
    const ids = all.io.written.out.match(/[0-9a-f]{10}/g) ?? [];
    expect(ids.length).toBeGreaterThan(2);
    const one = await vouch(broken.token, 'replay', report, ids[1] ?? '');
    expect(one.io.written.out.match(/[0-9a-f]{10}/g)).toEqual([ids[1]]);
  });

  test.each([
    [
      'nowhere.json',
      /^error nowhere\.json is neither a finding id nor a readable report: no such file\./,
    ],
    ['0123456789', /^error No earlier run found on this machine\./],
  ])('%s is a usage error', async (word, message) => {
    const { code, io } = await vouch('', 'replay', word);
    expect(code).toBe(2);
    expect(io.written.err).toMatch(message);
  });
});
