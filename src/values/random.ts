import { VouchError } from '../errors.ts';

/** A pseudo-random number generator: the same seed gives the same numbers on every machine. */
export interface Random {
  /** A double in [0, 1). */
  next(): number;
  /** An integer from `min` to `max`, both included. */
  integer(min: number, max: number): number;
  /** One of the items. Throws for an empty list. */
  pick<Item>(list: readonly Item[]): Item;
}

/** Hexadecimal digits. */
export function hex(random: Random, length: number): string {
  return Array.from({ length }, () => random.integer(0, 15).toString(16)).join('');
}

/** A version 4 UUID (RFC 9562, section 5.4); `variant` gives the digit that is 8, 9, a or b. */
export function plainUuid(random: Random, variant = (): string => 'a'): string {
  const [start, middle, version] = [hex(random, 8), hex(random, 4), `4${hex(random, 3)}`];
  return [start, middle, version, variant() + hex(random, 3), hex(random, 12)].join('-');
}

/**
 * The generator sfc32 (C. Doty-Humphrey, PractRand), its state filled from a hash of the seed. It
 * uses 32-bit integer arithmetic only, so it is deterministic on every machine; `42` and `'42'` are
 * the same seed.
 */
export function makeRandom(seed: number | string): Random {
  const next = sfc32(hashText(String(seed)));
  const integer = (min: number, max: number): number => min + Math.floor(next() * (max - min + 1));
  return {
    next,
    integer,
    pick<Item>(list: readonly Item[]): Item {
      if (list.length === 0)
        throw new VouchError('internal', 'There is nothing to pick from: the list is empty.');
      // The index is within the bounds of a list that is not empty.
      return list[integer(0, list.length - 1)] as Item;
    },
  };
}

function sfc32([a, b, c, counter]: Hash): () => number {
  const step = (): number => {
    const sum = (a + b + counter) | 0;
    counter = (counter + 1) | 0;
    a = b ^ (b >>> 9);
    b = (c + (c << 3)) | 0;
    c = (((c << 21) | (c >>> 11)) + sum) | 0;
    return (sum >>> 0) / 2 ** 32;
  };
  // The first numbers correlate with the seed; the author of sfc32 discards twelve rounds.
  for (let round = 0; round < 12; round += 1) step();
  return step;
}

/** Four 32-bit words. */
type Hash = [number, number, number, number];

/** The hash cyrb128: every character affects every word. Not for secrets. */
export function hashText(text: string): Hash {
  let [a, b, c, d]: Hash = [1779033703, 3144134277, 1013904242, 2773480762];
  for (let index = 0; index < text.length; index += 1) {
    const code = text.charCodeAt(index);
    a = b ^ Math.imul(a ^ code, 597399067);
    b = c ^ Math.imul(b ^ code, 2869860233);
    c = d ^ Math.imul(c ^ code, 951274213);
    d = a ^ Math.imul(d ^ code, 2716044179);
  }
  a = Math.imul(c ^ (a >>> 18), 597399067);
  b = Math.imul(d ^ (b >>> 22), 2869860233);
  c = Math.imul(a ^ (c >>> 17), 951274213);
  d = Math.imul(b ^ (d >>> 19), 2716044179);
  return [a ^ b ^ c ^ d, b ^ a, c ^ a, d ^ a];
}
