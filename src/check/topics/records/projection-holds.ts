import { writeNames } from '../../../contract/protocols/names.ts';
import { type Added, addedOf } from '../../../contract/infer/infer-flags.ts';
import { protocolsOf } from '../../../contract/protocols/read-protocols.ts';
import {
  type Projection,
  writeProjection,
  readProjection,
} from '../../../contract/protocols/projection.ts';
import { groupsOf, layoutOf, openRecord } from '../../../contract/infer/record-view.ts';
import type { Resource, Contract } from '../../../contract/model.ts';
import { isSuccess } from '../../../http/message.ts';
import type { JsonObject } from '../../../json/value.ts';
import { type Case, hash, makeCase, makeSequence, type Sequence } from '../../model/case.ts';
import { showValue, type Step } from '../../model/step.ts';
import type { Argument, RequestTemplate } from '../../model/request-template.ts';
import { relationTo } from '../../plan/story.ts';
import { refusedQueries } from '../../plan/refused-query.ts';
import { draftCase, draftOf, type PlanContext } from '../../plan/plan-context.ts';
import { type Listing, listingsOf, valued, wholeList, widestPage } from '../../plan/listing.ts';
import { type Draft, requestOf } from '../../plan/draft.ts';
import { compareRecords } from '../../reading/compare-records.ts';
import { sameIdentifier } from '../../reading/list-page.ts';
import {
  notRefused,
  type Related,
  type RelationFault,
  type RelationFaults,
} from '../../reading/related.ts';
import { saysSomething } from '../../reading/shown-fields.ts';
import { listedRecords, shownRecord } from '../../reading/shown-records.ts';
import { check } from '../check.ts';
import { mutantsOf } from '../../mutants/kind.ts';
import { queryOf, withoutQuery, withQuery } from '../../mutants/list-place.ts';
import type { Mutator } from '../../mutants/mutant.ts';

/** A response shows the fields that a projection asks for, as they are, and no others. */
export const projectionHolds = check({
  id: 'projection-holds',
  basis: 'inferred',
  harm: 'results',
  rule:
    'A response to a request for some fields shows these fields with the values that they have ' +
    'otherwise, and no others (JSON:API 1.1, section 6.4; AIP-157); with $select, others may be ' +
    'shown too (OData 4.01, section 11.2.5.1).',
  reason:
    'A client asks for a few fields because the others are large or secret; one that gets none ' +
    'of them shows nothing.',
  example: [
    '> GET /items/7?fields[items]=name',
    '< {"data": {"type": "items", "id": "7", "attributes": {"name": "a", "size": 2}}}',
  ],
  explains: [
    {
      // What selects members of records does so for those within them.
      findings: ['inclusion-holds', 'expansion-holds'],
      explains: ({ operation, cause }, other) =>
        other.operation === operation &&
        cause === 'not projected' &&
        ['not sparse', 'select'].includes(other.cause),
    },
  ],
  traits: ['machinery'],
  plan: [{ at: 'lists', all: planProjections }],
  mutants: [() => projectionMutants],
  relations: { projected: notProjected, 'no-fields': notRefused, 'field-added': notAdded },
});

/** A field that a parameter adds, and that no record of the answer has. */
function notAdded({ subject, intent, status, resource }: Related): RelationFaults {
  const { operation, case: testCase } = subject;
  const { field = '' } = intent;
  const records = resource === undefined || !isSuccess(status) ? [] : recordsOf(resource, subject);
  if (records.length === 0) return undefined;
  if (records.some((record) => Object.hasOwn(record, field))) return [];
  return {
    message: `${operation.id} shows no ${field}, where ${testCase.title}.`,
    expected: `${field} in the record`,
    actual: `no ${field}`,
    cause: 'field not added',
  };
}

/** One record as a whole, and the part of it that was asked for. */
interface Pair {
  readonly whole: JsonObject;
  readonly part: JsonObject;
}

function notProjected({ subject, intent, of, resource }: Related): RelationFault[] | undefined {
  const { contract, operation } = subject;
  const projection =
    resource &&
    protocolsOf(contract, resource).projections?.of.find((one) => one.operation === operation);
  const [before] = of;
  if (resource === undefined || projection === undefined || before === undefined) return undefined;
  const asked = (intent.field ?? '').split(',');
  const asking: Asking = { resource, projection, asked };
  const lacking = lackingOne(resource, { before, after: subject, projection });
  if (lacking.length > 0) return lacking;
  const pairs = pairsOf(resource, before, subject);
  const faults = pairs.flatMap(
    (pair) => wronglyShown(pair, asking) ?? shownUnasked(pair, asking) ?? [],
  );
  return pairs.length === 0 ? undefined : faults.slice(0, 1);
}

