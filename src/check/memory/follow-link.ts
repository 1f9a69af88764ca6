import { evaluateExpression, type ExpressionFacts } from '../../contract/runtime-expression.ts';
import { parseTarget } from '../../http/query.ts';
import type { JsonValue } from '../../json/value.ts';
import { jsonOf } from '../evidence/answer/read-answer.ts';
import type { Source } from '../model/request-template.ts';
import type { Step } from '../model/step.ts';

/**
 * What a link's expression comes to on the last (or the first) of the earlier exchanges of its
 * operation; undefined where that has nothing there.
 */
export function followLink(
  { operation, expression, first }: Extract<Source, { kind: 'link' }>,
  earlier: readonly Step[],
): JsonValue | undefined {
  const own = earlier.filter((candidate) => candidate.case.operation.id === operation);
  const step = first === true ? own[0] : own.at(-1);
  const facts = step && factsOf(step);
  const value = facts && evaluateExpression(expression, facts);
  // A parameter takes no null, and nothing has no name.
  return value === null || value === '' ? undefined : value;
}

function factsOf({ exchange, sent, answer }: Step): ExpressionFacts | undefined {
  const { request, response, baseUrl } = exchange;
  if (response === undefined) return undefined;
  const target = parseTarget(request.target);
  const path = [...sent.arguments]
    .filter(([parameter]) => parameter.in === 'path')
    .map(([{ name }, value]) => [name, String(value)] as const);
  return {
    url: `${new URL(baseUrl).origin}${request.target}`,
    method: request.method,
    request: {
      headers: request.headers,
      query: target.ok ? target.query : [],
      path: new Map(path),
      body: sent.body,
    },
    response: { status: response.status, headers: response.headers, body: jsonOf(answer) },
  };
}
