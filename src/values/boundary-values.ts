import { joinPointer, type Pointer, splitPointer, valueAt } from '../json/pointer.ts';
import { isJsonObject, withoutMembers } from '../json/value.ts';
import { type Baseline, isValid, placeValue } from './baseline.ts';
import { itemCounts } from './build-array.ts';
import type { Site } from './build-value.ts';
import type { CandidateValue } from './candidate-value.ts';
import { asCandidate, cacheCandidates, judgedOnce } from './candidate-value.ts';
import { typeOf } from '../json/json-type.ts';
import { describePlace, describeValue, type LabelledValue } from './labelled-value.ts';
import { exhibitsOf, literalsOf } from './literals.ts';
import { edge, type Edge, propertyPlace } from './mutation.ts';
import { plainValue } from './plain-value.ts';
import { numberEdges, textEdges } from './scalar-edges.ts';
import { greatest, hasKeyword, least, placedAnything, requiredOf, type View } from './view.ts';

const cached = cacheCandidates({
  names: { candidates: 'edges', values: 'boundary' },
  own: (baseline) => [
    ...baseline.sites.flatMap((site) => edgesAt(site, baseline)),
    ...baseline.sites.flatMap((site) => missingAt(site, baseline)),
    ...wholeValues(baseline).map(asCandidate),
  ],
  counts: isValid,
});

/**
 * The plain value moved to every edge of its schema, one place at a time: bounds, lengths in code
 * points, enum values, formats, types, branches, omitted optional members. All are valid and
 * distinct; outer places come first. Empty if no valid value is found. Deterministic for a seed.
 */
export const boundaryValues = cached.values;

/** The same values before the schema validates them, for callers that need a few of them. */
export const boundaryCandidates = cached.candidates;

function edgesAt(site: Site, baseline: Baseline): CandidateValue[] {
  return siteEdges(site, baseline).flatMap(({ candidates, valueClass, says, pointer }) => {
    const { at } = site;
    const made = candidates.map((part) => {
      const value = baseline.place(at, part);
      return judgedOnce({ valueClass, at, value }, () => {
        if (!isValid(value, baseline)) return undefined;
        return { value, label: `${describePlace(at)} ${says(part)}`, valueClass, at, pointer };
      });
    });
    return made.length < 2
      ? made
      : made.filter((candidate) => candidate.judge() !== undefined).slice(0, 1);
  });
}

/** The fullest value without each optional member. */
function missingAt({ at, view }: Site, baseline: Baseline): CandidateValue[] {
  const value = valueAt(baseline.full, at);
  if (!isJsonObject(value)) return [];
  const required = requiredOf(view);
  return Object.keys(value).flatMap((name) => {
    // What only an example has is not optional: the contract says nothing of it.
    const isDeclared = view.facets.some(({ node }) => Object.hasOwn(node.properties ?? {}, name));
    if (required.has(name) || !isDeclared) return [];
    const without = placeValue(
      { base: baseline.full, full: baseline.full, at },
      withoutMembers(value, name),
    );
    const place = joinPointer(at, name);
    const missing = { value: without, valueClass: 'optional-missing' as const, at: place };
    return judgedOnce(missing, () => {
      if (!isValid(without, baseline)) return undefined;
      const pointer = propertyPlace(view, name);
      return { ...missing, label: `${describePlace(place)} is left out`, pointer };
    });
  });
}

function wholeValues({ schema, direction, full, seed }: Baseline): LabelledValue[] {
  const only = plainValue(schema, { seed, direction, required: 'only' });
  const whole = { at: '', pointer: schema.pointer };
  if (!isJsonObject(full)) return [];
  return [
    ...(only.ok
      ? [
          {
            ...whole,
            value: only.value,
            label: 'the value has required members only',
            valueClass: 'required-only' as const,
          },
        ]
      : []),
    {
      ...whole,
      value: full,
      label: 'the value has every optional member',
      valueClass: 'all-optional' as const,
    },
  ];
}

/** The maximum size up to which arrays and objects are filled. */
const largestSize = 200;

/** The edges of one place in a value. The caller validates the whole value. */
function siteEdges(site: Site, baseline: Baseline): Edge[] {
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
    return edge(valueClass, bound.pointer, {
      candidates: [pinned(at, { size })],
      says: (value) => `has ${isJsonObject(value) ? Object.keys(value).length : size} properties`,
    });
  });
}

/** Each other type that the contract allows for the place. */
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

/** Each other branch that the contract allows for the place. */
function branchEdges({ view, at }: Site, { pinned }: Baseline): Edge[] {
  return view.groups.flatMap((group) =>
    group.branches.flatMap((rules, branch) => {
      // With a discriminator, the branch without a name in the mapping is only a fallback.
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
      return edge(made === null ? 'null' : 'branch', pointer, {
        candidates: [made],
        says: (part) => `is ${describeValue(part)}, of ${branchWords}`,
      });
    }),
  );
}