/** A field that all records have, that is always shown, and that a part of one lacks. */
function lackingOne(
  resource: Resource,
  { before, after, projection }: { before: Step; after: Step; projection: Projection },
): RelationFault[] {
  const [wholes = [], parts = []] = [before, after].map((step) => recordsOf(resource, step));
  const name = projection.always.find(
    (field) =>
      wholes.every((whole) => saysSomething(whole[field])) &&
      parts.some((part) => !Object.hasOwn(part, field)),
  );
  if (name === undefined) return [];
  const { operation, parameter } = projection;
  return [
    {
      message: `${operation.id} with ${parameter.name} does not show the ${name} of a record.`,
      expected: `${name}, which is always shown`,
      actual: `no ${name}`,
      cause: 'asked field missing',
    },
  ];
}

/** The records that both responses show: by their identifiers, or as many in the same order. */
function pairsOf(resource: Resource, before: Step, after: Step): Pair[] {
  const { field } = resource.identifier;
  const [wholes, parts] = [before, after].map((step) => recordsOf(resource, step));
  if (wholes === undefined || parts === undefined) return [];
  const named = parts.flatMap((part): Pair[] => {
    const whole = wholes.find((one) => sameIdentifier(one[field], part[field]));
    return whole === undefined ? [] : [{ whole, part }];
  });
  if (named.length > 0 || wholes.length !== parts.length) return named;
  const isNameless = parts.every((part) => part[field] === undefined);
  if (!isNameless) return [];
  return wholes.flatMap((whole, at) => {
    const part = parts[at];
    return part === undefined ? [] : [{ whole, part }];
  });
}

function recordsOf(
  resource: Resource,
  { case: { operation }, answer }: Step,
): readonly JsonObject[] {
  const record = shownRecord(resource, answer);
  const shown =
    operation === resource.operations.list
      ? (listedRecords(resource, answer) ?? [])
      : record === undefined
        ? []
        : [record];
  // What a projection names stands in the groups of a record.
  const layout = layoutOf(resource.record) === undefined ? groupsOf(resource.record) : undefined;
  return layout === undefined ? shown : shown.map((one) => openRecord(layout, one));
}

interface Asking {
  readonly resource: Resource;
  readonly projection: Projection;
  readonly asked: readonly string[];
}

/** A field that was asked for and that is missing, or has another value. */
function wronglyShown(
  { whole, part }: Pair,
  { resource, projection, asked }: Asking,
): RelationFault | undefined {
  const told = asked.filter((name) => saysSomething(whole[name]));
  const expected = Object.fromEntries(told.map((name) => [name, whole[name] ?? null]));
  const [difference] = compareRecords(expected, part, {
    schema: resource.record,
    absent: 'different',
    except: [],
  });
  if (difference === undefined) return undefined;
  const { field, got } = difference;
  return {
    message:
      `${projection.operation.id} with ${projection.parameter.name} for ${asked.join(', ')} ` +
      (got === undefined
        ? `does not show the ${field} of a record.`
        : `shows another ${field} than without it: ${showValue(got)}.`),
    expected: `${field} is ${showValue(difference.expected)}`,
    actual: got === undefined ? `no ${field}` : `${field} is ${showValue(got)}`,
    cause: got === undefined ? 'asked field missing' : 'asked field differs',
  };
}

/** Fields that were not asked for: some where the text forbids it, otherwise all of them. */
function shownUnasked(
  { whole, part }: Pair,
  { projection, asked }: Asking,
): RelationFault | undefined {
  const unasked = projection.fields.filter(
    (name) =>
      !asked.includes(name) && saysSomething(whole[name]) && !projection.always.includes(name),
  );
  const shown = unasked.filter((name) => Object.hasOwn(part, name));
  const isFine = projection.isStrict ? shown.length === 0 : shown.length < unasked.length;
  if (isFine || shown.length === 0) return undefined;
  const names = shown.join(', ');
  return {
    message:
      `${projection.operation.id} with ${projection.parameter.name} for ${asked.join(', ')} ` +
      `shows ${names} too.`,
    expected: `${asked.join(', ')} alone`,
    actual: `also ${names}`,
    cause: 'not projected',
  };
}

/** As many fields as a request asks for: two show whether the names are taken apart. */
const asked = 2;

/** A list and a read as they are, and the same with some of their fields. */
function planProjections(context: PlanContext): Sequence[] {
  const listings = listingsOf(context);
  const added = context.contract.resources.flatMap((resource) =>
    addedOf(resource).flatMap((one) => askForField(context, one)),
  );
  const parts = context.contract.resources.flatMap((resource) =>
    (protocolsOf(context.contract, resource).projections?.of ?? []).flatMap((projection) => {
      const listing = listings.find((one) => one.resource === resource);
      return listing === undefined || projection.fields.length < asked
        ? []
        : oneProjection(context, resource, listing, projection);
    }),
  );
  return [...added, ...parts];
}

