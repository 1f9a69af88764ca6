import type { ListShape } from '../../contract/model.ts';
import { identifiersOf, limitOf, pageOf } from '../evidence/list/list-page.ts';
import { everythingAsked, pageAsked, rowAsked } from '../evidence/list/list-query.ts';
import { countWords } from '../evidence/phrases.ts';
import type { Step, Subject } from '../subject.ts';
import type { Check, Violation } from './check.ts';

/** The pages of a list follow one another: no record comes twice, and none is left out. */
export const pageHolds = {
  id: 'page-holds',
  basis: 'inferred',
  severity: 'error',
  rule: 'The first page and the one after it hold together what a page of twice the size holds: no record twice, none left out, and nothing beyond the end.',
  reason: 'A client that walks through the pages sees records twice, misses others, or never comes to an end.',
  proof: 'again',
  inspect(subject) {
    const after = pageOf(subject, subject);
    const shape = after?.resource.list;
    const whole = after && identifiersOf(after);
    // Records that are alike in what they are sorted by may come in any order: `sort-holds` looks at those.
    if (shape === undefined || whole === undefined || shape.paging.length === 0 || pageAsked(shape, subject) !== undefined || isSorted(subject, shape)) return undefined;
    const start = subject.earlier.findIndex((step) => step.case.operation === subject.operation && everythingAsked(step) === everythingAsked(subject));
    const before = firstPage(subject, start);
    const pages = subject.earlier.slice(start + 1).filter((step) => start >= 0 && isPageOf(subject, shape, step));
    // Whatever changed between the first look and the last, changed the pages too.
    if (before === undefined || pages.length === 0 || before.join('\n') !== whole.join('\n') || whole.length === 0) return undefined;
    const found = faultsOf(subject, { shape, whole, pages });
    return found.length === 0 || subject.knowledge.unordered.has(subject.operation.id) ? [] : found.slice(0, 1);
  },
} as const satisfies Check;

function isSorted({ sent }: Step, { sort }: ListShape): boolean {
  return sort !== undefined && sent.arguments.has(sort.by);
}

function firstPage(subject: Subject, start: number): string[] | undefined {
  const step = subject.earlier[start];
  const page = step && pageOf(subject, step);
  return page && identifiersOf(page);
}

/** Another page of the same records in the same order. */
function isPageOf(subject: Subject, shape: ListShape, step: Step): boolean {
  return step.case.operation === subject.operation && everythingAsked(step) !== everythingAsked(subject) && pageOf(subject, step) !== undefined && rowAsked(shape, step) === rowAsked(shape, subject);
}

interface Row {
  readonly shape: ListShape;
  /** The identifiers from the beginning of the list on, as far as they were shown. */
  readonly whole: readonly string[];
  readonly pages: readonly Step[];
}

/** A page, and where in the row it may begin: contracts seldom say whether the first page is called 0 or 1. */
interface PlacedPage {
  readonly step: Step;
  readonly words: string;
  readonly identifiers: readonly string[];
  readonly size: number;
  readonly begins: readonly number[];
}

function faultsOf(subject: Subject, { shape, whole, pages }: Row): Violation[] {
  const placed: PlacedPage[] = [];
  for (const step of pages) {
    const page = pageOf(subject, step);
    const identifiers = page && identifiersOf(page);
    if (page === undefined || identifiers === undefined) return [];
    const size = limitOf(page.resource, step)?.value ?? Infinity;
    const last = placed.at(-1);
    const begins = beginsOf(step, { shape, size, whole, last });
    if (begins.length > 0) placed.push({ step, identifiers, size, begins, words: wordsOf(step, shape) });
  }
  return placed.some((page) => hasMoved(page, whole)) ? [] : placed.flatMap((page) => faultOf(page, whole, shape));
}

/** A record that came and went shows among those that were there before and after. */
function hasMoved({ identifiers, begins }: PlacedPage, whole: readonly string[]): boolean {
  const shown = identifiers.slice(0, Math.max(0, whole.length - Math.min(...begins)));
  const known = shown.filter((identifier) => whole.includes(identifier)).length;
  return known > 0 && known < shown.length;
}

