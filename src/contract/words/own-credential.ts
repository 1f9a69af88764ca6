import { wordsOf } from '../infer/infer-names.ts';
import type { Operation } from '../model.ts';
import { isActing, isMaking } from './effect-words.ts';
import { verbalityOf } from './verbality.ts';

const password =
  /(?:password|passwd|passphrase|passcode|pwd|(?:change|reset|set)pw)s?$|^(?:pw|[mt]fa|2fa|totp)$/;
const issued = /^(?:tokens?|secrets?|credentials?|apikeys?)$|^(?:api|access|private)keys?$/;
const caller = /\/(?:me|my|self|user|profile|account|current)\/|(?:api|access|personal)[-_]?\w*s$/i;

/**
 * The words by which an operation that names no record changes what its caller logs in with: `its
 * path says "change-password"`. A token that is only handed out, as a login does, changes nothing.
 */
export function findOwnCredential({ id, path, method }: Operation): string | undefined {
  const parts = path.split('/').filter((part) => part !== '' && !part.startsWith('{'));
  const [last = ''] = parts.slice(-1);
  // `/api-key/rotate` is `/rotate-api-key`.
  const name = isVerbal(last) ? parts.slice(-2).join('-') : last;
  const names = [name, ...(id.includes(' ') ? [] : [id])];
  const at = names.findIndex((each) => {
    const words = wordsOf(each);
    const acts = [words[0], words.at(-1)].some((word = '') => isActing(word));
    // `password-reset` and `reset-password`, but not `password-policies`.
    const named = words.filter((word, index) => index < words.length - 1 || !isVerbal(word));
    const [before = '', end = ''] = named.length < 2 ? ['', ...named] : named.slice(-2);
    if (password.test(end)) return true;
    if (!issued.test(end) && !issued.test(before + end)) return false;
    return method !== 'POST' || (acts && !saysOnlyMaking(words)) || caller.test(path);
  });
  if (at === -1) return undefined;
  return at === 0 ? `its path says "${name}"` : `its operationId is ${id}`;
}

function isVerbal(word: string): boolean {
  return isActing(word) || verbalityOf(word) === 3;
}

function saysOnlyMaking(words: readonly string[]): boolean {
  return isMaking(words[0] ?? '') || isMaking(words.at(-1) ?? '');
}
