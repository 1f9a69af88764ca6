/** Cents of an amount that is written with two decimals. */
export function cents(amount: string): bigint {
  return BigInt(amount.replace('.', ''));
}

/** An amount with two decimals. */
export function money(amount: bigint): string {
  const digits = String(amount).padStart(3, '0');
  return `${digits.slice(0, -2)}.${digits.slice(-2)}`;
}

export function addDays(date: string, days: number): string {
  const moment = new Date(`${date}T00:00:00Z`);
  moment.setUTCDate(moment.getUTCDate() + days);
  return moment.toISOString().slice(0, 10);
}
