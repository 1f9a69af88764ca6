import { openApiPage, type LintRule } from './rule.ts';

export const pathTemplateUnique = {
  id: 'vouch/path-template-unique',
  severity: 'error',
  reason:
    'A name that stands twice in a path can be given only one value, and ' +
    'which place it fills is anybody’s guess.',
  documentation: openApiPage('path-templating'),
  inspect: (context) =>
    context.nodes('pathItem').flatMap(({ key, pointer }) =>
      repeated([...key.matchAll(/\{([^{}]+)\}/g)].map((match) => match[1] ?? '')).map((name) => ({
        pointer,
        message: `The path ${key} names the parameter ${name} more than once.`,
        hint: 'Give each place in the path a name of its own.',
      })),
    ),
} as const satisfies LintRule;

function repeated(names: readonly string[]): string[] {
  return [...new Set(names.filter((name, index) => names.indexOf(name) !== index))];
}
