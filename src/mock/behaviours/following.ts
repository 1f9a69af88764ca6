import type { CopyField, Resource } from '../../contract/model.ts';
import { equalJson } from '../../json/equal-json.ts';
import { isJsonObject, type JsonObject } from '../../json/value.ts';
import type { Asking } from '../model/request.ts';
import type { Convention } from '../phases.ts';
import { among, recordsWhere } from '../records/collections-below.ts';
import { isView } from '../records/collection-name.ts';
import { withCopy } from '../records/seed/settle-copies.ts';
import { shapeOf } from '../records/record-fields.ts';

/** Records that show fields of those of another resource, in an object that the service sets. */
interface Follower {
  readonly resource: Resource;
  readonly copy: CopyField;
}

/** A change after which the records that show fields of the changed one show its new values. */
export const following: Convention = ({ contract }, { collection }) => {
  const followers = contract.resources
    .filter((resource) => !isView(resource) && resource.parents.length === 0)
    .flatMap((resource) =>
      resource.copies
        .filter((copy) => copy.resource.collection === collection)
        .filter(({ field }) => shapeOf(resource).fields.get(field)?.readOnly === true)
        .map((copy): Follower => ({ resource, copy })),
    );
  if (followers.length === 0) return undefined;
  return {
    after: async ({ state, body = null }, on): Promise<undefined> => {
      const record = state ?? body;
      if (isJsonObject(record))
        for (const follower of followers) await follow(record, follower, on);
    },
  };
};

async function follow(
  changed: JsonObject,
  { resource, copy }: Follower,
  { request, store }: Asking,
): Promise<void> {
  const id = changed[copy.resource.identifier.field];
  if (id === undefined) return;
  const collection = { session: request.session, name: resource.collection };
  for (const { id: own, record } of await recordsWhere(store, collection, [
    among(copy.key, [id]),
  ])) {
    const next = withCopy(record, copy, { shown: changed, resource });
    if (!equalJson(next, record)) await store.replace(collection, { id: own, record: next });
  }
}
