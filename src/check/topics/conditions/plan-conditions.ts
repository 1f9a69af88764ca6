import { isKeyParameter } from '../../../contract/protocols/chosen-name.ts';
import type { Operation, Parameter, Resource } from '../../../contract/model.ts';
import { idempotencyKey } from '../../../contract/model/operation.ts';
import { documents } from '../../../contract/select-response.ts';
import { joinPointer } from '../../../json/pointer.ts';
import { type Case, type Intent, makeCase, makeSequence, type Sequence } from '../../model/case.ts';
import type { Argument, RequestTemplate } from '../../model/request-template.ts';
import { newKey } from '../../plan/unique-text.ts';
import { bodyDraftOf, createStep, createWith } from '../../plan/make-create.ts';
import type { PlanContext } from '../../plan/plan-context.ts';
import { changedValue } from '../../plan/change-step.ts';
import { planConditionalChanges } from './conditional-changes.ts';
import { planPatches } from './plan-patches.ts';

/**
 * Writes whose outcome depends on the state of a record or on earlier requests: entity tags,
 * idempotency keys, tests in a patch. Only what the contract documents is tested.
 */
export function planConditions(context: PlanContext): Sequence[] {
  return [
    ...planConditionalChanges(context),
    ...planRepeatedKeys(context),
    ...planPatches(context),
  ];
}

/**
 * A create with an idempotency key, sent twice with the same key and body, and, if the contract
 * documents a status for it, with the same key and another body.
 */
function planRepeatedKeys(context: PlanContext): Sequence[] {
  return context.contract.resources.flatMap((resource) => {
    const create = bodyDraftOf(context, resource.operations.create);
    const parameter = create && idempotencyKey(create.operation);
    const source = parameter && newKey(parameter);
    if (create === undefined || parameter === undefined || source === undefined) return [];
    const { operation } = create;
    const again = repeatedKey(operation, parameter);
    const first = withArgument(createStep(context, create, 'a record is created under a key'), {
      parameter,
      source,
    });
    const title = `${parameter.name} is that of a create with another body`;
    // Not every body has a text, in which the marks of two creates differ.
    const value = changedValue(context, create.body);
    const other = withArgument(createWith(context, create, { title, value }), again);
    return makeSequence(
      first,
      makeCase({
        title: `${parameter.name} and the body are those of the create before`,
        phase: 'sequence',
        operation,
        request: repeatedRequest(resource, first, again),
        intent: { kind: 'condition', at: parameter.pointer, wanted: 'made-once' },
      }),
      ...reusedKeyCase(other),
    );
  });
}

/** The same request again: also with the name that its query gives the record. */
function repeatedRequest(
  resource: Resource,
  { operation, request }: Case,
  again: Argument,
): RequestTemplate {
  const names = request.arguments.filter(({ parameter }) => isKeyParameter(resource, parameter));
  return names.reduce(
    (template, { parameter }) => requestWith(template, repeatedKey(operation, parameter)),
    requestWith(request, again),
  );
}

/** The key that the first create of the sequence was sent with, or another value of its query. */
function repeatedKey({ id }: Operation, parameter: Parameter): Argument {
  const expression = `$request.${parameter.in}.${parameter.name}`;
  return { parameter, source: { kind: 'link', operation: id, expression, first: true } };
}

/** A key with another body, if the contract documents how that is refused. */
function reusedKeyCase({ title, operation, request }: Case): Case[] {
  if (!documents(operation, '409', '422')) return [];
  const status = documents(operation, '422') ? '422' : '409';
  const intent: Intent = {
    kind: 'condition',
    at: joinPointer(operation.pointer, 'responses', status),
    wanted: 'key-refused',
  };
  return [makeCase({ title, phase: 'sequence', operation, request, intent })];
}

function withArgument(testCase: Case, argument: Argument): Case {
  return makeCase({ ...testCase, request: requestWith(testCase.request, argument) });
}

function requestWith(request: RequestTemplate, argument: Argument): RequestTemplate {
  return {
    ...request,
    arguments: [
      ...request.arguments.filter(({ parameter }) => parameter !== argument.parameter),
      argument,
    ],
  };
}
