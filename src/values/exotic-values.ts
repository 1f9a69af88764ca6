import type { Direction, Schema } from '../contract/model.ts';
import type { Pointer } from '../json/pointer.ts';
import type { JsonValue } from '../json/value.ts';
import { type Baseline, baselineOf, isValid } from './baseline.ts';
import type { Site } from './build-value.ts';
import { distinctValues } from './candidate-value.ts';
import { describePlace, type LabelledValue, moveLabelled } from './labelled-value.ts';
import { rememberValues } from './value-cache.ts';
import { beyondDoubles } from './scalar-edges.ts';
import { lengthsOf } from './text-value.ts';
import { hasKeyword, placedTexts } from './view.ts';

/** Valid JSON texts that software often corrupts, with their description. */
const oddTexts: readonly (readonly [text: string, what: string])[] = [
  ['', 'is empty'],
  [' ', 'is a single blank'],
  ['  padded  ', 'has blanks at both ends'],
  ['a'.repeat(10_000), 'has 10,000 characters'],
  ['naïve façade', 'has letters of two bytes'],
  ['漢字とかな', 'has letters of three bytes'],
  // Beside a letter: without them the text is not empty, which a server might refuse.
  ['a😀🚀', 'has characters of four bytes'],
  ['e\u0301a\u0308', 'has combining marks'],
  ['שלום عالم', 'is written from right to left'],
  ['safe\u202egnp.exe', 'turns the direction of writing'],
  ['zero\u200bwidth', 'has a blank of no width'],
  ['bell\u0007tab\tline\n', 'has control characters'],
  ['null\u0000byte', 'has the character NUL'],
  ["Robert'); DROP TABLE items;--", 'has the quote that ends an SQL string'],
  ['<b>"bold"</b> & 50%25 more', 'has the marks of HTML and of URLs'],
  ['${7*7} {{7*7}} %s %00', 'has the marks of templates'],
  ['null', 'is the word null'],
];

const longestFilled = 10_000;
const longestPatterned = 24;

/**
 * Valid but unusual values within the bounds of the contract: odd texts in every free text, and
 * integers beyond 2^53 if no format promises them. A server may refuse them with a documented 4xx;
 * it must not fail.
 */
export function exoticValues(
  schema: Schema,
  direction: Direction,
  seed?: string | number,
): readonly LabelledValue[] {
  return exoticPlaces(schema, direction, seed).flatMap(({ values }) => [...values()]);
}

/** A place in a value, and the values that are exotic there. */
export interface ExoticPlace {
  readonly at: Pointer;
  values(): Iterable<LabelledValue>;
}

/** Values that are made when they are first read, and remembered. */
export class LazyList<Value> implements Iterable<Value> {
  readonly #source: () => Iterator<Value>;
  readonly #made: Value[] = [];
  #left: Iterator<Value> | undefined;
  #isOver = false;

  constructor(source: () => Iterator<Value>) {
    this.#source = source;
  }

  /** The values up to a count, or all of them if there are fewer. */
  upTo(count: number): readonly Value[] {
    while (!this.#isOver && this.#made.length < count) {
      const next = (this.#left ??= this.#source()).next();
      if (next.done === true) this.#isOver = true;
      else this.#made.push(next.value);
    }
    return this.#made.length > count ? this.#made.slice(0, count) : this.#made;
  }

  *[Symbol.iterator](): Generator<Value, void> {
    yield* this.#made;
    for (let count = this.#made.length; this.upTo(count + 1).length > count; count += 1)
      yield* this.#made.slice(count, count + 1);
  }
}

/** The same values by place, generated lazily: a large body has thousands, and few are sent. */
export const exoticPlaces = rememberValues(
  'exotic',
  makePlaces,
  ({ at, values }, to): ExoticPlace =>
    place(at, function* () {
      for (const value of values()) yield moveLabelled(value, to);
    }),
);

function makePlaces(schema: Schema, direction: Direction, seed: string | number): ExoticPlace[] {
  const baseline = baselineOf(schema, direction, seed);
  if (baseline === undefined) return [];
  const { sites } = baseline;
  // A place behind the first item of its list is missing in a shorter list.
  if (sites.some(({ at }) => /\/[1-9]\d*(?:\/|$)/.test(at))) {
    const values = distinctValues(
      sites.flatMap((site) => oddParts(site).flatMap((odd) => oddValue(odd, site, baseline))),
    );
    return [...Map.groupBy(values, ({ at }) => at)].map(([at, own]) => ({ at, values: () => own }));
  }
  // Values that leave the plain value unchanged are not repeated for several places.
  const idle = new Map(
    distinctValues(
      sites.flatMap((site) =>
        oddParts(site)
          .filter((odd) => isIdle(odd, site))
          .flatMap((odd) => oddValue(odd, site, baseline)),
      ),
    ).map((value) => [value.at, value]),
  );
  return sites.map((site) =>
    place(site.at, function* () {
      for (const odd of oddParts(site)) {
        const unchanged = isIdle(odd, site) ? idle.get(site.at) : undefined;
        if (unchanged !== undefined) yield unchanged;
        else if (!isIdle(odd, site)) yield* oddValue(odd, site, baseline);
      }
    }),
  );
}

function place(at: Pointer, make: () => Iterator<LabelledValue>): ExoticPlace {
  const values = new LazyList(make);
  return { at, values: () => values };
}

type OddPart = readonly [part: JsonValue, what: string];

function isIdle([part]: OddPart, { value }: Site): boolean {
  return part === value;
}

function oddValue([part, what]: OddPart, { at, view }: Site, baseline: Baseline): LabelledValue[] {
  const value = baseline.place(at, part);
  if (!isValid(value, baseline)) return [];
  return [
    {
      value,
      label: `${describePlace(at)} ${what}`,
      valueClass: 'exotic',
      at,
      pointer: view.facets[0]?.pointer ?? baseline.schema.pointer,
    },
  ];
}

function oddParts({ view, value }: Site): OddPart[] {
  // A pattern is a bound too, and a long text may cause catastrophic backtracking.
  const isPatterned = hasKeyword(view, 'pattern');
  if (typeof value === 'string')
    return isPatterned
      ? oddTexts.filter(([text]) => text.length <= longestPatterned)
      : [...oddTexts, ...filledWithEmoji(lengthsOf(view).max)];
  const hasFormat = placedTexts(view, 'format').length > 0;
  return (typeof value === 'number' || typeof value === 'bigint') && !hasFormat
    ? [[beyondDoubles, `is ${beyondDoubles}, which a double does not hold`]]
    : [];
}

/**
 * The maximum number of code points, each of four bytes and two UTF-16 units: a server that counts
 * another unit refuses it.
 */
function filledWithEmoji(max: number): OddPart[] {
  return max > 3 && max <= longestFilled
    ? [['😀'.repeat(max), `has ${max} characters of four bytes, the most`]]
    : [];
}
