import type { Resource } from '../../../contract/model.ts';
import type { JsonObject } from '../../../json/value.ts';
import { makeCase, makeSequence, type Case, type Sequence } from '../../model/case.ts';
import { requestOf, type Draft } from '../draft.ts';
import { harmlessChange, jsonMedia } from '../draft/restorable.ts';
import { draftOf, plainIntent, type PlanContext } from '../plan-context.ts';

/**
 * The one record of a path: read, changed in one harmless field, read, put back, read. It is
 * nobody's own, so nothing else is sent to it; what a run that ends in the middle leaves changed is
 * put back by clean-up.
 */
export function planSingletons(context: PlanContext): Sequence[] {
  return context.contract.resources
    .filter(({ kind }) => kind === 'singleton')
    .flatMap((resource) => [...changes(context, resource)]);
}

function changes(context: PlanContext, { operations }: Resource): Sequence[] {
  const read = draftOf(context, operations.read);
  if (read === undefined) return [];
  const own = [operations.replace, operations.update].flatMap(
    (operation) => context.restorable.find((draft) => draft.operation === operation) ?? [],
  );
  return own.length === 0
    ? []
    : [
        makeSequence(
          reading(read, 'the record is read before it is changed'),
          ...own.flatMap((draft) => changeAndBack(read, draft)),
        ),
      ];
}

function changeAndBack(read: Draft, draft: Draft): Case[] {
  const media = jsonMedia(draft.operation);
  const change = media && harmlessChange(media);
  if (media === undefined || change === undefined) return [];
  const write = (title: string, value: JsonObject): Case =>
    makeCase({
      title,
      phase: 'sequence',
      operation: draft.operation,
      request: requestOf(draft, 'known', {
        body: { kind: 'json', mediaType: media.mediaType, value, onto: read.operation.id },
      }),
      intent: plainIntent(draft),
    });
  const [field = ''] = Object.keys(change);
  return [
    write(`${field} of the record is changed`, change),
    reading(read, 'the changed record is read'),
    write('what was there before is put back', {}),
    reading(read, 'the record is read once more'),
  ];
}

function reading(draft: Draft, title: string): Case {
  return makeCase({
    title,
    phase: 'sequence',
    operation: draft.operation,
    request: requestOf(draft, 'known'),
    intent: plainIntent(draft),
  });
}
