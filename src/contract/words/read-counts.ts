import { singularOf, wordsOf } from '../infer/infer-names.ts';
import { recordFields } from '../infer/record-fields.ts';
import type { Resource } from '../model.ts';
import type { LocatedNode } from '../model/schema.ts';
import { descriptionOf, factIn, fieldTexts } from './facts.ts';
import { denies } from './mentions.ts';
import { type NamedState, stateNamedIn } from './read-states.ts';

/** Whether a description says nothing that leaves some of the counted records out. */
export function countsAll(field: LocatedNode, noun: string): boolean {
  const texts = fieldTexts(field);
  if (texts.length === 0) return true;
  const words = wordsOf(factIn(texts, 'counts-all')?.value ?? '');
  const place = words.findIndex((word) => singularOf(word) === noun);
  return place >= 0 && words.slice(0, place).every((word) => leavingNoneOut.has(word));
}

/** Whether a description says that something else is counted, or that some are left out. */
export function countsOthers(field: LocatedNode, noun: string): boolean {
  const isSaid = factIn(fieldTexts(field), 'counts-all') !== undefined;
  return isSaid && !countsAll(field, noun);
}

const leavingNoneOut = new Set(['the', 'its', 'all', 'of', 'a']);

/** The only state that the description of a count names: `How many open tickets it has.` */
export function countedState(
  { record }: Pick<Resource, 'record'>,
  field: string,
  child: Pick<Resource, 'record'>,
): NamedState | undefined {
  const counting = recordFields(record).find(({ name }) => name === field);
  const text = counting === undefined ? '' : descriptionOf(counting.flat);
  return denies(text) ? undefined : stateNamedIn(text, child.record);
}
