import type {
  Expression,
  Filter,
  ListShape,
  Paging,
  Parameter,
  RangeFilter,
  TextSearch,
} from '../../contract/model.ts';
import { conjunction, leavesOf } from '../../contract/query-languages/conditions.ts';
import type { Comparison, Condition, Operator } from '../../contract/query-languages/language.ts';
import { stringifyJson, memberOf, type JsonValue } from '../../json/value.ts';
import type { Step } from '../model/step.ts';
import { Recent } from './recent.ts';

/** The value of a filter in a request; undefined if the request does not have it. */
function requestedValue(
  { parameter, member }: Filter,
  { sent }: Pick<Step, 'sent'>,
): JsonValue | undefined {
  const given = sent.arguments.get(parameter);
  const value = member === undefined || given === undefined ? given : memberOf(given, member);
  // An empty list writes nothing into a query: the server cannot see that the filter was sent.
  return Array.isArray(value) && value.length === 0 ? undefined : value;
}

export interface AskedFilter {
  readonly filter: Filter;
  readonly expected: JsonValue;
  /** The expression that it is part of. */
  readonly expression?: string;
}

/**
 * The filters of a request, each with its value; words that select all records are ignored. What
 * an expression calls equal is a filter too.
 */
export function requestedFilters(shape: ListShape, step: Pick<Step, 'sent'>): AskedFilter[] {
  if (step.sent.arguments.size === 0) return [];
  const own = shape.filters.flatMap((filter): AskedFilter[] => {
    const value = requestedValue(filter, step);
    if (value === undefined) return [];
    const isSeveral = filter.isJoined === true && String(value).includes(',');
    const expected = isSeveral ? String(value).split(',') : value;
    return [expected].flat().some((one: JsonValue) => filter.any?.includes(one) === true)
      ? []
      : [{ filter, expected }];
  });
  return [...own, ...comparedBy(shape, step, 'eq', 'has')];
}

/** What the expressions of a request call unequal. */
export function requestedOthers(shape: ListShape, step: Pick<Step, 'sent'>): AskedFilter[] {
  return comparedBy(shape, step, 'ne');
}

function comparedBy(
  shape: ListShape,
  step: Pick<Step, 'sent'>,
  ...expected: readonly Operator[]
): AskedFilter[] {
  return expressionsIn(shape, step)
    .comparisons.filter(({ op }) => expected.includes(op))
    .map(({ parameter, field, value, text }) => ({
      filter: { parameter, field },
      expected: value,
      expression: text,
    }));
}

/** A search whose words say which records it finds, and its text. */
export interface AskedSearch {
  readonly search: TextSearch;
  readonly text: string;
}

export function requestedSearches(
  { searches = [] }: ListShape,
  { sent }: Pick<Step, 'sent'>,
): AskedSearch[] {
  return searches.flatMap((search) => {
    const text = sent.arguments.get(search.parameter);
    return search.isExact && typeof text === 'string' && text !== '' ? [{ search, text }] : [];
  });
}

export interface AskedRange {
  readonly range: RangeFilter;
  readonly bound: JsonValue;
  /** The expression that it is part of. */
  readonly expression?: string;
}

const bounds = { lt: 'lt', le: 'lte', gt: 'gt', ge: 'gte' } as const;

/**
 * The bounds of a request, those of its expressions included. A moment may be shown less exactly
 * than it is compared, so that nothing is certain of the bound itself.
 */
export function requestedRanges(shape: ListShape, step: Pick<Step, 'sent'>): AskedRange[] {
  if (step.sent.arguments.size === 0) return [];
  const own = shape.ranges.flatMap((range): AskedRange[] => {
    const bound = step.sent.arguments.get(range.parameter);
    return bound === undefined ? [] : [{ range: asAsked(range, step), bound }];
  });
  const compared = expressionsIn(shape, step).comparisons.flatMap((comparison): AskedRange[] => {
    const { parameter, op, text } = comparison;
    if (op !== 'lt' && op !== 'le' && op !== 'gt' && op !== 'ge') return [];
    return [{ ...rangeOf(parameter, { ...comparison, op }), expression: text }];
  });
  return [...own, ...compared];
}

/** A range with what its request says of the bound itself. */
function asAsked(range: RangeFilter, { sent }: Pick<Step, 'sent'>): RangeFilter {
  const { inclusive } = range;
  if (inclusive === undefined) return range;
  const isIn = sent.arguments.get(inclusive) ?? inclusive.schema.flatten().node.default;
  if (typeof isIn !== 'boolean') return range;
  return { ...range, bound: isIn ? 'included' : 'excluded' };
}

/** A comparison by size as a bound. */
export function rangeOf(
  parameter: Parameter,
  { field, op, value }: Comparison & { readonly op: keyof typeof bounds },
): AskedRange {
  const isIn = op === 'le' || op === 'ge' ? 'included' : 'excluded';
  const bound = typeof value === 'string' ? 'unknown' : isIn;
  return { range: { parameter, field, op: bounds[op], bound }, bound: value };
}

interface AskedComparison extends Comparison {
  readonly parameter: Parameter;
  readonly text: string;
}

export interface AskedExpression {
  readonly expression: Expression;
  readonly text: string;
  /** What it selects; undefined if it is not fully understood. */
  readonly condition: Condition | undefined;
}

interface ReadExpressions {
  readonly all: readonly AskedExpression[];
  readonly comparisons: readonly AskedComparison[];
  readonly compound: readonly AskedExpression[];
}

const noExpressions: ReadExpressions = { all: [], comparisons: [], compound: [] };

