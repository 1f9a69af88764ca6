import type { PriceLine, Prices } from './store.ts';

export interface Party {
  readonly adults: number;
  readonly children: number;
  readonly bicycles: number;
}

interface Manner {
  readonly groupSize?: number;
  readonly isForBicycles?: boolean;
}

/** The price lines of a party, with 10 % off its passengers where they are a group. */
export function pricesOf(
  prices: Prices,
  { adults, children, bicycles }: Party,
  { groupSize = 5, isForBicycles = false }: Manner = {},
): PriceLine[] {
  const line = (kind: keyof Prices, quantity: number): PriceLine => ({
    kind,
    quantity,
    unitAmount: prices[kind],
    amount: quantity * prices[kind],
  });
  const lines = [line('adult', adults), line('child', children), line('bicycle', bicycles)];
  const sum = lines
    .filter(({ kind }) => kind !== 'bicycle' || isForBicycles)
    .reduce((total, { amount }) => total + amount, 0);
  const discount = -Math.floor(sum / 10);
  const isGroup = adults + children >= groupSize;
  const off = { kind: 'groupDiscount', quantity: 1, unitAmount: discount, amount: discount };
  return [...lines.filter(({ quantity }) => quantity > 0), ...(isGroup ? [off] : [])];
}

export const totalOf = (lines: readonly PriceLine[]): number =>
  lines.reduce((sum, { amount }) => sum + amount, 0);
