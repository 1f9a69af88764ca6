import { joinPointer, type Pointer } from '../../json/pointer.ts';
import type { Contract, Operation, Parameter, Schema } from '../model.ts';
import { namesNextPage, pageMembersIn } from '../protocols/pages.ts';
import { factIn, textsAround } from '../words/facts.ts';
import { successSchema } from './conventions/envelope-styles.ts';
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
  readonly size: Parameter;
  readonly token: Parameter;
  /** Whether a page names a next one exactly while there are more items. */
  readonly isExact: boolean;
}

const known = new WeakMap<Operation, OpenList | 'none'>();

/** The list that an operation shows which belongs to no resource; undefined if it shows none. */
export function openListOf(contract: Contract, operation: Operation): OpenList | undefined {
  const before = known.get(operation);
  if (before !== undefined) return before === 'none' ? undefined : before;
  const found = readOpenList(contract, operation);
  known.set(operation, found ?? 'none');
  return found;
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
  return { operation, items: at, item, next, size: limit.parameter, token, isExact };
}

interface ListMember {
  readonly at: Pointer;
  readonly item?: Schema | undefined;
}

function listsIn(schema: Schema): ListMember[] {
  return [...schema.flatten().properties].flatMap(([name, place]) => {
    const flat = schema.flatten(place.node, place.pointer);
    const { items } = flat.node;
    if (!isList(flat)) return [];
    const at = joinPointer('', name);
    if (items === undefined) return [{ at }];
    const pointer = joinPointer(flat.pointer, 'items');
    return [{ at, item: schema.part(schema.follow(items, pointer)) }];
  });
}
