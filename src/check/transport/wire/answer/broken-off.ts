import type { Fault } from './breaches.ts';
import type { ResponseReader } from './response-reader.ts';

/** What a connection that ended before its answer did is: nothing at all came, or a part. */
export function brokenOff(reader: ResponseReader): Fault {
  if (reader.received === 0)
    return {
      kind: 'connection.reset',
      message: 'the server closed the connection without an answer.',
    };
  return {
    kind: 'connection.truncated',
    message: `the server broke the answer off ${progressOf(reader)}.`,
  };
}

/** What the deadline cut off. */
export function outOfTime(reader: ResponseReader, timeoutMs: number): Fault {
  const progress = reader.received === 0 ? ', before any answer' : ` ${progressOf(reader)}`;
  return {
    kind: 'timeout',
    message: `nothing whole came within ${String(timeoutMs)} ms${progress}.`,
  };
}

function progressOf(reader: ResponseReader): string {
  if (reader.status === undefined) return `in its header, after ${countBytes(reader.received)}`;
  const expected = reader.bodyExpected === undefined ? '' : ` of ${String(reader.bodyExpected)}`;
  return `after status ${String(reader.status)} and ${reader.bodyExpected === undefined ? countBytes(reader.bodyReceived) : `${String(reader.bodyReceived)}${expected} bytes`} of the body`;
}

function countBytes(count: number): string {
  return `${String(count)} ${count === 1 ? 'byte' : 'bytes'}`;
}