// Each step of a sequence is judged with those before it, by several checks.
const expressionsRead = new Recent<Step['sent'], ReadExpressions>();

/**
 * The expressions of a request: all, what those compare that are nothing but comparisons which all
 * must hold, and those that are more.
 */
export function expressionsIn(
  { expressions = [] }: ListShape,
  { sent }: Pick<Step, 'sent'>,
): ReadExpressions {
  if (expressions.length === 0 || sent.arguments.size === 0) return noExpressions;
  return expressionsRead.get(sent) ?? expressionsRead.set(sent, readExpressions(expressions, sent));
}

function readExpressions(expressions: readonly Expression[], sent: Step['sent']): ReadExpressions {
  const all = expressions.flatMap((expression): AskedExpression[] => {
    const text = sent.arguments.get(expression.parameter);
    return text === undefined
      ? []
      : [{ expression, text: String(text), condition: understood(expression, String(text)) }];
  });
  const parts = all.map((asked) => ({ asked, joined: plainComparisons(asked) }));
  return {
    all,
    comparisons: parts.flatMap(({ asked: { expression, text }, joined = [] }) =>
      joined.map((each) => ({ ...each, parameter: expression.parameter, text })),
    ),
    compound: parts.flatMap(({ asked, joined }) =>
      asked.condition === undefined || joined !== undefined ? [] : [asked],
    ),
  };
}

/** The comparisons of an expression that is nothing else, and that are those of filters. */
function plainComparisons({ condition }: AskedExpression): readonly Comparison[] | undefined {
  const joined = condition && conjunction(condition);
  const isPlain = joined?.every(
    ({ op, by, value }) => !partOperators.has(op) && by === undefined && value !== null,
  );
  return isPlain === true ? joined : undefined;
}

const partOperators: ReadonlySet<Operator> = new Set(['contains', 'starts', 'ends']);

function understood({ language, fields, lists }: Expression, text: string): Condition | undefined {
  const condition = language.read(text);
  const isKnown =
    condition !== undefined &&
    leavesOf(condition).every(({ field, op }) => (op === 'has' ? lists : fields).includes(field));
  return isKnown ? condition : undefined;
}

/** Whether all that a request selects by is known. */
export function isSelectionKnown(shape: ListShape, step: Pick<Step, 'sent'>): boolean {
  return expressionsIn(shape, step).all.every(({ condition }) => condition !== undefined);
}

/** The parameters that select records or a page, and change nothing of their order. */
export function selectingIn(shape: ListShape): Parameter[] {
  const { filters, ranges, searches = [], expressions = [], limit, paging } = shape;
  return [...filters, ...ranges, ...searches, ...expressions, ...paging, limit ?? []]
    .flat()
    .map(({ parameter }) => parameter);
}

/** Whether a request asks for some records only, by a filter or by an expression. */
export function isFiltered(shape: ListShape, step: Pick<Step, 'sent'>): boolean {
  return (
    requestedFilters(shape, step).length > 0 ||
    [...shape.ranges, ...(shape.expressions ?? []), ...(shape.searches ?? [])].some(
      ({ parameter }) => step.sent.arguments.has(parameter),
    )
  );
}

/**
 * The selection of records in a request, regardless of page and order: equal texts for equal sets.
 */
export function requestedSet(shape: ListShape, step: Step): string {
  return describeArguments(step, [
    shape.limit?.parameter,
    shape.sort?.by,
    shape.sort?.direction,
    ...shape.paging.map(({ parameter }) => parameter),
  ]);
}

/** The selection and the order of a request, regardless of the page. */
export function requestedRow(shape: ListShape, step: Step): string {
  return describeArguments(step, [
    shape.limit?.parameter,
    ...shape.paging.map(({ parameter }) => parameter),
  ]);
}

/** All parameters in the URL of a request, as a text. */
export function requestedParameters(step: Step): string {
  const known = everything.get(step.sent);
  if (known !== undefined) return known;
  return everything.set(step.sent, describeArguments(step, []));
}

// Each step of a sequence is compared with all before it.
const everything = new Recent<Step['sent'], string>();

/** Whether a step sent the same request to the operation as another step. */
export function isSameRequestAs(one: Step): (step: Step) => boolean {
  const asked = requestedParameters(one);
  return (step) =>
    step.case.operation === one.case.operation && requestedParameters(step) === asked;
}

function describeArguments({ sent }: Step, except: readonly (Parameter | undefined)[]): string {
  const asked: string[] = [];
  sent.arguments.forEach((value, parameter) => {
    if (!except.includes(parameter))
      asked.push(`${parameter.in} ${parameter.name} ${stringifyJson(value)}`);
  });
  return asked.sort().join('\n');
}

/**
 * The paging parameter of a request, with its value and whether the list itself returned that
 * value.
 */
export function requestedPage(
  shape: ListShape,
  step: Step,
): { readonly paging: Paging; readonly value: JsonValue; readonly given: boolean } | undefined {
  return shape.paging.flatMap((paging) => {
    const value = step.sent.arguments.get(paging.parameter);
    const given = step.case.request.arguments.some(
      ({ parameter, source }) => parameter === paging.parameter && source.kind === 'next',
    );
    return value === undefined ? [] : [{ paging, value, given }];
  })[0];
}

/** Whether a request is for the beginning of a list. */
export function requestsFirstPage(shape: ListShape, step: Step): boolean {
  const asked = requestedPage(shape, step);
  return (
    asked === undefined || (asked.paging.kind !== 'cursor' && asked.value === asked.paging.first)
  );
}
