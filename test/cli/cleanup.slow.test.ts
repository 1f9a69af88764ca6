import { spawn } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { main } from '../../src/cli/main.ts';
import { libraryText } from '../check/fixture/library-contract.ts';
import { startLibrary, type Library } from '../check/fixture/library-server.ts';
import { makeFakeIo, type FakeIo } from './fake-io.ts';
import { programEnvironment } from './program-environment.ts';

const bin = fileURLToPath(new URL('../../src/cli/bin.ts', import.meta.url));

let folder = '';
let library: Library;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'vouch-state-'));
  await writeFile(join(folder, 'library.yaml'), libraryText);
  library = await startLibrary({ variant: 'slow' });
});
afterEach(async () => {
  await library.close();
  await rm(folder, { recursive: true });
});

const state = (): string => join(folder, 'state');
const ledgers = (): Promise<string[]> => readdir(join(state(), 'ledgers')).catch(() => []);

function begin(...words: readonly string[]): ReturnType<typeof spawn> {
  return spawn(
    process.execPath,
    [bin, 'check', library.url, join(folder, 'library.yaml'), ...words],
    {
      env: programEnvironment({ VOUCH_TOKEN: library.token, VOUCH_STATE_DIR: state() }),
      stdio: 'ignore',
    },
  );
}

/**
 * Ends a child once the library has so many records more than it began with; answers how the child
 * ended.
 */
function endAfter(
  child: ReturnType<typeof spawn>,
  signal: NodeJS.Signals,
  more: number,
): Promise<number | NodeJS.Signals | null> {
  const before = library.size();
  const watch = setInterval(() => {
    if (library.size() < before + more) return;
    clearInterval(watch);
    child.kill(signal);
  }, 2);
  return new Promise((resolve) =>
    child.once('exit', (code, by) => {
      clearInterval(watch);
      resolve(code ?? by);
    }),
  );
}

async function vouch(...words: readonly string[]): Promise<{ code: number; io: FakeIo }> {
  const io = makeFakeIo({ VOUCH_TOKEN: library.token, VOUCH_STATE_DIR: state() });
  return { code: await main(words, io), io };
}

