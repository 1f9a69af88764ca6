import type { Schema } from '../contract/model.ts';
import { jsonTypes, type JsonType } from './json-type.ts';
import { literalsOf } from './literals.ts';
import { hasKeyword } from './view-keywords.ts';
import { viewOf, type BranchGroup, type Rules, type View } from './view.ts';

/**
 * Combinations of branches beyond this number are not looked at: a schema with ten choices of ten
 * has ten thousand million.
 */
const maxViews = 64;

/**
 * Every way to take one branch of each `oneOf`, `anyOf` and `if`, in the order in which the
 * contract names them; those that no value can keep are left out, those that only null keeps come
 * last.
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

/**
 * The schema of which values were made last: a plan makes dozens of one schema, one after the
 * other.
 */
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
    found.push({ ...view, types: preferredTypes(view) });
    return;
  }
  group.branches.forEach((_branch, index) =>
    takeBranches(schema, takeBranch(schema, view, group, index), found),
  );
}

function takeBranch(schema: Schema, view: View, group: BranchGroup, index: number): View {
  const taken = new Map(view.taken).set(group.pointer, index);
  const narrowed = viewOf(schema, [...view.rules, ...(group.branches[index] ?? [])]);
  // Where a form is looked at, its discriminator leaves nothing open any more; that it did is still
  // to be seen.
  const closed = view.groups.filter(
    ({ pointer }) =>
      taken.has(pointer) && !narrowed.groups.some((other) => other.pointer === pointer),
  );
  return { ...narrowed, groups: [...narrowed.groups, ...closed], taken };
}

function isPossible(view: View): boolean {
  return view.never === undefined && view.types.length > 0 && literalsOf(view)?.length !== 0;
}

const typeKeywords: readonly [JsonType, readonly string[]][] = [
  [
    'object',
    [
      'properties',
      'required',
      'additionalProperties',
      'patternProperties',
      'minProperties',
      'maxProperties',
    ],
  ],
  ['array', ['items', 'prefixItems', 'contains', 'minItems', 'maxItems', 'uniqueItems']],
  ['string', ['pattern', 'format', 'minLength', 'maxLength', 'x-faker']],
  ['number', ['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf']],
];

/**
 * The types of the values to make: where the contract names none, those of which its keywords
 * speak.
 */
function preferredTypes(view: View): readonly JsonType[] {
  if (hasKeyword(view, 'type') || literalsOf(view) !== undefined) return view.types;
  const spoken = typeKeywords
    .filter(([, keywords]) => keywords.some((keyword) => hasKeyword(view, keyword)))
    .map(([type]) => type);
  return spoken.length > 0 ? spoken : view.types;
}

/** Whether a view says nothing of the type of its values. */
export function isOpen(view: View): boolean {
  return view.types.length === jsonTypes.length - 1;
}

/**
 * Whether a view has none of the forms that its discriminator names: it is no more than a way out
 * where none of them can be kept.
 */
export function isFormless({ groups, taken }: View): boolean {
  return groups.some(
    ({ keyword, pointer, branches }) =>
      keyword === 'discriminator' && branches[taken.get(pointer) ?? -1]?.length === 0,
  );
}
