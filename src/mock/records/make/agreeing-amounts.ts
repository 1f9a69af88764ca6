import type { Resource } from '../../../contract/model.ts';
import { equalJson } from '../../../json/equal-json.ts';
import type { JsonObject, JsonValue } from '../../../json/value.ts';
import { settleAmounts } from '../../../values/amounts.ts';
import { RelatedFields } from '../../../values/related-fields.ts';
import type { OperationPlan } from '../../model/operation-plan.ts';
import { shapeOf } from '../record-fields.ts';
import { isOfService } from './request-members.ts';

/**
 * A changed record whose amounts agree as they did before: a total is that of the changed lines.
 * Amounts that never agreed, such as those of fixtures, mean something else and stay.
 */
export function withAgreeingAmounts(
  record: JsonObject,
  earlier: JsonObject,
  plan: OperationPlan,
  resource: Resource,
): JsonObject {
  const { fields } = shapeOf(resource);
  const mayChange = (name: string, value: JsonValue): boolean => {
    const field = fields.get(name);
    if (field === undefined || !isOfService(field, plan)) return false;
    return field.schema.accepts(value, 'response');
  };
  const settled = (one: JsonObject): JsonObject => {
    const related = new RelatedFields(one, mayChange);
    settleAmounts(related);
    return related.toRecord();
  };
  return equalJson(settled(earlier), earlier) ? settled(record) : record;
}
