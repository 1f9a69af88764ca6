import { typeOf } from '../../json/json-type.ts';
import { equalJson } from '../../json/equal-json.ts';
import { joinPointer, type Pointer, isWithin } from '../../json/pointer.ts';
import { isJsonObject, type JsonObject, type JsonValue, stringifyJson } from '../../json/value.ts';
import { digest } from '../../platform.ts';
import type { FlatSchema, LocatedNode, SchemaNode, SchemaObject } from '../model.ts';
import { mapSubschemas, withoutUnusable } from './convert-schema.ts';

const allTypes = ['null', 'boolean', 'integer', 'number', 'string', 'array', 'object'] as const;

/** Finds the target of a `$ref`. */
type FindTarget = (reference: string, from: Pointer) => LocatedNode;

/**
 * Reads a schema as one plain view: `$ref`s resolved and `allOf` merged. If two parts set one
 * keyword, the narrower bound wins.
 */
export function flattenSchema(start: LocatedNode, findTarget: FindTarget): FlatSchema {
  const parts = collectParts(start, findTarget, new Set());
  const pointer = parts[0]?.pointer ?? start.pointer;
  const node = withChoices({ node: mergeParts(parts), pointer }, findTarget);
  return new FlatView(node, pointer, { parts, findTarget });
}

/** Most schemas have one part, and most views are only read for their types. */
function mergeParts([first, ...others]: readonly LocatedNode[]): SchemaObject {
  return others.reduce<SchemaObject>(
    (merged, part) => mergeNodes(merged, objectOf(part)),
    first === undefined ? {} : objectOf(first),
  );
}

interface Place {
  readonly node: SchemaObject;
  readonly pointer: Pointer;
}

/**
 * A node with what a choice says that only spells something plainer: an enumeration as one branch
 * for each value, or a scalar that may be null. Generators write both; the choice stays.
 */
function withChoices({ node, pointer }: Place, findTarget: FindTarget): SchemaObject {
  const branches = branchesOf({ node, pointer });
  if (branches.length === 0 || node.enum !== undefined || node.const !== undefined) return node;
  const read = branches.map((branch) => mergeParts(collectParts(branch, findTarget, new Set())));
  const known = read.filter((branch) => branch.type !== 'null');
  const isNullable = known.length < read.length;
  const listed = known.map(listedIn);
  if (listed.every((values) => values !== undefined))
    return { ...node, enum: [...new Set([...listed.flat(), ...(isNullable ? [null] : [])])] };
  const [only, ...others] = known;
  const types = only === undefined ? [] : [only.type ?? []].flat();
  const isScalar = types.length > 0 && types.every((type) => scalars.has(type));
  return isNullable && isScalar && others.length === 0
    ? { ...only, ...node, type: ['null', ...types] }
    : node;
}

const scalars: ReadonlySet<string> = new Set(['boolean', 'integer', 'number', 'string']);

function listedIn({ enum: values, const: only }: SchemaObject): readonly JsonValue[] | undefined {
  return values ?? (only === undefined ? undefined : [only]);
}

/** The branches of the choice in a schema; empty if it has none. */
function branchesOf({ node, pointer }: Place): LocatedNode[] {
  const keyword = Array.isArray(node.oneOf) ? 'oneOf' : 'anyOf';
  const branches = node[keyword];
  return Array.isArray(branches)
    ? branches.map((branch: SchemaNode, index) => ({
        node: branch,
        pointer: joinPointer(pointer, keyword, index),
      }))
    : [];
}

/**
 * A class, because a contract has thousands of views: an object literal with getters would need ten
 * times the memory.
 */
class FlatView implements FlatSchema {
  readonly node: SchemaObject;
  readonly pointer: Pointer;
  readonly types: readonly string[];
  readonly #parts: readonly LocatedNode[];
  readonly #findTarget: FindTarget;
  #properties: FlatSchema['properties'] | undefined;
  #required: FlatSchema['required'] | undefined;

