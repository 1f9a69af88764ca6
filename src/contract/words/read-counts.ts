import { singularOf, wordsOf } from '../infer/infer-names.ts';
import type { LocatedNode } from '../model/schema.ts';
import { factIn, fieldTexts } from './facts.ts';

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