/** A request for a field that a boolean parameter adds, after the plain one. */
function askForField(context: PlanContext, { operation, parameter, field }: Added): Sequence[] {
  const draft = draftOf(context, operation);
  const flag = valued(parameter, true);
  if (draft === undefined || flag.length === 0) return [];
  const before = draftCase(draft, {
    title: `the plain request, before ${parameter.name}`,
    record: 'known',
  });
  const added = draftCase(draft, {
    title: `${parameter.name} is true, which adds ${field}`,
    record: 'known',
    extra: flag,
    relation: { rule: 'field-added', of: [before.title], field, at: parameter.pointer },
  });
  return [makeSequence(before, added)];
}

function oneProjection(
  context: PlanContext,
  resource: Resource,
  listing: Listing,
  projection: Projection,
): Sequence[] {
  const { operation } = projection;
  const list = wholeList(listing, 'the list is asked for, before some of its fields');
  if (operation === resource.operations.list) {
    const ask = (argument: Argument): RequestTemplate =>
      requestOf(listing.draft, 'known', { extra: [...widestPage(listing), argument] });
    return [
      makeSequence(list, ...partsOf(projection, { ask, of: list.title })),
      ...unknownField(context, listing.draft, projection, list),
    ];
  }
  const read = draftOf(context, operation);
  if (read === undefined) return [];
  const whole = draftCase(read, {
    title: 'the first record of the list is read, before some of its fields',
    record: 'listed',
  });
  const ask = (argument: Argument): RequestTemplate =>
    requestOf(read, 'listed', { extra: [argument] });
  return [makeSequence(list, whole, ...partsOf(projection, { ask, of: whole.title }))];
}

/** A name that is no field of a record, where the standard has it refused. */
function unknownField(
  context: PlanContext,
  draft: Draft,
  { parameter, operation, refusesUnknown }: Projection,
  list: Case,
): Sequence[] {
  const name = `Zq${hash(`${context.seed} ${operation.id} no field`)}`;
  const refused = valued(parameter, writeNames(parameter, [name])).map((argument) => ({
    title: `${parameter.name} is ${name}, which is no field`,
    rule: 'no-fields' as const,
    argument,
  }));
  return refusesUnknown ? refusedQueries(context, draft, [list], refused) : [];
}

/** The first fields of the contract, then the last, and the relationships beside the first. */
function partsOf(
  projection: Projection,
  { ask, of }: { ask(argument: Argument): RequestTemplate; readonly of: string },
): Case[] {
  const { operation, parameter, fields, relations } = projection;
  const parts = [
    fields.slice(0, asked),
    ...(fields.length > asked ? [fields.slice(-1)] : []),
    ...(relations.length > 0 ? [[...fields.slice(0, 1), ...relations]] : []),
  ];
  return parts.flatMap((names) => {
    const [argument] = valued(parameter, writeProjection(projection, names));
    if (argument === undefined) return [];
    return makeCase({
      title: `${parameter.name} asks for ${names.join(' and ')}`,
      phase: 'sequence',
      operation,
      request: ask(argument),
      intent: relationTo(
        { operation },
        { rule: 'projected', of: [of], field: names.join(','), at: parameter.pointer },
      ),
    });
  });
}

const mutant = mutantsOf('state');

function projections(contract: Contract): Projection[] {
  return contract.resources.flatMap(
    (resource) => protocolsOf(contract, resource).projections?.of ?? [],
  );
}

/** The name under which a request writes a projection: `fields[things]`. */
function nameOf({ parameter, member }: Projection): string {
  return member === undefined ? parameter.name : `${parameter.name}[${member}]`;
}

/** Mutations of responses that show some fields of their records. */
const projectionMutants: readonly Mutator[] = [
  mutant('ignores-projection', {
    rule: 'A response shows all fields, also where the request asks for some.',
    where: projections,
    says: 'ignores which fields are asked for',
    request: (request, place) => withoutQuery(request, [nameOf(place)]),
  }),
  mutant('projects-first', {
    rule: 'A response shows only the first of the fields that the request asks for.',
    where: (contract) => projections(contract).filter(({ fields }) => fields.length > 1),
    says: 'shows only the first of the fields that are asked for',
    request: (request, place) => {
      const name = nameOf(place);
      const text = queryOf(request, name);
      const named = readProjection({ ...place }, text);
      const first = named.slice(0, place.identifier === undefined ? 1 : 2);
      return text === undefined || first.length === named.length
        ? undefined
        : withQuery(
            withoutQuery(request, [name]) ?? request,
            encodeURIComponent(name),
            first.join(','),
          );
    },
  }),
];
