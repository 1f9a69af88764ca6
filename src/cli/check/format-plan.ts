import type { CheckPlan, PlannedRequest } from '../../check/check-target.ts';
import { cleanLine } from '../../text/safe-text.ts';

/** A plan as text: a line for each request, with its body below it where it has one. */
export function formatPlan(plan: CheckPlan): string {
  const head = `Plan for ${plan.target}: ${String(plan.requests.length)} requests, ${plan.mode}, seed ${plan.seed}. Nothing is sent.`;
  const skipped = plan.skipped.map(({ operation, reason }) => `skipped ${operation.method} ${operation.path}: ${reason}`);
  return `${[head, ...skipped, '', ...plan.requests.map(formatRequest)].join('\n')}\n`;
}

function formatRequest(request: PlannedRequest): string {
  const body = request.body === undefined ? '' : `\n${' '.repeat(10)}${cleanLine(request.body).slice(0, 200)}`;
  return `${request.phase.padEnd(9)} ${request.method} ${cleanLine(request.url).slice(0, 300)}  # ${cleanLine(request.title)}${body}`;
}
