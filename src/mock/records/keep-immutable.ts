import { bodySchema, documentsRefusal } from '../../contract/model/operation.ts';
import { immutableFields } from '../../contract/words/read-immutable.ts';
import { equalJson } from '../../json/equal-json.ts';
import type { JsonObject } from '../../json/value.ts';
import type { Concern } from '../model/request.ts';
import { type Fault, makeFault } from '../model/reply.ts';
import { oncePerPlan } from './find-record.ts';
import { inOrder } from './make/make-record.ts';

/** A changed record, or why the change is refused. */
export type Changed = { readonly kind: 'changed'; readonly record: JsonObject } | Fault;

/**
 * A changed record with the values of its create in the fields that keep them. Another value is
 * refused where the operation documents a refusal of invalid input (Google AIP-203), and else
 * ignored. `given` is what the request sets.
 */
export function keepImmutable(
  record: JsonObject,
  { request, resource, earlier = {} }: Concern,
  given = record,
): Changed {
  const { operation } = request.plan;
  const changed = immutablesOf(request.plan, resource).filter(
    (name) =>
      (earlier[name] ?? null) !== null && !equalJson(record[name] ?? null, earlier[name] ?? null),
  );
  if (changed.length === 0) return { kind: 'changed', record };
  const refused = changed.find((name) => (given[name] ?? null) !== null);
  if (refused !== undefined && documentsRefusal(operation)) return refuseChange(refused);
  const kept = changed.map((name) => [name, earlier[name] ?? null] as const);
  const members = new Map([...Object.entries(record), ...kept]);
  return { kind: 'changed', record: inOrder(members, resource) };
}

const immutablesOf = oncePerPlan(({ operation }, resource) => {
  const { create, update, replace } = resource.operations;
  const writing = [create, update, replace, operation].filter((one) => one !== undefined);
  return immutableFields(resource, writing.map(bodySchema));
});

function refuseChange(name: string): Fault {
  const message = `The ${name} of a record does not change after its create.`;
  return makeFault('body-value', 'invalid_value', message, {
    issues: [{ location: 'body', name, rule: 'immutable', message }],
  });
}
