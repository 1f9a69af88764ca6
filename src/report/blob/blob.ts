import type { RunEvent } from '../../check/model/event.ts';
import { writeJson } from '../../text/safe-text.ts';
import type { Reporter } from '../reporter.ts';
import { unanswered } from '../run-record.ts';

/** The first line of a blob. `blob` changes when an older vouch can no longer read the format. */
export const blobHead = { type: 'vouch-blob', blob: 1 } as const;

/**
 * For `vouch report`: every event without loss, one a line, so that any report can be made later.
 */
export const blob = {
  id: 'blob',
  description: 'for vouch report: the whole run without loss, to be merged or shown again',
  live: true,
  begin: () => {
    let isFirst = true;
    return (event) => {
      const head = isFirst ? line(blobHead) : '';
      isFirst = false;
      return head + lineOf(event);
    };
  },
} as const satisfies Reporter;

function lineOf(event: RunEvent): string {
  switch (event.type) {
    case 'run-started':
    case 'operation-skipped':
    case 'plan-made':
    case 'exchange-recorded':
    case 'finding-reported':
    case 'gap-observed':
    case 'difference-found':
    case 'record-left':
    case 'check-crashed':
    case 'run-finished':
      return line(toPlainData(event));
    default:
      return unanswered(event);
  }
}

function line(value: unknown): string {
  return `${writeJson(value)}\n`;
}

/** JSON data that `JSON.parse` and `JSON.stringify` preserve. */
export type PlainData =
  null | boolean | number | string | readonly PlainData[] | { readonly [key: string]: PlainData };

/**
 * Members for values that JSON does not have; an object that has one of these names is written as a
 * list of pairs.
 */
const marks = ['$bytes', '$integer', '$pairs'];

/**
 * Data as JSON, without loss: bytes become `{"$bytes": base64}`, big integers `{"$integer":
 * digits}`. Undefined members are omitted.
 */
export function toPlainData(value: unknown): PlainData {
  if (
    value === null ||
    typeof value === 'boolean' ||
    typeof value === 'number' ||
    typeof value === 'string'
  )
    return value;
  if (typeof value === 'bigint') return { $integer: value.toString() };
  if (value instanceof Uint8Array)
    return {
      $bytes: Buffer.from(value.buffer, value.byteOffset, value.byteLength).toString('base64'),
    };
  if (Array.isArray(value)) return value.map(toPlainData);
  if (typeof value !== 'object') return null;
  const entries = Object.entries(value)
    .filter(([, member]) => member !== undefined)
    .map(([key, member]) => [key, toPlainData(member)] as const);
  return entries.some(([key]) => marks.includes(key))
    ? { $pairs: entries }
    : Object.fromEntries(entries);
}

/** The inverse of `toPlainData`. */
export function fromPlainData(data: PlainData): unknown {
  if (data === null || typeof data !== 'object') return data;
  if (isList(data)) return data.map(fromPlainData);
  const { $bytes, $integer, $pairs } = data;
  if (typeof $bytes === 'string') return new Uint8Array(Buffer.from($bytes, 'base64'));
  if (typeof $integer === 'string' && /^-?\d+$/.test($integer)) return BigInt($integer);
  const entries =
    $pairs !== undefined && isList($pairs)
      ? $pairs.flatMap((pair) =>
          isList(pair) && typeof pair[0] === 'string' ? [[pair[0], pair[1] ?? null] as const] : [],
        )
      : Object.entries(data);
  return Object.fromEntries(entries.map(([key, member]) => [key, fromPlainData(member)]));
}

/** `Array.isArray` does not narrow to a readonly list. */
function isList(data: PlainData): data is readonly PlainData[] {
  return Array.isArray(data);
}
