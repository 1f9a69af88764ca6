import { recordFields } from '../../../contract/infer/record-fields.ts';
import type { Contract, Expression, Sort } from '../../../contract/model.ts';
import {
  conjunction,
  mapLeaves,
  replaceLeaves,
} from '../../../contract/query-languages/conditions.ts';
import type {
  Comparison,
  Condition,
  OrderKey,
} from '../../../contract/query-languages/language.ts';
import { equalJson } from '../../../json/equal-json.ts';
import type { HttpRequest } from '../../../http/message.ts';
import {
  inLists,
  type ListPlace,
  ofRecords,
  queryOf,
  readRecords,
  withoutQuery,
  withQuery,
} from '../../mutants/list-place.ts';
import { rejoined, withoutNot } from '../../reading/misreadings.ts';
import { isNullable, isPlainText } from './compound-conditions.ts';
import { mutantsOf } from '../../mutants/kind.ts';
import type { Mutator } from '../../mutants/mutant.ts';

const mutant = mutantsOf('list');

/** A list with a parameter that takes expressions. */
type ExpressionPlace = ListPlace & Expression;

const expressions = (contract: Contract): ExpressionPlace[] =>
  inLists(contract, ({ list }) => list.expressions ?? []);

/** Whether an expression compares a field that holds any text: an enum has no parts. */
function comparesTexts({ resource, fields }: ExpressionPlace): boolean {
  const names = new Set(fields);
  return recordFields(resource.record).some((field) => names.has(field.name) && isPlainText(field));
}

/**
 * Whether an expression compares a field that may be null: whether a member that is left out counts
 * as null, languages do not say.
 */
function comparesNull({ resource, fields }: ExpressionPlace): boolean {
  const names = new Set(fields);
  return recordFields(resource.record).some((field) => names.has(field.name) && isNullable(field));
}

/** The request with another value of a parameter, whose name may have a dollar. */
function asking(request: HttpRequest, name: string, text: string): HttpRequest {
  const others = withoutQuery(request, [name]) ?? request;
  return withQuery(others, encodeURIComponent(name), encodeURIComponent(text));
}

/** What the expression of a request says, each comparison with the format of its field. */
function conditionIn(request: HttpRequest, place: ExpressionPlace): Condition | undefined {
  const { parameter, language, resource } = place;
  const fields = recordFields(resource.record);
  const condition = language.read(queryOf(request, parameter.name) ?? '');
  return (
    condition &&
    mapLeaves(condition, (comparison: Comparison) => {
      const { format } = fields.find(({ name }) => name === comparison.field)?.flat.node ?? {};
      return format === undefined ? comparison : { ...comparison, format };
    })
  );
}

/** What an expression compares that is nothing but comparisons which all must hold. */
function comparedIn(request: HttpRequest, place: ExpressionPlace): readonly Comparison[] {
  const condition = conditionIn(request, place);
  return (condition && conjunction(condition)) ?? [];
}

/** The request with another condition in its expression; undefined if it cannot be written. */
function saying(
  request: HttpRequest,
  { parameter, language }: ExpressionPlace,
  condition: Condition | undefined,
): HttpRequest | undefined {
  const text = condition && language.write(condition);
  const isSame = text === undefined || text === queryOf(request, parameter.name);
  return isSame ? undefined : asking(request, parameter.name, text);
}

/** A request with other comparisons; undefined if none of them changes. */
function rereading(
  request: HttpRequest,
  place: ExpressionPlace,
  edit: (one: Comparison) => Condition,
): HttpRequest | undefined {
  const before = conditionIn(request, place);
  return before && saying(request, place, replaceLeaves(before, edit));
}

/** A request whose condition is another one; undefined if that is the same. */
function changing(
  request: HttpRequest,
  place: ExpressionPlace,
  edit: (condition: Condition) => Condition,
): HttpRequest | undefined {
  const before = conditionIn(request, place);
  return before && saying(request, place, edit(before));
}

const included = { lt: 'le', gt: 'ge' } as const;

