import type { Contract, Filter, Paging, Resource } from '../../../contract/model.ts';
import type { Pages } from '../../../contract/protocols/pages.ts';
import { protocolsOf } from '../../../contract/protocols/read-protocols.ts';
import { equalJson } from '../../../json/equal-json.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../../../json/value.ts';
import { documentsTotal } from '../../reading/list-total.ts';
import { type Case, makeSequence, type Sequence } from '../../model/case.ts';
import type { Argument } from '../../model/request-template.ts';
import type { DraftBody } from '../../plan/draft.ts';
import { creationOf, createWith } from '../../plan/make-create.ts';
import type { PlanContext } from '../../plan/plan-context.ts';
import type { Listing } from '../../plan/listing.ts';
import {
  askList,
  nextPage,
  pageOfSize,
  valued,
  wholeList,
  widestPage,
} from '../../plan/listing.ts';
import { dividedPages } from './page-draft.ts';
import { planWalks, type Walk, walkAll } from './sort-sequences.ts';

/** The ways of paging that are tested for one list. */
const maxWays = 2;

/**
 * Tests whether the pages of a list form one list: its longest page, pages of a few records up to
 * its end, one beyond it, and the longest again, which shows changes in between. A few records are
 * created first.
 */
export function planPages(listing: Listing, context: PlanContext): Sequence[] {
  const created = pageRecords(context, listing);
  // The second way finds the records that were created for the first.
  return walksOf(listing).map((way, index) =>
    makeSequence(
      ...(index === 0 ? created : []),
      ...walkAll(listing, way, way.follows ? [] : beyondEnd(listing, way.paging)),
    ),
  );
}

/** This number of records makes three pages of two, of which the last is not full. */
const recordCount = 5;

/**
 * A few records to fill pages; none if the run may not create any. They share the values of the
 * fields that the list filters by, and these differ from the plain record: few other records have
 * them, so a filtered list shows all of them.
 */
function pageRecords(context: PlanContext, { resource, shape }: Listing): Case[] {
  const create = creationOf(context, resource);
  if (create === undefined) return [];
  const value = shape.filters.reduce(
    (body, filter) => withOtherValue(body, filter, create.body),
    create.body.value,
  );
  return Array.from({ length: recordCount }, (_record, index) => {
    const count = `${String(index + 1)} of ${String(recordCount)}`;
    const title = `record ${count} is created to be shown in pages`;
    return createWith(context, create, { title, value });
  });
}

/** The body with the last other value that a filter lists; unchanged if there is no valid one. */
function withOtherValue(
  body: JsonValue,
  { field, parameter, member }: Filter,
  { schema }: DraftBody,
): JsonValue {
  if (!isJsonObject(body) || body[field] === undefined || member !== undefined) return body;
  const { node, types } = parameter.schema.flatten();
  const listed = node.enum ?? (types.includes('boolean') ? [true, false] : []);
  const other = listed.findLast(
    (value) => value !== null && !equalJson(value, body[field] ?? null),
  );
  if (other === undefined) return body;
  const changed: JsonObject = { ...body, [field]: other };
  return schema?.accepts(changed, 'request') === true ? changed : body;
}

/** Whether pages keep filters and orders, and whether the total is the same on every page. */
export function planPageQueries(listing: Listing, { contract }: PlanContext): Sequence[] {
  const { shape, resource } = listing;
  const walks = walksOf(listing);
  const { pages } = protocolsOf(contract, resource);
  const next =
    walks.length > 0
      ? []
      : shape.paging.slice(0, maxWays).flatMap((paging) => nextPageSequence(listing, paging));
  return [
    ...next,
    ...planWalks(listing, walks[0]),
    ...(documentsTotal(resource) ? totalSequence(listing, countedBy(contract, resource)) : []),
    ...(pages?.isExact === true ? exactPage(listing, pages) : []),
  ];
}

