import type { ListShape } from '../../contract/model.ts';
import type { CheckInput } from '../model/knowledge.ts';
import type { Step } from '../model/step.ts';
import { limitOf, type ListPage, pageOf } from './list-page.ts';
import { isSameRequestAs, requestedParameters, requestedPage, requestedRow } from './list-query.ts';

/** Pages of one selection of records, between two requests for its beginning. */
export interface Walk {
  readonly shape: ListShape;
  readonly before: ListPage;
  readonly after: ListPage;
  readonly pages: readonly PlacedPage[];
}

/**
 * A page, and the positions at which it may begin: contracts seldom say whether the first page is 0
 * or 1.
 */
export interface PlacedPage {
  readonly step: Step;
  readonly page: ListPage;
  readonly identifiers: readonly string[];
  readonly size: number;
  readonly begins: readonly number[];
}

/**
 * The walk that ends with a step; undefined if the step does not repeat the first request, or no
 * page is in between.
 */
export function walkOf(subject: CheckInput): Walk | undefined {
  const after = pageOf(subject, subject);
  const shape = after?.resource.list;
  if (
    after === undefined ||
    shape === undefined ||
    shape.paging.length === 0 ||
    requestedPage(shape, subject) !== undefined
  )
    return undefined;
  const start = subject.earlier.findIndex(isSameRequestAs(subject));
  const first = subject.earlier[start];
  const before = first && pageOf(subject, first);
  const between = subject.earlier.slice(start + 1).filter((step) => isPageOf(subject, shape, step));
  if (before === undefined || between.length === 0) return undefined;
  const pages = placed(subject, between, { shape, count: after.records.length });
  return pages && { shape, before, after, pages };
}

/** Another page of the same records in the same order. */
function isPageOf(subject: CheckInput, shape: ListShape, step: Step): boolean {
  return (
    step.case.operation === subject.operation &&
    requestedParameters(step) !== requestedParameters(subject) &&
    pageOf(subject, step) !== undefined &&
    requestedRow(shape, step) === requestedRow(shape, subject)
  );
}

/** The pages whose possible positions are known; undefined if a record of one has no identifier. */
function placed(
  subject: CheckInput,
  steps: readonly Step[],
  row: { readonly shape: ListShape; readonly count: number },
): PlacedPage[] | undefined {
  const found: PlacedPage[] = [];
  for (const step of steps) {
    const page = pageOf(subject, step);
    const identifiers = page?.identifiers;
    if (page === undefined || identifiers === undefined) return undefined;
    const size = limitOf(page.resource, step)?.value ?? Infinity;
    const begins = beginsOf(step, { ...row, size, last: found.at(-1) });
    if (begins.length > 0) found.push({ step, page, identifiers, size, begins });
  }
  return found;
}

/**
 * Where a page may begin. An offset counts records, a page number counts pages, and a cursor
 * continues the page before.
 */
function beginsOf(
  step: Step,
  {
    shape,
    size,
    count,
    last,
  }: {
    readonly shape: ListShape;
    readonly size: number;
    readonly count: number;
    readonly last: PlacedPage | undefined;
  },
): number[] {
  const asked = requestedPage(shape, step);
  if (asked === undefined) return [0];
  const { paging, value, given } = asked;
  if (given || paging.kind === 'cursor') {
    if (!given) return [];
    // Without a page before it in the walk, the first request was the page before.
    return last === undefined
      ? [count]
      : last.begins.map((begin) => begin + last.identifiers.length);
  }
  const number = Number(value);
  if (paging.kind === 'offset')
    // `start` and `from` may count from 1.
    return /^(offset|skip)$/i.test(paging.parameter.name.replaceAll(/[^a-z]/gi, ''))
      ? [number]
      : [number, number - 1].filter((begin) => begin >= 0);
  const paged = Number.isFinite(size) ? size : count;
  const { node } = paging.parameter.schema.flatten();
  const begin = (number - paging.first) * paged;
  return node.minimum === undefined && node.default === undefined
    ? [begin, begin + paged]
    : [begin];
}

/**
 * A record that appeared or disappeared is visible among those that were there before and after.
 */
export function hasMoved({ identifiers, begins }: PlacedPage, whole: readonly string[]): boolean {
  const shown = identifiers.slice(0, Math.max(0, whole.length - Math.min(...begins)));
  const known = shown.filter((identifier) => whole.includes(identifier)).length;
  return known > 0 && known < shown.length;
}

/** The page parameters of a request, as in a query: `limit=2&offset=4`. */
export function pageWords({ sent }: Step, shape: ListShape): string {
  const asked = [shape.limit?.parameter, ...shape.paging.map(({ parameter }) => parameter)].flatMap(
    (parameter) => {
      const value = parameter && sent.arguments.get(parameter);
      return parameter === undefined || value === undefined
        ? []
        : [`${parameter.name}=${String(value)}`];
    },
  );
  return asked.join('&');
}

/**
 * How many records a walk saw from the first page to the last: its pages are consecutive, and all
 * are full except the last one. Undefined if it did not reach the end.
 */
export function countOf({ pages }: Walk): number | undefined {
  let count = 0;
  for (const [index, { identifiers, size, begins }] of pages.entries()) {
    if (!begins.includes(count)) return undefined;
    count += identifiers.length;
    if (identifiers.length > size) return undefined;
    // A single page may be limited by an unknown cap.
    if (identifiers.length < size) return index > 0 ? count : undefined;
  }
  return undefined;
}