  constructor(
    node: SchemaObject,
    pointer: Pointer,
    {
      parts,
      findTarget,
    }: { readonly parts: readonly LocatedNode[]; readonly findTarget: FindTarget },
  ) {
    this.node = node;
    this.pointer = pointer;
    this.types = typesOf({ node, pointer }, findTarget);
    this.#parts = parts;
    this.#findTarget = findTarget;
  }

  get places(): readonly Pointer[] {
    return this.#parts.map(({ pointer }) => pointer);
  }

  pointerOf(keyword: string): Pointer {
    const part = this.#parts.find((one) => Object.hasOwn(objectOf(one), keyword));
    return joinPointer(part?.pointer ?? this.pointer, keyword);
  }

  get properties(): FlatSchema['properties'] {
    return (this.#properties ??= this.#readProperties());
  }

  /** The members that are declared; of an open object, those of its example, all of one schema. */
  #readProperties(): Map<string, LocatedNode> {
    const declared = gatherProperties(this.#parts, this.#findTarget);
    const { example, examples, additionalProperties } = this.node;
    if (declared.size > 0 || !isJsonObject(additionalProperties ?? null)) return declared;
    const { others = this } = this;
    const shown: unknown = example ?? (Array.isArray(examples) ? examples[0] : undefined);
    return new Map(membersOf(shown).map(([name]) => [name, others]));
  }

  get items(): LocatedNode | undefined {
    return this.#part('items');
  }

  get others(): LocatedNode | undefined {
    return this.#part('additionalProperties');
  }

  get branches(): LocatedNode[] {
    return (['oneOf', 'anyOf'] as const).flatMap((keyword) =>
      (this.node[keyword] ?? []).map((node, index) => ({
        node,
        pointer: joinPointer(this.pointer, keyword, index),
      })),
    );
  }

  #part(keyword: 'items' | 'additionalProperties'): LocatedNode | undefined {
    const node = this.node[keyword];
    return node === undefined ? undefined : { node, pointer: joinPointer(this.pointer, keyword) };
  }

  get required(): FlatSchema['required'] {
    return (this.#required ??= new Set(
      this.#parts.flatMap((part) => namesOf(objectOf(part).required)),
    ));
  }
}

function gatherProperties(
  parts: readonly LocatedNode[],
  findTarget: FindTarget,
): Map<string, LocatedNode> {
  const properties = new Map<string, LocatedNode>();
  for (const part of parts) {
    const around = joinPointer(part.pointer, 'properties');
    const node = objectOf(part);
    const isView = Object.hasOwn(node, 'x-vouch-view');
    for (const [name, property] of membersOf(node.properties)) {
      const before = properties.get(name);
      if (before !== undefined && !refines(property, before.node)) continue;
      const pointer = joinPointer(around, name);
      // A view of a record refers to the places where the document declares its fields.
      const target =
        isView && typeof property === 'object' && property.$ref !== undefined
          ? findTarget(property.$ref, pointer)
          : { node: property, pointer };
      properties.set(name, target);
    }
  }
  return properties;
}

/**
 * The parts of a schema, those of `$ref` and `allOf` included; the one with the most keywords comes
 * first.
 */
function collectParts(
  start: LocatedNode,
  findTarget: FindTarget,
  seen: Set<Pointer>,
): LocatedNode[] {
  if (!isJsonObject(start.node) || seen.has(start.pointer)) return [];
  seen.add(start.pointer);
  if (start.node.$ref === undefined && start.node.allOf === undefined)
    return [{ node: start.node, pointer: start.pointer }];
  const { $ref, allOf, ...own } = start.node;
  const referred =
    typeof $ref === 'string' ? collectParts(findTarget($ref, start.pointer), findTarget, seen) : [];
  // A document may hold any value here; one that is not a list of schemas is ignored.
  const branches = Array.isArray(allOf) ? (allOf as readonly SchemaNode[]) : [];
  const merged = branches.flatMap((node, index) =>
    collectParts({ node, pointer: joinPointer(start.pointer, 'allOf', index) }, findTarget, seen),
  );
  const says = Object.keys(own).length > 0 || (referred.length === 0 && merged.length === 0);
  const self: LocatedNode[] =
    says || allOf !== undefined ? [{ node: own, pointer: start.pointer }] : [];
  return [...self, ...referred, ...merged];
}

