import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { openFileLedger, readLedgers } from '../../../src/library/state/file-ledger.ts';
import type { KnownRun } from '../../../src/library/state/run-memory.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'vouch-ledger-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const run: KnownRun = {
  id: 'vouch-abcdef',
  target: 'http://127.0.0.1:1',
  servers: {},
  mode: 'read-write',
  seed: 'x',
  startedAt: '2026-01-02T03:04:05.678Z',
  contract: { title: 'Things', version: '1', file: 'things.yaml' },
};
const write = { write: 1, method: 'POST', url: 'http://127.0.0.1:1/things' };
const refuse = (message: string): void => expect.unreachable(message);

function linesIn(): string[] {
  const [file = ''] = readdirSync(join(folder, 'ledgers'));
  return readFileSync(join(folder, 'ledgers', file), 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => String((JSON.parse(line) as { type: string }).type));
}

describe('a ledger in a file', () => {
  test('has the note of a write when it returns, after all earlier ones', () => {
    const ledger = openFileLedger(folder, run, refuse);
    ledger.intend(write);
    expect(linesIn()).toEqual(['run', 'intended']);
    ledger.settle({ type: 'answered', write: 1, status: 201 });
    ledger.settle({
      type: 'created',
      record: { resource: 'thing', identifier: '7', parents: [], marked: true },
    });
    ledger.intend({ ...write, write: 2 });
    expect(linesIn()).toEqual(['run', 'intended', 'answered', 'created', 'intended']);
  });

  test('has the result of a write a moment later', async () => {
    const ledger = openFileLedger(folder, run, refuse);
    ledger.intend(write);
    ledger.settle({ type: 'unanswered', write: 1, reason: 'timeout' });
    await new Promise((resolve) => void setImmediate(resolve));
    expect(linesIn()).toEqual(['run', 'intended', 'unanswered']);
  });

  test('stays if records were left, and states that the run ended', async () => {
    const ledger = openFileLedger(folder, run, refuse);
    ledger.intend(write);
    await ledger.finish(true);
    expect(linesIn()).toEqual(['run', 'intended', 'finished']);
  });

  test('is deleted if nothing was left', async () => {
    const ledger = openFileLedger(folder, run, refuse);
    ledger.intend(write);
    await ledger.finish(false);
    expect(readdirSync(join(folder, 'ledgers'))).toEqual([]);
  });

  test('of a run without writes is never created', async () => {
    await openFileLedger(folder, run, refuse).finish(false);
    expect(existsSync(join(folder, 'ledgers'))).toBe(false);
  });

  test('that cannot be written is reported once, and does not stop the run', async () => {
    writeFileSync(join(folder, 'ledgers'), '');
    const told: string[] = [];
    const ledger = openFileLedger(folder, run, (message) => told.push(message));
    ledger.intend(write);
    ledger.intend({ ...write, write: 2 });
    await ledger.finish(true);
    expect(told.map((message) => message.replace(folder, 'STATE'))).toMatchInlineSnapshot(`
      [
        "What this run creates cannot be noted in
        ↳ STATE/ledgers/20260102030405678-vouch-abcdef.ndjson (EEXIST):
        ↳ should it be killed, vouch cleanup will not know of it.",
      ]
    `);
  });
});

test('a possible record of a request without a response is known to the next command', async () => {
  const ledger = openFileLedger(folder, run, refuse);
  ledger.intend(write);
  ledger.settle({ type: 'answered', write: 1, status: 204 });
  ledger.settle({ type: 'unidentified', request: 'POST http://127.0.0.1:1/things' });
  await ledger.finish(true);
  const [unfinished] = await readLedgers(folder);
  expect(unfinished?.left.unidentified).toEqual(['POST http://127.0.0.1:1/things']);
});
