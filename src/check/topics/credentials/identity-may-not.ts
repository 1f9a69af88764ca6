import { isSuccess } from '../../../http/message.ts';
import { check } from '../check.ts';
import { isErrorBody } from './credential-required.ts';
import { securityPointer } from '../../reading/security-pointer.ts';
import { plainName } from '../../../contract/infer/infer-names.ts';
import type { Resource } from '../../../contract/model.ts';
import { namesSharing } from '../../../contract/words/names.ts';
import { isJsonObject, type JsonObject } from '../../../json/value.ts';
import { onlyReads } from '../../model/effect-rules.ts';
import type { Case, IdentityOutcome, Sequence } from '../../model/case.ts';
import { makeCase, makeSequence } from '../../model/case.ts';
import type { RequestTemplate } from '../../model/request-template.ts';
import { isSecured } from '../../../contract/model/operation.ts';
import { onCreated } from '../../plan/actions.ts';
import type { Identity } from '../../secrets/identities.ts';
import { type Draft, isSafe, requestOf } from '../../plan/draft.ts';
import { bodyDraftOf, createStep, createWith, type DraftWithBody } from '../../plan/make-create.ts';
import { markedBody } from '../../plan/mark-body.ts';
import type { PlanContext } from '../../plan/plan-context.ts';
import { draftCase, draftFor, draftOf, needsRecord } from '../../plan/plan-context.ts';
import { intentFor, isHiddenFrom, planStrangers } from './plan-strangers.ts';
import { changeStep, createdMembers, lookInList } from '../../plan/change-step.ts';

/** A service refuses actions that an identity may not perform. */
export const identityMayNot = check({
  id: 'identity-may-not',
  basis: 'contract',
  harm: 'data',
  rule:
    'An identity of the configuration is refused each operation that its `may` does not allow: ' +
    'with the documented 403, 401 or 404.',
  reason:
    'An account that may only read, and can write, is the hole that OWASP lists as API5:2023, ' +
    'broken function level authorization.',
  example: ['> DELETE /items/7   as reader   (may: [read])', '< 204 No Content'],
  plan: [{ at: 'identities', all: planIdentities }],
  intents: ['identity'],
  covers: ['status-documented', 'body-matches-schema', 'content-type-documented', 'headers-match'],
  leavesOpen: ({ case: { intent } }) => intent.kind === 'identity',
  inspect({ case: { intent, title }, contract, operation, exchange: { response }, answer }) {
    if (intent.kind !== 'identity' || intent.wanted !== 'refused' || response === undefined)
      return undefined;
    const { status } = response;
    if ([401, 403, 404].includes(status)) return [];
    if (!isSuccess(status)) return undefined;
    const documented = ['403', '401', '404'].find((expected) =>
      operation.responses.some((each) => each.status === expected),
    );
    return {
      at: securityPointer(contract, operation),
      message:
        `The server answered ${String(status)} to ${title}, and the configuration says that ` +
        `${intent.identity} may not send it.`,
      expected: documented ?? '403',
      actual: String(status),
      cause: `${intent.identity} ${operation.id}`,
      // The request has changed the record, so a repetition shows something else.
      momentary: true,
      ...(isErrorBody(answer) ? { severity: 'warning' as const } : {}),
    };
  },
});

/**
 * Tests what the other identities of a run can see and do. Each change acts on a record that the
 * run created for it, and is sent only if the run itself may send it.
 */
function planIdentities(context: PlanContext): Sequence[] {
  return context.identities.flatMap((identity) => [
    ...readsOf(context, identity),
    ...writesOf(context, identity),
    ...(identity.seesNothingOf === undefined ? [] : foreignRecords(context, identity)),
    ...planStrangers(context, identity),
  ]);
}

/**
 * A plain read of each operation: a successful read shows that the service accepts the identity's
 * credential.
 */