/** Where a page may begin. An offset counts records, a page's number pages, and what the list itself gave follows the page before. */
function beginsOf(step: Step, { shape, size, whole, last }: { readonly shape: ListShape; readonly size: number; readonly whole: readonly string[]; readonly last: PlacedPage | undefined }): number[] {
  const asked = pageAsked(shape, step);
  if (asked === undefined) return [0];
  const { paging, value, given } = asked;
  if (given || paging.kind === 'cursor') {
    if (!given) return [];
    // Without a page before it in the row, the row itself was the page before.
    return last === undefined ? [whole.length] : last.begins.map((begin) => begin + last.identifiers.length);
  }
  const number = Number(value);
  if (paging.kind === 'offset') return isCertain(paging.parameter.name) ? [number] : [number, number - 1].filter((begin) => begin >= 0);
  const paged = Number.isFinite(size) ? size : whole.length;
  const { node } = paging.parameter.schema.flatten();
  const begin = (number - paging.first) * paged;
  return node.minimum === undefined && node.default === undefined ? [begin, begin + paged] : [begin];
}

/** `start` and `from` may count from 1. */
function isCertain(name: string): boolean {
  return /^(offset|skip)$/i.test(name.replaceAll(/[^a-z]/gi, ''));
}

function wordsOf({ sent }: Step, shape: ListShape): string {
  const asked = [shape.limit?.parameter, ...shape.paging.map(({ parameter }) => parameter)].flatMap((parameter) => {
    const value = parameter && sent.arguments.get(parameter);
    return parameter === undefined || value === undefined ? [] : [`${parameter.name}=${String(value)}`];
  });
  return asked.join('&');
}

function faultOf(page: PlacedPage, whole: readonly string[], shape: ListShape): Violation[] {
  // A first page that is empty only because it is short is found by `limit-holds`.
  if (page.identifiers.length === 0 && pageAsked(shape, page.step) === undefined) return [];
  const faults = page.begins.map((begin) => compare(page, whole, begin));
  const [first] = faults;
  if (first === undefined || faults.includes(undefined)) return [];
  const { parameter, kind } = pageAsked(shape, page.step)?.paging ?? { parameter: shape.limit?.parameter ?? page.step.case.operation, kind: 'limit' as const };
  const at = parameter.pointer;
  // Some servers answer a number beyond the last page with the last page.
  const lenient = kind === 'page' && first.cause === 'beyond' ? ({ severity: 'warning' } as const) : {};
  return [{ at, message: `The page of a list with ${page.words} ${first.clause}.`, expected: first.expected, actual: `${countWords(page.identifiers.length, 'record')}: ${show(page.identifiers)}`, cause: first.cause, momentary: true, ...lenient }];
}

interface PageFault {
  readonly clause: string;
  readonly expected: string;
  readonly cause: 'twice' | 'left out' | 'beyond';
}

/** What is wrong with a page that begins at a place of the row; undefined where nothing is. */
function compare({ identifiers, size }: PlacedPage, whole: readonly string[], begin: number): PageFault | undefined {
  const wanted = whole.slice(begin, begin + Math.min(size, whole.length));
  const before = new Set(whole.slice(0, begin));
  const again = identifiers.find((identifier) => before.has(identifier));
  const expected = wanted.length === 0 ? 'none of the records that come before it' : `the records ${show(wanted)}, in that order`;
  if (again !== undefined && wanted.length === 0 && begin > whole.length) return { clause: `lies beyond the end, and holds ${again}, which is on the first page`, expected, cause: 'beyond' };
  if (again !== undefined) return { clause: `holds ${again}, which comes before it in the list`, expected, cause: 'twice' };
  // A server may cap its pages below what was asked for.
  const missing = wanted.slice(0, identifiers.length === 0 ? 1 : identifiers.length).find((identifier, index) => identifiers[index] !== identifier);
  return missing === undefined ? undefined : { clause: `has not ${missing} where it stands in the list`, expected, cause: 'left out' };
}

function show(identifiers: readonly string[]): string {
  return identifiers.slice(0, 8).join(', ') + (identifiers.length > 8 ? ', …' : '') || 'none';
}
