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

const leavingNoneOut = new Set(['the', 'its', 'all', 'of', 'a']);