function readsOf({ drafts, rules }: PlanContext, identity: Identity): Sequence[] {
  const { seesNothingOf } = identity;
  return drafts
    .filter(({ operation }) => isSecured(operation) && isSafe(operation))
    .filter(({ operation }) => onlyReads(operation, rules))
    .filter((draft) => seesNothingOf === undefined || !needsRecord(draft))
    .map((draft) => {
      const expected = identity.mayDo(draft.operation) ? 'allowed' : 'refused';
      return makeSequence(
        caseAs(identity, draft, { request: requestOf(draft, 'known'), expected }),
      );
    });
}

/**
 * Every change that the identity may not make, each on a record of the run. Changes of a record
 * that it may not see are planned with that record.
 */
function writesOf(context: PlanContext, identity: Identity): Sequence[] {
  return context.drafts
    .filter((draft) => isAskedOf(context, draft) && !identity.mayDo(draft.operation))
    .filter((draft) => identity.seesNothingOf === undefined || !needsRecord(draft))
    .flatMap((draft) => writeOf(context, identity, draft) ?? []);
}

/** Whether another identity may try a change: a sweep would do too much damage if accepted. */
function isAskedOf({ rules }: PlanContext, { operation }: Draft): boolean {
  const effect = rules.effects.get(operation)?.effect;
  return isSecured(operation) && !isSafe(operation) && effect !== 'sweeps' && effect !== 'reads';
}

function writeOf(context: PlanContext, identity: Identity, draft: Draft): Sequence | undefined {
  const steps = stepsBefore(context, identity, draft);
  const request = markedRequest(context, identity, draft);
  return steps && makeSequence(...steps, caseAs(identity, draft, { request, expected: 'refused' }));
}

/**
 * The record that a path identifies, created and read by the run, and read by the identity. Empty
 * if the path identifies none, undefined if the run cannot create one.
 */
function stepsBefore(context: PlanContext, identity: Identity, draft: Draft): Case[] | undefined {
  const target = draft.names.at(-1)?.resource;
  if (target === undefined) return [];
  const create = bodyDraftOf(context, target.operations.create);
  if (create === undefined) return undefined;
  const read = draftFor(context, target, 'read');
  const expected = read !== undefined && identity.mayDo(read.operation) ? 'allowed' : 'refused';
  return [
    createStep(context, create, `a record is created for ${identity.name} (${draft.operation.id})`),
    ...(read === undefined ? [] : readTwice(identity, read, expected)),
  ];
}

/** A read of the created record by the run, and by an identity. */
function readTwice(identity: Identity, read: Draft, expected: IdentityOutcome): Case[] {
  const request = requestOf(read, 'created');
  const isPublic = !isSecured(read.operation);
  return [
    draftCase(read, { title: 'the created record is read' }),
    caseAs(identity, read, { request, expected: isPublic ? 'allowed' : expected }),
  ];
}

/** The request of a change: on the created record, below it, or without any. */
function markedRequest({ runId }: PlanContext, { name }: Identity, draft: Draft): RequestTemplate {
  const { body, operation } = draft;
  const marking = { runId, label: `${operation.id} ${name}` };
  return onCreated(
    requestOf(draft, 'own', { body: body && markedBody(body, body.value, marking) }),
  );
}

/** Records of the run that the identity must not see, find in a list, or change. */
function foreignRecords(context: PlanContext, identity: Identity): Sequence[] {
  return context.contract.resources.flatMap((resource) => {
    const create = bodyDraftOf(context, resource.operations.create);
    const listed = listedRecord(context, identity, resource);
    if (create === undefined || !isSecured(create.operation)) return listed;
    const record = { resource, create, read: draftFor(context, resource, 'read') };
    return [
      ...listed,
      ...lookFor(context, identity, record),
      ...(record.read === undefined
        ? []
        : changesOf(context, identity, { ...record, read: record.read })),
    ];
  });
}

interface RecordDrafts {
  readonly resource: Resource;
  readonly create: DraftWithBody;
  readonly read: Draft | undefined;
}

