import { actionOfWord } from '../infer/conventions/verb-styles.ts';
import { isReading } from '../words/effect-words.ts';

/** What a call does to records. `saves`: makes one, or changes the one that it names. */
export type Doing = 'shows' | 'makes' | 'saves' | 'changes' | 'removes';

const actions = {
  create: 'makes',
  replace: 'changes',
  update: 'changes',
  delete: 'removes',
} as const;

/**
 * What a verb in the name of a call does; undefined of other words. Takes lower case. Only verbs
 * of the closed list of those that read show something, since a run sends such calls for any
 * record: not `index`, `load` or `select`.
 */
export function doingOf(word: string): Doing | undefined {
  if (isReading(word) || showing.has(word)) return 'shows';
  if (/^(save|upsert|store)$/.test(word)) return 'saves';
  if (/^(erase|drop)$/.test(word)) return 'removes';
  const action = actionOfWord(word);
  return action === undefined || action === 'list' || action === 'read'
    ? undefined
    : actions[action];
}

/** Words that name what is shown where a verb stands: `/part/detail`. */
const showing: ReadonlySet<string> = new Set([
  'detail',
  'details',
  'getall',
  'info',
  'listall',
  'page',
  'paged',
]);

/** Whether a word is a verb behind a noun too: `partDelete`, `userList`, but not `cardSet`. */
export function endsNames(word: string): boolean {
  return ending.has(word);
}

const ending: ReadonlySet<string> = new Set(
  'add create delete detail details edit get info list page query remove save search update'.split(
    ' ',
  ),
);

/** Words beside a verb that say how many are meant, or by what: `getPartList`, `deleteOne`. */
export function isDecoration(word: string): boolean {
  return /^(all|batch|bulk|by|detail|details|id|ids|info|list|many|multiple|one|page|paged)$/.test(
    word,
  );
}

/** Whether a word before a verb says that it is done to several. */
export function isSeveral(word: string): boolean {
  return /^(batch|bulk|mass|multi)$/.test(word);
}
