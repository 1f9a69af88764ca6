import { isJsonArray, isJsonObject, type JsonValue } from '../../json/value.ts';

/** What was seen at one place of many bodies. */
export interface Spot {
  /** `string`, `integer`, `number`, `boolean`, `null`, `object`, `array`. */
  readonly types: Set<string>;
  /** Words that look like those of an enum, as long as there are few. */
  readonly words: Set<string>;
  /** How often the place was there. */
  seen: number;
}

/** The places of bodies by JSON pointer, the items of a list all at `*`. */
export type Shape = Map<string, Spot>;

const mostSpots = 2_000;
const mostDepth = 12;
/** One more than an enum of usual size has: a set that grows beyond is no enum. */
export const mostWords = 12;

/** Adds a body to a shape. Maps with very many names are cut off. */
export function addToShape(shape: Shape, value: JsonValue, at = '', depth = 0): void {
  const spot =
    shape.get(at) ??
    (shape.size < mostSpots
      ? { types: new Set<string>(), words: new Set<string>(), seen: 0 }
      : undefined);
  if (spot === undefined || depth > mostDepth) return;
  shape.set(at, spot);
  spot.seen += 1;
  spot.types.add(typeOf(value));
  if (typeof value === 'string' && spot.words.size <= mostWords) spot.words.add(value);
  if (isJsonArray(value)) for (const item of value) addToShape(shape, item, `${at}/*`, depth + 1);
  else if (isJsonObject(value))
    for (const [name, member] of Object.entries(value))
      addToShape(shape, member, `${at}/${escape(name)}`, depth + 1);
}

function escape(name: string): string {
  return name.replaceAll('~', '~0').replaceAll('/', '~1');
}

function typeOf(value: JsonValue): string {
  if (value === null) return 'null';
  if (typeof value === 'bigint' || (typeof value === 'number' && Number.isInteger(value)))
    return 'integer';
  return isJsonArray(value) ? 'array' : typeof value;
}

/** The place that a place lies in: `/items/*` for `/items/*\/price`. */
export function parentOf(at: string): string {
  return at.slice(0, at.lastIndexOf('/'));
}