/** Expressions that are ignored, or read as others. */
export const expressionMutants: readonly Mutator[] = [
  mutant('ignores-expression', {
    rule: 'A list ignores its filter expression.',
    where: expressions,
    says: ({ parameter }) => `ignores the expression in ${parameter.name}`,
    request: (request, { parameter }) => withoutQuery(request, [parameter.name]),
  }),
  mutant('expression-includes-bound', {
    rule: 'A list reads less as at most, and greater as at least.',
    where: expressions,
    says: ({ parameter }) => `includes the bounds of ${parameter.name}`,
    request: (request, place) =>
      rereading(request, place, (one) =>
        one.op === 'lt' || one.op === 'gt' ? { ...one, op: included[one.op] } : one,
      ),
  }),
  mutant('expression-unequal-as-equal', {
    rule: 'A list reads unequal as equal.',
    where: expressions,
    says: ({ parameter }) => `reads unequal in ${parameter.name} as equal`,
    request: (request, place) =>
      rereading(request, place, (one) => (one.op === 'ne' ? { ...one, op: 'eq' } : one)),
  }),
  mutant('expression-and-as-or', {
    rule: 'A list with two comparisons has the records that match one of them.',
    where: expressions,
    says: ({ parameter }) => `reads and in ${parameter.name} as or`,
    status: 200,
    body: ofRecords(async (records, place: ExpressionPlace, { request, service }) => {
      const compared = comparedIn(request, place);
      if (compared.length < 2) return undefined;
      const answerTo = async (asked: HttpRequest | undefined) => {
        const { response } = asked === undefined ? {} : await service.respond(asked);
        return response === undefined ? [] : readRecords(response.body, place);
      };
      const parts = await Promise.all(
        compared.map(async (one) => answerTo(saying(request, place, one))),
      );
      const all = await answerTo(withoutQuery(request, [place.parameter.name]));
      const either = all.filter((one) =>
        parts.some((part) => part.some((other) => equalJson(one, other))),
      );
      return either.length === records.length ? undefined : either;
    }),
  }),
  mutant('expression-joints-swapped', {
    rule: 'A list reads an expression as if the other joint bound more tightly.',
    where: expressions,
    says: ({ parameter }) => `reads and before or in ${parameter.name} in the wrong order`,
    request: (request, place) => changing(request, place, rejoined),
  }),
  mutant('expression-drops-not', {
    rule: 'A list ignores the word for "not" in an expression.',
    where: (contract) => expressions(contract).filter(({ language }) => language.nots.length > 0),
    says: ({ parameter }) => `ignores "not" in ${parameter.name}`,
    request: (request, place) => changing(request, place, withoutNot),
  }),
  mutant('expression-part-anywhere', {
    rule: 'A list finds a text that starts or ends otherwise, if it contains the part.',
    where: (contract) =>
      expressions(contract).filter(
        (place) => place.parts.includes('contains') && comparesTexts(place),
      ),
    says: ({ parameter }) => `finds the beginning of a text anywhere by ${parameter.name}`,
    request: (request, place) =>
      rereading(request, place, (one) =>
        one.op === 'starts' || one.op === 'ends' ? { ...one, op: 'contains' } : one,
      ),
  }),
  mutant('expression-skips-null', {
    rule: 'A list takes null for unlike every value, and for unlike itself.',
    where: (contract) =>
      expressions(contract).filter((place) => place.language.hasNull && comparesNull(place)),
    says: ({ parameter }) => `finds no record without a value by ${parameter.name}`,
    request: (request, place) =>
      rereading(request, place, (one) => {
        const hasValue: Comparison = { field: one.field, op: 'ne', value: null };
        return one.op === 'eq' || one.op === 'ne' ? { all: [one, hasValue] } : one;
      }),
  }),
];

/** A list whose orders are in a language. */
type OrderPlace = ListPlace & { readonly sort: Sort };

const orders = (contract: Contract): OrderPlace[] =>
  inLists(contract, ({ list: { sort } }) => (sort?.language === undefined ? [] : [{ sort }]));

/** The request with another order; undefined if the edit leaves it as it is. */
function ordering(
  request: HttpRequest,
  { sort: { by, language } }: OrderPlace,
  edit: (keys: readonly OrderKey[]) => readonly OrderKey[],
): HttpRequest | undefined {
  const text = queryOf(request, by.name);
  const keys = text === undefined ? undefined : language?.read(text);
  const other = keys && language?.write(edit(keys));
  return other === undefined || other === text ? undefined : asking(request, by.name, other);
}

/** Orders of which a part is ignored. */
export const orderPartMutants: readonly Mutator[] = [
  mutant('order-ignores-descending', {
    rule: 'A list sorts in ascending order where a descending one is requested.',
    where: orders,
    says: ({ sort }) => `sorts upwards whatever ${sort.by.name} says`,
    request: (request, place) =>
      ordering(request, place, (keys) => keys.map((key) => ({ ...key, descending: false }))),
  }),
  mutant('order-ignores-second', {
    rule: 'A list ignores the second field of an order.',
    where: orders,
    says: ({ sort }) => `ignores the second field in ${sort.by.name}`,
    request: (request, place) => ordering(request, place, (keys) => keys.slice(0, 1)),
  }),
];