/** A record that the list of the run shows, and that of the identity does not, read by both. */
function listedRecord(context: PlanContext, identity: Identity, resource: Resource): Sequence[] {
  const list = draftOf(context, resource.operations.list);
  const read = draftFor(context, resource, 'read');
  if (!isHiddenFrom(identity, list) || !isHiddenFrom(identity, read)) return [];
  if (needsRecord(list) || !identity.mayDo(list.operation)) return [];
  const [asked, named] = [requestOf(list, 'known'), requestOf(read, 'listed')];
  return [
    makeSequence(
      draftCase(list, { title: `a list before ${identity.name} gets one`, record: 'known' }),
      draftCase(read, { title: 'a listed record is read', record: 'listed' }),
      caseAs(identity, list, { request: asked, expected: 'allowed' }),
      caseAs(identity, read, { request: named, expected: 'hidden' }),
    ),
  ];
}

function lookFor(
  context: PlanContext,
  identity: Identity,
  { resource, create, read }: RecordDrafts,
): Sequence[] {
  const list = draftOf(context, resource.operations.list);
  const isHidden = (draft: Draft | undefined): draft is Draft => isHiddenFrom(identity, draft);
  if (!isHidden(read) && !isHidden(list)) return [];
  const looks = [
    ...(read === undefined ? [] : readTwice(identity, read, isHidden(read) ? 'hidden' : 'allowed')),
    ...(isHidden(list)
      ? [listAs(identity, list, lookInList(list, resource, create.body.value))]
      : []),
  ];
  const title = `a record is created that ${identity.name} must not see`;
  return [makeSequence(createStep(context, create, title), ...looks)];
}

function listAs(identity: Identity, list: Draft, { request }: Case): Case {
  return caseAs(identity, list, { request, expected: 'unlisted' });
}

/** Each change of the record by the identity, and the following read by the run. */
function changesOf(
  context: PlanContext,
  identity: Identity,
  { resource, create, read }: RecordDrafts & { readonly read: Draft },
): Sequence[] {
  const isHidden = isHiddenFrom(identity, read);
  return context.drafts
    .filter((draft) => isAskedOf(context, draft) && !identity.isShared(draft.operation))
    .filter(({ names, role }) => names.at(-1)?.resource === resource && role?.action !== 'create')
    .flatMap((draft) => [undefined, ...flagForAll(create)].map((flag) => ({ draft, flag })))
    .map(({ draft, flag }) => {
      const { request } =
        draft.body === undefined || draft.role === undefined
          ? { request: markedRequest(context, identity, draft) }
          : changeStep(context, draft, {
              title: `${identity.name} changes it`,
              before: createdMembers(create),
            });
      const expected = identity.mayDo(draft.operation) ? 'attempted' : 'refused';
      // The title makes the texts and the period of the record its own.
      const { id } = draft.operation;
      const title = `a record is created that ${identity.name} must not change (${id})`;
      return makeSequence(
        flag === undefined
          ? createStep(context, create, title)
          : createWith(context, create, { title: `${title}, and sees`, value: flag }),
        ...readTwice(identity, read, isHidden && flag === undefined ? 'hidden' : 'allowed'),
        caseAs(identity, draft, { request, expected }),
        readAfter(identity, read),
      );
    });
}

/** The body of a create with the flag by which others see the record, if there is one. */
function flagForAll({ body: { schema, value } }: DraftWithBody): readonly JsonObject[] {
  const names = [...(schema?.flatten().properties.keys() ?? [])];
  const name = names.find((one) => namesSharing(plainName(one)));
  if (name === undefined || !isJsonObject(value)) return [];
  const bodies = [true, '1', 'true', 1].map((on) => ({ ...value, [name]: on }));
  return bodies.filter((one) => schema?.accepts(one, 'request')).slice(0, 1);
}

function readAfter({ name }: Identity, read: Draft): Case {
  const intent = intentFor(name, read, 'unchanged');
  return draftCase(read, { title: `a read after ${name} tried to change the record`, intent });
}

function caseAs(
  { name }: Identity,
  draft: Draft,
  { request, expected }: { readonly request: RequestTemplate; readonly expected: IdentityOutcome },
): Case {
  const { operation } = draft;
  return makeCase({
    title: `a ${operation.method} by ${name}`,
    phase: 'auth',
    operation,
    request: { ...request, identity: name },
    intent: intentFor(name, draft, expected),
  });
}
