/** Alternatives of a regular expression, from parts that are separated by blanks. */
export function alternatives(...lines: readonly string[]): string {
  return lines.join(' ').split(' ').join('|');
}

/**
 * Matches a normalised name (lower case, letters and digits only) that contains one of these parts.
 * Parts are separated by blanks and are regular expressions.
 */
export function namePattern(...lines: readonly string[]): RegExp {
  return new RegExp(alternatives(...lines));
}
