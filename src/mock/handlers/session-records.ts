import { VouchError } from '../../errors.ts';
import type { RecordPlace, Records } from '../control/record-browser.ts';
import { suggestWord } from '../../nearest-word.ts';
import { plainJson } from './plain-json.ts';
import type { Below, SessionRecords } from './handler.ts';

/** The records of one session, for a handler. */
export function recordsOf(records: Records, session: string): SessionRecords {
  const placeOf = (resource: string, { parents = [] }: Below = {}): RecordPlace => {
    const kind = records.kinds.find(({ name }) => name === resource);
    if (kind === undefined)
      throw new VouchError('handler-failed', `There are no records ${resource}.`, {
        hint: suggestWord(
          resource,
          records.kinds.map(({ name }) => name),
        ),
      });
    return { session, resource, parents };
  };
  return {
    async list(resource, { offset = 0, limit = Number.MAX_SAFE_INTEGER - 1, ...below } = {}) {
      const page = await records.list(placeOf(resource, below), { offset, limit });
      return (page?.records ?? []).map(({ record }) => record);
    },
    get: async (resource, id, below) => records.get(placeOf(resource, below), String(id)),
    async put(resource, id, given, below) {
      const place = placeOf(resource, below);
      const record = plainJson(given);
      const put = await records.put(place, { id: String(id), record });
      if (put.kind === 'created' || put.kind === 'replaced') return put.stored.record;
      const at = `the record ${String(id)} of ${resource}`;
      const missing = await records.missing(place);
      const [issue] = put.kind === 'broken' ? put.issues : [];
      throw new VouchError(
        'handler-failed',
        missing ??
          (issue === undefined
            ? `There is no room for ${at}.`
            : `The contract does not allow ${at}: at ${issue.at || 'its root'}, ${issue.message}.`),
      );
    },
    remove: async (resource, id, below) => records.remove(placeOf(resource, below), String(id)),
  };
}
