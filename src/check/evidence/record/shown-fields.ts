import type { Resource } from '../../../contract/model.ts';
import { isJsonArray, isJsonObject, type JsonObject, type JsonValue } from '../../../json/value.ts';
import type { RunKnowledge } from '../../model/knowledge.ts';
import type { Role, Step } from '../../model/step.ts';
import { listedRecords, shownRecord } from './shown-records.ts';

/**
 * Whether a value says something: servers leave out of their answers what is null, false, 0 or
 * empty.
 */
export function saysSomething(value: JsonValue | undefined): boolean {
  if (value === undefined || value === null || value === false || value === 0) return false;
  if (typeof value === 'string') return value.trim() !== '';
  return isJsonArray(value)
    ? value.length > 0
    : !isJsonObject(value) || Object.keys(value).length > 0;
}

/**
 * Gathers which fields of its records a target shows, by `shownFieldKey`: what it shows for one
 * record it would show for another that has it.
 */
export class ShownFields {
  readonly #shown = new Set<string>();
  readonly #open = new Map<Resource, Set<string>>();

  get shown(): RunKnowledge['shownFields'] {
    return this.#shown;
  }

  /**
   * Takes in a step that was answered with a success, in any order; `role` is that of its
   * operation.
   */
  note(step: Step, { resource, action }: Role): void {
    if (step.case.intent.kind !== 'valid') return;
    let open = this.#open.get(resource);
    if (open === undefined)
      this.#open.set(resource, (open = new Set(resource.record.flatten().properties.keys())));
    // Most fields are shown by the first record.
    if (open.size === 0) return;
    const records =
      (action === 'list'
        ? listedRecords(resource, step.answer)
        : [shownRecord(resource, step.answer)]) ?? [];
    for (const record of records)
      if (record !== undefined) this.#noteRecord(resource, open, record);
  }

  #noteRecord(resource: Resource, open: Set<string>, record: JsonObject): void {
    for (const field of open) {
      if (!Object.hasOwn(record, field) || !saysSomething(record[field])) continue;
      open.delete(field);
      this.#shown.add(shownFieldKey(resource, field));
    }
  }
}

/** A field of a resource's records, as a text. */
export function shownFieldKey({ name }: Resource, field: string): string {
  return `${name} ${field}`;
}
