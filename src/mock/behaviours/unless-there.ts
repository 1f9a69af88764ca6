import { documents } from '../../contract/select-response.ts';
import { equalJson } from '../../json/equal-json.ts';
import { whenReady } from '../../store/store.ts';
import type { Convention } from '../phases.ts';
import { collectionOf } from '../records/find-record.ts';
import { defaultMembers, givenMembers } from '../records/make/request-members.ts';
import { showRecord } from '../records/show/present-record.ts';
import { locate } from './create.ts';

/**
 * A creation that documents 204 beside 201 adds no second record with the same members: nothing
 * was made, and the answer says where the first one is.
 */
export const unlessThere: Convention = (plan, resource) => {
  if (plan.status !== 201 || !documents(plan.operation, '204')) return undefined;
  return {
    before: ({ request, store }) => {
      const members = { ...defaultMembers(plan, resource), ...givenMembers(request, resource) };
      const wanted = Object.entries(members);
      if (wanted.length === 0) return undefined;
      return whenReady(store.list(collectionOf(request, resource)), (records) => {
        const same = records.find(({ record }) =>
          wanted.every(([name, value]) => equalJson(record[name] ?? null, value)),
        );
        if (same === undefined) return undefined;
        const headers = locate(request, resource, { id: same.id, status: 204 });
        return showRecord(request, same.record, { status: 204, content: undefined, headers });
      });
    },
  };
};
