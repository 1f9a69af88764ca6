import { idempotencyKey } from '../../../contract/idempotency-key.ts';
import type { Resource } from '../../../contract/model.ts';
import { documents } from '../../../contract/select-response.ts';
import { joinPointer } from '../../../json/pointer.ts';
import { isJsonObject, type JsonValue } from '../../../json/value.ts';
import { type Argument, type Case, makeCase, makeSequence, type Sequence } from '../../case.ts';
import { bodyOf, type Draft, type DraftBody, requestOf } from '../draft.ts';
import { newKey } from '../draft/argument-values.ts';
import { isPatch } from '../draft/identifiers.ts';
import { operationFor } from '../draft/path-names.ts';
import { makeCreate } from '../make-create.ts';
import { draftOf, plainIntent, type PlanContext } from '../plan-context.ts';
import { planConditionalChanges } from './conditional-changes.ts';

/**
 * Writes that are answered by the state that a record is in, or by what came before: entity tags,
 * keys of creates, tests in a patch. Only what a contract documents is asked for.
 */
export function planConditions(context: PlanContext): Sequence[] {
  return [
    ...planConditionalChanges(context),
    ...planRepeatedKeys(context),
    ...planFailingPatches(context),
  ];
}

/** What no record holds. */
const strange = 'a value that the record does not have';

/**
 * A JSON Patch of a record that was created for it, whose first step is a test that fails: none of
 * it may be done (RFC 6902, section 5).
 */
function planFailingPatches(context: PlanContext): Sequence[] {
  return context.contract.resources.flatMap((resource) => {
    const [create, read, update] = [
      draftOf(context, resource.operations.create),
      draftOf(context, operationFor(context.contract, resource, 'read')),
      draftOf(context, resource.operations.update),
    ];
    const body =
      update &&
      [update.body, ...update.otherBodies].find(
        (candidate) => candidate !== undefined && isPatch(candidate),
      );
    const steps = create?.body && body && failing(create.body, body, resource);
    if (
      create?.body === undefined ||
      update === undefined ||
      body === undefined ||
      steps === undefined
    )
      return [];
    const { operation } = update;
    const first = makeCreate(context, create, {
      title: 'a record is created, for a patch that is to fail',
      value: create.body.value,
      intent: plainIntent(create),
      phase: 'sequence',
    });
    const patch = makeCase({
      title: 'the body is a JSON Patch whose test fails',
      phase: 'sequence',
      operation,
      request: requestOf(update, 'created', { body: bodyOf(body, steps) }),
      intent: {
        kind: 'condition',
        at: joinPointer(operation.pointer, 'responses'),
        wanted: 'patch-refused',
      },
    });
    const look = (draft: Draft, title: string): Sequence['cases'] => [
      makeCase({
        title,
        phase: 'sequence',
        operation: draft.operation,
        request: requestOf(draft, 'created'),
        intent: plainIntent(draft),
      }),
    ];
    return [
      makeSequence(
        first,
        ...(read === undefined ? [] : look(read, 'the created record is read')),
        patch,
      ),
    ];
  });
}

/**
 * A test of a text of the record, and the replacement of that text; undefined where the contract
 * takes no such patch.
 */
function failing(
  created: DraftBody,
  patch: DraftBody,
  { record }: Resource,
): JsonValue | undefined {
  const { value } = created;
  if (!isJsonObject(value)) return undefined;
  const shown = record.flatten().properties;
  const patches = Object.entries(value)
    .filter(([name, member]) => typeof member === 'string' && shown.has(name))
    .map(([name, member]) => [
      { op: 'test', path: joinPointer('', name), value: strange },
      { op: 'replace', path: joinPointer('', name), value: member },
    ]);
  return patches.find(
    (steps) => patch.schema === undefined || patch.schema.accepts(steps, 'request'),
  );
}

/**
 * A create that takes a key under which it may be sent again, sent twice with the same key and
 * body, and, where the contract has a status for it, with the same key and another body.
 */
function planRepeatedKeys(context: PlanContext): Sequence[] {
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
