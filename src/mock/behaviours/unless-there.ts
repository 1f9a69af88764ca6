import type { Resource } from '../../contract/model.ts';
import { documents } from '../../contract/select-response.ts';
import { equalJson } from '../../json/equal-json.ts';
import type { JsonObject } from '../../json/value.ts';
import { whenReady } from '../../store/store.ts';
import type { Behaviour, ValidRequest } from '../model/behaviour.ts';
import type { OperationPlan } from '../model/operation-plan.ts';
import { collectionOf } from '../records/find-record.ts';
import { defaultMembers, givenMembers } from '../records/make/request-members.ts';
import { showRecord } from '../records/show/present-record.ts';
import { locate } from './create.ts';

/**
 * A creation that documents 204 beside 201 adds no second record with the same members: nothing
 * was made, and the answer says where the first one is.
 */
export function unlessThere(create: Behaviour): Behaviour {
  return (request, resource, store) => {
    const wanted = request.plan.derive(tellsThere) ? membersOf(request, resource) : {};
    if (Object.keys(wanted).length === 0) return create(request, resource, store);
    return whenReady(store.list(collectionOf(request, resource)), (records) => {
      const same = records.find(({ record }) =>
        Object.entries(wanted).every(([name, value]) => equalJson(record[name] ?? null, value)),
      );
      if (same === undefined) return create(request, resource, store);
      const headers = locate(request, resource, { id: same.id, status: 204 });
      return showRecord(request, same.record, { status: 204, content: undefined, headers });
    });
  };
}

function tellsThere({ operation, status }: OperationPlan): boolean {
  return status === 201 && documents(operation, '204');
}

function membersOf(request: ValidRequest, resource: Resource): JsonObject {
  return { ...defaultMembers(request.plan, resource), ...givenMembers(request, resource) };
}
