import { lastWord } from '../infer/conventions/path-styles.ts';
import { sentencesOf } from './text.ts';
import { plainName, singularOf, wordsOf } from '../infer/infer-names.ts';
import { belongsTo } from '../infer/infer-shown-twice.ts';
import type { Operation, Resource } from '../model.ts';
import { clausesOn, operationTexts } from './facts.ts';
import { sentencesOn } from './mentions.ts';
import { stateFieldsOf } from './read-states.ts';

/** Records that keep another one from being deleted, as the contract documents it with 409. */
export interface Dependents {
  readonly child: Resource;
  /** The states in which alone they do: `The customer has open invoices`. */
  readonly only?: { readonly field: string; readonly values: readonly string[] };
  /** Words leave some of them out that name no state: `The customer has unpaid invoices`. */
  readonly isOpen: boolean;
}

/**
 * What keeps the records of a resource from being deleted by an operation: the records that belong
 * to them, where a conflict is documented and the words around it name those.
 */
export function dependentsOf(
  operation: Operation,
  resource: Resource,
  resources: readonly Resource[],
): Dependents[] {
  return resources
    .filter((child) => child.collection !== resource.collection && refersTo(child, resource))
    .flatMap((child) => dependentsAmong(operation, resource, child) ?? []);
}

/** Whether the records of a resource stand below those of another, or name them or some of them. */
function refersTo(child: Resource, resource: Resource): boolean {
  return (
    belongsTo(child, resource) ||
    child.foreignKeys.some((key) => key.resource.collection === resource.collection)
  );
}

/** Words before a noun that leave none of what it means out. */
const leavingNoneOut = new Set(
  'a all an and any by has have having its no of or the their to with without'.split(' '),
);

/** `with its lines`, `and their lines`: what is deleted too prevents no deletion. */
function goesAlong(before: readonly string[]): boolean {
  const [joint = '', whose = ''] = before.slice(-2);
  return ['with', 'and', 'including'].includes(joint) && ['its', 'their', 'all'].includes(whose);
}

/** Whether a deletion says that the records of a resource go too: `With its reviews.` */
export function endsDependents(operation: Operation, child: Resource): boolean {
  return endsParts(operation, singularOf(lastWord(child.collectionPath)));
}

/** The same for what a noun names: `With its reviews.`, `Its replies are deleted with it.` */
export function endsParts(operation: Operation, noun: string): boolean {
  return someMention(
    operation,
    noun,
    (before, after) => goesAlong(before) || (isOwned(before) && isEnded(after)),
  );
}

const isOwned = (before: readonly string[]): boolean =>
  ['its', 'their', 'all'].includes(before.at(-1) ?? '');

/** `are deleted with it`, `will be removed as well`. */
function isEnded(after: readonly string[]): boolean {
  const [first = ''] = after;
  const place = after.findIndex((word) => ['deleted', 'removed'].includes(word));
  return (
    ['are', 'is', 'will', 'get'].includes(first) &&
    place >= 0 &&
    place <= 3 &&
    !after.slice(0, place).includes('not')
  );
}

/**
 * The state in which a deletion leaves the records of a resource that belong to what it deletes, if
 * it says so: `Its visits are cancelled`, `Also cancels any active subscriptions`.
 */
export function stateLeft(
  operation: Operation,
  { record, collectionPath }: Pick<Resource, 'record' | 'collectionPath'>,
): { readonly field: string; readonly value: string } | undefined {
  const noun = singularOf(lastWord(collectionPath));
  const told = sentencesOn(operation, noun);
  const states = stateFieldsOf(record).flatMap(({ field, values }) =>
    values
      .filter((value) => told.some((words) => bringsInto(words, value, noun)))
      .map((value) => ({ field, value })),
  );
  return states.length === 1 ? states[0] : undefined;
}

/** Whether a sentence has a state, or its verb, and not as a property of the noun behind it. */
function bringsInto(words: readonly string[], state: string, noun: string): boolean {
  const stem = state.toLowerCase().replace(/l?ed$/, '');
  return words.some(
    (word, at) =>
      stem.length > 3 && word.startsWith(stem) && singularOf(words[at + 1] ?? '') !== noun,
  );
}

