import { joinPointer } from '../../json/pointer.ts';
import { operationIds, suggestOperation } from '../lint-config.ts';
import { type LintRule, openApiPage } from './rule.ts';

export const linkLeadsSomewhere = {
  id: 'vouch/link-leads-somewhere',
  severity: 'error',
  reason: 'Clients follow a link by the name of its operation.',
  documentation: openApiPage('link-object'),
  inspect: (context) => {
    const ids = operationIds(context);
    return context.nodes('link').flatMap(({ key, value, pointer }) => {
      const id = value['operationId'];
      if (typeof id !== 'string' || ids.includes(id)) return [];
      return [
        {
          pointer: joinPointer(pointer, 'operationId'),
          message: `The link ${key} names the operation ${id}, which the contract does not have.`,
          hint: suggestOperation(id, ids),
        },
      ];
    });
  },
} as const satisfies LintRule;

export const replacementExists = {
  id: 'vouch/replacement-exists',
  severity: 'warning',
  reason:
    'The mock sends a link to the operation that `x-replaced-by` names, so ' +
    'that clients find the way.',
  inspect: (context) => {
    const ids = operationIds(context);
    return context.nodes('operation').flatMap(({ value, pointer }) => {
      const id = value['x-replaced-by'];
      if (typeof id !== 'string' || ids.includes(id)) return [];
      return [
        {
          pointer: joinPointer(pointer, 'x-replaced-by'),
          message: `x-replaced-by names the operation ${id}, which the contract does not have.`,
          hint: suggestOperation(id, ids),
        },
      ];
    });
  },
} as const satisfies LintRule;
