import type { Random } from './random.ts';

/** Somebody who does not exist. */
export interface Person {
  readonly first: string;
  readonly last: string;
}

const firstNames = [
  'Robin',
  'Alex',
  'Sam',
  'Kim',
  'Jo',
  'Maria',
  'Noah',
  'Amara',
  'Yuki',
  'Elena',
  'Omar',
  'Ingrid',
  'Mateo',
  'Priya',
  'Lucas',
  'Hana',
  'Jonas',
  'Leila',
  'Felix',
  'Zoe',
];
const lastNames = [
  'Miller',
  'Morgan',
  'Carter',
  'Lopez',
  'Fisher',
  'Rossi',
  'Okafor',
  'Tanaka',
  'Novak',
  'Haddad',
  'Larsen',
  'Garcia',
  'Sharma',
  'Martin',
  'Weber',
  'Kowalski',
  'Dubois',
  'Silva',
  'Brandt',
  'Walsh',
];

/**
 * The person behind a seed: every field of one record that speaks of a person speaks of the same
 * one.
 */
export function personOf(random: Random): Person {
  return { first: random.pick(firstNames), last: random.pick(lastNames) };
}

/** At a domain that is reserved for examples (RFC 2606), so that nobody gets mail. */
export function mailOf({ first, last }: Person, random: Random): string {
  return `${first}.${last}${String(random.integer(10, 999))}@example.com`.toLowerCase();
}
