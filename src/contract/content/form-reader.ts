import { quoteExcerpt } from '../../json/json-problem.ts';
import { parseJson } from '../../json/parse-json.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../../json/value.ts';
import { remember } from '../../remember.ts';
import type { Schema } from '../model.ts';
import { expectedValue, type ExpectedValue, readScalar } from '../parameter/expected-value.ts';

/**
 * A parsed form, or why it cannot be read: a sentence, or a clause whose subject is the invalid
 * field.
 */
export type FormResult =
  | { readonly ok: true; readonly value: JsonObject }
  | { readonly ok: false; readonly message: string; readonly member?: undefined }
  | { readonly ok: false; readonly message: string; readonly member: string };

/** The most fields of a form that are read. */
export const maxFields = 10_000;

/** Gathers the fields of a form and builds the object that its schema expects. */
export class FormReader {
  readonly #schema: Schema | undefined;
  readonly #expected: ExpectedValue | undefined;
  readonly #tree = makeTree();
  readonly #ready = new Map<string, JsonValue>();
  #failure: Extract<FormResult, { readonly ok: false }> | undefined;

  constructor(schema: Schema | undefined) {
    this.#schema = schema;
    this.#expected = schema && expectedValue(schema);
  }

  /** Adds one field; remembers the first that cannot be read. */
  add(name: string, reading: LeafReading): void {
    const steps = this.#stepsOf(name);
    if (steps === undefined) this.#fail(name, 'has unbalanced or too many brackets');
    else if (steps.includes('__proto__')) this.#fail(name, 'has a name that is not allowed');
    else if (!reading.ok) this.#fail(name, reading.message);
    else insertLeaf(this.#tree, steps, reading.leaf);
  }

  /** Sets a member that is already read; undefined leaves it out. */
  set(name: string, reading: MemberReading | undefined): void {
    if (reading === undefined) return;
    if (reading.ok) this.#ready.set(name, reading.value);
    else this.#fail(name, reading.message);
  }

  finish(): FormResult {
    const members: [string, JsonValue][] = [...this.#ready];
    for (const [name, tree] of this.#tree.members) {
      if (this.#failure !== undefined) break;
      const reading = readTree(tree, this.expected(name));
      if (reading.ok) members.push([name, reading.value]);
      else this.#fail(name, reading.message);
    }
    return this.#failure ?? { ok: true, value: Object.fromEntries(members) };
  }

  /** What the schema expects of a member; any value if it does not declare the member. */
  expected(name: string): ExpectedValue {
    return this.#expected?.member(name) ?? anything;
  }

  property(name: string): Schema | undefined {
    const flat = this.#schema?.flatten();
    const place = flat?.properties.get(name);
    if (this.#schema === undefined || flat === undefined) return undefined;
    if (place !== undefined) return this.#schema.part(place);
    const { others } = flat;
    return typeof others?.node === 'object' ? this.#schema.part(others) : undefined;
  }

  /** Brackets belong to the name if the schema declares the name with them. */
  #stepsOf(name: string): readonly string[] | undefined {
    return this.#expected?.names.has(name) === true ? [name] : splitBrackets(name);
  }

  #fail(member: string, message: string): void {
    this.#failure ??= { ok: false, member, message };
  }
}

const anything: ExpectedValue = {
  types: new Set(['null', 'boolean', 'integer', 'number', 'string', 'array', 'object']),
  layout: 'open',
  names: new Set(),
  isClosed: false,
  item: () => anything,
  member: () => anything,
};

/**
 * What a form holds under one name: texts that still have to be read by their schema, or values.
 */
type Leaf =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'value'; readonly value: JsonValue };

/** What came under one name, and under the names in brackets behind it: `a=1` and `a[b][0]=2`. */
interface MemberTree {
  readonly leaves: Leaf[];
  readonly members: Map<string, MemberTree>;
}

/** A value, or a clause without a subject that says why it cannot be read. */
export type MemberReading =
  | { readonly ok: true; readonly value: JsonValue }
  | { readonly ok: false; readonly message: string };

/** A leaf, or a clause without a subject that says why it cannot be read. */
export type LeafReading =
  { readonly ok: true; readonly leaf: Leaf } | { readonly ok: false; readonly message: string };

/** The maximum number of nested brackets. */
const maxDepth = 32;

/** Reads a member that is written as JSON. */
export function readJsonLeaf(text: string | Uint8Array): LeafReading {
  const reading = parseJson(text);
  return reading.ok
    ? { ok: true, leaf: { kind: 'value', value: reading.value } }
    : { ok: false, message: `must be JSON, but is not: ${reading.problem.message}` };
}

/** A tree without a member. */
function makeTree(): MemberTree {
  return { leaves: [], members: new Map() };
}

/**
 * The names in brackets behind a name: `a[b][]` is `['a', 'b', '']`; undefined where the brackets
 * do not match or go too deep.
 */
function splitBrackets(name: string): string[] | undefined {
  const open = name.indexOf('[');
  if (open <= 0) return [name];
  const inner = name.slice(open);
  const steps = [...inner.matchAll(/\[([^[\]]*)\]/g)];
  const whole = steps.reduce((length, [step]) => length + step.length, 0) === inner.length;
  return whole && steps.length <= maxDepth
    ? [name.slice(0, open), ...steps.map(([, step = '']) => step)]
    : undefined;
}

/** Inserts a leaf at a path of names; an empty name, as in `a[]`, adds a leaf to its parent. */
function insertLeaf(tree: MemberTree, steps: readonly string[], leaf: Leaf): void {
  let here = tree;
  for (const step of steps) {
    if (step === '') continue;
    const next = remember(here.members, step, makeTree);
    here = next;
  }
  here.leaves.push(leaf);
}

/** Converts a tree to the value that its schema expects. */
function readTree(tree: MemberTree, expected: ExpectedValue): MemberReading {
  if (tree.members.size === 0) return readLeaves(tree.leaves, expected);
  if (tree.leaves.length > 0) return refuse('is given both as a value and by its members');
  const names = [...tree.members.keys()];
  const isList =
    expected.types.has('array') &&
    names.every((name) => /^\d{1,6}$/.test(name)) &&
    !(expected.types.has('object') && names.some((name) => expected.names.has(name)));
  return isList ? readList(tree, names, expected) : readMembers(tree, expected);
}

function readLeaves(leaves: readonly Leaf[], expected: ExpectedValue): MemberReading {
  const [first, ...others] = leaves;
  const isList = expected.layout === 'list' || (expected.types.has('array') && others.length > 0);
  if (first !== undefined && others.length === 0 && !(isList && !isWhole(first, expected)))
    return readLeaf(first, expected);
  if (!isList) return refuse(`is given ${String(leaves.length)} times`);
  return gather(leaves.map((leaf, index) => () => readLeaf(leaf, expected.item(index))));
}

/** A list may come as one piece of JSON instead of item by item. */
function isWhole(leaf: Leaf, { types }: ExpectedValue): boolean {
  if (leaf.kind === 'value')
    return Array.isArray(leaf.value) || (isJsonObject(leaf.value) && types.has('object'));
  return leaf.text.trimStart().startsWith('[') && readScalar(leaf.text, new Set(['array'])).ok;
}

/** A member without a type stays text. */
function readLeaf(leaf: Leaf, { types, layout }: ExpectedValue): MemberReading {
  if (leaf.kind === 'value') return { ok: true, value: leaf.value };
  if (layout === 'open') return { ok: true, value: leaf.text };
  const reading = readScalar(leaf.text, types);
  return reading.ok ? { ok: true, value: reading.values[0] } : refuse(reading.message);
}

function readList(
  tree: MemberTree,
  names: readonly string[],
  expected: ExpectedValue,
): MemberReading {
  const ordered = names.toSorted((left, right) => Number(left) - Number(right));
  return gather(
    ordered.map(
      (name, index) => () => readTree(tree.members.get(name) ?? makeTree(), expected.item(index)),
    ),
  );
}

function gather(readings: readonly (() => MemberReading)[]): MemberReading {
  const items: JsonValue[] = [];
  for (const [index, read] of readings.entries()) {
    const item = read();
    if (!item.ok) return refuse(`holds item ${String(index + 1)}, which ${item.message}`);
    items.push(item.value);
  }
  return { ok: true, value: items };
}

function readMembers(tree: MemberTree, expected: ExpectedValue): MemberReading {
  if (!expected.types.has('object')) return refuse('has members in brackets, but is not an object');
  const members: [string, JsonValue][] = [];
  for (const [name, inner] of tree.members) {
    const member = readTree(inner, expected.member(name));
    if (!member.ok) return refuse(`holds ${quoteExcerpt(name)}, which ${member.message}`);
    members.push([name, member.value]);
  }
  return { ok: true, value: Object.fromEntries(members) };
}

function refuse(message: string): MemberReading {
  return { ok: false, message };
}
