import { missingIdentifiers } from '../../plan/missing-identifiers.ts';
import { draftCase, draftOf, type PlanContext } from '../../plan/plan-context.ts';
import { markedBody } from '../../plan/mark-body.ts';
import type { Draft } from '../../plan/draft.ts';
import { defined, isJsonObject, type JsonValue } from '../../../json/value.ts';
import { documentsStatus, isOwnOfHttp } from '../../reading/refusal.ts';
import type { FindingFacts } from '../../model/finding-facts.ts';
import { existsUnmade, hasKnownRecords } from '../../../contract/infer/record-fields.ts';
import type { Operation, Parameter, Resource } from '../../../contract/model.ts';
import { type HttpResponse, isSuccess } from '../../../http/message.ts';
import { joinPointer } from '../../../json/pointer.ts';
import { hasSuccess, isSafe, isUnguessable, requestPhrase, roleOf } from '../../model/step.ts';
import { wasCreatedTwice } from '../../reading/created-record.ts';
import { removedEarlier } from '../../reading/removed-record.ts';
import { listedRecords } from '../../reading/shown-records.ts';
import { type Case, type Intent, makeSequence, type Sequence } from '../../model/case.ts';
import type { CheckInput, Violation } from '../../model/knowledge.ts';
import { check } from '../check.ts';

/** A record that cannot exist is not found. */
export const missingRefused = check({
  id: 'missing-refused',
  basis: 'contract',
  harm: 'accepts',
  rule: 'A well-formed identifier that no record has gets the documented 404.',
  reason:
    'A client that gets a record for any identifier, or an unexpected error, cannot ' +
    'distinguish a wrong link from a valid one.',
  example: ['> GET /items/1999999999', '< 200 OK   (documented: 404)'],
  confirm: 'repeat',
  traits: ['state', 'statuses'],
  explains: [
    {
      // If any identifier finds a record, one that cannot be an identifier does too.
      findings: ['invalid-refused'],
      leads: isFound,
      explains: ({ operation }, other) =>
        other.operation === operation && other.intent['part'] === 'path',
    },
    {
      findings: ['body-matches-schema'],
      leads: isFound,
      explains: ({ operation }, other) =>
        other.operation === operation &&
        ['missing', 'invalid'].includes(String(other.intent['kind'])),
    },
    {
      findings: ['missing-refused'],
      explains: ({ root, status }, other) => other.root === root && other.status === status,
    },
  ],
  plan: [{ at: 'refusals', all: planMissing }],
  needs: ['creators', 'makers'],
  intents: ['missing'],
  covers: ['status-documented', 'body-matches-schema', 'content-type-documented'],
  leavesOpen: ({ operation, case: { intent } }) =>
    intent.kind === 'missing' && (intent.rigour === 'exotic' || !documentsStatus(operation, 404)),
  inspect(subject) {
    const {
      case: { intent },
      exchange: { response },
    } = subject;
    if (intent.kind !== 'missing' || response === undefined || response.status >= 500)
      return undefined;
    const found = inspectAnswer(subject, intent, response);
    return found !== undefined && found.length > 0 && wasCreatedTwice(subject) ? undefined : found;
  },
});

function inspectAnswer(
  subject: CheckInput,
  { rigour }: Extract<Intent, { readonly kind: 'missing' }>,
  response: HttpResponse,
): Violation[] | undefined {
  const { operation } = subject;
  const { status } = response;
  const documented = documentsMissing(operation);
  const isRemoved = removedEarlier(subject) !== undefined;
  if (operation.method === 'DELETE' && documented && isRemoved)
    return isSuccess(status) ? [deletedTwice(subject, status)] : [];
  // `deleted-is-gone` reports a deleted record that can be read: it knows about records that are
  // only marked as deleted.
  if (isSuccess(status) && (isRemoved || wasKept(subject))) return undefined;
  // A second deletion may succeed: HTTP calls the method idempotent (RFC 9110, section 9.2.2).
  if (!documented && operation.method === 'DELETE') return undefined;
  const isOdd =
    documented &&
    rigour === 'plain' &&
    !saysMissing(operation, response) &&
    !refusesIdentifier(subject, response);
  return isSuccess(status) || isOdd ? [answeredMissing(subject, status)] : [];
}

/** Whether the response may mean, or hide, that the record does not exist. */
function saysMissing(operation: Operation, response: HttpResponse): boolean {
  const { status } = response;
  // A missing record has no state, so every condition may fail.
  const isUnmet = !isSafe(operation) && (status === 412 || status === 428);
  return [401, 403, 404, 410].includes(status) || isOwnOfHttp(response) || isUnmet;
}

/**
 * Whether a refusal with a documented status quotes the made-up identifier: the service says that
 * no record can have it, as where identifiers are words of a list that the contract does not show.
 */
