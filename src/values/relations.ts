import { namePattern } from '../contract/infer/infer-names.ts';
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
    orderedPairs.some(({ after }) => after.test(plain)) ||
    isAmount(plain)
  );
}

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
  const words = plainWords(first === undefined ? (whole ?? '') : `${first} ${last ?? ''}`);
  if (words.length === 0) return;
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

/** Two kinds of fields of which the first is never after the second, by the parts of their names. */
interface OrderedPair {
  readonly before: RegExp;
  readonly after: RegExp;
  /** Whether the second follows within hours or days. */
  readonly isClose?: true;
}

const orderedPairs: readonly OrderedPair[] = [
  { before: /^creat/, after: namePattern('^updat ^modif ^chang ^lastmodif ^lastupdat ^delet') },
  { before: /^(start|begin)/, after: /^(end|finish|complet)/, isClose: true },
  {
    before: /^(checkin|opens?|departs?|departure|pickup)/,
    after: /^(checkout|closes?|arriv|return|dropoff)/,
    isClose: true,
  },
  { before: /^(valid)?(from|since)/, after: /^(valid)?(to|until|through)/ },
  { before: /^(min|lower|lowest)/, after: /^(max|upper|highest)/ },
];

/** The shapes of values that have an order. */
const kinds: readonly (readonly [RegExp, ms: number])[] = [
  [/^\d{4}-\d\d-\d\dT[\d:.]+Z$/, 3_600_000],
  [/^\d{4}-\d\d-\d\d$/, 86_400_000],
  [/^\d\d:\d\d:\d\dZ?$/, 3_600_000],
];

function keepOrder(fields: RelatedFields, { before, after, isClose }: OrderedPair): void {
  for (const [first, start] of fields.named(before)) {
    const rest = first.replace(before, '');
    const [found] = fields
      .named(after)
      .toSorted(([left], [right]) => Number(right.endsWith(rest)) - Number(left.endsWith(rest)));
    const kind = kindOf(start);
    // `EUR` to `USD` has no order.
    if (found === undefined || kind === undefined || kind !== kindOf(found[1])) continue;
    const [second, end] = found;
    if (typeof start === 'number' && typeof end === 'number') {
      if (end < start && !fields.set(second, start)) fields.set(first, end);
    } else if (typeof start === 'string' && typeof end === 'string') {
      if (end < start || isClose === true) fields.set(second, later(start, end));
    }
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
function later(start: string, end: string): string {
  const [, unit] = kinds[kindOf(start) ?? 0] ?? [];
  const steps = 1 + (Number(end.replaceAll(/\D/g, '').slice(-6)) % 5);
  const isTime = !start.includes('-');
  const from = Date.parse(isTime ? `2024-01-01T${start.replace(/Z?$/, 'Z')}` : start);
  const made = new Date(from + steps * (unit ?? 0)).toISOString();
  if (!isTime) return start.includes('T') ? made.replace('.000Z', 'Z') : made.slice(0, 10);
  const time = made.slice(11, 19);
  return `${time < start ? '23:59:59' : time}${start.endsWith('Z') ? 'Z' : ''}`;
}
