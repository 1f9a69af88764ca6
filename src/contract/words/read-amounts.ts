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
}

/** A field that is the product of two others of its record. */
export interface ProductField {
  readonly field: RecordField;
  readonly factors: readonly [string, string];
}

/** The sums in the records of a resource: `The sum of the amounts of its lines.` */
export function sumsIn(resource: Resource, resources: readonly Resource[]): SumField[] {
  const children = resources.filter((one) => one.parents.at(-1)?.resource === resource);
  return numbersIn(resource).flatMap((field): SumField[] => {
    const told = factIn(fieldTexts(field.flat), 'sum-of')?.value;
    const words = wordsOf(told ?? '').map(singularOf);
    const named = children.filter(({ collectionPath }) =>
      words.includes(singularOf(lastWord(collectionPath).toLowerCase())),
    );
    return named.slice(0, 1).flatMap((child) => {
      const own = numbersIn(child).filter(({ plain }) => words.includes(singularOf(plain)));
      const [of] = own;
      return of === undefined || own.length > 1 ? [] : [{ field, child, of: of.name }];
    });
  });
}

/** The products in the records of a resource: `price times quantity`. */
export function productsIn(resource: Resource): ProductField[] {
  const numbers = numbersIn(resource);
  const known = (name: string | undefined): string | undefined =>
    numbers.find((one) => one.name.toLowerCase() === name?.toLowerCase())?.name;
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
