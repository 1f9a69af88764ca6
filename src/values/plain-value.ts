import type { Direction, Schema, SchemaIssue } from '../contract/model.ts';
import { joinPointer, type Pointer, splitPointer, valueAt } from '../json/pointer.ts';
import type { JsonValue } from '../json/value.ts';
import type { BuildOrders, Pin } from './build-orders.ts';
import { type Site, ValueBuilder } from './build-value.ts';
import { shareAmongAlike } from './share-values.ts';
import { requiredOf } from './view-keywords.ts';
import { viewOf } from './view.ts';

/**
 * `required: 'only'` gives required members alone, `'all'` every optional one too; without it those
 * that a person would fill in.
 */
export interface PlainValueOptions extends ValueOptions {
  readonly required?: 'all' | 'only';
  /** The name of the field that the value is for: it says what people write there. */
  readonly name?: string;
  /** Keeps the whole value to one branch of a group, as far as it goes. */
  readonly pin?: Pin;
}

/**
 * The value that a person would send: what the contract shows (example, default, const, enum)
 * first, then what names and formats suggest. Always valid, or a reason that names the rule which
 * could not be kept. The same seed gives the same value.
 */
export function plainValue(schema: Schema, options: PlainValueOptions): ValueResult {
  const { direction, required = '', seed, name = '', pin } = options;
  if (pin !== undefined) return findPlain(schema, options);
  // A reason names places of its own schema.
  return shareAmongAlike(schema, `plain ${direction} ${required} ${seed}\n${name}`, {
    make: () => findPlain(schema, options),
    move: (made) => (made.ok ? made : findPlain(schema, options)),
  });
}

function findPlain(
  schema: Schema,
  { direction, required, seed, name, pin }: PlainValueOptions,
): ValueResult {
  const found = findValue({
    schema,
    direction,
    required,
    seed: String(seed),
    name,
    pins: new Map(pin === undefined ? [] : [['', pin]]),
  });
  return found.ok ? { ok: true, value: found.value } : found;
}

/**
 * A value that keeps its schema, or the reason why none was found: the schema's pointer, the
 * keyword, the rule.
 */
export type ValueResult =
  | { readonly ok: true; readonly value: JsonValue }
  | { readonly ok: false; readonly reason: string };

/** What every maker of values is told: the same seed gives the same value. */
export interface ValueOptions {
  readonly seed: string | number;
  readonly direction: Direction;
}

/** A valid value with every place that was filled, or the reason why none was found. */
type Found =
  | { readonly ok: true; readonly value: JsonValue; readonly sites: ReadonlyMap<Pointer, Site> }
  | { readonly ok: false; readonly reason: string };

/** What to find. */
export type FindOrders = Omit<BuildOrders, 'picks' | 'omitted'>;

const maxRounds = 200;

/**
 * Makes values until the schema finds nothing to object to. An objection moves on the place that it
 * names: to its next alternative, or out of the value where it is optional, or to the next
 * alternative of what is around it.
 */
export function findValue(orders: FindOrders): Found {
  const search: Search = { picks: new Map(), omitted: new Set() };
  let reason = '';
  for (let round = 0; round < maxRounds; round += 1) {
    const builder = new ValueBuilder({ ...orders, ...search });
    const value = builder.buildRoot();
    if (value === undefined)
      return {
        ok: false,
        reason:
          reason ||
          reasonOf(
            builder.problem?.pointer ?? '',
            builder.problem?.message ?? 'no value could be made',
          ),
      };
    const issues = objectionsTo(value, builder);
    const [first] = issues;
    if (first === undefined) return { ok: true, value, sites: sitesIn(value, builder) };
    reason = reasonOf(first.pointer, `the value ${first.message}`);
    if (!moveOn(issues, builder, search)) break;
  }
  return { ok: false, reason };
}

function reasonOf(pointer: Pointer, message: string): string {
  return `no value was found that keeps #${pointer}: ${message}`;
}

/** Places that were filled and then given up are not part of the value. */
function sitesIn(value: JsonValue, { sites }: ValueBuilder): ReadonlyMap<Pointer, Site> {
  return new Map([...sites].filter(([at]) => valueAt(value, at) !== undefined));
}

interface Search {
  readonly picks: Map<Pointer, number>;
  readonly omitted: Set<Pointer>;
}

