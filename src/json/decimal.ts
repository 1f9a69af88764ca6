/** An exact decimal: `units` × 10^-`digits`, with `digits` ≥ 0. */
export interface Decimal {
  readonly units: bigint;
  readonly digits: number;
}

/**
 * The decimal value of a JSON number as it is written: 0.1 is one tenth, not the nearest double.
 */
export function toDecimal(value: number | bigint): Decimal {
  if (typeof value === 'bigint') return { units: value, digits: 0 };
  const [mantissa = '0', exponent = '0'] = String(value).split('e');
  const [whole = '0', fraction = ''] = mantissa.split('.');
  const digits = fraction.length - Number(exponent);
  const units = BigInt(whole + fraction);
  return digits >= 0 ? { units, digits } : { units: units * 10n ** BigInt(-digits), digits: 0 };
}

/** The units of a decimal in 10^-`digits`; `digits` must be at least those of the decimal. */
export function unitsAt(decimal: Decimal, digits: number): bigint {
  return decimal.units * 10n ** BigInt(digits - decimal.digits);
}

/**
 * The JSON value of a decimal; an integer beyond ±2^53 is a `bigint`. Undefined if no double is
 * equal.
 */
export function fromDecimal({ units, digits }: Decimal): number | bigint | undefined {
  const scale = 10n ** BigInt(digits);
  if (units % scale === 0n) return fromInteger(units / scale);
  const value = Number(`${units}e-${digits}`);
  return Number.isFinite(value) ? value : undefined;
}

/** The JSON value of an integer: a `bigint` if a double is not exact. */
export function fromInteger(value: bigint): number | bigint {
  const double = Number(value);
  return Number.isSafeInteger(double) ? double : value;
}

/** Division that rounds down, as `Math.floor` does. */
export function floorDivide(dividend: bigint, divisor: bigint): bigint {
  const quotient = dividend / divisor;
  return dividend % divisor < 0n ? quotient - 1n : quotient;
}

/** Division that rounds up, as `Math.ceil` does. */
export function ceilDivide(dividend: bigint, divisor: bigint): bigint {
  return -floorDivide(-dividend, divisor);
}

/** The least common multiple of two positive integers. */
export function commonMultiple(left: bigint, right: bigint): bigint {
  let [a, b] = [left, right];
  while (b !== 0n) [a, b] = [b, a % b];
  return (left / a) * right;
}

/** Whether a value is a decimal number that is written as text: `"1249.50"`. */
export function isDecimalText(value: unknown): value is string {
  return typeof value === 'string' && /^-?\d{1,30}(\.\d{1,30})?$/.test(value);
}

/** Compares decimals that are written as text, digit for digit: a double does not hold them all. */
export function compareDecimals(left: string, right: string): number {
  const [one, other] = [left, right].map((text) => {
    const [, sign = '', whole = '0', part = ''] = /^(-?)(\d+)(?:\.(\d+))?$/.exec(text) ?? [];
    return BigInt(`${sign}${whole}${part.padEnd(30, '0')}`);
  });
  return one === undefined || other === undefined || one === other ? 0 : one < other ? -1 : 1;
}

/** The sum of decimals that are written as text, with as many digits as the longest of them has. */
export function addDecimals(texts: readonly string[]): string {
  const digits = Math.max(0, ...texts.map((text) => text.split('.')[1]?.length ?? 0));
  const units = texts.reduce((total, text) => {
    const [whole = '0', part = ''] = text.split('.');
    return total + BigInt(whole + part.padEnd(digits, '0'));
  }, 0n);
  const written = String(units < 0n ? -units : units).padStart(digits + 1, '0');
  const sign = units < 0n ? '-' : '';
  if (digits === 0) return sign + written;
  return `${sign}${written.slice(0, -digits)}.${written.slice(-digits)}`;
}
