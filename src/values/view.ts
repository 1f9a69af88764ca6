import type { LocatedNode, Schema, SchemaNode, SchemaObject } from '../contract/model.ts';
import { joinPointer, type Pointer } from '../json/pointer.ts';
import { jsonTypes, type JsonType } from './json-type.ts';

/** Schemas that one and the same value must keep, all of them. */
export type Rules = readonly LocatedNode[];

/** One schema object that applies to a value, and where it stands in the contract. */
export interface Facet {
  readonly node: SchemaObject;
  readonly pointer: Pointer;
}

/** A choice that a schema leaves open: `oneOf`, `anyOf`, or the two ways of an `if`. */
export interface BranchGroup {
  readonly keyword: 'oneOf' | 'anyOf' | 'if';
  readonly pointer: Pointer;
  readonly branches: readonly Rules[];
}

/**
 * What a schema asks of one value: every object that applies (`$ref` and `allOf` followed, branches left open), each with
 * its place, so that a keyword is found where it is written. `Schema.flatten` merges the same, but forgets these places.
 */
export interface View {
  readonly rules: Rules;
  readonly facets: readonly Facet[];
  /** The types that are left, in the order in which a value is best made. */
  readonly types: readonly JsonType[];
  readonly groups: readonly BranchGroup[];
  /** Where a schema `false` stands: no value keeps it. */
  readonly never: Pointer | undefined;
  /** Which branch was taken, by the pointer of its group. Empty until `resolveViews` has chosen. */
  readonly taken: ReadonlyMap<Pointer, number>;
}

/** Reads the schemas of one value as a view. */
export function viewOf(schema: Schema, rules: Rules): View {
  const facets: Facet[] = [];
  const seen = new Set<Pointer>();
  const queue: LocatedNode[] = [...rules];
  let never: Pointer | undefined;
  for (const { node, pointer } of queue) {
    if (node === false) never ??= pointer;
    if (typeof node === 'boolean' || seen.has(pointer)) continue;
    seen.add(pointer);
    facets.push({ node, pointer });
    if (typeof node.$ref === 'string') queue.push(schema.follow({ $ref: node.$ref }, pointer));
    (node.allOf ?? []).forEach((part, index) => queue.push({ node: part, pointer: joinPointer(pointer, 'allOf', index) }));
  }
  return { rules, facets, types: typesOf(facets), groups: facets.flatMap(groupsOf), never, taken: new Map() };
}

function typesOf(facets: readonly Facet[]): JsonType[] {
  let types: readonly JsonType[] = jsonTypes;
  for (const { node } of facets) {
    if (node.type === undefined) continue;
    const named: readonly string[] = [node.type].flat();
    types = types.filter((type) => named.includes(type) || (type === 'integer' && named.includes('number')));
  }
  // Whatever may be a number may be an integer too; it is one only where the contract asks for one.
  return types.filter((type) => type !== 'integer' || !types.includes('number'));
}

function groupsOf({ node, pointer }: Facet): BranchGroup[] {
  const groups: BranchGroup[] = [];
  for (const keyword of ['oneOf', 'anyOf'] as const) {
    const branches = node[keyword];
    if (!Array.isArray(branches) || branches.length === 0) continue;
    const place = joinPointer(pointer, keyword);
    groups.push({ keyword, pointer: place, branches: branches.map((branch: SchemaNode, index) => [{ node: branch, pointer: joinPointer(place, index) }]) });
  }
  return node['if'] === undefined ? groups : [...groups, conditionOf(node, pointer)];
}

function conditionOf(node: SchemaObject, pointer: Pointer): BranchGroup {
  const at = (keyword: string): Rules => {
    const part = node[keyword];
    // `if`, `then` and `else` hold schemas (JSON Schema 2020-12, section 10.2.2), which the model's index signature does not say.
    return part === undefined ? [] : [{ node: part as SchemaNode, pointer: joinPointer(pointer, keyword) }];
  };
  return { keyword: 'if', pointer: joinPointer(pointer, 'if'), branches: [[...at('if'), ...at('then')], at('else')] };
}
