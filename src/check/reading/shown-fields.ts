import { recordPlace, successSchema } from '../../contract/infer/conventions/envelope-styles.ts';
import { describesSame, oncePerResource } from '../../contract/infer/record-fields.ts';
import type { Operation, Resource, Schema } from '../../contract/model.ts';
import { equalJson } from '../../json/equal-json.ts';
import type { JsonObject, JsonValue } from '../../json/value.ts';
import { isJsonArray, isJsonObject, stringifyJson, objectOf } from '../../json/value.ts';
import type { CreatedField, RunKnowledge } from '../model/knowledge.ts';
import type { Role, Step } from '../model/step.ts';
import { listedRecords, shownRecord } from './shown-records.ts';

/** Whether a value has content: servers omit null, false, 0 and empty values. */
export function saysSomething(value: JsonValue | undefined): boolean {
  if (value === undefined || value === null || value === false || value === 0) return false;
  if (typeof value === 'string') return value.trim() !== '';
  return isJsonArray(value)
    ? value.length > 0
    : !isJsonObject(value) || Object.keys(value).length > 0;
}

/**
 * Collects which fields of its records a target shows, by `shownFieldKey`: a field that it shows
 * for one record would be shown for others too.
 */
export class ShownFields {
  readonly #shown = new Set<string>();
  readonly #open = new Map<Resource, Set<string>>();

  get shown(): RunKnowledge['shownFields'] {
    return this.#shown;
  }

  /** Adds a successful step, in any order; `role` is that of its operation. */
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

/**
 * The schemas in which the operations of a resource show one record: as an entry of the list, and
 * in other responses, in an envelope or not.
 */
export const shownForms = oncePerResource(readForms);

function readForms(resource: Resource): readonly Schema[] {
  const { list: _list, delete: _deletion, ...others } = resource.operations;
  return [
    resource.record,
    ...Object.values(others).flatMap((operation) => formOf(operation, resource) ?? []),
  ];
}

/**
 * Whether the success of an operation is a record of a resource: a response of another shape may
 * use the same names for something else.
 */
export function answersRecord(operation: Operation, { record }: Resource): boolean {
  const shown = recordPlace(operation, record)?.schema;
  if (shown === undefined) return false;
  return describesSame(shown, record) || shown.flatten().pointer === record.flatten().pointer;
}

/** A response shows a record if it, or one of its members, has the record's identifier. */
function formOf(
  operation: Operation,
  { kind, identifier: { field } }: Resource,
): Schema | undefined {
  const schema = successSchema(operation);
  if (schema === undefined || kind === 'singleton' || schema.flatten().properties.has(field))
    return schema;
  const members = [...schema.flatten().properties.values()].map((place) => schema.part(place));
  return members.find((member) => member.flatten().properties.has(field));
}

/**
 * Collects what the creates of a run show of each field, by `shownFieldKey`: whether a value that
 * was sent came back, and whether the service chose different values itself.
 */
export class CreatedFields {
  readonly #fields = new Map<string, { isKept: boolean; own: Set<string> }>();

  get fields(): ReadonlyMap<string, CreatedField> {
    return this.#fields;
  }

  /** Adds an accepted create, in any order. */
  note({ sent, answer }: Step, resource: Resource): void {
    const record = shownRecord(resource, answer);
    if (record === undefined) return;
    const body = objectOf(sent.body);
    for (const [name, value] of Object.entries(record)) {
      if (!saysSomething(value)) continue;
      const key = shownFieldKey(resource, name);
      const known = this.#fields.get(key) ?? { isKept: false, own: new Set() };
      this.#fields.set(key, known);
      if (known.isKept) continue;
      if (Object.hasOwn(body, name) && equalJson(body[name] ?? null, value)) known.isKept = true;
      else if (known.own.size < enoughValues) known.own.add(stringifyJson(value));
    }
  }
}

/** Two values are enough to show a difference. */
const enoughValues = 2;
