import { isJsonArray, isJsonObject, type JsonValue } from '../../json/value.ts';
import { isUnguessable } from '../model/is-safe.ts';
import { isIdentifier } from './created-record.ts';
import { isOwnNumber, isReference, withOwnIdentifier } from './identifiers.ts';
import type { IdentifierPath } from '../model/request-template.ts';
import type { Schema } from '../../contract/model.ts';

/** A value that may be read as the key of a record (`true` as 1), with the name of its parameter or member. */
export interface RecordKey {
  readonly name: string;
  readonly value: JsonValue;
  readonly path: IdentifierPath;
}

/** Names of keys which do not say whose they are. */
const plainKey = /^_?(id|uuid|guid|ref)s?$/i;

/** Whether a key is that of the record itself, wherever it stands. */
export function isPlainKey(name: string): boolean {
  return plainKey.test(name);
}

/** Whether a name may be that of the key of a record: `id`, `ids`, `orderId`, `visit_ids`. */
function isKeyName(name: string): boolean {
  return plainKey.test(name) || isReference(name);
}

/** The values of a body, or of the arguments of a request, that may be keys of records. */
export function keysIn(value: JsonValue | undefined, path: IdentifierPath = []): RecordKey[] {
  if (isJsonArray(value))
    return value.flatMap((item, index) => keysIn(item, [...path, String(index)]));
  if (!isJsonObject(value)) return [];
  return Object.entries(value).flatMap(([name, member]): RecordKey[] => {
    const at = [...path, name];
    if (!isKeyName(name)) return keysIn(member, at);
    const values = isJsonArray(member) ? [...member.entries()] : [['', member] as const];
    return values.flatMap(([index, one]): RecordKey[] => {
      const place = index === '' ? at : [...at, String(index)];
      return isIdentifier(one) || one === true
        ? [{ name, value: one, path: place }]
        : keysIn(one, place);
    });
  });
}

/** Whether no record can have a key: a long random text, or a number far beyond all counters. */
export function isNobodys(value: JsonValue): boolean {
  return isUnguessable(value) || isOwnNumber(value);
}

/** A body whose keys are those of no record, as far as its schema allows them. */
export function withNobodysKeys(
  body: JsonValue,
  { schema, salt }: { readonly schema: Schema | undefined; readonly salt: string },
): JsonValue {
  return keysIn(body)
    .filter(({ value }) => !isNobodys(value))
    .reduce(
      (whole, { path }) =>
        withOwnIdentifier(whole, { path, schema, salt: `${salt} ${path.join('/')}` }),
      body,
    );
}
