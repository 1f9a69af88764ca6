import { JSONPathEnvironment, JSONPathError, type JSONPathQuery } from 'json-p3';
import type { JsonValue } from '../../json/value.ts';
import type { WorkBudget } from '../../json/work-budget.ts';
import type { PathNode } from './path-node.ts';
import { QueryRun } from './query-run.ts';
import { faultOfPatterns } from './text-pattern.ts';

/** A JSONPath query (RFC 9535), parsed. */
export interface JsonPath {
  /**
   * What it selects, in the order of the RFC; one value more than once where the query says so.
   * Spends from the budget, and throws `WorkBudgetExceeded` where it is not enough.
   */
  select(value: JsonValue, budget: WorkBudget): readonly PathNode[];
}

/** Why a text is not a JSONPath, as a clause. */
export interface JsonPathFault {
  readonly fault: string;
}

const longestQuery = 4_000;

/** Parses a JSONPath; the result may be a fault. Never throws. */
export function parseJsonPath(text: string): JsonPath | JsonPathFault {
  if (text.length > longestQuery)
    return { fault: `has more than ${String(longestQuery)} characters` };
  let query: JSONPathQuery;
  try {
    query = new JSONPathEnvironment().compile(text);
  } catch (cause) {
    return { fault: `is not a JSONPath of RFC 9535${reasonOf(cause)}` };
  }
  const fault = faultOfPatterns(query);
  if (fault !== undefined) return { fault };
  return { select: (value, budget) => new QueryRun(value, budget).select(query) };
}

/** Where the parser stops. */
function reasonOf(cause: unknown): string {
  return cause instanceof JSONPathError ? ` at character ${String(cause.token.index + 1)}` : '';
}
