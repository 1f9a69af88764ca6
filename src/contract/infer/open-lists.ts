import { joinPointer, type Pointer } from '../../json/pointer.ts';
import { remember } from '../../remember.ts';
import type { Contract, Limit, ListShape, Operation, Parameter, Schema } from '../model.ts';
import { namesNextPage, pageMembersIn, zeroIsDefaultFor } from '../protocols/pages.ts';
import { factIn, textsAround } from '../words/facts.ts';
import { successSchema } from './conventions/envelope-styles.ts';
import { documentsLinks } from './infer-list.ts';
import { inferListParameters } from './infer-list-parameters.ts';
import { isList } from './record-fields.ts';

/**
 * A list that is no resource: names without records, or a part of one record. It has pages, and a
 * token leads from each to the next.
 */
export interface OpenList {
  readonly operation: Operation;
  /** Where its items are, and the token of the next page. */
  readonly items: Pointer;
  readonly item?: Schema | undefined;
  readonly next: Pointer;
  readonly limit: Limit;
  readonly token: Parameter;
  /** Whether a page names a next one exactly while there are more items. */
  readonly isExact: boolean;
}

const known = new WeakMap<Operation, OpenList | undefined>();

/** The list that an operation shows which belongs to no resource; undefined if it shows none. */
export function openListOf(contract: Contract, operation: Operation): OpenList | undefined {
  return remember(known, operation, () => readOpenList(contract, operation));
}

function readOpenList(contract: Contract, operation: Operation): OpenList | undefined {
  const schema = operation.method === 'GET' ? successSchema(operation) : undefined;
  if (schema === undefined || contract.inference.placementOf(operation) !== undefined)
    return undefined;
  const [items, ...others] = listsIn(schema);
  const next = pageMembersIn(schema).find(({ name }) => namesNextPage(name))?.at;
  const { limit, paging } = inferListParameters(operation, schema);
  const token = paging.find(({ kind }) => kind === 'cursor')?.parameter;
  if (items === undefined || others.length > 0 || next === undefined) return undefined;
  if (limit === undefined || token === undefined) return undefined;
  const isExact = factIn(textsAround(contract, operation), 'next-until-end') !== undefined;
  const { at, item } = items;
  return { operation, items: at, item, next, limit, token, isExact };
}

/** A list that is no resource as a service pages it. */
export interface PagedItems {
  /** The schema of the list, and the place and parameters of its pages. */
  readonly list: Schema;
  readonly shape: Pick<ListShape, 'records' | 'limit' | 'paging' | 'links'>;
  /** Whether a page size of 0 is the default size (AIP-158). */
  readonly isZeroDefault: boolean;
}

const pagedIn = new WeakMap<Schema, PagedItems | undefined>();

/**
 * The only list in the response of an operation that belongs to no resource, if its parameters ask
 * for a part of it: a bare array, or a member of an envelope. Undefined without one.
 */
export function pagedItemsOf(operation: Operation, schema: Schema): PagedItems | undefined {
  return remember(pagedIn, schema, () => readPagedItems(operation, schema));
}

function readPagedItems(operation: Operation, schema: Schema): PagedItems | undefined {
  const lists = isList(schema.flatten()) ? [{ at: '', list: schema }] : listsBelow(schema);
  const [found, ...others] = lists;
  if (operation.method !== 'GET' || found === undefined || others.length > 0) return undefined;
  const { limit, paging } = inferListParameters(operation, schema);
  if (limit === undefined && paging.length === 0) return undefined;
  const next = pageMembersIn(schema).find(({ name }) => namesNextPage(name))?.name;
  return {
    list: found.list,
    shape: { records: found.at, limit, paging, links: documentsLinks(operation) },
    isZeroDefault: zeroIsDefaultFor(operation, next),
  };
}

interface PlacedList {
  readonly at: Pointer;
  readonly list: Schema;
}

/** An envelope may have another one around it: `{ data: { names: […] } }`. */
const deepest = 2;

/** The lists of an object, or those of the objects in it. */
function listsBelow(schema: Schema, above = '', depth = 1): PlacedList[] {
  const members = [...schema.flatten().properties].map(([name, place]) => ({
    at: joinPointer(above, name),
    list: schema.part(schema.follow(place)),
  }));
  const own = members.filter(({ list }) => isList(list.flatten()));
  if (own.length > 0 || depth === deepest) return own;
  return members.flatMap(({ at, list }) => listsBelow(list, at, depth + 1));
}

function listsIn(schema: Schema): { readonly at: Pointer; readonly item?: Schema | undefined }[] {
  return [...schema.flatten().properties].flatMap(([name, place]) => {
    const flat = schema.flatten(place);
    if (!isList(flat)) return [];
    const at = joinPointer('', name);
    return [flat.items ? { at, item: schema.part(schema.follow(flat.items)) } : { at }];
  });
}
