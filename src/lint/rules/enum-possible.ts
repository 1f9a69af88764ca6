import { joinPointer } from '../../json/pointer.ts';
import type { LintContext } from '../lint-context.ts';
import { showJson } from '../show-json.ts';
import type { DocumentNode } from '../walk-document.ts';
import type { LintFault, LintRule } from './rule.ts';

export const enumPossible = {
  id: 'vouch/enum-possible',
  severity: 'error',
  reason:
    'A value that the enum lists and another keyword forbids can never be ' +
    'used, and an empty enum forbids everything.',
  documentation: 'https://json-schema.org/draft/2020-12/json-schema-validation#name-enum',
  inspect: (context) => context.nodes('schema').flatMap((node) => inspectEnum(node, context)),
} as const satisfies LintRule;

/** Values of a wrong type are left to Redocly's `no-enum-type-mismatch`. */
function inspectEnum(node: DocumentNode, context: LintContext): LintFault[] {
  const values = node.value['enum'];
  if (!Array.isArray(values)) return [];
  const pointer = joinPointer(node.pointer, 'enum');
  if (values.length === 0)
    return [
      {
        pointer,
        message:
          'The enum is empty: strictly read no value keeps it, and most tools, ' +
          'vouch too, take any.',
        hint: 'List the values, or leave the enum out.',
      },
    ];
  const schema = context.schemaAt(node);
  return values.flatMap((value, index) => {
    const issues = context.issuesOf(schema, value, node.direction ?? 'request');
    const [issue] = issues.some(({ keyword }) => keyword === 'type') ? [] : issues;
    return issue === undefined
      ? []
      : [
          {
            pointer: joinPointer(pointer, index),
            message:
              `The enum lists ${showJson(value)}, which another keyword of its schema ` +
              `forbids: it ${issue.message}.`,
            hint: 'Take the value from the enum, or widen the other keyword.',
          },
        ];
  });
}
