import type { Pointer } from '../../json/pointer.ts';
import type { LintContext } from '../lint-context.ts';
import type { LintSeverity } from '../lint-report.ts';

/** The result of a rule: the place, the problem, and what to write instead. */
export interface LintFault {
  readonly pointer: Pointer;
  /** One sentence. */
  readonly message: string;
  readonly hint: string;
}

/**
 * A rule of vouch for contracts. Pure; it reports every problem, and never throws for an invalid
 * contract.
 */
export interface LintRule {
  /** `vouch/` and the rule. */
  readonly id: `vouch/${string}`;
  /** The severity, unless the configuration sets another. */
  readonly severity: LintSeverity;
  /** Why it matters, in one sentence. */
  readonly reason: string;
  /** The page of the standard that requires it. */
  readonly documentation?: string;
  inspect(context: LintContext): LintFault[];
}

/** A page of the OpenAPI specification, by its anchor. */
export function openApiPage(anchor: string): string {
  return `https://spec.openapis.org/oas/v3.1.1.html#${anchor}`;
}
