import type { Service } from './store.ts';

const units = { mo: 576_000, w: 144_000, d: 28_800, h: 3_600, m: 60, s: 1 } as const;

/** One or several numbers with units, as the document has it. */
export const duration = /^-?\d{1,3}(mo|w|d|h|m|s)( ?\d{1,3}(mo|w|d|h|m|s))*$/;
export const positive = /^\d{1,3}(mo|w|d|h|m|s)( ?\d{1,3}(mo|w|d|h|m|s))*$/;

/** The seconds of a duration: a day has eight hours, a week five days, a month four weeks. */
export function secondsOf(text: string, { has }: Service): number {
  const parts = [...text.matchAll(/(\d+)(mo|w|d|h|m|s)/g)];
  const counted = has('duration-first-unit') ? parts.slice(0, 1) : parts;
  let sum = 0;
  for (const [, count, unit] of counted)
    sum +=
      Number(count) *
      (unit === 'd' && has('day-of-24-hours') ? 86_400 : units[unit as keyof typeof units]);
  return text.startsWith('-') ? -sum : sum;
}

/** The largest units first, such as `1d 2h`; null for nothing. */
export function humanOf(seconds: number, { has }: Service): string | null {
  const parts: string[] = [];
  let rest = seconds;
  for (const [unit, size] of Object.entries(units)) {
    if (size > units.h && has('human-in-hours')) continue;
    if (rest >= size) parts.push(`${String(Math.floor(rest / size))}${unit}`);
    rest %= size;
  }
  return parts.length === 0 ? null : parts.join(' ');
}
