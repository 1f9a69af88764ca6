import { pathKeyOf } from '../../../contract/infer/path-key.ts';
import { oncePerResource } from '../../../contract/infer/record-fields.ts';
import type { Resource, Schema } from '../../../contract/model.ts';
import { bodySchema } from '../../../contract/model/operation.ts';
import { memberSchema } from '../../../contract/schema/member-schema.ts';
import { uniqueFields, uniqueOfService } from '../../../contract/words/read-unique.ts';
import type { JsonObject } from '../../../json/value.ts';
import { fieldValue } from '../../../store/field-values.ts';
import { type Collection, type MaybePromise, type Store, whenReady } from '../../../store/store.ts';
import { plainValue } from '../../../values/plain-value.ts';
import { withField } from '../parent-fields.ts';

/** The fields whose values differ between the records of a resource. */
const uniqueNames = oncePerResource((resource) => {
  const key = pathKeyOf(resource);
  const { create } = resource.operations;
  const body = create && bodySchema(create);
  const told =
    create === undefined || body === undefined
      ? []
      : uniqueFields(create, body).map(({ name }) => name);
  const own = uniqueOfService(resource.record);
  return [...(key === undefined ? [] : [key]), ...own, ...told].filter(
    (name) => name !== resource.identifier.field,
  );
});

/** Where a new record is added, and the members that the client gave it. */
interface Addition {
  readonly store: Store;
  readonly collection: Collection;
  readonly given: JsonObject;
}

/**
 * A new record with values that no other record has, in the fields that the client does not send:
 * a key by which paths find it, and what the service sets and descriptions call unique. A text with
 * a number at its end gets the next one.
 */
export function withFreeValues(
  record: JsonObject,
  resource: Resource,
  { store, collection, given }: Addition,
): MaybePromise<JsonObject> {
  const names = uniqueNames(resource).filter(
    (name) => typeof fieldValue(record, name) === 'string' && fieldValue(given, name) === undefined,
  );
  if (names.length === 0) return record;
  return whenReady(store.list(collection), (others) =>
    names.reduce((made, name) => {
      const held = new Set(others.map((other) => fieldValue(other.record, name)));
      return withFreeValue(made, name, { resource, held });
    }, record),
  );
}

interface Beside {
  readonly resource: Resource;
  /** The values of the other records. */
  readonly held: ReadonlySet<unknown>;
}

/** At most so many other texts are tried for a value without a number. */
const maxTexts = 20;

function withFreeValue(record: JsonObject, name: string, { resource, held }: Beside): JsonObject {
  const text = String(fieldValue(record, name));
  const place = memberSchema(resource.record, name.split('.'));
  if (!held.has(text) || place === undefined) return record;
  const schema = resource.record.part(place);
  for (const free of nextTexts(text, schema, held.size))
    if (!held.has(free) && schema.accepts(free, 'response'))
      return withField(record, name.split('.'), free);
  return record;
}

/** The texts with the next numbers, `2026-0002` after `2026-0001`; else others of the schema. */
function* nextTexts(text: string, schema: Schema, count: number): Generator<string> {
  const [digits] = /\d{1,30}$/.exec(text) ?? [];
  for (let index = 1; digits !== undefined && index <= count; index += 1) {
    const number = String(BigInt(digits) + BigInt(index));
    yield text.slice(0, -digits.length) + number.padStart(digits.length, '0');
  }
  for (let index = 0; digits === undefined && index < maxTexts; index += 1) {
    const seed = `${text} ${String(index)}`;
    const made = plainValue(schema, { seed, direction: 'response', required: 'only' });
    if (made.ok) yield String(made.value);
  }
}
