import type { Filter, ListShape, Paging, Parameter } from '../../contract/model.ts';
import { isJsonObject, type JsonValue, stringifyJson } from '../../json/value.ts';
import type { Step } from '../model/step.ts';
import { Recent } from './recent.ts';

/** The value of a filter in a request; undefined if the request does not have it. */
function requestedValue(
  { parameter, member }: Filter,
  { sent }: Pick<Step, 'sent'>,
): JsonValue | undefined {
  const given = sent.arguments.get(parameter);
  const value =
    member === undefined || given === undefined
      ? given
      : isJsonObject(given)
        ? given[member]
        : undefined;
  // An empty list writes nothing into a query: the server cannot see that the filter was sent.
  return Array.isArray(value) && value.length === 0 ? undefined : value;
}

/** The filters of a request, each with its value; words that select all records are ignored. */
export function requestedFilters(
  shape: ListShape,
  step: Pick<Step, 'sent'>,
): { readonly filter: Filter; readonly wanted: JsonValue }[] {
  if (step.sent.arguments.size === 0) return [];
  return shape.filters.flatMap((filter) => {
    const wanted = requestedValue(filter, step);
    if (wanted === undefined) return [];
    return [wanted].flat().some((value: JsonValue) => filter.any?.includes(value) === true)
      ? []
      : [{ filter, wanted }];
  });
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
