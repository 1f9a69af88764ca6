/** Rules that Redocly documents as common to all kinds of documents; the others are under `oas`. */
const commonRules = new Set([
  'no-duplicated-enum-values',
  'no-enum-type-mismatch',
  'no-mixed-number-range-constraints',
  'no-required-schema-properties-undefined',
  'no-schema-type-mismatch',
  'no-unresolved-refs',
  'no-unsafe-markdown',
  'security-scopes-defined',
  'struct',
]);

/**
 * The page of Redocly's manual about one of its rules, or undefined for a rule that a configuration
 * made.
 */
export function documentationOf(rule: string): string | undefined {
  if (rule.includes('/')) return undefined;
  return `https://redocly.com/docs/cli/rules/${commonRules.has(rule) ? 'common' : 'oas'}/${rule.replaceAll('.', '-')}`;
}
