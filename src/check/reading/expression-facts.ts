import type { ExpressionFacts } from '../../contract/runtime-expression.ts';
import { parseTarget } from '../../http/target.ts';
import type { Step } from '../model/step.ts';
import { jsonOf } from './read-answer.ts';

/** The exchange of a step as runtime expressions read it; undefined without a response. */

export function factsOf({ exchange, sent, answer }: Step): ExpressionFacts | undefined {
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
