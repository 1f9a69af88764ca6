import type { Direction, Schema, SchemaIssue } from '../contract/model.ts';
import { joinPointer, type Pointer } from '../json/pointer.ts';
import type { JsonValue } from '../json/value.ts';
import { type Baseline, baselineOf } from './baseline.ts';
import { breakArray, breakObject } from './break-container.ts';
import { breakNumber, breakText } from './break-scalar.ts';
import { breakBranches, breakList, breakType } from './break-type.ts';
import { brokenRules } from './broken-rules.ts';
import type { Site } from './build-value.ts';
import {
  asCandidate,
  cacheCandidates,
  type CandidateValue,
  distinctCandidates,
  judgedOnce,
} from './candidate-value.ts';
import { otherForms } from './forms.ts';
import { describePlace, type LabelledValue } from './labelled-value.ts';
import { literalsOf } from './literals.ts';
import type { Mutation } from './mutation.ts';

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

const cached = cacheCandidates({ candidates: 'broken', values: 'invalid' }, makeCandidates);

/**
 * The plain value with one violated rule at a time, at every place down to a bounded depth. All are
 * invalid under the schema and distinct; if several values violate the same rule, one that violates
 * no other is preferred. Outer places come first, and forms that the plain value does not have come
 * last. Empty if no valid value is found to start from. Deterministic for a seed.
 */
export const invalidValues = cached.values;

/** The same values before the schema validates them, for callers that need a few of them. */
export const invalidCandidates = cached.candidates;

function makeCandidates(
  schema: Schema,
  direction: Direction,
  seed: string | number,
): CandidateValue[] {
  const baseline = baselineOf(schema, direction, seed);
  if (baseline === undefined) return [];
  const own = baseline.sites.flatMap((site) =>
    mutationsAt(site, baseline).flatMap((mutation) => breakOne(mutation, site, baseline)),
  );
  const others = otherForms(schema, baseline.value, direction).flatMap((form) =>
    brokenForm(form, { baseline, seed }),
  );
  return distinctCandidates([...own, ...others]);
}

/** The invalid values of another form than that of the plain value, if no form accepts them. */
function brokenForm(
  form: Schema,
  {
    baseline: { schema, direction },
    seed,
  }: { readonly baseline: Baseline; readonly seed: string | number },
): CandidateValue[] {
  return invalidCandidates(form, direction, seed)
    .filter(({ at }) => at !== '')
    .map((candidate) =>
      judgedOnce(candidate, () =>
        schema.accepts(candidate.value, direction) ? undefined : candidate.judge(),
      ),
    );
}

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
    const issues = brokenRules(schema, value, direction);
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
