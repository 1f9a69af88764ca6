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

/** Whether a case asks for the page that another one names. */
function isFollowed({ request: { address, arguments: given } }: Case): boolean {
  return address !== undefined || given.some(({ source }) => source.kind === 'next');
}
