import type { Inclusion } from '../../../contract/protocols/inclusion.ts';
import { writeNames } from '../../../contract/protocols/names.ts';
import { protocolsOf } from '../../../contract/protocols/read-protocols.ts';
import type { Resource } from '../../../contract/model.ts';
import { projectionOfType, typeOf } from '../../../contract/protocols/projection.ts';
import { type Case, hash, makeCase, makeSequence, type Sequence } from '../../model/case.ts';
import type { Argument } from '../../model/request-template.ts';
import { requestOf } from '../../plan/draft.ts';
import { type Listing, listingsOf, valued, wholeList, widestPage } from '../../plan/listing.ts';
import { draftOf, type PlanContext } from '../../plan/plan-context.ts';
import { refusedQueries } from '../../plan/refused-query.ts';
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
    return of.flatMap((inclusion) => {
      const asking = { context, inclusion, resource, listing, listings };
      return [
        ...[...inclusion.relations].flatMap(([name, named]) => include(asking, name, named)),
        ...includeSeveral(asking),
        ...unknownRelation(asking),
      ];
    });
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

/**
 * Lists that ask for all relationships at once, for paths over several of them, and for some fields
 * of what they include; before them the lists of these records.
 */
function includeSeveral({ context, inclusion, listing, listings }: Asking): Sequence[] {
  const { operation, parameter, relations, paths } = inclusion;
  if (operation !== listing.resource.operations.list) return [];
  const names = [...relations.keys()];
  const lists = listings
    .filter((one) => [...relations.values()].includes(one.resource))
    .map((one) => wholeList(one, `the list of ${one.resource.name} is asked for`));
  const ask = (
    value: readonly string[],
    { rule, field, extra = [] }: Pick<Included, 'rule' | 'field' | 'extra'>,
  ): Case[] =>
    valued(parameter, writeNames(parameter, value)).map((argument) =>
      includedCase({ listing, inclusion, lists, argument, value, rule, field, extra }),
    );
  const several = names.length > 1 ? ask(names, { rule: 'included', field: names.join(',') }) : [];
  const nested = paths.flatMap((path) => ask([path], { rule: 'included', field: path }));
  const sparse = [...relations].flatMap(([name, named]) => {
    const type = typeOf(named);
    const projection = projectionOfType(operation, type);
    const [field] = projection?.listed ?? namesOf(context, named);
    const extra =
      projection === undefined || field === undefined
        ? []
        : valued(projection.parameter, writeNames(projection.parameter, [field]));
    return extra.length === 0
      ? []
      : ask([name], { rule: 'included-sparse', field: `${type},${field ?? ''}`, extra });
  });
  const cases = [...several, ...nested, ...sparse.slice(0, 1)];
  return cases.length === 0 ? [] : [makeSequence(...lists, ...cases)];
}

/** The names of the fields of the records of a resource, by its own projection. */
function namesOf({ contract }: PlanContext, resource: Resource): readonly string[] {
  return protocolsOf(contract, resource).projections?.of[0]?.fields ?? [];
}

interface Included {
  readonly listing: Listing;
  readonly inclusion: Inclusion;
  readonly lists: readonly Case[];
  readonly argument: Argument;
  readonly value: readonly string[];
  readonly rule: 'included' | 'included-sparse';
  readonly field: string;
  readonly extra?: readonly Argument[];
}

function includedCase({
  listing,
  inclusion,
  lists,
  argument,
  value,
  rule,
  field,
  extra = [],
}: Included): Case {
  const { operation, parameter } = inclusion;
  const beside = extra.map((one) => ` and ${one.parameter.name} is given`).join('');
  return makeCase({
    title: `${parameter.name} is ${value.join(' and ')}${beside}`,
    phase: 'sequence',
    operation,
    request: requestOf(listing.draft, 'known', {
      extra: [...widestPage(listing), argument, ...extra],
    }),
    intent: relationTo(
      { operation },
      { rule, of: lists.map(({ title }) => title), field, at: parameter.pointer },
    ),
  });
}

/** A name that is no relationship, which must be refused (JSON:API 1.1, section 6.3). */
function unknownRelation({ context, inclusion, listing }: Asking): Sequence[] {
  const { operation, parameter } = inclusion;
  if (operation !== listing.resource.operations.list) return [];
  const name = `zq${hash(`${context.seed} ${operation.id} no relationship`)}`;
  const refused = valued(parameter, writeNames(parameter, [name])).map((argument) => ({
    title: `${parameter.name} is ${name}, which is no relationship`,
    rule: 'no-inclusion' as const,
    argument,
  }));
  const list = wholeList(listing, 'the list is asked for, before it includes what there is not');
  return refusedQueries(context, listing.draft, [list], refused);
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