/** Changes the search for the next round; false where nothing is left to change. */
function moveOn(issues: readonly SchemaIssue[], builder: ValueBuilder, search: Search): boolean {
  const moved = new Set<Pointer>();
  for (const issue of issues) {
    const { at } = issue;
    const rival = rivalMember(issue, builder.sites, builder.orders.schema);
    if (rival !== undefined && !search.omitted.has(rival.at)) {
      search.omitted.add(rival.at);
      moved.add(at);
      continue;
    }
    const around = ancestors(at).flatMap((pointer) => builder.sites.get(pointer) ?? []);
    const movable = around.find((site) => site.pick + 1 < site.picks || site.optional);
    const place = movable?.at ?? around[0]?.at;
    if (place === undefined || moved.has(place)) continue;
    if (movable === undefined ? !omitMember(around, builder, search) : !advance(movable, search))
      continue;
    moved.add(place);
  }
  return moved.size > 0;
}

function advance(site: Site, { picks, omitted }: Search): boolean {
  forget(site.at, picks);
  if (site.pick + 1 < site.picks) picks.set(site.at, site.pick + 1);
  else omitted.add(site.at);
  return true;
}

/**
 * Members that cannot stand together, such as those of two branches of a `oneOf`: the last optional
 * one has to go.
 */
function omitMember(
  around: readonly Site[],
  { sites }: ValueBuilder,
  { picks, omitted }: Search,
): boolean {
  for (const { at } of around) {
    const member = [...sites.values()].findLast(
      (site) => site.optional && !omitted.has(site.at) && isChild(site.at, at),
    );
    if (member === undefined) continue;
    omitted.add(member.at);
    forget(at, picks);
    return true;
  }
  return false;
}

/** Lets a place and all that is in it begin anew. */
function forget(at: Pointer, picks: Map<Pointer, number>): void {
  for (const pointer of [...picks.keys()])
    if (pointer === at || pointer.startsWith(`${at}/`)) picks.delete(pointer);
}

function isChild(at: Pointer, parent: Pointer): boolean {
  return at.startsWith(`${parent}/`) && !at.slice(parent.length + 1).includes('/');
}

/** The pointer and those of everything around it, the nearest first. */
function ancestors(at: Pointer): Pointer[] {
  const tokens = splitPointer(at);
  return Array.from({ length: tokens.length + 1 }, (_item, index) =>
    joinPointer('', ...tokens.slice(0, tokens.length - index)),
  );
}

const deepestRefinement = 4;
const branchKeywords = ['oneOf', 'anyOf', 'if', 'then', 'else'];
const sizeKeywords = ['minItems', 'maxItems', 'minProperties', 'maxProperties'];

/**
 * What the schema objects to in a value that was just built, but for the size of a place that is
 * kept to a size.
 */
function objectionsTo(value: JsonValue, builder: ValueBuilder): SchemaIssue[] {
  const { schema, direction } = builder.orders;
  const issues = schema
    .validate(value, direction)
    .flatMap((issue) => refine(issue, { value, builder, depth: 0 }));
  return issues.filter(
    ({ at, keyword }) => !(sizeKeywords.includes(keyword) && builder.sizeAt(at) !== undefined),
  );
}

interface Refinement {
  readonly value: JsonValue;
  readonly builder: ValueBuilder;
  readonly depth: number;
}

/**
 * An objection of `oneOf` or `anyOf` names no member: what the branch that was meant objects to is
 * more to the point.
 */
function refine(issue: SchemaIssue, { value, builder, depth }: Refinement): SchemaIssue[] {
  const site = builder.sites.get(issue.at);
  const part = valueAt(value, issue.at);
  if (
    site === undefined ||
    part === undefined ||
    depth > deepestRefinement ||
    !branchKeywords.includes(issue.keyword)
  )
    return [issue];
  const { schema, direction } = builder.orders;
  const branches = site.view.rules.filter(({ pointer }) =>
    site.view.groups.some((group) => pointer.startsWith(`${group.pointer}/`)),
  );
  const inner = branches
    .flatMap((branch) => schema.part(branch).validate(part, direction))
    .map((found) => ({ ...found, at: issue.at + found.at }));
  return inner.length === 0
    ? [issue]
    : inner.flatMap((found) => refine(found, { value, builder, depth: depth + 1 }));
}

/**
 * Where a value matches several branches of a `oneOf`: an optional member that another branch than
 * the one meant requires. Without it, that branch no longer matches.
 */
function rivalMember(
  issue: SchemaIssue,
  sites: ReadonlyMap<Pointer, Site>,
  schema: Schema,
): Site | undefined {
  const site = sites.get(issue.at);
  const group = site?.view.groups.find(({ pointer }) => pointer === issue.pointer);
  if (site === undefined || group === undefined || issue.keyword !== 'oneOf') return undefined;
  const others = group.branches.filter(
    (_branch, index) => index !== site.view.taken.get(group.pointer),
  );
  const names = others.flatMap((branch) => [...requiredOf(viewOf(schema, branch)).keys()]);
  return names
    .map((name) => sites.get(joinPointer(issue.at, name)))
    .findLast((member) => member?.optional === true);
}
