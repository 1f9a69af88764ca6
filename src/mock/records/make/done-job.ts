import { fieldsWhenDone, jobStateOf } from '../../../contract/words/read-job.ts';
import type { Resource } from '../../../contract/model.ts';
import type { JsonObject } from '../../../json/value.ts';
import { oncePerResource } from '../../../contract/infer/record-fields.ts';
import { plainValue } from '../../../values/plain-value.ts';
import type { Concern } from '../../model/behaviour.ts';
import { textOf } from '../find-record.ts';
import { shapeOf } from '../record-fields.ts';
import { itemUrl, selfLink } from '../show/item-url.ts';
import { visible } from '../show/present-record.ts';

const stateOf = oncePerResource(({ record }) => jobStateOf(record));

const addedWhenDone = oncePerResource(({ record, operations: { read, list } }) =>
  fieldsWhenDone(
    record,
    [read, list].filter((operation) => operation !== undefined),
  ),
);

/** The record of a job that was accepted: it lacks what it has when it is done. */
export function runningJob(record: JsonObject, resource: Resource): JsonObject {
  const later = new Set(addedWhenDone(resource));
  if (later.size === 0) return record;
  return Object.fromEntries(Object.entries(record).filter(([name]) => !later.has(name)));
}

/**
 * The record of a job as later reads show it: what was accepted with 202 runs in the response, and
 * is done after it (RFC 9110, section 15.3.3), with what it has then. Unchanged if it has no such
 * state, or none that may end.
 */
export function doneJob(record: JsonObject, job: Concern): JsonObject {
  const { resource } = job;
  const state = stateOf(resource);
  if (state?.done === undefined || !state.running.includes(String(record[state.field])))
    return record;
  const ended = { ...record, [state.field]: state.done };
  const whole = addedWhenDone(resource).reduce((made, name) => withAdded(made, name, job), ended);
  const isValid = (one: JsonObject): boolean =>
    resource.record.validate(visible(one), 'response').length === 0;
  return [whole, ended].find(isValid) ?? record;
}

/** A record with a field that it lacks: a link that leads somewhere, or any value. */
function withAdded(record: JsonObject, name: string, { request, resource }: Concern): JsonObject {
  const field = shapeOf(resource).fields.get(name);
  const id = record[resource.identifier.field];
  if (field === undefined || Object.hasOwn(record, name) || id === undefined) return record;
  const find = (): string | undefined => itemUrl(request, resource, textOf(id));
  const seed = `${request.requestSeed()} ${name}`;
  const made = plainValue(field.schema, { seed, direction: 'response', name });
  const value = selfLink(field, find, { request, resource }) ?? (made.ok ? made.value : undefined);
  return value === undefined ? record : { ...record, [name]: value };
}
