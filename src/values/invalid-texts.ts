import type { Direction, Schema } from '../contract/model.ts';
import { fromInteger } from '../json/decimal.ts';
import type { Pointer } from '../json/pointer.ts';
import type { JsonValue } from '../json/value.ts';
import { baselineOf } from './baseline.ts';
import { breakNumber, breakText } from './break-scalar.ts';
import { breakList } from './break-type.ts';
import type { Site } from './build-value.ts';
import type { JsonType } from '../json/json-type.ts';
import type { ValueClass } from './labelled-value.ts';
import { literalsOf } from './literals.ts';
import { keywordPlace } from './mutation.ts';
import { rememberValues } from './value-cache.ts';
import { resolveViews } from './resolve-views.ts';

/** The text of a parameter before percent-encoding. */
export interface LabelledText {
  readonly text: string;
  /** A sentence without a subject: `is "abc", not an integer`. */
  readonly label: string;
  readonly valueClass: ValueClass;
  /** The violated keyword in the contract. */
  readonly pointer: Pointer;
}

/**
 * Invalid texts for a primitive parameter, or for an array of primitives with one item. Excludes
 * texts that a lenient server could read as a valid value of any type (string, integer, number,
 * boolean, null). May include the empty text, which changes the path if the parameter is in the
 * path.
 */
export function invalidTexts(schema: Schema): readonly LabelledText[] {
  return remembered(schema, 'request');
}

const remembered = rememberValues(
  'texts',
  makeInvalidTexts,
  (text: LabelledText, to): LabelledText => ({ ...text, pointer: to(text.pointer) }),
);

function makeInvalidTexts(
  schema: Schema,
  direction: Direction,
  seed: string | number,
): LabelledText[] {
  const baseline = baselineOf(schema, direction, seed);
  const root = baseline?.sites.find(({ at }) => at === '');
  const site = Array.isArray(root?.value) ? baseline?.sites.find(({ at }) => at === '/0') : root;
  if (site === undefined || (typeof site.value === 'object' && site.value !== null)) return [];
  const isList = site.at !== '';
  const types = new Set(resolveViews(schema, site.view.rules).flatMap((view) => view.types));
  const isRefused = (text: string): boolean =>
    readings(text, isList).every((value) => !schema.accepts(value, 'request'));
  const seen = new Set<string>();
  return [...brokenRules(site, isRefused), ...strangers(site, types)].filter(
    ({ text }) => !seen.has(text) && seen.add(text).size > 0 && isRefused(text),
  );
}

/** Every value that a server could read from a text. */
function readings(text: string, isList: boolean): JsonValue[] {
  const whole = readText(text);
  if (!isList) return whole;
  return [
    ...whole.map((value) => [value]),
    ...(text === '' ? [[]] : []),
    text.split(',').map((part) => readText(part)[0] ?? part),
  ];
}

function brokenRules(site: Site, isRefused: (text: string) => boolean): LabelledText[] {
  const mutations =
    literalsOf(site.view) === undefined
      ? [...breakNumber(site), ...breakText(site)]
      : breakList(site);
  return mutations.flatMap(({ candidates, says, valueClass, pointer }) => {
    const part = candidates.find((candidate) => isRefused(String(candidate)));
    return part === undefined
      ? []
      : [{ text: String(part), label: says(part), valueClass, pointer }];
  });
}

/** Texts that are not of the type in any reading. */
function strangers({ view }: Site, types: ReadonlySet<JsonType>): LabelledText[] {
  const pointer = keywordPlace(view, 'type', 'enum');
  const noun = [...types].join(' or ');
  const wrong = (text: string, valueClass: ValueClass = 'wrong-type'): LabelledText => ({
    text,
    label: `is ${JSON.stringify(text)}, not of type ${noun}`,
    valueClass,
    pointer,
  });
  const texts: LabelledText[] = [
    wrong('abc'),
    wrong('maybe'),
    wrong('NaN'),
    ...(types.has('integer') ? [wrong('1.5', 'fraction-for-integer')] : []),
    { text: '', label: 'is empty', valueClass: 'empty-text', pointer },
  ];
  const isNumeric = types.has('integer') || types.has('number');
  return texts.filter(({ text }) =>
    text === 'maybe' ? types.has('boolean') : text === 'abc' || text === 'NaN' ? isNumeric : true,
  );
}

/**
 * Every JSON scalar that a server could read from the text of a parameter, the text itself first:
 * `1.0` is a text, a number, an integer.
 */
export function readText(text: string): JsonValue[] {
  return [text, ...readNumber(text), ...readWord(text)];
}

function readNumber(text: string): JsonValue[] {
  const trimmed = text.trim();
  if (/^[+-]?\d+$/.test(trimmed)) return [fromInteger(BigInt(trimmed.replace('+', '')))];
  const number = trimmed === '' ? Number.NaN : Number(trimmed);
  return Number.isFinite(number) ? [number] : [];
}

function readWord(text: string): JsonValue[] {
  const word = text.trim().toLowerCase();
  if (['true', 'yes', 'on', '1'].includes(word)) return [true];
  if (['false', 'no', 'off', '0'].includes(word)) return [false];
  return word === 'null' || word === '' ? [null] : [];
}
