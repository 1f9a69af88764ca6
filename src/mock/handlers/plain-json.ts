import { VouchError } from '../../errors.ts';
import { type JsonValue, setMember } from '../../json/value.ts';

/** Deeper values are taken for a circle. */
const deepest = 500;

/**
 * What a program gave as JSON: like JSON.stringify, members that are undefined are left out and
 * `toJSON` is called, so a Date is its text; bigints stay. Throws a VouchError ('handler-failed')
 * for what JSON cannot say, with its place.
 */
export function plainJson(value: unknown, at = '', depth = 0): JsonValue {
  const given = isConvertible(value) ? value.toJSON() : value;
  if (given === null || typeof given === 'string' || typeof given === 'boolean') return given;
  if (typeof given === 'bigint' || (typeof given === 'number' && Number.isFinite(given)))
    return given;
  if (typeof given !== 'object') throw noJson(at, `it is ${wordFor(given)}`);
  if (depth > deepest) throw noJson('', 'it contains itself');
  if (Array.isArray(given))
    return given.map((item: unknown, index) =>
      item === undefined ? null : plainJson(item, `${at}/${String(index)}`, depth + 1),
    );
  const made: Record<string, JsonValue> = {};
  for (const [name, member] of Object.entries(given))
    if (member !== undefined) setMember(made, name, plainJson(member, `${at}/${name}`, depth + 1));
  return made;
}

function isConvertible(value: unknown): value is { toJSON(): unknown } {
  return (
    typeof value === 'object' &&
    value !== null &&
    'toJSON' in value &&
    typeof value.toJSON === 'function'
  );
}

function wordFor(given: unknown): string {
  if (given === undefined || typeof given === 'number') return String(given);
  return `a ${typeof given}`;
}

function noJson(at: string, why: string): VouchError {
  const place = at === '' ? 'of the handler' : `at ${at}`;
  return new VouchError('handler-failed', `The value ${place} is no JSON: ${why}.`);
}
