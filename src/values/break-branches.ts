import type { JsonValue } from '../json/value.ts';
import type { Baseline } from './baseline.ts';
import type { Site } from './build-value.ts';
import { describeValue } from './describe-value.ts';
import type { Mutation } from './mutation.ts';
import { plainValue } from './plain-value.ts';
import { placedSchemas } from './view-keywords.ts';

const matchless: readonly JsonValue[] = [
  { unexpected: true },
  'matches-no-branch',
  -987654.5,
  true,
  [],
  {},
];

/** A value that matches no branch of each `oneOf` or `anyOf`, and one that `not` rules out. */
export function breakBranches(site: Site, baseline: Baseline): Mutation[] {
  return [...matchNone(site), ...forbidden(site, baseline)];
}

function matchNone({ view }: Site): Mutation[] {
  const groups = view.groups.filter(({ keyword }) => keyword === 'oneOf' || keyword === 'anyOf');
  return groups.map(({ keyword, pointer }) => ({
    valueClass: 'no-branch',
    candidates: matchless,
    keywords: [keyword],
    says: (value) => `is ${describeValue(value)}, which matches no branch of ${keyword}`,
    pointer,
  }));
}

function forbidden({ view }: Site, { schema, direction, seed }: Baseline): Mutation[] {
  return placedSchemas(view, 'not').flatMap((place): Mutation[] => {
    const made = plainValue(schema.part(place), { seed, direction });
    if (!made.ok) return [];
    return [
      {
        valueClass: 'forbidden-value',
        candidates: [made.value],
        keywords: ['not'],
        says: (value) => `is ${describeValue(value)}, which is ruled out`,
        pointer: place.pointer,
      },
    ];
  });
}
