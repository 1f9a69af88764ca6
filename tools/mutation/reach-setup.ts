import { appendFileSync, readFileSync } from 'node:fs';
import { Session, type Profiler } from 'node:inspector';
import { relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, afterEach, beforeEach } from 'vitest';
import type { Positions, ReachLine } from './messages.ts';

/**
 * Writes down what each test executes, by V8's own count of blocks: a setup file of Vitest. It is
 * told by the environment where the mutants stand, and where to write.
 */
const { VOUCH_REACH_POSITIONS: from = '', VOUCH_REACH_LINES: to = '' } = process.env;
// The parent wrote the file.
const { size, positions } = JSON.parse(readFileSync(from, 'utf8')) as {
  size: number;
  positions: Positions;
};
const root = process.cwd();
const session = new Session();
session.connect();
session.post('Profiler.enable');
session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: true });

let file = '';
let started = 0;
beforeEach(({ task }) => {
  file = relative(root, task.file.filepath).replaceAll('\\', '/');
  write({ file, milliseconds: 0 });
  started = ownWork();
});
afterEach(({ task }) => {
  write({ file, test: task.id, milliseconds: Math.round(ownWork() - started) });
});
afterAll(() => {
  if (file !== '') write({ file, milliseconds: 0 });
});

function ownWork(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

interface Executed {
  readonly bits: Uint8Array;
  /** What stands in no function. */
  readonly imported: Uint8Array;
}

function write(line: Omit<ReachLine, 'bits'>): void {
  const [bits, imported] = [
    new Uint8Array(Math.ceil(size / 8)),
    new Uint8Array(Math.ceil(size / 8)),
  ];
  session.post('Profiler.takePreciseCoverage', (error, answer) => {
    if (error !== null) throw error;
    for (const script of answer.result) mark(script, { bits, imported });
  });
  tell({ ...line, bits: Buffer.from(bits).toString('base64') });
  // What the source imports when it first needs it is there for the tests that follow, too.
  if (line.test !== undefined && imported.some((byte) => byte !== 0))
    tell({ file: line.file, milliseconds: 0, bits: Buffer.from(imported).toString('base64') });
}

function tell(line: ReachLine): void {
  appendFileSync(to, `${JSON.stringify(line)}\n`);
}

function mark({ url, functions }: Profiler.ScriptCoverage, { bits, imported }: Executed): void {
  const own = url.startsWith('file:')
    ? positions[relative(root, fileURLToPath(url)).replaceAll('\\', '/')]
    : undefined;
  if (own === undefined) return;
  // Outer ranges come before inner ones, and inner ones are the more exact.
  const [counts, levels] = [new Uint8Array(own.length), new Uint8Array(own.length)];
  for (const { functionName, ranges } of functions) {
    const level = functionName === '' && ranges[0]?.startOffset === 0 ? 0 : 1;
    for (const { startOffset, endOffset, count } of ranges) {
      for (
        let at = firstFrom(own, startOffset);
        at < own.length && offsetAt(own, at) < endOffset;
        at += 1
      )
        [counts[at], levels[at]] = [Math.min(count, 1), level];
    }
  }
  for (const [at, [, index]] of own.entries()) {
    if (counts[at] !== 1) continue;
    set(bits, index);
    if (levels[at] === 0) set(imported, index);
  }
}

function set(bits: Uint8Array, index: number): void {
  bits[index >> 3] = (bits[index >> 3] ?? 0) | (1 << (index & 7));
}

type FilePositions = Positions[string];

/** The first position that is not before an offset. */
function firstFrom(own: FilePositions, offset: number): number {
  let [low, high] = [0, own.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (offsetAt(own, middle) < offset) low = middle + 1;
    else high = middle;
  }
  return low;
}

function offsetAt(own: FilePositions, at: number): number {
  return own[at]?.[0] ?? Infinity;
}
