import { makeCase, makeSequence, type Sequence } from '../../model/case.ts';
import type { RequestTemplate } from '../../model/request-template.ts';
import { makeCreate } from '../boundary.ts';
import { bodyOf, type Draft, isSafe, requestOf } from '../draft.ts';
import { markBody } from '../mark-body.ts';
import { draftOf, plainIntent, type PlanContext } from '../plan-context.ts';

/**
 * Whatever else is done to a record (`POST /things/{thingId}/lock`, `PUT
 * /things/{thingId}/picture`), once, on one that was created for it.
 */
export function planActions(context: PlanContext): Sequence[] {
  return context.drafts
    .filter((draft) => !isSafe(draft.operation) && actsOnItem(draft))
    .flatMap((draft) => act(context, draft) ?? []);
}

function actsOnItem({ role, names }: Draft): boolean {
  const target = names.at(-1)?.resource;
  return (
    target !== undefined &&
    (role === undefined || (role.resource !== target && role.action !== 'create'))
  );
}

function act(context: PlanContext, draft: Draft): Sequence | undefined {
  const resource = draft.names.at(-1)?.resource;
  const create = draftOf(context, resource?.operations.create);
  if (create?.body === undefined || resource === undefined) return undefined;
  const { operation } = draft;
  const first = makeCreate(context, create, {
    title: `a record is created for ${operation.id}`,
    value: create.body.value,
    intent: plainIntent(create),
    phase: 'sequence',
  });
  const made: RequestTemplate = requestOf(
    draft,
    'own',
    draft.body === undefined
      ? {}
      : {
          body: bodyOf(
            draft.body,
            markBody(draft.body, draft.body.value, {
              runId: context.runId,
              label: `${operation.id} acts`,
            }),
          ),
        },
  );
  const request = {
    ...made,
    arguments: made.arguments.map((argument) => ({
      ...argument,
      source:
        argument.source.kind === 'own'
          ? { ...argument.source, kind: 'created' as const }
          : argument.source,
    })),
  };
  return makeSequence(
    first,
    makeCase({
      title: 'a plain request on the created record',
      phase: 'sequence',
      operation,
      request,
      intent: plainIntent(draft),
    }),
  );
}
