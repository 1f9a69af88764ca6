import { exec, type JsonValue as QueriedValue } from 'jsonpath-rfc9535';
import type { VouchError } from '../../errors.ts';
import { joinPointer, type Pointer, splitPointer } from '../../json/pointer.ts';
import { isJsonArray, isJsonObject, type JsonValue, setMember } from '../../json/value.ts';
import type { Locator } from '../locate.ts';
import type { DocumentFault } from '../model.ts';
import { type Overlay, type OverlayAction, overlayFault } from './read-overlay.ts';

/** A document after its Overlays, which knows the file that each part is written in. */
export interface OverlaidDocument {
  readonly value: JsonValue;
  /** Finds each place in the file that contains it: the document or an Overlay. */
  readonly locator: Locator;
  /** Actions that select nothing. */
  readonly faults: readonly DocumentFault[];
}

/**
 * Applies Overlays in order (OpenAPI Overlay 1.1.0, section 4.4.3) to a copy of a document. `own`
 * finds places in the document. Throws a VouchError (`overlay-invalid`) with the place of an action
 * that cannot be applied.
 */
export function applyOverlays(
  document: JsonValue,
  own: Locator,
  overlays: readonly Overlay[],
): OverlaidDocument {
  const copy = new TracedCopy(document, own);
  const faults = overlays.flatMap((overlay) =>
    overlay.actions.flatMap((action) => new ActionRun(copy, overlay, action).run()),
  );
  return { value: copy.value, locator: copy.locator(), faults };
}

/** Where a value is written. */
interface Origin {
  readonly locator: Locator;
  readonly pointer: Pointer;
}

type Container = Record<string, JsonValue> | JsonValue[];
type Key = string | number;

/**
 * A copy of a document in which each value has its origin. No part of it is shared, so that a
 * change has an effect in one place only, also where the text has a YAML alias.
 */
class TracedCopy {
  readonly value: JsonValue;
  readonly #own: Locator;
  readonly #containers = new Map<object, Origin>();
  /** The origins of members that are not where the origin of their container is. */
  readonly #members = new Map<object, Map<string, Origin>>();

  constructor(document: JsonValue, own: Locator) {
    this.#own = own;
    this.value = this.adopt(document, { locator: own, pointer: '' });
  }

  /** A copy of a value that is written at an origin. */
  adopt(value: JsonValue, origin: Origin): JsonValue {
    if (typeof value !== 'object' || value === null) return value;
    const at = (key: Key): Origin => below(origin, key);
    if (isJsonArray(value)) {
      const items = value.map((item, index) => this.adopt(item, at(index)));
      this.#containers.set(items, origin);
      return items;
    }
    const members: Record<string, JsonValue> = {};
    for (const [name, member] of Object.entries(value))
      setMember(members, name, this.adopt(member, at(name)));
    this.#containers.set(members, origin);
    return members;
  }

  set(container: Container, key: Key, value: JsonValue, origin: Origin): void {
    const adopted = this.adopt(value, origin);
    if (Array.isArray(container)) container[Number(key)] = adopted;
    else setMember(container, String(key), adopted);
    this.#membersOf(container).set(String(key), origin);
  }

