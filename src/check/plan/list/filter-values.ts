import type { Filter, Parameter } from '../../../contract/model.ts';
import { joinPointer } from '../../../json/pointer.ts';
import type { JsonValue } from '../../../json/value.ts';
import { hash } from '../../model/case.ts';
import type { Argument } from '../../model/request-template.ts';
import { missingIdentifiers } from '../missing.ts';
import { type Listing, sourced, valued } from './listing.ts';

/** A value that a filter is asked for. */
export interface FilterValue {
  /** `status is sold`. */
  readonly words: string;
  readonly query: readonly Argument[];
  readonly rigour?: 'invented' | 'exotic';
}

const mostValues = 6;

/**
 * Values that records may well have: each that the contract lists, yes and no, else one that a
 * record was seen to have.
 */
export function likelyValues({ resource }: Listing, filter: Filter): FilterValue[] {
  const { parameter, member } = filter;
  const listed = listedValues(filter);
  if (listed.length > 0)
    return listed.slice(0, mostValues).flatMap((value) => withValue(filter, value));
  // A member of a larger parameter cannot be taken from an answer by itself.
  if (member !== undefined) return [];
  return [
    {
      words: `${parameter.name} is what a record has`,
      query: sourced(parameter, { kind: 'field', resource: resource.name, field: filter.field }),
    },
  ];
}

function listedValues({ parameter, member, any = [] }: Filter): JsonValue[] {
  const { node, types } = viewOf(parameter, member);
  const values = node.enum ?? (types.includes('boolean') && types.length <= 2 ? [true, false] : []);
  return values.filter((value) => value !== null && !any.includes(value));
}

/** Two of the values that an array-valued filter may take at once. */
export function severalValues(filter: Filter): FilterValue[] {
  const { parameter, member } = filter;
  const view = viewOf(parameter, member);
  const items =
    view.types.includes('array') && view.node.items !== undefined
      ? parameter.schema.flatten(view.node.items, joinPointer(view.pointer, 'items')).node.enum
      : undefined;
  const [first, second] = items ?? [];
  return first === undefined || second === undefined ? [] : withValue(filter, [first, second]);
}

/**
 * A value that no record has. Where it names another record a server may refuse it, because there
 * is none.
 */
export function strangeValue(filter: Filter, seed: string): FilterValue[] {
  const { parameter, member } = filter;
  const view = viewOf(parameter, member);
  if (
    view.node.enum !== undefined ||
    view.node.const !== undefined ||
    !['string', 'integer'].some((type) => view.types.includes(type))
  )
    return [];
  const word = `zq${hash(`${seed} ${parameter.name} nobody`)}`;
  const candidates: JsonValue[] = [
    word,
    word.slice(0, 8),
    ...missingIdentifiers(
      { ...parameter, schema: partOf(filter) },
      `${seed} ${parameter.name}`,
    ).map(({ value }) => value),
  ];
  const texts = view.types.includes('string') ? candidates : candidates.slice(2);
  return texts
    .flatMap((value) => withValue(filter, value))
    .slice(0, 1)
    .map((value) => ({
      ...value,
      words: `${value.words}, which no record has`,
      rigour: 'exotic' as const,
    }));
}

function partOf({ parameter, member }: Filter): Parameter['schema'] {
  const place =
    member === undefined ? undefined : parameter.schema.flatten().properties.get(member);
  return place === undefined ? parameter.schema : parameter.schema.part(place);
}

function viewOf(
  parameter: Parameter,
  member: string | undefined,
): ReturnType<Parameter['schema']['flatten']> {
  const place =
    member === undefined ? undefined : parameter.schema.flatten().properties.get(member);
  return place === undefined
    ? parameter.schema.flatten()
    : parameter.schema.flatten(place.node, place.pointer);
}

/** The argument of a filter with a value, as a member where the filter is one. */
function withValue({ parameter, member }: Filter, value: JsonValue): FilterValue[] {
  const name = member === undefined ? parameter.name : `${parameter.name}[${member}]`;
  const several = viewOf(parameter, member).types.includes('array') && !Array.isArray(value);
  const one: JsonValue = several ? [value] : value;
  const query = valued(parameter, member === undefined ? one : { [member]: one });
  return query.length === 0
    ? []
    : [{ words: `${name} is ${[value].flat().map(String).join(' or ')}`, query }];
}
