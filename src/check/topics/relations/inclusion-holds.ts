import type { Inclusion } from '../../../contract/protocols/inclusion.ts';
import { keyOf, linkedBy, linksOf, objectsIn } from '../../../contract/protocols/inclusion.ts';
import { equalJson } from '../../../json/equal-json.ts';
import { isJsonObject, type JsonObject } from '../../../json/value.ts';
import { showValue, type Step } from '../../model/step.ts';
import { jsonOf } from '../../reading/read-answer.ts';
import {
  notRefused,
  type Related,
  type RelationFault,
  type RelationFaults,
} from '../../reading/related.ts';
import { check } from '../check.ts';
import { writeNames } from '../../../contract/protocols/names.ts';
import { protocolsOf } from '../../../contract/protocols/read-protocols.ts';
import type { Resource } from '../../../contract/model.ts';
import { projectionOfType, typeOf } from '../../../contract/protocols/projection.ts';
import { type Case, hash, makeCase, makeSequence, type Sequence } from '../../model/case.ts';
import type { Argument } from '../../model/request-template.ts';
import { requestOf } from '../../plan/draft.ts';
import { type Listing, listingsOf, valued, wholeList, widestPage } from '../../plan/listing.ts';
import { draftCase, draftOf, type PlanContext } from '../../plan/plan-context.ts';
import { refusedQueries } from '../../plan/refused-query.ts';
import { foundIn, relationTo } from '../../plan/story.ts';

/** A response that is asked to include related records has each of them once, as it is. */
export const inclusionHolds = check({
  id: 'inclusion-holds',
  basis: 'inferred',
  harm: 'results',
  rule:
    'A response to a request with `include` has each record that the relationships name in ' +
    '`included`, once, with the values that its own read shows, and no others (JSON:API 1.1, ' +
    'section 6.3); of these, `fields[TYPE]` shows the named fields alone (section 6.4).',
  reason: 'A client shows the names of the authors from `included`, and does not ask again.',
  example: [
    '> GET /articles?include=author',
    '< {"data": [{"relationships": {"author": {"data": {"type": "people", "id": "1"}}}, …}],',
    '<  "included": []}',
  ],
  traits: ['machinery'],
  plan: [{ at: 'lists', all: planInclusions }],
  relations: {
    included: notIncluded,
    'included-agrees': includedOtherwise,
    'included-sparse': notSparse,
    'no-inclusion': notRefused,
  },
});

/** The resource objects in a member of the document that answers a step. */
function shownIn({ answer }: Pick<Step, 'answer'>, member: 'data' | 'included'): JsonObject[] {
  const body = jsonOf(answer);
  return isJsonObject(body) ? objectsIn(body[member]) : [];
}

/** A linked record that exists and is not included, one twice, or one that nothing links. */
function notIncluded({ subject, intent, of }: Related): RelationFaults {
  if (!sends(subject, 'include')) return undefined;
  const names = (intent.field ?? '').split(',');
  const primary = shownIn(subject, 'data');
  const included = shownIn(subject, 'included');
  const linked = names.flatMap((path) => linkedByPath(primary, included, path.split('.')));
  if (linked.length === 0) return undefined;
  const keys = included.map(keyOf);
  const known = new Set(
    of.flatMap((step) => [...shownIn(step, 'data'), ...shownIn(step, 'included')]).map(keyOf),
  );
  const shown = new Set([...keys, ...primary.map(keyOf)]);
  const missing = linked.find(({ key }) => known.has(key) && !shown.has(key));
  const twice = keys.find((key, at) => keys.indexOf(key) !== at);
  const { id } = subject.operation;
  const asked = names.join(',');
  if (missing !== undefined)
    return {
      message:
        `${id} with include=${asked} does not include ${missing.key}, which ${missing.name} ` +
        'names.',
      expected: `${missing.key} in included`,
      actual: keys.length === 0 ? 'nothing included' : `included: ${keys.join(', ')}`,
      cause: 'not included',
    };
  if (twice !== undefined)
    return {
      message: `${id} with include=${asked} includes ${twice} twice.`,
      expected: `${twice} once (JSON:API 1.1, section 5.4.2)`,
      actual: 'twice',
      cause: 'included twice',
    };
  return unlinked(subject, primary, included);
}

