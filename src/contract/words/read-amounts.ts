import { singularOf, wordsOf } from '../infer/infer-names.ts';
import { lastWord } from '../infer/conventions/path-styles.ts';
import { type RecordField, recordFields } from '../infer/record-fields.ts';
import type { Resource } from '../model.ts';
import { factIn, fieldTexts } from './facts.ts';

/** A field that is the sum of a field of all records below the one that it stands in. */
export interface SumField {
  readonly field: RecordField;
  readonly child: Resource;
  readonly of: string;
  /** Whether they are decimals that are written as text, and not whole numbers. */
  readonly isText: boolean;
}

/** A field that is the product of two others of its record. */
export interface ProductField {
  readonly field: RecordField;
  readonly factors: readonly [string, string];
}

/** A field that is one field of its record less another. */
export interface DifferenceField {
  readonly field: RecordField;
  readonly from: string;
  readonly less: string;
}

/** The sums in the records of a resource: `The sum of the amounts of its lines.` */
export function sumsIn(resource: Resource, resources: readonly Resource[]): SumField[] {
  const children = resources.filter((one) => one.parents.at(-1)?.resource === resource);
  return [...numbersIn(resource), ...decimalsIn(resource)].flatMap((field): SumField[] => {
    const isText = isDecimal(field);
    const told = factIn(fieldTexts(field.flat), 'sum-of')?.value;
    const words = wordsOf(told ?? '').map(singularOf);
    const parts = children.filter(({ collectionPath }) =>
      words.includes(singularOf(lastWord(collectionPath).toLowerCase())),
    );
    return parts.slice(0, 1).flatMap((child) => {
      const amounts = isText ? decimalsIn(child) : numbersIn(child);
      const named = amounts.filter(({ plain }) => words.includes(singularOf(plain)));
      // `The sum of the payments` is that of the only amount that a payment has.
      const [of, ...more] = isText && named.length === 0 ? amounts : named;
      return of === undefined || more.length > 0 ? [] : [{ field, child, of: of.name, isText }];
    });
  });
}

/** The differences in the records of a resource: `total minus paid`. */
export function differencesIn(resource: Resource): DifferenceField[] {
  const numbers = [...numbersIn(resource), ...decimalsIn(resource)];
  return numbers.flatMap((field): DifferenceField[] => {
    const { value, by } = factIn(fieldTexts(field.flat), 'difference-of')?.groups ?? {};
    const [from, less] = [value, by].map((name) => namedIn(numbers, name));
    if (from === undefined || less === undefined || from === less) return [];
    const isAlike = [from, less].every((one) => isDecimal(one) === isDecimal(field));
    return isAlike ? [{ field, from: from.name, less: less.name }] : [];
  });
}

function namedIn(
  fields: readonly RecordField[],
  name: string | undefined,
): RecordField | undefined {
  return fields.find((one) => one.name.toLowerCase() === name?.toLowerCase());
}

/** The products in the records of a resource: `price times quantity`. */
export function productsIn(resource: Resource): ProductField[] {
  const numbers = numbersIn(resource);
  const known = (name: string | undefined): string | undefined => namedIn(numbers, name)?.name;
  return numbers.flatMap((field): ProductField[] => {
    const { value, by } = factIn(fieldTexts(field.flat), 'product-of')?.groups ?? {};
    const [one, other] = [known(value), known(by)];
    const isOwn = one === field.name || other === field.name;
    return one === undefined || other === undefined || isOwn || one === other
      ? []
      : [{ field, factors: [one, other] }];
  });
}

/** The whole numbers of a record: what is rounded is no sum. */
function numbersIn({ record }: Resource): RecordField[] {
  return recordFields(record).filter(
    ({ flat, many, name }) => !many && !name.includes('.') && flat.types.join() === 'integer',
  );
}

/** The decimals of a record that are written as text, by their patterns: `^[0-9]+[.][0-9]{2}$`. */
function decimalsIn({ record }: Resource): RecordField[] {
  return recordFields(record).filter(
    (field) => !field.many && !field.name.includes('.') && isDecimal(field),
  );
}

function isDecimal({ flat: { types, node } }: RecordField): boolean {
  return types.join() === 'string' && decimalPattern.test(node.pattern ?? '');
}

/** The end of a pattern: a point, and a number of digits. */
const decimalPattern = /(?:\\\.|\[\.\])(?:\[0-9\]|\\d)\{\d\}\$$/;
