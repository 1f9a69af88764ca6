import { isKeyParameter } from '../../../contract/protocols/chosen-name.ts';
import type { Parameter, Resource } from '../../../contract/model.ts';
import type { JsonValue } from '../../../json/value.ts';
import type { OperationPlan, ValidRequest } from '../../model/request.ts';
import { parameterKey } from '../../request/read-request.ts';
import { identifierRules, isFit, isReachable } from './identifier-rules.ts';

/**
 * The name that the query of a create gives the new record, or the entry of a batch, if records can
 * have it (AIP-133, AIP-233).
 */
export function namedInQuery(
  { parameters, plan, entryName }: ValidRequest,
  resource: Resource,
): JsonValue | undefined {
  const key = plan.derive(keyOf);
  const named = entryName ?? (key && parameters.get(parameterKey(key)));
  const rules = identifierRules(resource);
  return named !== undefined && isFit(rules, named) && isReachable(rules, named)
    ? named
    : undefined;
}

function keyOf({ operation, role }: OperationPlan): Parameter | undefined {
  return role?.action === 'create'
    ? operation.parameters.find((parameter) => isKeyParameter(role.resource, parameter))
    : undefined;
}