/** Whether a request has a parameter: the run looks for a shorter one that shows the same. */
function sends({ sent }: Pick<Step, 'sent'>, expected: string): boolean {
  return [...sent.arguments.keys()].some(({ name }) => name === expected);
}

/** What a path of relationships names, each with the path. */
function linkedByPath(
  records: readonly JsonObject[],
  included: readonly JsonObject[],
  [name = '', ...rest]: readonly string[],
): { readonly key: string; readonly name: string }[] {
  const keys = records.flatMap((record) => linkedBy(record, name)).map(keyOf);
  const next = new Set(keys);
  const deeper =
    rest.length === 0
      ? []
      : linkedByPath(
          included.filter((record) => next.has(keyOf(record))),
          included,
          rest,
        );
  return [...keys.map((key) => ({ key, name })), ...deeper];
}

/** An included record that no other record of the document names (JSON:API 1.1, section 5.4.2). */
function unlinked(
  { operation }: Pick<Related['subject'], 'operation'>,
  primary: readonly JsonObject[],
  included: readonly JsonObject[],
): RelationFault | RelationFault[] {
  const named = new Set([...primary, ...included].flatMap(linksOf).map(keyOf));
  const stray = included.map(keyOf).find((key) => !named.has(key));
  if (stray === undefined) return [];
  return {
    message: `${operation.id} includes ${stray}, which no record of the response names.`,
    expected: 'only records that another one names (JSON:API 1.1, section 5.4.2)',
    actual: `${stray} in included`,
    cause: 'unlinked',
  };
}

/** An attribute of an included record that was not asked for (JSON:API 1.1, section 6.4). */
function notSparse({ subject, intent }: Related): RelationFaults {
  const [type = '', ...asked] = (intent.field ?? '').split(',');
  if (!sends(subject, 'include') || !sends(subject, `fields[${type}]`)) return undefined;
  const records = shownIn(subject, 'included').filter((one) => one['type'] === type);
  if (records.length === 0) return undefined;
  const others = records.flatMap((record) => {
    const attributes = record['attributes'] ?? null;
    return isJsonObject(attributes)
      ? Object.keys(attributes).filter((name) => !asked.includes(name))
      : [];
  });
  const [other] = others;
  if (other === undefined) return [];
  return {
    message:
      `${subject.operation.id} with fields[${type}]=${asked.join(',')} includes records with ` +
      `${[...new Set(others)].join(', ')} too.`,
    expected: `${asked.join(', ')} alone`,
    actual: `also ${other}`,
    cause: 'not sparse',
  };
}

/** An attribute that an included record has otherwise than its own read shows it. */
function includedOtherwise({ subject, of }: Related): RelationFaults {
  const [asked] = of;
  const [own] = shownIn(subject, 'data');
  const shown = own && asked && shownIn(asked, 'included').find((one) => keyOf(one) === keyOf(own));
  const [left, right] = [shown, own].map((one) => one?.['attributes'] ?? null);
  if (left === undefined || right === undefined) return undefined;
  if (!isJsonObject(left) || !isJsonObject(right) || asked === undefined) return undefined;
  const name = Object.keys(left).find(
    (one) => Object.hasOwn(right, one) && !equalJson(left[one] ?? null, right[one] ?? null),
  );
  if (name === undefined) return [];
  return {
    message:
      `${asked.case.operation.id} includes a record with another ${name} than its own read ` +
      `shows: ${showValue(left[name])}.`,
    expected: `${name} is ${showValue(right[name])}`,
    actual: `${name} is ${showValue(left[name])}`,
    operation: asked.case.operation,
    cause: 'included otherwise',
  };
}

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
function planInclusions(context: PlanContext): Sequence[] {
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
  const source = foundIn(asked, '$response.body#/included/0/id');
  return [
    draftCase(read, {
      title: 'the first included record is read',
      record: 'known',
      extra: [{ parameter: read.identifier, source }],
      relation: { rule: 'included-agrees', of: [asked.title], at: asked.operation.pointer },
      optional: true,
    }),
  ];
}
