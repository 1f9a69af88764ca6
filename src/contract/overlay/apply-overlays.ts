import type { VouchError } from '../../errors.ts';
import { joinPointer, type Pointer, splitPointer } from '../../json/pointer.ts';
import { isJsonArray, isJsonObject, type JsonValue, setMember } from '../../json/value.ts';
import { WorkBudget, WorkBudgetExceeded } from '../../json/work-budget.ts';
import { remember } from '../../remember.ts';
import { parseJsonPath } from '../json-path/json-path.ts';
import type { PathNode } from '../json-path/path-node.ts';
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
 * that cannot be applied, or with which all actions are more work than their budget allows.
 */
export function applyOverlays(
  document: JsonValue,
  own: Locator,
  overlays: readonly Overlay[],
): OverlaidDocument {
  const copy = new TracedCopy(document, own);
  const budget = new WorkBudget(units + copy.size * unitsPerValue);
  const faults = overlays.flatMap((overlay) =>
    overlay.actions.flatMap((action) => new ActionRun({ copy, budget, overlay, action }).run()),
  );
  return { value: copy.value, locator: copy.locator(), faults };
}

/** What all actions may cost: about a second, and more for each value of a large document. */
const units = 100_000_000;
const unitsPerValue = 500;
/** The cost of a value that is added: its memory counts, also in everything that reads it later. */
const addedCost = 100;

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
  /** The number of values that were copied. */
  size = 0;
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
    this.size += 1;
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

  /** Removes members or items at once; items move up, and keep their origins. */
  remove(container: Container, keys: ReadonlySet<Key>): void {
    if (!Array.isArray(container)) {
      for (const key of keys) {
        delete container[String(key)];
        this.#members.get(container)?.delete(String(key));
      }
      return;
    }
    const kept = [...container.entries()].filter(([index]) => !keys.has(index));
    const origins = kept.map(([index]) => this.#originIn(container, index));
    container.splice(0, container.length);
    for (const [, item] of kept) container.push(item);
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
    return remember(this.#members, container, () => new Map<string, Origin>());
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

/** A place in a copy that a target selects. */
type Selected = Pick<PathNode, 'value' | 'holder' | 'key'>;

/** An action of an Overlay, and what it is applied to. */
interface Application {
  readonly copy: TracedCopy;
  readonly budget: WorkBudget;
  readonly overlay: Overlay;
  readonly action: OverlayAction;
}

class ActionRun {
  readonly #copy: TracedCopy;
  readonly #budget: WorkBudget;
  readonly #overlay: Overlay;
  readonly #action: OverlayAction;

  constructor({ copy, budget, overlay, action }: Application) {
    this.#copy = copy;
    this.#budget = budget;
    this.#overlay = overlay;
    this.#action = action;
  }

  run(): DocumentFault[] {
    try {
      return this.#apply();
    } catch (error) {
      if (!(error instanceof WorkBudgetExceeded)) throw error;
      throw this.#faultHere(
        'target',
        'The actions up to this one are more work than Overlays may cause: they select, compare ' +
          'or add too many values.',
        'Name the places directly, and copy smaller parts.',
      );
    }
  }

  #apply(): DocumentFault[] {
    const { target, change } = this.#action;
    const selected = this.#select(target, 'target');
    if (selected.length === 0) return [this.#nothingSelected()];
    if (change.kind === 'remove') this.#remove(selected);
    else this.#merge(selected, change);
    return [];
  }

  #select(text: string, field: 'target' | 'copy'): readonly Selected[] {
    const path = parseJsonPath(text);
    if ('fault' in path)
      throw this.#faultHere(
        field,
        `The JSONPath ${text} ${path.fault}.`,
        "Names other than letters, digits and _ are in brackets and quotes: $.paths['/items'].get",
      );
    return path.select(this.#copy.value, this.#budget);
  }

  #remove(selected: readonly Selected[]): void {
    const removed = Map.groupBy(selected, ({ holder }) => holder?.value);
    for (const [container, places] of removed) {
      if (!isContainer(container))
        throw this.#faultHere('target', 'An action cannot remove the whole document.');
      this.#copy.remove(container, new Set(places.flatMap(({ key }) => key ?? [])));
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
    const found = this.#select(path, 'copy');
    const [only] = found;
    if (only === undefined || found.length > 1)
      throw this.#faultHere(
        'copy',
        `\`copy\` selects ${String(found.length)} values, and must select one.`,
      );
    // A copy into a part of itself does not grow while it is read.
    this.#budget.spendFor(only.value, addedCost);
    return structuredClone(only.value);
  }

  #mergeOne({ value: target, holder, key = '' }: Selected, value: JsonValue, origin: Origin): void {
    if (isContainer(target)) {
      if (Array.isArray(target)) this.#append(target, value, origin);
      else if (isJsonObject(value)) this.#mergeInto(target, value, origin);
      else throw this.#incompatible(origin.pointer, target, value);
    } else if (isContainer(holder?.value))
      this.#replace({ container: holder.value, key }, target, value, origin);
  }

  #append(target: JsonValue[], value: JsonValue, origin: Origin): void {
    if (isJsonArray(value))
      value.forEach((item, index) => {
        this.#set(target, target.length, item, below(origin, index));
      });
    else this.#set(target, target.length, value, origin);
  }

  #mergeInto(
    target: Record<string, JsonValue>,
    update: Readonly<Record<string, JsonValue>>,
    origin: Origin,
  ): void {
    for (const [name, value] of Object.entries(update)) {
      const at = below(origin, name);
      const before = memberOf(target, name);
      if (before === undefined) this.#set(target, name, value, at);
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
    this.#set(container, key, value, origin);
  }

  #set(container: Container, key: Key, value: JsonValue, origin: Origin): void {
    this.#budget.spendFor(value, addedCost);
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

function kindOf(value: JsonValue): 'an object' | 'an array' | 'a plain value' {
  if (isJsonArray(value)) return 'an array';
  return isJsonObject(value) ? 'an object' : 'a plain value';
}
