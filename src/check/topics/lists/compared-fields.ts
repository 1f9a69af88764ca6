import { type RecordField, recordFields } from '../../../contract/infer/record-fields.ts';
import type { Expression } from '../../../contract/model.ts';
import type { Operator } from '../../../contract/query-languages/language.ts';
import type { Compared } from '../../model/request-template.ts';
import type { Listing } from '../../plan/listing.ts';

/** A kind of field, and how expressions compare it. */
export interface FieldKind {
  readonly operators: readonly Operator[];
  /** How it is compared beside another field. */
  readonly beside: Operator;
  readonly holds: (field: RecordField) => boolean;
  /** How many fields of the kind are compared at most. Default: 1. */
  readonly max?: number;
}

const listKind: FieldKind = { operators: ['has'], beside: 'has', holds: ({ many }) => many };

/** A field of an object in the record: services often know those at its top alone. */
const nestedKind: FieldKind = {
  operators: ['eq', 'ne'],
  beside: 'eq',
  max: 2,
  holds: ({ name, types, flat: { node } }) =>
    name.includes('.') && node.format === undefined && !types.includes('number'),
};

/** Those that nothing but the value decides come first: two of them are compared at once. */
const kinds: readonly FieldKind[] = [
  listKind,
  nestedKind,
  {
    operators: ['eq', 'ne'],
    beside: 'eq',
    holds: ({ flat: { node } }) => node.enum !== undefined && node.enum.length > 1,
  },
  {
    operators: ['eq', 'ne', 'lt', 'le', 'gt', 'ge'],
    beside: 'le',
    holds: ({ types }) => types.includes('integer') || types.includes('number'),
  },
  { operators: ['eq', 'ne'], beside: 'eq', holds: ({ types }) => types.includes('boolean') },
  // Moments may be shown less exactly than they are compared.
  {
    operators: ['lt', 'gt'],
    beside: 'gt',
    holds: ({ flat: { node } }) => node.format === 'date-time' || node.format === 'date',
  },
  {
    operators: ['eq', 'ne'],
    beside: 'eq',
    holds: ({ types, flat: { node } }) => types.includes('string') && node.format === undefined,
  },
];

/** The most fields that one parameter compares, besides a list and one of an object. */
const max = 4;

/** A field that expressions compare, with its kind. */
export interface ChosenField {
  readonly kind: FieldKind;
  readonly field: RecordField;
  readonly compared: Omit<Compared, 'op'>;
}

/** A field or a few of each kind: those that clients write, rather than what the service sets. */
export function chooseFields(listing: Listing, expression: Expression): ChosenField[] {
  const candidates = comparedFields(listing, expression);
  const chosen = kinds.flatMap((kind) =>
    candidates
      .filter((one) => kinds.find(({ holds }) => holds(one)) === kind)
      .slice(0, kind.max ?? 1)
      .map((field): ChosenField => ({ kind, field, compared: comparedAs(field) })),
  );
  const isOdd = ({ kind }: ChosenField): boolean => kind === listKind || kind === nestedKind;
  return [...chosen.filter((one) => !isOdd(one)).slice(0, max), ...chosen.filter(isOdd)];
}

/** How an expression names a field. */
export function comparedAs({ name, flat }: RecordField): Omit<Compared, 'op'> {
  const { format } = flat.node;
  return { field: name, ...(format === undefined ? {} : { format }) };
}

/** The fields that an expression may compare, those first that clients write. */
export function comparedFields(
  { resource }: Listing,
  { fields, lists }: Expression,
): readonly RecordField[] {
  const known = new Map(recordFields(resource.record).map((field) => [field.name, field]));
  return [...lists, ...fields]
    .flatMap((name) => known.get(name) ?? [])
    .filter(({ name }) => name !== resource.identifier.field)
    .toSorted((left, right) => Number(isSet(left)) - Number(isSet(right)));
}

function isSet({ flat: { node } }: RecordField): boolean {
  return node.readOnly === true;
}
