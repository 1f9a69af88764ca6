import { type OpenList, openListOf } from '../../../contract/infer/open-lists.ts';
import type { ListShape } from '../../../contract/model.ts';
import { joinPointer } from '../../../json/pointer.ts';
import { type Case, makeSequence, type Sequence } from '../../model/case.ts';
import type { CheckInput, Violation, Violations } from '../../model/knowledge.ts';
import { countWords, type Step } from '../../model/step.ts';
import type { Argument } from '../../model/request-template.ts';
import type { Draft } from '../../plan/draft.ts';
import { sourced, valued, widestPage } from '../../plan/listing.ts';
import { foundIn } from '../../plan/made.ts';
import { draftCase, type PlanContext } from '../../plan/plan-context.ts';
import { limitOf, pageOf } from '../../reading/list-page.ts';
import { requestedPage, requestsFirstPage } from '../../reading/list-query.ts';
import { totalOf } from '../../reading/list-total.ts';
import { namedPage, namesMore, namesNone } from '../../reading/next-page.ts';
import { pagesOf, promisesNext } from '../../reading/promised-next.ts';
import { hasMoved, pageWords, type PlacedPage, type Walk, walkOf } from '../../reading/walk.ts';
import { check } from '../check.ts';
import { endsInNothing, faultsOfNext, promisesInVain } from './next-faults.ts';
import { wrongLink, wrongPage } from './page-links.ts';
import { planPageQueries, planPages } from './page-sequences.ts';
import { planPageLinks } from './plan-page-links.ts';

/**
 * The pages of a list are consecutive: no record is repeated or omitted, and the next page is the
 * right one.
 */
export const pageHolds = check({
  id: 'page-holds',
  basis: 'inferred',
  harm: 'results',
  rule:
    'The pages of a list together have all of its records: none is repeated, none is ' +
    'omitted, and no page is beyond the end. A next link leads to the following page of ' +
    'the same records, on the same host.',
  reason:
    'A client that reads page by page sees records twice, misses others, or never reaches ' +
    'the end.',
  example: [
    '> GET /items?limit=2&offset=0',
    '< [{"id": 1}, {"id": 2}]',
    '> GET /items?limit=2&offset=2',
    '< [{"id": 2}, {"id": 3}]',
  ],
  traits: ['lists', 'machinery'],
  explains: [
    {
      // Pages that are cut at wrong places are wrong in every order.
      findings: ['sort-holds'],
      leads: ({ cause }) => ['twice', 'left out', 'loop'].includes(cause),
      explains: (_leader, other) => other.cause === 'across pages',
    },
    {
      // One function names a page after the last one.
      findings: ['page-holds'],
      leads: ({ cause }) => cause === 'beyond the end',
      explains: (_leader, other) => other.cause === 'never ends',
    },
  ],
  plan: [
    { at: 'counted', listing: planPages },
    { at: 'lists', list: planPageQueries },
    { at: 'lists', all: planPageLinks },
    { at: 'first lists', each: planOpenLists },
  ],
  needs: ['unordered'],
  intents: ['valid', 'relation'],
  mutants: [
    async () => (await import('./list-mutants.ts')).firstPageMutants,
    async () => (await import('./page-mutants.ts')).pageMutants,
  ],
  relations: { 'next-page': wrongPage, 'page-link': wrongLink },
  inspect(subject) {
    const next =
      faultsOfNext(subject) ??
      againstWords(subject) ??
      endsInNothing(subject) ??
      promisesInVain(subject);
    const walk = walkOf(subject);
    const whole = walk?.after.identifiers;
    // Records with equal sort values may come in any order: `sort-holds` checks those.
    if (walk === undefined || whole === undefined || isSorted(subject, walk.shape)) return next;
    // A change between the first and the last request changes the pages too.
    if (
      whole.length === 0 ||
      new Set(whole).size < whole.length ||
      walk.before.identifiers?.join('\n') !== whole.join('\n')
    )
      return next;
    const isNamed = pagesOf(subject, walk.after.resource)?.next !== undefined;
    const isOrdered = !subject.knowledge.unordered.has(subject.operation.id);
    const fault = isOrdered ? faultIn(walk, whole, isNamed) : undefined;
    return [next ?? [], fault ?? []].flat();
  },
});

