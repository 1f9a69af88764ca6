import type { Operation, Parameter } from '../model/operation.ts';
import type { Unasked } from '../model/resource.ts';
import { factsIn, operationTexts, parameterTexts } from './facts.ts';

/**
 * Which records a list shows while a filter is not asked for, as the words of either say: `Without
 * status only the published ones`, `Archived members are given only with status=archived`.
 */
export function readUnasked(list: Operation, parameter: Parameter): Unasked | undefined {
  const { schema, name } = parameter;
  const { node, items } = schema.flatten();
  const listed = node.enum ?? (items && schema.flatten(items).node.enum) ?? [];
  const own = factsIn(parameterTexts(parameter), 'unasked');
  const facts = [...own, ...factsIn(operationTexts(list), 'unasked')];
  for (const fact of facts) {
    const { asked = 'it', only, never = '' } = fact.groups;
    const isOwn = asked === 'it' ? own.includes(fact) : asked === name;
    const word = (only ?? never).toLowerCase();
    const value = listed.find((one) => String(one).toLowerCase() === word);
    if (isOwn && value !== undefined)
      return { shows: only === undefined ? 'others' : 'only', value };
  }
  return undefined;
}
