import { isKeyParameter } from '../../contract/protocols/chosen-name.ts';
import type { Operation, Parameter, Resource } from '../../contract/model.ts';
import { hash } from '../model/case.ts';
import type { Argument } from '../model/request-template.ts';
import type { Draft } from './draft.ts';
import { valued } from './listing.ts';
import type { PlanContext } from './plan-context.ts';

/** The parameter with which a create names the new record: `depot_id` (AIP-133). */
export function keyParameter(resource: Resource, { parameters }: Operation): Parameter | undefined {
  return parameters.find((parameter) => isKeyParameter(resource, parameter));
}

/** A name of the run for the record that a create makes; none where the create takes none. */
export function chosenKey(
  { runId }: PlanContext,
  resource: Resource,
  { operation }: Pick<Draft, 'operation'>,
  label: string,
): readonly Argument[] {
  const key = keyParameter(resource, operation);
  const value = `${runId}-${hash(`${operation.id} ${label}`).slice(0, 6)}`;
  return key?.schema.accepts(value, 'request') === true ? valued(key, value) : [];
}
