import type { Operation, Parameter, Resource } from '../../../contract/model.ts';
import { idempotencyKey } from '../../../contract/model/operation.ts';
import { documents } from '../../../contract/select-response.ts';
import { joinPointer } from '../../../json/pointer.ts';
import { isJsonObject, type JsonValue } from '../../../json/value.ts';
import { type Case, type Intent, makeCase, makeSequence, type Sequence } from '../../model/case.ts';
import type { Argument, RequestTemplate } from '../../model/request-template.ts';
import { bodyOf, type Draft, type DraftBody } from '../draft.ts';
import { newKey } from '../draft/argument-values.ts';
import { isPatch } from '../draft/identifiers.ts';
import { bodyDraftOf, createStep, creationOf } from '../make-create.ts';
import { draftCase, draftFor, type PlanContext } from '../plan-context.ts';
import { planConditionalChanges } from './conditional-changes.ts';

/**
 * Writes whose outcome depends on the state of a record or on earlier requests: entity tags,
 * idempotency keys, tests in a patch. Only what the contract documents is tested.
 */
export function planConditions(context: PlanContext): Sequence[] {
  return [
    ...planConditionalChanges(context),
    ...planRepeatedKeys(context),
    ...planFailingPatches(context),
  ];
}

/**
 * A create with an idempotency key, sent twice with the same key and body, and, if the contract
 * documents a status for it, with the same key and another body.
 */
function planRepeatedKeys(context: PlanContext): Sequence[] {
  return context.contract.resources.flatMap(({ operations }) => {
    const create = bodyDraftOf(context, operations.create);
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
    const other = withArgument(createStep(context, create, title), again);
    return [
      makeSequence(
        first,
        makeCase({
          title: `${parameter.name} and the body are those of the create before`,
          phase: 'sequence',
          operation,
          request: requestWith(first.request, again),
          intent: { kind: 'condition', at: parameter.pointer, wanted: 'made-once' },
        }),
        ...reusedKeyCase(other),
      ),
    ];
  });
}

/** The key that the first create of the sequence was sent with. */
function repeatedKey({ id }: Operation, parameter: Parameter): Argument {
  const expression = `$request.header.${parameter.name}`;
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

/**
 * A JSON Patch of a record that was created for it, whose first step is a failing test: none of its
 * steps may be applied (RFC 6902, section 5).
 */
function planFailingPatches(context: PlanContext): Sequence[] {
  return context.contract.resources.flatMap((resource) => {
    const create = creationOf(context, resource);
    const update = draftFor(context, resource, 'update');
    const body = update && patchBody(update);
    const steps = create && body && failingSteps(create.body, body, resource);
    if (!create || !update || !body || steps === undefined) return [];
    const read = draftFor(context, resource, 'read');
    return [
      makeSequence(
        createStep(context, create, 'a record is created, for a patch that is to fail'),
        ...(read === undefined ? [] : [draftCase(read, { title: 'the created record is read' })]),
        draftCase(update, {
          title: 'the body is a JSON Patch whose test fails',
          body: bodyOf(body, steps),
          intent: {
            kind: 'condition',
            at: joinPointer(update.operation.pointer, 'responses'),
            wanted: 'patch-refused',
          },
        }),
      ),
    ];
  });
}

function patchBody({ body, otherBodies }: Draft): DraftBody | undefined {
  return [body, ...otherBodies].find((candidate) => candidate !== undefined && isPatch(candidate));
}

/** A text that no record has. */
const unusedText = 'a value that the record does not have';

/**
 * A test of a text of the record that fails, and the replacement of that text; undefined if the
 * contract accepts no such patch.
 */
function failingSteps(
  { value }: DraftBody,
  patch: DraftBody,
  { record }: Resource,
): JsonValue | undefined {
  if (!isJsonObject(value)) return undefined;
  const shown = record.flatten().properties;
  const patches = Object.entries(value)
    .filter(([name, member]) => typeof member === 'string' && shown.has(name))
    .map(([name, member]) => [
      { op: 'test', path: joinPointer('', name), value: unusedText },
      { op: 'replace', path: joinPointer('', name), value: member },
    ]);
  return patches.find(
    (steps) => patch.schema === undefined || patch.schema.accepts(steps, 'request'),
  );
}
