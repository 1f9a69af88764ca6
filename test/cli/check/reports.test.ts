import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { RunEvent } from '../../../src/check/model/event.ts';
import { reportEvents, startReporters } from '../../../src/cli/check/run-reporters.ts';
import { main } from '../../../src/cli/main.ts';
import { openFileAppender, openFileWriter } from '../../../src/files/file-writer.ts';
import { blob } from '../../../src/report/blob/blob.ts';
import { pretty } from '../../../src/report/pretty.ts';
import { reportOf } from '../../report/report-of.ts';
import { sampleEvents, sampleRun } from '../../report/sample-run.ts';
import { type FakeIo, makeFakeIo } from '../fake-io.ts';

let folder = '';
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'vouch-reports-'));
  writeFileSync(join(folder, 'run.blob'), reportOf(blob, sampleEvents));
  for (const index of [1, 2])
    writeFileSync(join(folder, `shard-${String(index)}.blob`), reportOf(blob, shard(index)));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** The sample run, as if it were one half of another; vouch did not fail in it. */
function shard(index: number): RunEvent[] {
  return sampleEvents
    .filter(({ type }) => type !== 'check-crashed')
    .map((event) => {
      if (event.type === 'run-finished')
        return {
          ...event,
          summary: {
            ...event.summary,
            reason: 'The deployment violates the contract: 2 findings of severity error.',
          },
        };
      return event.type === 'run-started'
        ? { ...event, run: { ...sampleRun, shard: { index, count: 2 } } }
        : event;
    });
}

function withoutLines(text: string, ...types: readonly RunEvent['type'][]): string {
  return text
    .split('\n')
    .filter((line) => !types.some((type) => line.startsWith(`{"type":"${type}"`)))
    .join('\n');
}

async function run(
  words: readonly string[],
  env: Record<string, string> = {},
): Promise<{ readonly code: number; readonly io: FakeIo }> {
  const io: FakeIo = { ...makeFakeIo(env), openFile: openFileWriter, appendFile: openFileAppender };
  return { code: await main(words, io), io };
}

