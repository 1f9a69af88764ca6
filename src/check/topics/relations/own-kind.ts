import { inferList } from '../../../contract/infer/infer-list.ts';
import { valueAt } from '../../../json/pointer.ts';
import { isJsonArray, isJsonObject, type JsonValue } from '../../../json/value.ts';
import { showValue, type Step } from '../../model/step.ts';
import { sameIdentifier } from '../../reading/list-page.ts';
import { jsonOf } from '../../reading/read-answer.ts';
import { madeIdentifier, type Related, type RelationFaults } from '../../reading/related.ts';

/**
 * The items of a list, where the answer of a step has one; none if it leaves out an empty one.
 * Undefined if it is no list.
 */
export function itemsIn({ case: { operation }, answer }: Step): readonly JsonValue[] | undefined {
  const body = jsonOf(answer);
  if (isJsonArray(body)) return body;
  if (!isJsonObject(body)) return undefined;
  const at = inferList(operation)?.shape.records;
  const known = at === undefined ? undefined : valueAt(body, at);
  if (isJsonArray(known)) return known;
  const lists = Object.values(body).filter(isJsonArray);
  return lists.length > 1 ? undefined : (lists[0] ?? []);
}

/**
 * A list of the children of one record that shows its own child, and also that of another one. A
 * list that shows the other record itself is none of children.
 */
export function otherChild({ subject, of: [, other, own, outside] }: Related): RelationFaults {
  const items = itemsIn(subject);
  if (items === undefined || other === undefined || own === undefined || outside === undefined)
    return undefined;
  const [hasOther, hasOwn, hasOutside] = [other, own, outside].map((step) =>
    items.some((item) => isMadeBy(subject, item, step)),
  );
  if (hasOther === true || hasOwn !== true) return undefined;
  if (hasOutside !== true) return [];
  const name = showValue(madeIdentifier(subject, outside));
  return {
    message: `The list of what belongs to a record shows ${name}, which belongs to another one.`,
    expected: 'a list without it',
    actual: 'a list with it',
  };
}

/** A list that shows what it says to leave out, beside the record to which that belongs. */
export function notLeftOut({ subject, of: [parent, child] }: Related): RelationFaults {
  const items = itemsIn(subject);
  if (items === undefined || parent === undefined || child === undefined) return undefined;
  const [hasParent, hasChild] = [parent, child].map((step) =>
    items.some((item) => isMadeBy(subject, item, step)),
  );
  if (hasParent !== true) return undefined;
  if (hasChild !== true) return [];
  const name = showValue(madeIdentifier(subject, child));
  return {
    message: `The list shows ${name}, which it says to leave out.`,
    expected: 'a list without it',
    actual: 'a list with it',
  };
}

/** Whether an item is the record that a step made: by its identifier. */
export function isMadeBy(subject: Related['subject'], item: JsonValue, step: Step): boolean {
  if (!isJsonObject(item)) return false;
  const made = madeIdentifier(subject, step);
  const placement = subject.contract.inference.placementOf(step.case.operation);
  const field = placement?.kind === 'resource' ? placement.resource.identifier.field : undefined;
  return field !== undefined && made !== undefined && sameIdentifier(item[field], made);
}
