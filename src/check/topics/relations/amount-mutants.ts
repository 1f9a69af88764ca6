import { lastWord } from '../../../contract/infer/conventions/path-styles.ts';
import { productsIn, type ProductField, sumsIn } from '../../../contract/words/read-amounts.ts';
import type { Contract, Resource } from '../../../contract/model.ts';
import { valueAt } from '../../../json/pointer.ts';
import { isJsonArray, isJsonObject, type JsonObject } from '../../../json/value.ts';
import { editShown, type ShowingPlace, showingPlaces } from '../../mutants/edit-records.ts';
import { mutantsOf, type Scene } from '../../mutants/kind.ts';
import type { Mutator } from '../../mutants/mutant.ts';
import { jsonAt } from '../../mutants/state-edits.ts';

const mutant = mutantsOf('state');

interface SumPlace extends ShowingPlace {
  readonly field: string;
  readonly child: Resource;
  readonly of: string;
}

/** The reads of records that sum up a field of the records below them. */
function sums({ resources }: Contract): SumPlace[] {
  return resources.flatMap((resource) => {
    const { read } = resource.operations;
    return read === undefined
      ? []
      : sumsIn(resource, resources)
          .filter(({ child, isText }) => !isText && child.operations.list !== undefined)
          .map(({ field, child, of }) => ({
            operation: read,
            resource,
            field: field.name,
            child,
            of,
          }));
  });
}

/** What the last of the summed records adds; 0 without one. */
async function lastOf({ child, of }: SumPlace, { request, service }: Scene): Promise<number> {
  const target = `${request.target.split('?', 1)[0] ?? ''}/${lastWord(child.collectionPath)}`;
  const body = await jsonAt(service, { ...request, target });
  const records = child.list === undefined ? undefined : valueAt(body, child.list.records);
  const last = records !== undefined && isJsonArray(records) ? records.at(-1) : undefined;
  const value = last !== undefined && isJsonObject(last) ? last[of] : 0;
  return typeof value === 'number' ? value : 0;
}

interface ProductPlace extends ShowingPlace {
  readonly product: ProductField;
}

function products({ resources }: Contract): ProductPlace[] {
  return resources.flatMap((resource) =>
    productsIn(resource).flatMap((product) =>
      showingPlaces(resource).map((place) => ({ ...place, product })),
    ),
  );
}

/** A record whose product is its first factor; undefined if it is the same. */
function unmultiplied(record: JsonObject, { product }: ProductPlace): JsonObject | undefined {
  const { name } = product.field;
  const [left] = product.factors;
  const [got, factor] = [record[name], record[left]];
  return typeof got !== 'number' || typeof factor !== 'number' || got === factor
    ? undefined
    : { ...record, [name]: factor };
}

/** Mutations of sums and products. */
export const amountMutants: readonly Mutator[] = [
  mutant('sums-without-last', {
    rule: 'A sum leaves out the last of the records that it sums up.',
    where: sums,
    says: ({ field }) => `shows ${field} without the last record`,
    body: async (body, place, scene) => {
      const less = await lastOf(place, scene);
      return editShown(body, place, (record) => {
        const sum = record[place.field];
        return less === 0 || typeof sum !== 'number'
          ? undefined
          : { ...record, [place.field]: Math.max(0, sum - less) };
      });
    },
  }),
  mutant('forgets-factor', {
    rule: 'A product of two fields is one of them.',
    where: products,
    says: ({ product }) => `shows ${product.field.name} as ${product.factors[0]} alone`,
    body: (body, place) => editShown(body, place, (record) => unmultiplied(record, place)),
  }),
];
