import { hidesIdentifiers } from '../../contract/infer/record-fields.ts';
import type { Resource } from '../../contract/model.ts';
import { valueAt } from '../../json/pointer.ts';
import { isJsonArray, type JsonArray } from '../../json/value.ts';
import { type MaybePromise, type Store, whenReady } from '../../store/store.ts';
import { changeAtomically } from '../../store/watched-store.ts';
import { answerFromContract } from '../answer/responder.ts';
import type { Behaviour, ValidRequest } from '../model/behaviour.ts';
import type { Fault } from '../model/fault.ts';
import { documentsNotFound } from '../../contract/model/operation.ts';
import type { ResourceRole } from '../model/operation-plan.ts';
import type { Reply } from '../model/reply.ts';
import { belowKnown, missingAmong } from '../records/find-record.ts';
import { parentTexts } from '../records/parent-fields.ts';
import { acrossParents } from './across-parents.ts';
import { acrossReferences } from './across-references.ts';
import { act, replace, update } from './update.ts';
import {
  besideDeleted,
  keepingDeleted,
  listingDeleted,
  readingDeleted,
  restoring,
} from './deleted.ts';
import { clear, read, remove } from './remove.ts';
import { startingEmpty } from './starting-empty.ts';
import { table } from './table.ts';
import { tagging } from './tagging.ts';
import { tallying } from './tallying.ts';
import { tried } from './tried.ts';
import { unlessThere } from './unless-there.ts';
import { unlessBarred, unlessWithout } from './stated-refusals.ts';
import { createMany } from './create-many.ts';
import { ending } from './ending.ts';
import { comparing } from './comparing.ts';
import { create } from './create.ts';
import { expanding } from './expanding.ts';
import { withFile } from './files.ts';
import { including } from './including.ts';
import { mark, marksOf } from './marking.ts';
import { addingNames, countingNames, namesShown } from './named-lists.ts';
import { namingKnown } from './naming-known.ts';
import { askedInBody } from './asked-in-body.ts';
import { closedAbove, inState } from './in-state.ts';
import { link } from './linkage.ts';
import { strayLinkage } from './linked.ts';
import { following } from './following.ts';
import { linking, showStart } from './linking.ts';
import { count, list } from './list.ts';
import { showOpenList } from './open-list.ts';
import { withParts } from './open-parts.ts';
import { withRecordHeaders } from './record-headers.ts';
import { readMany } from './read-many.ts';
import { ofOne, tellingWhole } from './own-parts.ts';
import { projected } from './projected.ts';

/** A list of the records below one parent, or below all. */
const listing = askedInBody(
  including(
    expanding(
      tagging(projected(linking(listingDeleted(acrossReferences(countingNames(ofOne(list))))))),
    ),
  ),
);

/** The behaviour of each action. */
export const behaviours: Readonly<Record<ResourceRole['action'], Behaviour>> = {
  list: acrossParents(listing, belowParents(listing)),
  create: belowParents(
    inState(
      comparing(
        tried(
          unlessWithout(
            tallying(
              tagging(
                linking(startingEmpty(besideDeleted(tellingWhole(unlessThere(createOneOrMany))))),
              ),
            ),
          ),
        ),
      ),
    ),
  ),
  read: belowParents(
    including(expanding(tagging(projected(linking(readingDeleted(countingNames(read))))))),
  ),
  replace: belowParents(
    inState(
      comparing(tried(unlessBarred(tallying(following(tagging(linking(startingEmpty(replace)))))))),
    ),
  ),
  update: belowParents(
    inState(comparing(tried(unlessBarred(tallying(following(tagging(linking(update)))))))),
  ),
  delete: belowParents(inState(tried(tallying(ending(tellingWhole(keepingDeleted(remove))))))),
  act: belowParents(inState(tallying(following(tagging(linking(restoring(addingNames(act)))))))),
  clear: belowParents(tallying(clear)),
  count: belowParents(listingDeleted(acrossReferences(count))),
  'create-many': belowParents(inState(tallying(createMany))),
  link: belowParents(inState(tallying(link))),
  'read-many': belowParents(readMany),
  table: belowParents(listingDeleted(acrossReferences(table))),
  'replace-many': belowParents(inState(tallying(createMany))),
};

/** A create takes one record, or a list of them if its body may hold one. */
function createOneOrMany(
  request: ValidRequest,
  resource: Resource,
  store: Store,
): MaybePromise<Reply | Fault> {
  const batch = request.plan.role?.batch;
  const items = batch && valueAt(request.body ?? null, batch.records);
  const behave = items !== undefined && isJsonArray(items) ? createMany : create;
  return behave(request, resource, store);
}

/** Answers 404 for paths below a record that does not exist. */
function belowParents(behave: Behaviour): Behaviour {
  return (request, resource, store) => {
    if (resource.parents.length === 0) return behave(request, resource, store);
    return belowKnown(request, resource, store).then((known) =>
      'kind' in known ? known : behave(known, resource, store),
    );
  };
}

/**
 * Responds for an operation that belongs to no resource; with the documented error if its path is
 * below a missing record, or if its linkage names one.
 */
export function answerBelow(request: ValidRequest, store: Store): MaybePromise<Reply | Fault> {
  const answered = answerOrMissing(request, store);
  return completions.reduce<MaybePromise<Reply | Fault>>(
    (reply, complete) => whenReady(reply, (made) => complete(made, request, store)),
    answered,
  );
}

/** What the response of such an operation has from the records, one after the other. */
const completions = [withRecordHeaders, withFile, withParts] as const;

function answerOrMissing(request: ValidRequest, store: Store): MaybePromise<Reply | Fault> {
  const { above, operation } = request.plan;
  const answer = (): MaybePromise<Reply | Fault> =>
    whenReady(namesIn(request, store), (names) =>
      namingKnown(answerItself(request, names), request, store),
    );
  if (
    above.length === 0 ||
    above.some(({ resource }) => resource !== undefined && hidesIdentifiers(resource)) ||
    !documentsNotFound(operation)
  )
    return answer();
  const missing = missingAmong(
    parentTexts(request, { parents: above }),
    { parents: above },
    { session: request.session, store },
  );
  const marks = request.plan.derive(marksOf);
  const open = whenReady(missing, (fault) => fault ?? closedAbove(request, store));
  const linked = whenReady(open, (fault) => fault ?? strayLinkage(request, store));
  const refused =
    marks === undefined
      ? linked
      : whenReady(
          linked,
          (fault) => fault ?? changeAtomically(store, (view) => mark(marks, request, view)),
        );
  return whenReady(refused, (fault) => fault ?? answer());
}

/** The names that a list shows whose items identify records, where operations add to it. */
function namesIn(request: ValidRequest, store: Store): MaybePromise<JsonArray | undefined> {
  const isNamed = request.plan.above.length > 0 && request.plan.namedLists().length > 0;
  return isNamed ? namesShown(request, store) : undefined;
}

function answerItself(request: ValidRequest, names?: JsonArray): Reply | Fault {
  return showOpenList(request, names) ?? showStart(answerFromContract(request), request);
}
