import { type RecordField, recordFields } from '../../contract/infer/record-fields.ts';
import type { Resource } from '../../contract/model.ts';
import { expansionsOf } from '../../contract/protocols/expansion.ts';
import type { OperationPlan } from '../model/request.ts';
import { oncePerPlan } from './find-record.ts';

/** A field of the one record to which a record refers: `FullName` in `Author.FullName`. */
export interface RelatedField {
  /** The field that refers to that record. */
  readonly key: string;
  /** The resource of that record. */
  readonly named: Resource;
  readonly field: string;
}

/** The members that lead to one other record, and the fields that refer to it. */
export const referencesOf = oncePerPlan(({ contract }, resource) => {
  const [first] = expansionsOf(resource, contract.resources);
  return (first?.navigations ?? []).flatMap(({ name, many, resource: named }) => {
    const key = resource.foreignKeys.find((one) => one.resource === named && !one.many)?.field;
    return many || key === undefined || named.parents.length > 0 ? [] : [{ name, key, named }];
  });
});

/** What a dotted name means, if its first part leads to one other record. */
export function relatedField(
  plan: OperationPlan,
  resource: Resource,
  name: string,
): RelatedField | undefined {
  const at = name.indexOf('.');
  const found = referencesOf(plan, resource).find((one) => one.name === name.slice(0, at));
  return found && { key: found.key, named: found.named, field: name.slice(at + 1) };
}

/** The field of a record with a name, or of the one record to which the name leads. */
export function comparedField(
  plan: OperationPlan,
  resource: Resource,
  name: string,
): RecordField | undefined {
  const related = relatedField(plan, resource, name);
  const { record } = related?.named ?? resource;
  return recordFields(record).find((one) => one.name === (related?.field ?? name));
}
