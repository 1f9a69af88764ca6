import type { Contract } from '../../../contract/model.ts';
import { decidePattern } from '../../../contract/pattern/safe-pattern.ts';
import { isJsonArray, isJsonObject, type JsonValue } from '../../../json/value.ts';
import type { Mutation, Mutator } from '../../mutants/mutant.ts';
import { editBodies } from '../../mutants/edit-service.ts';
import {
  dropAt,
  editAt,
  showWay,
  successBodies,
  type BodyPlace,
  type FieldPlace,
} from '../../mutants/places.ts';

/** How one kind of mutation changes one member of a body. */
interface FieldEdit {
  readonly id: string;
  readonly rule: string;
  /** Follows the operation and its status: `without the required name`. */
  words(way: string): string;
  fits(field: FieldPlace): boolean;
  edit(body: JsonValue, field: FieldPlace): JsonValue | undefined;
}

const isOf = (field: FieldPlace, ...types: readonly string[]): boolean =>
  field.types.length <= 2 && types.some((type) => field.types.includes(type));
const replaceWith =
  (field: FieldPlace, make: (found: JsonValue) => JsonValue | undefined) =>
  (body: JsonValue): JsonValue | undefined =>
    editAt(body, field.way, make);
const isText = (value: JsonValue): value is string => typeof value === 'string';
const isNumber = (value: JsonValue): value is number | bigint =>
  typeof value === 'number' || typeof value === 'bigint';

