import { isPromise, promise } from '../../../contract/protocols/long-running.ts';
import { oncePerResource } from '../../../contract/infer/record-fields.ts';
import type { Resource } from '../../../contract/model.ts';
import type { JsonObject } from '../../../json/value.ts';

const showsPromises = oncePerResource(({ record }) => isPromise(record));

/**
 * The record of a long-running operation with a response or an error if it is done, and with
 * neither before (AIP-151); another record as it is.
 */
export function withOneResult(record: JsonObject, resource: Resource): JsonObject {
  return showsPromises(resource) ? asPromise(record, record[promise.done] === true) : record;
}

/** An operation that is done, with a response, or that still runs. */
export function asPromise(operation: JsonObject, isDone: boolean): JsonObject {
  const others = Object.entries(operation).filter(([name]) => !isResult(name));
  return {
    ...Object.fromEntries(others),
    [promise.done]: isDone,
    ...(isDone ? { response: operation['response'] ?? {} } : {}),
  };
}

function isResult(name: string): boolean {
  return promise.results.some((result) => result === name);
}
