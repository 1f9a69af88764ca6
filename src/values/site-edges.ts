import { type Pointer, splitPointer } from '../json/pointer.ts';
import { isJsonObject } from '../json/value.ts';
import type { Baseline } from './baseline.ts';
import { itemCounts } from './build-array.ts';
import type { Site } from './build-value.ts';
import { edge, type Edge } from './mutation.ts';
import { typeOf } from './json-type.ts';
import { describeValue } from './labelled-value.ts';
import { exhibitsOf, literalsOf } from './literals.ts';
import { numberEdges, textEdges } from './scalar-edges.ts';
import { greatest, hasKeyword, least, placedAnything } from './view-keywords.ts';
import type { View } from './view.ts';

/** Arrays and objects are filled to their most only up to this size. */
const largestSize = 200;

/**
 * Every valid edge of one place in a value. Whether it is valid there, the schema of the whole
 * value has to say.
 */
export function siteEdges(site: Site, baseline: Baseline): Edge[] {
  const isListed = literalsOf(site.view) !== undefined;
  return [
    ...literalEdges(site.view),
    ...(isListed ? [] : edgesOfType(site, baseline)),
    ...typeEdges(site, baseline),
    ...branchEdges(site, baseline),
  ];
}

function edgesOfType(site: Site, baseline: Baseline): Edge[] {
  const { view, value, at } = site;
  switch (typeOf(value)) {
    case 'string':
      return textEdges(view, splitPointer(at).at(-1) ?? '');
    case 'number':
    case 'integer':
      return numberEdges(view, view.types.includes('number') ? 'number' : 'integer');
    case 'boolean':
      return booleanEdges(view);
    case 'array':
      return arrayEdges(site, baseline);
    case 'object':
      return objectEdges(site, baseline);
    case 'null':
      return [];
  }
}

function literalEdges(view: View): Edge[] {
  const defaults = new Set(placedAnything(view, 'default').map(({ pointer }) => pointer));
  const shown = exhibitsOf(view).map(({ value, pointer }) => {
    const isDefault = defaults.has(pointer);
    return edge(isDefault ? 'default-value' : 'example', pointer, {
      candidates: [value],
      says: () => `is ${describeValue(value)}, ${isDefault ? 'the default' : 'an example'}`,
    });
  });
  const values = (literalsOf(view) ?? []).filter(({ pointer }) => !pointer.endsWith('/const'));
  return [
    ...shown,
    ...values.map(({ value, pointer }) =>
      edge('enum-value', pointer, {
        candidates: [value],
        says: () => `is ${describeValue(value)}`,
      }),
    ),
  ];
}

function booleanEdges(view: View): Edge[] {
  const pointer = view.facets[0]?.pointer ?? '';
  return [true, false].map((flag) =>
    edge('boolean-value', pointer, { candidates: [flag], says: () => `is ${flag}` }),
  );
}

function arrayEdges({ view, at }: Site, { pinned }: Baseline): Edge[] {
  const { min, max } = itemCounts(view);
  const lower = greatest(view, 'minItems')?.pointer ?? view.facets[0]?.pointer ?? '';
  const upper = least(view, 'maxItems')?.pointer;
  const ofSize = (size: number, valueClass: Edge['valueClass'], pointer: Pointer): Edge =>
    edge(valueClass, pointer, {
      candidates: [pinned(at, { size })],
      says: () => `has ${size} ${size === 1 ? 'item' : 'items'}`,
    });
  const most =
    upper === undefined
      ? [ofSize(Math.max(min, 2), 'several-items', lower)]
      : max <= largestSize
        ? [ofSize(max, 'most-items', upper)]
        : [];
  return [ofSize(min, 'fewest-items', lower), ...most];
}

function objectEdges({ view, at }: Site, { pinned }: Baseline): Edge[] {
  const keywords = [
    ['fewest-properties', greatest(view, 'minProperties')],
    ['most-properties', least(view, 'maxProperties')],
  ] as const;
  return keywords.flatMap(([valueClass, bound]) => {
    const size = Number(bound?.value ?? Infinity);
    if (bound === undefined || size > largestSize) return [];
    return [
      edge(valueClass, bound.pointer, {
        candidates: [pinned(at, { size })],
        says: (value) => `has ${isJsonObject(value) ? Object.keys(value).length : size} properties`,
      }),
    ];
  });
}

/** Each other type that the contract names for the place. */
function typeEdges({ view, value, at }: Site, { pinned }: Baseline): Edge[] {
  const pointer = placedAnything(view, 'type')[0]?.pointer;
  if (pointer === undefined || !hasKeyword(view, 'type')) return [];
  const own = typeOf(value);
  return view.types
    .filter((type) => type !== own && !(type === 'number' && own === 'integer'))
    .map((type) => {
      const made = type === 'null' ? null : pinned(at, { type });
      return edge(type === 'null' ? 'null' : 'type', pointer, {
        candidates: [made],
        says: (part) => `is ${describeValue(part)}, of type ${type}`,
      });
    });
}

/** Each other branch that the contract offers for the place. */
function branchEdges({ view, at }: Site, { pinned }: Baseline): Edge[] {
  return view.groups.flatMap((group) =>
    group.branches.flatMap((rules, branch) => {
      // A discriminator names the forms that there are; the one that it does not name is no more
      // than a way out.
      if (
        view.taken.get(group.pointer) === branch ||
        (group.keyword === 'discriminator' && rules.length === 0)
      )
        return [];
      const pointer = group.keyword === 'if' ? group.pointer : (rules[0]?.pointer ?? group.pointer);
      const made = pinned(at, { group: group.pointer, branch });
      const branchWords =
        group.keyword === 'discriminator'
          ? `the form ${splitPointer(pointer).at(-1) ?? ''}`
          : `branch ${branch + 1} of ${group.keyword}`;
      return [
        edge(made === null ? 'null' : 'branch', pointer, {
          candidates: [made],
          says: (part) => `is ${describeValue(part)}, of ${branchWords}`,
        }),
      ];
    }),
  );
}
