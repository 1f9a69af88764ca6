import type { ListShape } from '../../contract/model.ts';
import { pageAsked } from '../evidence/list/list-query.ts';
import { faultsOfNext } from '../evidence/list/next-faults.ts';
import { namedPage, namesMore, namesNone } from '../evidence/list/next-page.ts';
import { hasMoved, pageWords, type PlacedPage, type Walk, walkOf } from '../evidence/list/walk.ts';
import { countWords } from '../evidence/phrases.ts';
import type { Step } from '../model/step.ts';
import type { Check, Violation } from './check.ts';

/**
 * The pages of a list follow one another: no record comes twice, none is left out, and the next
 * page is one.
 */
export const pageHolds = {
  id: 'page-holds',
  basis: 'inferred',
  severity: 'error',
  rule:
    'The pages of a list, from the first to the last, hold together what the ' +
    'list holds: no record twice, none left out, and nothing beyond the end. ' +
    'The page that one names as the next comes after it, on the same host, ' +
    'and is asked for the same records.',
  reason:
    'A client that walks through the pages sees records twice, misses ' +
    'others, or never comes to an end.',
  proof: 'again',
  needs: ['unordered'],
  intents: ['valid'],
  actions: ['list'],
  inspect(subject) {
    const next = faultsOfNext(subject);
    const walk = walkOf(subject);
    const whole = walk?.after.identifiers;
    // Records that are alike in what they are sorted by may come in any order: `sort-holds` looks
    // at those.
    if (walk === undefined || whole === undefined || isSorted(subject, walk.shape)) return next;
    // Whatever changed between the first look and the last, changed the pages too.
    if (
      whole.length === 0 ||
      new Set(whole).size < whole.length ||
      walk.before.identifiers?.join('\n') !== whole.join('\n')
    )
      return next;
    const found = faultsOf(walk, whole);
    return [
      ...(next ?? []),
      ...(found.length === 0 || subject.knowledge.unordered.has(subject.operation.id)
        ? []
        : found.slice(0, 1)),
    ];
  },
} as const satisfies Check;

function isSorted({ sent }: Step, { sort }: ListShape): boolean {
  return sort !== undefined && sent.arguments.has(sort.by);
}

function faultsOf({ pages, shape }: Walk, whole: readonly string[]): Violation[] {
  if (pages.some((page) => hasMoved(page, whole))) return [];
  return [
    ...pages.flatMap((page) =>
      faultOf(page, {
        whole,
        shape,
        isCapped: !pages.some(
          (other) => other.size === page.size && other.identifiers.length === page.size,
        ),
      }),
    ),
    ...endOf(pages, whole, shape),
  ];
}

/** What a page is held against. */
interface Row {
  readonly whole: readonly string[];
  readonly shape: ListShape;
  /** Whether no page of its size was full: a server may cap its pages below what was asked for. */
  readonly isCapped: boolean;
}

function faultOf(page: PlacedPage, { whole, shape, isCapped }: Row): Violation[] {
  const asked = pageAsked(shape, page.step);
  // A first page that is empty only because it is short is found by `limit-holds`. One that a
  // cursor leads on from is as long as the server looked.
  if (
    page.identifiers.length === 0 &&
    (asked === undefined || (asked.paging.kind === 'cursor' && namesMore(page.step)))
  )
    return [];
  const isCut = isCapped || asked?.given === true;
  const faults = page.begins.map((begin) => compare(page, { whole, begin, isCut }));
  const [first] = faults;
  if (first === undefined || faults.includes(undefined)) return [];
  const { parameter, kind } = asked?.paging ?? {
    parameter: shape.limit?.parameter ?? page.step.case.operation,
    kind: 'limit' as const,
  };
  const at = parameter.pointer;
  // Some servers answer a number beyond the last page with the last page.
  const lenient =
    kind === 'page' && first.cause === 'beyond' ? ({ severity: 'warning' } as const) : {};
  return [
    {
      at,
      message: `The page of a list with ${pageWords(page.step, shape)} ${first.clause}.`,
      expected: first.expected,
      actual: `${countWords(page.identifiers.length, 'record')}: ${show(page.identifiers)}`,
      cause: first.cause,
      momentary: true,
      ...lenient,
    },
  ];
}

interface PageFault {
  readonly clause: string;
  readonly expected: string;
  readonly cause: 'twice' | 'left out' | 'beyond';
}

/** What is wrong with a page that begins at a place of the row; undefined where nothing is. */
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
      clause: `lies beyond the end, and holds ${again}, which is on the first page`,
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
    : { clause: `has not ${missing} where it stands in the list`, expected, cause: 'left out' };
}

/**
 * A walk from page to page that is told of no next one before it came by all that the list holds.
 */
function endOf(
  pages: readonly PlacedPage[],
  whole: readonly string[],
  shape: ListShape,
): Violation[] {
  const last = pages.at(-1);
  const asked = last && pageAsked(shape, last.step);
  if (last === undefined || namesMore(last.step) || (asked !== undefined && !asked.given))
    return [];
  // Where no page before it named one, and none of it has a place for one, what names it is not
  // known.
  if (
    !namesNone(last.step) &&
    !pages.slice(0, -1).some(({ step }) => namedPage(step) !== undefined)
  )
    return [];
  const missing = last.begins.map((begin) => whole[begin + last.identifiers.length]);
  const [first] = missing;
  const at = (asked?.paging ?? shape.paging[0])?.parameter.pointer;
  if (at === undefined || first === undefined || missing.includes(undefined)) return [];
  return [
    {
      at,
      message:
        `The page of a list with ${pageWords(last.step, shape)} names no next ` +
        `page, and ${first} comes after it in the list.`,
      expected: 'a next page',
      actual: 'none',
      cause: 'ends early',
      momentary: true,
    },
  ];
}

function show(identifiers: readonly string[]): string {
  return identifiers.slice(0, 8).join(', ') + (identifiers.length > 8 ? ', …' : '') || 'none';
}
