import { wordsOf } from '../infer/infer-names.ts';
import type { Operation } from '../model/operation.ts';
import { sentencesOf } from './text.ts';

/** Whether a text names a field: `issuedOn`, or its words, the last of which may be plural. */
export function mentions(text: string, field: string): boolean {
  const words = wordsOf(field).join('[\\s_-]*');
  return new RegExp(`(^|[^\\w.])${words}(s|es)?($|[^\\w-])`, 'i').test(text);
}

const denials = new Set('not cannot never no nothing neither without except'.split(' '));

/** Whether a text leaves something out: `that are not closed`. */
export function denies(text: string): boolean {
  return wordsOf(text).some((word) => denials.has(word));
}

/**
 * Whether an operation says something of a field, and not that it leaves it alone: `Takes the
 * quantities from the stock.`
 */
export function tellsOf(operation: Operation, field: string): boolean {
  return sentencesOn(operation, field).length > 0;
}

const clearing = new Set('lose loses null nulled unset unlinked detached'.split(' '));

/** Whether a deletion says that it clears a field of others: `Sets their category to null.` */
export function clearsField(operation: Operation, field: string): boolean {
  return sentencesOn(operation, field).some((words) => words.some((word) => clearing.has(word)));
}

/** The words of each sentence that names a field and denies nothing. */
export function sentencesOn(
  { summary = '', description = '' }: Operation,
  field: string,
): (readonly string[])[] {
  return [summary, description]
    .flatMap(sentencesOf)
    .filter((sentence) => mentions(sentence, field))
    .map(wordsOf)
    .filter((words) => !words.some((word) => denials.has(word)));
}

/** The state that the texts of an operation name first: `A draft becomes sent`. */
export function firstStateNamed(
  operation: Operation,
  states: readonly unknown[],
): string | undefined {
  const text = `${operation.summary ?? ''} ${operation.description ?? ''}`;
  return states
    .filter((state): state is string => typeof state === 'string' && /^[\w -]+$/.test(state))
    .map((state) => ({ state, at: text.search(new RegExp(`(?<![\\w-])${state}(?![\\w-])`, 'i')) }))
    .filter(({ at }) => at !== -1)
    .toSorted((left, right) => left.at - right.at)[0]?.state;
}

/**
 * The sentences of an operation that name a status, each with the one before it, and those that
 * need one of several: `It has at least one of a, b and c`.
 */
export function sentencesBeside({ description = '' }: Operation, status: string): string[] {
  const sentences = sentencesOf(description);
  return sentences.flatMap((sentence, at) => {
    if (sentence.includes(status)) return [`${sentences[at - 1] ?? ''} ${sentence}`];
    return /^4(?:00|22)$/.test(status) && needsOne.test(sentence) ? [sentence] : [];
  });
}

const needsOne = /\b(?:at least|exactly) one of\b/i;
