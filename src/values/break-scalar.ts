import { fromDecimal } from '../json/decimal.ts';
import { splitPointer } from '../json/pointer.ts';
import type { JsonValue } from '../json/value.ts';
import type { Site } from './build-value.ts';
import { cutTo, lengthOf } from './code-points.ts';
import { formatTexts } from './format-texts.ts';
import { describeValue } from './labelled-value.ts';
import { keywordPlace, type Mutation, present } from './mutation.ts';
import { type GridEnd, gridIndex, gridOf, gridValue, type NumberGrid } from './number-value.ts';
import { lengthsOf, textsOfLength } from './text-value.ts';
import { placedTexts, type View } from './view.ts';

/** The number of ways to violate a format that are used. */
const maxBrokenFormats = 3;
/**
 * The maximum length of a text of one repeated character, which can cause catastrophic backtracking
 * in a pattern.
 */
const longestRepeated = 24;

/**
 * Texts that are one code point too short or too long, violate the pattern, or violate the format.
 */
export function breakText({ view, value, at }: Site): Mutation[] {
  if (typeof value !== 'string') return [];
  return [
    ...breakLength(view, value, splitPointer(at).at(-1) ?? ''),
    ...breakPattern(view, value),
    ...withoutTls(view, value),
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
      says: () => `has ${countCharacters(min - 1)}, fewer than ${min}`,
      pointer: keywordPlace(view, 'minLength'),
    });
  }
  if (max < Infinity) {
    const candidates = textsOfLength(view, max + 1, name);
    mutations.push({
      valueClass: 'too-long',
      candidates,
      keywords: ['maxLength'],
      says: () => `has ${countCharacters(max + 1)}, more than ${max}`,
      pointer: keywordPlace(view, 'maxLength'),
    });
  }
  return mutations;
}

function countCharacters(length: number): string {
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
  const otherCase = [value.toUpperCase(), value.toLowerCase()].filter((text) => text !== value);
  return placedTexts(view, 'pattern').flatMap(({ value: pattern, pointer }) =>
    [candidates, otherCase, longerThan(pattern, value)]
      .filter((texts) => texts.length > 0)
      .map((texts) => ({
        valueClass: 'pattern-broken' as const,
        candidates: texts,
        keywords: ['pattern'],
        says: (text: JsonValue) => `is ${describeValue(text)}, which does not match ${pattern}`,
        pointer,
      })),
  );
}

/** A longer repetition would be a load test. */
const maxRepetition = 256;

/** Texts that grow until they are longer than a pattern with a bounded repetition allows. */
function longerThan(pattern: string, value: string): string[] {
  const bounds = [...pattern.matchAll(/\{\d+,(\d+)\}/g)].map(([, bound]) => Number(bound));
  const max = Math.max(0, ...bounds);
  const last = Array.from(value).at(-1);
  return max === 0 || max > maxRepetition || last === undefined
    ? []
    : Array.from({ length: max + 1 }, (_one, index) => value + last.repeat(index + 1));
}

/** A web address without TLS, where a pattern allows only those with it. */
function withoutTls(view: View, value: string): Mutation[] {
  if (!value.startsWith('https://')) return [];
  return placedTexts(view, 'pattern').map(({ value: pattern, pointer }) => ({
    valueClass: 'pattern-broken',
    candidates: [value.replace('https:', 'http:')],
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
    return texts.slice(0, maxBrokenFormats).map((text) => ({
      valueClass: 'format-broken' as const,
      candidates: [text],
      keywords: ['format'],
      says: () => `is ${describeValue(text)}, not a valid ${format}`,
      pointer,
    }));
  });
}

/**
 * A number just outside each bound, on an exclusive bound, beyond its format, and between two
 * multiples.
 */
export function breakNumber({ view, value }: Site): Mutation[] {
  if (typeof value !== 'number' && typeof value !== 'bigint') return [];
  const grid = gridOf(view, view.types.includes('number') ? 'number' : 'integer');
  if (grid === undefined) return [];
  return [
    ...present([grid.low, grid.high]).flatMap((end) => beyond(grid, end)),
    ...betweenMultiples(grid, view, value),
  ];
}

function beyond(grid: NumberGrid, end: GridEnd): Mutation[] {
  const isLow = end === grid.low;
  const outside = gridValue(grid, end.index + (isLow ? -1n : 1n));
  const shared = { keywords: [end.keyword], pointer: end.pointer };
  if (end.keyword === 'format') {
    return [
      {
        ...shared,
        valueClass: 'integer-overflow',
        candidates: present([outside]),
        says: (value) => `is ${describeValue(value)}, beyond its format`,
      },
    ];
  }
  const isExclusive = end.keyword.startsWith('exclusive');
  const side = `${isExclusive ? 'exclusive ' : ''}${isLow ? 'minimum' : 'maximum'}`;
  const bound = describeValue(end.bound);
  const further = isExclusive ? gridValue(grid, end.index + (isLow ? -2n : 2n)) : outside;
  const past: Mutation = {
    ...shared,
    valueClass: isLow ? 'below-minimum' : 'above-maximum',
    candidates: present([further]),
    says: (value) =>
      `is ${describeValue(value)}, ${isLow ? 'below' : 'above'} the ${side} of ${bound}`,
  };
  const on: Mutation = {
    ...shared,
    valueClass: 'on-exclusive-bound',
    candidates: [end.bound],
    says: () => `is ${bound}, the ${side} itself`,
  };
  return isExclusive ? [on, past] : [past];
}

function betweenMultiples(grid: NumberGrid, view: View, value: number | bigint): Mutation[] {
  const { multiple } = grid;
  if (multiple === undefined) return [];
  const indexes = present([
    gridIndex(grid, Number(value)),
    grid.low?.index,
    grid.high === undefined ? undefined : grid.high.index - 1n,
  ]);
  // Between integers there may be another integer; between hundredths only a finer fraction.
  const finer = view.types.includes('number') ? 1 : 0;
  const nudge = 10n ** BigInt(finer === 0 ? grid.digits : 0);
  const between = (index: bigint): JsonValue | undefined =>
    fromDecimal({
      units: index * grid.step * 10n ** BigInt(finer) + nudge,
      digits: grid.digits + finer,
    });
  return [
    {
      valueClass: 'not-a-multiple',
      candidates: present(indexes.map(between)),
      keywords: ['multipleOf'],
      says: (candidate) =>
        `is ${describeValue(candidate)}, not a multiple of ${describeValue(multiple.value)}`,
      pointer: multiple.pointer,
    },
  ];
}
