import type { JsonObject } from '../../json/value.ts';
import type { StoredRecord } from '../store.ts';

/** A record and its place in the order of adding, which is nothing to whom the record is handed out. Frozen. */
export class Entry implements StoredRecord {
  readonly id: string;
  readonly record: JsonObject;
  readonly #place: number;

  /** The record must be frozen. */
  constructor({ id, record }: StoredRecord, place: number) {
    this.id = id;
    this.record = record;
    this.#place = place;
    Object.freeze(this);
  }

  get place(): number {
    return this.#place;
  }
}
