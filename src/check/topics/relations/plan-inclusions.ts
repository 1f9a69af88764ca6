import type { Inclusion } from '../../../contract/protocols/inclusion.ts';
import { writeNames } from '../../../contract/protocols/names.ts';
import { protocolsOf } from '../../../contract/protocols/read-protocols.ts';
import type { Resource } from '../../../contract/model.ts';
import { type Case, makeCase, makeSequence, type Sequence } from '../../model/case.ts';
import type { Argument } from '../../model/request-template.ts';
import { requestOf } from '../../plan/draft.ts';
import { type Listing, listingsOf, valued, wholeList, widestPage } from '../../plan/listing.ts';
import { draftOf, type PlanContext } from '../../plan/plan-context.ts';
import { relationTo } from '../../plan/story.ts';

/** What the requests for an inclusion need. */
interface Asking {
  readonly context: PlanContext;
  readonly inclusion: Inclusion;
  readonly resource: Resource;
  readonly listing: Listing;
  readonly listings: readonly Listing[];
}

/**
 * Lists and reads that ask for the records of one relationship; before them the list of these
 * records, and behind them the read of the first that is included.
 */
export function planInclusions(context: PlanContext): Sequence[] {
  const listings = listingsOf(context);
  return listings.flatMap((listing) => {
    const { resource } = listing;
    const { of = [] } = protocolsOf(context.contract, resource).inclusions ?? {};
    return of.flatMap((inclusion) =>
      [...inclusion.relations].flatMap(([name, named]) =>
        include({ context, inclusion, resource, listing, listings }, name, named),
      ),
    );
  });
}

function include(asking: Asking, name: string, named: Resource): Sequence[] {
  const { context, inclusion, resource, listing, listings } = asking;
  const { operation, parameter } = inclusion;
  const others = listings.find((one) => one.resource === named);
  const [argument] = valued(parameter, writeNames(parameter, [name]));
  if (others === undefined || argument === undefined) return [];
  const all = wholeList(others, `the list of what ${name} may name is asked for`);
  const first = wholeList(listing, `the list is asked for, before it includes ${name}`);
  const read = draftOf(context, resource.operations.read);
  const isList = operation === resource.operations.list;
  const request =
    isList || read === undefined
      ? requestOf(listing.draft, 'known', { extra: [...widestPage(listing), argument] })
      : requestOf(read, 'listed', { extra: [argument] });
  if (!isList && read === undefined) return [];
  const asked = makeCase({
    title: `${parameter.name} is ${name}`,
    phase: 'sequence',
    operation,
    request,
    intent: relationTo(
      { operation },
      { rule: 'included', of: [all.title], field: name, at: parameter.pointer },
    ),
  });
  const before = isList ? [] : [first];
  return [makeSequence(all, ...before, asked, ...readIncluded(asking, named, asked))];
}

/** The read of the first included record by its own path. */
function readIncluded({ context }: Asking, named: Resource, asked: Case): Case[] {
  const read = draftOf(context, named.operations.read);
  if (read?.identifier === undefined) return [];
  const { operation } = read;
  const argument: Argument = {
    parameter: read.identifier,
    source: {
      kind: 'link',
      operation: asked.operation.id,
      expression: '$response.body#/included/0/id',
      step: asked.title,
    },
  };
  return [
    makeCase({
      title: 'the first included record is read',
      phase: 'sequence',
      operation,
      request: requestOf(read, 'known', { extra: [argument] }),
      intent: relationTo(
        { operation },
        { rule: 'included-agrees', of: [asked.title], at: asked.operation.pointer },
      ),
      optional: true,
    }),
  ];
}
