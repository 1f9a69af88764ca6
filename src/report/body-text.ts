import type { Finding } from '../check/model/finding.ts';
import { decodeUtf8 } from '../json/parse-json.ts';
import { splitPointer } from '../json/pointer.ts';
import { countOf } from '../text/counts.ts';
import { cleanText } from '../text/safe-text.ts';

/** A body in JSON: as text if its bytes are UTF-8, otherwise as base64 (RFC 4648, section 4). */
export type BodyText =
  | { readonly encoding: 'utf8'; readonly text: string }
  | { readonly encoding: 'base64'; readonly text: string };

/** The body for a JSON document; decoding by `encoding` returns every byte. */
export function writeBody(bytes: Uint8Array): BodyText {
  const reading = decodeUtf8(bytes);
  if (reading.ok) return { encoding: 'utf8', text: reading.text };
  return {
    encoding: 'base64',
    text: Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('base64'),
  };
}

const maxLines = 8;
const maxCharacters = 600;

/** Characters before the relevant part of a body, if the body does not begin with it. */
const before = 120;

/**
 * A part of a body for people: at most 8 lines and 600 characters, cleaned, with lines that say
 * what is left out. It is the beginning, unless `matter` occurs later in the body.
 */
export function bodyFragment(bytes: Uint8Array, matter?: BodyMatter): string[] {
  if (bytes.length === 0) return [];
  const reading = decodeUtf8(bytes);
  if (!reading.ok && reading.before.length < 16)
    return [`(${countOf(bytes.length, 'byte')}, not UTF-8)`];
  const text = reading.ok ? reading.text : reading.before;
  const from = startOf(text, matter);
  const shown = text
    .slice(from, from + maxCharacters)
    .replace(/[\ud800-\udbff]$/, '')
    .split('\n')
    .slice(0, maxLines)
    .join('\n');
  const skipped = Buffer.byteLength(text.slice(0, from));
  const rest = bytes.length - skipped - Buffer.byteLength(shown);
  const more = reading.ok
    ? `… (${countOf(rest, 'byte')} more)`
    : `… (${countOf(rest, 'byte')} more, not UTF-8 from byte ${String(Buffer.byteLength(text))})`;
  return [
    ...(from > 0 ? [`… (after ${countOf(skipped, 'byte')})`] : []),
    ...cleanText(shown).replace(/\n+$/, '').split('\n'),
    ...(rest > 0 ? [more] : []),
  ];
}

function startOf(text: string, matter: BodyMatter | undefined): number {
  const at = matter === undefined ? -1 : matterStart(matter, text);
  const isShownAnyway =
    at + (matter?.value ?? '').length <= maxCharacters &&
    text.slice(0, at).split('\n').length <= maxLines;
  if (at === -1 || isShownAnyway) return 0;
  // If lines are short, the fragment begins with one.
  const from = at - before;
  const line = text.indexOf('\n', from);
  const start = line === -1 || line >= at ? from : line + 1;
  return start + (/^[\udc00-\udfff]/.test(text.slice(start, start + 1)) ? 1 : 0);
}

/**
 * The part of a response body that a finding concerns, as written there: a member with its value,
 * or a value alone.
 */
export interface BodyMatter {
  readonly field?: string;
  readonly value: string;
  /** Other values of the member that the finding concerns as well. */
  readonly others?: readonly string[];
}

const value = String.raw`"(?:[^"\\]|\\.)*"|-?\d[\d.eE+-]*\b|true|false|null`;
const member = new RegExp(String.raw`^([\w.-]+) is (${value})(?=$|[\s,.;])`);
const twice = /^([\w.-]+) (\S+) twice$/;
/** More values of a member, each with its count: `, "pending" in 2`. */
const counted = new RegExp(
  String.raw`(?:^ in \d+ of \d+ records?)?, (${value}) in \d+(?=$|,)`,
  'y',
);
const alone = new RegExp(String.raw`^(${value})(?=$|[\s,.;])`);
const placed = /^the value at \/(\S*) /;
const status = /^[1-5]\d\d$/;

/**
 * The part of the response body that the finding concerns; undefined if it concerns the status or a
 * header, or if that is unknown.
 */
export function bodyMatter(finding: Finding): BodyMatter | undefined {
  if (finding.pointer.includes('/headers/')) return undefined;
  const named = member.exec(finding.actual) ?? twice.exec(finding.actual);
  if (named?.[1] !== undefined && named[2] !== undefined)
    return {
      field: named[1],
      value: named[2],
      others: otherValues(finding.actual.slice(named[0].length)),
    };
  const found = alone.exec(finding.actual)?.[1];
  if (found === undefined || isStatus(found, finding)) return undefined;
  const field = fieldOf(finding);
  // A word that short occurs in many places.
  return field !== undefined
    ? { field, value: found }
    : found.length > 2
      ? { value: found }
      : undefined;
}

/** The values after the first one: `status is "sold" in 2 of 9 records, "pending" in 1`. */
function otherValues(rest: string): string[] {
  const values: string[] = [];
  counted.lastIndex = 0;
  for (let next = counted.exec(rest); next !== null; next = counted.exec(rest))
    if (next[1] !== undefined) values.push(next[1]);
  return values;
}

/**
 * Bodies often repeat the status. A number is a value of the body if a schema forbids it and the
 * response has another status.
 */
function isStatus(found: string, { pointer, exchange }: Finding): boolean {
  const isOfSchema = /\/(schemas?|definitions)(\/|$)/.test(pointer);
  return status.test(found) && (!isOfSchema || found === String(exchange?.response?.status));
}

/** The member whose value violates its schema. An item of a list has no name. */
function fieldOf({ expected }: Finding): string | undefined {
  const at = placed.exec(expected)?.[1];
  const name = at === undefined ? undefined : splitPointer(`/${at}`).at(-1);
  return name === undefined || /^\d+$/.test(name) ? undefined : name;
}

/**
 * The regular expression that finds the matter, however JSON is formatted. `show` converts its
 * texts to the form in which they are searched.
 */
export function matterPattern(
  { field, value: found, others = [] }: BodyMatter,
  show: (text: string) => string = (text) => text,
): string {
  const end = String.raw`(?![\w.])`;
  if (field === undefined) return literal(show(found));
  const values = [found, ...others].map((each) => {
    const plain = literal(show(each));
    // An identifier may be written as a text.
    return each.startsWith('"') ? plain : `${plain}${end}|"${plain}"`;
  });
  return `${literal(show(JSON.stringify(field)))}\\s*:\\s*(?:${values.join('|')})`;
}

/** Whether every match of the pattern is meant; otherwise only a single match is. */
export function isMeantEverywhere({ field }: BodyMatter): boolean {
  return field !== undefined;
}

/** The index of the matter in a text; -1 if it is not there, or is ambiguous. */
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
