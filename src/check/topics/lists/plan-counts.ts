import { countPath } from '../../../contract/infer/count-path.ts';
import type { Operation, Parameter } from '../../../contract/model.ts';
import { type Case, makeSequence, type Sequence } from '../../model/case.ts';
import type { Argument } from '../../model/request-template.ts';
import { askList, valued } from '../../plan/listing.ts';
import { draftOf, type PlanContext } from '../../plan/plan-context.ts';
import { askCompared } from '../../plan/compared-request.ts';
import { expressionsToWalk } from './expression-sequences.ts';
import { type PagedListing, pagedListings } from './page-draft.ts';

/**
 * The number of records that a list is asked for beside a short page (`$count=true`), and the one
 * that a path below it answers (`/things/$count`): of all records, and of those of a filter.
 */
export function planCounts(context: PlanContext): Sequence[] {
  return pagedListings(context).flatMap((paged) => {
    const { listing } = paged;
    const whole = askList(listing, { title: 'the list is asked for, before its count', query: [] });
    const [filter] = expressionsToWalk(listing);
    const counted = [whole, ...countsOf(context, paged, { of: whole, query: [] })];
    const sequences = [counted];
    if (filter !== undefined) {
      const { words, query } = filter;
      const part = askList(listing, {
        title: `the list is asked for${words}`,
        query,
        at: query[0]?.parameter.pointer,
        rigour: 'exotic',
      });
      sequences.push([whole, part, ...countsOf(context, paged, { of: part, query })]);
    }
    return sequences.filter(hasCount).map((cases) => makeSequence(...cases));
  });
}

function hasCount(cases: readonly Case[]): boolean {
  return cases.some(({ intent }) => intent.kind === 'relation');
}

/** The list whose records are counted, and what it was asked for. */
interface Counted {
  readonly of: Case;
  readonly query: readonly Argument[];
}

function countsOf(
  context: PlanContext,
  { listing, pages }: PagedListing,
  { of, query }: Counted,
): Case[] {
  const { draft } = listing;
  const flag = valued(pages.count?.parameter, true);
  const short = valued(pages.bound, 1);
  const beside =
    flag.length === 0
      ? []
      : [
          askCompared(draft, {
            rule: 'counted',
            of: [of],
            query: [...query, ...flag, ...short],
            title: 'the number of all records is asked for beside a page of one',
            at: pages.count?.parameter.pointer,
          }),
        ];
  const path = draftOf(context, countPath(context.contract.operations, draft.operation));
  const arguments_ = path && matching(path.operation, query);
  const below =
    path === undefined || arguments_ === undefined
      ? []
      : [
          askCompared(path, {
            rule: 'counted',
            of: [of, ...beside],
            query: arguments_,
            title: 'the path that counts the records is asked',
          }),
        ];
  return [...beside, ...below];
}

/** The arguments of a list for the operation that counts it; undefined if it takes not all. */
function matching(
  { parameters }: Operation,
  query: readonly Argument[],
): readonly Argument[] | undefined {
  const own = (expected: Parameter): Parameter | undefined =>
    parameters.find(({ in: location, name }) => location === expected.in && name === expected.name);
  const found = query.flatMap(({ parameter, source }) => {
    const same = own(parameter);
    return same === undefined ? [] : [{ parameter: same, source }];
  });
  return found.length === query.length ? found : undefined;
}