/** A page that is as long as the list, which is still the same: it is full, and the last one. */
function exactPage(listing: Listing, pages: Pages): Sequence[] {
  const query = dividedPages({ listing, pages }, 1);
  const again = wholeList(listing, 'the longest page is asked for again');
  const title = 'a page is asked for that is as long as the list';
  if (query.length === 0) return [];
  return [makeSequence(wholeList(listing), again, pageCase(listing, { title, query }))];
}

/**
 * By each paging parameter, and by the `Link` header for the first that is a number; none if the
 * length of a page cannot be chosen.
 */
function walksOf({ shape: { limit, paging, links } }: Listing): Walk[] {
  if (limit === undefined) return [];
  const ways = paging.slice(0, maxWays);
  const numbered = ways.find(({ kind }) => kind !== 'cursor');
  return ways.flatMap((way) => [
    { paging: way, follows: way.kind === 'cursor' },
    ...(links && way === numbered ? [{ paging: way, follows: true }] : []),
  ]);
}

/**
 * For a list without a limit: the second page, or all but the first record, and one beyond the end.
 */
function nextPageSequence(listing: Listing, paging: Paging): Sequence[] {
  const { parameter, kind, first } = paging;
  const next = kind === 'cursor' ? nextPage(listing, parameter) : valued(parameter, first + 1);
  if (next.length === 0) return [];
  return [
    makeSequence(
      wholeList(listing),
      pageCase(listing, { title: 'the list is asked for the page after that', query: next }),
      ...beyondEnd(listing, paging),
      wholeList(listing, 'the longest page is asked for again'),
    ),
  ];
}

function beyondEnd(listing: Listing, { kind, parameter }: Paging): Case[] {
  const far = kind === 'cursor' ? [] : valued(parameter, 1_000_000);
  if (far.length === 0) return [];
  const title = `${parameter.name} is beyond the end`;
  const query = [...widestPage(listing), ...far];
  return [pageCase(listing, { title, query, rigour: 'exotic' })];
}

/** What asks for the total, where a list shows it on request: `$count=true`. */
function countedBy(contract: Contract, resource: Resource): Argument[] {
  return valued(protocolsOf(contract, resource).pages?.count?.parameter, true);
}

/**
 * A short page between two long ones; and, if the list can be requested without its beginning,
 * whether the longest page is all of it.
 */
function totalSequence(listing: Listing, counted: readonly Argument[]): Sequence[] {
  const { limit, paging } = listing.shape;
  const offset = paging.find(({ kind }) => kind === 'offset');
  const rest = offset === undefined ? [] : valued(offset.parameter, offset.first + 1);
  const one = pageOfSize(listing, 1);
  const cases: Case[] = [];
  if (one.length > 0)
    cases.push(
      pageCase(listing, {
        title: `${limit?.parameter.name ?? ''} is 1`,
        query: [...one, ...counted],
      }),
    );
  if (rest.length > 0)
    cases.push(
      pageCase(listing, {
        title: 'the list is asked for all but its first record',
        query: [...widestPage(listing), ...rest, ...counted],
      }),
    );
  if (cases.length === 0) return [];
  const whole = (title: string): Case =>
    askList(listing, { title, query: [...widestPage(listing), ...counted] });
  return [
    makeSequence(
      whole('the list is asked for its longest page'),
      ...cases,
      whole('the list is asked for again'),
    ),
  ];
}

interface Page {
  readonly title: string;
  readonly query: readonly Argument[];
  readonly rigour?: 'plain' | 'exotic';
}

/** A page; what is tested is the paging parameter, if the request has one. */
function pageCase(listing: Listing, { title, query, rigour = 'plain' }: Page): Case {
  const tested =
    query.find(({ parameter }) =>
      listing.shape.paging.some((paging) => paging.parameter === parameter),
    ) ?? query[0];
  return askList(listing, { title, query, rigour, at: tested?.parameter.pointer });
}
