import { singularOf, wordsOf } from '../infer/infer-names.ts';
import type { Operation } from '../model/operation.ts';
import { sentencesOf } from './text.ts';

/** The sentences of an operation that name a noun, as words. */
function sentencesOn({ summary = '', description = '' }: Operation, noun: string): string[][] {
  return [summary, description]
    .flatMap(sentencesOf)
    .map((sentence) => wordsOf(sentence))
    .filter((words) => words.some((word) => singularOf(word) === noun));
}

const joining = new Set('become becomes join joins joined added adds invited invites'.split(' '));

/** Whether an operation says that those whom it names come to what a noun names. */
export function joinsTo(operation: Operation, noun: string): boolean {
  return sentencesOn(operation, noun).some((words) => words.some((word) => joining.has(word)));
}

const callers = new Set('caller creator author owner requester'.split(' '));
const firsts = new Set('only first sole'.split(' '));

/** Whether a create says that the caller is the first of those: `The caller is its only member.` */
export function beginsWithCaller(create: Operation, noun: string): boolean {
  return sentencesOn(create, noun).some(
    (words) => words.some((word) => callers.has(word)) && words.some((word) => firsts.has(word)),
  );
}
