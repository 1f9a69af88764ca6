import type { Contract, Operation } from '../../../contract/model.ts';
import type { SchemaObject } from '../../../contract/model/schema.ts';
import { decidePattern } from '../../../contract/pattern/safe-pattern.ts';
import { isJsonArray, isJsonObject, isNumeric, type JsonValue } from '../../../json/value.ts';
import { mutantsOf } from '../../mutants/kind.ts';
import type { Mutator } from '../../mutants/mutant.ts';
import type { FieldPlace } from '../../mutants/places.ts';
import { dropAt, editAt, sequenceBodies, showWay, successBodies } from '../../mutants/places.ts';

const mutant = mutantsOf('body');

/** How one kind of mutation changes one member of a body. */
interface FieldEdit {
  readonly rule: string;
  /** What the operation does, with `…` for the path of the member. */
  readonly says: string;
  readonly fits: (field: FieldPlace) => boolean;
  /** The new value; undefined if this one stays. */
  readonly change: Change;
}

type Change = (found: JsonValue, node: SchemaObject) => JsonValue | undefined;

/** A mutation of the first member that fits, in each response body. */
function ofField(id: string, { rule, says, fits, change }: FieldEdit): Mutator {
  return mutant(id, {
    rule,
    where: (contract) => fitting(contract, fits),
    says: ({ field }) => says.replace('…', () => showWay(field.way)),
    body: (body, { field: { way, node } }) => editAt(body, way, (found) => change(found, node)),
  });
}

function fitting(
  contract: Contract,
  fits: FieldEdit['fits'],
): { readonly operation: Operation; readonly field: FieldPlace }[] {
  const bodies = [...successBodies(contract), ...sequenceBodies(contract)];
  return bodies.flatMap(({ operation, fields }) => {
    const field = fields.find(fits);
    return field === undefined ? [] : [{ operation, field }];
  });
}

const isOf = (field: FieldPlace, ...types: readonly string[]): boolean =>
  field.types.length <= 2 && types.some((type) => field.types.includes(type));
const isText = (value: JsonValue): value is string => typeof value === 'string';
/** A change of values of one kind: others stay. */
const of =
  <Value extends JsonValue>(
    is: (value: JsonValue) => value is Value,
    change: (found: Value, node: SchemaObject) => JsonValue | undefined,
  ): Change =>
  (found, node) =>
    is(found) ? change(found, node) : undefined;

const formats = ['date-time', 'date', 'email', 'uuid', 'uri', 'ipv4', 'ipv6'];
const unmatched = '\u0001 ?';

function beyond(bound: number | bigint, step: number): JsonValue {
  return typeof bound === 'bigint' ? bound + BigInt(step) : bound + step;
}

