import type { JsonObject } from '../../json/value.ts';
import { wantedOutcomes, type Intent } from '../model/case.ts';
import { textOf, wordOf } from './read-member.ts';

const kinds = ['valid', 'invalid', 'credential', 'method', 'missing', 'condition'] as const;
const places = ['path', 'query', 'header', 'cookie', 'body'] as const;
const choices = [
  'none',
  'empty',
  'wrong',
  'wrong-scheme',
  'prefix',
  'longer',
  'other-case',
] as const;

/** The credentials that a request may carry. */
export const credentials = ['given', ...choices] as const;

/**
 * What a request was sent for, read back member by member. Throws `Unreadable` where it says
 * something else.
 */
export function readIntent(intent: JsonObject): Intent {
  const at = (): string => textOf(intent['at'], 'intent');
  const kind = wordOf(intent['kind'], 'intent', kinds);
  switch (kind) {
    case 'valid':
      return {
        kind,
        rigour: wordOf(intent['rigour'], 'intent', ['plain', 'invented', 'exotic']),
        at: at(),
      };
    case 'invalid':
      return {
        kind,
        at: at(),
        rule: textOf(intent['rule'], 'intent'),
        part: wordOf(intent['part'], 'intent', places),
        subject: textOf(intent['subject'], 'intent'),
        accepted: wordOf(intent['accepted'], 'intent', ['error', 'warning', 'fine']),
        ...(intent['unreadable'] === true ? { unreadable: true } : {}),
      };
    case 'credential':
      return { kind, choice: wordOf(intent['choice'], 'intent', choices) };
    case 'method':
      return {
        kind,
        method: textOf(intent['method'], 'intent'),
        wanted: wordOf(intent['wanted'], 'intent', ['refused', 'like GET']),
      };
    case 'missing':
      return { kind, at: at(), rigour: wordOf(intent['rigour'], 'intent', ['plain', 'exotic']) };
    case 'condition':
      return { kind, at: at(), wanted: wordOf(intent['wanted'], 'intent', wantedOutcomes) };
  }
}