const fieldEdits: readonly FieldEdit[] = [
  {
    id: 'drops-required-field',
    rule: 'A response lacks a field that the contract requires.',
    words: (way) => `without the required ${way}`,
    fits: ({ required }) => required,
    edit: (body, { way }) => dropAt(body, way),
  },
  {
    id: 'text-for-number',
    rule: 'A response has a number as text.',
    words: (way) => `with ${way} as text`,
    fits: (field) => isOf(field, 'integer', 'number') && !isOf(field, 'string'),
    edit: (body, field) =>
      replaceWith(field, (found) => (isNumber(found) ? String(found) : undefined))(body),
  },
  {
    id: 'number-for-text',
    rule: 'A response has a number instead of a text.',
    words: (way) => `with a number for ${way}`,
    fits: (field) => isOf(field, 'string') && !isOf(field, 'integer', 'number'),
    edit: (body, field) => replaceWith(field, (found) => (isText(found) ? 7 : undefined))(body),
  },
  {
    id: 'text-for-boolean',
    rule: 'A response has a boolean as text.',
    words: (way) => `with ${way} as text`,
    fits: (field) => isOf(field, 'boolean') && !isOf(field, 'string'),
    edit: (body, field) =>
      replaceWith(field, (found) => (typeof found === 'boolean' ? String(found) : undefined))(body),
  },
  {
    id: 'null-for-value',
    rule: 'A response has null where the contract does not allow it.',
    words: (way) => `with null for ${way}`,
    fits: ({ types, node }) => !types.includes('null') && node.enum?.includes(null) !== true,
    edit: (body, field) => replaceWith(field, (found) => (found === null ? undefined : null))(body),
  },
  {
    id: 'object-for-value',
    rule: 'A response has an object instead of a scalar.',
    words: (way) => `with an object for ${way}`,
    fits: (field) =>
      isOf(field, 'string', 'integer', 'number', 'boolean') && !isOf(field, 'object'),
    edit: (body, field) =>
      replaceWith(field, (found) => (isJsonObject(found) ? undefined : { value: found }))(body),
  },
  {
    id: 'one-for-list',
    rule: 'A response has the first item of a list instead of the list.',
    words: (way) => `with one item for the list ${way}`,
    fits: (field) => isOf(field, 'array') && !isOf(field, 'object', 'string'),
    edit: (body, field) =>
      replaceWith(field, (found) => (isJsonArray(found) ? (found[0] ?? 'one') : undefined))(body),
  },
  {
    id: 'leaves-enum',
    rule: 'A response has a value that is not in the enum.',
    words: (way) => `with a ${way} that is not in the enum`,
    fits: ({ node, types }) => node.enum !== undefined && types.includes('string'),
    edit: (body, field) =>
      replaceWith(field, (found) => (isText(found) ? `${found}-2` : undefined))(body),
  },
  {
    id: 'changes-case-of-enum',
    rule: 'A response has a value of the enum in upper case.',
    words: (way) => `with ${way} in upper case`,
    fits: ({ node }) =>
      node.enum?.some((value) => isText(value) && !node.enum?.includes(value.toUpperCase())) ===
      true,
    edit: (body, field) =>
      replaceWith(field, (found) =>
        isText(found) && field.node.enum?.includes(found.toUpperCase()) !== true
          ? found.toUpperCase()
          : undefined,
      )(body),
  },
  {
    id: 'below-minimum',
    rule: 'A response has a number below its minimum.',
    words: (way) => `with ${way} below its minimum`,
    fits: ({ node }) => node.minimum !== undefined,
    edit: (body, field) =>
      replaceWith(field, (found) =>
        isNumber(found) ? beyond(field.node.minimum ?? 0, -1) : undefined,
      )(body),
  },
  {
    id: 'above-maximum',
    rule: 'A response has a number above its maximum.',
    words: (way) => `with ${way} above its maximum`,
    fits: ({ node }) => node.maximum !== undefined,
    edit: (body, field) =>
      replaceWith(field, (found) =>
        isNumber(found) ? beyond(field.node.maximum ?? 0, 1) : undefined,
      )(body),
  },
  {
    id: 'fraction-for-integer',
    rule: 'A response has a fraction instead of an integer.',
    words: (way) => `with a fraction for ${way}`,
    fits: (field) => isOf(field, 'integer') && !isOf(field, 'number'),
    edit: (body, field) =>
      replaceWith(field, (found) => (isNumber(found) ? Number(found) + 0.5 : undefined))(body),
  },
  {
    id: 'beyond-int32',
    rule: 'A response has an integer beyond 32 bits where the contract says int32.',
    words: (way) => `with ${way} beyond 32 bits`,
    fits: ({ node }) => node.format === 'int32',
    edit: (body, field) =>
      replaceWith(field, (found) => (isNumber(found) ? 2_147_483_648 : undefined))(body),
  },
  {
    id: 'beyond-int64',
    rule: 'A response has an integer beyond 64 bits where the contract says int64.',
    words: (way) => `with ${way} beyond 64 bits`,
    fits: ({ node }) => node.format === 'int64',
    edit: (body, field) =>
      replaceWith(field, (found) => (isNumber(found) ? 9_223_372_036_854_775_808n : undefined))(
        body,
      ),
  },
  {
    id: 'too-long',
    rule: 'A response has a text that is too long.',
    words: (way) => `with a ${way} that is too long`,
    fits: ({ node }) => node.maxLength !== undefined && node.enum === undefined,
    edit: (body, field) =>
      replaceWith(field, (found) =>
        isText(found) ? found.padEnd((field.node.maxLength ?? 0) + 1, 'x') : undefined,
      )(body),
  },
  {
    id: 'too-short',
    rule: 'A response has a text that is too short.',
    words: (way) => `with a ${way} that is too short`,
    fits: ({ node }) => (node.minLength ?? 0) > 0 && node.enum === undefined,
    edit: (body, field) =>
      replaceWith(field, (found) =>
        isText(found) ? found.slice(0, (field.node.minLength ?? 1) - 1) : undefined,
      )(body),
  },
  {
    id: 'breaks-pattern',
    rule: 'A response has a text that does not match its pattern.',
    words: (way) => `with a ${way} that breaks its pattern`,
    fits: ({ node }) =>
      node.pattern !== undefined && decidePattern(node.pattern, '\u0001 ?') === false,
    edit: (body, field) =>
      replaceWith(field, (found) => (isText(found) ? '\u0001 ?' : undefined))(body),
  },
  {
    id: 'breaks-format',
    rule: 'A response has a text that violates its format.',
    words: (way) => `with a ${way} that is not of its format`,
    fits: ({ node }) => formats.includes(node.format ?? ''),
    edit: (body, field) =>
      replaceWith(field, (found) => (isText(found) ? 'not of it' : undefined))(body),
  },
  {
    id: 'date-without-zone',
    rule: 'A response has a date-time without a time zone.',
    words: (way) => `with a ${way} without a zone`,
    fits: ({ node }) => node.format === 'date-time',
    edit: (body, field) =>
      replaceWith(field, (found) =>
        isText(found) ? found.replace(/(Z|[+-]\d\d:\d\d)$/i, '') : undefined,
      )(body),
  },
  {
    id: 'adds-forbidden-field',
    rule: 'A response has a forbidden field.',
    words: (way) => `with a field in ${way} that is forbidden`,
    fits: ({ node }) => node.additionalProperties === false,
    edit: (body, field) =>
      replaceWith(field, (found) =>
        isJsonObject(found) ? { ...found, unexpected: true } : undefined,
      )(body),
  },
  {
    id: 'too-many-items',
    rule: 'A response has a list with too many items.',
    words: (way) => `with too many items in ${way}`,
    fits: ({ node }) => node.maxItems !== undefined && node.maxItems < 200,
    edit: (body, field) =>
      replaceWith(field, (found) =>
        isJsonArray(found) && found[0] !== undefined
          ? Array.from(
              { length: (field.node.maxItems ?? 0) + 1 },
              (_, index) => found[index % found.length] ?? null,
            )
          : undefined,
      )(body),
  },
  {
    id: 'repeats-unique-item',
    rule: 'A response has an item twice in a list with unique items.',
    words: (way) => `with an item twice in ${way}`,
    fits: ({ node }) => node.uniqueItems === true,
    edit: (body, field) =>
      replaceWith(field, (found) =>
        isJsonArray(found) && found[0] !== undefined ? [...found, found[0]] : undefined,
      )(body),
  },
];

const formats = ['date-time', 'date', 'email', 'uuid', 'uri', 'ipv4', 'ipv6'];

function beyond(bound: number | bigint, step: number): JsonValue {
  return typeof bound === 'bigint' ? bound + BigInt(step) : bound + step;
}

/** The number of mutations of one kind: more add little. */
const maxOfKind = 3;

/** Mutations of one member of a response body. */
export const bodyMutators: readonly Mutator[] = fieldEdits.map((change) => ({
  id: change.id,
  family: 'body',
  rule: change.rule,
  find: (contract: Contract) =>
    successBodies(contract)
      .flatMap((body) => firstFitting(body, change))
      .slice(0, maxOfKind),
}));

function firstFitting(body: BodyPlace, change: FieldEdit): Mutation[] {
  const field = body.fields.find((candidate) => change.fits(candidate));
  if (field === undefined) return [];
  const { operation } = body;
  return [
    {
      mutator: change.id,
      title: `${operation.id} answers ${change.words(showWay(field.way))}`,
      operation: operation.id,
      plant: (service, fired) =>
        editBodies(service, fired, { operation }, (value) => change.edit(value, field)),
    },
  ];
}
