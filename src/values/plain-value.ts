import type { Direction, Schema, SchemaIssue } from '../contract/model.ts';
import { joinPointer, type Pointer, splitPointer, valueAt, isWithin } from '../json/pointer.ts';
import type { JsonValue } from '../json/value.ts';
import { brokenRules } from './broken-rules.ts';
import type { BuildOrders, Pin } from './build-orders.ts';
import { type Site, ValueBuilder } from './build-value.ts';
import { shareAmongAlike } from './value-cache.ts';
import { requiredOf, viewOf } from './view.ts';

/**
 * `required: 'only'` includes only required members, `'all'` also every optional one; by default
 * those that a client would usually send.
 */
export interface PlainValueOptions extends ValueOptions {
  readonly required?: 'all' | 'only';
  /** The name of the field, which suggests usual values. */
  readonly name?: string;
  /** Restricts the whole value to one branch of a group, if possible. */
  readonly pin?: Pin | undefined;
}

/**
 * A plausible valid value: from example, default, const or enum of the contract, otherwise from
 * names and formats. Always valid; otherwise the result is a reason with the rule that could not be
 * satisfied. Deterministic for a seed.
 */
export function plainValue(schema: Schema, options: PlainValueOptions): ValueResult {
  const { direction, required = '', seed, name = '', pin } = options;
  if (pin !== undefined) return findPlain(schema, options);
  // A reason has locations of its own schema.
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

/** A valid value, or the reason why none was found: the schema's pointer, the keyword, the rule. */
export type ValueResult =
  | { readonly ok: true; readonly value: JsonValue }
  | { readonly ok: false; readonly reason: string };

/** Options of all value generators: the same seed gives the same value. */
export interface ValueOptions {
  readonly seed: string | number;
  readonly direction: Direction;
}

/**
 * A valid value with every filled place, or the reason why none was found. `straight`: the builder,
 * if its first value was valid.
 */
type Found =
  | {
      readonly ok: true;
      readonly value: JsonValue;
      readonly sites: ReadonlyMap<Pointer, Site>;
      readonly straight?: ValueBuilder;
    }
  | { readonly ok: false; readonly reason: string };

/** The options of a search. */
export type FindOrders = Omit<BuildOrders, 'picks' | 'omitted'>;

const maxRounds = 200;

/**
 * Makes values until one is valid. A violation moves its place to the next alternative, omits it if
 * it is optional, or moves its parent to the next alternative.
 */
export function findValue(orders: FindOrders): Found {
  const search: Search = { picks: new Map(), omitted: new Set() };
  let reason = '';
  for (let round = 0; round < maxRounds; round += 1) {
    const isFirst = round === 0;
    const builder = new ValueBuilder({ ...orders, ...search }, { keepsPlaces: isFirst });
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
    if (first === undefined) {
      const found = { ok: true, value, sites: sitesIn(value, builder) } as const;
      return isFirst ? { ...found, straight: builder } : found;
    }
    reason = reasonOf(first.pointer, `the value ${first.message}`);
    if (!moveOn(issues, builder, search)) break;
  }
  return { ok: false, reason };
}

function reasonOf(pointer: Pointer, message: string): string {
  return `no value was found that keeps #${pointer}: ${message}`;
}

/**
 * The part at a place when that place is pinned to a branch, a type or a size; undefined if none is
 * found. `straight` built the same value without the pin.
 */
export function findPinned(
  orders: FindOrders,
  { at, pin, straight }: PinnedPlace,
): JsonValue | undefined {
  const pins = new Map([[at, pin]]);
  if (straight !== undefined) {
    const value = straight.buildPinned(at, pin);
    const { schema, direction } = orders;
    const isKept = ({ keyword, at: place }: SchemaIssue): boolean =>
      place === at && 'size' in pin && sizeKeywords.includes(keyword);
    if (value !== undefined && brokenRules(schema, value, direction).every(isKept))
      return valueAt(value, at);
  }
  const made = findValue({ ...orders, pins });
  return made.ok ? valueAt(made.value, at) : undefined;
}

interface PinnedPlace {
  readonly at: Pointer;
  readonly pin: Pin;
  readonly straight: ValueBuilder | undefined;
}

/** Excludes places that were filled and then abandoned. */
function sitesIn(value: JsonValue, { sites }: ValueBuilder): ReadonlyMap<Pointer, Site> {
  return new Map([...sites].filter(([at]) => valueAt(value, at) !== undefined));
}

interface Search {
  readonly picks: Map<Pointer, number>;
  readonly omitted: Set<Pointer>;
}

/** Changes the search for the next round; false if nothing is left to change. */
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
 * Omits the last optional member of several that exclude each other, such as those of two branches
 * of a `oneOf`.
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

/** Resets a place and everything below it. */
function forget(at: Pointer, picks: Map<Pointer, number>): void {
  for (const pointer of [...picks.keys()]) if (isWithin(pointer, at)) picks.delete(pointer);
}

function isChild(at: Pointer, parent: Pointer): boolean {
  return at.startsWith(`${parent}/`) && !at.slice(parent.length + 1).includes('/');
}

/** The pointer and those of its ancestors, nearest first. */
function ancestors(at: Pointer): Pointer[] {
  const tokens = splitPointer(at);
  return Array.from({ length: tokens.length + 1 }, (_item, index) =>
    joinPointer('', ...tokens.slice(0, tokens.length - index)),
  );
}

const deepestRefinement = 4;
const branchKeywords = ['oneOf', 'anyOf', 'if', 'then', 'else'];
const sizeKeywords = ['minItems', 'maxItems', 'minProperties', 'maxProperties'];

/** The violations of a value that was just built, except for the size of a pinned place. */
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
 * A violation of `oneOf` or `anyOf` names no member, so the violations of the intended branch are
 * used.
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
 * An optional member that another matching branch of a `oneOf` requires. Without it, that branch no
 * longer matches.
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
