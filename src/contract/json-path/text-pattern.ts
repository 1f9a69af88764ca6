import { jsonpath, type JSONPathQuery } from 'json-p3';
import { type LinearMatcher, makeLinearMatcher } from '../pattern/linear-matcher.ts';

const longestPattern = 1_000;

/**
 * A matcher for the pattern of `match()`, which covers the whole text, or of `search()`, in time
 * linear in the text. Undefined for a pattern that is not an I-Regexp (RFC 9485): it has no
 * look-arounds and no back references.
 */
export function makeTextPattern(source: string, whole: boolean): LinearMatcher | undefined {
  if (source.length > longestPattern) return undefined;
  const translated = source.replaceAll(pieces, (piece) => (piece === '.' ? '[^\\n\\r]' : piece));
  try {
    return makeLinearMatcher(new RegExp(whole ? `^(?:${translated})$` : translated, 'u'));
  } catch {
    return undefined;
  }
}

/** Escapes and classes, in which a point means itself, and points outside of them. */
const pieces = /\\.|\[(?:\\.|[^\]\\])*\]|\./gsu;

/** The first pattern of a query that is not an I-Regexp, as a clause. */
export function faultOfPatterns(query: JSONPathQuery): string | undefined {
  for (const call of callsIn(query)) {
    const pattern = call.args[1];
    if (pattern instanceof jsonpath.expressions.StringLiteral)
      if (makeTextPattern(pattern.value, call.name === 'match') === undefined)
        return `has the pattern ${pattern.value}, which is not an I-Regexp (RFC 9485)`;
  }
  return undefined;
}

/** The function calls of a query, those of queries in its filters included. */
function* callsIn(query: JSONPathQuery): Generator<jsonpath.expressions.FunctionExtension> {
  for (const { selectors } of query.segments)
    for (const selector of selectors)
      if (selector instanceof jsonpath.selectors.FilterSelector)
        yield* callsOf(selector.expression);
}

function* callsOf(
  expression: jsonpath.expressions.FilterExpression,
): Generator<jsonpath.expressions.FunctionExtension> {
  const { expressions } = jsonpath;
  if (expression instanceof expressions.LogicalExpression) yield* callsOf(expression.expression);
  else if (expression instanceof expressions.PrefixExpression) yield* callsOf(expression.right);
  else if (expression instanceof expressions.InfixExpression) {
    yield* callsOf(expression.left);
    yield* callsOf(expression.right);
  } else if (expression instanceof expressions.FilterQuery) yield* callsIn(expression.path);
  else if (expression instanceof expressions.FunctionExtension) {
    yield expression;
    for (const argument of expression.args) yield* callsOf(argument);
  }
}
