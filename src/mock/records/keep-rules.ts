import type { ContractRules, RuleJudgement, Schema, Resource } from '../../contract/model.ts';
import { equalJson } from '../../json/equal-json.ts';
import { joinPointer } from '../../json/pointer.ts';
import { isJsonObject, objectOf, type JsonObject, type JsonValue } from '../../json/value.ts';
import { settleAmounts } from '../../values/amounts.ts';
import { RelatedFields } from '../../values/related-fields.ts';
import type { Concern, OperationPlan } from '../model/request.ts';
import { type Fault, makeFault } from '../model/reply.ts';
import { isOfService } from './make/request-members.ts';
import { shapeOf } from './record-fields.ts';
import { withComputed } from './tallies.ts';

/**
 * Why a body that conforms to its schema is refused: it violates an owner's rule of the contract.
 * Undefined if it violates none. Members that only responses have do not count.
 */
export function judgeByRules(
  rules: ContractRules,
  schema: Schema | undefined,
  body: JsonValue,
): Fault | undefined {
  if (rules.all.length === 0 || schema === undefined) return undefined;
  const given = new Set(Object.keys(objectOf(body)).filter((name) => !isReadOnly(schema, name)));
  return refusalOf(rules.settle(schema, body, { present: true, given }).broken);
}

function isReadOnly(schema: Schema, name: string): boolean {
  const place = schema.flatten().properties.get(name);
  return place !== undefined && schema.flatten(place).node.readOnly === true;
}

/**
 * A record with what its fields compute, amounts that agree, and the members that rules compute;
 * the members of the request do not change.
 */
export function settleRecord(
  given: JsonObject,
  { request, resource, earlier }: Concern,
): JsonObject {
  const { rules } = request.plan.contract;
  const agreeing =
    earlier === undefined ? given : withAgreeingAmounts(given, earlier, request.plan, resource);
  const record = withComputed(agreeing, resource);
  if (rules.all.length === 0) return record;
  const sent = new Set(Object.keys(objectOf(request.body)));
  for (const [name, place] of resource.record.flatten().properties)
    if (resource.record.flatten(place).node.readOnly === true) sent.delete(name);
  const { value } = rules.settle(resource.record, record, { given: sent });
  return isJsonObject(value) ? value : record;
}

/** Why a changed record is refused: it violates a rule. */
export function judgeRecordByRules(
  record: JsonObject,
  { request, resource }: Concern,
): Fault | undefined {
  const judged = request.plan.contract.rules.judgeBody(resource.record, record);
  return refusalOf(judged.filter(({ outcome }) => outcome === 'broken'));
}

function refusalOf(broken: readonly RuleJudgement[]): Fault | undefined {
  if (broken.length === 0) return undefined;
  const issues = broken.map(({ rule, at, detail }) => ({
    location: 'body' as const,
    name: joinPointer(at, rule.members[0] ?? '')
      .slice(1)
      .replaceAll('/', '.'),
    rule: 'rule',
    message: sentence(`${rule.says ?? `The rule ${rule.rule} does not hold`}: ${detail}`),
  }));
  return makeFault('body-value', 'invalid_value', issues.map(({ message }) => message).join(' '), {
    issues,
  });
}

function sentence(text: string): string {
  return `${text.replace(/[.]?: /, ': ').replace(/: $|[.]$/, '')}.`;
}

/**
 * A changed record whose amounts agree as they did before: a total is that of the changed lines.
 * Amounts that never agreed, such as those of fixtures, mean something else and stay.
 */
function withAgreeingAmounts(
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
