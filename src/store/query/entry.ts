import type { JsonObject } from '../../json/value.ts';
import type { StoredRecord } from '../store.ts';

/**
 * A record and its place in the order of adding, which is nothing to whom the record is handed out.
 * Frozen.
 */
export class Entry implements StoredRecord {
  readonly id: string;
  readonly record: JsonObject;
  readonly #place: number;
  readonly #bytes: number;

  /** The record must be frozen. */
  constructor({ id, record }: StoredRecord, place: number, bytes = 0) {
    this.id = id;
    this.record = record;
    this.#place = place;
    this.#bytes = bytes;
    Object.freeze(this);
  }

  /** About what the record takes in memory; 0 for a fixture. */
  get bytes(): number {
    return this.#bytes;
  }

  get place(): number {
    return this.#place;
  }
}
