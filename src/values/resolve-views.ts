import { wordsIn } from '../words-in.ts';
import type { Schema } from '../contract/model.ts';
import { jsonTypes, type JsonType } from '../json/json-type.ts';
import { literalsOf } from './literals.ts';
import { type BranchGroup, hasKeyword, type Rules, type View, viewOf } from './view.ts';

/** The maximum number of combinations of branches: ten choices of ten would be ten billion. */
const maxViews = 64;

/**
 * Every way to take one branch of each `oneOf`, `anyOf` and `if`, in the order of the contract.
 * Impossible combinations are left out; those that allow only null come last.
 */
export function resolveViews(schema: Schema, rules: Rules): readonly View[] {
  if (latest?.schema !== schema) latest = { schema, resolved: new Map() };
  const place =
    rules.length === 1 ? (rules[0]?.pointer ?? '') : rules.map(({ pointer }) => pointer).join('\n');
  const known = latest.resolved.get(place);
  if (known !== undefined && isSame(known.rules, rules)) return known.views;
  const views = allViews(schema, rules);
  latest.resolved.set(place, { rules, views });
  return views;
}

/** A cache of the last schema, because a plan makes dozens of values of one schema in a row. */
let latest:
  | {
      readonly schema: Schema;
      readonly resolved: Map<string, { readonly rules: Rules; readonly views: readonly View[] }>;
    }
  | undefined;

function isSame(left: Rules, right: Rules): boolean {
  return (
    left.length === right.length && left.every(({ node }, index) => node === right[index]?.node)
  );
}

function allViews(schema: Schema, rules: Rules): View[] {
  const found: View[] = [];
  takeBranches(schema, viewOf(schema, rules), found);
  const onlyNull = (view: View): boolean => view.types.every((type) => type === 'null');
  return [...found.filter((view) => !onlyNull(view)), ...found.filter(onlyNull)];
}

function takeBranches(schema: Schema, view: View, found: View[]): void {
  if (found.length >= maxViews || !isPossible(view)) return;
  const group = view.groups.find(({ pointer }) => !view.taken.has(pointer));
  if (group === undefined) {
    found.push(view.with({ types: preferredTypes(view) }));
    return;
  }
  group.branches.forEach((_branch, index) =>
    takeBranches(schema, takeBranch(schema, view, group, index), found),
  );
}

function takeBranch(schema: Schema, view: View, group: BranchGroup, index: number): View {
  const taken = new Map(view.taken).set(group.pointer, index);
  const narrowed = viewOf(schema, [...view.rules, ...(group.branches[index] ?? [])]);
  // Within a form, its discriminator offers no further choice, but the choice is recorded.
  const closed = view.groups.filter(
    ({ pointer }) =>
      taken.has(pointer) && !narrowed.groups.some((other) => other.pointer === pointer),
  );
  return narrowed.with({ groups: [...narrowed.groups, ...closed], taken });
}

function isPossible(view: View): boolean {
  return view.never === undefined && view.types.length > 0 && literalsOf(view)?.length !== 0;
}

const typeKeywords: readonly [JsonType, readonly string[]][] = [
  [
    'object',
    wordsIn(
      'properties required additionalProperties patternProperties minProperties',
      'maxProperties',
    ),
  ],
  ['array', ['items', 'prefixItems', 'contains', 'minItems', 'maxItems', 'uniqueItems']],
  ['string', ['pattern', 'format', 'minLength', 'maxLength', 'x-faker']],
  ['number', ['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf']],
];

/**
 * The types of the values to make; if the contract lists none, those to which its keywords apply.
 */
function preferredTypes(view: View): readonly JsonType[] {
  if (hasKeyword(view, 'type') || literalsOf(view) !== undefined) return view.types;
  const spoken = typeKeywords
    .filter(([, keywords]) => keywords.some((keyword) => hasKeyword(view, keyword)))
    .map(([type]) => type);
  return spoken.length > 0 ? spoken : view.types;
}

/** Whether a view does not restrict the type of its values. */
export function isOpen(view: View): boolean {
  return view.types.length === jsonTypes.length - 1;
}

/**
 * Whether a view has none of the forms of its discriminator: a fallback if none of them is
 * possible.
 */
export function isFormless({ groups, taken }: View): boolean {
  return groups.some(
    ({ keyword, pointer, branches }) =>
      keyword === 'discriminator' && branches[taken.get(pointer) ?? -1]?.length === 0,
  );
}
