import type { Resource, SchemaIssue } from '../../contract/model.ts';
import { joinPointer } from '../../json/pointer.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../../json/value.ts';
import { fieldValue } from '../../store/field-values.ts';
import { toInteger } from '../records/known-values.ts';
import { withParents } from '../records/parent-fields.ts';

/**
 * Where a record is to stand: under an identifier, which the one of a singleton does not hold,
 * below other records, the outermost first.
 */
export interface RecordAddress {
  readonly id: string;
  readonly resource: Resource;
  readonly parents: readonly string[];
}

/** A record as it is to be kept, and what the contract and its address say against it. */
export interface CompleteRecord {
  readonly whole: JsonValue;
  readonly issues: readonly SchemaIssue[];
}

/**
 * Fills in what an address says of a record and the record leaves out: its own identifier, and
 * those of the records above.
 */
export function completeRecord(record: JsonValue, address: RecordAddress): CompleteRecord {
  const whole = isJsonObject(record) ? withAbove(withIdentifier(record, address), address) : record;
  const said = isJsonObject(whole) ? addressIssues(whole, address) : [];
  return { whole, issues: [...address.resource.record.validate(whole, 'response'), ...said] };
}

function withIdentifier(
  record: JsonObject,
  { id, resource: { kind, identifier } }: RecordAddress,
): JsonObject {
  if (kind === 'singleton' || Object.hasOwn(record, identifier.field)) return record;
  const given =
    identifier.type === 'integer' && /^-?\d{1,30}$/.test(id) ? toInteger(BigInt(id)) : id;
  return { [identifier.field]: given, ...record };
}

function withAbove(record: JsonObject, { resource, parents }: RecordAddress): JsonObject {
  return resource.parents.reduce((held, parent, index) => {
    const text = parents[index];
    if (
      text === undefined ||
      parent.field === undefined ||
      fieldValue(held, parent.field) !== undefined
    )
      return held;
    return withParents(held, { parents: [parent], record: resource.record }, [text]);
  }, record);
}

function addressIssues(
  record: JsonObject,
  { id, resource, parents }: RecordAddress,
): SchemaIssue[] {
  const { kind, identifier } = resource;
  const own = {
    given: kind === 'singleton' ? undefined : record[identifier.field],
    text: id,
    at: joinPointer('', identifier.field),
    where: 'path',
  };
  const above = resource.parents.flatMap(({ field }, index) =>
    field === undefined
      ? []
      : [
          {
            given: fieldValue(record, field),
            text: parents[index] ?? '',
            at: joinPointer('', ...field.split('.')),
            where: 'parent',
          },
        ],
  );
  const wrong = [own, ...above].filter(
    ({ given, text }) => given !== undefined && String(given) !== text,
  );
  return wrong.map(({ text, at, where }) => ({
    at,
    keyword: 'const',
    pointer: resource.record.pointer,
    message: `must be ${text}, as in the ${where}`,
  }));
}
