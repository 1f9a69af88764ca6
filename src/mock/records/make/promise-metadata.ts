import { lastWord } from '../../../contract/infer/conventions/path-styles.ts';
import { singularOf } from '../../../contract/infer/infer-names.ts';
import type { Resource, Schema } from '../../../contract/model.ts';
import { promise } from '../../../contract/protocols/long-running.ts';
import { factIn, fieldTexts } from '../../../contract/words/facts.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../../../json/value.ts';
import { fieldsOf, type SchemaField, writeMoment } from '../record-fields.ts';

/** The record that a long-running operation is about, and when it begins. */
interface Begun {
  readonly resource: Resource;
  readonly record: JsonObject;
  readonly now: Date;
}

/**
 * A long-running operation whose metadata name the record that it is about and the moment of its
 * beginning, where a description or a name says so (Google AIP-151).
 */
export function withMetadata(operation: JsonObject, schema: Schema, begun: Begun): JsonObject {
  const { [promise.metadata]: before = null } = operation;
  const metadata = fieldsOf(schema).get(promise.metadata);
  if (metadata === undefined || !isJsonObject(before)) return operation;
  const known = [...fieldsOf(metadata.schema).values()].flatMap((field) => {
    const value = valueOf(field, begun);
    const isFit = value !== undefined && field.schema.accepts(value, 'response');
    return isFit ? [[field.name, value] as const] : [];
  });
  return { ...operation, [promise.metadata]: { ...before, ...Object.fromEntries(known) } };
}

function valueOf(field: SchemaField, { resource, record, now }: Begun): JsonValue | undefined {
  if (field.moment === 'creation') return writeMoment(field, now);
  const named = factIn(fieldTexts(field.flat), 'names-record')?.value ?? '';
  const nouns = [singularOf(lastWord(resource.collectionPath)), 'target'];
  return nouns.includes(singularOf(named)) ? record[resource.identifier.field] : undefined;
}
