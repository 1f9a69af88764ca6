import type { JsonObject, JsonValue } from '../json/value.ts';
import { isAmount, settleAmounts } from './amounts.ts';
import { RelatedFields } from './related-fields.ts';

/**
 * The record with fields that agree with each other: a mail address with the name beside it, a slug
 * with the title, an end with its start, a total with its lines. `mayChange` decides for each
 * change.
 */
export function relateFields(
  record: JsonObject,
  mayChange: (name: string, value: JsonValue) => boolean,
): JsonObject {
  const fields = new RelatedFields(record, mayChange);
  fitMail(fields);
  fitSlug(fields);
  for (const pair of orderedPairs) keepOrder(fields, pair);
  settleAmounts(fields);
  return fields.toRecord();
}

/** Whether a field with this normalised name may have to agree with another one. */
export function isRelated(plain: string): boolean {
  return (
    mails.test(plain) ||
    slugs.test(plain) ||
    orderWords().some((word) => plain.startsWith(word) || plain.endsWith(word)) ||
    isAmount(plain)
  );
}

const orderWords = (): readonly string[] => orderedPairs.flatMap(({ after }) => after);
const mails = /^e?mail(address)?$/;
const slugs = /^(slug|permalink)$/;

/** The words of a text in ASCII, in lower case. */
function plainWords(text: string): string[] {
  return text
    .normalize('NFD')
    .toLowerCase()
    .split(/[^a-z0-9\p{M}]+/u)
    .map((word) => word.replaceAll(/\p{M}/gu, ''))
    .filter((word) => word !== '');
}

const textAt = (fields: RelatedFields, pattern: RegExp): string | undefined =>
  fields.named(pattern).flatMap(([, value]) => (typeof value === 'string' ? value : []))[0];

function fitMail(fields: RelatedFields): void {
  const first = textAt(fields, /^(first|given)name$/);
  const last = textAt(fields, /^(last|family|sur)name$/);
  const whole = textAt(fields, /^(full|display)?name$/);
  const words = [...new Set(plainWords(`${first ?? whole ?? ''} ${last ?? ''}`))];
  if (first === undefined && whole === undefined) return;
  for (const [plain, mail] of fields.named(mails)) {
    if (typeof mail !== 'string' || !/^[^@]+@example\.\w+$/.test(mail)) continue;
    if (words.every((word) => mail.includes(word))) continue;
    const digits = /\d*(?=@)/.exec(mail)?.[0] ?? '';
    fields.set(plain, `${words.join('.')}${digits}${mail.slice(mail.indexOf('@'))}`);
  }
}

function fitSlug(fields: RelatedFields): void {
  const title = textAt(fields, /^(title|headline|name|label)$/);
  const words = plainWords(title ?? '');
  if (words.length === 0) return;
  for (const [plain, slug] of fields.named(slugs))
    if (typeof slug === 'string') fields.set(plain, words.join('-'));
}

/** Words for two fields of which the first is never after the second, at an end of their names. */
interface OrderedPair {
  readonly before: readonly string[];
  readonly after: readonly string[];
  /** Whether the second follows within hours or days. */
  readonly isClose?: true;
}

const orderedPairs: readonly OrderedPair[] = [
  { before: ['created', 'creation'], after: ['updated', 'modified', 'changed', 'deleted'] },
  { before: ['started', 'begun'], after: ['ended', 'finished', 'completed'], isClose: true },
  { before: ['starts', 'begins', 'opens'], after: ['ends', 'closes'], isClose: true },
  { before: ['start', 'begin', 'open'], after: ['end', 'finish', 'close'], isClose: true },
  {
    before: ['checkin', 'departure', 'pickup'],
    after: ['checkout', 'arrival', 'return'],
    isClose: true,
  },
  { before: ['from', 'since'], after: ['to', 'until', 'till', 'through'] },
  { before: ['min', 'minimum', 'lower', 'lowest'], after: ['max', 'maximum', 'upper', 'highest'] },
];

/** The names with another word in place of one at their beginning or end. */
function renamed(plain: string, word: string, others: readonly string[]): string[] {
  return others.flatMap((other) => [
    ...(plain.startsWith(word) ? [`${other}${plain.slice(word.length)}`] : []),
    ...(plain.endsWith(word) ? [`${plain.slice(0, -word.length)}${other}`] : []),
  ]);
}

const hour = 3_600_000;
const day = 24 * hour;

/** The shapes of values that have an order. */
const kinds: readonly (readonly [RegExp, ms: number])[] = [
  [/^\d{4}-\d\d-\d\dT[\d:.]+Z$/, hour],
  [/^\d{4}-\d\d-\d\d$/, day],
  [/^\d\d:\d\d:\d\dZ?$/, hour],
];

function keepOrder(fields: RelatedFields, { before, after, isClose }: OrderedPair): void {
  for (const word of before) {
    const firsts = fields.where((plain) => plain.startsWith(word) || plain.endsWith(word));
    for (const [first, start] of firsts) {
      const seconds = new Set(renamed(first, word, after));
      const [found] = fields.where((plain) => seconds.has(plain));
      const kind = kindOf(start);
      if (found !== undefined && kind !== undefined && kind === kindOf(found[1]))
        order(fields, [first, start], found, isClose === true);
    }
  }
}

function order(
  fields: RelatedFields,
  [first, start]: readonly [string, JsonValue],
  [second, end]: readonly [string, JsonValue],
  isClose: boolean,
): void {
  if (typeof start === 'number' && typeof end === 'number') {
    if (end < start && !fields.set(second, start)) fields.set(first, end);
  } else if (typeof start === 'string' && typeof end === 'string') {
    if (end < start || isClose) fields.set(second, later(start, end, isClose));
  }
}

/** A number, or the shape of a text; undefined for what has no order. */
function kindOf(value: JsonValue): number | undefined {
  if (typeof value === 'number') return -1;
  if (typeof value !== 'string') return undefined;
  const kind = kinds.findIndex(([shape]) => shape.test(value));
  return kind < 0 ? undefined : kind;
}

/** A moment soon after a start, from the digits of the end that it replaces. */
function later(start: string, end: string, isClose: boolean): string {
  const [, usual = day] = kinds[kindOf(start) ?? 0] ?? [];
  const steps = 1 + (Number(end.replaceAll(/\D/g, '').slice(-6)) % 5);
  const isTime = !start.includes('-');
  const unit = isTime || isClose ? usual : day;
  const from = Date.parse(isTime ? `2024-01-01T${start.replace(/Z?$/, 'Z')}` : start);
  if (Number.isNaN(from)) return end;
  const made = new Date(from + steps * unit).toISOString();
  if (!isTime) return start.includes('T') ? made.replace('.000Z', 'Z') : made.slice(0, 10);
  const time = made.slice(11, 19);
  return `${time < start ? '23:59:59' : time}${start.endsWith('Z') ? 'Z' : ''}`;
}
