import type { Schema, LocatedNode } from '../../contract/model.ts';
import { selectMediaType, selectResponse } from '../../contract/select-response.ts';
import { type Pointer, joinPointer } from '../../json/pointer.ts';
import {
  type JsonArray,
  type JsonObject,
  type JsonValue,
  isJsonArray,
  isJsonObject,
} from '../../json/value.ts';
import { isDescribed } from './refusal.ts';
import type { Answer, Step } from '../model/step.ts';
import { isLargeAnswer } from './read-answer.ts';
import { Recent } from './recent.ts';
import { wordsIn } from '../../words-in.ts';
import { Derived } from '../../contract/lazy.ts';

/** An object of a response that has members which its schema does not declare. */
export interface UndocumentedFields {
  /** The schema of the object. */
  readonly pointer: Pointer;
  readonly fields: readonly (readonly [name: string, value: JsonValue])[];
}

/**
 * Every object in a response whose schema declares members and does not restrict others, with its
 * undeclared members.
 */
export function readFields(step: Step): readonly UndocumentedFields[] {
  const { answer } = step;
  const before = known.get(answer);
  if (before !== undefined) return before;
  const schema = schemaOf(step);
  if (schema === undefined || answer.kind !== 'json') return [];
  const found: UndocumentedFields[] = [];
  walk(answer.value, schema.derive(nameWhole), { found, depth: 0 });
  return known.set(answer, found);
}

// Two callers read the same response, one soon after the other. A response belongs to one step.
const known = new Recent<Answer, readonly UndocumentedFields[]>(isLargeAnswer);

/**
 * Problem details may have extension members (RFC 9457, section 3.2), and no contract describes
 * responses to undeclared methods.
 */
function schemaOf(step: Step): Schema | undefined {
  const { answer } = step;
  const { operation } = step.case;
  const { response } = step.exchange;
  if (
    response === undefined ||
    answer.kind !== 'json' ||
    !isDescribed(step) ||
    /^application\/problem\+json/i.test(answer.mediaType)
  )
    return undefined;
  return selectMediaType(
    selectResponse(operation, response.status)?.content ?? [],
    answer.mediaType,
  )?.schema;
}

/** The depth of a walk through a response, and what it found. */
interface Walk {
  readonly found: UndocumentedFields[];
  depth: number;
}

const deepest = 12;
const maxItems = 100;
const none: UndocumentedFields['fields'] = [];

function walk(value: JsonValue, naming: Naming | undefined, course: Walk): void {
  if (naming === undefined || course.depth > deepest) return;
  course.depth += 1;
  if (isJsonArray(value)) walkItems(value, naming.items(), course);
  else if (isJsonObject(value)) walkObject(value, naming, course);
  course.depth -= 1;
}

function walkItems(value: JsonArray, items: Naming | undefined, course: Walk): void {
  const count = Math.min(value.length, maxItems);
  for (let index = 0; index < count; index += 1) walk(value[index] ?? null, items, course);
}

/** Called for every object of every response: without undeclared members, nothing is allocated. */
function walkObject(value: JsonObject, naming: Naming, course: Walk): void {
  let unnamed: [name: string, value: JsonValue][] | undefined;
  for (const name in value) {
    const member = value[name] ?? null;
    if (!naming.names(name)) {
      if (naming.isClosed) (unnamed ??= []).push([name, member]);
    } else if (typeof member === 'object' && member !== null)
      walk(member, naming.member(name), course);
  }
  if (naming.isClosed)
    course.found.push(
      unnamed === undefined
        ? naming.derive(withoutFields)
        : { pointer: naming.pointer, fields: unnamed },
    );
}

function withoutFields({ pointer }: Naming): UndocumentedFields {
  return { pointer, fields: none };
}

/**
 * The schemas that may describe a value, combined: every object of every response is compared with
 * one of these.
 */
class Naming {
  readonly places: readonly LocatedNode[];
  /** Whether they declare members and leave open whether there are others. */
  readonly isClosed: boolean;
  readonly #schema: Schema;
  readonly #named = new Map<string, readonly LocatedNode[]>();
  readonly #members = new Map<string, Naming>();
  readonly #derived = new Derived<Naming>();
  #items: Naming | undefined;

  constructor(schema: Schema, places: readonly LocatedNode[]) {
    const shapes = places.map((place) => objectShape(schema, place));
    this.#schema = schema;
    this.places = places;
    this.isClosed =
      shapes.every(({ open }) => !open) && shapes.some(({ members }) => members.size > 0);
    for (const { members } of shapes)
      for (const [name, named] of members)
        this.#named.set(name, [...(this.#named.get(name) ?? []), ...named]);
  }

  /** Memoises a function of this naming. */
  derive<Made>(read: (naming: Naming) => Made): Made {
    return this.#derived.of(this, read);
  }

  /** The place of the first schema, with its references resolved. */
  get pointer(): Pointer {
    const [first] = this.places;
    return this.#schema.flatten(first).pointer;
  }

  /** Whether one of them declares a member. */
  names(member: string): boolean {
    return this.#named.has(member);
  }