describe('a killed run', () => {
  test('leaves a ledger with which cleanup deletes its records, once', async () => {
    const before = library.size();
    expect(await endAfter(begin(), 'SIGKILL', 6)).toBe('SIGKILL');
    expect(library.size()).toBeGreaterThan(before);
    const listed = await vouch('cleanup', '--list');
    expect(listed.io.written.out).toMatch(
      /^vouch-[0-9a-f]{6} {2}http:\/\/127\.0\.0\.1:\d+\/v1 {2}less than a minute ago {2}\d+ records? or more: the run was interrupted\n$/,
    );
    expect(listed.io.written.err).toBe(
      'Delete the records with vouch cleanup RUN, or keep them and forget the ' +
        'run with vouch cleanup --forget RUN.\n',
    );
    const first = await vouch('cleanup');
    // What was on its way without a mark when the run was killed is told, and is nobody's to
    // delete.
    const unanswered = Number(
      /(\d+) (?:accepted )?requests? to/.exec(first.io.written.out)?.[1] ?? 0,
    );
    expect(first.io.written.out).toMatch(/ \d+ records? of books deleted[;\n]/);
    expect([first.code, first.io.written.err === '']).toEqual(
      unanswered === 0 ? [0, true] : [1, false],
    );
    expect(library.size() - before).toBeLessThanOrEqual(unanswered);
    if (unanswered > 0) await vouch('cleanup', '--forget');
    expect(await ledgers()).toEqual([]);
    const second = await vouch('cleanup');
    expect([second.code, second.io.written.out]).toEqual([
      0,
      'No run on this machine left any records.\n',
    ]);
  });

  test('reports records that cannot be found: without a mark and without a response', async () => {
    await endAfter(begin(), 'SIGKILL', 3);
    const [name = ''] = await ledgers();
    const file = join(state(), 'ledgers', name);
    const lines = (await readFile(file, 'utf8'))
      .split('\n')
      .filter((line) => !line.includes('"unmarked"'));
    const lost = {
      type: 'intended',
      write: 999,
      method: 'POST',
      url: `${library.url}/books`,
      unmarked: true,
    };
    const unnamed = { type: 'unidentified', request: `POST ${library.url}/loans` };
    const kept = lines.filter((line) => line !== '');
    await writeFile(file, [...kept, JSON.stringify(lost), JSON.stringify(unnamed), ''].join('\n'));
    const listed = await vouch('cleanup', '--list');
    expect(listed.io.written.out).toContain(', and 1 that no answer identifies');
    const { code, io } = await vouch('cleanup');
    expect(code).toBe(1);
    expect(io.written.out).toContain(
      `1 request to POST ${library.url}/books got no response; a ` +
        'record it created would carry no marker: check the newest records there; ' +
        `1 accepted request to POST ${library.url}/loans: the responses do not identify the ` +
        'created records\n',
    );
    expect(io.written.err).toBe(
      'Delete the remaining records by hand, then forget the run with vouch cleanup ' +
        '--forget RUN, or all runs with --forget.\n',
    );
    const { io: forgetting } = await vouch('cleanup', '--forget');
    expect(forgetting.written.out).toMatch(
      / {2}forgotten; \d+ records?, and 1 that no answer identifies( or more)? stay\n$/,
    );
    expect(await ledgers()).toEqual([]);
  });

  test('is found by its mark if a create had no response', async () => {
    const before = library.size();
    await endAfter(begin(), 'SIGKILL', 2);
    const [name = ''] = await ledgers();
    const file = join(state(), 'ledgers', name);
    // As if the process had ended before any answer.
    const written = (await readFile(file, 'utf8')).split('\n');
    const unmarked = written.filter((line) => line.includes('"unmarked"')).length;
    await writeFile(
      file,
      written
        .filter(
          (line) =>
            line.includes('"run"') || (line.includes('"intended"') && !line.includes('"unmarked"')),
        )
        .join('\n'),
    );
    expect((await vouch('cleanup')).code).toBe(0);
    // What bore no mark, and was on its way when the run was killed, is nobody's to find.
    expect(library.size() - before).toBeLessThanOrEqual(unmarked);
  });

  test('has a ledger without secrets for its owner, and cleanup uses --header', async () => {
    await endAfter(begin(), 'SIGKILL', 3);
    const [name = ''] = await ledgers();
    const text = await readFile(join(state(), 'ledgers', name), 'utf8');
    expect(text).not.toContain(library.token);
    expect(text).not.toMatch(/\?|The Long Road/);
    expect([
      (await stat(join(state(), 'ledgers', name))).mode & 0o777,
      (await stat(join(state(), 'ledgers'))).mode & 0o777,
    ]).toEqual([0o600, 0o700]);
    library.log.length = 0;
    await vouch('cleanup', '--header', 'X-Tenant: acme');
    expect(library.log.map(({ method }) => method)).toContain('DELETE');
    expect(library.log.filter(({ header }) => header('x-tenant') !== 'acme')).toEqual([]);
  });

  test('does not delete records that are no longer its own', async () => {
    await endAfter(begin(), 'SIGKILL', 12);
    await library.close();
    // A fresh server gives the same identifiers to other records.
    const url = library.url;
    library = await startLibrary();
    const made = await fetch(`${library.url}/books`, {
      method: 'POST',
      headers: { authorization: `Bearer ${library.token}`, 'content-type': 'application/json' },
      body: '{"title":"Mine","shelfId":1}',
    });
    expect(made.status).toBe(201);
    const [name = ''] = await ledgers();
    const file = join(state(), 'ledgers', name);
    await writeFile(file, (await readFile(file, 'utf8')).replaceAll(url, library.url));
    const before = library.size();
    const { code, io } = await vouch('cleanup');
    expect(library.size()).toBe(before);
    expect(code).toBe(1);
    expect(io.written.out).toMatch(
      / \d+ records? of books left: it does not bear the mark vouch-[0-9a-f]{6} any more, so it may be somebody else's[;\n]/,
    );
    const verbose = await vouch('cleanup', '--verbose');
    expect(verbose.io.written.out).toMatch(/ of books \(\d+(, \d+)*\) left: it does/);
  });
});

test('Ctrl-C cleans up, exits with 130 and leaves no ledger', async () => {
  const before = library.size();
  expect(await endAfter(begin(), 'SIGINT', 4)).toBe(130);
  expect(library.size()).toBe(before);
  expect(await ledgers()).toEqual([]);
});

test('a run without permission to delete records them, and cleanup deletes them', async () => {
  const before = library.size();
  await vouch(
    'check',
    library.url,
    join(folder, 'library.yaml'),
    '--include',
    'createBook',
    '--only',
    'no-server-error',
  );
  expect(library.size()).toBeGreaterThan(before);
  const stranger = makeFakeIo({ VOUCH_TOKEN: 'another', VOUCH_STATE_DIR: state() });
  const refused = await main(['cleanup'], stranger);
  expect([refused, stranger.written.out, stranger.written.err]).toEqual([
    1,
    expect.stringMatching(/its deletion returned 401\n$/),
    expect.stringMatching(
      /^The target rejected the credential.* set VOUCH_TOKEN.* and run vouch cleanup again\.\n$/,
    ),
  ]);
  expect((await vouch('cleanup')).code).toBe(0);
  expect(library.size()).toBe(before);
});

test('a run that wrote nothing has no ledger', async () => {
  await vouch('check', library.url, join(folder, 'library.yaml'), '--mode', 'read-only');
  expect(await ledgers()).toEqual([]);
});

test('a state folder that cannot be written is a warning', async () => {
  await writeFile(state(), '');
  const { code, io } = await vouch(
    'check',
    library.url,
    join(folder, 'library.yaml'),
    '--only',
    'no-server-error',
  );
  expect(code).toBe(0);
  expect(io.written.err.split('\n').map((line) => line.replace(/ in .*? \(/, ' in … ('))).toEqual([
    'What this run creates cannot be noted in … (ENOTDIR): should it be ' +
      'killed, vouch cleanup will not know of it.',
    'The findings cannot be remembered in … (ENOTDIR): vouch replay will ' +
      'need a report (--reporter json=report.json).',
    '',
  ]);
});
