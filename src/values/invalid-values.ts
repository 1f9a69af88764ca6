import type { SchemaIssue } from '../contract/model.ts';
import { joinPointer, type Pointer } from '../json/pointer.ts';
import type { JsonValue, JsonObject } from '../json/value.ts';
import { isJsonObject, withoutMembers, isJsonArray } from '../json/value.ts';
import type { Baseline } from './baseline.ts';
import { breakNumber, breakText } from './break-scalar.ts';
import { breakBranches, breakList, breakType } from './break-type.ts';
import { brokenRules } from './broken-rules.ts';
import type { Site } from './build-value.ts';
import type { CandidateValue } from './candidate-value.ts';
import { asCandidate, cacheCandidates, judgedOnce } from './candidate-value.ts';
import { describePlace, type LabelledValue, describeValue } from './labelled-value.ts';
import { literalsOf } from './literals.ts';
import { type Mutation, keywordPlace, present } from './mutation.ts';
import { itemCounts } from './build-array.ts';
import { dependentsOf } from './build-object.ts';
import { freeNames, strangeName } from './free-names.ts';

import { greatest, hasKeyword, isFlagged, least, requiredOf, type View } from './view.ts';

/** Keywords that summarize the violations of a branch or a condition. */
const composites = [
  'oneOf',
  'anyOf',
  'allOf',
  'not',
  'if',
  'then',
  'else',
  'contains',
  'propertyNames',
  'unevaluatedProperties',
  'unevaluatedItems',
  'false schema',
];

const cached = cacheCandidates({
  names: { candidates: 'broken', values: 'invalid' },
  own: (baseline) =>
    baseline.sites.flatMap((site) =>
      mutationsAt(site, baseline).flatMap((mutation) => breakOne(mutation, site, baseline)),
    ),
  // Those that no form accepts.
  counts: (value, { schema, direction }) => !schema.accepts(value, direction),
});

/**
 * The plain value with one violated rule at a time, at every place down to a bounded depth. All are
 * invalid under the schema and distinct; if several values violate the same rule, one that violates
 * no other is preferred. Outer places come first, and forms that the plain value does not have come
 * last. Empty if no valid value is found to start from. Deterministic for a seed.
 */
export const invalidValues = cached.values;

/** The same values before the schema validates them, for callers that need a few of them. */
export const invalidCandidates = cached.candidates;

function mutationsAt(site: Site, baseline: Baseline): Mutation[] {
  const listed = literalsOf(site.view) !== undefined;
  return [
    ...breakObject(site, baseline),
    ...(listed ? breakList(site) : [...breakNumber(site), ...breakText(site)]),
    ...breakType(site),
    ...breakArray(site, baseline),
    ...breakBranches(site, baseline),
  ];
}

interface Broken {
  readonly part: JsonValue;
  readonly value: JsonValue;
  readonly issues: readonly SchemaIssue[];
}

function breakOne(mutation: Mutation, site: Site, baseline: Baseline): CandidateValue[] {
  const [part, ...others] = mutation.candidates;
  if (part === undefined) return [];
  const { valueClass, member } = mutation;
  const at = member === undefined ? site.at : joinPointer(site.at, member);
  const value = baseline.place(site.at, part);
  const only = judgedOnce({ valueClass, at, value }, () =>
    labelBest(mutation, site, baseline, at, value),
  );
  if (others.length === 0) return [only];
  // The schema decides which of several is used.
  const best = only.judge();
  return best === undefined ? [] : [asCandidate(best)];
}

/**
 * The candidate that shows the mutation best, `value` being the first; undefined if none shows it.
 */
function labelBest(
  mutation: Mutation,
  site: Site,
  baseline: Baseline,
  at: Pointer,
  first: JsonValue,
): LabelledValue | undefined {
  const { schema, direction } = baseline;
  const shows = ({ keyword }: SchemaIssue): boolean => mutation.keywords.includes(keyword);
  let best: Broken | undefined;
  for (const [index, part] of mutation.candidates.entries()) {
    const value = index === 0 ? first : baseline.place(site.at, part);
    // Alternatives that overlap are meant as "any of these".
    const issues = brokenRules(schema, value, direction).filter((issue) => issue.several !== true);
    if (!issues.some((issue) => shows(issue) || composites.includes(issue.keyword))) continue;
    best ??= { part, value, issues };
    if (issues.length > 1 || !issues.some(shows)) continue;
    best = { part, value, issues };
    break;
  }
  if (best === undefined) return undefined;
  const shown = best.issues.find(
    (issue) => issue.keyword === mutation.keywords[0] && (issue.at === site.at || issue.at === at),
  );
  return {
    value: best.value,
    label: `${describePlace(at)} ${mutation.says(best.part)}`,
    valueClass: mutation.valueClass,
    at,
    pointer: shown?.pointer ?? mutation.pointer,
  };
}

/** The size up to which objects are filled beyond their maximum. */
const largestObject = 1_000;

/**
 * An object without each required member, with a member that a closed schema does not allow, and
 * with too few or too many members.
 */
function breakObject({ view, value, at }: Site, { pinned }: Baseline): Mutation[] {
  if (!isJsonObject(value)) return [];
  return [
    ...missingMembers(view, value),
    ...missingDependents(view, value),
    ...strangeMembers(view, value),
    ...breakCounts(view, value, (size) => pinned(at, { size })),
  ];
}

function missingMembers(view: View, value: JsonObject): Mutation[] {
  return [...requiredOf(view)]
    .filter(([name]) => Object.hasOwn(value, name))
    .map(([name, pointer]) => ({
      valueClass: 'missing-required',
      member: name,
      candidates: [withoutMembers(value, name)],
      keywords: ['required'],
      says: () => 'is missing',
      pointer,
    }));
}

