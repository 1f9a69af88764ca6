import type { JsonValue } from '../../json/value.ts';
import { oncePerResource } from '../infer/record-fields.ts';
import { plainName } from '../infer/infer-names.ts';
import type { Operation, Parameter, Resource } from '../model.ts';
import { askedOf, type Protocol, type ToldOf } from './protocol.ts';

/** A change that can be sent as a trial: it is validated and answered, and nothing is stored. */
export interface Trial {
  readonly operation: Operation;
  readonly parameter: Parameter;
}

/**
 * Trials: with the boolean query parameter `validate_only` (`validateOnly`), a change is validated
 * and answered as without it, and nothing is stored (AIP-163).
 */
export const trial: Protocol<ToldOf<Trial>> = {
  read: askedOf(
    (resource) => trialsOf(resource),
    ({ parameter }, ids) => `${parameter.name} makes ${ids} store nothing (AIP-163).`,
  ),
  governs: (operation, parameter) => operation.method !== 'GET' && isTrialParameter(parameter),
};

/** The changes of a resource that can be sent as trials. */
export const trialsOf = oncePerResource(({ operations }: Resource): readonly Trial[] => {
  const { create, update, replace, delete: removes } = operations;
  return [create, update, replace, removes].flatMap((operation) => {
    const parameter = operation?.parameters.find(isTrialParameter);
    return operation === undefined || parameter === undefined ? [] : [{ operation, parameter }];
  });
});

/** Whether a parameter makes a change a trial. */
export function isTrialParameter({ in: location, name, schema }: Parameter): boolean {
  const isFlag = schema.flatten().types.every((type) => type === 'boolean');
  return location === 'query' && plainName(name) === 'validateonly' && isFlag;
}

/** Whether a request is a trial, by the values of its parameters. */
export function isTrial(sent: ReadonlyMap<Parameter, JsonValue>): boolean {
  for (const [parameter, value] of sent)
    if (value === true && isTrialParameter(parameter)) return true;
  return false;
}
