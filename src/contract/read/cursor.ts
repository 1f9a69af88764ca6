import type { VouchError } from '../../errors.ts';
import { isJsonObject, objectOf, type JsonObject, type JsonValue } from '../../json/value.ts';
import { joinPointer, splitPointer, valueAt, type Pointer } from '../../json/pointer.ts';
import { remember } from '../../remember.ts';

/** The document that a cursor reads, and how to report a place in it. */
export interface DocumentTree {
  /** The root for references: the document as written, even if a cursor reads a converted part. */
  readonly root: JsonObject;
  /**
   * The pointers of objects that were made from the document, such as converted ones. Other objects
   * are where they are found.
   */
  readonly origins?: WeakMap<object, Pointer> | undefined;
  /** A cache of resolved references: a contract refers to few places very often. */
  readonly targets?: Map<string, LocatedValue | undefined>;
  /** Makes the error for a place in the document; the caller throws it. */
  fault(pointer: Pointer, message: string, hint?: string): VouchError;
}

/** A position in the raw document that follows references on the way down and knows its pointer. */
export class Cursor {
  readonly tree: DocumentTree;
  readonly value: JsonValue;
  readonly pointer: Pointer;

  constructor(tree: DocumentTree, value: JsonValue, pointer: Pointer) {
    this.tree = tree;
    this.value = value;
    this.pointer = pointer;
  }

  get object(): JsonObject {
    return objectOf(this.value);
  }

  /** The member of that name with its references resolved, or undefined. */
  child(key: string): Cursor | undefined {
    const raw = this.raw(key);
    return raw && followReference(raw);
  }

  /** The member of that name as written, with `$ref`: for schemas, which keep their references. */
  raw(key: string): Cursor | undefined {
    const value = Object.hasOwn(this.object, key) ? this.object[key] : undefined;
    return value === undefined
      ? undefined
      : new Cursor(this.tree, value, this.#pointerOf(value, key));
  }

  /** Every member of the object at `key`, references resolved. */
  entries(key: string): [name: string, cursor: Cursor][] {
    const parent = this.child(key);
    if (parent === undefined) return [];
    return Object.keys(parent.object).flatMap((name) => {
      const entry = parent.child(name);
      return entry === undefined ? [] : [[name, entry] as [string, Cursor]];
    });
  }

  /** Every item of the array at `key`, references resolved. */
  items(key: string): Cursor[] {
    const parent = this.child(key);
    if (!Array.isArray(parent?.value)) return [];
    return parent.value.map((value: JsonValue, index) =>
      followReference(new Cursor(this.tree, value, parent.#pointerOf(value, index))),
    );
  }

  string(key: string): string | undefined {
    const value = this.object[key];
    return typeof value === 'string' ? value : undefined;
  }

  /** Whether a boolean member is true; any other value counts as false. */
  flag(key: string): boolean {
    return this.object[key] === true;
  }

  #pointerOf(value: JsonValue, key: string | number): Pointer {
    const origin =
      typeof value === 'object' && value !== null ? this.tree.origins?.get(value) : undefined;
    return origin ?? joinPointer(this.pointer, key);
  }
}

/**
 * Follows a chain of `$ref`s inside the document (OpenAPI 3.1, section 4.8.23). Throws if a target
 * is missing or the chain is circular.
 */
function followReference(cursor: Cursor): Cursor {
  const seen = new Set<Pointer>();
  let here = cursor;
  while (isJsonObject(here.value) && typeof here.value['$ref'] === 'string') {
    if (seen.has(here.pointer))
      throw here.tree.fault(here.pointer, `The reference ${here.value['$ref']} is circular.`);
    seen.add(here.pointer);
    here = referenceTarget(here.tree, here.value['$ref'], here.pointer);
  }
  return here;
}

/**
 * The place that a reference such as `#/components/schemas/Pet` targets; `from` is the place of the
 * reference.
 */
export function referenceTarget(tree: DocumentTree, reference: string, from: Pointer): Cursor {
  const target = findTarget(tree, reference);
  if (target === undefined)
    throw tree.fault(
      joinPointer(from, '$ref'),
      `The reference ${reference} does not resolve.`,
      'Fix the reference, or add its target.',
    );
  return new Cursor(tree, target.value, target.pointer);
}

/** A value and its place. */
export interface LocatedValue {
  readonly value: JsonValue;
  readonly pointer: Pointer;
}

function findTarget({ root, targets }: DocumentTree, reference: string): LocatedValue | undefined {
  if (targets === undefined) return locateReference(root, reference);
  return remember(targets, reference, () => locateReference(root, reference));
}

/**
 * The value that a local reference targets, and its own pointer; undefined if it does not resolve.
 */
export function locateReference(root: JsonObject, reference: string): LocatedValue | undefined {
  const pointer = referencePointer(reference);
  const value = pointer === undefined ? undefined : valueAt(root, pointer);
  if (pointer === undefined) return undefined;
  return value === undefined ? locateThrough(root, splitPointer(pointer)) : { value, pointer };
}

const maxDetours = 100;

/** Resolves a pointer that passes through references: continues in their targets. */
function locateThrough(
  root: JsonObject,
  tokens: readonly string[],
  detours = 0,
): LocatedValue | undefined {
  for (let length = tokens.length - 1; length > 0; length -= 1) {
    const value = valueAt(root, joinPointer('', ...tokens.slice(0, length)));
    if (value === undefined) continue;
    const passed =
      isJsonObject(value) && typeof value['$ref'] === 'string'
        ? referencePointer(value['$ref'])
        : undefined;
    if (passed === undefined || detours > maxDetours) return undefined;
    const on = joinPointer(passed, ...tokens.slice(length));
    const found = valueAt(root, on);
    return found === undefined
      ? locateThrough(root, splitPointer(on), detours + 1)
      : { value: found, pointer: on };
  }
  return undefined;
}

/** A pointer as a local reference, percent-escaped (RFC 6901, section 6). */
export function writeReference(pointer: Pointer): string {
  return `#${encodeURI(pointer).replaceAll('#', '%23')}`;
}

/**
 * The pointer of a local reference, percent-escapes decoded (RFC 6901, section 6), or undefined if
 * it is not a local pointer.
 */
export function referencePointer(reference: string): Pointer | undefined {
  if (reference !== '#' && !reference.startsWith('#/')) return undefined;
  try {
    const decoded = decodeURIComponent(reference.slice(1));
    return joinPointer('', ...splitPointer(decoded));
  } catch {
    return undefined;
  }
}