/** An object with a member but without another one that it requires (`dependentRequired`). */
function missingDependents(view: View, value: JsonObject): Mutation[] {
  return Object.keys(value).flatMap((trigger) =>
    dependentsOf(view, trigger)
      .filter((name) => Object.hasOwn(value, name))
      .map((name) => ({
        valueClass: 'missing-dependent',
        member: name,
        candidates: [withoutMembers(value, name)],
        keywords: ['dependentRequired'],
        says: () => `is missing, though ${trigger} is given`,
        pointer: joinPointer(keywordPlace(view, 'dependentRequired'), trigger),
      })),
  );
}

function strangeMembers(view: View, value: JsonObject): Mutation[] {
  const added = (name: string, member: JsonValue): Pick<Mutation, 'member' | 'candidates'> => ({
    member: name,
    candidates: [{ ...value, [name]: member }],
  });
  const closed: Mutation = {
    ...added(strangeName(view), 'unexpected'),
    valueClass: 'additional-property',
    keywords: ['additionalProperties', 'unevaluatedProperties'],
    says: () => 'is given, which the contract does not name',
    pointer: keywordPlace(view, 'additionalProperties', 'unevaluatedProperties'),
  };
  const misnamed: Mutation = {
    ...added('~ bad name!', Object.values(value)[0] ?? 'unexpected'),
    valueClass: 'property-name-broken',
    keywords: ['propertyNames', 'pattern', 'format', 'maxLength', 'enum', 'const'],
    says: () => 'is given, a name that is not allowed',
    pointer: keywordPlace(view, 'propertyNames'),
  };
  return hasKeyword(view, 'propertyNames') ? [closed, misnamed] : [closed];
}

function breakCounts(
  view: View,
  value: JsonObject,
  ofSize: (size: number) => JsonValue | undefined,
): Mutation[] {
  const min = Number(greatest(view, 'minProperties')?.value ?? 0);
  const max = Number(least(view, 'maxProperties')?.value ?? Infinity);
  const says = (part: JsonValue): string =>
    `is ${describeValue(part)}, with ` +
    `${Object.keys(isJsonObject(part) ? part : value).length} properties`;
  const sized = (size: number): JsonValue[] =>
    present([ofSize(size), resizeObject(view, value, size)]);
  const counted = (keyword: string, size: number): Omit<Mutation, 'valueClass'> => ({
    candidates: sized(size),
    keywords: [keyword],
    says,
    pointer: keywordPlace(view, keyword),
  });
  return present<Mutation>([
    min > 0
      ? { valueClass: 'too-few-properties', ...counted('minProperties', min - 1) }
      : undefined,
    max < largestObject
      ? { valueClass: 'too-many-properties', ...counted('maxProperties', max + 1) }
      : undefined,
  ]);
}

/** The object with members removed from its end, required ones last, or with added members. */
function resizeObject(view: View, value: JsonObject, size: number): JsonObject {
  const required = requiredOf(view);
  const names = Object.keys(value).sort(
    (left, right) => Number(required.has(right)) - Number(required.has(left)),
  );
  const kept = Object.fromEntries(names.slice(0, size).map((name) => [name, value[name] ?? null]));
  const sample = Object.values(value)[0] ?? 'unexpected';
  const added = freeNames(view, Math.max(0, size - names.length), new Set(names));
  return { ...kept, ...Object.fromEntries(added.map((name) => [name, sample])) };
}

/** The size up to which arrays are filled beyond their maximum. */
const largestArray = 1_000;

/** An array with one item too few or too many, and one with the same item twice. */
function breakArray({ view, value, at }: Site, { pinned }: Baseline): Mutation[] {
  if (!isJsonArray(value)) return [];
  const { min, max } = itemCounts(view);
  const sized = (size: number): JsonValue[] =>
    present([pinned(at, { size }), resizeArray(value, size)]);
  const mutations: (Mutation | undefined)[] = [
    min > 0
      ? {
          valueClass: 'too-few-items',
          candidates: sized(min - 1),
          keywords: ['minItems', 'contains'],
          says: () => `has ${countItems(min - 1)}, fewer than ${min}`,
          pointer: keywordPlace(view, 'minItems', 'contains'),
        }
      : undefined,
    max < largestArray
      ? {
          valueClass: 'too-many-items',
          candidates: sized(max + 1),
          keywords: ['maxItems'],
          says: () => `has ${countItems(max + 1)}, more than ${max}`,
          pointer: keywordPlace(view, 'maxItems'),
        }
      : undefined,
    isFlagged(view, 'uniqueItems')
      ? {
          valueClass: 'duplicate-items',
          candidates: duplicated(value, min),
          keywords: ['uniqueItems'],
          says: () => 'has the same item twice',
          pointer: keywordPlace(view, 'uniqueItems'),
        }
      : undefined,
  ];
  return present(mutations);
}

function countItems(count: number): string {
  return `${count} ${count === 1 ? 'item' : 'items'}`;
}

function resizeArray(items: readonly JsonValue[], size: number): JsonValue | undefined {
  const last = items.at(-1);
  if (items.length >= size) return items.slice(0, size);
  return last === undefined
    ? undefined
    : [...items, ...Array.from({ length: size - items.length }, () => last)];
}

function duplicated(items: readonly JsonValue[], min: number): JsonValue[] {
  const [first, ...rest] = items;
  if (first === undefined) return [];
  return [
    [first, first, ...rest],
    [first, first, ...rest.slice(1)],
    Array.from({ length: Math.max(2, min) }, () => first),
  ];
}
