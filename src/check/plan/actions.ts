import { addressedBy } from '../../contract/infer/address-members.ts';
import type { Resource } from '../../contract/model.ts';
import { objectOf } from '../../json/value.ts';
import { onlyReads } from '../model/effect-rules.ts';
import { type Intent, makeCase, makeSequence, type Sequence } from '../model/case.ts';
import { creatorOf } from '../model/step.ts';
import type { RequestTemplate } from '../model/request-template.ts';
import { type Draft, isSafe, requestOf } from './draft.ts';
import { namesBefore } from '../reading/path-names.ts';
import { createStep, creationFor, ownName } from './make-create.ts';
import { markedBody } from './mark-body.ts';
import { draftCase, draftFor, exoticAt, plainIntent, type PlanContext } from './plan-context.ts';
import { creatorDraft, isMakeable, type Made, Story } from './story.ts';

/**
 * Other operations on a record (`POST /things/{thingId}/lock`, `PUT /things/{thingId}/picture`),
 * once, on one that was created for it.
 */
export function planActions(context: PlanContext): Sequence[] {
  const acting = context.drafts.filter((draft) => !isSafe(draft.operation) && actsOnItem(draft));
  const byRecord = Map.groupBy(acting, ({ names }) => names.at(-1)?.resource);
  return [
    ...acting.flatMap((draft) => actionSequence(context, draft) ?? []),
    ...[...byRecord].flatMap(([resource, drafts]) =>
      resource === undefined ? [] : inTurns(context, resource, drafts),
    ),
  ];
}

/** The most actions of one record that are tried in turns. */
const maxTurns = 6;

/** The most kinds of parts that a record gets before its actions are tried. */
const maxParts = 2;

/**
 * All actions on one record, one after the other, twice, and on another one after its deletion:
 * what the state of a new record forbids, such as its payment before it is sent, another action may
 * allow. The record has parts of its own, which some actions need.
 */
function inTurns(context: PlanContext, resource: Resource, drafts: readonly Draft[]): Sequence[] {
  const remove = draftFor(context, resource, 'delete');
  if (!isMakeable(context, resource) || drafts.length > maxTurns) return [];
  const turn = (story: Story, made: Made, when: string): void => {
    for (const draft of drafts) {
      const { method, pointer } = draft.operation;
      story.step(draft, {
        title: `a plain ${method} ${when}`,
        of: [made],
        intent: exoticAt(pointer),
      });
    }
  };
  const living = new Story(context, `all actions of ${resource.name}`);
  const made = living.make(resource);
  for (const part of ownParts(context, resource)) living.make(part, { of: [made] });
  turn(living, made, 'in turn with the other actions');
  turn(living, made, 'after each of the other actions');
  const deleted = new Story(context, `the actions of a deleted record of ${resource.name}`);
  const gone = deleted.make(resource);
  deleted.step(remove, { title: 'the record of the actions is deleted', of: [gone] });
  turn(deleted, gone, 'after the deletion');
  return [...living.sequences(), ...deleted.sequences()];
}

/**
 * The kinds of records that stand below one of a resource and refer to no other: an action on a
 * record whose parts name records of others may change those, such as their stock.
 */
function ownParts(context: PlanContext, resource: Resource): Resource[] {
  const { resources } = context.contract;
  const parts = resources.filter((part) => {
    const value = creatorDraft(context, part)?.body.value;
    const texts = Object.values(objectOf(value));
    return (
      part.parents.at(-1)?.resource === resource &&
      isMakeable(context, part) &&
      part.foreignKeys.length === 0 &&
      texts.every((text) => addressedBy({ examples: [text] }, resources) === undefined)
    );
  });
  return parts.slice(0, maxParts);
}

function actsOnItem({ role, names }: Draft): boolean {
  const target = names.at(-1)?.resource;
  return (
    target !== undefined &&
    (role === undefined || (role.resource !== target && role.action !== 'create'))
  );
}

