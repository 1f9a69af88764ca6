import type { JsonValue } from '../json/value.ts';
import type { Baseline } from './baseline.ts';
import { itemCounts } from './build-array.ts';
import type { Site } from './build-value.ts';
import { keywordPlace, present, type Mutation } from './mutation.ts';
import { isArray } from './value-key.ts';
import { isFlagged } from './view-keywords.ts';

/** Arrays are filled beyond their most only up to this size. */
const largestArray = 1_000;

/** An array with one item too few or too many, and one with the same item twice. */
export function breakArray({ view, value, at }: Site, { pinned }: Baseline): Mutation[] {
  if (!isArray(value)) return [];
  const { min, max } = itemCounts(view);
  const sized = (size: number): JsonValue[] => present([pinned(at, { size }), resize(value, size)]);
  const mutations: (Mutation | undefined)[] = [
    min > 0
      ? {
          valueClass: 'too-few-items',
          candidates: sized(min - 1),
          keywords: ['minItems', 'contains'],
          says: () => `has ${counted(min - 1)}, fewer than ${min}`,
          pointer: keywordPlace(view, 'minItems', 'contains'),
        }
      : undefined,
    max < largestArray
      ? {
          valueClass: 'too-many-items',
          candidates: sized(max + 1),
          keywords: ['maxItems'],
          says: () => `has ${counted(max + 1)}, more than ${max}`,
          pointer: keywordPlace(view, 'maxItems'),
        }
      : undefined,
    isFlagged(view, 'uniqueItems')
      ? {
          valueClass: 'duplicate-items',
          candidates: duplicated(value, min),
          keywords: ['uniqueItems'],
          says: () => 'has the same item twice',
          pointer: keywordPlace(view, 'uniqueItems'),
        }
      : undefined,
  ];
  return present(mutations);
}

function counted(count: number): string {
  return `${count} ${count === 1 ? 'item' : 'items'}`;
}

function resize(items: readonly JsonValue[], size: number): JsonValue | undefined {
  const last = items.at(-1);
  if (items.length >= size) return items.slice(0, size);
  return last === undefined
    ? undefined
    : [...items, ...Array.from({ length: size - items.length }, () => last)];
}

function duplicated(items: readonly JsonValue[], min: number): JsonValue[] {
  const [first, ...rest] = items;
  if (first === undefined) return [];
  return [
    [first, first, ...rest],
    [first, first, ...rest.slice(1)],
    Array.from({ length: Math.max(2, min) }, () => first),
  ];
}
