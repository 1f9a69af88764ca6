import { isJsonObject, type JsonValue, withoutMembers } from '../../json/value.ts';
import type { ValidRequest } from '../model/behaviour.ts';
import type { OperationPlan } from '../model/operation-plan.ts';
import { parameterKey } from './read-request.ts';

/** What a request says, apart from its path. */
type Said = Pick<ValidRequest, 'parameters' | 'body'>;

/**
 * The request of a call as that of the ordinary operation: what its query or its body says of a
 * record is the value of a path parameter. Other requests stay as they are.
 */
export function openRequest({ operation }: OperationPlan, said: Said): Said {
  if (operation.wire === undefined) return said;
  const carried = operation.parameters.filter((one) => one.carried !== undefined);
  if (carried.length === 0) return said;
  const { body } = said;
  const members = isJsonObject(body) ? body : {};
  const parameters = new Map(said.parameters);
  for (const parameter of carried) {
    const { name } = parameter;
    const inQuery = parameterKey({ in: 'query', name });
    const value =
      parameter.carried === 'body' && Object.hasOwn(members, name)
        ? members[name]
        : parameters.get(inQuery);
    parameters.delete(inQuery);
    if (value !== undefined) parameters.set(parameterKey(parameter), value);
  }
  const inBody = carried.flatMap((one) => (one.carried === 'body' ? [one.name] : []));
  return { parameters, body: bodyOf(operation, body, inBody) };
}

function bodyOf(
  { requestBody }: OperationPlan['operation'],
  body: JsonValue | undefined,
  carried: readonly string[],
): JsonValue | undefined {
  if (requestBody === undefined || body === undefined) return undefined;
  return withoutMembers(body, ...carried);
}
