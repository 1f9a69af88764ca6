import type { Filter, ListShape, Parameter, Resource } from '../../../contract/model.ts';
import { equalJson } from '../../../json/equal-json.ts';
import type { Pointer } from '../../../json/pointer.ts';
import { isJsonObject, type JsonValue } from '../../../json/value.ts';
import { type Argument, type Case, type Intent, makeCase, type Source } from '../../case.ts';
import { readSortWord } from '../../evidence/list/sort-words.ts';
import { type Draft, requestOf } from '../draft.ts';
import { draftOf, plainIntent, type PlanContext } from '../plan-context.ts';

/** A list that the run may ask: its plain request, and what its parameters mean. */
export interface Listing {
  readonly draft: Draft;
  readonly resource: Resource;
  readonly shape: ListShape;
}

/** The lists that get requests, in the order of the contract. */
export function listingsOf(context: PlanContext): Listing[] {
  return context.contract.resources.flatMap((resource) => {
    const draft = draftOf(context, resource.operations.list);
    return draft === undefined || resource.list === undefined
      ? []
      : [{ draft, resource, shape: resource.list }];
  });
}

/**
 * What a list is asked for, and what for. `at` is the place that is put to the test; without one,
 * the operation itself.
 */
export interface Question {
  readonly title: string;
  readonly query: readonly Argument[];
  readonly at?: Pointer;
  /** `plain` unless told. */
  readonly rigour?: 'plain' | 'invented' | 'exotic';
}

/** A case that asks a list. */
export function askList(
  { draft }: Pick<Listing, 'draft'>,
  { title, query, at, rigour }: Question,
): Case {
  const { operation, invented } = draft;
  const plain = plainIntent({ operation, invented });
  const intent: Intent =
    at === undefined && rigour === undefined
      ? plain
      : {
          kind: 'valid',
          rigour: rigour ?? (invented ? 'invented' : 'plain'),
          at: at ?? operation.pointer,
        };
  return makeCase({
    title,
    phase: 'sequence',
    operation,
    request: requestOf(draft, 'known', { extra: query }),
    intent,
    control: requestOf(draft, 'known'),
  });
}

/**
 * A parameter with a value that is known when the plan is made; none where the contract does not
 * allow it.
 */
export function valued(parameter: Parameter | undefined, value: JsonValue): Argument[] {
  if (parameter === undefined || !parameter.schema.accepts(value, 'request')) return [];
  return [{ parameter, source: { kind: 'value', value } }];
}

/** A parameter with a value that an earlier answer shows. */
export function sourced(parameter: Parameter, source: Source): Argument[] {
  return [{ parameter, source }];
}

/** More records than a page of a thousand would be a load and not a test. */
const widest = 1000;
const usual = 100;

/** The argument that asks for the longest page there may be; none where the list has no limit. */
export function widestPage({ shape: { limit } }: Listing): Argument[] {
  if (limit === undefined) return [];
  const longest = Math.min(limit.maximum ?? usual, widest);
  return valued(limit.parameter, longest);
}

/** The argument that asks for a page of so many records. */
export function pageOfSize({ shape: { limit } }: Listing, size: number): Argument[] {
  return valued(limit?.parameter, size);
}

/** `the list` where nothing else is asked: the title of the case on both sides of a comparison. */
export function wholeList(
  listing: Listing,
  title = 'the list is asked for its longest page',
): Case {
  return askList(listing, { title, query: widestPage(listing) });
}

/**
 * A filter that the records of some bodies keep, so that they are not hidden behind many others:
 * the one that fits the fewest records.
 */
export function narrowing({ resource, shape }: Listing, bodies: readonly JsonValue[]): Argument[] {
  const [first, ...others] = bodies;
  const usable = shape.filters.filter(({ field, member, any }) => {
    const value = isJsonObject(first) ? first[field] : undefined;
    return (
      member === undefined &&
      any === undefined &&
      value !== undefined &&
      others.every(
        (body) => isJsonObject(body) && body[field] !== undefined && equalJson(body[field], value),
      )
    );
  });
  const [best] = usable.toSorted((left, right) => breadth(left) - breadth(right));
  if (best === undefined || !isJsonObject(first)) return [];
  // What one create sent, the run may have marked: its answer shows it.
  if (others.length === 0)
    return sourced(best.parameter, { kind: 'field', resource: resource.name, field: best.field });
  return valued(best.parameter, first[best.field] ?? null);
}

function breadth({ parameter }: Filter): number {
  const { node, types } = parameter.schema.flatten();
  return types.includes('boolean') ? 2 : node.enum === undefined ? 0 : 1;
}

/** The order that shows new records first, where the contract lists a word for it. */
export function newestFirst({ resource, shape }: Listing): Argument[] {
  const { sort } = shape;
  const words = sort?.by.schema.flatten().node.enum ?? [];
  const falling = (isWanted: (field: string) => boolean): JsonValue | undefined =>
    words.find((candidate) => {
      const key =
        typeof candidate === 'string' && sort !== undefined
          ? readSortWord(sort, candidate)
          : undefined;
      return key?.descending === true && isWanted(key.field);
    });
  // Counted identifiers tell the newest better than moments, of which many may be the same.
  const counted =
    resource.identifier.type === 'integer'
      ? falling((field) => field === resource.identifier.field)
      : undefined;
  const word = counted ?? falling((field) => /^created/i.test(field));
  return sort === undefined || word === undefined ? [] : valued(sort.by, word);
}