function actionSequence(context: PlanContext, draft: Draft): Sequence | undefined {
  const { operation, names, body } = draft;
  const acted = names.at(-1)?.resource;
  const create = acted && creationFor(context, acted);
  const marking = { runId: context.runId, label: `${operation.id} acts` };
  const request = requestOf(draft, 'own', { body: body && markedBody(body, body.value, marking) });
  if (create === undefined)
    return makeSequence(
      draftCase(draft, { title: 'a plain request on a record of the run', request }),
    );
  return makeSequence(
    createStep(context, create, `a record is created for ${operation.id}`),
    draftCase(draft, {
      title: 'a plain request on the created record',
      request: onCreated(request),
    }),
  );
}

/**
 * Creates that no other part of the plan sends plainly: a POST without a body, and a request with a
 * name that the run chooses. Sent early, because other requests need these records. A POST without
 * a body that creates nothing, such as `POST /things/save`, may act on all records, unless it only
 * reads, such as `POST /accounts/get_current`.
 */
export function planOpeners(context: PlanContext): Sequence[] {
  const { drafts, contract, rules } = context;
  const makers = new Set(contract.resources.map((resource) => creatorOf(contract, resource)));
  const naming = new Map(contract.resources.map((own) => [own.namedCreate, own] as const));
  return drafts.flatMap((draft) => {
    const { operation, body, identifier } = draft;
    if (rules.allowed.has(operation)) return [];
    const named = naming.get(operation);
    if (named !== undefined) return namedCreate(context, draft, named) ?? [];
    const isBare = operation.method === 'POST' && body === undefined && identifier === undefined;
    const title = 'a plain request';
    if (isBare && onlyReads(operation, rules))
      return [makeSequence(draftCase(draft, { title, phase, record: 'known' }))];
    return isBare && makers.has(operation) && namesOwn(draft)
      ? [makeSequence(draftCase(draft, { title, phase, record: 'own' }))]
      : [];
  });
}

/** Whether a request refers to no record of another client. */
function namesOwn(draft: Draft): boolean {
  return requestOf(draft, 'own').arguments.every(
    ({ parameter, source }) => parameter.in !== 'path' || source.kind === 'own',
  );
}

const phase = 'boundary';

/** A record under a unique name with the mark of the run. */
function namedCreate(
  { runId, contract }: PlanContext,
  planned: Draft,
  resource: Resource,
): Sequence[] | undefined {
  const draft = { ...planned, names: namesBefore(contract, resource, planned.names) };
  const { operation, body } = draft;
  const named = ownName(draft, runId, '');
  if (named === undefined) return undefined;
  const marking = { runId, label: `${operation.id} names` };
  const request = requestOf(draft, 'own', {
    extra: [named],
    body: body && markedBody(body, body.value, marking),
  });
  const title = 'a record is put under a name of the run';
  return [makeSequence(makeCase({ title, phase, operation, request, intent: asGuess(draft) }))];
}

/** The contract does not say which names the service accepts. */
function asGuess(draft: Draft): Intent {
  const intent = plainIntent(draft);
  return intent.kind === 'valid' ? { ...intent, rigour: 'invented' } : intent;
}

/**
 * One plain request to each operation that the user allows by name and no other part of the plan
 * sends plainly: unsafe ones without a body that refer to no record.
 */
export function planAllowed({ drafts, rules }: PlanContext): Sequence[] {
  return drafts
    .filter(
      ({ operation, body, names }) =>
        rules.allowed.has(operation) &&
        !isSafe(operation) &&
        body === undefined &&
        names.length === 0,
    )
    .map((draft) => makeSequence(draftCase(draft, { title: 'a plain request', record: 'known' })));
}

/** The same request about the record that an earlier step of the sequence created. */
export function onCreated(request: RequestTemplate): RequestTemplate {
  return {
    ...request,
    arguments: request.arguments.map(({ parameter, source }) => ({
      parameter,
      source: source.kind === 'own' ? { ...source, kind: 'created' as const } : source,
    })),
  };
}
