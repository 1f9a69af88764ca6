import { toDecimal, unitsAt, type Decimal } from '../../json/decimal.ts';

const maxDigits = 1_000;
const largest = 10n ** BigInt(maxDigits);

/**
 * An exact number in a rule: the result of `decimal()` and `decimal_sum()`. 0.1 + 0.2 is 0.3, and
 * the text "12.50" equals the number 12.5.
 */
export class CelDecimal {
  readonly value: Decimal;

  /** Throws a RangeError beyond a thousand digits, which nobody writes, and a product may have. */
  constructor(value: Decimal) {
    if (value.digits > maxDigits || value.units > largest || value.units < -largest)
      throw new RangeError(`a decimal number has more than ${String(maxDigits)} digits`);
    this.value = value;
  }

  /** The decimal in plain notation: no exponent, no trailing zeros in a fraction. */
  toString(): string {
    const { units, digits } = this.value;
    const text = String(units < 0n ? -units : units).padStart(digits + 1, '0');
    const whole = text.slice(0, text.length - digits);
    const fraction = text.slice(text.length - digits).replace(/0+$/, '');
    return `${units < 0n ? '-' : ''}${whole}${fraction === '' ? '' : `.${fraction}`}`;
  }
}

const longestText = 200;

/**
 * The decimal of a CEL value: an integer, a double (as JSON writes it) or a text such as "-12.50".
 * Undefined for any other value.
 */
export function readDecimal(value: unknown): CelDecimal | undefined {
  if (value instanceof CelDecimal) return value;
  if (typeof value === 'bigint') return new CelDecimal(toDecimal(value));
  if (typeof value === 'number')
    return Number.isFinite(value) ? new CelDecimal(toDecimal(value)) : undefined;
  if (typeof value !== 'string' || value.length > longestText) return undefined;
  const [, sign = '', whole, fraction = ''] = /^([+-]?)(\d+)(?:\.(\d+))?$/.exec(value) ?? [];
  if (whole === undefined) return undefined;
  const units = BigInt(whole + fraction);
  return new CelDecimal({ units: sign === '-' ? -units : units, digits: fraction.length });
}

/** Negative if `left` is smaller than `right`, positive if it is greater, otherwise 0. */
export function compareDecimals(left: CelDecimal, right: CelDecimal): number {
  const digits = Math.max(left.value.digits, right.value.digits);
  const difference = unitsAt(left.value, digits) - unitsAt(right.value, digits);
  return difference < 0n ? -1 : difference > 0n ? 1 : 0;
}

/**
 * The operators with a decimal as result. A quotient may have infinitely many digits, so there is
 * no division.
 */
export const decimalOperators = {
  '+': (left: CelDecimal, right: CelDecimal) => addUp(left, right, 1n),
  '-': (left: CelDecimal, right: CelDecimal) => addUp(left, right, -1n),
  '*': (left: CelDecimal, right: CelDecimal) =>
    new CelDecimal({
      units: left.value.units * right.value.units,
      digits: left.value.digits + right.value.digits,
    }),
} as const;

function addUp(left: CelDecimal, right: CelDecimal, sign: bigint): CelDecimal {
  const digits = Math.max(left.value.digits, right.value.digits);
  const units = unitsAt(left.value, digits) + sign * unitsAt(right.value, digits);
  return new CelDecimal({ units, digits });
}
