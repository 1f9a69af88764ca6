import type { Operation } from './model.ts';

/** What operations can do to a service, from the least to the most. */
export const effects = [
  'reads',
  'creates one',
  'changes one',
  'deletes one',
  'acts on one',
  'acts',
  'sweeps',
] as const;

/**
 * What an operation does to the service. `changes one`, `deletes one` and `acts on one` concern the
 * record that the request names. `acts` names no record: it sends a message, runs a query or logs
 * in. `sweeps` may touch records that the request does not name, or the whole service.
 */
export type Effect = (typeof effects)[number];

/** The effect of an operation, and what it was read from. */
export interface EffectReading {
  readonly operation: Operation;
  readonly effect: Effect;
  /** `contract`: `x-vouch-effect` says it. `inferred`: method, path and words say it. */
  readonly source: 'inferred' | 'contract' | 'configuration';
  /** A clause that begins with a small letter. */
  readonly why: string;
}

/** Effects that a person gives to operations, by operation id. They overrule what was read. */
export type EffectOverrides = Readonly<Record<string, Effect>>;

/** The effect of that name, spelled with spaces or with hyphens; undefined where there is none. */
export function effectNamed(text: string): Effect | undefined {
  const plain = text.trim().toLowerCase().replaceAll('-', ' ');
  return effects.find((effect) => effect === plain);
}
