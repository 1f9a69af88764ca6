import { singularOf, wordsOf } from '../infer/infer-names.ts';
import { lastWord } from '../infer/conventions/path-styles.ts';
import { oncePerResource, type RecordField, recordFields } from '../infer/record-fields.ts';
import { bodySchema } from '../model/operation.ts';
import type { LocatedNode, Schema } from '../model/schema.ts';
import type { Resource } from '../model.ts';
import { isDecimalText } from '../../json/decimal.ts';
import { isJsonArray, isJsonObject, type JsonObject, type JsonValue } from '../../json/value.ts';
import { factIn, fieldTexts } from './facts.ts';

/** A field that is the sum of a field of all records below the one that it stands in. */
export interface SumField {
  readonly field: RecordField;
  readonly child: Resource;
  readonly of: string;
  /** Whether they are decimals that are written as text, and not whole numbers. */
  readonly isText: boolean;
}

/** Members whose values are multiplied, those of each object in a list if it names one. */
interface Term {
  readonly factors: readonly string[];
  readonly isLess?: boolean;
  readonly list?: string;
}

/** A field that others of its record give: terms, which are added and subtracted. */
export interface Formula {
  readonly field: RecordField;
  readonly terms: readonly Term[];
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

/**
 * The fields of a resource that others of its record give: `total minus paid`, `price times
 * quantity`, `net + tax`, `The sum of the rows` that it holds.
 */
export const formulasIn = oncePerResource((resource): readonly Formula[] => {
  const numbers = amountsOf(recordFields(resource.record));
  return numbers.flatMap((field) => {
    const terms = [...statedTerms(field, numbers), ...summedRows(field, resource)];
    const isOwn = terms.some(
      ({ factors, list }) => list === undefined && factors.includes(field.name),
    );
    return terms.length === 0 || isOwn ? [] : [{ field, terms }];
  });
});

/**
 * What a field of a record is by its formula, as text if it adds up texts; undefined if a member is
 * missing or no number.
 */
export function valueBy({ terms }: Formula, record: JsonObject): number | string | undefined {
  const used: JsonValue[] = [];
  const sum = terms.reduce((total, { factors, isLess, list }) => {
    const rows = list === undefined ? [record] : record[list];
    if (!isJsonArray(rows)) return Number.NaN;
    const products = rows.map((row) => {
      const values = factors.map((name) => (isJsonObject(row) ? (row[name] ?? null) : null));
      used.push(...values);
      return values.reduce<number>((product, value) => product * numberOf(value), 1);
    });
    return products.reduce((all, value) => all + (isLess === true ? -value : value), total);
  }, 0);
  if (!(Math.abs(sum) <= Number.MAX_SAFE_INTEGER)) return undefined;
  const texts = used.filter((value) => typeof value === 'string');
  const digits = Math.max(0, ...texts.map((text) => text.split('.')[1]?.length ?? 0));
  return texts.length > 0 ? sum.toFixed(digits) : Math.round(sum * 1e6) / 1e6;
}

function numberOf(value: JsonValue): number {
  return typeof value === 'number' || isDecimalText(value) ? Number(value) : Number.NaN;
}

/** The members that the description of a field adds, subtracts or multiplies. */
function statedTerms({ flat }: RecordField, numbers: readonly RecordField[]): Term[] {
  const told = factIn(fieldTexts(flat), 'computed-from')?.value ?? '';
  const [first = '', ...rest] = told.split(
    / ([-−+×*]|plus|minus|less|times|(?:is |will be )?multiplied by) /i,
  );
  const names = [first, ...rest.filter((_part, at) => at % 2 === 1)].map((part) => {
    const plain = part.replace(/^(?:the|its) |`/gi, '').toLowerCase();
    return numbers.find(({ name }) => name.toLowerCase() === plain)?.name;
  });
  if (!names.every((name) => name !== undefined) || new Set(names).size < names.length) return [];
  return names.reduce<Term[]>((terms, name, at) => {
    const by = rest[2 * at - 2] ?? '+';
    const last = /[×*]|times|multiplied/i.test(by) ? terms.pop() : undefined;
    return [
      ...terms,
      last === undefined
        ? { factors: [name], isLess: /[-−]|minus|less/i.test(by) }
        : { ...last, factors: [...last.factors, name] },
    ];
  }, []);
}

/**
 * The member of the objects in a list of the record that a description sums up: the one that it
 * names, or, of rows as such, the only amount that the service and not the client gives.
 */
function summedRows(
  { flat, plain }: RecordField,
  { record, operations: { create } }: Resource,
): Term[] {
  const words = wordsOf(factIn(fieldTexts(flat), 'sum-of')?.value ?? '').map(singularOf);
  const sent = words.length > 0 && create !== undefined ? bodySchema(create) : undefined;
  if (words.length === 0) return [];
  const isProduct = words.includes('time') || words.includes('multiplied');
  const found = [...record.flatten().properties].flatMap(
    ([list, place]): (Term & { readonly isNamed: boolean })[] => {
      const amounts = amountsIn(record, place);
      const asked = sent?.flatten().properties.get(list);
      const given = sent && asked ? amountsIn(sent, asked).map(({ name }) => name) : [];
      const isNamed = words.includes(singularOf(wordsOf(list).at(-1) ?? ''));
      const own = amounts.filter(({ name }) => !given.includes(name));
      const told = amounts.filter((one) => words.includes(singularOf(one.plain)));
      const others = isNamed ? [amounts.filter((one) => one.plain === plain), own, amounts] : [];
      const of = isProduct
        ? told.filter(() => told.length === 2)
        : ([told, ...others].find(({ length }) => length === 1) ?? []);
      return of.length === 0 ? [] : [{ list, factors: of.map(({ name }) => name), isNamed }];
    },
  );
  const named = found.filter(({ isNamed }) => isNamed);
  const [only, ...more] = named.length > 0 ? named : found;
  // Rows of two lists may have the member that a description sums up without saying whose.
  return only === undefined || (more.length > 0 && named.length === 0) ? [] : [only];
}

/** The amounts in the objects of a list. */
function amountsIn(holder: Schema, place: LocatedNode): RecordField[] {
  const { items } = holder.flatten(place);
  return items === undefined ? [] : amountsOf(recordFields(holder.part(items)));
}

function amountsOf(fields: readonly RecordField[]): RecordField[] {
  return fields.filter(
    ({ flat, many, name }) =>
      !many &&
      !name.includes('.') &&
      (/^(?:integer|number)$/.test(flat.types.join()) || isDecimal({ flat })),
  );
}

function numbersIn({ record }: Resource): RecordField[] {
  return amountsOf(recordFields(record)).filter(({ flat }) => flat.types.join() === 'integer');
}

/** The decimals of a record that are written as text, by their patterns: `^[0-9]+[.][0-9]{2}$`. */
function decimalsIn({ record }: Resource): RecordField[] {
  return amountsOf(recordFields(record)).filter(isDecimal);
}

function isDecimal({ flat: { types, node } }: Pick<RecordField, 'flat'>): boolean {
  return types.join() === 'string' && decimalPattern.test(node.pattern ?? '');
}

/** The end of a pattern: a point, and a number of digits. */
const decimalPattern = /(?:\\\.|\[\.\])(?:\[0-9\]|\\d)\{\d\}\$$/;
