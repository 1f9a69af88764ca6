import type { Filter } from '../../../contract/model.ts';
import { equalJson } from '../../../json/equal-json.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../../../json/value.ts';
import type { Case } from '../../model/case.ts';
import { makeCreate } from '../boundary.ts';
import type { DraftBody } from '../draft.ts';
import { draftOf, plainIntent, type PlanContext } from '../plan-context.ts';
import type { Listing } from './listing.ts';

/** So many records come to three pages of two, of which the last is not full. */
const enough = 5;

/**
 * A few records to be shown in pages; none where the run may make none. They are alike in what the
 * list filters by, and have what the plain record has not: later on they are few among many, and
 * are sooner shown to the last.
 */
export function pageRecords(context: PlanContext, { resource, shape }: Listing): Case[] {
  const create = draftOf(context, resource.operations.create);
  if (create?.body === undefined) return [];
  const value = shape.filters.reduce(
    (body, filter) => apart(body, filter, create.body),
    create.body.value,
  );
  return Array.from({ length: enough }, (_record, index) =>
    makeCreate(context, create, {
      title: `record ${String(index + 1)} of ${String(enough)} is created to be shown in pages`,
      value,
      intent: plainIntent(create),
      phase: 'sequence',
    }),
  );
}

/**
 * The body with the last of the values that a filter lists; the very same where that is not another
 * one, or not allowed.
 */
function apart(
  body: JsonValue,
  { field, parameter, member }: Filter,
  draft: DraftBody | undefined,
): JsonValue {
  if (!isJsonObject(body) || body[field] === undefined || member !== undefined) return body;
  const { node, types } = parameter.schema.flatten();
  const listed = node.enum ?? (types.includes('boolean') ? [true, false] : []);
  const other = listed.findLast(
    (value) => value !== null && !equalJson(value, body[field] ?? null),
  );
  const changed: JsonObject | undefined =
    other === undefined ? undefined : { ...body, [field]: other };
  return changed === undefined || draft?.schema?.accepts(changed, 'request') !== true
    ? body
    : changed;
}
