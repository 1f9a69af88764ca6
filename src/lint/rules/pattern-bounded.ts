import { isCatastrophicPattern } from '../../contract/pattern/catastrophic-pattern.ts';
import { joinPointer } from '../../json/pointer.ts';
import { isJsonObject, type JsonValue } from '../../json/value.ts';
import type { DocumentNode } from '../walk-document.ts';
import type { LintRule } from './rule.ts';

export const patternBounded = {
  id: 'vouch/pattern-bounded',
  severity: 'warning',
  reason:
    'A pattern that can read one text in very many ways may take minutes to ' +
    'refuse a short text that almost fits.',
  documentation:
    'https://owasp.org/www-community/attacks/Regular_expression_Denial_of_Service_-_ReDoS',
  inspect: (context) =>
    context.nodes('schema').flatMap((node) =>
      patternsOf(node)
        .filter(({ pattern }) => isCatastrophicPattern(pattern))
        .map(({ pattern, tokens }) => ({
          pointer: joinPointer(node.pointer, ...tokens),
          message:
            `The pattern ${pattern} can run away: it repeats something that it can ` +
            'read in more than one way.',
          hint:
            'Write it so that each character fits one part only: `^a+$` for ' +
            '`^(a+)+$`, `^\\w+( \\w+)*$` for `^(\\w+ ?)+$`.',
        })),
    ),
} as const satisfies LintRule;

export const patternValid = {
  id: 'vouch/pattern-valid',
  severity: 'error',
  reason: 'An invalid regular expression validates nothing, or makes tools fail.',
  documentation: 'https://json-schema.org/draft/2020-12/json-schema-core#name-regular-expressions',
  // The model is read without such patterns, so its faults have them.
  inspect: ({ contract }) =>
    contract.faults
      .filter(({ rule }) => rule === 'vouch/pattern-valid')
      .map(({ pointer, message, hint = '' }) => ({ pointer, message, hint })),
} as const satisfies LintRule;

/** A regular expression of a schema, and the tokens that lead to it from there. */
interface WrittenPattern {
  readonly pattern: string;
  readonly tokens: readonly string[];
}

/** The regular expressions of a schema: its `pattern`, and the names of its `patternProperties`. */
export function patternsOf({ value }: DocumentNode): WrittenPattern[] {
  const pattern: JsonValue | undefined = value['pattern'];
  const named = value['patternProperties'];
  return [
    ...(typeof pattern === 'string' ? [{ pattern, tokens: ['pattern'] }] : []),
    ...(isJsonObject(named)
      ? Object.keys(named).map((name) => ({ pattern: name, tokens: ['patternProperties', name] }))
      : []),
  ];
}
