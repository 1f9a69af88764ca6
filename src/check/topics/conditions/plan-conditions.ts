import { isKeyParameter } from '../../../contract/protocols/chosen-name.ts';
import type { Operation, Parameter, Resource } from '../../../contract/model.ts';
import { idempotencyKey } from '../../../contract/model/operation.ts';
import { documents } from '../../../contract/select-response.ts';
import { equalJson } from '../../../json/equal-json.ts';
import { joinPointer } from '../../../json/pointer.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../../../json/value.ts';
import type { Case, Intent, Sequence } from '../../model/case.ts';
import { invalidBodyIntent, makeCase, makeSequence } from '../../model/case.ts';
import type { Argument, RequestTemplate } from '../../model/request-template.ts';
import { bodyOf, type Draft, type DraftBody } from '../../plan/draft.ts';
import { newKey } from '../../plan/unique-text.ts';
import { isPatch } from '../../reading/identifiers.ts';
import type { DraftWithBody } from '../../plan/make-create.ts';
import { bodyDraftOf, createStep, createWith, creationOf } from '../../plan/make-create.ts';
import { draftCase, draftFor, exoticAt, type PlanContext } from '../../plan/plan-context.ts';
import { changedValue } from '../../plan/change-step.ts';
import { fullBody } from '../../plan/full-body.ts';
import { planConditionalChanges } from './conditional-changes.ts';

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

/**
 * JSON Patches of a record that was created for them: one that is applied, and two with a failing
 * test at the beginning or at the end, of which no step may be applied (RFC 6902, section 5). The
 * record is read after each.
 */
function planPatches(context: PlanContext): Sequence[] {
  return context.contract.resources.flatMap((resource) => {
    const create = creationOf(context, resource);
    const update = draftFor(context, resource, 'update');
    const body = update && patchBody(update);
    if (create === undefined || update === undefined || body === undefined) return [];
    const read = draftFor(context, resource, 'read');
    const patched: Patched = { create, update, body, read };
    return [
      ...failingPatches(context, resource, patched).map((steps, index) =>
        failingPatch(context, patched, { steps, number: index + 1 }),
      ),
      ...appliedPatch(context, resource, patched),
    ];
  });
}

/** How a record is created, patched and read. */
interface Patched {
  readonly create: DraftWithBody;
  readonly update: Draft;
  readonly body: DraftBody;
  readonly read: Draft | undefined;
}

function failingPatch(
  context: PlanContext,
  { create, update, body, read }: Patched,
  { steps, number }: { readonly steps: JsonValue; readonly number: number },
): Sequence {
  const look = (title: string): Case[] => (read === undefined ? [] : [draftCase(read, { title })]);
  return makeSequence(
    createStep(context, create, `a record is created, for patch ${String(number)} that is to fail`),
    ...look('the created record is read'),
    draftCase(update, {
      title: 'the body is a JSON Patch whose test fails',
      body: bodyOf(body, steps),
      intent: {
        kind: 'condition',
        at: joinPointer(update.operation.pointer, 'responses'),
        wanted: 'patch-refused',
      },
    }),
    ...look('the record is read after a patch that was to fail'),
    ...oddPatch(update, body),
  );
}

/**
 * A patch of a place that no record has, which fails (RFC 6902, section 4.2), and must not be a
 * server error.
 */
function oddPatch(update: Draft, body: DraftBody): Case[] {
  const steps = [{ op: 'remove', path: '/vouch-unknown-member/0' }];
  if (body.schema?.accepts(steps, 'request') === false) return [];
  const rule = 'a JSON Patch names members of the record';
  const at = update.operation.requestBody?.pointer ?? update.operation.pointer;
  return [
    draftCase(update, {
      title: 'the body is a JSON Patch of a member that no record has',
      body: bodyOf(body, steps),
      intent: invalidBodyIntent(rule, at, { accepted: 'fine' }),
    }),
  ];
}

