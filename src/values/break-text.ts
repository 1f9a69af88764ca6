import { splitPointer } from '../json/pointer.ts';
import type { Site } from './build-value.ts';
import { cutTo, lengthOf } from './code-points.ts';
import { describeValue } from './describe-value.ts';
import { formatTexts } from './format-texts.ts';
import { keywordPlace, type Mutation } from './mutation.ts';
import { textsOfLength } from './text-of-length.ts';
import { lengthsOf } from './text-value.ts';
import { placedTexts } from './view-keywords.ts';
import type { View } from './view.ts';

/** Of the ways to break a format, this many are shown. */
const mostBrokenFormats = 3;
/** Longer texts of one repeated character may make a pattern run away. */
const longestRepeated = 24;

/**
 * A text one code point too short or too long, one that its pattern does not match, and ones that
 * break its format.
 */
export function breakText({ view, value, at }: Site): Mutation[] {
  if (typeof value !== 'string') return [];
  return [
    ...breakLength(view, value, splitPointer(at).at(-1) ?? ''),
    ...breakPattern(view, value),
    ...breakFormat(view),
  ];
}

function breakLength(view: View, value: string, name: string): Mutation[] {
  const { min, max } = lengthsOf(view);
  const mutations: Mutation[] = [];
  if (min > 0) {
    const candidates = [...textsOfLength(view, min - 1, name), cutTo(value, min - 1)].filter(
      (text) => lengthOf(text) === min - 1,
    );
    mutations.push({
      valueClass: 'too-short',
      candidates,
      keywords: ['minLength'],
      says: () => `has ${counted(min - 1)}, fewer than ${min}`,
      pointer: keywordPlace(view, 'minLength'),
    });
  }
  if (max < Infinity) {
    const candidates = textsOfLength(view, max + 1, name);
    mutations.push({
      valueClass: 'too-long',
      candidates,
      keywords: ['maxLength'],
      says: () => `has ${counted(max + 1)}, more than ${max}`,
      pointer: keywordPlace(view, 'maxLength'),
    });
  }
  return mutations;
}

function counted(length: number): string {
  return `${length} ${length === 1 ? 'character' : 'characters'}`;
}

function breakPattern(view: View, value: string): Mutation[] {
  const length = lengthOf(value);
  const repeated =
    length > longestRepeated
      ? []
      : ['~', 'a', 'A', '1', ' ', 'é'].map((point) => point.repeat(Math.max(1, length)));
  const candidates = [
    `${value}!`,
    `!${value}`,
    replaceFirst(value, '~'),
    replaceFirst(value, 'é'),
    value.toUpperCase(),
    value.toLowerCase(),
    ` ${value}`,
    ...repeated,
    '',
  ];
  return placedTexts(view, 'pattern').map(({ value: pattern, pointer }) => ({
    valueClass: 'pattern-broken',
    candidates,
    keywords: ['pattern'],
    says: (text) => `is ${describeValue(text)}, which does not match ${pattern}`,
    pointer,
  }));
}

function replaceFirst(value: string, point: string): string {
  return point + Array.from(value).slice(1).join('');
}

function breakFormat(view: View): Mutation[] {
  return placedTexts(view, 'format').flatMap(({ value: format, pointer }) => {
    const texts = Object.hasOwn(formatTexts, format) ? (formatTexts[format]?.broken ?? []) : [];
    return texts.slice(0, mostBrokenFormats).map((text) => ({
      valueClass: 'format-broken' as const,
      candidates: [text],
      keywords: ['format'],
      says: () => `is ${describeValue(text)}, not a valid ${format}`,
      pointer,
    }));
  });
}
