import {
  bodilessAnswer,
  bodilessRequest,
  linkLeadsSomewhere,
  pathParameterRequired,
  pathTemplateUnique,
  replacementExists,
} from './operations.ts';
import {
  boundsOrdered,
  branchesCompatible,
  dateReadable,
  defaultValid,
  directionSingle,
  enumPossible,
  multiplePositive,
} from './schemas.ts';
import { exampleValid } from './example-valid.ts';
import { gapRules } from './gaps.ts';
import { patternBounded, patternValid } from './pattern-bounded.ts';
import type { LintRule } from './rule.ts';

/** The problems that Redocly's rules miss. */
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

/** Every rule of vouch: problems first, then the kinds of gaps. */
export const rules: readonly LintRule[] = [...faultRules, ...gapRules];
