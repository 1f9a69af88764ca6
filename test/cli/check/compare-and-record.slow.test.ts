import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { inflateRawSync } from 'node:zlib';
import { afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { openFileWriter } from '../../../src/files/file-writer.ts';
import { main } from '../../../src/cli/main.ts';
import { startMock } from '../../../src/library/start-mock.ts';
import { libraryText } from '../../check/fixture/library-contract.ts';
import {
  startLibrary,
  type Library,
  type LibraryOptions,
} from '../../check/fixture/library-server.ts';
import { makeFakeIo, type FakeIo } from '../fake-io.ts';

let folder = '';
let document = '';
const open: Library[] = [];
beforeEach(makeFolder);
afterEach(removeFolder);

async function makeFolder(): Promise<void> {
  folder = await mkdtemp(join(tmpdir(), 'vouch-compare-'));
  document = join(folder, 'library.yaml');
  await writeFile(document, libraryText);
}

/** Stops what the test started, too. */
async function removeFolder(): Promise<void> {
  await Promise.all(open.splice(0).map((library) => library.close()));
  await rm(folder, { recursive: true });
}

async function start(options: LibraryOptions = {}): Promise<Library> {
  const library = await startLibrary(options);
  open.push(library);
  return library;
}

async function vouch(
  words: readonly string[],
  env: Record<string, string> = {},
): Promise<{
  readonly code: number;
  readonly io: FakeIo;
  readonly out: string;
  readonly err: string;
}> {
  const io: FakeIo = {
    ...makeFakeIo({ VOUCH_STATE_DIR: join(folder, 'state'), ...env }),
    openFile: openFileWriter,
  };
  const code = await main(words, io);
  const hide = (text: string): string =>
    text.replaceAll(folder, 'FOLDER').replaceAll(/127\.0\.0\.1:\d+/g, 'HOST');
  return { code, io, out: hide(io.written.out), err: hide(io.written.err) };
}

/** The section of the report with this heading. */
function sectionOf(out: string, heading: string): string {
  return out.split(/\n(?=[A-Z])/).find((part) => part.startsWith(heading)) ?? '';
}

describe('vouch check --against', () => {
  test('lists the differences by operation, without failing', async () => {
    const [ours, theirs] = [await start(), await start({ defect: 'list-500' })];
    const { code, out } = await vouch(
      ['check', ours.url, document, '--against', theirs.url, '--seed', '1'],
      { VOUCH_TOKEN: ours.token },
    );
    expect(code).toBe(0);
    expect(out).toMatch(
      / {2}against {3}http:\/\/HOST\/v1 \(same requests; compared, not\s+checked\)\n/,
    );
    expect(sectionOf(out, 'Differences')).toMatch(
      /^Differences from http:\/\/HOST\/v1 \(here \| there\)\n\n {2}GET \/books\n {4}≠ status: 200 \| 500 \(\d+ times: /,
    );
    expect(out).toMatch(/answered\s+otherwise\s+in\s+\d+\s+ways?\./);
  });

  test('uses its own credential', async () => {
    const [ours, theirs] = [await start(), await start()];
    const { code, out } = await vouch(
      ['check', ours.url, document, '--against', theirs.url, '--against-auth', 'env:OTHER'],
      { VOUCH_TOKEN: ours.token, OTHER: 'nobody-issued-this' },
    );
    expect(code).toBe(0);
    expect(out).not.toContain('nobody-issued-this');
    expect(sectionOf(out, 'Differences')).toContain('≠ status: 200 | 401');
  });

  test('lists the remaining records under the name of each target', async () => {
    // The bundled contract has no operation that deletes.
    const mocks = [
      await startMock({ keys: ['demo-key'] }),
      await startMock({ keys: ['demo-key'] }),
    ];
    try {
      const [ours = '', theirs = ''] = mocks.map(({ url }) => url);
      await vouch(['check', ours, '--against', theirs], { VOUCH_TOKEN: 'demo-key' });
      const { io } = await vouch(['cleanup', '--list']);
      const rows = io.written.out
        .trim()
        .split('\n')
        .map((line) => line.split(/ {2,}/));
      expect(rows.map(([, target]) => target).toSorted()).toEqual([ours, theirs].toSorted());
      expect(new Set(rows.map((row) => row.at(-1))).size).toBe(1);
    } finally {
      await Promise.all(mocks.map((mock) => mock.close()));
    }
  });

  describe('in reports', () => {
    const patterns: readonly (readonly [reporter: string, pattern: RegExp])[] = [
      [
        'markdown',
        /### Differences from .*\n\n\*\*GET \/books\*\*\n\n\| \| difference \| here \| there \| count \| request \|\n.*\n\| warning \| status \| 200 \| 500 \| \d+ \|/,
      ],
      ['json', /"differences": \[\s+\{\s+"id": "\w+",\s+"operation": \{\s+"id": "listBooks"/],
      ['html', /"differencesTitle":"Differences from http:/],
      ['ndjson', /"type":"difference-found"/],
      ['junit', /^<\?xml/],
      ['sarif', /"version": "2.1.0"/],
      ['dot', /answered otherwise/],
    ];
    const texts = new Map<string, string>();
    let ended: number | undefined;
    // One comparison is enough for all reporters.
    beforeAll(async () => {
      await makeFolder();
      const [ours, theirs] = [await start(), await start({ defect: 'list-500' })];
      const fileOf = (reporter: string): string => join(folder, `report-${reporter}`);
      const words = patterns.flatMap(([reporter]) => ['-r', `${reporter}=${fileOf(reporter)}`]);
      ({ code: ended } = await vouch(
        ['check', ours.url, document, '--against', theirs.url, ...words],
        { VOUCH_TOKEN: ours.token },
      ));
      for (const [reporter] of patterns)
        texts.set(reporter, await readFile(fileOf(reporter), 'utf8'));
      await removeFolder();
    });

    test.each(patterns)('the %s report has the differences', (reporter, pattern) => {
      expect(ended).toBe(0);
      expect(unpacked(texts.get(reporter) ?? '')).toMatch(pattern);
    });
  });
});

/** A report whose packed blocks of data, as the HTML report has them, are readable. */
function unpacked(report: string): string {
  return report.replaceAll(
    /(<script type="application\/[^>]*>)([A-Za-z0-9+/=]+)(?=<)/g,
    (_all, tag: string, data: string) =>
      `${tag}${inflateRawSync(Buffer.from(data, 'base64')).toString('utf8')}`,
  );
}

describe('vouch check --har', () => {
  async function recordOf(library: Library): Promise<string> {
    const file = join(folder, 'traffic.har');
    await vouch(['check', library.url, document, '-r', `har=${file}`], {
      VOUCH_TOKEN: library.token,
    });
    return file;
  }

  test('judges the recording of a run, and sends nothing', async () => {
    const library = await start({ defect: 'list-500' });
    const file = await recordOf(library);
    await Promise.all(open.splice(0).map((each) => each.close()));
    const { code, out } = await vouch(['check', '--har', file, document]);
    expect(code).toBe(1);
    expect(out).toContain('no-server-error (by the contract)');
    expect(out).toMatch(/ {2}mode {6}recording \(nothing is sent\) · vouch /);
    expect(out).toMatch(/ {2}covered {3}\d of \d operations with \d+ recorded exchanges/);
    expect(out).toContain('then record the same');
    expect(out).not.toContain('--seed');
  });

  test('judges only requests to the given base URL', async () => {
    const file = await recordOf(await start());
    const { code, out } = await vouch(['check', 'http://127.0.0.1:1/v1', document, '--har', file]);
    expect(code).toBe(3);
    expect(out).toContain('Nothing was judged');
  });

  test('passes for a recording of a conforming deployment', async () => {
    const { code, out } = await vouch(['check', '--har', await recordOf(await start()), document]);
    expect([code, out.split('\n').filter((line) => /^ {2}\d+\) /.test(line))]).toEqual([0, []]);
  });
});

describe('vouch gaps URL', () => {
  test('shows the observation at each gap', async () => {
    const library = await start();
    const { code, out } = await vouch(['gaps', library.url, document], {
      VOUCH_TOKEN: library.token,
    });
    expect(code).toBe(0);
    expect(out).toMatch(/\n {2}Observed: /);
    expect(out).toMatch(/\d+ gaps in /);
  });

  test('reports that nothing responds, and still lists the gaps', async () => {
    const { code, out, err } = await vouch(['gaps', 'http://127.0.0.1:1', document]);
    expect([code, err]).toEqual([3, 'Nothing answers at http://HOST: connection refused.\n']);
    expect(out).toMatch(/\d+ gaps in /);
    expect(out).not.toContain('Nothing was seen here');
  });
});

const pingText = `openapi: 3.1.0
info: { title: Ping, version: 1.0.0 }
paths:
  /ping:
    get: { operationId: ping, responses: { '200': { description: ok, content: {
        application/json: { schema: { type: object, required: [up], properties: { up: {
        type: boolean } } } } } } } }
`;

describe('vouch check --prove', () => {
  test('a proof fails if its mutation score is too low', async () => {
    const small = join(folder, 'ping.yaml');
    await writeFile(small, pingText);
    const { code, out, err } = await vouch([
      'check',
      '--prove',
      small,
      '--min-score',
      '99',
      '--only',
      'error-repeats-status',
    ]);
    expect([code, err]).toEqual([1, '']);
    expect(out).toMatch(/\nSurvived\n/);
    expect(out).toMatch(/\nFAILED {2}\d+ of \d+ mutations killed \([\d.]+ %; required:\s+99 %/);
  }, 120_000);
});

describe('usage errors of vouch check', () => {
  test.each<[string, readonly string[], string]>([
    [
      'a proof of a deployment',
      ['--prove', 'http://127.0.0.1:1'],
      '--prove checks the mock, not http://HOST.',
    ],
    ['a proof of nothing', ['--prove', 'nowhere.yaml'], 'There is no file nowhere.yaml.'],
    ['a proof as JUnit', ['--prove', '-r', 'junit'], 'The reporter junit cannot print a proof.'],
    [
      'a mutation score above 100',
      ['--prove', '--min-score', '101'],
      'It must be a number from 0 to 100.',
    ],
    [
      'a mutation score without a proof',
      ['--min-score', '95', '--self'],
      '--min-score needs --prove.',
    ],
    ['a plan of a proof', ['--prove', '--plan'], '--plan has no effect with --prove.'],
    ['a recording that is not there', ['--har', 'nowhere.har'], 'Cannot read nowhere.har: ENOENT.'],
    ['a recording that is a folder', ['--har', 'test'], 'Cannot read test: EISDIR.'],
    [
      'a recording that is none',
      ['--har', 'package.json'],
      'package.json cannot be read as a HAR file: it has no list of entries at /log/entries.',
    ],
    [
      'a recording that is broken',
      ['--har', 'README.md'],
      'README.md cannot be read as a HAR file: ',
    ],
    [
      'a baseline for a recording',
      ['--har', 'a.har', '--baseline', 'b.json'],
      '--baseline has no effect with --har.',
    ],
    [
      'a recording of the mock itself',
      ['--har', 'a.har', '--self'],
      '--self and --har cannot be combined.',
    ],
    [
      'the same deployment twice',
      ['http://127.0.0.1:1', '--against', 'http://127.0.0.1:1/'],
      'http://HOST would be compared with itself.',
    ],
    [
      'another deployment that has no such scheme',
      ['http://127.0.0.1:1', '--against', 'ftp://x'],
      'ftp://x is neither a base URL nor a target',
    ],
    [
      'another deployment with a name in its URL',
      ['http://127.0.0.1:1', '--against', 'http://me:word@127.0.0.1:2'],
      'holds a user name or a password.',
    ],
    [
      'a target that is not there',
      ['http://127.0.0.1:1', '--against', 'locla'],
      'Did you mean local?',
    ],
    [
      'a token as the other credential',
      ['http://127.0.0.1:1', '--against', 'http://127.0.0.1:2', '--against-auth', 's3cret'],
      'error --auth takes the name of an environment variable, not the token itself.',
    ],
    [
      'another credential for nobody',
      ['http://127.0.0.1:1', '--against-auth', 'env:OTHER'],
      '--against-auth needs --against.',
    ],
    ['two ways at once', ['--prove', '--self'], '--prove and --self cannot be combined.'],
    ['a mode that is nearly right', ['--self', '--mode', 'readonly'], 'Did you mean read-only?'],
    ['a URL without its scheme', ['localhost:4010/v1'], 'Did you mean http://localhost:4010/v1?'],
  ])('%s', async (_name, words, message) => {
    const { code, out, err } = await vouch(['check', ...words]);
    expect([code, out]).toEqual([2, '']);
    expect(err).toContain(message);
    expect(err).not.toContain('s3cret');
  });

  test('listing and forgetting runs at once', async () => {
    const { code, err } = await vouch(['cleanup', '--list', '--forget']);
    expect([code, err]).toEqual([
      2,
      expect.stringContaining('--list and --forget cannot be combined.'),
    ]);
  });
});

describe('the help of vouch check', () => {
  test('of -h is short, and refers to the complete one', async () => {
    const [short, whole] = [await vouch(['check', '-h']), await vouch(['check', '--help-all'])];
    expect([short.code, whole.code, short.err + whole.err]).toEqual([0, 0, '']);
    expect(short.out).toMatch(/\n--help-all shows \d+ options?, [^\n]+\n$/);
    expect(short.out).not.toContain('--shard');
    expect(whole.out).toContain('--shard');
    expect(whole.out.length).toBeGreaterThan(short.out.length * 1.5);
  });

  test.each(['check', 'mock', 'replay', 'cleanup', 'gaps', 'lint', 'explain', 'start'])(
    'of %s shows no internal default',
    async (command) => {
      const { out } = await vouch([command, '--help-all']);
      expect(out).not.toMatch(/\(default: (false|\[\]|\{\}|")/);
    },
  );

  test('of check names every reporter', async () => {
    const { reporters } = await import('../../../src/report/reporters.ts');
    const { out } = await vouch(['check', '--help-all']);
    expect(reporters.filter(({ id }) => !out.includes(id)).map(({ id }) => id)).toEqual([]);
  });
});
