import { equalJson } from '../../../json/equal-json.ts';
import { quoteExcerpt } from '../../../json/json-problem.ts';
import { splitPointer, valueAt } from '../../../json/pointer.ts';
import type { JsonObject, JsonValue } from '../../../json/value.ts';
import { isJsonArray, isJsonObject, jsonLength, objectOf } from '../../../json/value.ts';

/** The patched document, or why the patch fails. */
export type Patched =
  | { readonly ok: true; readonly value: JsonValue }
  | { readonly ok: false; readonly reason: string; readonly isTest: boolean };

/**
 * Applies a JSON Patch (RFC 6902): all steps or none. The length of the document is limited after
 * each step, because copying a document into itself doubles it.
 */
export function applyJsonPatch(
  document: JsonValue,
  steps: readonly JsonValue[],
  { maxBytes = defaultMaxBytes }: { readonly maxBytes?: number } = {},
): Patched {
  const bounds = new PatchBounds(document, maxBytes);
  let value = document;
  for (const [index, step] of steps.entries()) {
    const applied = isJsonObject(step)
      ? applyWithin(value, step, bounds)
      : refuse('it is no object');
    if (!applied.ok)
      return {
        ...applied,
        reason: `step ${String(index)} of the patch does not apply: ${applied.reason}`,
      };
    value = applied.value;
  }
  return { ok: true, value };
}

function applyWithin(document: JsonValue, step: JsonObject, bounds: PatchBounds): Patched {
  const overworked = bounds.work(document, step);
  if (overworked !== undefined) return refuse(overworked);
  const applied = applyStep(document, step);
  const overgrown = applied.ok ? bounds.grow(document, step, applied.value) : undefined;
  return overgrown === undefined ? applied : refuse(overgrown);
}

function applyStep(document: JsonValue, step: JsonObject): Patched {
  const { op, path, value } = step;
  if (typeof path !== 'string' || !isPointer(path)) return refuse('its `path` is no JSON Pointer');
  if (op === 'add' || op === 'replace')
    return value === undefined
      ? refuse('it has no `value`')
      : put(document, path, { value, isNew: op === 'add' });
  if (op === 'remove') return edit(document, path, undefined);
  if (op === 'test') return test(document, path, value);
  if (op !== 'move' && op !== 'copy')
    return refuse('its `op` must be add, remove, replace, move, copy or test');
  return moveOrCopy(document, path, step);
}

function moveOrCopy(document: JsonValue, path: string, { op, from }: JsonObject): Patched {
  const moved = typeof from === 'string' && isPointer(from) ? valueAt(document, from) : undefined;
  if (typeof from !== 'string' || moved === undefined)
    return refuse('there is nothing at its `from`');
  const rest =
    op === 'copy' ? ({ ok: true, value: document } as const) : edit(document, from, undefined);
  return rest.ok ? put(rest.value, path, { value: moved, isNew: true }) : rest;
}

function test(document: JsonValue, path: string, value: JsonValue | undefined): Patched {
  const found = valueAt(document, path);
  if (found !== undefined && value !== undefined && equalJson(found, value))
    return { ok: true, value: document };
  return { ok: false, reason: `${quoteExcerpt(path)} is not what it tests for`, isTest: true };
}

function put(
  document: JsonValue,
  path: string,
  { value, isNew }: { readonly value: JsonValue; readonly isNew: boolean },
): Patched {
  if (path === '') return { ok: true, value };
  if (!isNew && valueAt(document, path) === undefined) return nothingAt(path);
  return edit(document, path, { value, isNew });
}

interface Change {
  readonly value: JsonValue;
  readonly isNew: boolean;
}

/** Changes or removes one value of the document. */
function edit(document: JsonValue, path: string, change: Change | undefined): Patched {
  if (path === '') return refuse('it would remove the whole');
  const tokens = splitPointer(path);
  const edited = editAt(document, tokens, change);
  return edited === undefined ? nothingAt(path) : { ok: true, value: edited };
}

function editAt(
  value: JsonValue,
  [token, ...rest]: readonly string[],
  change: Change | undefined,
): JsonValue | undefined {
  if (token === undefined || typeof value !== 'object' || value === null) return undefined;
  if (isJsonObject(value)) return editMember(value, [token, ...rest], change);
  // An object that is not a JsonObject is an array.
  return editItem(value, [token, ...rest], change);
}

function editMember(
  object: JsonObject,
  [token = '', ...rest]: readonly string[],
  change: Change | undefined,
): JsonValue | undefined {
  const members = new Map(Object.entries(object));
  if (rest.length > 0) {
    const inner = members.has(token) ? editAt(members.get(token) ?? null, rest, change) : undefined;
    return inner === undefined ? undefined : Object.fromEntries(members.set(token, inner));
  }
  if (change === undefined) return members.delete(token) ? Object.fromEntries(members) : undefined;
  return Object.fromEntries(members.set(token, change.value));
}

