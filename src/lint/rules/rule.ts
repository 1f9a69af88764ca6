import type { Pointer } from '../../json/pointer.ts';
import type { LintContext } from '../lint-context.ts';
import type { LintSeverity } from '../lint-report.ts';

/** What a rule found: where, what is wrong, and what to write instead. */
export interface LintFault {
  readonly pointer: Pointer;
  /** One sentence. */
  readonly message: string;
  readonly hint: string;
}

/**
 * A rule of vouch's own about a contract. Pure; it reports every fault, and never throws for a bad
 * contract.
 */
export interface LintRule {
  /** `vouch/` and the rule kept. */
  readonly id: `vouch/${string}`;
  /** The severity unless the configuration gives another. */
  readonly severity: LintSeverity;
  /** Why it matters, in one sentence. */
  readonly reason: string;
  /** The page of the standard that says so. */
  readonly documentation?: string;
  inspect(context: LintContext): LintFault[];
}

/** A page of the OpenAPI specification, by its anchor. */
export function openApiPage(anchor: string): string {
  return `https://spec.openapis.org/oas/v3.1.1.html#${anchor}`;
}
