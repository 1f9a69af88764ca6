import { joinPointer } from '../../json/pointer.ts';
import { showJson } from '../show-json.ts';
import type { LintRule } from './rule.ts';

export const multiplePositive = {
  id: 'vouch/multiple-positive',
  severity: 'error',
  reason: 'Nothing is a multiple of zero, and JSON Schema allows no negative `multipleOf`.',
  documentation: 'https://json-schema.org/draft/2020-12/json-schema-validation#name-multipleof',
  inspect: (context) =>
    context.nodes('schema').flatMap(({ value, pointer }) => {
      const step = value['multipleOf'];
      if (typeof step !== 'number' || step > 0) return [];
      return [
        {
          pointer: joinPointer(pointer, 'multipleOf'),
          message: `multipleOf is ${showJson(step)}, and must be above 0.`,
          hint: 'Write a number above 0, or leave it out.',
        },
      ];
    }),
} as const satisfies LintRule;
