import { wordsOf } from '../infer/infer-names.ts';
import type { Parameter } from '../model.ts';
import {
  determiners,
  effectOfVerb,
  isActing,
  isMaking,
  isReading,
  verbForms,
} from './effect-words.ts';
import { verbalityOf } from './verbality.ts';

/** Verbs by which a parameter says what an answer shows, and not what the service does. */
const selecting: ReadonlySet<string> = new Set([
  ...['allow', 'embed', 'exclude', 'expand', 'follow', 'group', 'hide', 'ignore', 'include'],
  ...['limit', 'omit', 'order', 'return', 'skip', 'sort'],
]);

/** What stands before the verb: `If true, clears the cache`, `Set to true to clear the cache`. */
const leadIn = new RegExp(
  '^(?:(?:if|when|whether)\\b[^,.;:]*?[,:]|set\\b[^,.;]*?\\bto \\S+ to|whether to|' +
    '(?:boolean|flag)\\b[^,.;]*?\\bto)\\s+',
  'i',
);

/**
 * Why a parameter of a safe method changes something, as a clause; undefined if nothing shows it.
 * Such a parameter is a flag that is named by an acting verb (`reset`, `clear_cache`), or explained
 * by one (`Set pause state`, `If true, clears the cache`).
 */
export function whyParameterActs({
  name,
  description = '',
  schema,
}: Parameter): string | undefined {
  const { node, types } = schema.flatten();
  const named = wordsOf(name);
  const [first = '', object] = named;
  const choices = types.join() === 'boolean' ? 2 : (node.enum?.length ?? 0);
  const sentence = /^[^.]*/.exec(description.replace(leadIn, ''))?.[0] ?? '';
  const [verb = '', second = ''] = wordsOf(sentence);
  // One of several choices acts if its name is the verb: `turn`, "Turn the light on or off".
  const isNamed = verbForms(verb).includes(first) && determiners.has(second);
  if (choices === 0 || (choices > 2 && !isNamed)) return undefined;
  const isCommand = object === undefined && isActing(first) && verbalityOf(first) !== 1;
  if (isCommand || effectOfVerb(first) === 'sweeps') return `its parameter is called ${name}`;
  return actsOn(wordsOf(sentence), named)
    ? `its parameter ${name} is explained as "${sentence.split(/\s+/).slice(0, 4).join(' ')}"`
    : undefined;
}

/** Whether a sentence about a parameter of that name begins with what the service does then. */
function actsOn([verb = '', second = '']: readonly string[], named: readonly string[]): boolean {
  const forms = verbForms(verb);
  const isSetting = verb === 'set' && (second === 'to' || second === 'this');
  if (isSetting || forms.some(isReading)) return false;
  const isVerb = (form: string): boolean => verbalityOf(form) >= 2 || determiners.has(second);
  const acts = forms.some((form) => isActing(form) && !isMaking(form) && isVerb(form));
  const isNamed = forms.some((form) => form === named[0] && isVerb(form) && !selecting.has(form));
  const forces = forms.includes('force') && (named.includes(second) || determiners.has(second));
  return acts || isNamed || forces;
}
