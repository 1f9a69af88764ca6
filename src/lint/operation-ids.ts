import { nearestWord } from '../nearest-word.ts';
import type { LintContext } from './lint-context.ts';

/** Every operationId that the document gives, webhooks and callbacks included. */
export function operationIds(context: LintContext): string[] {
  return context.nodes('operation').flatMap(({ value }) => {
    const id = value['operationId'];
    return typeof id === 'string' ? [id] : [];
  });
}

/** What to write where an operation is named that is not there. */
export function suggestOperation(id: string, ids: readonly string[]): string {
  const nearest = nearestWord(id, ids);
  if (nearest !== undefined) return `Did you mean ${nearest}?`;
  return ids.length === 0
    ? 'Give the operation that is meant an operationId.'
    : `Name one of its operations, such as ${ids.slice(0, 3).join(', ')}.`;
}
