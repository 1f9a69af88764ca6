import { createHash } from 'node:crypto';
import { type Pointer, splitPointer } from '../../json/pointer.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../../json/value.ts';
import { hash } from '../model/case.ts';
import type { BodyTemplate, Period } from '../model/request-template.ts';
import { breaksAsMany, ownCodes } from './codes.ts';
import { bodyOf, type DraftBody } from './draft-body.ts';
import { withListedNames } from './listed-records.ts';
import { inFormOf, withOwnIdentifier } from '../reading/identifiers.ts';

/** The purpose of a marked body, and the tested place in it, which does not change. */
export interface Marking {
  readonly runId: string;
  readonly label: string;
  readonly at?: Pointer | undefined;
}

/** A value, marked, as a body in the media type of a draft. */
export function markedBody(body: DraftBody, value: JsonValue, marking: Marking): BodyTemplate {
  return bodyOf(body, markedValue(body, value, marking), marking.at);
}

/**
 * Writes the run's id into a free text of a body, so that people recognise what the run leaves
 * behind, and no two bodies are the same. Texts that may be keys and e-mail addresses get it too:
 * many services require them to be unique. A text that the mark would make invalid stays as it is.
 */
export function markedValue(body: DraftBody, plain: JsonValue, marking: Marking): JsonValue {
  const { runId, label, at } = marking;
  const mark = `${runId}-${hash(label).slice(0, hashLength)}`;
  const { listed } = body;
  const value =
    listed === undefined ? plain : withListedNames(plain, listed, { salt: mark, tested: at });
  if (!isJsonObject(value)) return value;
  const { freeText, keys } = body.texts;
  const tested = splitPointer(at ?? '')[0];
  const fields = new Set([...(freeText === undefined ? [] : [freeText]), ...keys]);
  const marked = withTexts(body, value, {
    fields: [...fields].filter((field) => field !== tested),
    write: (before) => [withMark(withoutKey(before), mark), mark],
  });
  const owned: JsonValue =
    body.identifier === undefined || body.namedBy !== undefined || body.identifier[0] === tested
      ? marked
      : withOwnIdentifier(marked, { path: body.identifier, schema: body.schema, salt: mark });
  if (!isJsonObject(owned)) return owned;
  const coded = withTexts(body, owned, {
    fields: ownCodes(body).filter((field) => field !== tested),
    write: (before) => [inFormOf(before, createHash('sha256').update(mark).digest('hex'))],
  });
  const placed = inOwnPeriod(body, coded, { salt: mark, tested });
  // The service may know an address that the contract shows; only a new record gets another one.
  const { addresses: found, unique } = body.texts;
  const addresses =
    body.shown && body.makesRecord !== true ? found.filter((name) => unique.includes(name)) : found;
  return withTexts(body, placed, {
    fields: addresses.filter((field) => field !== tested),
    write: (before) => [before.replace(/^([^@"]{1,40})@/, `$1.${mark}@`)],
  });
}

/**
 * The body of a create with unique texts in its keys: some requests send it without a mark, such as
 * one under a wrong media type.
 */
export function withOwnKeys(body: DraftBody, salt: string): DraftBody {
  const { value } = body;
  if (!isJsonObject(value)) return body;
  const write = (before: string): string[] => [withMark(before, `vouch-${hash(salt)}`)];
  return { ...body, value: withTexts(body, value, { fields: body.texts.keys, write }) };
}

/** A text without what `withOwnKeys` wrote into it. */
export function withoutKey(text: string): string {
  return text.replace(/ ?vouch-[0-9a-f]{10}$|\.vouch-[0-9a-f]{10}(?=@)/, '');
}

/**
 * A text with a mark: an e-mail address stays one, also where only its example shows that the field
 * holds addresses.
 */
function withMark(text: string, mark: string): string {
  const isAddress = /^[^@\s"]{1,40}@[^@\s"]+\.[a-z]{2,}$/i.test(text);
  return isAddress ? text.replace('@', `.${mark}@`) : `${text} ${mark}`.trimStart();
}

/**
 * Rewrites texts of a body: each gets the first candidate that does not change the number of
 * violated rules.
 */
function withTexts(
  { schema }: DraftBody,
  value: JsonObject,
  {
    fields,
    write,
  }: { readonly fields: readonly string[]; readonly write: (before: string) => readonly string[] },
): JsonObject {
  return fields.reduce((whole, field) => {
    const before = Object.hasOwn(whole, field) ? whole[field] : undefined;
    if (typeof before !== 'string') return whole;
    const changes = write(before).map((text) => ({ ...whole, [field]: text }));
    return (
      changes.find((changed) => schema === undefined || breaksAsMany(schema, whole, changed)) ??
      whole
    );
  }, value);
}

const hour = 3_600_000;
const day = 24 * hour;
/** The maximum offset of moved periods: nearly six years. */
const furthest = 2_000 * day;

/**
 * The body with its period moved to another time, of the same length: a service refuses a second
 * booking, shift or lease at the same time. A body that tests one of its ends does not change.
 */
function inOwnPeriod(
  { texts, schema }: DraftBody,
  value: JsonObject,
  { salt, tested }: { readonly salt: string; readonly tested: string | undefined },
): JsonObject {
  const ends = texts.period;
  if (ends === undefined || ends.some((name) => name === tested)) return value;
  const [begin, end] = ends.map((name) => (Object.hasOwn(value, name) ? value[name] : undefined));
  if (typeof begin !== 'string' || typeof end !== 'string') return value;
  const length = Date.parse(end) - Date.parse(begin);
  if (!(length > 0 && length < furthest / 50)) return value;
  const step =
    begin.length > 10 ? Math.max(hour, 2 * length) : Math.ceil((2 * length + day) / day) * day;
  const by = step * (1 + (Number.parseInt(hash(salt), 16) % Math.floor(furthest / step)));
  const moved = { ...value, [ends[0]]: laterBy(begin, by), [ends[1]]: laterBy(end, by) };
  return schema === undefined || breaksAsMany(schema, value, moved) ? moved : value;
}

/** A body with its period moved by whole days, the same number for every body of a sequence. */
export function moveAhead(value: JsonValue, ends: Period, salt: string): JsonValue {
  if (!isJsonObject(value)) return value;
  const days = furthest / day + (Number.parseInt(hash(salt), 16) % 1_000);
  const moved = ends.flatMap((name) => {
    const before = Object.hasOwn(value, name) ? value[name] : undefined;
    return typeof before === 'string' && !Number.isNaN(Date.parse(before))
      ? [[name, laterBy(before, days * day)] as const]
      : [];
  });
  return moved.length === ends.length ? { ...value, ...Object.fromEntries(moved) } : value;
}

/** A date, or a date-time with its UTC offset, moved by this many milliseconds. */
export function laterBy(text: string, by: number): string {
  const [, fraction = '', sign = '', hours = '0', minutes = '0'] =
    /(\.\d+)?(?:[Zz]|([+-])(\d{2}):(\d{2}))$/.exec(text) ?? [];
  const ahead = (Number(hours) * 60 + Number(minutes)) * 60_000 * (sign === '-' ? -1 : 1);
  const later = new Date(Date.parse(text) + by + ahead).toISOString();
  if (text.length <= 10) return later.slice(0, 10);
  return `${later.slice(0, 19)}${fraction}${sign === '' ? 'Z' : `${sign}${hours}:${minutes}`}`;
}

/** The number of digits of the label's hash in a mark. */
const hashLength = 6;

/**
 * The mark in a text, which begins with `prefix` (the run's id and a hyphen); undefined without.
 */
export function markIn(text: string, prefix: string): string | undefined {
  const start = text.indexOf(prefix);
  return start === -1 ? undefined : text.slice(start, start + prefix.length + hashLength);
}