/**
 * What the contract says of pages in words: that `Link` names the next one (RFC 8288). Judged by
 * the total of the same response.
 */
function againstWords(subject: CheckInput): Violations {
  const page = pageOf(subject, subject);
  const shape = page?.resource.list;
  const limit = page && limitOf(page.resource, subject)?.value;
  const total = Number((page && totalOf(page.resource, subject)?.value) ?? NaN);
  if (shape === undefined || limit === undefined || !(total > limit)) return undefined;
  const isFull = shape.links && requestsFirstPage(shape, subject) && page?.records.length === limit;
  if (!isFull || !promisesNext(subject)) return undefined;
  return {
    at: joinPointer(subject.operation.pointer, 'responses'),
    message:
      `A page of ${countWords(limit, 'record')} out of ${String(total)} has no Link to the ` +
      'next page, which the contract documents.',
    expected: 'Link: <…>; rel="next"',
    actual: 'no link to the next page',
    cause: 'no link',
  };
}

function isSorted({ sent }: Step, { sort }: ListShape): boolean {
  return sort !== undefined && sent.arguments.has(sort.by);
}

/** `isNamed`: the contract shows where a page names the next one. */
function faultIn(
  { pages, shape }: Walk,
  whole: readonly string[],
  isNamed: boolean,
): Violation | undefined {
  if (pages.some((page) => hasMoved(page, whole))) return undefined;
  const [first] = pages.flatMap((page) => {
    const isCapped = !pages.some(
      (other) => other.size === page.size && other.identifiers.length === page.size,
    );
    return faultOf(page, { whole, shape, isCapped }) ?? [];
  });
  return first ?? endOf(pages, { whole, shape, isNamed });
}

/** The records that a page is compared with. */
interface Row {
  readonly whole: readonly string[];
  readonly shape: ListShape;
  /** Whether no page of its size was full: a server may cap pages below the requested size. */
  readonly isCapped: boolean;
}

function faultOf(page: PlacedPage, { whole, shape, isCapped }: Row): Violation | undefined {
  const asked = requestedPage(shape, page.step);
  // `limit-holds` reports a first page that is empty because it is short. A page with a next cursor
  // may be short.
  if (
    page.identifiers.length === 0 &&
    (asked === undefined || (asked.paging.kind === 'cursor' && namesMore(page.step)))
  )
    return undefined;
  const isCut = isCapped || asked?.given === true;
  const faults = page.begins.map((begin) => compare(page, { whole, begin, isCut }));
  const [first] = faults;
  if (first === undefined || faults.includes(undefined)) return undefined;
  const { parameter, kind } = asked?.paging ?? {
    parameter: shape.limit?.parameter ?? page.step.case.operation,
    kind: 'limit' as const,
  };
  const at = parameter.pointer;
  // Some servers return the last page for a number beyond it.
  const lenient =
    kind === 'page' && first.cause === 'beyond' ? ({ severity: 'warning' } as const) : {};
  return {
    at,
    message: `The page of a list with ${pageWords(page.step, shape)} ${first.clause}.`,
    expected: first.expected,
    actual: `${countWords(page.identifiers.length, 'record')}: ${show(page.identifiers)}`,
    cause: first.cause,
    momentary: true,
    ...lenient,
  };
}

interface PageFault {
  readonly clause: string;
  readonly expected: string;
  readonly cause: 'twice' | 'left out' | 'beyond';
}

