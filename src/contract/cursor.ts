import { VouchError } from '../errors.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../json/value.ts';
import { joinPointer, splitPointer, valueAt, type Pointer } from '../json/pointer.ts';

/** What a cursor needs to know of its document: the tree, and how to complain about a place in it. */
export interface DocumentTree {
  readonly root: JsonObject;
  /** Makes the error for a place in the document; the caller throws it. */
  fault(pointer: Pointer, message: string, hint?: string): VouchError;
}

/** A place in the raw document that follows references on the way down and always knows where it stands. */
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
    return isJsonObject(this.value) ? this.value : {};
  }

  /** The member of that name with its references followed, or undefined. */
  child(key: string): Cursor | undefined {
    const raw = this.raw(key);
    return raw && followReference(raw);
  }

  /** The member of that name as written, `$ref` and all: for schemas, which keep their references. */
  raw(key: string): Cursor | undefined {
    const value = Object.hasOwn(this.object, key) ? this.object[key] : undefined;
    return value === undefined ? undefined : new Cursor(this.tree, value, joinPointer(this.pointer, key));
  }

  /** Every member of the object at `key`, references followed. */
  entries(key: string): [name: string, cursor: Cursor][] {
    const parent = this.child(key);
    if (parent === undefined) return [];
    return Object.keys(parent.object).flatMap((name) => {
      const entry = parent.child(name);
      return entry === undefined ? [] : [[name, entry] as [string, Cursor]];
    });
  }

  /** Every item of the array at `key`, references followed. */
  items(key: string): Cursor[] {
    const parent = this.child(key);
    if (!Array.isArray(parent?.value)) return [];
    return parent.value.map((value, index) => followReference(new Cursor(this.tree, value, joinPointer(parent.pointer, index))));
  }

  string(key: string): string | undefined {
    const value = this.object[key];
    return typeof value === 'string' ? value : undefined;
  }

  /** Whether a boolean member is true; anything else is false. */
  flag(key: string): boolean {
    return this.object[key] === true;
  }
}

/** Follows a chain of `$ref`s inside the document (OpenAPI 3.1, section 4.8.23). Throws where one leads nowhere or round. */
export function followReference(cursor: Cursor): Cursor {
  const seen = new Set<Pointer>();
  let here = cursor;
  while (isJsonObject(here.value) && typeof here.value['$ref'] === 'string') {
    if (seen.has(here.pointer)) throw here.tree.fault(here.pointer, `The reference ${here.value['$ref']} leads back to itself.`);
    seen.add(here.pointer);
    here = referenceTarget(here.tree, here.value['$ref'], here.pointer);
  }
  return here;
}

/** The place that a reference such as `#/components/schemas/Pet` names; `from` is where the reference stands. */
export function referenceTarget(tree: DocumentTree, reference: string, from: Pointer): Cursor {
  const pointer = referencePointer(reference);
  const value = pointer === undefined ? undefined : valueAt(tree.root, pointer);
  if (pointer === undefined || value === undefined) {
    throw tree.fault(joinPointer(from, '$ref'), `The reference ${reference} leads nowhere.`, 'Mend the reference, or add what it names.');
  }
  return new Cursor(tree, value, pointer);
}

/** The pointer of a local reference, percent-escapes decoded (RFC 6901, section 6), or undefined where it is not a local pointer. */
export function referencePointer(reference: string): Pointer | undefined {
  if (reference !== '#' && !reference.startsWith('#/')) return undefined;
  try {
    const decoded = decodeURIComponent(reference.slice(1));
    return joinPointer('', ...splitPointer(decoded));
  } catch {
    return undefined;
  }
}
