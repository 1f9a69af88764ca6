import type { Finding } from '../check/model/finding.ts';
import { splitPointer } from '../json/pointer.ts';

/**
 * What of an answer's body a finding is about, as it is written there: a member with its value, or
 * a value alone.
 */
export interface BodyMatter {
  readonly field?: string;
  readonly value: string;
}

const value = String.raw`"(?:[^"\\]|\\.)*"|-?\d[\d.eE+-]*\b|true|false|null`;
const member = new RegExp(String.raw`^([\w.-]+) is (${value})(?=$|[\s,.;])`);
const twice = /^([\w.-]+) (\S+) twice$/;
const alone = new RegExp(String.raw`^(${value})(?=$|[\s,.;])`);
const placed = /^the value at \/(\S*) /;
const status = /^[1-5]\d\d$/;

/**
 * What of the answer's body the finding is about; undefined where it is about the status or a
 * header, or where that cannot be told.
 */
export function bodyMatter(finding: Finding): BodyMatter | undefined {
  if (finding.pointer.includes('/headers/')) return undefined;
  const named = member.exec(finding.actual) ?? twice.exec(finding.actual);
  if (named?.[1] !== undefined && named[2] !== undefined)
    return { field: named[1], value: named[2] };
  const found = alone.exec(finding.actual)?.[1];
  if (found === undefined || isStatus(found, finding)) return undefined;
  const field = fieldOf(finding);
  // A word that short stands in many places.
  return field !== undefined
    ? { field, value: found }
    : found.length > 2
      ? { value: found }
      : undefined;
}

/**
 * Bodies like to repeat the status. A number is one of the body's own where a schema forbids it,
 * and the answer has another status.
 */
function isStatus(found: string, { pointer, exchange }: Finding): boolean {
  const isOfSchema = /\/(schemas?|definitions)(\/|$)/.test(pointer);
  return status.test(found) && (!isOfSchema || found === String(exchange?.response?.status));
}

/** The member whose value breaks its schema. An item of a list has no name. */
function fieldOf({ expected }: Finding): string | undefined {
  const at = placed.exec(expected)?.[1];
  const name = at === undefined ? undefined : splitPointer(`/${at}`).at(-1);
  return name === undefined || /^\d+$/.test(name) ? undefined : name;
}

/**
 * The regular expression that finds the matter, however JSON is set. `show` turns its texts into
 * what they are where it is looked for. `matterPlaces` says which of the places are meant.
 */
export function matterPattern(
  { field, value: found }: BodyMatter,
  show: (text: string) => string = (text) => text,
): string {
  const end = String.raw`(?![\w.])`;
  if (field === undefined) return literal(show(found));
  // An identifier may be written as a text.
  const quoted = found.startsWith('"')
    ? literal(show(found))
    : `(?:${literal(show(found))}${end}|"${literal(show(found))}")`;
  return `${literal(show(JSON.stringify(field)))}\\s*:\\s*${quoted}`;
}

/** Whether every place of the pattern is meant; else one, and only where it is the only one. */
export function isMeantEverywhere({ field }: BodyMatter): boolean {
  return field !== undefined;
}

/**
 * Where the matter stands in a text: the index of its first character. -1 where it does not, or
 * cannot be told.
 */
export function matterStart(matter: BodyMatter, text: string): number {
  const [first, second] = text.matchAll(new RegExp(matterPattern(matter), 'g'));
  return first === undefined || (second !== undefined && !isMeantEverywhere(matter))
    ? -1
    : first.index;
}

/** A text as the regular expression that finds it, with and without the flag `u`. */
function literal(text: string): string {
  return text.replaceAll(/[\\^$.*+?()[\]{}|/]/g, '\\$&');
}
