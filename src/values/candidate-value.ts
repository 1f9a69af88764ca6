import { otherForms } from './forms.ts';
import { baselineOf, type Baseline } from './baseline.ts';
import { type JsonObject, type JsonValue, isJsonArray } from '../json/value.ts';
import type { Pointer } from '../json/pointer.ts';
import { equalJson } from '../json/equal-json.ts';
import { remember } from '../remember.ts';
import { valueKey } from '../json/json-type.ts';
import { type LabelledValue, moveLabelled, type ValueClass } from './labelled-value.ts';
import { type MakeValues, rememberValues, type SeededValues } from './value-cache.ts';

/**
 * A value that is made to demonstrate one thing, before the schema validates it. A large body has
 * thousands of them and a plan sends about a hundred: only those that are read are validated.
 */
export interface CandidateValue {
  readonly valueClass: ValueClass;
  /** The place in the value that differs from the plain one. */
  readonly at: Pointer;
  readonly value: JsonValue;
  /** The labelled value; undefined if the value does not demonstrate what it is made for. */
  judge(): LabelledValue | undefined;
}

/** The part of a candidate that is known before it is judged. */
export type UnjudgedValue = Pick<CandidateValue, 'valueClass' | 'at' | 'value'>;

/** A candidate that is judged when it is first read, and only once. */
export function judgedOnce(
  { valueClass, at, value }: UnjudgedValue,
  judge: () => LabelledValue | undefined,
): CandidateValue {
  let judged: { readonly labelled: LabelledValue | undefined } | undefined;
  return {
    valueClass,
    at,
    value,
    judge: () => (judged ??= { labelled: judge() }).labelled,
  };
}

/** A value that was judged already, as a candidate. */
export function asCandidate(labelled: LabelledValue): CandidateValue {
  const { valueClass, at, value } = labelled;
  return { valueClass, at, value, judge: () => labelled };
}

/** The same candidate of a schema that says the same in another place of the contract. */
function moveCandidate(
  candidate: CandidateValue,
  to: (pointer: Pointer) => Pointer,
): CandidateValue {
  return judgedOnce(candidate, () => {
    const labelled = candidate.judge();
    return labelled && moveLabelled(labelled, to);
  });
}

/** The values that demonstrate what they are made for, in order, each judged when it is read. */
export function* judgedValues(
  candidates: readonly CandidateValue[],
  isWanted: (candidate: CandidateValue) => boolean = () => true,
): Generator<LabelledValue, void> {
  for (const candidate of candidates) {
    const labelled = isWanted(candidate) ? candidate.judge() : undefined;
    if (labelled !== undefined) yield labelled;
  }
}

/** How the values of one kind are made. */
interface CandidateMaking {
  /** Their names in a cache: before the schema validates them, and after. */
  readonly names: { readonly candidates: string; readonly values: string };
  /** What is made of the plain value. */
  own(baseline: Baseline): readonly CandidateValue[];
  /** Whether a value that is made of another form than that of the plain value counts. */
  counts(value: JsonValue, baseline: Baseline): boolean;
}

/** The cached values of one kind: before the schema validates them, and after. */
export function cacheCandidates({ names, own, counts }: CandidateMaking): {
  readonly candidates: SeededValues<CandidateValue>;
  readonly values: SeededValues<LabelledValue>;
} {
  const make: MakeValues<CandidateValue> = (schema, direction, seed) => {
    const baseline = baselineOf(schema, direction, seed);
    if (baseline === undefined) return [];
    const others = otherForms(schema, baseline.value, direction)
      .flatMap((form) => candidates(form, direction, seed))
      .filter(({ at }) => at !== '')
      .map((candidate) =>
        judgedOnce(candidate, () =>
          counts(candidate.value, baseline) ? candidate.judge() : undefined,
        ),
      );
    // Of equal candidates the first label stays; they are judged now, the others later.
    return groupEqual([...own(baseline), ...others]).flatMap((group) => {
      if (group.length < 2) return group;
      const merged = mergeShowings([...judgedValues(group)]);
      return merged === undefined ? [] : [asCandidate(merged)];
    });
  };
  const candidates = rememberValues(names.candidates, make, moveCandidate);
  const judge: MakeValues<LabelledValue> = (...of) => [...judgedValues(candidates(...of))];
  return { candidates, values: rememberValues(names.values, judge, moveLabelled) };
}

/** Removes duplicates: the first label stays, and what the others demonstrate goes to `also`. */
export function distinctValues(values: readonly LabelledValue[]): LabelledValue[] {
  return groupEqual(values).flatMap((group) => mergeShowings(group) ?? []);
}

function mergeShowings([first, ...others]: readonly LabelledValue[]): LabelledValue | undefined {
  if (first === undefined || others.length === 0) return first;
  return {
    ...first,
    also: others.map(({ valueClass, at, pointer }) => ({ valueClass, at, pointer })),
  };
}

/** The items by equal values, in the order of the first of each. */
function groupEqual<Item extends { readonly value: JsonValue }>(
  items: readonly Item[],
): readonly Item[][] {
  const hashes = new ValueHashes();
  const groups: Item[][] = [];
  const byHash = new Map<number, Item[][]>();
  for (const item of items) {
    const hash = hashes.of(item.value);
    const alike = byHash.get(hash) ?? [];
    const own = alike.find(([first]) => first !== undefined && equalJson(first.value, item.value));
    if (own !== undefined) {
      own.push(item);
      continue;
    }
    const group = [item];
    groups.push(group);
    byHash.set(hash, [...alike, group]);
  }
  return groups;
}

/**
 * Numbers of 32 bits that equal JSON values share, in any order of their members. Most values of a
 * schema are copies of one value with one change and share the other parts: each shared part is
 * read once.
 */
class ValueHashes {
  readonly #texts = new Map<string, number>();
  readonly #known = new WeakMap<object, number>();

  of(value: JsonValue): number {
    if (typeof value === 'string') return this.#ofText(value);
    if (typeof value !== 'object' || value === null) return this.#ofText(valueKey(value));
    return remember(this.#known, value, () =>
      isJsonArray(value) ? this.#ofItems(value) : this.#ofMembers(value),
    );
  }

  /** Texts are numbered as they come. */
  #ofText(text: string): number {
    return remember(this.#texts, text, () => mixHash(1, this.#texts.size));
  }

  #ofItems(items: readonly JsonValue[]): number {
    return items.reduce<number>((hash, item) => mixHash(hash, this.of(item)), 2);
  }

  #ofMembers(value: JsonObject): number {
    let hash = 3;
    for (const name in value)
      hash = (hash + mixHash(this.#ofText(name), this.of(value[name] ?? null))) | 0;
    return hash;
  }
}

function mixHash(left: number, right: number): number {
  const mixed = Math.imul(left ^ (left >>> 15), 0x2c1b3c6d) ^ Math.imul(right, 0x297a2d39);
  return Math.imul(mixed ^ (mixed >>> 13), 0x45d9f3b);
}
