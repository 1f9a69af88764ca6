import type { Schema } from '../../contract/model.ts';
import type { ValueResult } from '../../values/plain-value.ts';
import type { FaultIssue } from './fault.ts';

/** What an error body can tell, in whatever words its schema has. */
export interface ErrorFacts {
  readonly status: number;
  /** The word for machines. */
  readonly code: string;
  /** The name of the status: `Bad Request`. */
  readonly title: string;
  readonly message: string;
  /** The path that was asked for, without the query. */
  readonly instance: string;
  readonly now: Date;
  readonly issues: readonly FaultIssue[];
  /** The part of the request that is meant, where the facts are those of one issue. */
  readonly issue?: FaultIssue;
  /** A value for what the facts say nothing of. */
  readonly fill: (schema: Schema) => ValueResult;
}

/** The facts as one issue tells them. */
export function factsOfIssue(facts: ErrorFacts, issue: FaultIssue): ErrorFacts {
  return { ...facts, code: issue.rule, message: issue.message, issues: [], issue };
}
