import { joinPointer } from '../../json/pointer.ts';
import { showJson } from '../show-json.ts';
import { openApiPage, type LintRule } from './rule.ts';

export const defaultValid = {
  id: 'vouch/default-valid',
  severity: 'error',
  reason:
    'A default that breaks its own schema is a value that the server takes ' +
    'when it is left out, and refuses when it is sent.',
  documentation: openApiPage('schema-object'),
  inspect: (context) =>
    context.nodes('schema').flatMap((node) => {
      const { value, pointer, direction } = node;
      const given = value['default'];
      if (given === undefined) return [];
      const [issue] = context.issuesOf(context.schemaAt(node), given, direction ?? 'request');
      return issue === undefined
        ? []
        : [
            {
              pointer: joinPointer(pointer, 'default'),
              message: `The default ${showJson(given)} breaks its own schema: it ${issue.message}.`,
              hint: 'Give a default that the schema allows, or widen the schema.',
            },
          ];
    }),
} as const satisfies LintRule;
