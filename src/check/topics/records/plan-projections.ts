import { type Added, addedOf } from '../../../contract/infer/infer-flags.ts';
import { type Projection, writeProjection } from '../../../contract/protocols/projection.ts';
import { protocolsOf } from '../../../contract/protocols/read-protocols.ts';
import type { Resource } from '../../../contract/model.ts';
import { writeNames } from '../../../contract/protocols/names.ts';
import { type Case, hash, makeCase, makeSequence, type Sequence } from '../../model/case.ts';
import type { Argument, RequestTemplate } from '../../model/request-template.ts';
import { type Draft, requestOf } from '../../plan/draft.ts';
import { type Listing, listingsOf, valued, wholeList, widestPage } from '../../plan/listing.ts';
import { draftCase, draftOf, type PlanContext } from '../../plan/plan-context.ts';
import { refusedQueries } from '../../plan/refused-query.ts';
import { relationTo } from '../../plan/story.ts';

/** As many fields as a request asks for: two show whether the names are taken apart. */
const asked = 2;

/** A list and a read as they are, and the same with some of their fields. */
export function planProjections(context: PlanContext): Sequence[] {
  const listings = listingsOf(context);
  const added = context.contract.resources.flatMap((resource) =>
    addedOf(resource).flatMap((one) => askForField(context, one)),
  );
  const parts = context.contract.resources.flatMap((resource) =>
    (protocolsOf(context.contract, resource).projections?.of ?? []).flatMap((projection) => {
      const listing = listings.find((one) => one.resource === resource);
      return listing === undefined || projection.fields.length < asked
        ? []
        : oneProjection(context, { resource, listing, projection });
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
  const added = makeCase({
    title: `${parameter.name} is true, which adds ${field}`,
    phase: 'sequence',
    operation,
    request: requestOf(draft, 'known', { extra: flag }),
    intent: relationTo(draft, {
      rule: 'field-added',
      of: [before.title],
      field,
      at: parameter.pointer,
    }),
  });
  return [makeSequence(before, added)];
}

interface Projected {
  readonly resource: Resource;
  readonly listing: Listing;
  readonly projection: Projection;
}

function oneProjection(
  context: PlanContext,
  { resource, listing, projection }: Projected,
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
