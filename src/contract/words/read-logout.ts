import { wordsOf } from '../infer/infer-names.ts';
import type { Operation } from '../model.ts';
import { operationTexts } from './facts.ts';

/**
 * Whether an operation ends the session of its caller and no other: it needs nothing but the
 * credential, its path or its name ends in the word, and no text of it speaks of several sessions.
 */
export function isLogout(operation: Operation): boolean {
  const { id, method, path, parameters, requestBody } = operation;
  const needsMore = parameters.some(({ required }) => required) || requestBody?.required === true;
  if (needsMore || (method !== 'POST' && method !== 'DELETE')) return false;
  const texts = operationTexts(operation).flatMap((told) =>
    told.kind === 'stated' ? [] : told.text,
  );
  return [path, id].some(endsInLogout) && !texts.some((text) => several.test(text));
}

const several = /\b(?:all|any|every\w*|other|others|each|sessions|devices)\b/i;

function endsInLogout(name: string): boolean {
  const words = wordsOf(name);
  return [words.at(-1), words.slice(-2).join('')].some((word = '') =>
    /^(?:log|sign)(?:out|off)$/i.test(word),
  );
}
