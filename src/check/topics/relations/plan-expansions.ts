import { recordFields } from '../../../contract/infer/record-fields.ts';
import {
  type Expanded,
  type Expansion,
  type Navigation,
  writeExpand,
} from '../../../contract/protocols/expansion.ts';
import { projectionsOf, writeProjection } from '../../../contract/protocols/projection.ts';
import { protocolsOf } from '../../../contract/protocols/read-protocols.ts';
import { odataFilter } from '../../../contract/query-languages/odata-filter.ts';
import type { Resource } from '../../../contract/model.ts';
import { type Case, hash, makeCase, makeSequence, type Sequence } from '../../model/case.ts';
import type { Argument, Source } from '../../model/request-template.ts';
import { type Draft, type RecordKind, requestOf } from '../../plan/draft.ts';
import {
  type Listing,
  listingsOf,
  sourced,
  valued,
  wholeList,
  widestPage,
} from '../../plan/listing.ts';
import { draftCase, draftOf, type PlanContext } from '../../plan/plan-context.ts';
import { refusedQueries } from '../../plan/refused-query.ts';
import { relationTo } from '../../plan/story.ts';

/** What the requests for an expansion need. */
interface Asking {
  readonly context: PlanContext;
  readonly resource: Resource;
  readonly expansion: Expansion;
  readonly draft: Draft;
  readonly record: RecordKind;
  /** What is asked for besides: the longest page. */
  readonly page: readonly Argument[];
  /** The requests before it; the last one is the same request without the expansion. */
  readonly before: readonly Case[];
}

/**
 * Lists and reads that expand all that they can, and each member with options; and a name that is
 * no such member.
 */
export function planExpansions(context: PlanContext): Sequence[] {
  return listingsOf(context).flatMap((listing) => {
    const { resource } = listing;
    const { of = [] } = protocolsOf(context.contract, resource).expansions ?? {};
    return of.flatMap((expansion) => {
      const asking = askingFor(context, listing, expansion);
      return asking === undefined ? [] : [...expand(asking), ...unknownName(asking)];
    });
  });
}

function askingFor(
  context: PlanContext,
  listing: Listing,
  expansion: Expansion,
): Asking | undefined {
  const { resource, draft } = listing;
  const { operation } = expansion;
  const list = wholeList(listing, 'the list is asked for, before it expands its records');
  const common = { context, resource, expansion };
  if (operation === resource.operations.list)
    return { ...common, draft, record: 'known', page: widestPage(listing), before: [list] };
  const read = draftOf(context, operation);
  if (read === undefined) return undefined;
  const title = 'the first record of the list is read, before it is expanded';
  const whole = draftCase(read, { title, record: 'listed' });
  return { ...common, draft: read, record: 'listed', page: [], before: [list, whole] };
}

function expand(asking: Asking): Sequence[] {
  const { expansion, before, resource } = asking;
  const { navigations, operation } = expansion;
  const all = expandCase(asking, navigations, 'are expanded');
  if (all === undefined) return [];
  const isList = operation === resource.operations.list;
  const [many] = navigations.filter((one) => one.many);
  const [first = many] = navigations;
  const more = [
    first === undefined ? undefined : besideFields(asking, first, all),
    ...(isList ? optionsOf(asking, many ?? first, all) : []),
    ...(isList ? navigations.map((one) => ownList(asking, one, all)) : []),
  ];
  const cases = more.filter((one) => one !== undefined);
  return [makeSequence(...before, all, ...cases)];
}

interface Options {
  readonly query: readonly Argument[];
  readonly title: string;
  /** The titles of the requests that it is compared with, besides the whole list. */
  readonly of: readonly string[];
}

function askExpanded(asking: Asking, { query, title, of }: Options): Case {
  const { draft, record, page, before, expansion } = asking;
  const { operation, parameter } = expansion;
  const whole = before.at(-1)?.title ?? '';
  return {
    ...makeCase({
      title,
      phase: 'sequence',
      operation,
      request: requestOf(draft, record, { extra: [...page, ...query] }),
      intent: relationTo(
        { operation },
        { rule: 'expanded', of: [whole, ...of], at: parameter.pointer },
      ),
    }),
    optional: true,
  };
}

function expandCase(asking: Asking, expanded: readonly Expanded[], how: string): Case | undefined {
  const { parameter } = asking.expansion;
  const names = expanded.map(({ name }) => ({ name }));
  const query = valued(parameter, writeExpand(names));
  const title = `${names.map(({ name }) => name).join(' and ')} ${how}`;
  return query.length === 0 ? undefined : askExpanded(asking, { query, title, of: [] });
}