  /** The same for the value of a member; undefined if none of them declares it. */
  member(name: string): Naming | undefined {
    let member = this.#members.get(name);
    if (
      member === undefined &&
      (member = namingAt(this.#schema, this.#named.get(name) ?? [])) !== undefined
    )
      this.#members.set(name, member);
    return member;
  }

  /** The same for the items of an array; undefined if none of them describes items. */
  items(): Naming | undefined {
    return (this.#items ??= namingAt(
      this.#schema,
      this.places.flatMap((place) => objectShape(this.#schema, place).items),
    ));
  }
}

function nameWhole(schema: Schema): Naming {
  return new Naming(schema, [schema]);
}

/**
 * The combined members of schemas at several places of one contract, computed once; undefined
 * without places.
 */
function namingAt(schema: Schema, named: readonly LocatedNode[]): Naming | undefined {
  const places = distinct(schema, named);
  const [first] = places;
  if (first === undefined) return undefined;
  const alike = schema.part(first).derive(newNamings);
  let naming = alike.find(
    (other) =>
      other.places.length === places.length &&
      other.places.every(
        ({ node, pointer }, index) =>
          node === places[index]?.node && pointer === places[index]?.pointer,
      ),
  );
  if (naming === undefined) alike.push((naming = new Naming(schema, places)));
  return naming;
}

/**
 * Alternatives often refer to one schema: without this, a recursive schema has exponentially many.
 */
function distinct(schema: Schema, places: readonly LocatedNode[]): readonly LocatedNode[] {
  if (places.length < 2) return places;
  const byPointer = new Map<Pointer, LocatedNode>();
  for (const place of places) {
    const { pointer } = schema.flatten(place);
    if (!byPointer.has(pointer)) byPointer.set(pointer, place);
  }
  return [...byPointer.values()];
}

/**
 * The combined members that begin with one schema, which holds them. A schema may refer to itself,
 * so the places of its members are unlimited; the number of schemas is not.
 */
const newNamings = (): Naming[] => [];

/** What a schema declares in any of its alternatives: all members, and the items of an array. */
interface ObjectShape {
  readonly members: ReadonlyMap<string, readonly LocatedNode[]>;
  readonly items: readonly LocatedNode[];
  /** Whether it describes undeclared members: allows them, gives them a schema, or forbids them. */
  readonly open: boolean;
}

interface Gathering {
  readonly schema: Schema;
  readonly members: Map<string, LocatedNode[]>;
  readonly items: LocatedNode[];
  readonly seen: Set<Pointer>;
  open: boolean;
}

/**
 * Collects what a schema declares through `$ref`, `allOf`, `oneOf`, `anyOf`, `if` and the like
 * (JSON Schema 2020-12, section 10).
 */
function objectShape(schema: Schema, place: LocatedNode): ObjectShape {
  if (!isJsonObject(place.node)) return { members: new Map(), items: [], open: true };
  return schema.part(place).derive(readShape);
}

function readShape(schema: Schema): ObjectShape {
  const gathering: Gathering = {
    schema,
    members: new Map(),
    items: [],
    seen: new Set(),
    open: false,
  };
  gather(gathering, schema);
  const { members, items, open } = gathering;
  return { members, items, open };
}

/** The keywords whose subschemas declare members of the same object. */
const alternatives = ['allOf', 'oneOf', 'anyOf'] as const;
const conditions = ['if', 'then', 'else'] as const;

function gather(gathering: Gathering, { node, pointer }: LocatedNode): void {
  if (!isJsonObject(node) || gathering.seen.has(pointer)) return;
  gathering.seen.add(pointer);
  const child = (...tokens: (string | number)[]): Pointer => joinPointer(pointer, ...tokens);
  if (node['$ref'] !== undefined) gather(gathering, gathering.schema.follow({ node, pointer }));
  for (const keyword of alternatives)
    each(node[keyword], (part, index) =>
      gather(gathering, { node: part, pointer: child(keyword, index) }),
    );
  for (const keyword of conditions)
    if (isJsonObject(node[keyword]))
      gather(gathering, { node: node[keyword], pointer: child(keyword) });
  eachMember(node['dependentSchemas'], (part, name) =>
    gather(gathering, { node: part, pointer: child('dependentSchemas', name) }),
  );
  eachMember(node['properties'], (part, name) =>
    gathering.members.set(name, [
      ...(gathering.members.get(name) ?? []),
      { node: part, pointer: child('properties', name) },
    ]),
  );
  if (isJsonObject(node['items']))
    gathering.items.push({ node: node['items'], pointer: child('items') });
  each(node['prefixItems'], (part, index) =>
    gathering.items.push({ node: part, pointer: child('prefixItems', index) }),
  );
  // The schemas of a discriminator may be anywhere in the contract.
  gathering.open ||= wordsIn(
    'additionalProperties patternProperties unevaluatedProperties discriminator',
    'propertyNames',
  ).some((keyword) => node[keyword] !== undefined);
}

function each(parts: unknown, take: (part: LocatedNode['node'], index: number) => void): void {
  if (isJsonArray(parts)) parts.forEach((part, index) => isJsonObject(part) && take(part, index));
}

function eachMember(parts: unknown, take: (part: LocatedNode['node'], name: string) => void): void {
  if (!isJsonObject(parts)) return;
  for (const [name, part] of Object.entries(parts))
    if (isJsonObject(part) || part === true) take(part, name);
}
