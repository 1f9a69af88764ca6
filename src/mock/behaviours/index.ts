import { hidesIdentifiers } from '../../contract/infer/record-fields.ts';
import { documentsNotFound } from '../../contract/model/operation.ts';
import { valueAt } from '../../json/pointer.ts';
import { isJsonArray } from '../../json/value.ts';
import { whenReady } from '../../store/store.ts';
import { wordsIn } from '../../words-in.ts';
import { answerFromContract } from '../answer/responder.ts';
import { conditional } from '../guard-changes.ts';
import type { Asking, Behaviour, OperationPlan, ResourceRole } from '../model/request.ts';
import { type Convention, inPhases } from '../phases.ts';
import { missingAmong } from '../records/find-record.ts';
import { parentTexts } from '../records/parent-fields.ts';
import { belowParents } from './across-parents.ts';
import { acrossReferences } from './across-references.ts';
import { askedInBody } from './asked-in-body.ts';
import { comparing } from './comparing.ts';
import { create } from './create.ts';
import { createMany } from './create-many.ts';
import {
  besideDeleted,
  keepingDeleted,
  listingDeleted,
  readingDeleted,
  restoring,
} from './deleted.ts';
import { ending } from './ending.ts';
import { expanding } from './expanding.ts';
import { startingWithoutFiles, withFile } from './files.ts';
import { following } from './following.ts';
import { closedAbove, inState } from './in-state.ts';
import { including } from './including.ts';
import { link, strayLinkage } from './linkage.ts';
import { linking, showStart } from './linking.ts';
import { count, list, table } from './list.ts';
import { marking } from './marking.ts';
import { addingNames, countingNames, namesShown } from './named-lists.ts';
import { namingKnown } from './naming-known.ts';
import { showOpenList } from './open-list.ts';
import { startingWithoutParts, withParts } from './open-parts.ts';
import { ofOne, tellingWhole } from './own-parts.ts';
import { projected } from './projected.ts';
import { promised } from './promised.ts';
import { readMany } from './read-many.ts';
import { withRecordHeaders } from './record-headers.ts';
import { clear, read, remove } from './remove.ts';
import { unlessBarred, unlessWithout } from './stated-refusals.ts';
import { tagging } from './tagging.ts';
import { tallying } from './tallying.ts';
import { tried } from './tried.ts';
import { unlessThere } from './unless-there.ts';
import { act, replace, update } from './update.ts';

/** A create takes one record, or a list of them if its body may hold one. */
const createOneOrMany: Behaviour = (on) => {
  const { plan, body = null } = on.request;
  const items = plan.role?.batch && valueAt(body, plan.role.batch.records);
  return isJsonArray(items) ? createMany(on) : create(on);
};

type Action = ResourceRole['action'];

const actions: Readonly<Record<Action, Behaviour>> = {
  list,
  create: createOneOrMany,
  read,
  replace,
  update,
  delete: remove,
  act,
  clear,
  count,
  'create-many': createMany,
  link,
  'read-many': readMany,
  table,
  'replace-many': createMany,
};

/** The conventions in the order of their hooks in each phase, with the actions that have them. */
const conventions: readonly (readonly [Convention, of?: readonly Action[]])[] = [
  [belowParents],
  [conditional, wordsIn('replace update delete act')],
  [askedInBody, wordsIn('list')],
  [linking, wordsIn('list read create replace update act')],
  [projected, wordsIn('list read')],
  [tagging, wordsIn('list read create replace update act')],
  [expanding, wordsIn('list read')],
  [including, wordsIn('list read')],
  [inState, wordsIn('create replace update delete act create-many replace-many link')],
  [comparing, wordsIn('create replace update')],
  [tried, wordsIn('create replace update delete')],
  [unlessWithout, wordsIn('create')],
  [unlessBarred, wordsIn('replace update')],
  [besideDeleted, wordsIn('create')],
  [tellingWhole, wordsIn('create delete')],
  [unlessThere, wordsIn('create')],
  [readingDeleted, wordsIn('read')],
  [listingDeleted, wordsIn('list count table')],
  [acrossReferences, wordsIn('list count table')],
  [countingNames, wordsIn('list read')],
  [ofOne, wordsIn('list')],
  [addingNames, wordsIn('act')],
  [ending, wordsIn('delete')],
  [keepingDeleted, wordsIn('delete')],
  [restoring, wordsIn('act')],
  [startingWithoutFiles, wordsIn('create replace')],
  [startingWithoutParts, wordsIn('create replace')],
  [following, wordsIn('replace update act')],
  [tallying, wordsIn('create replace update delete act clear create-many replace-many link')],
  [promised],
];

/** The conventions of operations that belong to no resource: guards of those below a record. */
const guards: readonly Convention<Asking>[] = [
  ({ above: parents }) => ({
    before: ({ request, store }) =>
      missingAmong(
        parentTexts(request, { parents }),
        { parents },
        { session: request.session, store },
      ),
  }),
  () => ({ before: closedAbove }),
  () => ({ before: strayLinkage }),
  marking,
];

/** What the answers of all of them have from the records. */
const completions: readonly Convention<Asking>[] = [
  withRecordHeaders,
  withFile,
  withParts,
  promised,
];

/** How an operation is carried out, with the conventions that it follows. Made once for each. */
export function behaviourOf(plan: OperationPlan): Behaviour<Asking> {
  const { role } = plan;
  if (role === undefined) {
    const all = isGuarded(plan) ? [...guards, ...completions] : completions;
    return inPhases(
      all.flatMap((convention) => convention(plan) ?? []),
      answerAlone,
    );
  }
  const { action, resource } = role;
  const own = conventions.filter(([, of]) => of?.includes(action) !== false);
  const behave = inPhases(
    own.flatMap(([convention]) => convention(plan, resource) ?? []),
    actions[action],
  );
  return (on) => behave({ ...on, resource });
}

/** Whether the path of an operation of no resource is refused below a missing record. */
function isGuarded({ above, operation }: OperationPlan): boolean {
  return (
    above.length > 0 &&
    !above.some(({ resource }) => resource !== undefined && hidesIdentifiers(resource)) &&
    documentsNotFound(operation)
  );
}

/** Answers as the contract shows, with the names that a list has, and those of known records. */
const answerAlone: Behaviour<Asking> = (on) => {
  const { request } = on;
  return whenReady(namesShown(on), (names) =>
    namingKnown(
      showOpenList(request, names) ?? showStart(answerFromContract(request), request),
      on,
    ),
  );
};
