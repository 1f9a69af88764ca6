import type { Resource } from '../../../contract/model.ts';
import { expansionsOf, type Navigation } from '../../../contract/protocols/expansion.ts';
import { type JsonObject, membersWhere } from '../../../json/value.ts';

/**
 * A made-up record without what OData shows only on request, or adds itself: the members with other
 * records, which an expansion finds by references, and control information such as `@odata.etag`.
 */
export function withoutExpansions(
  record: JsonObject,
  resource: Resource,
  resources: readonly Resource[],
): JsonObject {
  const [expansion] = expansionsOf(resource, resources);
  if (expansion === undefined) return record;
  const { required } = resource.record.flatten();
  const found = expansion.navigations.filter((one) => isFound(one, resource));
  const isLeftOut = (name: string): boolean =>
    !required.has(name) && (name.startsWith('@') || found.some((one) => one.name === name));
  return membersWhere(record, (name) => !isLeftOut(name));
}

/** Whether references lead from a record to those that a member holds, or from them to it. */
function isFound({ resource: named, many, own }: Navigation, resource: Resource): boolean {
  const [from, to] = many ? [named, resource] : [resource, named];
  return own !== undefined || from.foreignKeys.some((key) => key.resource === to && !key.many);
}
