import type { Resource } from '../../../contract/model.ts';
import type { StoredRecord } from '../../../store/store.ts';

/**
 * Whether identifiers say in which order records were made: the list takes bounds for them, such as
 * `oldest` and `latest`.
 */
export function areOrdered({ identifier, list }: Resource): boolean {
  return (
    identifier.type === 'string' &&
    (list?.ranges ?? []).some(({ field }) => field === identifier.field)
  );
}

/**
 * Texts for a new identifier that is later than those of all records: the time in a usual form, and
 * the latest identifier counted on.
 */
export function laterIdentifiers(records: readonly StoredRecord[], now: Date): string[] {
  const latest = records.map(({ id }) => id).reduce((max, id) => (id > max ? id : max), '');
  const seconds = String(Math.floor(now.getTime() / 1000));
  const milliseconds = String(now.getTime());
  const inForms = [
    now.toISOString(),
    milliseconds,
    seconds,
    `${seconds}.${milliseconds.slice(-3)}000`,
    `${seconds}.${milliseconds.slice(-3)}`,
  ];
  const next = countedOn(latest);
  return [...inForms.filter((text) => text > latest), ...(next === undefined ? [] : [next])];
}

/** A text with its last number one higher, in as many digits: `1700000000.000100`. */
function countedOn(text: string): string | undefined {
  const [, before, digits, behind] = /^(.*?)(\d+)(\D*)$/s.exec(text) ?? [];
  if (before === undefined || digits === undefined) return undefined;
  const next = String(BigInt(digits) + 1n).padStart(digits.length, '0');
  return next.length > digits.length ? undefined : `${before}${next}${behind ?? ''}`;
}
