import { recordFields } from '../../../contract/infer/record-fields.ts';
import type { Expanded, Expansion, Navigation } from '../../../contract/protocols/expansion.ts';
import { readExpand, writeExpand } from '../../../contract/protocols/expansion.ts';
import { protocolsOf } from '../../../contract/protocols/read-protocols.ts';
import { odataFilter } from '../../../contract/query-languages/odata-filter.ts';
import type { Resource } from '../../../contract/model.ts';
import { isJsonArray, isJsonObject, type JsonObject } from '../../../json/value.ts';
import { countWords, roleOf, type Step } from '../../model/step.ts';
import { sameIdentifier } from '../../reading/list-page.ts';
import { matches } from '../../reading/misreadings.ts';
import { leadsOn } from '../../reading/next-page.ts';
import {
  notRefused,
  type Related,
  type RelationFault,
  type RelationFaults,
} from '../../reading/related.ts';
import { listedRecords, shownRecord } from '../../reading/shown-records.ts';
import { check } from '../check.ts';
import { projectionsOf, writeProjection } from '../../../contract/protocols/projection.ts';
import { type Case, hash, makeSequence, type Sequence } from '../../model/case.ts';
import type { Argument, Source } from '../../model/request-template.ts';
import type { Draft, RecordKind } from '../../plan/draft.ts';
import { type Listing, sourced, valued, wholeList, widestPage } from '../../plan/listing.ts';
import { draftCase, draftOf, type PlanContext } from '../../plan/plan-context.ts';
import { refusedQueries } from '../../plan/refused-query.ts';

/** A member that a request expands holds the records to which it leads, and no others. */
export const expansionHolds = check({
  id: 'expansion-holds',
  basis: 'inferred',
  harm: 'results',
  rule:
    'A response to a request with $expand has each member that it names: a list, or one record ' +
    'or null, with the options behind the name; and a name that is no such member is refused ' +
    '(OData 4.01, Part 1, section 11.2.5.2).',
  reason: 'A client that expands the reviews of a product does not ask for them again.',
  example: ['> GET /Products?$expand=Reviews($top=1)', '< {"value": [{"ID": 1, "Name": "Kite"}]}'],
  traits: ['machinery'],
  plan: [{ at: 'lists', listing: planExpansions }],
  mutants: [async () => (await import('./expansion-mutants.ts')).expansionMutants],
  relations: { expanded: notExpanded, 'expanded-own': ofOthers, 'no-expansion': notRefused },
});

/** The expansion of a step, with the resource of its records. */
function expansionOf(
  { contract }: Related['subject'],
  { case: { operation } }: Step,
): { readonly resource: Resource; readonly expansion: Expansion } | undefined {
  const resource = roleOf(contract, operation)?.resource;
  const expansion =
    resource &&
    protocolsOf(contract, resource).expansions?.of.find((one) => one.operation === operation);
  return resource === undefined || expansion === undefined ? undefined : { resource, expansion };
}

function recordsOf(
  resource: Resource,
  { case: { operation }, answer }: Step,
): readonly JsonObject[] {
  if (operation === resource.operations.list) return listedRecords(resource, answer) ?? [];
  const record = shownRecord(resource, answer);
  return record === undefined ? [] : [record];
}

/** What a record shows of a member that was expanded. */
interface Shown {
  readonly asked: Expanded;
  readonly navigation: Navigation;
  readonly record: JsonObject;
  /** The record where everything is expanded without options. */
  readonly full: JsonObject | undefined;
  /** The request as a text, and what the operation is called. */
  readonly words: string;
}

function notExpanded({ subject, of }: Related): RelationFault[] | undefined {
  const found = expansionOf(subject, subject);
  if (found === undefined) return undefined;
  const { resource, expansion } = found;
  const text = String(subject.sent.arguments.get(expansion.parameter) ?? '');
  const asked = readExpand(text);
  const [, all] = of;
  const wholes = all === undefined ? [] : recordsOf(resource, all);
  const records = recordsOf(resource, subject);
  if (asked === undefined || records.length === 0) return undefined;
  const { field } = resource.identifier;
  const faults = records.flatMap((record, at) => {
    const full =
      record[field] === undefined
        ? wholes[at]
        : wholes.find((one) => sameIdentifier(one[field], record[field]));
    return asked.flatMap((one) => {
      const navigation = expansion.navigations.find(({ name }) => name === one.name);
      const words = `${subject.operation.id} with $expand=${text}`;
      return navigation === undefined
        ? []
        : faultOf({ asked: one, navigation, record, full, words });
    });
  });
  return faults.slice(0, 1);
}

function faultOf(shown: Shown): RelationFault | RelationFault[] {
  const { asked, navigation, record, words } = shown;
  const { name, many } = navigation;
  const value = record[name];
  const how = value === undefined ? 'without' : 'with another';
  const isFine =
    value !== undefined && (many ? isJsonArray(value) : value === null || isJsonObject(value));
  if (!isFine)
    return {
      message: `${words} shows a record ${how} ${name}.`,
      expected: many ? `a list in ${name}` : `a record or null in ${name}`,
      actual: value === undefined ? `no ${name}` : typeof value,
      cause: 'not expanded',
    };
  const inner = [value].flat().filter((one) => isJsonObject(one));
  return [
    ...tooMany(inner, shown),
    ...unselected(inner, shown),
    ...(asked.filter === undefined ? [] : unfiltered(inner, asked.filter, shown)),
  ].slice(0, 1);
}

