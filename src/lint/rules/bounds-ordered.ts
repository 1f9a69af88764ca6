import type { SchemaObject } from '../../contract/model.ts';
import { joinPointer } from '../../json/pointer.ts';
import { showJson } from '../show-json.ts';
import type { LintRule } from './rule.ts';

type Keyword =
  | 'minimum'
  | 'exclusiveMinimum'
  | 'maximum'
  | 'exclusiveMaximum'
  | 'minLength'
  | 'maxLength'
  | 'minItems'
  | 'maxItems'
  | 'minProperties'
  | 'maxProperties'
  | 'minContains'
  | 'maxContains';

const pairs: readonly (readonly [lower: Keyword, upper: Keyword, mayBeEqual: boolean])[] = [
  ['minimum', 'maximum', true],
  ['exclusiveMinimum', 'maximum', false],
  ['minimum', 'exclusiveMaximum', false],
  ['exclusiveMinimum', 'exclusiveMaximum', false],
  ['minLength', 'maxLength', true],
  ['minItems', 'maxItems', true],
  ['minProperties', 'maxProperties', true],
  ['minContains', 'maxContains', true],
];

export const boundsOrdered = {
  id: 'vouch/bounds-ordered',
  severity: 'error',
  reason: 'Where the lower bound is above the upper one, no value keeps both.',
  documentation: 'https://json-schema.org/draft/2020-12/json-schema-validation',
  inspect: (context) =>
    context.nodes('schema').flatMap((written) => {
      const { node } = context.schemaAt(written);
      if (typeof node === 'boolean') return [];
      return pairs.flatMap(([lower, upper, mayBeEqual]) => {
        const [from, to] = [numberOf(node, lower), numberOf(node, upper)];
        if (from === undefined || to === undefined || (mayBeEqual ? from <= to : from < to))
          return [];
        // In 3.0 an exclusive bound is written as `minimum` beside a flag.
        const key =
          written.value[lower] === undefined || written.value[lower] === true
            ? lower.replace('exclusiveM', 'm')
            : lower;
        return [
          {
            pointer: joinPointer(written.pointer, key),
            message:
              `No value can keep ${lower} ${showJson(from)} and ${upper} ` +
              `${showJson(to)} at once.`,
            hint: 'Swap or mend the bounds.',
          },
        ];
      });
    }),
} as const satisfies LintRule;

function numberOf(node: SchemaObject, keyword: Keyword): number | bigint | undefined {
  const value = node[keyword];
  return typeof value === 'number' || typeof value === 'bigint' ? value : undefined;
}
