/**
 * Formats a whole number: `1,240`. Does not use `toLocaleString`, whose locales take 20 ms and 6
 * MB.
 */
export function formatNumber(number: number): string {
  return String(number).replaceAll(/\B(?=(?:\d{3})+$)/g, ',');
}

/**
 * Formats a count with its noun: `1 error`, `1,240 requests`. Default plural: the noun with an `s`.
 */
export function countOf(number: number, noun: string, plural = `${noun}s`): string {
  return `${formatNumber(number)} ${number === 1 ? noun : plural}`;
}

/** Joins the counts that are not zero: `2 errors, 1 note`; `none` if all are zero. */
export function countsOf(entries: readonly (readonly [number: number, noun: string])[]): string {
  const shown = entries
    .filter(([number]) => number > 0)
    .map(([number, noun]) => countOf(number, noun));
  return shown.length === 0 ? 'none' : shown.join(', ');
}

/** The same of findings: `2 errors, 1 note`. */
export function severityCounts(
  counts: Readonly<Record<'error' | 'warning' | 'note', number>>,
): string {
  return countsOf([
    [counts.error, 'error'],
    [counts.warning, 'warning'],
    [counts.note, 'note'],
  ]);
}

/** Formats a duration in a suitable unit: `3 ms`, `1.24 s`, `2 min 5 s`. */
export function formatDuration(milliseconds: number): string {
  if (milliseconds < 999.5) return `${String(Math.round(milliseconds))} ms`;
  const seconds = milliseconds / 1000;
  if (seconds < 59.995) return `${seconds.toFixed(2)} s`;
  const whole = Math.round(seconds);
  return `${String(Math.floor(whole / 60))} min ${String(whole % 60)} s`;
}

/** A duration in whole seconds: `8 s`, `2 min 5 s`. */
export function roughDuration(milliseconds: number): string {
  const seconds = Math.ceil(milliseconds / 1000);
  return seconds < 60 ? `${String(seconds)} s` : formatDuration(seconds * 1000);
}

/** Joins words as a list in a sentence: `a, b and c`. */
export function joinWords(words: readonly string[]): string {
  return words.length < 2
    ? (words[0] ?? '')
    : `${words.slice(0, -1).join(', ')} and ${words.at(-1) ?? ''}`;
}
