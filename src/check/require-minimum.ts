import { VouchError } from '../errors.ts';

/**
 * The value of an option. Throws a VouchError that names the option if the value is too small, or
 * not a number.
 */
export function requireMinimum(name: string, value: number, least: number): number {
  if (Number.isFinite(value) && value >= least) return value;
  throw new VouchError(
    'usage',
    `${name} is ${String(value)}, and must be ${String(least)} or more.`,
  );
}
