import type { Schema } from '../../contract/model.ts';
import { unspecifiedMembers } from '../../contract/protocols/unspecified.ts';
import { isJsonObject, type JsonValue } from '../../json/value.ts';
import { type Fault, makeFault } from '../model/fault.ts';

/**
 * Why a body is refused in which a required member has the value that stands for none, such as
 * `KIND_UNSPECIFIED` (Google AIP-203, "Required"). Only for APIs that follow the AIPs.
 */
export function judgeRequiredEnums(
  value: JsonValue,
  schema: Schema | undefined,
): Fault | undefined {
  if (schema === undefined || !isJsonObject(value)) return undefined;
  const none = unspecifiedMembers(schema).find((member) => value[member.name] === member.value);
  if (none === undefined) return undefined;
  const message = `The body's ${none.name} is required, and ${none.value} is no value.`;
  const issue = { location: 'body', name: none.name, rule: 'required', message } as const;
  return makeFault('body-value', 'missing_field', message, { issues: [issue] });
}
