import { wordsOf } from '../infer/infer-names.ts';
import type { Operation } from '../model/operation.ts';
import { sentencesOf } from './text.ts';

/** Whether a text names a field: `issuedOn`, or its words, the last of which may be plural. */
export function mentions(text: string, field: string): boolean {
  const words = wordsOf(field).join('[\\s_-]*');
  return new RegExp(`(^|[^\\w.])${words}(s|es)?($|[^\\w-])`, 'i').test(text);
}

const denials = new Set(['not', 'never', 'no', 'nothing', 'neither', 'without', 'except']);

/**
 * Whether an operation says something of a field, and not that it leaves it alone: `Takes the
 * quantities from the stock.`
 */
export function tellsOf({ summary = '', description = '' }: Operation, field: string): boolean {
  return [summary, description]
    .flatMap(sentencesOf)
    .some(
      (sentence) =>
        mentions(sentence, field) && !wordsOf(sentence).some((word) => denials.has(word)),
    );
}
