import { resourceIdentifiedBy } from '../../contract/infer/shared-identifiers.ts';
import type { Resource } from '../../contract/model.ts';
import { namesChange } from '../../contract/words/names.ts';
import type { JsonObject, JsonValue } from '../../json/value.ts';
import type { Store } from '../../store/store.ts';
import type { ValidRequest } from '../model/behaviour.ts';
import { oncePerPlan } from '../records/find-record.ts';
import { areOrdered, laterIdentifiers } from '../records/identifier/ordered-identifier.ts';
import { isOfService } from '../records/make/request-members.ts';
import {
  fieldsOf,
  isMoment,
  isSameSchema,
  type SchemaField,
  shapeOf,
  writeMoment,
} from '../records/record-fields.ts';
import { visible } from '../records/show/present-record.ts';
import { firstOf } from './named-lists.ts';

interface Changing {
  readonly request: ValidRequest;
  readonly resource: Resource;
  readonly store: Store;
}

/** A changed record with who changed it last and when, where an object of it tells that. */
export async function withLastChange(record: JsonObject, changing: Changing): Promise<JsonObject> {
  const { request, resource } = changing;
  let told = record;
  for (const field of lastChanges(request.plan, resource)) {
    const members = await membersOf(field, changing);
    const whole = { ...told, [field.name]: members };
    if (resource.record.validate(visible(whole), 'response').length === 0) told = whole;
  }
  return told;
}

/** The objects of a record that tell of its last change, such as `edited`. */
const lastChanges = oncePerPlan((plan, resource) =>
  [...shapeOf(resource).fields.values()].filter(
    (field) =>
      field.flat.types.join() === 'object' &&
      namesChange(field.normalised) &&
      isOfService(field, plan),
  ),
);

async function membersOf({ schema }: SchemaField, changing: Changing): Promise<JsonObject> {
  const members: [string, JsonValue][] = [];
  for (const field of fieldsOf(schema).values()) {
    const value = await memberOf(field, changing);
    if (value !== undefined) members.push([field.name, value]);
  }
  return Object.fromEntries(members);
}

async function memberOf(
  field: SchemaField,
  { request, resource, store }: Changing,
): Promise<JsonValue | undefined> {
  const { schema } = field;
  if (field.moment !== undefined || isMoment(field)) return writeMoment(field, request.now);
  const own = shapeOf(resource).fields.get(resource.identifier.field);
  // Identifiers that say when a record was made have the form of a time.
  if (own !== undefined && areOrdered(resource) && isSameSchema(own.schema, schema))
    return laterIdentifiers([], request.now).find((text) => schema.accepts(text, 'response'));
  const named = resourceIdentifiedBy(schema, schema, request.plan.resources());
  return named && firstOf(named, request.session, store);
}
