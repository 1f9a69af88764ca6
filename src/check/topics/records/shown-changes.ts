import { plainName, singularOf } from '../../../contract/infer/infer-names.ts';
import { lastWord } from '../../../contract/infer/conventions/path-styles.ts';
import type { Resource, Schema } from '../../../contract/model.ts';
import type { JsonObject, JsonValue } from '../../../json/value.ts';
import type { CheckInput } from '../../model/knowledge.ts';
import { roleOf, type Step } from '../../model/step.ts';
import { argumentNamed } from '../../reading/find-request-fault.ts';
import { pageOf, sameIdentifier } from '../../reading/list-page.ts';
import { shownRecord } from '../../reading/shown-records.ts';

/** The changed record in the answer of a step: a read of it, or a list that has it. */
export function shownBy(subject: CheckInput, step: Step, written: Step): JsonObject | undefined {
  const resource = roleOf(subject.contract, subject.operation)?.resource;
  if (resource === undefined) return undefined;
  if (!isOfList(subject)) return shownRecord(resource, step.answer);
  const { field, parameter } = resource.identifier;
  const named = argumentNamed(written.sent, parameter);
  return pageOf(subject, step)?.records.find((one) => sameIdentifier(one[field], named));
}

/** Whether a list shows the record, which may have fewer fields there. */
export function isOfList({ contract, operation }: CheckInput): boolean {
  return roleOf(contract, operation)?.action === 'list';
}

/** Whether a number counts the changes of its record, as a version does. */
export function isOneMore(before: JsonValue | undefined, after: JsonValue | undefined): boolean {
  return typeof before === 'number' && after === before + 1;
}

/** Whether a list leaves a field out, which a record may show only where it is read. */
export function isHidden(subject: CheckInput, shown: JsonValue | undefined): boolean {
  return shown === undefined && isOfList(subject);
}

/**
 * Whether a field is that of a record which the change names: with another `customerId`, the
 * `customerName` is another too.
 */
export function follows({ foreignKeys }: Resource, sent: JsonObject, field: string): boolean {
  return foreignKeys.some(
    ({ field: key, resource }) =>
      Object.hasOwn(sent, key) &&
      plainName(field).startsWith(plainName(singularOf(lastWord(resource.collectionPath)))),
  );
}

/** Whether a record may be without the value of a field: it has null there, or nothing. */
export function canBeCleared(record: Schema, name: string): boolean {
  const { properties, required } = record.flatten();
  const place = properties.get(name);
  if (place === undefined) return true;
  const field = record.part(place);
  const isOptional = !required.has(name) && field.flatten().node.default === undefined;
  return isOptional || field.accepts(null, 'response');
}
