import type { JsonValue } from '../json/value.ts';
import type { Site } from './build-value.ts';
import { describeValue, describeValues } from './describe-value.ts';
import { literalsOf } from './literals.ts';
import { keywordPlace, type Mutation } from './mutation.ts';
import { valueKey } from './value-key.ts';
import { hasKeyword } from './view-keywords.ts';

/** A value that an `enum` or `const` does not list, and a listed one in the wrong case. */
export function breakList({ view }: Site): Mutation[] {
  const literals = (literalsOf(view) ?? []).map(({ value }) => value);
  if (literals.length === 0) return [];
  const isConst = hasKeyword(view, 'const');
  const shared = {
    keywords: [isConst ? 'const' : 'enum'],
    pointer: keywordPlace(view, isConst ? 'const' : 'enum'),
  };
  const says = (value: JsonValue): string =>
    `is ${describeValue(value)}, not ${literals.length === 1 ? '' : 'one of '}${describeValues(literals)}`;
  return [
    {
      ...shared,
      valueClass: isConst ? 'const-changed' : 'not-in-enum',
      candidates: [...literals.flatMap(nextTo), ...literals.flatMap(farFrom)],
      says,
    },
    { ...shared, valueClass: 'wrong-case', candidates: otherCases(literals), says },
  ];
}

/** Values of the same type that are likely not listed. */
function nextTo(value: JsonValue): JsonValue[] {
  if (typeof value === 'string') return ['unlisted'];
  if (typeof value === 'number') return [value + 1];
  if (typeof value === 'bigint') return [value + 1n];
  return typeof value === 'boolean' ? [!value] : [];
}

/** Values of the same type that are even less likely to be. */
function farFrom(value: JsonValue): JsonValue[] {
  if (typeof value === 'string') return ['not-listed-at-all'];
  return typeof value === 'number' ? [987654] : [];
}

function otherCases(literals: readonly JsonValue[]): string[] {
  const listed = new Set(literals.map(valueKey));
  const texts = literals.filter((value) => typeof value === 'string');
  const changed = texts.flatMap((text) => [
    text.toUpperCase(),
    text.toLowerCase(),
    text.slice(0, 1).toUpperCase() + text.slice(1),
  ]);
  return changed.filter((text) => !listed.has(valueKey(text)));
}