/** A patch that replaces one member and removes another, and a read that shows it. */
function appliedPatch(
  context: PlanContext,
  resource: Resource,
  { create, update, body, read }: Patched,
): Sequence[] {
  const full = fullBody(create.body);
  const other = otherMember(context, resource, create.body);
  const removed = removableMember(create.body, resource, full);
  const steps = [
    ...(other === undefined ? [] : [replaceStep(other)]),
    ...(removed === undefined || removed === other?.[0]
      ? []
      : [{ op: 'remove', path: joinPointer('', removed) }]),
  ];
  const isTaken = body.schema === undefined || body.schema.accepts(steps, 'request');
  if (read === undefined || steps.length === 0 || !isTaken) return [];
  const [before, patch] = ['the record is read before a patch', 'the body is a JSON Patch'];
  return [
    makeSequence(
      createWith(context, create, { title: 'a record is created to be patched', value: full }),
      draftCase(read, { title: before }),
      draftCase(update, {
        title: patch,
        body: bodyOf(body, steps),
        // A service may refuse to remove what it always shows.
        intent: exoticAt(update.operation.pointer),
      }),
      draftCase(read, {
        title: 'the record is read after a patch',
        intent: {
          kind: 'relation',
          rule: 'patched',
          of: [before, patch],
          at: update.operation.pointer,
        },
      }),
    ),
  ];
}

function replaceStep([name, value]: Member): JsonObject {
  return { op: 'replace', path: joinPointer('', name), value };
}

/** A member of a record, with its value. */
type Member = readonly [name: string, value: JsonValue];

/** A member that records show, with another plain value than that of a new record. */
function otherMember(
  context: PlanContext,
  { record }: Resource,
  body: DraftBody,
): Member | undefined {
  const { value } = body;
  const changed = changedValue(context, body);
  if (!isJsonObject(value) || !isJsonObject(changed)) return undefined;
  const shown = record.flatten().properties;
  return Object.entries(changed).find(
    ([name, member]) =>
      shown.has(name) && Object.hasOwn(value, name) && !equalJson(member, value[name] ?? null),
  );
}

/** A member that a record need not have, and that this one has. */
function removableMember(
  { schema }: DraftBody,
  { record }: Resource,
  value: JsonObject,
): string | undefined {
  const { properties, required } = schema?.flatten() ?? {};
  const shown = record.flatten().properties;
  return Object.keys(value).find((name) => {
    const place = properties?.get(name);
    const assumed = place && schema?.flatten(place).node.default;
    return (
      place !== undefined &&
      shown.has(name) &&
      required?.has(name) === false &&
      value[name] !== null &&
      !equalJson(assumed ?? null, value[name] ?? null)
    );
  });
}

function patchBody({ body, otherBodies }: Draft): DraftBody | undefined {
  return [body, ...otherBodies].find((candidate) => candidate !== undefined && isPatch(candidate));
}

/** A text that no record has. */
const unusedText = 'a value that the record does not have';

/**
 * A test of a text of the record that fails, and the replacement of another member, or of that
 * text: in either order. None if the contract accepts no such patch.
 */
function failingPatches(
  context: PlanContext,
  resource: Resource,
  { create, body }: Patched,
): JsonValue[] {
  const { value } = create.body;
  if (!isJsonObject(value)) return [];
  const shown = resource.record.flatten().properties;
  const other = otherMember(context, resource, create.body);
  const pairs = Object.entries(value)
    .filter(([name, member]) => typeof member === 'string' && shown.has(name))
    .map(([name, member]) => [
      { op: 'test', path: joinPointer('', name), value: unusedText },
      replaceStep(other === undefined || other[0] === name ? [name, member] : other),
    ]);
  const isTaken = (steps: JsonValue): boolean =>
    body.schema === undefined || body.schema.accepts(steps, 'request');
  const pair = pairs.find(isTaken);
  return pair === undefined ? [] : [pair, pair.toReversed()].filter(isTaken);
}
