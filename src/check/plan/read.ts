import type { Resource } from '../../contract/model.ts';
import type { Phase } from '../event.ts';
import { makeCase, makeSequence, type Case, type Sequence } from '../case.ts';
import { isSafe, requestOf, type Draft } from './draft.ts';
import { draftOf, needsRecord, plainIntent, type PlanContext } from './plan-context.ts';
import { probeDraft } from './probe.ts';

/** Every safe operation once, as a person would ask; one that reads a record is asked for the first that the list shows. */
export function planRead(context: PlanContext): Sequence[] {
  const probed = probeDraft(context);
  const plain = context.drafts.filter((draft) => isSafe(draft.operation) && !needsRecord(draft) && draft !== probed);
  return [...plain.map((draft) => makeSequence(plainCase(draft, 'read'))), ...context.contract.resources.flatMap((resource) => planEntry(context, resource))];
}

/** List, read the first entry, list again: what is read is what is listed, unless somebody changed it in between. */
function planEntry(context: PlanContext, resource: Resource): Sequence[] {
  const list = draftOf(context, resource.operations.list);
  const read = draftOf(context, resource.operations.read);
  if (list === undefined || read === undefined) return [];
  const { operation } = read;
  const reading = makeCase({ title: 'the first record of the list is read', phase: 'read', operation, request: requestOf(read, 'listed'), intent: plainIntent(read) });
  return [makeSequence(plainCase(list, 'read'), reading, plainCase(list, 'read', 'the list is asked for again'))];
}

/** The plain request of a draft as a case. */
function plainCase(draft: Draft, phase: Phase, title = 'a plain request'): Case {
  const { operation } = draft;
  return makeCase({ title, phase, operation, request: requestOf(draft, 'known'), intent: plainIntent(draft) });
}
