import { jobStateOf } from '../../../contract/words/read-job.ts';
import type { Resource } from '../../../contract/model.ts';
import type { JsonObject } from '../../../json/value.ts';
import { oncePerResource } from '../../../contract/infer/record-fields.ts';
import { visible } from '../show/present-record.ts';

const stateOf = oncePerResource(({ record }) => jobStateOf(record));

/**
 * The record of a job as later reads show it: what was accepted with 202 runs in the response, and
 * is done after it (RFC 9110, section 15.3.3). Unchanged if it has no such state, or none that may
 * end.
 */
export function doneJob(record: JsonObject, resource: Resource): JsonObject {
  const state = stateOf(resource);
  if (state?.done === undefined || !state.running.includes(String(record[state.field])))
    return record;
  const done = { ...record, [state.field]: state.done };
  return resource.record.validate(visible(done), 'response').length === 0 ? done : record;
}
