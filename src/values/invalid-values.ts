import type { Direction, Schema, SchemaIssue } from '../contract/model.ts';
import { joinPointer } from '../json/pointer.ts';
import type { JsonValue } from '../json/value.ts';
import { type Baseline, baselineOf, defaultSeed } from './baseline.ts';
import { breakArray, breakObject } from './break-container.ts';
import { breakNumber, breakText } from './break-scalar.ts';
import { breakBranches, breakList, breakType } from './break-type.ts';
import { brokenRules } from './broken-rules.ts';
import type { Site } from './build-value.ts';
import { otherForms } from './forms.ts';
import {
  describePlace,
  distinctValues,
  type LabelledValue,
  moveLabelled,
} from './labelled-value.ts';
import { literalsOf } from './literals.ts';
import type { Mutation } from './mutation.ts';
import { rememberValues } from './remember-values.ts';

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

/**
 * The plain value with one violated rule at a time, at every place down to a bounded depth. All are
 * invalid under the schema and distinct; if several values violate the same rule, one that violates
 * no other is preferred. Outer places come first, and forms that the plain value does not have come
 * last. Empty if no valid value is found to start from. Deterministic for a seed.
 */
export function invalidValues(
  schema: Schema,
  direction: Direction,
  seed: string | number = defaultSeed,
): readonly LabelledValue[] {
  return remembered(schema, direction, seed);
}

const remembered = rememberValues('invalid', makeInvalidValues, moveLabelled);

function makeInvalidValues(
  schema: Schema,
  direction: Direction,
  seed: string | number,
): LabelledValue[] {
  const baseline = baselineOf(schema, direction, seed);
  if (baseline === undefined) return [];
  const own = baseline.sites.flatMap((site) =>
    mutationsAt(site, baseline).flatMap((mutation) => breakOne(mutation, { site, baseline })),
  );
  return distinctValues([
    ...own,
    ...otherForms(schema, baseline.value, direction).flatMap((form) =>
      brokenForm(form, { baseline, seed }),
    ),
  ]);
}

/** The invalid values of another form than that of the plain value, if no form accepts them. */
function brokenForm(
  form: Schema,
  {
    baseline: { schema, direction },
    seed,
  }: { readonly baseline: Baseline; readonly seed: string | number },
): LabelledValue[] {
  return invalidValues(form, direction, seed).filter(
    ({ at, value }) => at !== '' && !schema.accepts(value, direction),
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

function breakOne(
  mutation: Mutation,
  { site, baseline }: { readonly site: Site; readonly baseline: Baseline },
): LabelledValue[] {
  const { schema, direction } = baseline;
  const shows = ({ keyword }: SchemaIssue): boolean => mutation.keywords.includes(keyword);
  let best: Broken | undefined;
  for (const part of mutation.candidates) {
    const value = baseline.place(site.at, part);
    const issues = brokenRules(schema, value, direction);
    if (!issues.some((issue) => shows(issue) || composites.includes(issue.keyword))) continue;
    best ??= { part, value, issues };
    if (issues.length > 1 || !issues.some(shows)) continue;
    best = { part, value, issues };
    break;
  }
  if (best === undefined) return [];
  const at = mutation.member === undefined ? site.at : joinPointer(site.at, mutation.member);
  const shown = best.issues.find(
    (issue) => issue.keyword === mutation.keywords[0] && (issue.at === site.at || issue.at === at),
  );
  return [
    {
      value: best.value,
      label: `${describePlace(at)} ${mutation.says(best.part)}`,
      valueClass: mutation.valueClass,
      at,
      pointer: shown?.pointer ?? mutation.pointer,
    },
  ];
}
