import { VouchError } from '../errors.ts';
import { jsonBytes, jsonLength, type JsonObject } from '../json/value.ts';
import type { StoredRecord } from './store.ts';

/** How much a store holds. */
export interface StoreLimits {
  /**
   * Sessions that have changed something; one more, and the one that was unused for the longest
   * starts anew. 10,000 unless told.
   */
  readonly sessions?: number;
  /** Records that were added, over all sessions; fixtures do not count. 1,000,000 unless told. */
  readonly records?: number;
  /**
   * Bytes of memory that added and changed records may take in this process, over all sessions,
   * roughly. Fixtures do not count. 256 MiB unless told.
   */
  readonly bytes?: number;
  /** The length of one record's JSON text, roughly. A little more than 1 MiB unless told. */
  readonly record?: number;
}

const mebibyte = 1024 * 1024;
/** What the service itself may add to a record that a client sent. */
const recordSlack = 64 * 1024;

/** The limits where nobody set any. */
export const usualLimits: Required<StoreLimits> = {
  sessions: 10_000,
  records: 1_000_000,
  bytes: 256 * mebibyte,
  record: mebibyte + recordSlack,
};

/** The largest record where bodies are limited to so many bytes. */
export function recordLimitFor(bodyLimit: number): number {
  return bodyLimit + recordSlack;
}

/** Throws where a record is longer than it may be. */
export function refuseLong({ id, record }: StoredRecord, most: number): void {
  if (jsonLength(record, most) <= most) return;
  throw new VouchError(
    'record-too-large',
    `The record ${id.slice(0, 60)} would be longer than ${String(most)} bytes, the most allowed.`,
    {
      hint: 'Send a smaller change, or start the mock with a greater body limit.',
    },
  );
}

/** About what an entry takes beside its record: its place in the indexes. */
const entryBytes = 200;

/** About how many bytes of memory a kept record takes. */
export function bytesOf(record: JsonObject): number {
  return entryBytes + jsonBytes(record);
}

/** What is thrown where records would take more memory than they may. */
export function outOfBytes(most: number): VouchError {
  return new VouchError(
    'store-out-of-bytes',
    `Added and changed records take all of the ${String(most)} bytes that they may take.`,
    {
      hint: 'Delete records, reset the mock, or start it with a greater --max-bytes.',
    },
  );
}