describe('vouch report', () => {
  test('show: prints the run again, with its exit code', async () => {
    const { code, io } = await run(['report', 'show', join(folder, 'run.blob')]);
    expect([code, io.written.out]).toEqual([1, reportOf(pretty, sampleEvents)]);
  });

  test('merge: all shards in one report of any kind', async () => {
    const html = join(folder, 'made', 'report.html');
    const { code, io } = await run([
      'report',
      'merge',
      join(folder, 'shard-1.blob'),
      join(folder, 'shard-2.blob'),
      '-r',
      'dot',
      '-r',
      `html=${html}`,
    ]);
    expect([code, io.written.err]).toEqual([1, `Report: ${pathToFileURL(html).href}\n`]);
    expect(io.written.out).toContain(
      'Failed. The deployment violates the contract: 2 findings of severity error in 2 shards.',
    );
    expect(readFileSync(html, 'utf8')).toMatch(/^<!doctype html>[\s\S]*<\/html>\n$/);
  });

  test('a page goes into a file on a terminal, and is opened from there', async () => {
    const state = join(folder, 'state');
    const io: FakeIo = {
      ...makeFakeIo({ VOUCH_STATE_DIR: state }),
      isTTY: { out: true, err: true },
    };
    await main(['report', 'show', join(folder, 'run.blob'), '-r', 'html'], io);
    const address = pathToFileURL('vouch-report.html').href;
    expect(io.files.get('vouch-report.html')).toMatch(/^<!doctype html>/);
    expect(io.written.out).toContain('Failed.');
    expect(io.written.err).toBe(`Report: ${address} (vouch report open)\n`);
  });

  test('open: a page that was written before, by name or as the last one', async () => {
    const state = join(folder, 'pages');
    const page = join(folder, 'page.html');
    await run(['report', 'show', join(folder, 'run.blob'), '-r', `html=${page}`], {
      VOUCH_STATE_DIR: state,
    });
    const asked: string[] = [];
    const open = async (...words: readonly string[]): Promise<FakeIo> => {
      const io: FakeIo = {
        ...makeFakeIo({ VOUCH_STATE_DIR: state }),
        openUrl: async (url) => asked.push(url) > 1,
      };
      expect(await main(['report', 'open', ...words], io)).toBe(0);
      return io;
    };
    const address = pathToFileURL(page).href;
    expect((await open()).written.out).toBe(`${address}\n`);
    expect((await open(page)).written.out).toBe(`Opened ${address}\n`);
    expect(asked).toEqual([address, address]);
  });

  test.each([
    ['that was never written', [], 'No HTML report is known here.'],
    ['that is not there', ['none.html'], 'There is no file none.html.'],
  ])('open: a page %s is an error', async (_what, words, message) => {
    const { code, io } = await run(['report', 'open', ...words], {
      VOUCH_STATE_DIR: join(folder, 'nothing'),
    });
    expect([code, io.written.err]).toEqual([
      2,
      `error ${message}\nWrite one: vouch check URL -r html\n`,
    ]);
  });

  test('merge: a missing shard is reported', async () => {
    const { io } = await run(['report', 'merge', join(folder, 'shard-2.blob')]);
    expect(io.written.out).toMatch(/Shard\s+1 of 2 is missing/);
  });

  /** The text of the second shard, as it came to be on its way. */
  test.each<[name: string, spoil: (text: string) => string, code: number, message: RegExp]>([
    [
      'whole',
      (text) => text,
      1,
      /^Failed\. The deployment violates the contract: 2 findings of severity error in 2 shards\. Findings: /m,
    ],
    [
      'cut off',
      (text) => text.slice(0, text.indexOf('"finding-reported"')),
      1,
      /in 2 shards\. spoilt\.blob is incomplete: its job was stopped/,
    ],
    [
      'without its findings',
      (text) => withoutLines(text, 'finding-reported'),
      1,
      /in 2 shards\. spoilt\.blob is incomplete: its run ended with 2 findings of severity error, the file has none\. Download it again/,
    ],
    [
      'without its beginning',
      (text) => withoutLines(text, 'run-started'),
      2,
      /The blob spoilt\.blob is damaged: line 2 is operation-skipped, but the run must start first\.\nDownload it again/,
    ],
    [
      'with a torn line',
      (text) => text.replace('"type":"gap-observed"', ''),
      2,
      /The blob spoilt\.blob is damaged: line \d+ is/,
    ],
    [
      'empty',
      () => '',
      2,
      /spoilt\.blob is not a blob: it is empty\.\nWrite one with: vouch check URL/,
    ],
    [
      'the first shard again',
      () => readFileSync(join(folder, 'shard-1.blob'), 'utf8'),
      2,
      /Shard 1 of 2 was given twice: shard-1\.blob and spoilt\.blob\.\nPass only one of them, and add the missing blob of shard 2/,
    ],
  ])('merge: a shard that is %s', async (_name, spoil, code, message) => {
    writeFileSync(
      join(folder, 'spoilt.blob'),
      spoil(readFileSync(join(folder, 'shard-2.blob'), 'utf8')),
    );
    const merged = await run([
      'report',
      'merge',
      join(folder, 'shard-1.blob'),
      join(folder, 'spoilt.blob'),
      '-r',
      'dot',
    ]);
    expect([
      merged.code,
      (merged.io.written.out + merged.io.written.err).replaceAll(`${folder}/`, ''),
    ]).toEqual([code, expect.stringMatching(message)]);
  });

  test('merge: a blob without its findings is inconclusive', async () => {
    const file = join(folder, 'spoilt.blob');
    writeFileSync(
      file,
      withoutLines(
        readFileSync(join(folder, 'run.blob'), 'utf8'),
        'finding-reported',
        'check-crashed',
      ),
    );
    const [merged, shown] = [
      await run(['report', 'merge', file, '-r', 'dot']),
      await run(['report', 'show', file, '-r', 'dot']),
    ];
    expect([merged.code, shown.code]).toEqual([3, 3]);
    expect(merged.io.written.out).toMatch(/^Inconclusive\. .*spoilt\.blob is incomplete/m);
  });

  test.each([
    [
      'a file that is not there',
      ['report', 'show', 'nowhere.blob'],
      'There is no file nowhere.blob.\nCheck the name',
    ],
    ['a folder', ['report', 'merge', 'src'], 'src is a folder, not a blob.'],
    ['a file that is no blob', ['report', 'show', 'package.json'], 'package.json is not a blob'],
    [
      'a reporter that is none',
      ['report', 'show', 'run.blob', '-r', 'htlm'],
      'Unknown reporter: htlm.\nDid you mean html?',
    ],
  ])('%s', async (_name, words, message) => {
    const { code, io } = await run(words);
    expect([code, io.written.err]).toEqual([2, expect.stringContaining(message)]);
  });
});

