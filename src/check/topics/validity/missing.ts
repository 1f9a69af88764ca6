import { hasKnownRecords } from '../../../contract/infer/record-fields.ts';
import type { Operation, Parameter, Resource } from '../../../contract/model.ts';
import { defined, isJsonObject, type JsonValue } from '../../../json/value.ts';
import { type Case, type Intent, makeCase, makeSequence, type Sequence } from '../../model/case.ts';
import { type Draft, requestOf } from '../../plan/draft.ts';
import { isUnguessable } from '../../model/is-safe.ts';
import { markedBody } from '../../plan/mark-body.ts';
import { draftOf, type PlanContext } from '../../plan/plan-context.ts';
import { missingIdentifiers } from '../../plan/missing-identifiers.ts';

/**
 * Requests for records that do not exist: reads, and, after a read that found none, deletions,
 * updates and replacements. Replacements only if the contract says that they do not create.
 */
export function planMissing(context: PlanContext): Sequence[] {
  const named = context.drafts.flatMap((draft) =>
    draft.identifier === undefined ? [] : missingRecord(context, draft, draft.identifier),
  );
  const below = context.drafts.flatMap((draft) => {
    const parameter = knowableParent(draft);
    return parameter === undefined
      ? []
      : missingCases(context, draft, { parameter })
          .slice(0, 1)
          .map((testCase) => makeSequence(testCase));
  });
  return [...named, ...below];
}

function missingRecord(context: PlanContext, draft: Draft, parameter: Parameter): Sequence[] {
  const { role } = draft;
  if (role?.action === 'read')
    return missingCases(context, draft, { parameter }).map((read) =>
      makeSequence(read, ...changesAfter(context, role.resource, read)),
    );
  if (role === undefined) return belowRecord(context, draft, parameter);
  const isMaking = draft.operation === role.resource.namedCreate;
  const isChange = role.action === 'delete' || (role.action === 'update' && !isMaking);
  if (!isChange || draftOf(context, role.resource.operations.read) !== undefined) return [];
  // No read can show first that the record does not exist.
  return missingCases(context, draft, { parameter, isUsable: isUnguessable }).map((testCase) =>
    makeSequence(testCase),
  );
}

/**
 * A read of what belongs to a record that does not exist, such as its names: one, where the
 * contract documents a refusal of it, and clients can know which records exist.
 */
function belowRecord(context: PlanContext, draft: Draft, parameter: Parameter): Sequence[] {
  const resource = draft.names.find((name) => name.parameter === parameter)?.resource;
  const isTold = documentsMissing(draft.operation) && draft.operation.method === 'GET';
  if (!isTold || resource === undefined || !hasKnownRecords(resource)) return [];
  return missingCases(context, draft, { parameter })
    .slice(0, 1)
    .map((testCase) => makeSequence(testCase));
}

/** Whether an operation documents the refusal of a missing record. */
export function documentsMissing({ responses }: Operation): boolean {
  return responses.some(({ status }) => status === '404' || status === '410');
}

/**
 * Changes of the record that a read did not find, except those that make it. A record that a
 * replacement creates nevertheless is cleaned up.
 */
function changesAfter(context: PlanContext, resource: Resource, read: Case): Case[] {
  const { operations, namedCreate } = resource;
  const { intent } = read;
  if (intent.kind !== 'missing') return [];
  const { replace } = operations;
  const changes = [
    operations.delete,
    operations.update,
    ...(intent.rigour === 'plain' && createsNothing(replace) ? [replace] : []),
  ];
  const changing = changes.filter((operation) => operation !== namedCreate);
  return changing.flatMap((operation): Case[] => {
    const draft = draftOf(context, operation);
    const identifier = draft?.identifier;
    if (draft === undefined || identifier === undefined) return [];
    const rigour = mayBeRefused(draft) ? 'exotic' : intent.rigour;
    return [
      makeCase({
        title: read.title,
        phase: 'negative',
        operation: draft.operation,
        request: requestOf(draft, 'known', {
          body: plainMarkedBody(context, draft, read.title),
          extra: [{ parameter: identifier, source: { kind: 'absent', resource: resource.name } }],
        }),
        intent: { ...intent, at: identifier.pointer, rigour },
        optional: true,
      }),
    ];
  });
}

function plainMarkedBody(
  { runId }: PlanContext,
  { operation, body }: Draft,
  title: string,
): ReturnType<typeof markedBody> | undefined {
  return body && markedBody(body, body.value, { runId, label: `${operation.id} ${title}` });
}

/**
 * Whether a replacement documents the refusal of a missing record, and not its creation (RFC 9110,
 * section 9.3.4). One without a body can only create: `PUT /teams/{id}/members/{login}`.
 */
function createsNothing(replace: Operation | undefined): boolean {
  const known = replace?.responses.map(({ status }) => status) ?? [];
  return (
    replace?.requestBody !== undefined &&
    known.some((status) => status === '404' || status === '410') &&
    !known.some((status) => status === '201' || status === '2XX')
  );
}

/**
 * Whether a replacement may be refused for its body, regardless of the path: it refers to other
 * records, or contains an identifier.
 */
function mayBeRefused({ body, invented, role }: Draft): boolean {
  return (
    role?.action === 'replace' &&
    (invented ||
      (isJsonObject(body?.value) && Object.hasOwn(body.value, role.resource.identifier.field)))
  );
}

/** The parent of a list, if clients can know which ones exist, and a missing one is documented. */
function knowableParent({ role, operation }: Draft): Parameter | undefined {
  const parent = role?.resource.parents.at(-1);
  if (
    role?.action !== 'list' ||
    parent?.resource === undefined ||
    !hasKnownRecords(parent.resource)
  )
    return undefined;
  if (!documentsMissing(operation)) return undefined;
  return operation.parameters.find(
    ({ in: location, name }) => location === 'path' && name === parent.parameter,
  );
}

interface MissingName {
  readonly parameter: Parameter;
  /** Which identifiers may be sent. Default: all. */
  readonly isUsable?: (value: JsonValue) => boolean;
}

function missingCases(
  { seed }: PlanContext,
  draft: Draft,
  { parameter, isUsable }: MissingName,
): Case[] {
  const { operation } = draft;
  return missingIdentifiers(parameter, `${seed} ${operation.id}`)
    .filter(({ value }) => isUsable?.(value) !== false)
    .map(({ value, rigour }) => {
      const intent: Intent = { kind: 'missing', at: parameter.pointer, rigour };
      const like = isUsable === undefined ? formOf(draft, parameter) : undefined;
      return makeCase({
        title: `${parameter.name} is ${like === undefined ? String(value) : 'that of no record'}`,
        phase: 'negative',
        operation,
        request: requestOf(draft, 'known', {
          extra: [{ parameter, source: { kind: 'value', value, ...defined({ like }) } }],
        }),
        intent,
      });
    });
}

/** The resource whose identifiers show the form of a missing one: that of a text without rules. */
function formOf({ names }: Draft, parameter: Parameter): string | undefined {
  const { node, types } = parameter.schema.flatten();
  const isFree = types.join() === 'string' && node.format === undefined && node.enum === undefined;
  if (!isFree || node.pattern !== undefined) return undefined;
  const name = names.find((one) => one.parameter === parameter);
  return name?.parent === undefined ? name?.resource.name : undefined;
}
