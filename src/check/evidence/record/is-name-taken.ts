import { isRefusal } from '../../../http/status.ts';
import { isJsonObject } from '../../../json/value.ts';
import type { CheckInput } from '../../model/knowledge.ts';
import { roleOf } from '../../model/step.ts';

/**
 * Whether a create is refused because the identifier that the request itself chose is another
 * record's: with 409, whatever the contract says of that, or with any refusal where the run itself
 * has given it to a record before.
 */
export function isNameTaken({
  contract,
  operation,
  sent,
  exchange,
  knowledge,
}: CheckInput): boolean {
  const role = roleOf(contract, operation);
  const status = exchange.response?.status ?? 0;
  if (role?.action !== 'create' || !isRefusal(status)) return false;
  const chosen =
    isJsonObject(sent.body) && Object.hasOwn(sent.body, role.resource.identifier.field)
      ? sent.body[role.resource.identifier.field]
      : undefined;
  return (
    chosen !== undefined &&
    (status === 409 || knowledge.creators.has(`${role.resource.name} ${String(chosen)}`))
  );
}
