import { isJsonArray, isJsonObject, type JsonValue } from '../../json/value.ts';
import { isUnguessable, roleOf } from '../model/step.ts';
import { isIdentifier } from './created-record.ts';
import { isOwnNumber, isReference, withOwnIdentifier } from './identifiers.ts';
import type { IdentifierPath } from '../model/request-template.ts';
import { plainName, singularOf } from '../../contract/infer/infer-names.ts';
import type { Contract, Operation, Parameter, Schema } from '../../contract/model.ts';
import { looksLike } from '../../words-in.ts';

/**
 * A value that may be read as the key of a record (`true` as 1), with the name of its parameter or
 * member.
 */
export interface RecordKey {
  readonly name: string;
  readonly value: JsonValue;
  readonly path: IdentifierPath;
}

/** Names of keys which do not say whose they are. */
const plainKey = /^_?(id|uuid|guid|ref)s?$/i;

/** Whether a key is that of the record itself, wherever it stands. */
export const isPlainKey = looksLike(plainKey);

const known = new WeakMap<Contract, ReadonlySet<string>>();

/**
 * Names by which a contract says which record is meant, whatever their words: `{orderNumber}` of an
 * item, a required parameter of a deletion, and the number by which a record is asked for that
 * shows it again.
 */
export function keyNames(contract: Contract): ReadonlySet<string> {
  const names = known.get(contract) ?? new Set(findKeyNames(contract).map(plainName));
  known.set(contract, names);
  return names;
}

function findKeyNames(contract: Contract): string[] {
  const { resources, operations } = contract;
  const ofItems = resources.flatMap(({ kind, identifier: { parameter = 'name' } }) =>
    kind === 'collection' && parameter !== 'name' ? [parameter] : [],
  );
  // A list shows again which page it is.
  const single = operations.filter((operation) => roleOf(contract, operation)?.action !== 'list');
  const asked = single.flatMap((operation) =>
    operation.parameters
      .filter(({ in: location, required }) => location === 'query' && required)
      .filter((parameter) => operation.method === 'DELETE' || isShownAgain(parameter, operation))
      .map(({ name }) => name),
  );
  return [...ofItems, ...asked];
}

/** Whether a parameter is a number that the one record of the answer shows. */
function isShownAgain({ name, schema }: Parameter, { responses }: Operation): boolean {
  if (!schema.flatten().types.includes('integer')) return false;
  return responses.some(
    ({ status, content }) =>
      status.startsWith('2') &&
      content.some((media) => media.schema?.flatten().properties.has(name) === true),
  );
}

/** The values of a body, or of the arguments of a request, that may be keys of records. */
export function keysIn(
  value: JsonValue | undefined,
  names: ReadonlySet<string>,
  path: IdentifierPath = [],
): RecordKey[] {
  /** `id`, `ids`, `orderId`, `visit_ids`, or one of the names. */
  const isKey = (name: string): boolean =>
    plainKey.test(name) ||
    isReference(name) ||
    [name, singularOf(name)].some((one) => names.has(plainName(one)));
  if (isJsonArray(value))
    return value.flatMap((item, index) => keysIn(item, names, [...path, String(index)]));
  if (!isJsonObject(value)) return [];
  return Object.entries(value).flatMap(([name, member]): RecordKey[] => {
    const at = [...path, name];
    if (!isKey(name)) return keysIn(member, names, at);
    const values = isJsonArray(member) ? [...member.entries()] : [['', member] as const];
    return values.flatMap(([index, one]): RecordKey[] => {
      const place = index === '' ? at : [...at, String(index)];
      return isIdentifier(one) || one === true
        ? [{ name, value: one, path: place }]
        : keysIn(one, names, place);
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
  {
    names,
    schema,
    salt,
  }: {
    readonly names: ReadonlySet<string>;
    readonly schema: Schema | undefined;
    readonly salt: string;
  },
): JsonValue {
  return keysIn(body, names)
    .filter(({ value }) => !isNobodys(value))
    .reduce(
      (whole, { path }) =>
        withOwnIdentifier(whole, { path, schema, salt: `${salt} ${path.join('/')}` }),
      body,
    );
}
