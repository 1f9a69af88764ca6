/**
 * Every way to print what was found, in the order in which `--help` names them. Apart from what
 * prints, so that help loads none of it.
 */
export const lintFormats = ['pretty', 'json', 'github'] as const;
export type LintFormat = (typeof lintFormats)[number];