  remove(container: Container, key: Key): void {
    if (!Array.isArray(container)) {
      delete container[String(key)];
      this.#members.get(container)?.delete(String(key));
      return;
    }
    const origins = container.map((_, index) => this.#originIn(container, index));
    container.splice(Number(key), 1);
    origins.splice(Number(key), 1);
    this.#members.set(container, new Map(origins.map((origin, index) => [String(index), origin])));
  }

  /** A locator over the copy: shows each place in the file in which it is written. */
  locator(): Locator {
    return {
      locate: (pointer) => this.#find(pointer, (locator, at) => locator.locate(at)),
      frame: (pointer) => this.#find(pointer, (locator, at) => locator.frame(at)),
    };
  }

  #find<Result>(pointer: Pointer, show: (locator: Locator, pointer: Pointer) => Result): Result {
    let value: JsonValue | undefined = this.value;
    let origin: Origin = { locator: this.#own, pointer: '' };
    for (const token of splitPointer(pointer)) {
      origin = isContainer(value) ? this.#originIn(value, token) : below(origin, token);
      value = isContainer(value) ? memberOf(value, token) : undefined;
    }
    return show(origin.locator, origin.pointer);
  }

  #originIn(container: Container, key: Key): Origin {
    const member = memberOf(container, key);
    const moved = this.#members.get(container)?.get(String(key));
    if (moved !== undefined) return moved;
    const own = isContainer(member) ? this.#containers.get(member) : undefined;
    return (
      own ?? below(this.#containers.get(container) ?? { locator: this.#own, pointer: '' }, key)
    );
  }

  #membersOf(container: Container): Map<string, Origin> {
    const known = this.#members.get(container) ?? new Map<string, Origin>();
    this.#members.set(container, known);
    return known;
  }
}

function below({ locator, pointer }: Origin, key: Key): Origin {
  return { locator, pointer: joinPointer(pointer, key) };
}

/** The values of a `TracedCopy` are its own, and may be changed. */
function isContainer(value: JsonValue | undefined): value is Container {
  return typeof value === 'object' && value !== null;
}

function memberOf(container: Container, key: Key): JsonValue | undefined {
  if (Array.isArray(container)) return container[Number(key)];
  return Object.hasOwn(container, String(key)) ? container[String(key)] : undefined;
}

/** A place that a target selects. */
interface Selected {
  readonly value: JsonValue;
  /** Undefined for the whole document. */
  readonly holder?: { readonly container: Container; readonly key: Key };
}

/** One action on a document. */
class ActionRun {
  readonly #copy: TracedCopy;
  readonly #overlay: Overlay;
  readonly #action: OverlayAction;

  constructor(copy: TracedCopy, overlay: Overlay, action: OverlayAction) {
    this.#copy = copy;
    this.#overlay = overlay;
    this.#action = action;
  }

  run(): DocumentFault[] {
    const { target, change, pointer } = this.#action;
    const selected = this.#select(target, joinPointer(pointer, 'target'));
    if (selected.length === 0) return [this.#nothingSelected()];
    if (change.kind === 'remove') this.#remove(selected);
    else this.#merge(selected, change);
    return [];
  }

  #select(path: string, at: Pointer): Selected[] {
    const selected: Selected[] = [];
    try {
      // The types of the library have no bigint; it passes one on as it is.
      exec(this.#copy.value as QueriedValue, path, (value, tokens) => {
        selected.push({ value, ...this.#holderOf(tokens) });
      });
    } catch (cause) {
      throw this.#fault(
        at,
        `The JSONPath ${path} is not valid${positionOf(cause)}.`,
        "Names other than letters, digits and _ are in brackets and quotes: $.paths['/items'].get",
      );
    }
    return selected;
  }

