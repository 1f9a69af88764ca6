import type { Clearing, Expression, Filter, Limit, Paging, Resource, Sort } from '../model.ts';
import type { Pointer } from '../../json/pointer.ts';
import type { ListParameters } from './infer-list-parameters.ts';

const bounds = {
  gte: 'no less than',
  gt: 'more than',
  lte: 'no more than',
  lt: 'less than',
} as const;

/** Describes each query parameter of a list in one sentence. */
export function explainParameters(parameters: ListParameters): string[] {
  const { filters, ranges, expressions = [], search, searches = [], sort, limit } = parameters;
  return [
    ...filters.map(explainFilter),
    ...ranges.map(
      ({ parameter, field, op }) =>
        `The query parameter ${parameter.name} filters: ` +
        `the record field ${field} is ${bounds[op]} its value.`,
    ),
    ...expressions.map(explainExpression),
    ...(search === undefined || searches.some(({ parameter }) => parameter === search)
      ? []
      : [`The query parameter ${search.name} searches all text fields of a record.`]),
    ...searches.map(
      ({ parameter, fields, at }) =>
        `The query parameter ${parameter.name} searches ${fields.join(', ')}, as it says: ` +
        `its text occurs ${at === 'start' ? 'at the start' : 'anywhere'}.`,
    ),
    ...(sort === undefined ? [] : [explainSort(sort)]),
    ...(limit === undefined ? [] : [explainLimit(limit)]),
    ...parameters.paging.map(explainPaging),
  ];
}

function explainFilter({ parameter, field, member }: Filter): string {
  const name = member === undefined ? parameter.name : `${parameter.name}[${member}]`;
  const reason =
    field === parameter.name
      ? 'a record field has its name and type'
      : `it filters the record field ${field}`;
  return `The query parameter ${name} filters: ${reason}.`;
}

const maxNamed = 5;

function explainExpression({ parameter, language, fields }: Expression): string {
  const more = fields.length > maxNamed ? ', …' : '';
  return (
    `The query parameter ${parameter.name} filters by expressions in ${language.name} ` +
    `over the record fields ${fields.slice(0, maxNamed).join(', ')}${more}.`
  );
}

function explainSort({ by, direction, language }: Sort): string {
  if (language !== undefined)
    return (
      `The query parameter ${by.name} sorts by the record fields that it names, ` +
      `separated by commas; ${language.name}.`
    );
  const order =
    direction === undefined
      ? '; a leading minus, or a trailing desc, sorts in descending order'
      : `, and ${direction.name} gives the direction`;
  return `The query parameter ${by.name} sorts by the record field that it names${order}.`;
}

function explainLimit({ parameter, default: size }: Limit): string {
  const byDefault = size === undefined ? '' : `, ${String(size)} by default`;
  return `The query parameter ${parameter.name} is the page size${byDefault}.`;
}

function explainPaging({ kind, parameter, first }: Paging): string {
  const subject = `The query parameter ${parameter.name} is the`;
  switch (kind) {
    case 'offset':
      return `${subject} number of records before the page.`;
    case 'page':
      return `${subject} number of the page, counted from ${String(first)}.`;
    case 'cursor':
      return (
        `${subject} cursor of a page: one that the list gave, ` +
        'or the identifier of the record before the page.'
      );
  }
}

/** Says which records a deletion on a collection removes. */
export function explainClearing(
  {
    shape: { filters, ranges, search },
    identifiers,
    unread,
  }: Pick<Clearing, 'shape' | 'unread'> & { readonly identifiers: Pointer | undefined },
  { name }: Resource,
): string {
  const choosing = new Set(
    [...filters, ...ranges].map(({ parameter }) => parameter.name).concat(search?.name ?? []),
  );
  const body =
    identifiers === undefined
      ? []
      : [
          identifiers === ''
            ? 'the identifiers in its body'
            : `${identifiers.slice(1)} in its body`,
        ];
  const chosen = [...choosing, ...body];
  const or = chosen.length === 0 ? '' : `, or those that are chosen by ${chosen.join(', ')}`;
  const what = `it removes every record of ${name}${or}.`;
  return unread.length === 0
    ? what
    : `${what} It removes none where the request has ` +
        `${unread.map((parameter) => parameter.name).join(', ')}, whose meaning is unknown.`;
}
