import { type Flag, flagsOf, type Kinds, kindsOf } from '../../../contract/infer/infer-flags.ts';
import { recordFields } from '../../../contract/infer/record-fields.ts';
import { isGoverned } from '../../../contract/protocols/read-protocols.ts';
import type { Parameter, RangeFilter } from '../../../contract/model.ts';
import { type Case, makeSequence, type Sequence } from '../../model/case.ts';
import type { Listing } from '../../plan/listing.ts';
import { askList, sourced, valued, wholeList, widestPage } from '../../plan/listing.ts';
import { askCompared, type ComparedRequest } from '../../plan/compared-request.ts';

/**
 * Lists with what decides about the bound itself (`inclusive`), with boolean parameters that leave
 * records out, with each of the kinds that a parameter takes, and with defaults.
 */
export function planFlags(listing: Listing): Sequence[] {
  const { operation } = listing.draft;
  return [
    ...listing.shape.ranges.flatMap((range) => boundSequence(listing, range)),
    ...flagsOf(listing.resource)
      .filter(({ parameter }) => !isGoverned(operation, parameter))
      .flatMap((flag) => flagSequence(listing, flag)),
    ...kindsOf(listing.resource).flatMap((kinds) => eachKind(listing, kinds)),
    ...choosing(listing).flatMap((parameter) => defaultSequence(listing, parameter)),
  ];
}

type RelatedList = Omit<ComparedRequest, 'at'> & { readonly parameter: Parameter };

function related(listing: Listing, { parameter, query, ...asked }: RelatedList): Case {
  const whole = [...query, ...widestPage(listing)];
  return askCompared(listing.draft, { ...asked, query: whole, at: parameter.pointer });
}

/** A bound that is the value of a record, which is asked to match too. */
function boundSequence(listing: Listing, { parameter, field, inclusive }: RangeFilter): Sequence[] {
  const isIn = valued(inclusive, true);
  if (isIn.length === 0) return [];
  const whole = wholeList(listing, `the list is asked for, before ${parameter.name} is in it`);
  const bound = sourced(parameter, {
    kind: 'field',
    resource: listing.resource.name,
    field,
    of: 'middle',
  });
  const asked = related(listing, {
    title: `${parameter.name} is what a record has, and is to match too`,
    query: [...bound, ...isIn],
    rule: 'bound-included',
    of: [whole],
    parameter,
    field,
  });
  return [makeSequence(whole, { ...asked, optional: true })];
}

function flagSequence(listing: Listing, { parameter, field, hides }: Flag): Sequence[] {
  const flag = valued(parameter, true);
  if (flag.length === 0) return [];
  const whole = wholeList(listing, `the list is asked for, before ${parameter.name}`);
  const asked = related(listing, {
    title: `${parameter.name} is true`,
    query: flag,
    rule: 'kind-of',
    of: [whole],
    parameter,
    field,
    by: Number(!hides),
  });
  return [makeSequence(whole, asked)];
}

/** The most kinds that are asked for one by one. */
const maxKinds = 4;

function ofKinds(
  listing: Listing,
  parameter: Parameter,
  title: string,
): (kinds: readonly string[]) => Case[] {
  return (kinds) =>
    valued(parameter, [...kinds]).map((argument) =>
      askList(listing, {
        title,
        query: [argument, ...widestPage(listing)],
        at: parameter.pointer,
      }),
    );
}

/** All kinds at once, each of them, and all again. */
function eachKind(listing: Listing, { parameter, values, told }: Kinds): Sequence[] {
  const all = valued(parameter, [...values]);
  const [every] = ofKinds(listing, parameter, `${parameter.name} has all kinds`)(values);
  // Without a field that tells them apart, a list may have to be of all kinds at once.
  if (every === undefined || told === undefined) return [];
  const each = values.slice(0, maxKinds).flatMap((value) => {
    const title = `${parameter.name} is ${value} alone`;
    const expected = told.by.get(value);
    if (expected === undefined) return ofKinds(listing, parameter, title)([value]);
    return valued(parameter, [value]).map((argument) =>
      related(listing, {
        title,
        query: [argument],
        rule: 'kind-of',
        of: [every],
        parameter,
        field: told.field,
        by: Number(expected),
      }),
    );
  });
  const again = related(listing, {
    title: `${parameter.name} has all kinds again`,
    query: all,
    rule: 'kinds-joined',
    of: [every, ...each],
    parameter,
  });
  return [makeSequence(every, ...each, again)];
}

/** A parameter that chooses records, with the default that its schema states, and left out. */
function defaultSequence(listing: Listing, parameter: Parameter): Sequence[] {
  const { default: usual = null } = parameter.schema.flatten().node;
  const given = usual === null ? [] : valued(parameter, usual);
  if (given.length === 0) return [];
  const title = `${parameter.name} has its default`;
  const query = [...given, ...widestPage(listing)];
  const explicit = askList(listing, { title, query, at: parameter.pointer });
  const plain = wholeList(listing, `${parameter.name} is left out`);
  const again = related(listing, {
    title: `${title} again`,
    query: given,
    rule: 'as-default',
    of: [explicit, plain],
    parameter,
  });
  return [makeSequence(explicit, plain, again)];
}

/**
 * The parameters of a list that say neither which page it is, nor in which order. One by a field
 * that has a default may have the schema of that field: the default is then that of a new record.
 */
function choosing({ shape, draft, resource }: Listing): Parameter[] {
  const { paging, limit, sort, filters } = shape;
  const others = new Set([limit?.parameter, sort?.by, sort?.direction]);
  for (const { parameter } of paging) others.add(parameter);
  const usual = recordFields(resource.record).filter(({ flat }) => flat.node.default !== undefined);
  for (const { parameter, field } of filters)
    if (usual.some(({ name }) => name === field)) others.add(parameter);
  return draft.operation.parameters.filter(
    (one) => one.in === 'query' && !one.required && !others.has(one),
  );
}
