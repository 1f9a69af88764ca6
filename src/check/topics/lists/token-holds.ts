import { isSuccess } from '../../../http/message.ts';
import { equalJson } from '../../../json/equal-json.ts';
import type { JsonObject } from '../../../json/value.ts';
import { countWords } from '../../model/step.ts';
import { nextArgument } from '../../reading/next-page.ts';
import { pagesOf } from '../../reading/promised-next.ts';
import { notRefused, type Related, type RelationFaults } from '../../reading/related.ts';
import { listedRecords } from '../../reading/shown-records.ts';
import { check } from '../check.ts';
import { documentsRefusal, type Operation, type Parameter } from '../../../contract/model.ts';
import { faultTold } from '../../../contract/words/read-faulty.ts';
import { type Case, makeSequence, type Sequence } from '../../model/case.ts';
import type { Argument } from '../../model/request-template.ts';
import { askList, type Listing, nextPage, sourced, valued, wholeList } from '../../plan/listing.ts';
import type { PlanContext } from '../../plan/plan-context.ts';
import { askCompared, type ComparedRequest } from '../../plan/compared-request.ts';
import { type PagedListing, pagedListings, sizedPages } from './page-draft.ts';
import { expressionsToWalk } from './expression-sequences.ts';

/** A list refuses tokens that it did not give, and knows what a size of 0 means. */
export const tokenHolds = check({
  id: 'token-holds',
  basis: 'inferred',
  harm: 'results',
  rule:
    'A token that no list gave is refused where the contract (invalid_cursor) or AIP-158 says ' +
    'so, which also refuses one beside another filter; and it is not the first page where ' +
    'tokens come from pages only. A page size of 0 is the default size ' +
    '(AIP-158), and $top=0 is no record (OData 4.01, section 11.2.6.3).',
  reason:
    'A client with a token that was cut off gets the first page again, and never learns why it ' +
    'reads records twice.',
  example: [
    '> GET /items?page_token=zzz',
    '< 200 OK',
    '< {"items": [{"id": 1}], "next_page_token": "b2"}',
  ],
  traits: ['machinery'],
  plan: [{ at: 'lists', all: planTokens }],
  mutants: [async () => (await import('./token-mutants.ts')).tokenMutants],
  relations: {
    'unknown-token': notRefused,
    'made-up-token': takenForFirst,
    'foreign-token': notRefused,
    'size-zero': zeroMisread,
  },
});

/**
 * Where the contract says only that pages give the token, a service may read another one as a
 * position, above all if it consists of what the records hold. One that shows the first page again
 * has not read it.
 */
function takenForFirst(related: Related): RelationFaults {
  const { subject, resource, of } = related;
  const token = resource && pagesOf(subject, resource)?.token;
  const [before] = of;
  if (resource === undefined || token === undefined || before === undefined) return undefined;
  const [first, again] = [before, subject].map(({ answer }) => listedRecords(resource, answer));
  const given = String(nextArgument(resource, token.name, subject.earlier) ?? '');
  if (first === undefined || first.length === 0 || isMadeOf(given, first)) return undefined;
  return equalJson([...first], [...(again ?? [])]) ? notRefused(related) : [];
}

/** A shorter text is in a token by chance. */
const shortest = 3;

/** Whether a token has a text of these records, as one that continues behind them. */
function isMadeOf(token: string, records: readonly JsonObject[]): boolean {
  return records
    .flatMap((record) => Object.values(record))
    .some((text) => typeof text === 'string' && text.length >= shortest && token.includes(text));
}

function zeroMisread({ subject, resource, of, status }: Related): RelationFaults {
  const zero = resource && pagesOf(subject, resource)?.zero;
  const [before] = of;
  if (resource === undefined || zero === undefined || before === undefined) return undefined;
  const all = listedRecords(resource, before.answer)?.length ?? 0;
  const shown = isSuccess(status) ? (listedRecords(resource, subject.answer)?.length ?? 0) : -1;
  const isRight = zero === 'default' ? shown > 0 : shown <= 0;
  if (all === 0 || isRight) return [];
  const expected = zero === 'default' ? 'as many records as without it' : 'no records';
  const got = shown < 0 ? String(status) : countWords(shown, 'record');
  return {
    message: `A list of ${countWords(all, 'record')}, where ${subject.case.title}, has ${got}.`,
    expected,
    actual: got,
    momentary: true,
  };
}

/**
 * The token of a next page with other letters, where the contract or AIP-158 refuses it, or has it
 * from pages only. AIP-158 also refuses a token beside another filter. And a size of 0.
 */
function planTokens(context: PlanContext): Sequence[] {
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
  return pageRelated(listing, {
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
    pageRelated(listing, {
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

function pageRelated({ draft }: Listing, { parameter, of = onePage, ...asked }: RelatedPage): Case {
  const compared = { ...asked, of: [{ title: of }], at: parameter.pointer };
  return { ...askCompared(draft, compared), optional: true };
}

/** A size, or a bound, of 0, where the standard says what it means. */
function zeroSequence({ listing, pages }: PagedListing): Sequence[] {
  const parameter = pages.zero === 'default' ? pages.size?.parameter : pages.bound;
  const none = valued(parameter, 0);
  if (parameter === undefined || pages.zero === undefined || none.length === 0) return [];
  const whole = wholeList(listing, 'the list is asked for, before none of it');
  const asked = pageRelated(listing, {
    title: `${parameter.name} is 0`,
    query: none,
    rule: 'size-zero',
    parameter,
    of: whole.title,
  });
  return [makeSequence(whole, asked)];
}