function tooMany(inner: readonly JsonObject[], { asked, words }: Shown): RelationFault[] {
  const { name, top = Infinity } = asked;
  if (inner.length <= top) return [];
  return [
    {
      message: `${words} shows ${countWords(inner.length, 'record')} in ${name}.`,
      expected: `at most ${countWords(top, 'record')}`,
      actual: countWords(inner.length, 'record'),
      cause: 'top',
    },
  ];
}

/** All the fields that were not asked for: a service may show some (OData, section 11.2.5.1). */
function unselected(
  inner: readonly JsonObject[],
  { asked: { name, select }, navigation: { resource }, full, words }: Shown,
): RelationFault[] {
  if (select === undefined) return [];
  const { field } = resource.identifier;
  const wholes = [full?.[name] ?? []].flat().filter((one) => isJsonObject(one));
  const others = recordFields(resource.record)
    .map((one) => one.name)
    .filter((one) => one !== field && !select.includes(one) && !/[.@]/.test(one))
    .filter((one) => wholes.some((whole) => (whole[one] ?? null) !== null));
  const isWhole = inner.some((one) => others.every((other) => (one[other] ?? null) !== null));
  if (others.length < 2 || !isWhole) return [];
  return [
    {
      message: `${words} shows the other fields of ${name} too: ${others.join(', ')}.`,
      expected: `${select.join(', ')} in ${name}`,
      actual: `also ${others.join(', ')}`,
      cause: 'select',
    },
  ];
}

/** Records that the filter excludes, or lacks of those that it selects. */
function unfiltered(
  inner: readonly JsonObject[],
  filter: string,
  { asked: { name, skip, top }, navigation: { resource }, full, words }: Shown,
): RelationFault[] {
  const condition = odataFilter.read(filter);
  if (condition === undefined) return [];
  const { field } = resource.identifier;
  const other = inner.find((one) => matches(one, condition) === false);
  const expected = [full?.[name] ?? []]
    .flat()
    .filter((one) => isJsonObject(one))
    .find(
      (one) =>
        matches(one, condition) === true &&
        one[field] !== undefined &&
        !inner.some((held) => sameIdentifier(held[field], one[field])),
    );
  const isCut = skip !== undefined || top !== undefined;
  const isLacking = other === undefined && !isCut && expected !== undefined;
  if (other === undefined && !isLacking) return [];
  const which = String((other ?? expected)?.[field]);
  return [
    {
      message: `${words} ${isLacking ? 'lacks' : 'shows'} the record ${which} in ${name}.`,
      expected: `the records in ${name} that ${filter} selects`,
      actual: countWords(inner.length, 'record'),
      cause: 'filter',
    },
  ];
}

/** The records in a member of the first record, and the list that has those below it. */
function ofOthers(related: Related): RelationFaults {
  const { subject, intent, of } = related;
  const { field: name = '' } = intent;
  const [all] = of;
  const found = all && expansionOf(subject, all);
  const below = roleOf(subject.contract, subject.operation)?.resource;
  const own = below && listedRecords(below, subject.answer);
  if (all === undefined || found === undefined || own === undefined) return undefined;
  const { resource } = found;
  const named = [...subject.sent.arguments].filter(([parameter]) => parameter.in === 'path');
  const record = recordsOf(resource, all).find((one) =>
    named.some(([, value]) => sameIdentifier(one[resource.identifier.field], value)),
  );
  const held = [record?.[name] ?? []].flat().filter((one) => isJsonObject(one));
  const key =
    found.expansion.navigations.find((one) => one.name === name)?.resource.identifier.field ??
    resource.identifier.field;
  const listed = own.map((one) => one[key]);
  const isCut = leadsOn(subject, subject);
  const stranger = held.find(
    (one) => one[key] !== undefined && !listed.some((other) => sameIdentifier(other, one[key])),
  );
  if (record === undefined || stranger === undefined || isCut) return record && [];
  const owner = String(record[resource.identifier.field]);
  return {
    message:
      `${all.case.operation.id} expands ${name} of ${owner} with the record ` +
      `${String(stranger[key])}, which ${subject.operation.id} does not list for it.`,
    expected: countWords(listed.length, 'record'),
    actual: `${countWords(held.length, 'record')} in ${name}`,
    operation: all.case.operation,
    cause: 'of others',
  };
}

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
function planExpansions(listing: Listing, context: PlanContext): Sequence[] {
  const { resource } = listing;
  const { of = [] } = protocolsOf(context.contract, resource).expansions ?? {};
  return of.flatMap((expansion) => {
    const asking = askingFor(context, listing, expansion);
    return asking === undefined ? [] : [...expand(asking), ...unknownName(asking)];
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
  const whole = before.at(-1)?.title ?? '';
  const at = expansion.parameter.pointer;
  return draftCase(draft, {
    title,
    record,
    extra: [...page, ...query],
    relation: { rule: 'expanded', of: [whole, ...of], at },
    optional: true,
  });
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
  return draftCase(draft, {
    title: `the ${name} of the first record are asked for by themselves`,
    record: 'known',
    extra: [
      ...sourced(owner, { kind: 'listed', resource: asking.resource.name }),
      ...widestPage({ shape: own.list }),
    ],
    relation: {
      rule: 'expanded-own',
      of: [all.title],
      field: name,
      at: asking.expansion.parameter.pointer,
    },
    optional: true,
  });
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
