import type { Filter, ListShape, Operation, Parameter, Resource } from '../../contract/model.ts';
import { equalJson } from '../../json/equal-json.ts';
import type { Pointer } from '../../json/pointer.ts';
import { isJsonObject, type JsonValue, memberOf } from '../../json/value.ts';
import { recordFields } from '../../contract/infer/record-fields.ts';
import { namesCreation } from '../../contract/words/names.ts';
import { readSortWord } from '../reading/sort-order.ts';
import { type Case, hash, type Intent } from '../model/case.ts';
import type { Argument, Source } from '../model/request-template.ts';
import { type Draft, requestOf } from './draft.ts';
import { draftCase, draftOf, plainIntent, type PlanContext } from './plan-context.ts';
import { isKeyParameter } from '../../contract/protocols/chosen-name.ts';

/** A list that gets requests: its plain request, and what its parameters mean. */
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

/** A request of a list. `at` is the place that is tested; default: the operation itself. */
export interface ListRequest {
  readonly title: string;
  readonly query: readonly Argument[];
  readonly at?: Pointer | undefined;
  /** Default: `plain`. */
  readonly rigour?: 'plain' | 'invented' | 'exotic' | undefined;
}

/** A case that requests a list, with its plain request as the control. */
export function askList(
  { draft }: Pick<Listing, 'draft'>,
  { title, query, at, rigour }: ListRequest,
): Case {
  const { operation, invented } = draft;
  const intent: Intent =
    at === undefined && rigour === undefined
      ? plainIntent(draft)
      : {
          kind: 'valid',
          rigour: rigour ?? (invented ? 'invented' : 'plain'),
          at: at ?? operation.pointer,
        };
  return draftCase(draft, {
    title,
    record: 'known',
    extra: query,
    intent,
    control: requestOf(draft, 'known'),
  });
}

/** A parameter with a known value; none if the contract does not allow it. */
export function valued(parameter: Parameter | undefined, value: JsonValue): Argument[] {
  if (parameter === undefined || !parameter.schema.accepts(value, 'request')) return [];
  return [{ parameter, source: { kind: 'value', value } }];
}

/** A parameter with a value from an earlier response. */
export function sourced(parameter: Parameter, source: Source): Argument[] {
  return [{ parameter, source }];
}

/** A parameter with the value that leads to the page after the last one; `altered`: another token. */
export function nextPage(
  { resource }: Pick<Listing, 'resource'>,
  parameter: Parameter,
  more: { readonly altered?: true } = {},
): Argument[] {
  const source = { kind: 'next', resource: resource.name, parameter: parameter.name } as const;
  return sourced(parameter, { ...source, ...more });
}

/** A longer page would be a load test. */
const maxRecords = 1000;
/** What is requested if the contract states no maximum. */
const usualRecords = 100;

/** The argument for the longest page; none if the list has no limit. */
export function widestPage({ shape: { limit } }: { shape: Pick<ListShape, 'limit'> }): Argument[] {
  if (limit === undefined) return [];
  return valued(limit.parameter, Math.min(limit.maximum ?? usualRecords, maxRecords));
}

/** The argument for a page of this many records. */
export function pageOfSize({ shape: { limit } }: Listing, size: number): Argument[] {
  return valued(limit?.parameter, size);
}

/** The longest page of the unfiltered list. */
export function wholeList(
  listing: Listing,
  title = 'the list is asked for its longest page',
): Case {
  return askList(listing, { title, query: widestPage(listing) });
}

/**
 * A filter that matches the records made of some bodies, so that other records do not hide them:
 * the one that matches the fewest records, for one record that of its identifier.
 */
export function narrowing({ resource, shape }: Listing, bodies: readonly JsonValue[]): Argument[] {
  const [first, ...others] = bodies;
  const isNamed = ({ field }: Filter): boolean =>
    others.length === 0 && field === resource.identifier.field;
  const usable = shape.filters.filter((filter) => {
    const { field, member, any } = filter;
    const value = memberOf(first, field);
    return (
      member === undefined &&
      any === undefined &&
      (value !== undefined || isNamed(filter)) &&
      others.every(
        (body) =>
          isJsonObject(body) && value !== undefined && equalJson(body[field] ?? null, value),
      )
    );
  });
  const width = (filter: Filter): number => (isNamed(filter) ? -1 : breadth(filter));
  const [best] = usable.toSorted((left, right) => width(left) - width(right));
  if (best === undefined || !isJsonObject(first)) return [];
  // The run may have marked what one create sent: the response shows it.
  if (others.length === 0)
    return sourced(best.parameter, { kind: 'field', resource: resource.name, field: best.field });
  return valued(best.parameter, first[best.field] ?? null);
}

/** How many records a filter matches: free texts the fewest, booleans the most. */
function breadth({ parameter }: Filter): number {
  const { node, types } = parameter.schema.flatten();
  if (types.includes('boolean')) return 2;
  return node.enum === undefined ? 0 : 1;
}

/** The order that shows new records first: a word of the contract, or of the list's language. */
export function newestFirst({ resource, shape }: Listing): Argument[] {
  const { sort } = shape;
  if (sort === undefined) return [];
  const made = recordFields(resource.record).find(
    ({ plain, many }) => !many && namesCreation(plain),
  );
  const written = made && sort.language?.write([{ field: made.name, descending: true }]);
  if (written !== undefined) return valued(sort.by, written);
  const words = sort.by.schema.flatten().node.enum ?? [];
  const descending = (isWanted: (field: string) => boolean): JsonValue | undefined =>
    words.find((candidate) => {
      const key = typeof candidate === 'string' ? readSortWord(sort, candidate) : undefined;
      return key?.descending === true && isWanted(key.field);
    });
  // Integer identifiers order new records better than timestamps, which may be equal.
  const { type, field: identifier } = resource.identifier;
  const byIdentifier = type === 'integer' ? descending((field) => field === identifier) : undefined;
  const word = byIdentifier ?? descending((field) => /^created/i.test(field));
  return word === undefined ? [] : valued(sort.by, word);
}

/** As many pages as a record is looked for on. */
const maxPages = 10;

/**
 * The pages after the first one, where responses name the next: `what` is in their titles. A page
 * that the one before does not name is passed over.
 */
export function furtherPages(listing: Listing, query: readonly Argument[], what: string): Case[] {
  const { paging, links } = listing.shape;
  const way = paging.find(({ kind }) => kind === 'cursor') ?? (links ? paging[0] : undefined);
  if (way === undefined) return [];
  const { parameter } = way;
  const next = nextPage(listing, parameter);
  return Array.from({ length: maxPages - 1 }, (_page, index) => ({
    ...askList(listing, {
      title: `${what} on page ${String(index + 2)}`,
      query: [...query, ...next],
      at: parameter.pointer,
    }),
    optional: true,
  }));
}

/** The parameter with which a create names the new record: `depot_id` (AIP-133). */
export function keyParameter(resource: Resource, { parameters }: Operation): Parameter | undefined {
  return parameters.find((parameter) => isKeyParameter(resource, parameter));
}

/** A name of the run for the record that a create makes; none where the create takes none. */
export function chosenKey(
  { runId }: PlanContext,
  resource: Resource,
  { operation }: Pick<Draft, 'operation'>,
  label: string,
): readonly Argument[] {
  const key = keyParameter(resource, operation);
  const value = `${runId}-${hash(`${operation.id} ${label}`).slice(0, 6)}`;
  return key?.schema.accepts(value, 'request') === true ? valued(key, value) : [];
}
