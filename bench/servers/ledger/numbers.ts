import { whole, type Rule } from '../serving/fields.ts';

export const anyWhole: Rule = whole(-1e30, 1e30);

/** An amount with at most two decimals. */
export const decimal =
  (min: number, max: number, isRounded = false): Rule =>
  (value, name) => {
    const isFine = typeof value === 'number' && value >= min && value <= max;
    if (!isFine) return `${name} must be a number from ${String(min)} to ${String(max)}.`;
    if (Number(value.toFixed(2)) === value || isRounded) return undefined;
    return `${name} must have at most two decimals.`;
  };

/** Hundredths of a number, as öre of kronor. */
export const hundredths = (value: number): number => Math.round(value * 100);
export const kronor = (ore: number): number => ore / 100;
