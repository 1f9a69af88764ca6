import type { JsonValue } from '../../../json/value.ts';

/** The longest that an answer can be held back: ten minutes. */
export const longestDelayMs = 600_000;

/**
 * Reads a delay as people write it: `200ms`, `2s`, `1.5s`, or a number of milliseconds. Undefined
 * where it is none, or too long.
 */
export function parseDelay(value: JsonValue): number | undefined {
  const milliseconds =
    typeof value === 'number' ? value : typeof value === 'string' ? fromText(value) : undefined;
  if (milliseconds === undefined || !(milliseconds >= 0) || milliseconds > longestDelayMs)
    return undefined;
  return Math.round(milliseconds);
}

function fromText(text: string): number | undefined {
  const match = /^(\d+(?:\.\d+)?)(ms|s)?$/.exec(text);
  if (match === null) return undefined;
  return Number(match[1]) * (match[2] === 's' ? 1000 : 1);
}