/** Whether a part says the same of a property as one before, and more: its default. */
function refines(later: SchemaNode, earlier: SchemaNode): boolean {
  if (typeof later !== 'object' || typeof earlier !== 'object') return false;
  const said = Object.entries(earlier);
  const isSame = ([keyword, value]: [string, unknown]): boolean =>
    equalJson(value as JsonValue, (later as JsonObject)[keyword] ?? null);
  return said.length < Object.keys(later).length && said.every(isSame);
}

function membersOf(properties: unknown): [name: string, node: SchemaNode][] {
  return isJsonObject(properties) ? (Object.entries(properties) as [string, SchemaNode][]) : [];
}

function namesOf(required: unknown): string[] {
  return Array.isArray(required) ? required.map(String) : [];
}

function objectOf(part: LocatedNode): SchemaObject {
  return isJsonObject(part.node) ? withoutUnusable(part.node) : {};
}

type Merge = (left: never, right: never) => unknown;

const larger: Merge = (left: number, right: number) => (left > right ? left : right);

const smaller: Merge = (left: number, right: number) => (left < right ? left : right);

const merges: ReadonlyMap<string, Merge> = new Map(
  Object.entries<Merge>({
    minimum: larger,
    exclusiveMinimum: larger,
    minLength: larger,
    minItems: larger,
    minProperties: larger,
    maximum: smaller,
    exclusiveMaximum: smaller,
    maxLength: smaller,
    maxItems: smaller,
    maxProperties: smaller,
    uniqueItems: (left: boolean, right: boolean) => left || right,
    readOnly: (left: boolean, right: boolean) => left || right,
    writeOnly: (left: boolean, right: boolean) => left || right,
    required: (left: string[], right: string[]) => [...new Set([...left, ...right])],
    properties: (left: object, right: object) => ({ ...right, ...left }),
    patternProperties: (left: object, right: object) => ({ ...right, ...left }),
    enum: (left: unknown[], right: unknown[]) => left.filter((value) => right.includes(value)),
    type: (left: string | string[], right: string | string[]) =>
      intersectTypes([left].flat(), [right].flat()),
    additionalProperties: (left: unknown, right: unknown) =>
      left === false || right === false ? false : left,
  }),
);

function mergeNodes(left: SchemaObject, right: SchemaObject): SchemaObject {
  const merged: Record<string, unknown> = { ...left };
  for (const [keyword, value] of Object.entries(right)) {
    if (value === undefined) continue;
    const known = merged[keyword];
    // Each merge declares the type of its own keyword, which the table as a whole cannot.
    merged[keyword] =
      known === undefined
        ? value
        : (merges.get(keyword)?.(known as never, value as never) ?? known);
  }
  return merged;
}

function intersectTypes(left: readonly string[], right: readonly string[]): string[] {
  const both = left.filter(
    (type) => right.includes(type) || (type === 'integer' && right.includes('number')),
  );
  return both.concat(
    right.filter(
      (type) => type === 'integer' && left.includes('number') && !both.includes('integer'),
    ),
  );
}

/** Choices within choices are read no deeper than this: one may refer to itself. */
const maxChoices = 4;

function typesOf({ node, pointer }: Place, findTarget: FindTarget, depth = 0): readonly string[] {
  if (node.type !== undefined) return [node.type].flat();
  if (node.properties !== undefined) return ['object'];
  if (node.items !== undefined) return ['array'];
  const values = listedIn(node);
  if (values !== undefined) return [...new Set(values.map(typeOf))];
  const branches = branchesOf({ node, pointer });
  if (branches.length === 0 || depth === maxChoices) return allTypes;
  const types = branches.flatMap((branch) => {
    const [first, ...others] = collectParts(branch, findTarget, new Set());
    // What several parts say together is seldom a choice of types.
    if (first === undefined || others.length > 0) return allTypes;
    return typesOf({ node: objectOf(first), pointer: first.pointer }, findTarget, depth + 1);
  });
  return allTypes.filter((type) => types.includes(type));
}

