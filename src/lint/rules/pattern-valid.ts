import { joinPointer } from '../../json/pointer.ts';
import { patternsOf } from '../patterns-of.ts';
import type { LintRule } from './rule.ts';

export const patternValid = {
  id: 'vouch/pattern-valid',
  severity: 'error',
  reason:
    'A pattern that is no regular expression checks nothing, or stops whoever reads the contract.',
  documentation: 'https://json-schema.org/draft/2020-12/json-schema-core#name-regular-expressions',
  inspect: (context) =>
    context.nodes('schema').flatMap((node) =>
      patternsOf(node).flatMap(({ pattern, tokens }) => {
        const fault = faultOf(pattern);
        if (fault === undefined) return [];
        return [
          {
            pointer: joinPointer(node.pointer, ...tokens),
            message: `The pattern ${pattern} is no regular expression: ${fault}.`,
            hint: 'Mend it; patterns are those of ECMA-262 (JavaScript).',
          },
        ];
      }),
    ),
} as const satisfies LintRule;

/**
 * What the engine dislikes, with the flag `u` as JSON Schema asks and without it as many patterns
 * in the wild need; undefined where either reading works.
 */
function faultOf(pattern: string): string | undefined {
  try {
    new RegExp(pattern, 'u');
    return undefined;
  } catch (strict) {
    try {
      new RegExp(pattern);
      return undefined;
    } catch {
      const message = strict instanceof Error ? strict.message : String(strict);
      return message.slice(message.lastIndexOf(': ') + 2).toLowerCase();
    }
  }
}
