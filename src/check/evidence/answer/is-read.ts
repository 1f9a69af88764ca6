import type { Answer, Step } from '../../model/step.ts';

/** Whether a whole response came and its body could be read. */
export function isRead({ exchange, answer }: Pick<Step, 'exchange' | 'answer'>): boolean {
  return exchange.response !== undefined && !isHidden(answer);
}

/** Whether a content coding or a charset hides what the body says. */
export function isHidden(answer: Answer): boolean {
  return answer.kind === 'unreadable' && answer.content !== undefined;
}
