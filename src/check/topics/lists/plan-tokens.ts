import { documentsRefusal, type Operation, type Parameter } from '../../../contract/model.ts';
import { faultTold } from '../../../contract/words/read-faulty.ts';
import { type Case, makeSequence, type Sequence } from '../../model/case.ts';
import type { Argument } from '../../model/request-template.ts';
import { askList, type Listing, nextPage, sourced, valued, wholeList } from '../../plan/listing.ts';
import type { PlanContext } from '../../plan/plan-context.ts';
import { askCompared, type ComparedRequest } from '../../plan/compared-request.ts';
import { type PagedListing, pagedListings, sizedPages } from './page-draft.ts';
import { expressionsToWalk } from './expression-sequences.ts';

/**
 * The token of a next page with other letters, where the contract or AIP-158 refuses it, or has it
 * from pages only. AIP-158 also refuses a token beside another filter. And a size of 0.
 */
export function planTokens(context: PlanContext): Sequence[] {
  return pagedListings(context).flatMap((paged) => [
    ...tokenSequences(context, paged),
    ...zeroSequence(paged),
  ]);
}

const onePage = 'a page of one record is asked for, for its token';

function tokenSequences({ contract }: PlanContext, paged: PagedListing): Sequence[] {
  const { listing, pages } = paged;
  const { token, style, isIssued } = pages;
  const one = sizedPages(pages, 1);
  if (token === undefined || one.length === 0) return [];
  const { operation } = listing.draft;
  const isAip = style === 'AIP';
  const isStated = isAip || faultTold(contract, operation, token) !== undefined;
  if (!(isStated || isIssued) || !isRefusable(operation)) return [];
  const first = askList(listing, { title: onePage, query: one });
  const asked = [
    unknownToken(paged, token, { one, rule: isStated ? 'unknown-token' : 'made-up-token' }),
    ...(isAip ? foreignToken(paged, token, one) : []),
  ];
  return asked.map((each) => makeSequence(first, each));
}

/** Whether a request may be refused for what its query says. */
function isRefusable(operation: Operation): boolean {
  return operation.verdict !== undefined || documentsRefusal(operation, ['404', '410']);
}

function unknownToken(
  { listing }: PagedListing,
  parameter: Parameter,
  { one, rule }: { readonly one: readonly Argument[]; readonly rule: ComparedRequest['rule'] },
): Case {
  const token = nextPage(listing, parameter, { altered: true });
  return related(listing, {
    title: `${parameter.name} is a token that no list gave`,
    query: [...one, ...token],
    rule,
    parameter,
  });
}

/** The token of all records beside a filter: the first that the list has. */
function foreignToken(
  { listing }: PagedListing,
  parameter: Parameter,
  one: readonly Argument[],
): Case[] {
  const { resource, shape } = listing;
  const filter = shape.filters.find(({ member, any }) => member === undefined && any === undefined);
  const plain =
    filter &&
    sourced(filter.parameter, {
      kind: 'field',
      resource: resource.name,
      field: filter.field,
    });
  const asked = plain ?? expressionsToWalk(listing)[0]?.query;
  const [argument] = asked ?? [];
  if (asked === undefined || argument === undefined) return [];
  const token = nextPage(listing, parameter);
  return [
    related(listing, {
      title: `${parameter.name} is the token of a list without ${argument.parameter.name}`,
      query: [...one, ...asked, ...token],
      rule: 'foreign-token',
      parameter,
      // It is said with SHOULD.
      doubtful: true,
    }),
  ];
}

interface RelatedPage extends Pick<ComparedRequest, 'title' | 'query' | 'rule' | 'doubtful'> {
  readonly parameter: Parameter;
  readonly of?: string;
}

function related({ draft }: Listing, { parameter, of = onePage, ...asked }: RelatedPage): Case {
  const compared = { ...asked, of: [{ title: of }], at: parameter.pointer };
  return { ...askCompared(draft, compared), optional: true };
}

/** A size, or a bound, of 0, where the standard says what it means. */
function zeroSequence({ listing, pages }: PagedListing): Sequence[] {
  const parameter = pages.zero === 'default' ? pages.size?.parameter : pages.bound;
  const none = valued(parameter, 0);
  if (parameter === undefined || pages.zero === undefined || none.length === 0) return [];
  const whole = wholeList(listing, 'the list is asked for, before none of it');
  const asked = related(listing, {
    title: `${parameter.name} is 0`,
    query: none,
    rule: 'size-zero',
    parameter,
    of: whole.title,
  });
  return [makeSequence(whole, asked)];
}
