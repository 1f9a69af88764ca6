import type { Schema } from '../../../contract/model.ts';
import type { JsonObject, JsonValue } from '../../../json/value.ts';
import { plainValue } from '../../../values/plain-value.ts';
import { fitValue } from '../make/fit-value.ts';
import { fieldsOf, isOpen, type SchemaField } from '../schema-fields.ts';

/**
 * A record as an answer's schema wants to see it: as it is where the schema takes it, else with
 * what the schema does not name left out and what it requires added; wrapped where the schema has
 * it in one member. Undefined where none of it helps.
 */
export function presentRecord(
  schema: Schema,
  record: JsonObject,
  seed: string,
): JsonValue | undefined {
  const plain = [() => record, () => fitted(schema, record, seed)];
  const wrap = (): JsonObject | undefined => wrapped(schema, record, seed);
  // An open envelope takes any object, so what the names say counts before what the schema takes.
  // What a list shows in short, another answer has in full: what is known is completed, for it must
  // not be told otherwise.
  const ways = sharesNames(schema, record)
    ? [...plain, wrap, () => fitValue(schema, record, seed)]
    : [wrap];
  for (const present of ways) {
    const value = present();
    if (value !== undefined && schema.validate(value, 'response').length === 0) return value;
  }
  return undefined;
}

/**
 * Whether a record has a member that the schema names; an object without named members has room for
 * any.
 */
export function sharesNames(schema: Schema, record: JsonObject): boolean {
  const fields = fieldsOf(schema);
  if (fields.size === 0) return true;
  // Asked of every record that is shown, and the first member will do: `for…in` makes no list of
  // them.
  for (const name in record) if (Object.hasOwn(record, name) && fields.has(name)) return true;
  return false;
}

function fitted(schema: Schema, record: JsonObject, seed: string): JsonObject | undefined {
  const fields = fieldsOf(schema);
  if (fields.size === 0 || !sharesNames(schema, record)) return undefined;
  const kept = Object.entries(record).filter(
    ([name]) => fields.get(name)?.writeOnly !== true && (fields.has(name) || isOpen(schema)),
  );
  const missing = [...fields.values()].filter(
    ({ name, required }) => required && !Object.hasOwn(record, name),
  );
  return { ...Object.fromEntries(kept), ...makeMembers(missing, seed) };
}

function wrapped(schema: Schema, record: JsonObject, seed: string): JsonObject | undefined {
  const fields = [...fieldsOf(schema).values()];
  for (const field of fields) {
    // A member that has less of the record than what is around it holds something else.
    if (
      fieldsOf(field.schema).size === 0 ||
      sharedNames(field.schema, record) < sharedNames(schema, record)
    )
      continue;
    const inner = [record, fitted(field.schema, record, seed)].find(
      (value) => value !== undefined && field.schema.validate(value, 'response').length === 0,
    );
    if (inner === undefined) continue;
    const others = fields.filter(({ name, required }) => required && name !== field.name);
    return { [field.name]: inner, ...makeMembers(others, seed) };
  }
  return undefined;
}

function sharedNames(schema: Schema, record: JsonObject): number {
  const fields = fieldsOf(schema);
  return Object.keys(record).filter((name) => fields.has(name)).length;
}

function makeMembers(fields: readonly SchemaField[], seed: string): JsonObject {
  return Object.fromEntries(
    fields.flatMap(({ name, schema }) => {
      const made = plainValue(schema, {
        seed: `${seed} ${name}`,
        direction: 'response',
        required: 'only',
      });
      return made.ok ? [[name, made.value] as const] : [];
    }),
  );
}
