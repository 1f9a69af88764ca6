import type { Case, Sequence } from '../../model/case.ts';

/**
 * The cases of a sequence that divide a list into as many pages as it reads, or follows. The run
 * skipped pages that were beyond the end: of a list that has more records by now, the replay reads
 * the end too.
 */
export function asManyPages({ cases }: Pick<Sequence, 'cases'>): readonly Case[] {
  const numbered = cases.flatMap(({ request }) =>
    request.arguments.map(({ source }) => (source.kind === 'share' ? source.page : 0)),
  );
  const read = Math.max(...numbered, cases.filter(isFollowed).length + 1);
  if (read < 2) return cases;
  return cases.map((testCase) => ({
    ...testCase,
    request: {
      ...testCase.request,
      arguments: testCase.request.arguments.map(({ parameter, source }) => ({
        parameter,
        source:
          source.kind === 'share' ? { ...source, pages: Math.min(source.pages, read) } : source,
      })),
    },
  }));
}

/** A sequence up to the last page of a list, and how many steps come before its first page. */
interface Paged {
  readonly before: number;
  readonly cases: readonly Case[];
}

/**
 * A sequence up to a number of cases, with all pages of the list to which the last of them belongs,
 * those included that were passed over: what stood on one page may stand on another by now.
 */
export function withItsPages(sequence: Sequence, count: number): Paged {
  const { cases, passedOver = [] } = sequence;
  const isNextPage = (at: number): boolean =>
    at > 0 && isFollowed(cases[at]) && cases[at]?.operation === cases[at - 1]?.operation;
  let first = count - 1;
  while (isNextPage(first)) first -= 1;
  let end = count;
  while (isNextPage(end)) end += 1;
  const others = passedOver.filter((one) => isFollowed(one) && isPageOf(one, cases[first]));
  return { before: first, cases: [...cases.slice(0, end), ...others] };
}

/** Whether a page is one of the list that begins with a case. */
function isPageOf(page: Case, first: Case | undefined): boolean {
  const query = ({ request }: Case): string =>
    request.arguments
      .filter(({ source }) => source.kind !== 'next')
      .map(({ parameter, source }) => `${parameter.name}=${JSON.stringify(source)}`)
      .join('&');
  return first?.operation === page.operation && query(first) === query(page);
}

/** Whether a case asks for the page that another one names. */
function isFollowed(one: Case | undefined): boolean {
  if (one === undefined) return false;
  const { address, arguments: given } = one.request;
  return address !== undefined || given.some(({ source }) => source.kind === 'next');
}
