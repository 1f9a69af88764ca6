import type { Operation, Parameter } from '../../../contract/model.ts';
import type { Argument } from '../../model/request-template.ts';

/**
 * The ETag that a read showed earlier in the sequence, as an argument: that of its last answer, or
 * of its first one, which may be stale by now.
 */
export function tagArgument(
  parameter: Parameter,
  read: Operation,
  which: 'last' | 'first',
): Argument {
  return {
    parameter,
    source: {
      kind: 'link',
      operation: read.id,
      expression: '$response.header.ETag',
      ...(which === 'first' ? { first: true } : {}),
    },
  };
}
