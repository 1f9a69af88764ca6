import { makeCase, makeSequence, type Sequence } from '../../model/case.ts';
import { type Draft, isSafe, requestOf } from '../draft.ts';
import { bodyDraftOf, createStep } from '../make-create.ts';
import { markedBody } from '../mark-body.ts';
import { draftCase, plainIntent, type PlanContext } from '../plan-context.ts';

/**
 * Other operations on a record (`POST /things/{thingId}/lock`, `PUT /things/{thingId}/picture`),
 * once, on one that was created for it.
 */
export function planActions(context: PlanContext): Sequence[] {
  return context.drafts
    .filter((draft) => !isSafe(draft.operation) && actsOnItem(draft))
    .flatMap((draft) => actionSequence(context, draft) ?? []);
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
  const create = bodyDraftOf(context, names.at(-1)?.resource.operations.create);
  if (create === undefined) return undefined;
  const marking = { runId: context.runId, label: `${operation.id} acts` };
  const request = requestOf(draft, 'own', { body: body && markedBody(body, body.value, marking) });
  const onCreated = request.arguments.map(({ parameter, source }) => ({
    parameter,
    source: source.kind === 'own' ? { ...source, kind: 'created' as const } : source,
  }));
  return makeSequence(
    createStep(context, create, `a record is created for ${operation.id}`),
    makeCase({
      title: 'a plain request on the created record',
      phase: 'sequence',
      operation,
      request: { ...request, arguments: onCreated },
      intent: plainIntent(draft),
    }),
  );
}

/**
 * One plain request to each operation that the user allows by name and no other part of the plan
 * sends plainly: unsafe ones without a body that name no record.
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
