import type { Resource, Schema } from '../../contract/model.ts';
import type { JsonValue } from '../../json/value.ts';
import type { Shelf, Store } from '../../store/store.ts';
import { plainValue } from '../../values/plain-value.ts';
import { prefixOf } from './identifier-prefix.ts';
import { toInteger } from './known-values.ts';
import { fieldsOf } from './schema-fields.ts';

/** Where an identifier is needed. */
export interface IdentifierNeed {
  readonly resource: Resource;
  readonly store: Store;
  readonly shelf: Shelf;
  readonly makeId: () => string;
}

const mostAttempts = 100;

/**
 * Identifiers for a new record that keep their schema, one after the other: the caller takes the first that is free. Integers
 * come from the store's count, or where that has left what the contract allows, from the smallest upward.
 */
export async function* proposeIdentifiers(need: IdentifierNeed): AsyncGenerator<JsonValue> {
  const schema = fieldsOf(need.resource.record).get(need.resource.identifier.field)?.schema;
  if (need.resource.identifier.type === 'integer') yield* proposeIntegers(need, schema);
  else yield* proposeTexts(need, schema);
}

async function* proposeIntegers({ store, shelf }: IdentifierNeed, schema: Schema | undefined): AsyncGenerator<JsonValue> {
  const next = toInteger(await store.nextInteger(shelf));
  if (keeps(schema, next)) yield next;
  const taken = new Set((await store.list(shelf)).map(({ id }) => id));
  const least = schema?.flatten().node.minimum ?? 1;
  for (let candidate = BigInt(typeof least === 'number' ? Math.ceil(least) : least); keeps(schema, toInteger(candidate)); candidate += 1n) {
    if (!taken.has(String(candidate))) yield toInteger(candidate);
  }
}

async function* proposeTexts({ makeId }: IdentifierNeed, schema: Schema | undefined): AsyncGenerator<JsonValue> {
  const prefix = schema && prefixOf(schema);
  for (let attempt = 0; attempt < mostAttempts; attempt += 1) {
    const id = prefix === undefined ? makeId() : prefix + makeId().replaceAll('-', '');
    if (keeps(schema, id)) yield id;
    else yield* suggestText(schema, id);
  }
}

/** A text for a schema that takes no text of ours, such as one with a pattern. */
function* suggestText(schema: Schema | undefined, seed: string): Generator<JsonValue> {
  const made = schema && plainValue(schema, { seed, direction: 'response' });
  if (made?.ok === true) yield made.value;
}

function keeps(schema: Schema | undefined, id: JsonValue): boolean {
  return schema === undefined || schema.validate(id, 'response').length === 0;
}
