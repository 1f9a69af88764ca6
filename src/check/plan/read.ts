import type { Resource } from '../../contract/model.ts';
import { type Case, makeCase, makeSequence, type Sequence } from '../model/case.ts';
import type { Phase } from '../model/phase.ts';
import { type Draft, isSafe, requestOf } from './draft.ts';
import { draftOf, needsRecord, plainIntent, type PlanContext } from './plan-context.ts';
import { probeDraft } from './probe.ts';

/**
 * Every safe operation once, as a person would ask; one that reads a record is asked for the first
 * that the list shows, others below a record for any that is known.
 */
export function planRead(context: PlanContext): Sequence[] {
  const probed = probeDraft(context);
  const entries = context.contract.resources.flatMap((resource) => planEntry(context, resource));
  const covered = new Set(entries.flatMap(({ cases }) => cases.map(({ operation }) => operation)));
  // A list that is asked for with its first entry is asked for once more where it stands alone: it
  // costs little, and shows what is flaky.
  const alone = context.drafts.filter(
    (draft) =>
      isSafe(draft.operation) &&
      draft !== probed &&
      !(needsRecord(draft) && covered.has(draft.operation)),
  );
  return [...alone.map((draft) => makeSequence(plainCase(draft, 'read'))), ...entries];
}

/**
 * List, read the first entry, list again: what is read is what is listed, unless somebody changed
 * it in between.
 */
function planEntry(context: PlanContext, resource: Resource): Sequence[] {
  const list = draftOf(context, resource.operations.list);
  const read = draftOf(context, resource.operations.read);
  if (list === undefined || read === undefined) return [];
  const { operation } = read;
  const reading = makeCase({
    title: 'the first record of the list is read',
    phase: 'read',
    operation,
    request: requestOf(read, 'listed'),
    intent: plainIntent(read),
  });
  const again = makeCase({
    title: 'the list is asked for again',
    phase: 'read',
    operation: list.operation,
    request: requestOf(list, 'listed'),
    intent: plainIntent(list),
  });
  return [makeSequence(plainCase(list, 'read'), reading, again)];
}

/** The plain request of a draft as a case. */
function plainCase(draft: Draft, phase: Phase): Case {
  const { operation } = draft;
  return makeCase({
    title: 'a plain request',
    phase,
    operation,
    request: requestOf(draft, 'known'),
    intent: plainIntent(draft),
  });
}
