import { valueAt, withoutValueAt } from '../../json/pointer.ts';
import { isJsonArray, isJsonObject, type JsonValue } from '../../json/value.ts';
import type { CarriedPlace } from '../../contract/model.ts';
import type { ValidRequest } from '../model/behaviour.ts';
import type { OperationPlan } from '../model/operation-plan.ts';
import { parameterKey } from './read-request.ts';

/** What a request says, apart from its path. */
type Said = Pick<ValidRequest, 'parameters' | 'body' | 'others'>;

/**
 * The request of a call as that of the ordinary operation: what its query or its body says of
 * records is the value of a parameter. Other requests stay as they are.
 */
export function openRequest({ operation }: OperationPlan, said: Said): Said {
  if (operation.wire === undefined) return said;
  const parameters = new Map(said.parameters);
  let { body } = said;
  for (const parameter of operation.parameters) {
    const { carried } = parameter;
    if (carried === undefined) continue;
    const value = carriedValue(carried, said);
    if (carried.in === 'body') body = body === undefined ? body : withoutValueAt(body, carried.at);
    else parameters.delete(ownKey(carried));
    if (value !== undefined) parameters.set(parameterKey(parameter), value);
  }
  const isRead = operation.requestBody === undefined;
  return {
    parameters,
    others: othersOf(operation, said, parameters),
    body: isRead ? undefined : body,
  };
}

/** The parameters for each further record that a list in the request names. */
function othersOf(
  { parameters }: OperationPlan['operation'],
  said: Said,
  first: ValidRequest['parameters'],
): ValidRequest['others'] {
  const many = parameters.find(({ carried }) => carried?.many === true);
  const found = many?.carried && placed(many.carried, said);
  if (many === undefined || !isJsonArray(found) || found.length < 2) return undefined;
  return found.slice(1).map((value) => new Map(first).set(parameterKey(many), value));
}

/** What a request holds at a place; of a list that names several, the first one. */
function carriedValue(carried: CarriedPlace, said: Said): JsonValue | undefined {
  const found = placed(carried, said);
  return carried.many === true && isJsonArray(found) ? found[0] : found;
}

function placed(carried: CarriedPlace, { parameters, body }: Said): JsonValue | undefined {
  const inQuery = parameters.get(ownKey(carried));
  const inBody = isJsonObject(body) ? valueAt(body, carried.at) : undefined;
  return carried.in === 'body' ? (inBody ?? inQuery) : inQuery;
}

function ownKey({ in: location, at }: CarriedPlace): string {
  return parameterKey({ in: location === 'path' ? 'path' : 'query', name: at.slice(1) });
}