/** The violation of a page that begins at an index of the row; undefined if it has none. */
function compare(
  { identifiers, size }: PlacedPage,
  {
    whole,
    begin,
    isCut,
  }: { readonly whole: readonly string[]; readonly begin: number; readonly isCut: boolean },
): PageFault | undefined {
  const wanted = whole.slice(begin, begin + Math.min(size, whole.length));
  const before = new Set(whole.slice(0, begin));
  const again = identifiers.find((identifier) => before.has(identifier));
  const expected =
    wanted.length === 0
      ? 'none of the records that come before it'
      : `the records ${show(wanted)}, in that order`;
  if (again !== undefined && wanted.length === 0 && begin > whole.length)
    return {
      clause: `is beyond the end, and has ${again}, which is on the first page`,
      expected,
      cause: 'beyond',
    };
  if (again !== undefined)
    return {
      clause: `holds ${again}, which comes before it in the list`,
      expected,
      cause: 'twice',
    };
  const missing = wanted
    .slice(0, isCut ? Math.max(1, identifiers.length) : wanted.length)
    .find((identifier, index) => identifiers[index] !== identifier);
  return missing === undefined
    ? undefined
    : { clause: `does not have ${missing} at its place in the list`, expected, cause: 'left out' };
}

/** A walk from page to page that ends before all records of the list were seen. */
function endOf(
  pages: readonly PlacedPage[],
  { whole, shape, isNamed }: Omit<Row, 'isCapped'> & { readonly isNamed: boolean },
): Violation | undefined {
  const last = pages.at(-1);
  const asked = last && requestedPage(shape, last.step);
  if (last === undefined || namesMore(last.step) || (asked !== undefined && !asked.given))
    return undefined;
  // If no earlier page named a next one, and the response has no place for it, the server may not
  // name one at all.
  if (
    !isNamed &&
    !namesNone(last.step) &&
    !pages.slice(0, -1).some(({ step }) => namedPage(step) !== undefined)
  )
    return undefined;
  const missing = last.begins.map((begin) => whole[begin + last.identifiers.length]);
  const [first] = missing;
  const at = (asked?.paging ?? shape.paging[0])?.parameter.pointer;
  if (at === undefined || first === undefined || missing.includes(undefined)) return undefined;
  return {
    at,
    message:
      `The page of a list with ${pageWords(last.step, shape)} names no next ` +
      `page, and ${first} comes after it in the list.`,
    expected: 'a next page',
    actual: 'none',
    cause: 'ends early',
    isShort: true,
    momentary: true,
  };
}

function show(identifiers: readonly string[]): string {
  return identifiers.slice(0, 8).join(', ') + (identifiers.length > 8 ? ', …' : '') || 'none';
}

/** As many pages of one item as are followed. */
const followed = 3;

/** Each list that is no resource, as a whole, and then in pages of one item by their tokens. */
function planOpenLists({ contract }: PlanContext, draft: Draft): Sequence[] {
  const list = openListOf(contract, draft.operation);
  const one = list === undefined ? [] : valued(list.limit.parameter, 1);
  return list === undefined || one.length === 0 ? [] : [openWalk(draft, list, one)];
}

function openWalk(
  draft: Draft,
  { limit, token, next }: OpenList,
  one: readonly Argument[],
): Sequence {
  const whole = draftCase(draft, {
    title: 'the list is asked for as it is',
    record: 'known',
    extra: widestPage({ shape: { limit } }),
  });
  const steps: Case[] = [];
  for (let count = 1; count <= followed; count += 1) {
    const before = steps.at(-1);
    const expression = `$response.body#${next}`;
    const given = before === undefined ? [] : sourced(token, foundIn(before, expression));
    const step = draftCase(draft, {
      title: `page ${String(count)} of one item is asked for`,
      record: 'known',
      extra: [...one, ...given],
      relation: { rule: 'next-page', of: [whole, ...steps].map(({ title }) => title) },
    });
    steps.push(before === undefined ? step : { ...step, optional: true });
  }
  return makeSequence(whole, ...steps);
}
