import { joinedParts } from '../../../contract/query-languages/conditions.ts';
import type { Condition, Operator } from '../../../contract/query-languages/language.ts';
import type { Expression } from '../../../contract/model.ts';
import type { Case, Sequence } from '../../model/case.ts';
import type { Argument, Compared, Source } from '../../model/request-template.ts';
import { askList, type Listing, sourced, widestPage } from '../../plan/listing.ts';
import type { PlanContext } from '../../plan/plan-context.ts';
import { chooseFields } from './compared-fields.ts';
import { type Asked, compoundConditions } from './compound-conditions.ts';
import { betweenLists } from './filter-sequences.ts';
import { invalidExpressions } from './invalid-expressions.ts';

/**
 * Tests the expressions of a list: a few fields of different kinds, each compared with what a
 * record has, and two at once; conditions that are joined, negated and about parts of texts; and
 * texts that are no expression, which a service should refuse. All are between two requests of the
 * whole list, by which they are judged.
 */
export function planExpressions(listing: Listing, context: PlanContext): Sequence[] {
  const { expressions = [] } = listing.shape;
  return expressions.flatMap((expression) => {
    const chosen = chooseFields(listing, expression);
    const ask = (asked: Asked): Case => comparing(listing, expression, asked);
    const alone = chosen.map(({ kind: { operators }, compared }) =>
      betweenLists(listing, ...operators.map((op) => ask({ condition: { ...compared, op } }))),
    );
    const pair = chosen.slice(0, 2).map(({ kind, compared }) => ({ ...compared, op: kind.beside }));
    const compound = compoundConditions(listing, expression).map(ask);
    return [
      ...alone,
      ...(pair.length < 2 ? [] : [betweenLists(listing, ask({ condition: { all: pair } }))]),
      ...(compound.length === 0 ? [] : [betweenLists(listing, ...compound)]),
      ...invalidExpressions(listing, expression, context),
    ];
  });
}

/**
 * The arguments by which the pages of a list are walked with an expression: for each, the value of
 * one field, of those that have few values if there is one.
 */
export function expressionsToWalk(
  listing: Listing,
): { readonly words: string; readonly query: readonly Argument[] }[] {
  return (listing.shape.expressions ?? []).flatMap((expression) => {
    const [first] = chooseFields(listing, expression).filter(({ kind }) => kind.beside === 'eq');
    if (first === undefined) return [];
    const source = expressionSource(listing, expression, {
      condition: { ...first.compared, op: 'eq' },
    });
    const { field } = first.compared;
    return {
      words: ` where ${expression.parameter.name} says that ${field} ${phrases.eq}`,
      query: sourced(expression.parameter, source),
    };
  });
}

const phrases: Readonly<Record<Operator, string>> = {
  eq: 'is what a record has',
  ne: 'is not what a record has',
  lt: 'is less than what a record has',
  le: 'is at most what a record has',
  gt: 'is greater than what a record has',
  ge: 'is at least what a record has',
  has: 'has an item that a record has',
  contains: 'contains a part of what a record has',
  starts: 'starts with a part of what a record has',
  ends: 'ends with a part of what a record has',
};

/** An expression with the values of records. A service may leave fields and operators out. */
function comparing(listing: Listing, expression: Expression, { condition, unlike }: Asked): Case {
  const { parameter } = expression;
  const source = expressionSource(listing, expression, { condition, unlike });
  return {
    ...askList(listing, {
      title: `${parameter.name} says that ${wordsOf(condition)}`,
      query: [...sourced(parameter, source), ...widestPage(listing)],
      at: parameter.pointer,
      rigour: 'exotic',
    }),
    optional: true,
  };
}

/** A condition as a clause: `size is what a record has and not (…)`. */
function wordsOf(condition: Condition<Compared>): string {
  if ('not' in condition) {
    const word = (condition.as ?? 0) === 0 ? 'not' : 'in another word not';
    return `${word} (${wordsOf(condition.not)})`;
  }
  const joined = joinedParts(condition);
  if (joined === undefined) return 'field' in condition ? comparisonWords(condition) : '';
  return joined.parts
    .map((part) => (joinedParts(part) === undefined ? wordsOf(part) : `(${wordsOf(part)})`))
    .join(joined.joint === 'all' ? ' and ' : ' or ');
}

function comparisonWords({ field, op, takes }: Compared): string {
  if (takes === 'null') return `${field} is ${op === 'ne' ? 'not ' : ''}null`;
  if (takes === 'part') return `${field} has a part of an item that a record has`;
  return `${field} ${phrases[op]}${takes === undefined ? '' : ', in the other case'}`;
}

function expressionSource(
  { resource }: Listing,
  { language }: Expression,
  { condition, unlike }: Asked,
): Source {
  return {
    kind: 'expression',
    resource: resource.name,
    language: language.id,
    condition,
    ...(unlike === undefined ? {} : { unlike }),
  };
}