function refusesIdentifier(
  { case: testCase, operation, sent }: CheckInput,
  { status, body }: HttpResponse,
): boolean {
  const { intent } = testCase;
  if (!documentsStatus(operation, status)) return false;
  const tried = [...sent.arguments].find(
    ([{ pointer }]) => intent.kind === 'missing' && pointer === intent.at,
  );
  if (tried === undefined) return false;
  const [{ schema }, value] = tried;
  const { node, types } = schema.flatten();
  // The contract states the form, and the identifier has it: every integer has the form of one.
  if (node.format !== undefined || node.pattern !== undefined || !types.includes('string'))
    return false;
  const name = String(value);
  return name.length > 2 && new TextDecoder().decode(body).includes(name);
}

function answeredMissing(subject: CheckInput, status: number): Violation {
  const { case: testCase, operation, contract } = subject;
  const documented = documentsMissing(operation);
  const { resource } = roleOf(contract, operation) ?? {};
  // Where nothing lists or makes records, a service may have one for every identifier.
  const isUnmade = resource !== undefined && existsUnmade(resource, contract.resources);
  // If this request created the record, it can only do so once, and the read before found no
  // record.
  const isConclusive =
    isSuccess(status) && testCase.request.arguments.some(({ source }) => source.kind === 'absent');
  return {
    at: joinPointer(operation.pointer, 'responses', ...(documented ? ['404'] : [])),
    message:
      `The server answered ${String(status)} to ${requestPhrase(testCase)}; no ` +
      'record has that identifier.',
    expected: documented ? '404' : '404 or another refusal',
    actual: String(status),
    ...(isConclusive ? { conclusive: true } : {}),
    ...(documented &&
    !isUnmade &&
    isOfRecord(subject) &&
    (!isEmptyList(subject) || meansTheParent(subject))
      ? {}
      : { basis: 'inferred', severity: 'warning' }),
  };
}

/**
 * A second deletion changes nothing (RFC 9110, section 9.2.2): many services confirm it, even if
 * their contract does not.
 */
function deletedTwice({ operation }: CheckInput, status: number): Violation {
  return {
    at: joinPointer(operation.pointer, 'responses', '404'),
    message:
      `The server answered ${String(status)} to the deletion of a record that ` +
      'it had deleted before.',
    expected: '404, as for a record that never existed',
    actual: String(status),
    cause: 'deleted twice',
    severity: 'note',
    blame: 'undecided',
  };
}

/** Whether the server refused to delete the record in this sequence, so that it may still exist. */
function wasKept({ contract, earlier }: CheckInput): boolean {
  return earlier.some(
    (step) =>
      step.case.intent.kind !== 'missing' &&
      roleOf(contract, step.case.operation)?.action === 'delete' &&
      !hasSuccess(step),
  );
}

/** Whether a refusal can only concern a record: what belongs to one may be missing on its own. */
function isOfRecord({ contract, operation }: CheckInput): boolean {
  return !isSafe(operation) || roleOf(contract, operation) !== undefined;
}

/** An empty list below a missing record: many services do not check whether the parent exists. */
function isEmptyList(subject: CheckInput): boolean {
  const { resource } = roleOf(subject.contract, subject.operation) ?? {};
  return resource !== undefined && listedRecords(resource, subject.answer)?.length === 0;
}

/**
 * Whether the 404 of a list can only be that of the record in its path: a contract that documents
 * one for reads which name no record either says it of everything.
 */
function meansTheParent({ contract, operation }: CheckInput): boolean {
  const isSaid = operation.responses.some(({ status }) => status === '404');
  return (
    isSaid &&
    !contract.operations.some(
      (other) =>
        isSafe(other) &&
        !other.path.includes('{') &&
        other.responses.some(({ status }) => status === '404'),
    )
  );
}

/** Whether the shown request found a record. */
function isFound({ status }: FindingFacts): boolean {
  return status !== undefined && status < 300;
}

/**
 * Requests for records that do not exist: reads, and, after a read that found none, deletions,
 * updates and replacements. Replacements only if the contract says that they do not create.
 */
function planMissing(context: PlanContext): Sequence[] {
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
function documentsMissing({ responses }: Operation): boolean {
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
      draftCase(draft, {
        title: read.title,
        phase: 'negative',
        record: 'known',
        body: plainMarkedBody(context, draft, read.title),
        extra: [{ parameter: identifier, source: { kind: 'absent', resource: resource.name } }],
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
      return draftCase(draft, {
        title: `${parameter.name} is ${like === undefined ? String(value) : 'that of no record'}`,
        phase: 'negative',
        record: 'known',
        extra: [{ parameter, source: { kind: 'value', value, ...defined({ like }) } }],
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
