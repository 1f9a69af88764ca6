import { lastWord } from '../../contract/infer/conventions/path-styles.ts';
import { recordPlace } from '../../contract/infer/conventions/envelope-styles.ts';
import { actionOfWord } from '../../contract/infer/conventions/verb-styles.ts';
import { plainName, wordsOf } from '../../contract/infer/infer-names.ts';
import { recordFields } from '../../contract/infer/record-fields.ts';
import { tellsOf } from '../../contract/words/mentions.ts';
import { namesFormer } from '../../contract/words/names.ts';
import { isJsonArray, type JsonObject } from '../../json/value.ts';
import type { Concern } from '../model/behaviour.ts';
import type { OperationPlan } from '../model/operation-plan.ts';
import { requestFields } from '../records/make/request-members.ts';
import { shapeOf } from '../records/record-fields.ts';

/**
 * Whether an action sets members of its record to those of its body, and answers with the record:
 * records have all that it must be given, and its verb says that it changes (`rename`, `set-goal`,
 * `changeAddress`) and may name one of them, or it begins the name of one: `assign` an `assignee`.
 */
export function setsMembers(plan: OperationPlan): boolean {
  const { operation, role } = plan;
  if (role === undefined || recordPlace(operation, role.resource.record) === undefined)
    return false;
  const [verb = '', ...object] = wordsOf(lastWord(operation.path.replaceAll(':', '/')));
  const { fields } = shapeOf(role.resource);
  const given = [...requestFields(plan).values()].filter(({ readOnly }) => !readOnly);
  const needed = given.filter(({ required }) => required);
  const isChange = verb === 'rename' || actionOfWord(verb) === 'update';
  const isNamed = isChange
    ? object.length === 0 || given.some(({ name }) => wordsOf(name).join() === object.join())
    : needed.some(({ normalised }) => normalised.startsWith(verb));
  return isNamed && needed.length > 0 && needed.every(({ name }) => fields.has(name));
}

/**
 * A changed record that keeps a value which was replaced in the list of such values, where the
 * operation tells of that list: `The old name is put at the end of previous_names`.
 */
export function withFormer(
  record: JsonObject,
  { request, resource, earlier = {} }: Concern,
): JsonObject {
  const { operation } = request.plan;
  const lists = recordFields(resource.record).filter(
    ({ many, name }) => many && tellsOf(operation, name),
  );
  let kept = record;
  for (const { name, plain } of lists) {
    const of = Object.keys(earlier).find((field) => namesFormer(plain, plainName(field)));
    const was = of === undefined ? undefined : earlier[of];
    if (of === undefined || typeof was !== 'string' || was === record[of]) continue;
    const before = kept[name] ?? [];
    const told = { ...kept, [name]: isJsonArray(before) ? [...before, was] : [was] };
    if (resource.record.validate(told, 'response').length === 0) kept = told;
  }
  return kept;
}
