import { idempotencyKey } from '../../../contract/idempotency-key.ts';
import { documents } from '../../../contract/select-response.ts';
import { joinPointer } from '../../../json/pointer.ts';
import { type Case, makeCase, makeSequence, type Sequence } from '../../model/case.ts';
import type { Argument } from '../../model/request-template.ts';
import { makeCreate } from '../boundary.ts';
import { newKey } from '../draft/new-key.ts';
import { draftOf, plainIntent, type PlanContext } from '../plan-context.ts';

/**
 * A create that takes a key under which it may be sent again, sent twice with the same key and
 * body, and, where the contract has a status for it, with the same key and another body.
 */
export function planRepeatedKeys(context: PlanContext): Sequence[] {
  return context.contract.resources.flatMap(({ operations }) => {
    const create = draftOf(context, operations.create);
    const parameter = create && idempotencyKey(create.operation);
    const source = parameter && newKey(parameter);
    if (create?.body === undefined || parameter === undefined || source === undefined) return [];
    const { operation } = create;
    const { value } = create.body;
    const make = (title: string): Case =>
      makeCreate(context, create, { title, value, intent: plainIntent(create), phase: 'sequence' });
    const first = withArgument(make('a record is created under a key'), { parameter, source });
    const again: Argument = {
      parameter,
      source: {
        kind: 'link',
        operation: operation.id,
        expression: `$request.header.${parameter.name}`,
        first: true,
      },
    };
    const other = withArgument(
      make(`${parameter.name} is that of a create with another body`),
      again,
    );
    return [
      makeSequence(
        first,
        makeCase({
          title: `${parameter.name} and the body are those of the create before`,
          phase: 'sequence',
          operation,
          request: withArgument(first, again).request,
          intent: { kind: 'condition', at: parameter.pointer, wanted: 'made-once' },
        }),
        ...(documents(operation, '409', '422')
          ? [
              makeCase({
                title: other.title,
                phase: 'sequence',
                operation,
                request: other.request,
                intent: {
                  kind: 'condition',
                  at: joinPointer(
                    operation.pointer,
                    'responses',
                    documents(operation, '422') ? '422' : '409',
                  ),
                  wanted: 'key-refused',
                },
              }),
            ]
          : []),
      ),
    ];
  });
}

function withArgument(tried: Case, argument: Argument): Case {
  const { request } = tried;
  return makeCase({
    ...tried,
    request: {
      ...request,
      arguments: [
        ...request.arguments.filter(({ parameter }) => parameter !== argument.parameter),
        argument,
      ],
    },
  });
}
