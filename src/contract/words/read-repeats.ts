import { singularOf } from '../infer/infer-names.ts';
import type { Operation } from '../model/operation.ts';
import type { Schema } from '../model/schema.ts';
import { type Fact, factsIn, fieldTexts, operationTexts } from './facts.ts';

/** A member of a body that marks repetitions of a request: `idempotency_key`. */
export interface RepeatKey {
  readonly name: string;
  readonly fact: Fact;
}

/**
 * The texts of a body that mark repetitions of a request, as their descriptions say, or sentences
 * of the operation that name them: `A repetition with the same client_token is ignored.` The record
 * need not show them.
 */
export function repeatKeys(operation: Operation, schema: Schema): RepeatKey[] {
  return [...schema.flatten().properties].flatMap(([name, place]): RepeatKey[] => {
    const flat = schema.flatten(place);
    const isText = flat.types.join() === 'string' && flat.node.enum === undefined;
    const isMark = flat.node.format === 'uuid' || /(?:id|key|token)$/i.test(name);
    const own = [place, flat].flatMap((one) => factsIn(fieldTexts(one), 'answers-as-first'));
    const named = factsIn(operationTexts(operation), 'answers-as-first').filter(({ sentence }) =>
      sentence.split(/[^\w-]+/).includes(name),
    );
    const [fact] = [...own, ...named];
    return isText && isMark && fact !== undefined ? [{ name, fact }] : [];
  });
}

/** Whether a fact holds within each record of a noun alone: `in the channel`, `per project`. */
export function isWithin({ sentence }: Fact, noun: string): boolean {
  const within = /\b(?:within|in|inside|per|for) (?:(?:the|an?|one|each|same|its) )*([a-z]+)/gi;
  return [...sentence.matchAll(within)].some(
    ([, word = '']) => singularOf(word) === singularOf(noun),
  );
}