/** One member is expanded where some fields alone are asked for. */
function besideFields(asking: Asking, { name }: Navigation, all: Case): Case | undefined {
  const { expansion, resource } = asking;
  const projection = projectionsOf(resource).find(
    ({ operation }) => operation === expansion.operation,
  );
  const field = projection?.fields.find((one) =>
    expansion.navigations.every((other) => other.name !== one),
  );
  if (projection === undefined || field === undefined) return undefined;
  const query = [
    ...valued(expansion.parameter, writeExpand([{ name }])),
    ...valued(projection.parameter, writeProjection(projection, [field])),
  ];
  const title = `${name} is expanded where ${field} alone is asked for`;
  return query.length < 2 ? undefined : askExpanded(asking, { query, title, of: [all.title] });
}

/** The options of one member: cut to one record, with one field, and filtered. */
function optionsOf(asking: Asking, navigation: Navigation | undefined, all: Case): Case[] {
  const { parameter } = asking.expansion;
  if (navigation === undefined) return [];
  const { name, many } = navigation;
  const [field] = plainFields(navigation);
  const asked: readonly { readonly how: string; readonly value: Expanded }[] = [
    ...(many ? [{ how: 'cut to one record', value: { name, top: 1 } }] : []),
    ...(field === undefined
      ? []
      : [{ how: `with ${field} alone`, value: { name, select: [field] } }]),
  ];
  const plain = asked.flatMap(({ how, value }) => {
    const query = valued(parameter, writeExpand([value]));
    const title = `${name} is expanded, ${how}`;
    return query.length === 0 ? [] : askExpanded(asking, { query, title, of: [all.title] });
  });
  const source = many ? filterSource(asking.resource, navigation) : undefined;
  if (source === undefined) return plain;
  const query = sourced(parameter, source);
  const title = `${name} is expanded, filtered by what a record has`;
  return [...plain, askExpanded(asking, { query, title, of: [all.title] })];
}

/** The fields of the expanded records that are no members with further records. */
function plainFields({ resource }: Navigation): string[] {
  return recordFields(resource.record)
    .filter(({ name, many }) => !many && !name.includes('.') && !name.includes('@'))
    .map(({ name }) => name)
    .filter((name) => name !== resource.identifier.field);
}

/** A comparison of a field whose values nothing but themselves are like. */
function filterSource(
  resource: Resource,
  { name, resource: named }: Navigation,
): Source | undefined {
  const exact = recordFields(named.record).filter(
    ({ name: field, many, types, flat: { node } }) =>
      !many &&
      !field.includes('.') &&
      field !== named.identifier.field &&
      (node.enum !== undefined || types.every((type) => type !== 'string')),
  );
  const [field] = exact;
  return (
    field && {
      kind: 'expression',
      resource: resource.name,
      language: odataFilter.id,
      condition: { field: field.name, op: 'eq' },
      unlike: 'whole',
      within: name,
    }
  );
}

/** The records below the first record, by their own list. */
function ownList(asking: Asking, { name, own }: Navigation, all: Case): Case | undefined {
  const draft = draftOf(asking.context, own?.operations.list);
  const owner = draft?.names.at(-1)?.parameter;
  if (draft === undefined || owner === undefined || own?.list === undefined) return undefined;
  const { operation } = draft;
  const query = [
    ...sourced(owner, { kind: 'listed', resource: asking.resource.name }),
    ...widestPage({ draft, resource: own, shape: own.list }),
  ];
  return {
    ...makeCase({
      title: `the ${name} of the first record are asked for by themselves`,
      phase: 'sequence',
      operation,
      request: requestOf(draft, 'known', { extra: query }),
      intent: relationTo(
        { operation },
        {
          rule: 'expanded-own',
          of: [all.title],
          field: name,
          at: asking.expansion.parameter.pointer,
        },
      ),
    }),
    optional: true,
  };
}

/** A name that is no member with further records. */
function unknownName({ context, expansion, draft, record, before }: Asking): Sequence[] {
  const { parameter, operation } = expansion;
  const name = `Zq${hash(`${context.seed} ${operation.id} no member`)}`;
  const refused = valued(parameter, name).map((argument) => ({
    title: `${parameter.name} is ${name}, which is no member with records`,
    rule: 'no-expansion' as const,
    argument,
    record,
  }));
  return refusedQueries(context, draft, before, refused);
}
