import { joinPointer } from '../../json/pointer.ts';
import { openApiPage, type LintRule } from './rule.ts';

export const directionSingle = {
  id: 'vouch/direction-single',
  severity: 'error',
  reason:
    'What is readOnly is not sent and what is writeOnly is not shown, so ' +
    'that a value with both marks never travels at all.',
  documentation: openApiPage('schema-object'),
  inspect: (context) =>
    context
      .nodes('schema')
      .filter(({ value }) => value['readOnly'] === true && value['writeOnly'] === true)
      .map(({ key, pointer }) => ({
        pointer: joinPointer(pointer, 'writeOnly'),
        message: `${key} is both readOnly and writeOnly.`,
        hint: 'Keep one of the two.',
      })),
} as const satisfies LintRule;