function editItem(
  items: readonly JsonValue[],
  [token = '', ...rest]: readonly string[],
  change: Change | undefined,
): JsonValue | undefined {
  const index = token === '-' ? items.length : /^(0|[1-9]\d*)$/.test(token) ? Number(token) : NaN;
  const item = items[index];
  if (rest.length > 0) {
    const inner = item === undefined ? undefined : editAt(item, rest, change);
    return inner === undefined ? undefined : items.with(index, inner);
  }
  if (change?.isNew === true)
    return index <= items.length ? items.toSpliced(index, 0, change.value) : undefined;
  if (item === undefined) return undefined;
  return change === undefined ? items.toSpliced(index, 1) : items.with(index, change.value);
}

function isPointer(text: string): boolean {
  return text === '' || text.startsWith('/');
}

function nothingAt(path: string): Patched {
  return refuse(`there is nothing at ${quoteExcerpt(path)}`);
}

function refuse(reason: string): Patched {
  return { ok: false, reason, isTest: false };
}

/** The default maximum length of the JSON text of a patched document. */
const defaultMaxBytes = 1024 * 1024;
/** The maximum number of copied members and items: a step copies the ancestors of its value. */
const maxWork = 400_000;
/** Lists are copied as a block. */
const itemsPerUnit = 8;
/** Deeper values would overflow the stack. */
const deepest = 64;

/**
 * Limits the result and the work of a JSON Patch: the length of the document and the number of
 * copies.
 */
class PatchBounds {
  readonly #max: number;
  /** An upper bound of the length of the document. */
  #length: number;
  #left = maxWork;

  constructor(document: JsonValue, max: number) {
    this.#length = jsonLength(document);
    // A document that was longer before may keep its length.
    this.#max = Math.max(max, this.#length);
  }

  /** Subtracts the work of a step from the budget; returns a reason if it is exceeded. */
  work(document: JsonValue, { path, from }: JsonObject): string | undefined {
    for (const pointer of [path, from])
      if (typeof pointer === 'string') this.#left -= copied(document, pointer);
    return this.#left < 0 ? 'the patch takes more work than one request may take' : undefined;
  }

  /** Measures the document after a step; returns a reason if it is too long. */
  grow(
    before: JsonValue,
    { op, path, from, value }: JsonObject,
    after: JsonValue,
  ): string | undefined {
    if (op === 'test' || op === 'remove') return undefined;
    const isPut = op === 'add' || op === 'replace';
    const added = (isPut ? value : valueAt(before, String(from))) ?? null;
    if (this.#depth(added) + splitPointer(String(path)).length > deepest)
      return `the record would be nested more than ${String(deepest)} levels deep`;
    if (op !== 'move') this.#length += jsonLength(added, this.#max);
    this.#length += String(path).length;
    if (this.#length <= this.#max) return undefined;
    this.#length = jsonLength(after, this.#max);
    this.#left -= this.#length / itemsPerUnit;
    return this.#length > this.#max
      ? `the record would be longer than ${String(this.#max)} bytes`
      : undefined;
  }

  #depth(value: JsonValue): number {
    if (typeof value !== 'object' || value === null) return 0;
    const inner = isJsonArray(value) ? value : Object.values(value);
    this.#left -= inner.length;
    return 1 + inner.reduce<number>((max, item) => Math.max(max, this.#depth(item)), 0);
  }
}

/** The number of members and items in the ancestors of a value. */
function copied(document: JsonValue, pointer: string): number {
  let work = 1;
  let here: JsonValue | undefined = document;
  for (const token of pointer === '' ? [] : splitPointer(pointer)) {
    if (isJsonArray(here)) {
      work += 1 + here.length / itemsPerUnit;
      here = here[Number(token)];
    } else if (isJsonObject(here)) {
      work += Object.keys(here).length;
      here = Object.hasOwn(here, token) ? here[token] : undefined;
    } else break;
  }
  return work;
}

/**
 * Applies a JSON Merge Patch (RFC 7396): sets members, removes those that are `null`, merges
 * objects, and replaces other values.
 */
export function mergePatch(target: JsonValue | undefined, patch: JsonValue): JsonValue {
  if (!isJsonObject(patch)) return patch;
  const members = new Map(Object.entries(objectOf(target)));
  for (const [name, value] of Object.entries(patch)) {
    if (value === null) members.delete(name);
    else members.set(name, mergePatch(members.get(name), value));
  }
  return Object.fromEntries(members);
}

/** Like `mergePatch` for a record; the result is always an object. */
export function mergeRecord(record: JsonObject, patch: JsonObject): JsonObject {
  // A patch that is an object makes an object.
  return mergePatch(record, patch) as JsonObject;
}
