import { ownName } from '../../../contract/infer/record-fields.ts';
import type { Schema } from '../../../contract/model.ts';
import { bodySchema } from '../../../contract/model/operation.ts';
import { memberSchema } from '../../../contract/schema/member-schema.ts';
import { shownBy } from '../../../contract/schema/shown-values.ts';
import { equalJson } from '../../../json/equal-json.ts';
import { isJsonArray, isJsonObject, type JsonValue } from '../../../json/value.ts';
import { fieldValue } from '../../../store/field-values.ts';
import type { Concern } from '../../model/request.ts';
import { wrapperOf } from './request-members.ts';

/**
 * The place of a field in the body, which may have an envelope around the record, and may have its
 * fields without the group in which the record keeps them.
 */
export function placeInBody(field: string, { request, resource }: Concern): string {
  const around = wrapperOf(request.plan, resource)?.name;
  const schema = bodySchema(request.plan.operation);
  const names = [field, ownName(resource.record, field)];
  const places = names.map((name) => (around === undefined ? name : `${around}.${name}`));
  const isThere = (place: string): boolean =>
    schema !== undefined && memberSchema(schema, place.split('.')) !== undefined;
  return places.find(isThere) ?? places[0] ?? field;
}

/** Whether an example of the body, or its schema, shows a value in a field of the record. */
export function isShownInBody(value: JsonValue, field: string, taking: Concern): boolean {
  const path = placeInBody(field, taking);
  const content = taking.request.plan.operation.requestBody?.content ?? [];
  const shown = content.flatMap(({ schema, examples }) => {
    const bodies = [...examples.map(({ value: body }) => body), ...shownAt(schema, [])];
    const members = bodies.flatMap((body) =>
      isJsonObject(body) ? (fieldValue(body, path) ?? []) : [],
    );
    return [...members, ...shownAt(schema, path.split('.'))];
  });
  return shown.some((one) =>
    isJsonArray(one) ? one.some((item) => equalJson(item, value)) : equalJson(one, value),
  );
}

/** The values that the schema of a member shows, and its default. */
function shownAt(schema: Schema | undefined, names: readonly string[]): JsonValue[] {
  const node = schema && memberSchema(schema, names)?.node;
  return node === undefined ? [] : [node.default ?? null, ...shownBy(node)];
}