/** The content of a schema, independent of its place. */
export interface SchemaShape {
  /** Equal for two schemas that validate alike, and whose references have equal targets. */
  readonly hash: string;
  /**
   * The pointers of the schema and of its referenced schemas, in an order that equal schemas share.
   */
  readonly places: readonly Pointer[];
}

/** Keywords that do not affect validation: a member with a default may be absent. */
const annotations = 'title description example examples deprecated externalDocs xml $comment'.split(
  ' ',
);

/** A larger schema is probably unique, and reading all of it takes time. */
const maxPlaces = 24;

const maxTextLength = 16_384;

/**
 * The keywords that make no difference between two schemas, and those that make a schema unique.
 */
export interface ShapeWords {
  readonly passedOver: readonly string[];
  readonly unlike: readonly string[];
}

/**
 * The shape of a schema by the keywords that validation uses, unless specified otherwise; undefined
 * for a large schema, and if a reference does not resolve.
 */
export function shapeOf(
  start: LocatedNode,
  findTarget: FindTarget,
  { passedOver, unlike }: ShapeWords = { passedOver: annotations, unlike: [] },
): SchemaShape | undefined {
  const places: LocatedNode[] = [start];
  const texts: string[] = [];
  let length = 0;
  const refer = (reference: string, from: Pointer): string => {
    const target = findTarget(reference, from);
    const known = places.findIndex(({ pointer }) => pointer === target.pointer);
    return `#${String(known === -1 ? places.push(target) - 1 : known)}`;
  };
  try {
    for (let index = 0; index < places.length; index += 1) {
      const place = places[index];
      if (place === undefined || places.length > maxPlaces || length > maxTextLength)
        return undefined;
      const reading = { passedOver, refer: (reference: string) => refer(reference, place.pointer) };
      const nesting = nestingOf(place.pointer, places.slice(0, index));
      const text = `${nesting} ${stringifyJson(plain(place.node, reading))}`;
      if (unlike.some((word) => text.includes(`"${word}":`))) return undefined;
      texts.push(text);
      length += text.length;
    }
  } catch {
    return undefined;
  }
  return { hash: digest(texts.join('\n')), places: places.map(({ pointer }) => pointer) };
}

/**
 * Translates a pointer into one schema to the same place in another of the same shape. If places
 * are nested, the innermost counts.
 */
export function movePointer(
  pointer: Pointer,
  from: readonly Pointer[],
  to: readonly Pointer[],
): Pointer {
  let found: number | undefined;
  for (let index = 0; index < from.length; index += 1) {
    const place = from[index] ?? '';
    if (isWithin(pointer, place) && place.length >= (from[found ?? -1]?.length ?? 0)) found = index;
  }
  return found === undefined ? pointer : (to[found] ?? '') + pointer.slice(from[found]?.length);
}

/**
 * A reference to an enclosing schema, or into another reference's target, must have the same target
 * there.
 */
function nestingOf(pointer: Pointer, others: readonly LocatedNode[]): string {
  const related = others.flatMap((other, index) => {
    if (isWithin(pointer, other.pointer))
      return [`in ${String(index)} ${pointer.slice(other.pointer.length)}`];
    return isWithin(other.pointer, pointer)
      ? [`around ${String(index)} ${other.pointer.slice(pointer.length)}`]
      : [];
  });
  return related.join(', ');
}

interface Reading {
  readonly passedOver: readonly string[];
  readonly refer: (reference: string) => string;
}

function plain(node: SchemaNode, reading: Reading): JsonValue {
  // The nodes of a schema come from the document, so they are JSON.
  if (!isJsonObject(node)) return node as JsonValue;
  const { $ref, ...own } = mapSubschemas(node, (child) =>
    plain(child as SchemaNode, reading),
  ) as JsonObject;
  for (const name of reading.passedOver) delete (own as Record<string, JsonValue>)[name];
  return typeof $ref === 'string' ? { ...own, $ref: reading.refer($ref) } : own;
}
