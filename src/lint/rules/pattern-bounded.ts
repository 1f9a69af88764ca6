import { joinPointer } from '../../json/pointer.ts';
import { patternsOf } from '../patterns-of.ts';
import { isCatastrophicPattern } from '../../contract/pattern/catastrophic-pattern.ts';
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