/** Whether a list says that it leaves out what a noun names: `Without replies.` */
export function leavesOut(operation: Operation, noun: string): boolean {
  return someMention(operation, noun, (before) => {
    const [last = ''] = before
      .filter((word) => !['the', 'its', 'any', 'their'].includes(word))
      .slice(-1);
    return ['without', 'excluding', 'except'].includes(last);
  });
}

/** Whether a list says that something comes before what a noun names: `Then its replies.` */
export function beginsWithWhole(operation: Operation, noun: string): boolean {
  return someMention(operation, noun, (before) => {
    const words = before.filter((word) => !['the', 'its', 'all', 'their'].includes(word));
    const isBehind = words.at(-1) === 'then' || words.slice(-2).join(' ') === 'followed by';
    return isBehind && words.length > 2;
  });
}

/** Whether some sentence of an operation has a noun between words that fit. */
function someMention(
  { summary = '', description = '' }: Operation,
  noun: string,
  fits: (before: readonly string[], after: readonly string[]) => boolean,
): boolean {
  return [summary, description].flatMap(sentencesOf).some((sentence) => {
    const words = wordsOf(sentence);
    return words.some((_word, at) => {
      const size = sizeOf(words.slice(at), noun);
      return size !== undefined && fits(words.slice(0, at), words.slice(at + size));
    });
  });
}

/** Of how many words a noun is that they begin with: one, or two; undefined if they do not. */
function sizeOf(words: readonly string[], noun: string): number | undefined {
  const plain = plainName(noun);
  return [1, 2].find((length) => plainName(singularOf(words.slice(0, length).join(''))) === plain);
}

/** The same for a resource whose records are known to refer to what is deleted. */
export function dependentsAmong(
  operation: Operation,
  resource: Resource,
  child: Resource,
): Dependents | undefined {
  const { responses, summary = '', description = '' } = operation;
  const conflict = responses.find(({ status }) => status === '409');
  const invalid = ['400', '422'].flatMap((one) => clausesOn(one, operationTexts(operation)));
  // Where a conflict has the status of what is invalid, only what names that tells of it.
  const sentences =
    conflict === undefined
      ? invalid.flatMap((told) => (told.kind === 'stated' ? [] : [told.text]))
      : [summary, description, conflict.description].flatMap(sentencesOf);
  // An `order` is short for a `productOrder`, unless that is deleted.
  const [own, short] = [resource, child].map((one) => wordsOf(lastWord(one.collectionPath)).at(-1));
  const nouns = [lastWord(child.collectionPath), ...(own === short ? [] : [short ?? ''])];
  const found = nouns.map((noun) => mentionsIn(sentences, singularOf(noun))).find(isFilled) ?? [];
  if (found.length === 0) return undefined;
  const told = stateFieldsOf(child.record).map(({ field, values }) => ({
    field,
    values: values.filter((value) =>
      found.some((words) => ` ${words.join(' ')} `.includes(` ${wordsOf(value).join(' ')} `)),
    ),
  }));
  const only = told.find(({ values }) => isFilled(values));
  const isTurned = found.some((words) => words.some((word) => turning.has(word)));
  if (only !== undefined && !isTurned) return { child, only, isOpen: false };
  const isOpen = found.some(([before = 'the']) => !leavingNoneOut.has(before));
  return { child, isOpen: isOpen || only !== undefined };
}

const isFilled = (list: readonly unknown[]): boolean => list.length > 0;

/** Words that say when a record is not kept: `an order that is not completed`. */
const turning = new Set('not unless except until'.split(' '));

/** Where sentences have a noun, which may be two words: the word before it, and those behind. */
function mentionsIn(sentences: readonly string[], noun: string): (readonly string[])[] {
  return sentences.flatMap((sentence) => {
    const words = wordsOf(sentence);
    return words.flatMap((_word, at) => {
      const size = sizeOf(words.slice(at), noun);
      if (size === undefined || goesAlong(words.slice(0, at))) return [];
      return [[words[at - 1] ?? 'the', ...words.slice(at + size)]];
    });
  });
}
