import type { Resource } from '../../../contract/model.ts';
import { bodyTagOf, takesTag } from '../../../contract/protocols/body-tag.ts';
import type { JsonObject } from '../../../json/value.ts';
import type { ValidRequest } from '../../model/request.ts';
import { type Fault, makeFault } from '../../model/reply.ts';
import { parameterKey } from '../../request/read-request.ts';
import { toldMembers } from '../make/request-members.ts';

/**
 * The refusal of a change or an action whose body, or of a deletion whose query, has another entity
 * tag than the record (AIP-154); undefined if it has none, or that of the record.
 */
export function staleTag(
  request: ValidRequest,
  resource: Resource,
  record: JsonObject,
): Fault | undefined {
  const facts = bodyTagOf(resource);
  if (facts === undefined) return undefined;
  const { operation } = request.plan;
  const { field, removal } = facts;
  const inBody = takesTag(operation, facts) ? toldMembers(request, resource)[field] : undefined;
  const inQuery =
    removal?.operation === operation
      ? request.parameters.get(parameterKey(removal.parameter))
      : undefined;
  const sent = inBody ?? inQuery;
  const own = record[field];
  if (sent === undefined || sent === '' || own === undefined || String(sent) === String(own))
    return undefined;
  const message = `The ${field} is that of another state of the record. Read it again.`;
  const location = inBody === undefined ? 'query' : 'body';
  const issues = [{ location, name: field, rule: 'version', message } as const];
  return makeFault('conflict', 'aborted', message, { issues });
}