/** Mutations of one member of a response body. */
export const bodyMutators: readonly Mutator[] = [
  mutant('drops-required-field', {
    rule: 'A response lacks a field that the contract requires.',
    where: (contract) => fitting(contract, ({ required }) => required),
    says: ({ field }) => `answers without the required ${showWay(field.way)}`,
    body: (body, { field }) => dropAt(body, field.way),
  }),
  ofField('text-for-number', {
    rule: 'A response has a number as text.',
    says: 'answers with … as text',
    fits: (field) => isOf(field, 'integer', 'number') && !isOf(field, 'string'),
    change: of(isNumeric, String),
  }),
  ofField('number-for-text', {
    rule: 'A response has a number instead of a text.',
    says: 'answers with a number for …',
    fits: (field) => isOf(field, 'string') && !isOf(field, 'integer', 'number'),
    change: of(isText, () => 7),
  }),
  ofField('text-for-boolean', {
    rule: 'A response has a boolean as text.',
    says: 'answers with … as text',
    fits: (field) => isOf(field, 'boolean') && !isOf(field, 'string'),
    change: (found) => (typeof found === 'boolean' ? String(found) : undefined),
  }),
  ofField('null-for-value', {
    rule: 'A response has null where the contract does not allow it.',
    says: 'answers with null for …',
    fits: ({ types, node }) => !types.includes('null') && node.enum?.includes(null) !== true,
    change: (found) => (found === null ? undefined : null),
  }),
  ofField('object-for-value', {
    rule: 'A response has an object instead of a scalar.',
    says: 'answers with an object for …',
    fits: (field) =>
      isOf(field, 'string', 'integer', 'number', 'boolean') && !isOf(field, 'object'),
    change: (found) => (isJsonObject(found) ? undefined : { value: found }),
  }),
  ofField('one-for-list', {
    rule: 'A response has the first item of a list instead of the list.',
    says: 'answers with one item for the list …',
    fits: (field) => isOf(field, 'array') && !isOf(field, 'object', 'string'),
    change: of(isJsonArray, ([first]) => first ?? 'one'),
  }),
  ofField('leaves-enum', {
    rule: 'A response has a value that is not in the enum.',
    says: 'answers with a … that is not in the enum',
    fits: ({ node, types }) => node.enum !== undefined && types.includes('string'),
    change: of(isText, (text) => `${text}-2`),
  }),
  ofField('changes-case-of-enum', {
    rule: 'A response has a value of the enum in upper case.',
    says: 'answers with … in upper case',
    fits: ({ node }) =>
      node.enum?.some((value) => isText(value) && !node.enum?.includes(value.toUpperCase())) ===
      true,
    change: of(isText, (text, node) =>
      node.enum?.includes(text.toUpperCase()) === true ? undefined : text.toUpperCase(),
    ),
  }),
  ofField('below-minimum', {
    rule: 'A response has a number below its minimum.',
    says: 'answers with … below its minimum',
    fits: ({ node }) => node.minimum !== undefined,
    change: of(isNumeric, (_number, { minimum = 0 }) => beyond(minimum, -1)),
  }),
  ofField('above-maximum', {
    rule: 'A response has a number above its maximum.',
    says: 'answers with … above its maximum',
    fits: ({ node }) => node.maximum !== undefined,
    change: of(isNumeric, (_number, { maximum = 0 }) => beyond(maximum, 1)),
  }),
  ofField('fraction-for-integer', {
    rule: 'A response has a fraction instead of an integer.',
    says: 'answers with a fraction for …',
    fits: (field) => isOf(field, 'integer') && !isOf(field, 'number'),
    change: of(isNumeric, (number) => Number(number) + 0.5),
  }),
  ofField('beyond-int32', {
    rule: 'A response has an integer beyond 32 bits where the contract says int32.',
    says: 'answers with … beyond 32 bits',
    fits: ({ node }) => node.format === 'int32',
    change: of(isNumeric, () => 2_147_483_648),
  }),
  ofField('beyond-int64', {
    rule: 'A response has an integer beyond 64 bits where the contract says int64.',
    says: 'answers with … beyond 64 bits',
    fits: ({ node }) => node.format === 'int64',
    change: of(isNumeric, () => 9_223_372_036_854_775_808n),
  }),
  ofField('too-long', {
    rule: 'A response has a text that is too long.',
    says: 'answers with a … that is too long',
    fits: ({ node }) => node.maxLength !== undefined && node.enum === undefined,
    change: of(isText, (text, { maxLength = 0 }) => text.padEnd(maxLength + 1, 'x')),
  }),
  ofField('too-short', {
    rule: 'A response has a text that is too short.',
    says: 'answers with a … that is too short',
    fits: ({ node }) => (node.minLength ?? 0) > 0 && node.enum === undefined,
    change: of(isText, (text, { minLength = 1 }) => text.slice(0, minLength - 1)),
  }),
  ofField('breaks-pattern', {
    rule: 'A response has a text that does not match its pattern.',
    says: 'answers with a … that breaks its pattern',
    fits: ({ node: { pattern } }) =>
      pattern !== undefined && decidePattern(pattern, unmatched) === false,
    change: of(isText, () => unmatched),
  }),
  ofField('breaks-format', {
    rule: 'A response has a text that violates its format.',
    says: 'answers with a … that is not of its format',
    fits: ({ node }) => formats.includes(node.format ?? ''),
    change: of(isText, () => 'not of it'),
  }),
  ofField('date-without-zone', {
    rule: 'A response has a date-time without a time zone.',
    says: 'answers with a … without a zone',
    fits: ({ node }) => node.format === 'date-time',
    change: of(isText, (text) => text.replace(/(Z|[+-]\d\d:\d\d)$/i, '')),
  }),
  ofField('adds-forbidden-field', {
    rule: 'A response has a forbidden field.',
    says: 'answers with a field in … that is forbidden',
    fits: ({ node }) => node.additionalProperties === false,
    change: of(isJsonObject, (object) => ({ ...object, unexpected: true })),
  }),
  ofField('too-many-items', {
    rule: 'A response has a list with too many items.',
    says: 'answers with too many items in …',
    fits: ({ node }) => node.maxItems !== undefined && node.maxItems < 200,
    change: of(isJsonArray, (items, { maxItems = 0 }) =>
      items.length === 0
        ? undefined
        : Array.from({ length: maxItems + 1 }, (_, at) => items[at % items.length] ?? null),
    ),
  }),
  ofField('repeats-unique-item', {
    rule: 'A response has an item twice in a list with unique items.',
    says: 'answers with an item twice in …',
    fits: ({ node }) => node.uniqueItems === true,
    change: of(isJsonArray, (items) => (items[0] === undefined ? undefined : [...items, items[0]])),
  }),
];