  #holderOf(tokens: readonly Key[]): Pick<Selected, 'holder'> {
    const key = tokens.at(-1);
    if (key === undefined) return {};
    let container: JsonValue | undefined = this.#copy.value;
    for (const token of tokens.slice(0, -1))
      container = isContainer(container) ? memberOf(container, token) : undefined;
    return isContainer(container) ? { holder: { container, key } } : {};
  }

  /** Items are removed from the last to the first, because a removal moves those after it. */
  #remove(selected: readonly Selected[]): void {
    for (const { holder } of selected.toReversed()) {
      if (holder === undefined)
        throw this.#faultHere('target', 'An action cannot remove the whole document.');
      this.#copy.remove(holder.container, holder.key);
    }
  }

  #merge(
    selected: readonly Selected[],
    change: Exclude<OverlayAction['change'], { kind: 'remove' }>,
  ): void {
    if (new Set(selected.map(({ value }) => kindOf(value))).size > 1)
      throw this.#faultHere(
        'target',
        'The target selects values of several kinds: objects, arrays or others.',
        'Write one action for each kind.',
      );
    const { value, origin } =
      change.kind === 'update'
        ? { value: change.value, origin: this.#origin('update') }
        : { value: this.#copied(change.from), origin: this.#origin('copy') };
    for (const each of selected) this.#mergeOne(each, value, origin);
  }

  #copied(path: string): JsonValue {
    const found = this.#select(path, joinPointer(this.#action.pointer, 'copy'));
    const [only] = found;
    if (only === undefined || found.length > 1)
      throw this.#faultHere(
        'copy',
        `\`copy\` selects ${String(found.length)} values, and must select one.`,
      );
    // A copy into a part of itself does not grow while it is read.
    return structuredClone(only.value);
  }

  #mergeOne({ value: target, holder }: Selected, value: JsonValue, origin: Origin): void {
    if (isContainer(target)) {
      if (Array.isArray(target)) this.#append(target, value, origin);
      else if (isJsonObject(value)) this.#mergeInto(target, value, origin);
      else throw this.#incompatible(origin.pointer, target, value);
    } else if (holder !== undefined) this.#replace(holder, target, value, origin);
  }

  #append(target: JsonValue[], value: JsonValue, origin: Origin): void {
    if (isJsonArray(value))
      value.forEach((item, index) => {
        this.#copy.set(target, target.length, item, below(origin, index));
      });
    else this.#copy.set(target, target.length, value, origin);
  }

  #mergeInto(
    target: Record<string, JsonValue>,
    update: Readonly<Record<string, JsonValue>>,
    origin: Origin,
  ): void {
    for (const [name, value] of Object.entries(update)) {
      const at = below(origin, name);
      const before = memberOf(target, name);
      if (before === undefined) this.#copy.set(target, name, value, at);
      else if (isContainer(before) && kindOf(before) === kindOf(value))
        this.#mergeOne({ value: before }, value, at);
      else this.#replace({ container: target, key: name }, before, value, at);
    }
  }

  /** Version 1.0 replaces a value also by one of another kind; in 1.1 that is an error. */
  #replace(
    { container, key }: { readonly container: Container; readonly key: Key },
    before: JsonValue,
    value: JsonValue,
    origin: Origin,
  ): void {
    if (this.#overlay.version !== '1.0' && kindOf(before) !== kindOf(value))
      throw this.#incompatible(origin.pointer, before, value);
    this.#copy.set(container, key, value, origin);
  }

  #origin(field: 'update' | 'copy'): Origin {
    const { locator } = this.#overlay;
    return { locator, pointer: joinPointer(this.#action.pointer, field) };
  }

  #incompatible(pointer: Pointer, before: JsonValue, value: JsonValue): VouchError {
    return this.#fault(
      pointer,
      `The action merges ${kindOf(value)} into ${kindOf(before)}.`,
      'Remove the old value with an action of its own first: remove: true',
    );
  }

  #nothingSelected(): DocumentFault {
    const { target, pointer } = this.#action;
    const { locator } = this.#overlay;
    return {
      pointer: '',
      rule: 'vouch/overlay-target',
      severity: 'warning',
      message: `The target ${target} of the Overlay selects nothing, so the action has no effect.`,
      place: locator.locate(pointer),
      frame: locator.frame(pointer),
    };
  }

  #faultHere(field: string, message: string, hint?: string): VouchError {
    return this.#fault(joinPointer(this.#action.pointer, field), message, hint);
  }

  #fault(pointer: Pointer, message: string, hint?: string): VouchError {
    return overlayFault(this.#overlay, pointer, message, hint);
  }
}

/** Where the parser of a JSONPath stops. */
function positionOf(cause: unknown): string {
  const { location } = cause as { readonly location?: { readonly start: { offset: number } } };
  return location === undefined ? '' : ` at character ${String(location.start.offset + 1)}`;
}

function kindOf(value: JsonValue): 'an object' | 'an array' | 'a plain value' {
  if (isJsonArray(value)) return 'an array';
  return isJsonObject(value) ? 'an object' : 'a plain value';
}
