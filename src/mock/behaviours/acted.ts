import { lastWord } from '../../contract/infer/conventions/path-styles.ts';
import { wordsOf } from '../../contract/infer/infer-names.ts';
import type { Resource } from '../../contract/model.ts';
import { bodyTagOf } from '../../contract/protocols/body-tag.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../../json/value.ts';
import type { ValidRequest } from '../model/behaviour.ts';
import { actOf } from '../records/make/state-moments.ts';
import { isMoment, shapeOf, writeMoment } from '../records/record-fields.ts';

/** The members of the body of an action that records of the resource have: `carrier` of a shipment. */
export function actedMembers({ body = null }: ValidRequest, resource: Resource): JsonObject {
  const { fields } = shapeOf(resource);
  if (!isJsonObject(body)) return {};
  const ofService = [resource.identifier.field, bodyTagOf(resource)?.field];
  return Object.fromEntries(
    Object.entries(body).filter(
      ([name, value]) =>
        !ofService.includes(name) &&
        fields.get(name)?.schema.validate(value, 'response').length === 0,
    ),
  );
}

/**
 * The moment of an action in the fields that are called after it, or after the state that it sets:
 * `retire_time` of `:retire`, `paidAt` of the state `paid`.
 */
export function actedMoments(
  { plan: { operation }, now }: ValidRequest,
  resource: Resource,
  state: JsonValue,
): JsonObject {
  const verb = operation.path.split(':').at(-1) ?? '';
  const names = [String(state), lastWord(operation.path), verb].map((name) =>
    wordsOf(name).join(' '),
  );
  const own = [...shapeOf(resource).fields.values()].filter(
    (field) => isMoment(field) && names.includes(actOf(field)),
  );
  return Object.fromEntries(own.map((field) => [field.name, writeMoment(field, now)]));
}