describe('a report in a file', () => {
  async function* broken(): AsyncGenerator<RunEvent, void> {
    yield* sampleEvents.slice(0, 3);
    throw new Error('the network is on fire');
  }

  test('is not left incomplete if the run is aborted', async () => {
    const { io } = await run(['report', 'show', 'nowhere.blob']);
    const file = join(folder, 'half', 'report.html');
    const reporters = startReporters([`html=${file}`], io, false);
    await expect(reportEvents(broken(), reporters)).rejects.toThrow('on fire');
    expect(readdirSync(join(folder, 'half'))).toEqual([]);
  });

  test('that cannot be written ends the run before the first request', async () => {
    const { io } = await run(['--version']);
    expect(() =>
      startReporters(
        [
          `json=${join(folder, 'other', 'a.json')}`,
          `junit=${join(folder, 'run.blob', 'report.xml')}`,
        ],
        io,
        false,
      ),
    ).toThrow(/report\.xml cannot be written: ENOTDIR\./);
    expect(readdirSync(join(folder, 'other'))).toEqual([]);
  });

  test.skipIf(process.platform !== 'linux')(
    'that cannot be finished does not spoil the others',
    async () => {
      const good = join(folder, 'good', 'report.xml');
      const words = ['report', 'show', join(folder, 'run.blob')];
      const { code, io } = await run([...words, '-r', 'html=/dev/full', '-r', `junit=${good}`]);
      expect([code, readFileSync(good, 'utf8')]).toEqual([
        2,
        expect.stringContaining('</testsuites>'),
      ]);
      expect(io.written.err).toContain('/dev/full cannot be written: ENOSPC.');
      expect(statSync('/dev/full').isCharacterDevice()).toBe(true);
    },
  );

  test('can be a device, which is kept', async () => {
    const words = ['report', 'show', join(folder, 'run.blob'), '-r', 'json=/dev/null'];
    expect((await run(words)).code).toBe(1);
    expect(statSync('/dev/null').isCharacterDevice()).toBe(true);
  });

  test('is written by one reporter', async () => {
    const { io } = await run(['--version']);
    expect(() => startReporters(['json=a.txt', 'junit=./a.txt'], io, false)).toThrow(
      /Two reporters write to the same file: .*a\.txt\./,
    );
  });
});

test('the github report is appended to the job summary', async () => {
  const summary = join(folder, 'summary.md');
  writeFileSync(summary, '# another step\n');
  await run(['report', 'show', join(folder, 'run.blob'), '-r', 'junit'], {
    GITHUB_STEP_SUMMARY: summary,
  });
  expect(readFileSync(summary, 'utf8')).toBe('# another step\n');
  await run(['report', 'show', join(folder, 'run.blob'), '-r', 'github'], {
    GITHUB_STEP_SUMMARY: summary,
  });
  expect(readFileSync(summary, 'utf8')).toMatch(/^# another step\n## Failed\.\n/);
});
