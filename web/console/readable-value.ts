import { ExactNumber } from '../shared/text.ts';

/** A value for a cell of a table: short, without the syntax of JSON. */
export function readableValue(value: unknown): string {
  if (value === undefined || value === null) return '';
  if (typeof value === 'string') return readableMoment(value);
  if (!isNested(value)) return String(value);
  if (Array.isArray(value))
    return value.some(isNested) ? itemsText(value.length) : value.map(readableValue).join(', ');
  return Object.entries(value)
    .map(([name, member]) => `${name}: ${isNested(member) ? '…' : readableValue(member)}`)
    .join(', ');
}

export function isNested(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !(value instanceof ExactNumber);
}

function itemsText(count: number): string {
  return count === 1 ? '1 item' : `${String(count)} items`;
}

/** `2030-01-02T03:04:05Z` as `2030-01-02 03:04`; another zone than UTC stays. */
function readableMoment(text: string): string {
  const moment = /^(\d{4}-\d\d-\d\d)T(\d\d:\d\d)(?::\d\d(?:\.\d+)?)?(Z|[+-]\d\d:\d\d)?$/.exec(text);
  if (moment === null) return text;
  const [, date = '', time = '', zone = 'Z'] = moment;
  return zone === 'Z' ? `${date} ${time}` : `${date} ${time} ${zone}`;
}

/** Whether a text is a long key that nobody reads, such as a UUID. */
export function isOpaque(text: string): boolean {
  return /^[0-9A-Za-z_-]{20,}$/.test(text) && /\d/.test(text);
}

/** The order of two values: numbers by size, others as text; values that are missing come last. */
export function compareValues(left: unknown, right: unknown): number {
  const isMissing = [left, right].map((value) => value === undefined || value === null);
  if (isMissing.includes(true)) return Number(isMissing[0]) - Number(isMissing[1]);
  const isNumber = [left, right].every((value) => /^-?\d+(\.\d+)?$/.test(String(value)));
  if (isNumber) return Number(left) - Number(right);
  return readableValue(left).localeCompare(readableValue(right));
}
