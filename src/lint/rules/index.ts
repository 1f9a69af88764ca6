import { bodilessAnswer } from './bodiless-answer.ts';
import { bodilessRequest } from './bodiless-request.ts';
import { boundsOrdered } from './bounds-ordered.ts';
import { branchesCompatible } from './branches-compatible.ts';
import { dateReadable } from './date-readable.ts';
import { defaultValid } from './default-valid.ts';
import { directionSingle } from './direction-single.ts';
import { enumPossible } from './enum-possible.ts';
import { exampleValid } from './example-valid.ts';
import { gapRules } from './gaps.ts';
import { linkLeadsSomewhere } from './link-leads-somewhere.ts';
import { multiplePositive } from './multiple-positive.ts';
import { pathParameterRequired } from './path-parameter-required.ts';
import { pathTemplateUnique } from './path-template-unique.ts';
import { patternBounded } from './pattern-bounded.ts';
import { patternValid } from './pattern-valid.ts';
import { replacementExists } from './replacement-exists.ts';
import type { LintRule } from './rule.ts';

/** The faults that Redocly's rules miss. */
export const faultRules = [
  pathParameterRequired,
  pathTemplateUnique,
  defaultValid,
  enumPossible,
  boundsOrdered,
  multiplePositive,
  directionSingle,
  branchesCompatible,
  patternValid,
  patternBounded,
  exampleValid,
  linkLeadsSomewhere,
  replacementExists,
  dateReadable,
  bodilessAnswer,
  bodilessRequest,
] as const satisfies readonly LintRule[];

/** Every rule of vouch's own: faults first, then the kinds of gaps. */
export const rules: readonly LintRule[] = [...faultRules, ...gapRules];
