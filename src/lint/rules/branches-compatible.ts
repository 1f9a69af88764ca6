import { joinPointer } from '../../json/pointer.ts';
import { isJsonObject } from '../../json/value.ts';
import type { LintContext } from '../lint-context.ts';
import type { DocumentNode } from '../walk-document.ts';
import { openApiPage, type LintFault, type LintRule } from './rule.ts';

export const branchesCompatible = {
  id: 'vouch/branches-compatible',
  severity: 'error',
  reason:
    '`additionalProperties: false` in one branch of an allOf forbids what ' +
    'another branch requires, so that nothing fits both.',
  documentation: openApiPage('composition-and-inheritance-polymorphism'),
  inspect: (context) => context.nodes('schema').flatMap((node) => inspectBranches(node, context)),
} as const satisfies LintRule;

function inspectBranches(written: DocumentNode, context: LintContext): LintFault[] {
  const branches = written.value['allOf'];
  if (!Array.isArray(branches)) return [];
  const whole = context.schemaAt(written);
  const { required } = whole.flatten();
  return branches.flatMap((branch, index) => {
    if (!isJsonObject(branch)) return [];
    const pointer = joinPointer(written.pointer, 'allOf', index);
    const { node } = whole.follow(
      context.schemaAt({ ...written, value: branch, pointer }).node,
      pointer,
    );
    if (
      typeof node === 'boolean' ||
      node.additionalProperties !== false ||
      node.patternProperties !== undefined
    )
      return [];
    const known = node.properties ?? {};
    const forbidden = [...required].filter((name) => !Object.hasOwn(known, name));
    return forbidden.length === 0
      ? []
      : [
          {
            pointer,
            message:
              'This branch allows no properties but its own, and the whole requires ' +
              `${forbidden.join(', ')}: nothing fits both.`,
            hint:
              'Move `additionalProperties: false` out of the branch, or write ' +
              '`unevaluatedProperties: false` beside the allOf.',
          },
        ];
  });
}
