import { isJsonArray, isJsonObject, type JsonObject } from '../../json/value.ts';
import { valueAt } from '../../json/pointer.ts';
import type { Resource } from '../../contract/model.ts';
import type { ValidRequest } from '../model/request.ts';
import type { Reply } from '../model/reply.ts';
import type { Convention } from '../phases.ts';
import { textOf, withEarlier } from '../records/find-record.ts';
import { parentTexts } from '../records/parent-fields.ts';
import { ownerIn, retally, wholesOf } from '../records/tallies.ts';

/** A change after which the records that count or sum up the changed ones do so anew. */
export const tallying: Convention = ({ contract }, resource) => {
  const wholes = wholesOf(resource, contract.resources);
  if (wholes.length === 0) return undefined;
  return {
    before: withEarlier,
    after: async (reply, { request, store, earlier = [] }): Promise<undefined> => {
      const touched = [earlier, recordsIn(reply), entriesOf(request)].flat();
      const texts = parentTexts(request, resource);
      for (const whole of wholes) {
        const isAbove = resource.parents.at(-1)?.resource?.collection === whole.resource.collection;
        const ids = isAbove
          ? texts.slice(-1)
          : whole.resource.parents.length > 0
            ? []
            : ownersOf(touched, resource, whole.resource);
        const above = isAbove ? texts.slice(0, -1) : [];
        for (const id of ids) await retally(whole, { session: request.session, above, id }, store);
      }
    },
  };
};

function recordsIn({ state, body }: Reply): JsonObject[] {
  const record = state ?? body;
  return isJsonObject(record) ? [record] : [];
}

/** The entries of a request for several records. */
function entriesOf({ body, plan: { role } }: ValidRequest): JsonObject[] {
  const entries = role?.batch === undefined ? undefined : valueAt(body, role.batch.records);
  return isJsonArray(entries) ? entries.filter(isJsonObject) : [];
}

function ownersOf(parts: readonly JsonObject[], child: Resource, owner: Resource): string[] {
  const ids = parts.flatMap((part) => ownerIn(part, child, owner) ?? []);
  return [...new Set(ids.map(textOf))];
}
