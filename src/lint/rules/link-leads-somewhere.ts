import { joinPointer } from '../../json/pointer.ts';
import { operationIds, suggestOperation } from '../lint-config.ts';
import { openApiPage, type LintRule } from './rule.ts';

export const linkLeadsSomewhere = {
  id: 'vouch/link-leads-somewhere',
  severity: 'error',
  reason: 'A link is followed by the name of its operation.',
  documentation: openApiPage('link-object'),
  inspect: (context) => {
    const ids = operationIds(context);
    return context.nodes('link').flatMap(({ key, value, pointer }) => {
      const id = value['operationId'];
      if (typeof id !== 'string' || ids.includes(id)) return [];
      return [
        {
          pointer: joinPointer(pointer, 'operationId'),
          message:
            `The link ${key} leads to the operation ${id}, which the contract does ` + 'not have.',
          hint: suggestOperation(id, ids),
        },
      ];
    });
  },
} as const satisfies LintRule;
