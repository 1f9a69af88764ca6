import { randomUUID } from 'node:crypto';
import { choose, type Start } from './plant.ts';

/** What a started service has: what is wrong or different in it, new identifiers, and the time. */
export interface Opened<Defect extends string, Variant extends string> {
  readonly has: (defect: Defect) => boolean;
  readonly varies: (variant: Variant) => boolean;
  readonly nextId: () => string;
  /** Milliseconds; no two are the same. */
  readonly now: () => number;
}

interface Names<Defect extends string, Variant extends string> {
  readonly defects: readonly Defect[];
  readonly variants: readonly Variant[];
  /** The variant whose identifiers are UUIDs. */
  readonly uuids?: Variant;
}

export function openService<Defect extends string, Variant extends string>(
  { defects, variants, uuids }: Names<Defect, Variant>,
  { defect, variant }: Start,
): Opened<Defect, Variant> {
  const varies = choose('variant', variants, variant);
  let [last, time] = [5000, 0];
  return {
    has: choose('defect', defects, defect),
    varies,
    nextId: () => {
      last += 1;
      return uuids !== undefined && varies(uuids) ? randomUUID() : String(last);
    },
    now: () => (time = Math.max(Date.now(), time + 1)),
  };
}
